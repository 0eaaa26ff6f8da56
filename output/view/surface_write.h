/* SPDX-License-Identifier: MIT */
/* Writes the deformed surface of one frame as a mesh: .obj (materials in a .mtl beside it) or
   binary .stl. Metres, z up. */
#ifndef VXE_OUTPUT_VIEW_SURFACE_WRITE_H
#define VXE_OUTPUT_VIEW_SURFACE_WRITE_H

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* True where the name ends in .obj or .stl. */
VXE_API bool vxe_shape_is_one(const char *path);

/* Writes the surface. Files appear whole or not at all. */
VXE_API vxe_status vxe_shape_write(const vxe_design *design, const vxe_frame *frame,
                                   const char *path, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
