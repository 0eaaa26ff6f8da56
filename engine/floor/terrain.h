/* SPDX-License-Identifier: MIT */
/* The numbers of a floor that is not simply level, about a body's origin. */
#ifndef VXE_ENGINE_FLOOR_TERRAIN_H
#define VXE_ENGINE_FLOOR_TERRAIN_H

#include <stdint.h>

enum {
    VXE_GROUND_LEVEL,   /* m: the plane's z at the origin's x and y */
    VXE_GROUND_SLOPE_X, /* rise over run */
    VXE_GROUND_SLOPE_Y,
    VXE_GROUND_FIRST_X, /* m: the first point */
    VXE_GROUND_FIRST_Y,
    VXE_GROUND_PER_POINT, /* 1/m */
    VXE_GROUND_LAST_X,    /* columns less one */
    VXE_GROUND_LAST_Y,    /* rows less one */
    VXE_GROUND_BEGIN,     /* points ahead of the first */
    VXE_GROUND_CENTER_X,  /* m */
    VXE_GROUND_CENTER_Y,
    VXE_GROUND_DEEPEST, /* m: deeper there is no floor; infinite where it has no end */
    VXE_GROUND_RADIUS2, /* m^2 */
    VXE_GROUND_NUMBERS
};

/* Numbers of a point. */
#define VXE_GROUND_POINT 3

typedef struct vxe_terrain {
    double number[VXE_GROUND_NUMBERS];
    double *points;  /* (rows, columns, VXE_GROUND_POINT): height above the plane (m), lift, by how
                        much of its half edge a voxel's centre lies above the floor there, and
                        weight,   the cosine of the slope */
    uint64_t count;  /* rows times columns */
    double top;      /* m about the origin: no voxel of size zero touches above; infinite on a
                        slope */
    double max_lift; /* the largest lift */
    double stiffer;  /* bound of what it adds to a level floor's eigenvalues, in k/m of a voxel */
} vxe_terrain;

#endif
