/* SPDX-License-Identifier: MIT */
/* Many small pieces that die together: a bump allocator over growing blocks. Pieces are zeroed and
 * 16-byte aligned. */
#ifndef VXE_COMMON_ARENA_INTERNAL_H
#define VXE_COMMON_ARENA_INTERNAL_H

#include <stdint.h>

typedef struct vxe_arena_block vxe_arena_block;

typedef struct vxe_arena {
    vxe_arena_block *blocks;
    uint64_t used;  /* of the newest block */
    uint64_t taken; /* bytes handed out in all */
    uint64_t limit; /* most bytes to hand out; 0: no bound */
} vxe_arena;

/* Null without memory or beyond the limit. */
void *vxe_arena_take(vxe_arena *arena, uint64_t size);

/* A copy of length characters, ended by a zero byte. */
char *vxe_arena_text(vxe_arena *arena, const char *text, uint64_t length);

void vxe_arena_clear(vxe_arena *arena);

#endif
