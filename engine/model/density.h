/* SPDX-License-Identifier: MIT */
/* Density of every voxel: that of its material, or its own where the design has the layer Density
   (kg/m^3). */
#ifndef VXE_ENGINE_MODEL_DENSITY_H
#define VXE_ENGINE_MODEL_DENSITY_H

#include "lattice/design.h"

typedef struct vxe_densities {
    const vxe_design *design;
    const double *layer; /* (voxel_count) kg/m^3, or null */
} vxe_densities;

static inline vxe_densities vxe_densities_of(const vxe_design *design)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "Density");
    return (vxe_densities){design, layer ? layer->values : NULL};
}

/* Density (kg/m^3) of a voxel, by its index in the design. */
static inline double vxe_voxel_density(const vxe_densities *densities, uint32_t voxel)
{
    const vxe_design *design = densities->design;
    return densities->layer ? densities->layer[voxel]
                            : design->materials[design->voxels[voxel].material].density;
}

#endif
