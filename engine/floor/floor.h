/* SPDX-License-Identifier: MIT */
/* The door of floor/: the numbers of a floor that is not simply level, about a body's origin, and
   the loops of such a floor that the kernels of voxels call. The laws are in floor_law.h (level),
   friction_law.h and terrain_law.h (not level). */
#ifndef VXE_ENGINE_FLOOR_FLOOR_H
#define VXE_ENGINE_FLOOR_FLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/core/arrays.h"
#include "engine/core/real.h"

enum {
    VXE_TERRAIN_LEVEL,   /* m: the plane's z at the origin's x and y */
    VXE_TERRAIN_SLOPE_X, /* rise over run */
    VXE_TERRAIN_SLOPE_Y,
    VXE_TERRAIN_FIRST_X, /* m: the first point */
    VXE_TERRAIN_FIRST_Y,
    VXE_TERRAIN_PER_POINT, /* 1/m */
    VXE_TERRAIN_LAST_X,    /* columns less one */
    VXE_TERRAIN_LAST_Y,    /* rows less one */
    VXE_TERRAIN_BEGIN,     /* points ahead of the first */
    VXE_TERRAIN_CENTER_X,  /* m */
    VXE_TERRAIN_CENTER_Y,
    VXE_TERRAIN_DEEPEST, /* m: deeper there is no floor; infinite where it has no end */
    VXE_TERRAIN_RADIUS2, /* m^2 */
    VXE_TERRAIN_NUMBERS
};

/* Numbers of a point. */
#define VXE_TERRAIN_POINT 3

typedef struct vxe_terrain {
    double number[VXE_TERRAIN_NUMBERS];
    double *points;  /* (rows, columns, VXE_TERRAIN_POINT): height above the plane (m), lift, by how
                        much of its half edge a voxel's centre lies above the floor there, and
                        weight,   the cosine of the slope */
    uint64_t count;  /* rows times columns */
    double top;      /* m about the origin: no voxel of size zero touches above; infinite on a
                        slope */
    double max_lift; /* the largest lift */
    double stiffer;  /* bound of what it adds to a level floor's eigenvalues, in k/m of a voxel */
} vxe_terrain;

#ifdef VXE_VARIANT_NAME
/* Loops over slots [first, first + count), of the same instruction set and precision. */

/* Where the voxels are on the ground, and its push; remembers what friction needs. Returns whether
 * one touches or is stuck; where none does nothing else is written. */
bool VXE_VARIANT(vxe_terrain_push)(const vxe_kernel_arrays *arrays, vxe_reals *const sums[6],
                                   uint32_t first, ptrdiff_t count, vxe_real h,
                                   vxe_real dash_share);

/* Half a step of exact decay by the ground's dashpots, */
void VXE_VARIANT(vxe_terrain_decay)(const vxe_kernel_arrays *arrays, uint32_t first,
                                    ptrdiff_t count, double step);

/* and its friction, where that push was. */
void VXE_VARIANT(vxe_terrain_friction)(const vxe_kernel_arrays *arrays, uint32_t first,
                                       ptrdiff_t count);

#endif

#endif
