/* SPDX-License-Identifier: MIT */
/* Where memory comes from. All of the library's memory passes through two hooks, so that a program
   can count, bound or pool it. Blocks are 64-byte aligned and zeroed. Nothing is allocated inside a
   step. */
#ifndef VXE_COMMON_MEMORY_H
#define VXE_COMMON_MEMORY_H

#include <stdint.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* allocate returns a block of at least size bytes aligned to alignment (a power of two), or null.
 */
typedef struct vxe_memory_hooks {
    void *(*allocate)(uint64_t size, uint64_t alignment, void *user);
    void (*release)(void *block, void *user);
    void *user;
} vxe_memory_hooks;

/* Replaces the hooks for the whole process; null restores the C library's. Call it before anything
 * else is created. */
VXE_API void vxe_memory_use(const vxe_memory_hooks *hooks);

/* Zeroed, 64-byte aligned; null when there is no memory. count * size may not overflow (null if it
 * does). */
VXE_API void *vxe_memory_take(uint64_t count, uint64_t size);

/* The same for what steps go over again and again: without hooks, a block of some hundred kilobytes
 * is rounded up to huge pages if the machine has them. */
VXE_API void *vxe_memory_take_huge(uint64_t count, uint64_t size);

/* A block of new_count items that starts with the old_count items of block (which is released), the
   rest zero. On failure null, and block stays valid. */
VXE_API void *vxe_memory_grow(void *block, uint64_t old_count, uint64_t new_count, uint64_t size);

/* block may be null. */
VXE_API void vxe_memory_release(void *block);

#ifdef __cplusplus
}
#endif

#endif
