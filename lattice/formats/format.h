/* SPDX-License-Identifier: MIT */
/* Design files. The format follows from the name: .vxa and .vxc are VoxCAD's XML in all its
   dialects, .vxd is laid over base.vxa in its folder (voxcraft), .json is our scene, Voxelyze's
   VXL or an EvoGym world, .vox is MagicaVoxel's (docs/formats.md). */
#ifndef VXE_LATTICE_FORMATS_FORMAT_H
#define VXE_LATTICE_FORMATS_FORMAT_H

#include <stdbool.h>

#include "lattice/design.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the name of a file ends as those of designs that are read do. */
VXE_API bool vxe_design_is_readable(const char *path);

/* Reads a design; null and error (file, line and column where they exist) on failure. What the file
   says and we ignore is in the design's notes. Files up to 512 MiB, boxes up to 2^28 cells. */
VXE_API vxe_design *vxe_design_read(const char *path, vxe_error *error);

/* A design from the text of a .json file of any kind, in memory; name stands for the file in
   messages. */
VXE_API vxe_design *vxe_design_read_text(const char *text, uint64_t size, const char *name,
                                         vxe_error *error);

/* As vxe_design_read, but voxels of a .vxa, .vxc or .vxd whose material the palette lacks are left
 * out, which a note says: the field's simulators give them neither mass nor stiffness. */
VXE_API vxe_design *vxe_design_read_leniently(const char *path, vxe_error *error);

/* Reads a .vxd over a base of another name; leniently, as above, or not. */
VXE_API vxe_design *vxe_design_read_over(const char *base, const char *path, bool lenient,
                                         vxe_error *error);

/* Replaces the materials of a design that have the name of one in a file: .json, an object whose
   `materials` are as a scene's. Colours stay where the file gives none. Fails where a name of the
   file is not in the design. */
VXE_API vxe_status vxe_design_read_materials(vxe_design *design, const char *path,
                                             vxe_error *error);

/* Writes a design. A scene (.json) carries all of it to the last bit. A VXA (.vxa, which VoxCAD,
   evosoro and voxcraft read; .vxc: the body alone), a VXL (.vxl.json, Voxelyze), an EvoGym world
   (.evogym.json) and a model of MagicaVoxel (.vox) leave out what they can not say;
   vxe_design_differences with what is read back tells. VXE_ERROR_UNSUPPORTED where the body itself
   can not be said. The file appears whole or not at all. */
VXE_API vxe_status vxe_design_write(const vxe_design *design, const char *path, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
