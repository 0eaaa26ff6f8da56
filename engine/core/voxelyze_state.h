/* SPDX-License-Identifier: MIT */
/* What a state under the law of the Voxelyze family holds beside the voxels. */
#ifndef VXE_ENGINE_CORE_VOXELYZE_STATE_H
#define VXE_ENGINE_CORE_VOXELYZE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/hash_internal.h"

/* What a bond remembers of the last step. */
enum {
    VXE_VOXELYZE_LARGE,    /* 1 in the law's large-angle mode */
    VXE_VOXELYZE_PLACE,    /* 3, m: of the upper voxel, less the length along x */
    VXE_VOXELYZE_TILT = 4, /* 2, rad: of the lower voxel to the chord, about y and z */
    VXE_VOXELYZE_TURN = 6, /* 3, rad: of the upper voxel */
    VXE_VOXELYZE_MEMORY = 9
};

/* What a state holds beside voxels. */
typedef struct vxe_voxelyze_memory {
    double *bonds[3]; /* (vectors, VXE_VOXELYZE_MEMORY, width) as in a view */
    uint64_t lanes[3];
    double *edge_growth; /* (S) m; of the whole step alone */
    uint32_t slots;      /* S, or 0 */
    uint32_t *pairs;     /* (pair_capacity, 2) places in the surface's list that may touch */
    uint64_t pair_count, pair_capacity;
    double moved; /* m: how far the fastest voxels have come since then, added up */
    bool listed;
    bool full; /* there is no room for all pairs: the run fails */
} vxe_voxelyze_memory;

typedef struct vxe_voxelyze_size {
    bool needed;
    uint32_t slots;
    uint64_t lanes[3]; /* of the vectors of each axis */
    uint64_t pairs;
} vxe_voxelyze_size;

/* Null without memory. */
vxe_voxelyze_memory *vxe_voxelyze_memory_take(const vxe_voxelyze_size *size);
void vxe_voxelyze_memory_release(vxe_voxelyze_memory *memory);
void vxe_voxelyze_memory_copy(vxe_voxelyze_memory *to, const vxe_voxelyze_memory *from);
void vxe_voxelyze_memory_hash(const vxe_voxelyze_memory *memory, vxe_hash *hash);

#endif
