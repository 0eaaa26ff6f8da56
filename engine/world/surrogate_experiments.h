/* SPDX-License-Identifier: MIT */
/* Virtual experiments: breathing, sag and drop, measured in the same way on a design of voxels and
   on the affine body that stands for it, so that the two can be compared. */
#ifndef VXE_ENGINE_WORLD_SURROGATE_EXPERIMENTS_H
#define VXE_ENGINE_WORLD_SURROGATE_EXPERIMENTS_H

#include "engine/surrogate.h"
#include "engine/world.h"

/* Centre (m), mass (kg) and Euler tensor about the centre (kg m^2) of voxels at the start. */
typedef struct vxe_bulk {
    double center[3], mass, euler[9];
    double low;    /* m: height of the bottom */
    double height; /* m: from bottom to top */
    double speed;  /* m/s: of sound, by the mean modulus and density */
} vxe_bulk;

vxe_bulk vxe_bulk_of(const vxe_design *design);

/* m: height of a body's box under a deformation. */
double vxe_box_height(const vxe_affine_body *body, const double deformation[9]);

/* One experiment each, on a copy of the design. Results (Hz, damping ratio or m) go into `into`,
   NaN where there is nothing to measure. bulk: of the lattice, also for the body that stands for
   it. */
vxe_status vxe_measure_breathing(const vxe_design *design, const vxe_bulk *bulk,
                                 vxe_surrogate_motion *into, vxe_error *error);
vxe_status vxe_measure_sag(const vxe_design *design, const vxe_bulk *bulk,
                           vxe_surrogate_motion *into, vxe_error *error);
vxe_status vxe_measure_drop(const vxe_design *design, const vxe_bulk *bulk,
                            vxe_surrogate_motion *into, vxe_error *error);

#endif
