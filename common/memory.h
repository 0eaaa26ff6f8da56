/* SPDX-License-Identifier: MIT */
/* Memory allocation. The library allocates and releases all of its memory through two hooks, so
   that a program can count, limit or pool it. Blocks are 64-byte aligned and zeroed. Nothing is
   allocated inside a step. What jansson, expat, zlib and libpng take for the library comes from the
   C library.

   Those libraries, and many calls in between, do not say why they failed, and some go on without
   what they could not store. So each thread counts its allocations that failed: who reads or writes
   something compares the count before and after, and is told by it, whatever was returned in
   between. */
#ifndef VXE_COMMON_MEMORY_H
#define VXE_COMMON_MEMORY_H

#include <stdint.h>

#include "common/export.h"
#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* allocate returns a block of at least size bytes, aligned to alignment (a power of two), or null;
 * release takes such a block. Both are given user. */
typedef struct vxe_memory_hooks {
    void *(*allocate)(uint64_t size, uint64_t alignment, void *user);
    void (*release)(void *block, void *user);
    void *user;
} vxe_memory_hooks;

/* Replaces the hooks for the whole process; null restores those of the C library. Call it before
 * any other function of the library. */
VXE_API void vxe_memory_use(const vxe_memory_hooks *hooks);

/* Returns count items of size bytes, zeroed and 64-byte aligned; null if there is no memory or if
 * count * size overflows. */
VXE_API void *vxe_memory_take(uint64_t count, uint64_t size);

/* The same, for arrays that every step reads or writes: unless hooks are set, a block of 256 KiB or
 * more is rounded up to huge pages (2 MiB) on Linux. */
VXE_API void *vxe_memory_take_huge(uint64_t count, uint64_t size);

/* Returns a block of new_count items that starts with the old_count items of block, which is
   released; the rest is zero. Returns null on failure, and block stays valid. */
VXE_API void *vxe_memory_grow(void *block, uint64_t old_count, uint64_t new_count, uint64_t size);

/* Releases a block; block may be null. */
VXE_API void vxe_memory_release(void *block);

/* Number of allocations that have failed on this thread, since it began. */
VXE_API uint64_t vxe_memory_failures(void);

/* Counts a failure where block is null. Returns block: for what takes memory elsewhere, such as by
   malloc. */
VXE_API void *vxe_memory_counted(void *block);

/* VXE_OK where no allocation has failed on this thread since vxe_memory_failures returned
   `failures`; otherwise fills error, which may be null, and returns VXE_ERROR_MEMORY. Both calls
   are made by the same thread. */
VXE_API vxe_status vxe_memory_check(uint64_t failures, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
