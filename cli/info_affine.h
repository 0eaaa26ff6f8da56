/* SPDX-License-Identifier: MIT */
/* What is said of affine bodies. */
#ifndef VXE_CLI_INFO_AFFINE_H
#define VXE_CLI_INFO_AFFINE_H

#include <voxelastic/voxelastic.h>

/* Bodies, walls and what is observed of a design. */
void print_affine(const vxe_design *design, const vxe_world *world);

/* What observations tell at the end of a run. */
void print_observations(const vxe_world *world);

#endif
