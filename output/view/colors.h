/* SPDX-License-Identifier: MIT */
/* Colours of voxels and bodies in pictures, the same as on replay pages. */
#ifndef VXE_OUTPUT_VIEW_COLORS_H
#define VXE_OUTPUT_VIEW_COLORS_H

#include "output/picture/projection.h"

/* Returns the strain of largest magnitude along the voxel's axes, with its sign. */
double vxe_largest_strain(const vxe_frame *frame, uint32_t voxel);

/* Returns the phase offset of a voxel's actuation in cycles, 0 to 1: that of its material plus that
   of its layer PhaseOffset. */
double vxe_phase_of(const vxe_design *design, uint32_t voxel);

/* Returns the colours in which the materials of a design are shown, (material_count, 3), 0 to 1:
   their own, and for each one without (the default of vxe_material_default) another of a fixed
   list. The caller frees them with vxe_memory_release. Fails without memory; *colors is then null.
 */
vxe_status vxe_material_colors(const vxe_design *design, float **colors, vxe_error *error);

/* Colour of an affine body. */
const float *vxe_body_color(uint32_t body);

/* Colour of a part, 0 to 1, of the scale of a colouring other than by material: from its lowest to
   its highest value. */
void vxe_scale_color(vxe_coloring coloring, double part, float color[3]);

/* Colour of what has no value on a scale. */
extern const float vxe_idle_color[3];

/* Colour of a voxel, or of an affine body: voxel is counted as in vxe_quad. */
void vxe_color_of(const vxe_design *design, const vxe_frame *frame, const vxe_view *view,
                  vxe_coloring coloring, uint32_t voxel, float color[3]);

#endif
