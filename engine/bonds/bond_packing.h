/* SPDX-License-Identifier: MIT */
/* Bonds of a body with gaps, woven into full vectors (arrays.h). */
#ifndef VXE_ENGINE_BONDS_BOND_PACKING_H
#define VXE_ENGINE_BONDS_BOND_PACKING_H

#include "engine/core/chunks.h"
#include "lattice/topology_internal.h"

/* A woven vector takes about as long as so many whose voxels stand in rows: 1.3 on sparse_10. Of
 * 1.2, 1.3 and 1.4 this served best, also the published robots of the peers. */
#define VXE_PACKED_COST 1.3

/* How bonds are woven, and when. */
typedef struct vxe_packing {
    uint32_t width; /* lanes of a vector */
    double max;     /* vectors: where there are as many it does not pay */
} vxe_packing;

/* Weaves the bonds of an axis, but for their rows. Leaves them out where that does not pay, in
 * bodies of fewer voxels than a window has, and in those of large chunks. */
vxe_status vxe_packed_init(vxe_packed_bonds *packed, const vxe_chunks *layout,
                           const vxe_topology *topology, int axis, const vxe_packing *packing,
                           vxe_error *error);
void vxe_packed_clear(vxe_packed_bonds *packed);

#endif
