/* SPDX-License-Identifier: MIT */
/* A bump allocator: memory is handed out from the front of the newest block, and a new block is
   allocated when that one is full. Blocks form a list and are released together. */
#include "common/arena_internal.h"

#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"

#define BLOCK 65536u

struct vxe_arena_block {
    vxe_arena_block *older;
    uint64_t size;
    char bytes[];
};

_Static_assert(sizeof(vxe_arena_block) % 16 == 0, "the memory of a block is aligned to 16 bytes");
_Static_assert(BLOCK % 16 == 0, "sizes are rounded up to 16 bytes");

void *vxe_arena_take(vxe_arena *arena, uint64_t size)
{
    VXE_ASSERT(size <= UINT64_MAX - 15);
    VXE_ASSERT(arena->limit == 0 || arena->taken <= arena->limit);
    VXE_ASSERT(!arena->blocks || arena->used <= arena->blocks->size);
    size = (size + 15) / 16 * 16;
    if (arena->limit && size > arena->limit - arena->taken) {
        return NULL;
    }
    if (!arena->blocks || size > arena->blocks->size - arena->used) {
        const uint64_t capacity = size > BLOCK ? size : BLOCK;
        vxe_arena_block *block = vxe_memory_take(sizeof *block + capacity, 1);
        if (!block) {
            return NULL;
        }
        block->older = arena->blocks;
        block->size = capacity;
        arena->blocks = block;
        arena->used = 0;
    }
    void *piece = arena->blocks->bytes + arena->used;
    arena->used += size;
    arena->taken += size;
    VXE_ASSERT(arena->used <= arena->blocks->size && arena->used % 16 == 0);
    return piece;
}

char *vxe_arena_text(vxe_arena *arena, const char *text, uint64_t length)
{
    VXE_ASSERT(text || length == 0);
    VXE_ASSERT(length < UINT64_MAX);
    char *copy = vxe_arena_take(arena, length + 1);
    if (copy) {
        memcpy(copy, text, (size_t)length);
    }
    return copy;
}

void vxe_arena_clear(vxe_arena *arena)
{
    while (arena->blocks) {
        vxe_arena_block *older = arena->blocks->older;
        vxe_memory_release(arena->blocks);
        arena->blocks = older;
    }
    *arena = (vxe_arena){.limit = arena->limit};
}
