/* SPDX-License-Identifier: MIT */
/* Reads and writes design files. The format follows from the ending of the name: .vxa and .vxc are
   VoxCAD's XML in all its dialects; .vxd is an overlay of base.vxa in its folder (voxcraft); .json
   is our scene, Voxelyze's VXL or an EvoGym world; .vox is MagicaVoxel's; .npy and .npz are
   bodies of EvoGym (docs/formats.md). */
#ifndef VXE_LATTICE_FORMATS_FORMAT_H
#define VXE_LATTICE_FORMATS_FORMAT_H

#include <stdbool.h>

#include "lattice/design.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the ending of a name is that of a format that can be read. */
VXE_API bool vxe_design_is_readable(const char *path);

/* Reads a design; null, and error filled (file, line and column if known), on failure. What was
   ignored in the file is in the notes of the design. How much is made of a file is bounded
   (lattice/formats/limits.h). */
VXE_API vxe_design *vxe_design_read(const char *path, vxe_error *error);

/* Reads a design from the text of a .vxa or .vxc file, which begins with a tag, or else of a .json
   file of any format, in memory; messages name it by name. */
VXE_API vxe_design *vxe_design_read_text(const char *text, uint64_t size, const char *name,
                                         vxe_error *error);

/* The text of a design as a scene, which vxe_design_read_text reads: all of it to the last bit.
   Ends with a zero byte, which *size (may be null) does not count; vxe_memory_release takes it.
   Null, and error filled, where the design is none that vxe_design_write accepts. */
VXE_API char *vxe_design_text(const vxe_design *design, uint64_t *size, vxe_error *error);

/* Reads a design from the bytes of a file of any format in memory, by the ending of its name (a
   .vxd needs a file); messages name it by name. */
VXE_API vxe_design *vxe_design_read_bytes(const void *bytes, uint64_t size, const char *name,
                                          vxe_error *error);

/* As vxe_design_read, but voxels of a .vxa, .vxc or .vxd whose material is not in the palette are
 * left out with a note, since other simulators give them no mass and no stiffness. */
VXE_API vxe_design *vxe_design_read_leniently(const char *path, vxe_error *error);

/* Reads a .vxd over a base of any name; lenient: as vxe_design_read_leniently. */
VXE_API vxe_design *vxe_design_read_over(const char *base, const char *path, bool lenient,
                                         vxe_error *error);

/* Replaces materials of a design by those of the same name in a file: a .json with an object that
   has `materials` as a scene has. Colours that the file does not give are kept. Fails if the design
   has no material of a name in the file. */
VXE_API vxe_status vxe_design_read_materials(vxe_design *design, const char *path,
                                             vxe_error *error);

/* A value of a scene, by its key. */
typedef struct vxe_setting {
    const char *key; /* keys and places in lists with a dot between them (docs/scene-reference.md):
                        gravity_m_per_s2, floor.slope.0, materials.soft.youngs_modulus_Pa; an item
                        of a list by its number from 0, by its name, or * for all */
    const char *value; /* as JSON has it: 0.5, [0, 0, -3.7], true; a text may be without quotes;
                          null: as if the scene did not have the key */
} vxe_setting;

/* Changes values of a design, all at once: it becomes what its scene with these values would be
   read as. A number for a layer, or as many as a voxel has, stand for all voxels. A key that scenes
   do not have is an error (VXE_ERROR_INPUT), as is what a file would be refused for; the design
   then stays as it is. Where settings overlap, the last one counts. Notes stay, and the name unless
   it is set. */
VXE_API vxe_status vxe_design_set(vxe_design *design, const vxe_setting *settings, uint32_t count,
                                  vxe_error *error);

/* Gives groups of voxels (layer Group) schedules from a file of actions, factors on their edges
   from 0.1 to 10, row by row: .npy, an array of numpy (rows, groups), or else text with commas
   between numbers, in which lines that are empty or begin with # do not count. Columns are the
   groups from 1 on; a design without groups has one, of all voxels. A first line of names says
   otherwise: t (s, increasing) and numbers of groups. Without t row k, from 0, is reached (k + 1)
   intervals (s) after the start, at which all are 1. Actions change linearly between rows, and stay
   as the last row has them. Schedules of these groups that the design has are replaced. *end: s,
   when the last row is reached. VXE_ERROR_INPUT, with line and column in a text, for what is wrong
   in the file; some groups may have their schedules then. */
VXE_API vxe_status vxe_design_read_actions(vxe_design *design, const char *path, double interval,
                                           double *end, vxe_error *error);

/* Gives the groups from 1 on (or all voxels, where there are no groups) schedules that swing as 1 +
   amplitude sin(2 pi (t/period - part)), in which part goes from 0 to 1 over the groups: a wave
   that runs along them. For duration (s); in the first quarter of a period it grows from nothing.
 */
VXE_API vxe_status vxe_design_swing(vxe_design *design, double period, double amplitude,
                                    double duration, vxe_error *error);

/* Writes a design. A scene (.json) has all of it to the last bit. A VXA (.vxa, which VoxCAD,
   evosoro and voxcraft read; .vxc: the body only), a VXL (.vxl.json, Voxelyze), an EvoGym world
   (.evogym.json) and a model of MagicaVoxel (.vox) leave out what these formats cannot express;
   vxe_design_differences with what is read back lists it. VXE_ERROR_UNSUPPORTED if a format cannot
   express the voxels themselves. A file is written completely or not at all. */
VXE_API vxe_status vxe_design_write(const vxe_design *design, const char *path, vxe_error *error);

/* The bytes of the file that vxe_design_write would write under a name: *size of them, and a zero
   byte. vxe_memory_release takes them. Null, and error filled, on failure. */
VXE_API vxe_status vxe_design_write_bytes(const vxe_design *design, const char *name, char **bytes,
                                          uint64_t *size, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
