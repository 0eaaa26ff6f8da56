/* SPDX-License-Identifier: MIT */
/* What a state under the law of the Voxelyze family holds beside the voxels. */
#ifndef VXE_ENGINE_CORE_VOXELYZE_STATE_H
#define VXE_ENGINE_CORE_VOXELYZE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/hash_internal.h"

/* History of a bond: its numbers from the last step. */
enum {
    VXE_VOXELYZE_LARGE,    /* 1 in the large-angle mode of the bond law */
    VXE_VOXELYZE_PLACE,    /* 3, m: position of the upper voxel, less the length along x */
    VXE_VOXELYZE_TILT = 4, /* 2, rad: angles of the lower voxel to the chord, about y and z */
    VXE_VOXELYZE_TURN = 6, /* 3, rad: angles of the upper voxel */
    VXE_VOXELYZE_MEMORY = 9
};

/* What such a state holds beside the voxels. */
typedef struct vxe_voxelyze_memory {
    double *bonds[3]; /* (vectors, VXE_VOXELYZE_MEMORY, width) history of bonds */
    uint64_t lanes[3];
    double *edge_growth; /* (S) m: edge growth; only of the step as a whole */
    uint32_t slots;      /* S, or 0 */
    uint32_t *pairs;     /* (pair_capacity, 2) indices in the surface's list of voxels that may
                            touch */
    uint64_t pair_count, pair_capacity;
    double moved; /* m: sum over steps of the largest displacement of a voxel since the pairs
                     were listed */
    bool listed;
    bool full; /* the capacity does not hold all pairs: the run fails */
} vxe_voxelyze_memory;

typedef struct vxe_voxelyze_size {
    bool needed;
    uint32_t slots;
    uint64_t lanes[3]; /* lanes of the vectors of each axis */
    uint64_t pairs;
} vxe_voxelyze_size;

/* Null without memory. */
vxe_voxelyze_memory *vxe_voxelyze_memory_take(const vxe_voxelyze_size *size);
void vxe_voxelyze_memory_release(vxe_voxelyze_memory *memory);
void vxe_voxelyze_memory_copy(vxe_voxelyze_memory *to, const vxe_voxelyze_memory *from);

/* Bytes of the history of the bonds along an axis. */
uint64_t vxe_voxelyze_bond_bytes(const vxe_voxelyze_memory *memory, int axis);
void vxe_voxelyze_memory_hash(const vxe_voxelyze_memory *memory, vxe_hash *hash);

#endif
