/* SPDX-License-Identifier: MIT */
/* Order of work of the single-body solver: chunks of slots, and for each axis the bond vectors
   of each chunk. */
#ifndef VXE_ENGINE_CORE_CHUNKS_H
#define VXE_ENGINE_CORE_CHUNKS_H

#include "common/status.h"
#include "engine/core/arrays.h"
#include "lattice/topology_internal.h"

typedef struct vxe_chunks {
    uint32_t chunk_count;
    uint32_t chunk_slots;      /* of every chunk but the last, which may have fewer */
    uint32_t *chunk_first;     /* (chunk_count + 1) first slot */
    uint32_t *vector_first[3]; /* (3, chunk_count + 1) first bond vector of each axis */
    uint8_t *in_blocks; /* (chunk_count) one bit for each axis whose vectors begin at blocks of
                           16 slots counted from the chunk's first, one vector for each block;
                           only in scans of z, y, x, where bonds in x reach to the next slot */
} vxe_chunks;

/* Cuts the body into chunks and arranges its bonds in vectors; the caller fills in their rows. */
vxe_status vxe_chunks_init(vxe_chunks *chunks, vxe_bond_vectors bonds[3],
                           const vxe_topology *topology, vxe_error *error);
/* Number of vectors of a body of at most VXE_CHUNK_SLOTS voxels. */
uint32_t vxe_chunks_vectors(const vxe_topology *topology);

/* Whether the body has the chunks of large bodies, which are read from memory in every pass. */
static inline bool vxe_chunks_are_large(const vxe_chunks *chunks)
{
    return chunks->chunk_slots > VXE_CHUNK_SLOTS;
}

void vxe_chunks_clear(vxe_chunks *chunks);
void vxe_bond_vectors_clear(vxe_bond_vectors bonds[3]);

#endif
