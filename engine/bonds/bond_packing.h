/* SPDX-License-Identifier: MIT */
/* Packed bonds: the bonds of a body with gaps, in full vectors (arrays.h). */
#ifndef VXE_ENGINE_BONDS_BOND_PACKING_H
#define VXE_ENGINE_BONDS_BOND_PACKING_H

#include "engine/core/chunks.h"
#include "lattice/topology_internal.h"

/* A packed vector takes about as long as 1.3 vectors of consecutive slots, as measured on
   sparse_10. Of 1.2, 1.3 and 1.4 this served best, also for the published robots of the Voxelyze
   family. */
#define VXE_PACKED_COST 1.3

/* How bonds are packed, and when. */
typedef struct vxe_packing {
    uint32_t width; /* lanes of a vector */
    double max;     /* vectors: packing does not pay with this many or more */
} vxe_packing;

/* Packs the bonds of an axis; their rows are left to the caller. Packs none where that does not
   pay, in bodies of fewer voxels than a window has, and in those of large chunks. */
vxe_status vxe_packed_init(vxe_packed_bonds *packed, const vxe_chunks *layout,
                           const vxe_topology *topology, int axis, const vxe_packing *packing,
                           vxe_error *error);
void vxe_packed_clear(vxe_packed_bonds *packed);

#endif
