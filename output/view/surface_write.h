/* SPDX-License-Identifier: MIT */
/* The deformed surface of a moment as a mesh: .obj (with materials in a .mtl beside it) or .stl
   (binary). Metres, z up. */
#ifndef VXE_OUTPUT_VIEW_SURFACE_WRITE_H
#define VXE_OUTPUT_VIEW_SURFACE_WRITE_H

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a name ends as those of shapes do. */
VXE_API bool vxe_shape_is_one(const char *path);

/* The files appear whole or not at all. */
VXE_API vxe_status vxe_shape_write(const vxe_design *design, const vxe_frame *frame,
                                   const char *path, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
