/* SPDX-License-Identifier: MIT */
/* The convex hull of points in space. */
#ifndef VXE_COMMON_HULL_INTERNAL_H
#define VXE_COMMON_HULL_INTERNAL_H

#include <stdint.h>

/* Volume of the convex hull of points (count, 3), within 1e-7 of the cube of their extent. It is 0
   for fewer than four points and NaN without memory. The same points give the same bits. */
double vxe_hull_volume(const double *points, uint32_t count);

#endif
