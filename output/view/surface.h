/* SPDX-License-Identifier: MIT */
/* The deformed surface of a world as quadrilaterals with corners in float, for programs that draw
   it themselves. */
#ifndef VXE_OUTPUT_VIEW_SURFACE_H
#define VXE_OUTPUT_VIEW_SURFACE_H

#include <stdint.h>

#include "common/status.h"
#include "engine/world.h"
#include "lattice/design.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_surface vxe_surface;

/* Makes the surface of a design: the faces of voxels that no bond covers, and those of affine
   bodies. The design may be destroyed afterwards. Returns null, and fills error, without memory. */
VXE_API vxe_surface *vxe_surface_create(const vxe_design *design, vxe_error *error);
VXE_API void vxe_surface_destroy(vxe_surface *surface);

/* The number of quadrilaterals. A triangle is one whose last two corners are equal. */
VXE_API uint32_t vxe_surface_quads(const vxe_surface *surface);

/* (quads) the voxel of each, in design order; affine bodies are counted behind the voxels. Lives
   as long as the surface. */
VXE_API const uint32_t *vxe_surface_voxels(const vxe_surface *surface);

/* Computes the corners (quads, 4, 3) m in design coordinates, counter-clockwise from outside, in
   the present state of a world of the same design. A corner is the mean of the corners of the
   voxels that are bonded around it. */
VXE_API void vxe_surface_place(vxe_surface *surface, const vxe_world *world, float *corners);

#ifdef __cplusplus
}
#endif

#endif
