/* SPDX-License-Identifier: MIT */
/* What the readers and the writer of EvoGym's files have in common: types of cells, and a world of
   cells that becomes a design. */
#ifndef VXE_LATTICE_FORMATS_OTHERS_EVOGYM_INTERNAL_H
#define VXE_LATTICE_FORMATS_OTHERS_EVOGYM_INTERNAL_H

#include "lattice/design.h"

/* Maximum of cells along a side of a grid, and in all. */
#define VXE_EVOGYM_MAX_SIDE 65536
#define VXE_EVOGYM_MAX_CELLS (1 << 24)

/* Types of cells; the material of a type is its number minus one. */
enum {
    VXE_EVOGYM_RIGID = 1,
    VXE_EVOGYM_SOFT,
    VXE_EVOGYM_HORIZONTAL,
    VXE_EVOGYM_VERTICAL,
    VXE_EVOGYM_FIXED,
    VXE_EVOGYM_TYPES
};

/* Names of those materials. */
extern const char *const vxe_evogym_types[VXE_EVOGYM_TYPES];

/* A world while it is read. Cell (x, z) has the number x + width z and is voxel (x, 0, z). */
typedef struct vxe_evogym_world {
    vxe_design *design;
    int32_t width, height; /* cells along x and z: height holds the highest row of an object */
    uint32_t *voxel_at;    /* (width * height) voxel in each cell, or VXE_NONE */
    uint8_t *joined;       /* (width * height) of each cell: 1 with the next along x, 2 along z */
    uint32_t *part;        /* (voxels read) union-find: voxels that are bonded to each other */
    uint64_t part_capacity;
    uint64_t bytes;    /* of the file */
    uint32_t unbonded; /* pairs of voxels side by side in a part that the file does not bond */
} vxe_evogym_world;

/* Checks and stores the size of the grid; messages name the two numbers. */
vxe_status vxe_evogym_size(vxe_evogym_world *world, const char *const names[2],
                           const double size[2], vxe_error *error);

/* Begins with an empty grid: adds the materials of the types to the design. */
vxe_status vxe_evogym_begin(vxe_evogym_world *world, vxe_error *error);

/* Adds a voxel of a type in an empty cell. */
vxe_status vxe_evogym_add(vxe_evogym_world *world, int32_t cell, int32_t type, vxe_error *error);

/* Ends the cells of an object, whose voxels are those from first on. They are not joined yet. */
vxe_status vxe_evogym_end_cells(vxe_evogym_world *world, uint32_t first, vxe_error *error);

/* Joins two cells of an object, the first of which has a voxel. Returns null, or what is wrong with
   the second cell. */
const char *vxe_evogym_join(vxe_evogym_world *world, int32_t cell, int32_t other, uint32_t first);

/* Joins all cells of an object that are side by side. */
void vxe_evogym_join_all(vxe_evogym_world *world, uint32_t first);

/* Counts pairs of an object that are side by side in a part, but were not joined; they are bonded
   all the same. */
void vxe_evogym_count_unbonded(vxe_evogym_world *world, uint32_t first);

/* Adds the layers of parts and actuators, the boundary conditions and the notes; order says in
   which order actuators are numbered. */
vxe_status vxe_evogym_finish(vxe_evogym_world *world, const char *order, vxe_error *error);

/* Releases all but the design. */
void vxe_evogym_clear(vxe_evogym_world *world);

#endif
