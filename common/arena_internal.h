/* SPDX-License-Identifier: MIT */
/* Memory for many small objects that are released together: a bump allocator over a list of blocks.
   Readers of files use it with a limit, so that a hostile file cannot exhaust the memory. What it
   hands out is zeroed and aligned to 16 bytes. */
#ifndef VXE_COMMON_ARENA_INTERNAL_H
#define VXE_COMMON_ARENA_INTERNAL_H

#include <stdint.h>

typedef struct vxe_arena_block vxe_arena_block;

typedef struct vxe_arena {
    vxe_arena_block *blocks;
    uint64_t used;  /* bytes of the newest block */
    uint64_t taken; /* bytes handed out in all */
    uint64_t limit; /* maximum of taken, bytes; 0: no limit */
} vxe_arena;

/* Returns size bytes, or null if there is no memory or the limit would be exceeded. */
void *vxe_arena_take(vxe_arena *arena, uint64_t size);

/* Returns a copy of length characters, ended by a zero byte; null as above. */
char *vxe_arena_text(vxe_arena *arena, const char *text, uint64_t length);

/* Releases all blocks and keeps the limit. */
void vxe_arena_clear(vxe_arena *arena);

#endif
