/* SPDX-License-Identifier: MIT */
/* Prints affine bodies, walls and observations of a design, for info and run. */
#ifndef VXE_CLI_INFO_AFFINE_H
#define VXE_CLI_INFO_AFFINE_H

#include <voxelastic/voxelastic.h>

/* Prints affine bodies, walls and observations as the design has them. */
void print_affine(const vxe_design *design, const vxe_world *world);

/* Prints the values of observations at the end of a run. */
void print_observations(const vxe_world *world);

#endif
