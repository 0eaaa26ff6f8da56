/* SPDX-License-Identifier: MIT */
/* A floor that is not level: sloped, uneven or with an end (docs/physics.md, Uneven floors;
   derived there). Each function is one lane of a vector loop, shared by the single-body solver
   and robots in lanes.

   A voxel touches the floor as a ball of its edge's diameter. The ball's centre then lies on a
   surface of its own, H = h + r lift with lift = 1/n_z: exact above a plane, and continuous
   across the cells of a heightfield where lift is bilinear between the points, as h is. The
   contact has the potential U = k p^2/2, p = (H - z) weight, where weight is n_z at the points
   and bilinear between them, so that it is continuous too and energy is kept. The force is its
   gradient, k p g along the normal with g = |grad p|, which is 1 above a plane. The depth along
   the normal is p/g and the stiffness k g^2.

   Where the floor has an end, a voxel that crosses it loses the spring's energy.

   Computed in double, whatever the precision: a position has 48 bits in mixed precision, and a
   robot may be far from the first point. */
#ifndef VXE_ENGINE_FLOOR_TERRAIN_LAW_H
#define VXE_ENGINE_FLOOR_TERRAIN_LAW_H

#include <stddef.h>

#include "engine/core/vec.h"
#include "engine/floor/floor.h"
#include "engine/floor/floor_law.h"

/* Contact of a voxel with the floor. */
typedef struct vxe_touch {
    vxe_real depth;  /* m, along the normal */
    vxe_vec3 normal; /* up, of unit length */
    vxe_real gain;   /* factor on the floor's stiffness */
} vxe_touch;

/* A quantity that is bilinear in a cell, and its derivatives from point to point. */
typedef struct vxe_bilinear {
    double value, along_x, along_y;
} vxe_bilinear;

VXE_INLINE vxe_bilinear bilinear(double low_left, double low_right, double high_left,
                                 double high_right, double x, double y)
{
    const double low_way = low_right - low_left;
    const double high_way = high_right - high_left;
    const double low = low_left + x * low_way;
    const double across = (high_left + x * high_way) - low;
    return (vxe_bilinear){low + y * across, low_way + y * (high_way - low_way), across};
}

/* A coordinate in double (m), from its two parts in mixed precision. */
VXE_INLINE double terrain_place(vxe_real high, vxe_real low)
{
#ifdef VXE_MIXED
    return (double)high + (double)low;
#else
    (void)low;
    return high;
#endif
}

VXE_INLINE double terrain_place_whole(vxe_coordinate place)
{
#ifdef VXE_MIXED
    return terrain_place(place.high, place.low);
#else
    return place.high;
#endif
}

/* The cell of a coordinate in a row of points, 0 to last - 1, and the position in it from 0 to
   1. Outside the grid it is clamped to the edge. */
typedef struct vxe_cell {
    double index, part;
    double inside; /* 1, or 0 outside the grid */
} vxe_cell;

VXE_INLINE vxe_cell cell_along(double at, double last)
{
    const double above = at > 0 ? at : 0;
    const double held = above < last ? above : last;
    const double whole = (double)(int32_t)held;
    const double index = whole < last ? whole : last - 1;
    return (vxe_cell){index, held - index, held == at ? 1.0 : 0.0};
}

/* The floor under x, y, z (m about the body's origin) for a voxel of half edge r. The numbers g
   stand stride apart. */
