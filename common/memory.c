/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "common/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALIGNMENT 64u
/* A body's arrays are some forty streams: on pages of 4 KiB each of them starts anew every thousand
 * numbers, and where those pages meet in a cache is chance. Blocks of several huge pages ask for
 * those, and smaller ones from an eighth of one on where that is wanted. */
#define HUGE_PAGE (2ull << 20)
#define LARGE_BLOCK (4 * HUGE_PAGE)
#define WANTED_BLOCK (HUGE_PAGE / 8)

/* On huge pages from a size on. */
static void *take_pages(uint64_t size, uint64_t alignment, uint64_t from)
{
#ifdef __linux__
    if (size >= from) {
        const uint64_t pages = (size + HUGE_PAGE - 1) / HUGE_PAGE;
        void *block = aligned_alloc((size_t)HUGE_PAGE, (size_t)(pages * HUGE_PAGE));
        if (block) {
            madvise(block, (size_t)(pages * HUGE_PAGE), MADV_HUGEPAGE); /* a wish; may be refused */
        }
        return block;
    }
#endif
    (void)from;
    return aligned_alloc((size_t)alignment, (size_t)size);
}

static void *take_from_libc(uint64_t size, uint64_t alignment, void *user)
{
    (void)user;
    return take_pages(size, alignment, LARGE_BLOCK);
}

static void release_to_libc(void *block, void *user)
{
    (void)user;
    free(block);
}

static const vxe_memory_hooks libc_hooks = {take_from_libc, release_to_libc, NULL};
static vxe_memory_hooks current = {take_from_libc, release_to_libc, NULL};

void vxe_memory_use(const vxe_memory_hooks *hooks)
{
    current = hooks ? *hooks : libc_hooks;
}

static void *take(uint64_t count, uint64_t size, bool huge)
{
    if (size && count > (SIZE_MAX / 2) / size) {
        return NULL;
    }
    uint64_t bytes = count * size;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0) {
        bytes = ALIGNMENT;
    }
    void *block = huge && current.allocate == take_from_libc
                      ? take_pages(bytes, ALIGNMENT, WANTED_BLOCK)
                      : current.allocate(bytes, ALIGNMENT, current.user);
    if (block) {
        memset(block, 0, (size_t)bytes);
    }
    return block;
}

void *vxe_memory_take(uint64_t count, uint64_t size)
{
    return take(count, size, false);
}

void *vxe_memory_take_huge(uint64_t count, uint64_t size)
{
    return take(count, size, true);
}

void *vxe_memory_grow(void *block, uint64_t old_count, uint64_t new_count, uint64_t size)
{
    void *grown = vxe_memory_take(new_count, size);
    if (grown && block) {
        memcpy(grown, block, (size_t)((old_count < new_count ? old_count : new_count) * size));
        vxe_memory_release(block);
    }
    return grown;
}

void vxe_memory_release(void *block)
{
    if (block) {
        current.release(block, current.user);
    }
}
