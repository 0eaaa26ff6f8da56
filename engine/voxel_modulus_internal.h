/* SPDX-License-Identifier: MIT */
/* Young's modulus of every voxel: its material's, or its own where the design has the layer
   Stiffness (Pa). */
#ifndef VXE_ENGINE_VOXEL_MODULUS_INTERNAL_H
#define VXE_ENGINE_VOXEL_MODULUS_INTERNAL_H

#include "lattice/design.h"

typedef struct vxe_moduli {
    const vxe_design *design;
    const double *layer; /* (voxel_count) Pa, or null */
} vxe_moduli;

static inline vxe_moduli vxe_moduli_of(const vxe_design *design)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "Stiffness");
    return (vxe_moduli){design, layer ? layer->values : NULL};
}

/* voxel: in design order. */
static inline double vxe_voxel_modulus(const vxe_moduli *moduli, uint32_t voxel)
{
    return moduli->layer
               ? moduli->layer[voxel]
               : moduli->design->materials[moduli->design->voxels[voxel].material].youngs_modulus;
}

#endif
