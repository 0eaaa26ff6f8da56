/* SPDX-License-Identifier: MIT */
/* The interface of floor/: the numbers of a floor that is not level, about a body's origin, and
   the loops over voxels on such a floor. The laws are in floor_law.h (level), friction_law.h and
   terrain_law.h (not level). */
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
    VXE_TERRAIN_BEGIN,     /* index of this floor's first point in the array of points */
    VXE_TERRAIN_CENTER_X,  /* m */
    VXE_TERRAIN_CENTER_Y,
    VXE_TERRAIN_DEEPEST, /* m: depth below which there is no floor; infinite where it has no end */
    VXE_TERRAIN_RADIUS2, /* m^2 */
    VXE_TERRAIN_NUMBERS
};

/* Numbers of a point of the heightfield. */
#define VXE_TERRAIN_POINT 3

typedef struct vxe_terrain {
    double number[VXE_TERRAIN_NUMBERS];
    double *points;  /* (rows, columns, VXE_TERRAIN_POINT): height above the plane (m); lift, the
                        height of a voxel's centre above the floor in half edges; weight, the
                        cosine of the slope */
    uint64_t count;  /* rows times columns */
    double top;      /* m about the origin: above it no voxel of size zero touches; infinite on a
                        slope */
    double max_lift; /* the largest lift */
    double stiffer;  /* bound on what the slopes add to a level floor's eigenvalues, in k/m of a
                        voxel */
} vxe_terrain;

#ifdef VXE_VARIANT_NAME
/* Loops over slots [first, first + count), in this instruction set and precision. Those of a level
   floor first. */

/* Whether a voxel may touch the floor in a step of h seconds, or is stuck to it. */
bool VXE_VARIANT(vxe_level_touches)(const vxe_kernel_arrays *arrays, uint32_t first,
                                    ptrdiff_t count, vxe_real h);

/* Adds the floor's mean force in the step to that of all others along z (sum); stores impulse and
   velocity for what comes behind. iterated: damping iterations follow, before which friction acts
   in the kick as well (friction_law.h); its impulse is stored, and the caller adds it to the forces
   along x and y. */
void VXE_VARIANT(vxe_level_push)(const vxe_kernel_arrays *arrays, vxe_real *restrict sum,
                                 uint32_t first, ptrdiff_t count, vxe_real h, bool iterated);

/* With damping iterations: voxels that hold are at rest. */
void VXE_VARIANT(vxe_level_hold)(const vxe_kernel_arrays *arrays, uint32_t first, ptrdiff_t count);

/* What the floor's mean force is more than what vxe_level_push took of it; behind damping
   iterations. */
void VXE_VARIANT(vxe_level_behind)(const vxe_kernel_arrays *arrays, uint32_t first, ptrdiff_t count,
                                   vxe_real h);

/* iterated: some of it has acted in the kick. */
void VXE_VARIANT(vxe_level_friction)(const vxe_kernel_arrays *arrays, uint32_t first,
                                     ptrdiff_t count, bool iterated);

/* Adds the floor's mean force in the step to that of all others; stores depth, normal, impulse and
   velocity for what comes behind. iterated: friction acts in the kick as well (friction_law.h), for
   damping iterations. Returns whether a voxel may touch in this step or is stuck; where none does,
   nothing else is written. */
bool VXE_VARIANT(vxe_terrain_push)(const vxe_kernel_arrays *arrays, vxe_real *const sums[6],
                                   uint32_t first, ptrdiff_t count, vxe_real h, bool iterated);

/* With damping iterations: voxels that hold do not move along the floor. */
void VXE_VARIANT(vxe_terrain_hold)(const vxe_kernel_arrays *arrays, uint32_t first,
                                   ptrdiff_t count);

/* The floor behind damping iterations, after vxe_terrain_push has returned true in this step. */
void VXE_VARIANT(vxe_terrain_behind)(const vxe_kernel_arrays *arrays, uint32_t first,
                                     ptrdiff_t count, vxe_real h);

/* Friction of the floor, after vxe_terrain_push has returned true in this step. */
void VXE_VARIANT(vxe_terrain_friction)(const vxe_kernel_arrays *arrays, uint32_t first,
                                       ptrdiff_t count, bool iterated);

/* What the floor takes where it bends on the way of this step of h seconds, after friction. */
void VXE_VARIANT(vxe_terrain_bend)(const vxe_kernel_arrays *arrays, uint32_t first, ptrdiff_t count,
                                   double h);

#endif

#endif
