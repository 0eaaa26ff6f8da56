/* SPDX-License-Identifier: MIT */
/* Allocation through the caller's hooks, or through the C library with huge pages where they help.
 */
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

#include "common/assert_internal.h"
#include "common/status_internal.h"

#define ALIGNMENT 64u
/* A step reads and writes some forty arrays at once. On pages of 4 KiB the hardware prefetcher
 * starts again every thousand floats, and it depends on chance which pages conflict in a cache.
 * Blocks of at least LARGE_BLOCK bytes ask for huge pages; vxe_memory_take_huge does so from
 * WANTED_BLOCK bytes on. */
#define HUGE_PAGE (2ull << 20)
#define LARGE_BLOCK (4 * HUGE_PAGE)
#define WANTED_BLOCK (HUGE_PAGE / 8)

_Static_assert((ALIGNMENT & (ALIGNMENT - 1)) == 0, "an alignment is a power of two");
_Static_assert(WANTED_BLOCK >= ALIGNMENT, "a size is rounded up to the alignment first");

/* Allocates; blocks of at least `from` bytes are rounded up to whole huge pages. */
static void *take_pages(uint64_t size, uint64_t alignment, uint64_t from)
{
#ifdef __linux__
    if (size >= from) {
        const uint64_t pages = (size + HUGE_PAGE - 1) / HUGE_PAGE;
        void *block = aligned_alloc((size_t)HUGE_PAGE, (size_t)(pages * HUGE_PAGE));
        if (block) {
            madvise(block, (size_t)(pages * HUGE_PAGE), MADV_HUGEPAGE); /* may be refused */
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
    VXE_ASSERT(!hooks || (hooks->allocate && hooks->release));
    current = hooks ? *hooks : libc_hooks;
}

/* A thread's own: what fails on one must not be taken for a failure of what another does. */
static _Thread_local uint64_t failures;

uint64_t vxe_memory_failures(void)
{
    return failures;
}

void *vxe_memory_counted(void *block)
{
    failures += !block;
    return block;
}

vxe_status vxe_memory_check(uint64_t before, vxe_error *error)
{
    return failures == before ? VXE_OK : vxe_error_fill(error, VXE_ERROR_MEMORY, "out of memory");
}

static void *take(uint64_t count, uint64_t size, bool huge)
{
    if (size && count > (SIZE_MAX / 2) / size) {
        return vxe_memory_counted(NULL);
    }
    uint64_t bytes = count * size;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0) {
        bytes = ALIGNMENT;
    }
    void *block = huge && current.allocate == take_from_libc
                      ? take_pages(bytes, ALIGNMENT, WANTED_BLOCK)
                      : current.allocate(bytes, ALIGNMENT, current.user);
    VXE_ASSERT((uintptr_t)block % ALIGNMENT == 0);
    if (block) {
        memset(block, 0, (size_t)bytes);
    }
    return vxe_memory_counted(block);
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
    VXE_ASSERT(block || old_count == 0);
    VXE_ASSERT(size > 0);
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
