/* SPDX-License-Identifier: MIT */
/* Measuring designs of one body, be it of voxels or affine, in the same way. */
#ifndef VXE_ENGINE_WORLD_SURROGATE_EXPERIMENTS_H
#define VXE_ENGINE_WORLD_SURROGATE_EXPERIMENTS_H

#include "engine/surrogate.h"
#include "engine/world.h"

/* Centre (m), mass (kg) and Euler tensor about the centre (kg m^2) of voxels as they are made. */
typedef struct vxe_bulk {
    double center[3], mass, euler[9];
    double low;    /* m: bottom */
    double height; /* m */
    double speed;  /* m/s: of sound, of the mean modulus and density */
} vxe_bulk;

vxe_bulk vxe_bulk_of(const vxe_design *design);

/* m: how high a box stands that is deformed so. */
double vxe_box_height(const vxe_affine_body *body, const double deformation[9]);

/* What of a design is measured, one after the other; into (1/s, s or m) is NaN where there is
   nothing to measure. All copy the design. bulk: of the lattice, also for the body in its stead. */
vxe_status vxe_measure_breathing(const vxe_design *design, const vxe_bulk *bulk,
                                 vxe_surrogate_motion *into, vxe_error *error);
vxe_status vxe_measure_sag(const vxe_design *design, const vxe_bulk *bulk,
                           vxe_surrogate_motion *into, vxe_error *error);
vxe_status vxe_measure_drop(const vxe_design *design, const vxe_bulk *bulk,
                            vxe_surrogate_motion *into, vxe_error *error);

#endif
