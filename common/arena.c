/* SPDX-License-Identifier: MIT */
#include "common/arena_internal.h"

#include <string.h>

#include "common/memory.h"

#define BLOCK 65536u

struct vxe_arena_block {
    vxe_arena_block *older;
    uint64_t size;
    char bytes[];
};

void *vxe_arena_take(vxe_arena *arena, uint64_t size)
{
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
    return piece;
}

char *vxe_arena_text(vxe_arena *arena, const char *text, uint64_t length)
{
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