VXE_INLINE vxe_touch terrain_touch(const double *g, ptrdiff_t stride, const double *points,
                                   double x, double y, double z, double r)
{
    const double per_point = g[VXE_TERRAIN_PER_POINT * stride];
    const vxe_cell u = cell_along((x - g[VXE_TERRAIN_FIRST_X * stride]) * per_point,
                                  g[VXE_TERRAIN_LAST_X * stride]);
    const vxe_cell v = cell_along((y - g[VXE_TERRAIN_FIRST_Y * stride]) * per_point,
                                  g[VXE_TERRAIN_LAST_Y * stride]);
    const double columns = g[VXE_TERRAIN_LAST_X * stride] + 1;
    const ptrdiff_t at = (int32_t)(VXE_TERRAIN_POINT *
                                   (v.index * columns + u.index + g[VXE_TERRAIN_BEGIN * stride]));
    const double *low = points + at;
    const double *high = low + (int32_t)(VXE_TERRAIN_POINT * columns);
    const vxe_bilinear above =
        bilinear(low[0] + r * low[1], low[3] + r * low[4], high[0] + r * high[1],
                 high[3] + r * high[4], u.part, v.part);
    const vxe_bilinear weight = bilinear(low[2], low[5], high[2], high[5], u.part, v.part);
    const double per_x = u.inside * per_point;
    const double per_y = v.inside * per_point;
    const double slope_x = g[VXE_TERRAIN_SLOPE_X * stride];
    const double slope_y = g[VXE_TERRAIN_SLOPE_Y * stride];
    const double plane = g[VXE_TERRAIN_LEVEL * stride] + slope_x * x + slope_y * y;
    const double under = (plane + above.value) - z;
    /* the gradient of p, with the opposite sign along z */
    const double grow_x =
        weight.value * (slope_x + per_x * above.along_x) + under * (per_x * weight.along_x);
    const double grow_y =
        weight.value * (slope_y + per_y * above.along_y) + under * (per_y * weight.along_y);
    const double gain = weight.value * weight.value + grow_x * grow_x + grow_y * grow_y;
    const double per_grow = 1 / sqrt(gain);
    const double away_x = x - g[VXE_TERRAIN_CENTER_X * stride];
    const double away_y = y - g[VXE_TERRAIN_CENTER_Y * stride];
    const double away2 = away_x * away_x + away_y * away_y;
    const double depth = under * weight.value * per_grow;
    /* beyond the floor's end voxels pass below it; & instead of branches, for vectors */
    const int is_there =
        (away2 <= g[VXE_TERRAIN_RADIUS2 * stride]) & (under <= g[VXE_TERRAIN_DEEPEST * stride]);
    return (vxe_touch){is_there ? (vxe_real)depth : R(-1e30),
                       {(vxe_real)(-grow_x * per_grow), (vxe_real)(-grow_y * per_grow),
                        (vxe_real)(weight.value * per_grow)},
                       (vxe_real)gain};
}

/* What of a voxel the floor pushes along its normal. others: m/s that it gains by all other forces;
   gives: 1/kg of each axis. */
VXE_INLINE vxe_on_floor terrain_pushes(vxe_real depth, vxe_vec3 normal, vxe_vec3 v, vxe_vec3 others,
                                       vxe_vec3 gives, vxe_real edge)
{
    const vxe_vec3 answers = {gives.x * normal.x, gives.y * normal.y, gives.z * normal.z};
    return (vxe_on_floor){depth, vec_dot(v, normal), vec_dot(others, normal),
                          vec_dot(answers, normal), edge};
}

/* Two directions along the floor; x and y where it is level. */
typedef struct vxe_tangents {
    vxe_vec3 x, y;
} vxe_tangents;

VXE_INLINE vxe_tangents terrain_tangents(vxe_vec3 n)
{
    const vxe_real c = 1 / (1 + n.z);
    const vxe_real xy = -(c * (n.x * n.y));
    return (vxe_tangents){{vxe_fma(-c, n.x * n.x, 1), xy, -n.x},
                          {xy, vxe_fma(-c, n.y * n.y, 1), -n.y}};
}

/* Velocity along the floor, on which friction acts. */
typedef struct vxe_slip {
    vxe_tangents along;
    vxe_real x, y;
} vxe_slip;

VXE_INLINE vxe_slip terrain_slip(vxe_vec3 normal, vxe_vec3 v)
{
    const vxe_tangents along = terrain_tangents(normal);
    return (vxe_slip){along, vec_dot(v, along.x), vec_dot(v, along.y)};
}

/* Change of the velocity where friction leaves `factor` of the sliding velocity. */
VXE_INLINE vxe_vec3 terrain_slid(vxe_slip slip, vxe_real factor)
{
    const vxe_real less = factor - 1;
    return vec_add_scaled(vec_scaled(less * slip.x, slip.along.x), less * slip.y, slip.along.y);
}

#endif
