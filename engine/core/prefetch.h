/* SPDX-License-Identifier: MIT */
/* Prefetch: while the bonds of a chunk are computed, the memory that the next chunk will read is
   fetched, a few cache lines beside each vector of bonds. A large body is some twenty arrays
   read side by side; the processor prefetches each of them by itself, but starts anew at every
   page and stalls there. Fetching everything at once would stall as well, on the limited number
   of outstanding misses. Measured with bond_throughput, with some 50 KB to fetch for a chunk: on
   cube_64 a step of one damping iteration takes a fifth less time, and explicit steps, four of
   which are in flight (wavefront.c), a seventh less; on cube_100 they take a seventh and a
   quarter less. With blocks of half as many bytes not all is fetched in time, and with twice as
   many they hinder each other. Bodies that stay in a cache gain nothing. */
#ifndef VXE_ENGINE_CORE_PREFETCH_H
#define VXE_ENGINE_CORE_PREFETCH_H

#include <stdint.h>

#include "engine/core/arrays.h"

/* Bytes of a block: what is fetched beside one vector of bonds. */
#define VXE_PREFETCH_BLOCK 512u
#define VXE_CACHE_LINE 64u
#define VXE_MAX_PREFETCH_ARRAYS 64u

/* The arrays that a pass over the whole body reads, as the addresses of what is fetched while
   the chunk that begins at slot 0 is computed. */
_Static_assert(VXE_PREFETCH_BLOCK % VXE_CACHE_LINE == 0, "blocks are whole cache lines");

typedef struct vxe_prefetch_arrays {
    uintptr_t first[VXE_MAX_PREFETCH_ARRAYS]; /* (count) first those that bonds read, by their upper
                                                 voxels */
    uint32_t upper_count;
    uint32_t count;      /* 0 where bodies stay in a cache */
    uint32_t blocks_log; /* an array has 2^blocks_log blocks in a chunk */
} vxe_prefetch_arrays;

/* Progress of the prefetch; one for each thread. */
typedef struct vxe_prefetch {
    const uintptr_t *first; /* addresses of the arrays */
    uint32_t block;         /* index of the next block to fetch */
    uint32_t end;
    uint32_t blocks_log; /* as in vxe_prefetch_arrays */
    uintptr_t offset;    /* bytes: of the current chunk */
} vxe_prefetch;

/* Address of the next block; 0 if none is left. */
static inline uintptr_t vxe_prefetch_next(vxe_prefetch *prefetch)
{
    if (prefetch->block >= prefetch->end) {
        return 0;
    }
    const uint32_t array = prefetch->block >> prefetch->blocks_log;
    const uint32_t part = prefetch->block & ((1u << prefetch->blocks_log) - 1);
    prefetch->block++;
    return prefetch->first[array] + prefetch->offset + (uintptr_t)part * VXE_PREFETCH_BLOCK;
}

/* Fetches one block; called beside each vector of bonds. prefetch may be null. */
static inline void vxe_prefetch_issue(vxe_prefetch *prefetch)
{
    const uintptr_t block = prefetch ? vxe_prefetch_next(prefetch) : 0;
    for (uintptr_t line = 0; block && line < VXE_PREFETCH_BLOCK; line += VXE_CACHE_LINE) {
        __builtin_prefetch((const void *)(block + line), 0, 1); /* 1: into the second-level cache
                                                                   only */
    }
}

#endif
