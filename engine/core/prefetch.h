/* SPDX-License-Identifier: MIT */
/* What the pass over a chunk will read, fetched from memory while the bonds of the chunk before are
   computed: a few lines of the cache beside each vector of bonds. A body that comes from memory is
   some twenty arrays read side by side; the machine follows each of them by itself, but begins anew
   at every page, and waits. All at once they would wait too, for want of places to wait in.

   Measured with bond_throughput, with some 50 KB to fetch for a chunk: on cube_64 a step of one
   damping sweep takes a fifth less time, and explicit ones, four of which are in flight
   (wavefront.c), a seventh less; on cube_100 they take a seventh and a quarter less. With pieces
   of half as many bytes not all is fetched in time, and with twice as many they hinder each other.
   Bodies that stay in a cache gain nothing. */
#ifndef VXE_ENGINE_CORE_PREFETCH_H
#define VXE_ENGINE_CORE_PREFETCH_H

#include <stdint.h>

#include "engine/core/arrays.h"

/* Bytes of a piece: what is fetched beside one vector of bonds. */
#define VXE_PREFETCH_BLOCK 512u
#define VXE_CACHE_LINE 64u
#define VXE_MAX_PREFETCH_ARRAYS 64u

/* The arrays that a pass over the whole body reads, as addresses: of what is fetched beside the
   chunk that begins at slot 0. */
typedef struct vxe_prefetch_arrays {
    uintptr_t
        first[VXE_MAX_PREFETCH_ARRAYS]; /* (count) those of bonds first: by their upper voxels */
    uint32_t upper_count;
    uint32_t count;      /* 0 where bodies stay in a cache */
    uint32_t blocks_log; /* 2^blocks_log pieces are a stream in a chunk */
} vxe_prefetch_arrays;

/* Where fetching is; one for each thread. */
typedef struct vxe_prefetch {
    const uintptr_t *first; /* of the streams */
    uint32_t block;         /* the next one */
    uint32_t end;
    uint32_t blocks_log; /* of the streams */
    uintptr_t offset;    /* bytes, of the chunk in hand */
} vxe_prefetch;

/* Where the next piece begins; 0: there is none left. */
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

/* Fetches a piece, for what computes a vector of bonds. ahead may be null. */
static inline void vxe_prefetch_issue(vxe_prefetch *prefetch)
{
    const uintptr_t block = prefetch ? vxe_prefetch_next(prefetch) : 0;
    for (uintptr_t line = 0; block && line < VXE_PREFETCH_BLOCK; line += VXE_CACHE_LINE) {
        __builtin_prefetch((const void *)(block + line), 0, 1); /* 1: not into the nearest cache */
    }
}

#endif
