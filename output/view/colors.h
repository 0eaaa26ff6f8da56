/* SPDX-License-Identifier: MIT */
/* Colours of voxels, as replay pages have them. */
#ifndef VXE_OUTPUT_VIEW_COLORS_H
#define VXE_OUTPUT_VIEW_COLORS_H

#include "output/view/projection.h"

/* The strain of largest size along a voxel's axes, with its sign. */
double vxe_largest_strain(const vxe_frame *frame, uint32_t voxel);

/* Phase offset of a voxel's actuation in cycles, 0 to 1: its material's and its own. */
double vxe_phase_of(const vxe_design *design, uint32_t voxel);

/* Of an affine body. */
const float *vxe_body_color(uint32_t body);

/* voxel: as vxe_quad has it. */
void vxe_color_of(const vxe_design *design, const vxe_frame *frame, const vxe_view *view,
                  vxe_coloring coloring, uint32_t voxel, float color[3]);

#endif
