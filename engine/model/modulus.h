/* SPDX-License-Identifier: MIT */
/* Young's modulus of every voxel: that of its material, or its own where the design has the
   layer Stiffness (Pa). Where it changes in time: the largest, the first or the last one. */
#ifndef VXE_ENGINE_MODEL_MODULUS_H
#define VXE_ENGINE_MODEL_MODULUS_H

#include "engine/conventions.h"
#include "lattice/design.h"

typedef enum vxe_stiffness_stage {
    VXE_STIFFNESS_MAX,
    VXE_STIFFNESS_FIRST,
    VXE_STIFFNESS_LAST,
    VXE_STIFFNESS_STAGES
} vxe_stiffness_stage;

typedef struct vxe_moduli {
    const vxe_design *design;
    const double *layer; /* (voxel_count) Pa, or null */
    const double *last;  /* (voxel_count) Pa at the end; null where stiffness does not change */
    vxe_stiffness_stage stage;
} vxe_moduli;

static inline vxe_moduli vxe_moduli_of(const vxe_design *design)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "Stiffness");
    const vxe_layer *last = vxe_design_find_layer(design, "FinalStiffness");
    return (vxe_moduli){design, layer ? layer->values : NULL,
                        last && design->stiffening_count > 0 ? last->values : NULL,
                        VXE_STIFFNESS_MAX};
}

/* The moduli of bonds: without the layer where a compatibility preset does not apply it to
   bonds. */
static inline vxe_moduli vxe_bond_moduli_of(const vxe_design *design,
                                            const vxe_conventions *conventions)
{
    vxe_moduli moduli = vxe_moduli_of(design);
    if (conventions->law == VXE_LAW_EVOSORO && !conventions->layer_stiffens_bonds) {
        moduli.layer = NULL;
    }
    return moduli;
}

/* Modulus (Pa) of a voxel, by its index in the design. */
static inline double vxe_voxel_modulus(const vxe_moduli *moduli, uint32_t voxel)
{
    const vxe_design *design = moduli->design;
    const double first = moduli->layer
                             ? moduli->layer[voxel]
                             : design->materials[design->voxels[voxel].material].youngs_modulus;
    const double last = moduli->last ? moduli->last[voxel] : first;
    const double max = first > last ? first : last;
    return moduli->stage == VXE_STIFFNESS_FIRST  ? first
           : moduli->stage == VXE_STIFFNESS_LAST ? last
                                                 : max;
}

#endif
