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

/* m: depth of a voxel where there is no floor. */
#define TERRAIN_NONE R(-1e30)
/* Bends of less than this (rad) are of the size of rounding, in floats. */
#define BEND_SMALLEST 1e-5
/* Secants beside the first and the last. */
#define BENDS_TRIED 1
/* Ways whose squares are below this part of that of the half edge count as none. */
#define TERRAIN_SMALLEST 1e-14

VXE_INLINE vxe_real largest_of(vxe_vec3 a)
{
    const vxe_real xy = a.x > a.y ? a.x : a.y;
    return xy > a.z ? xy : a.z;
}

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

/* A place on a floor, and the numbers of that floor, which stand stride apart. */
typedef struct vxe_terrain_place {
    const double *g;
    ptrdiff_t stride;
    const double *points;
    double x, y, z; /* m about the body's origin */
    double r;       /* m: half edge of the voxel there */
} vxe_terrain_place;

/* The floor under a place. */
typedef struct vxe_terrain_under {
    vxe_bilinear above, weight;
    double deep;         /* m: H - z */
    double per_x, per_y; /* 1/m: points along each axis, 0 outside the grid */
    int is_there;
} vxe_terrain_under;

VXE_INLINE vxe_terrain_under terrain_under(const vxe_terrain_place *at)
{
    const double *g = at->g;
    const ptrdiff_t stride = at->stride;
    const double r = at->r;
    const double per_point = g[VXE_TERRAIN_PER_POINT * stride];
    const vxe_cell u = cell_along((at->x - g[VXE_TERRAIN_FIRST_X * stride]) * per_point,
                                  g[VXE_TERRAIN_LAST_X * stride]);
    const vxe_cell v = cell_along((at->y - g[VXE_TERRAIN_FIRST_Y * stride]) * per_point,
                                  g[VXE_TERRAIN_LAST_Y * stride]);
    const double columns = g[VXE_TERRAIN_LAST_X * stride] + 1;
    const ptrdiff_t first = (int32_t)(VXE_TERRAIN_POINT * (v.index * columns + u.index +
                                                           g[VXE_TERRAIN_BEGIN * stride]));
    const double *low = at->points + first;
    const double *high = low + (int32_t)(VXE_TERRAIN_POINT * columns);
    vxe_terrain_under floor;
    floor.above = bilinear(low[0] + r * low[1], low[3] + r * low[4], high[0] + r * high[1],
                           high[3] + r * high[4], u.part, v.part);
    floor.weight = bilinear(low[2], low[5], high[2], high[5], u.part, v.part);
    floor.per_x = u.inside * per_point;
    floor.per_y = v.inside * per_point;
    const double plane = g[VXE_TERRAIN_LEVEL * stride] + g[VXE_TERRAIN_SLOPE_X * stride] * at->x +
                         g[VXE_TERRAIN_SLOPE_Y * stride] * at->y;
    floor.deep = (plane + floor.above.value) - at->z;
    const double away_x = at->x - g[VXE_TERRAIN_CENTER_X * stride];
    const double away_y = at->y - g[VXE_TERRAIN_CENTER_Y * stride];
    const double away2 = away_x * away_x + away_y * away_y;
    /* beyond the floor's end voxels pass below it; & instead of branches, for vectors */
    floor.is_there = (away2 <= g[VXE_TERRAIN_RADIUS2 * stride]) &
                     (floor.deep <= g[VXE_TERRAIN_DEEPEST * stride]);
    return floor;
}

/* How a voxel touches the floor at a place. */
VXE_INLINE vxe_touch terrain_touch(const vxe_terrain_place *at)
{
    const vxe_terrain_under floor = terrain_under(at);
    const double weight = floor.weight.value;
    const double slope_x = at->g[VXE_TERRAIN_SLOPE_X * at->stride];
    const double slope_y = at->g[VXE_TERRAIN_SLOPE_Y * at->stride];
    /* the gradient of p, with the opposite sign along z */
    const double grow_x = weight * (slope_x + floor.per_x * floor.above.along_x) +
                          floor.deep * (floor.per_x * floor.weight.along_x);
    const double grow_y = weight * (slope_y + floor.per_y * floor.above.along_y) +
                          floor.deep * (floor.per_y * floor.weight.along_y);
    const double gain = weight * weight + grow_x * grow_x + grow_y * grow_y;
    const double per_grow = 1 / sqrt(gain);
    const double depth = floor.deep * weight * per_grow;
    return (vxe_touch){floor.is_there ? (vxe_real)depth : TERRAIN_NONE,
                       {(vxe_real)(-grow_x * per_grow), (vxe_real)(-grow_y * per_grow),
                        (vxe_real)(weight * per_grow)},
                       (vxe_real)gain};
}

/* m: above 0 where a voxel may touch in a step that begins at a velocity v; a cliff may be near. */
VXE_INLINE vxe_real terrain_nearness(vxe_real depth, vxe_vec3 v, vxe_real lift, vxe_real edge,
                                     vxe_real h)
{
    return floor_nearness(depth, lift * (h * vxe_root(vec_dot(v, v))), edge);
}

/* m^2: twice what a spring of 1 N/m holds there; below 0 where the floor has ended. */
VXE_INLINE double terrain_held(const vxe_terrain_place *at)
{
    const vxe_terrain_under floor = terrain_under(at);
    const double p = floor.deep * floor.weight.value;
    const double held = p > 0 ? p * p : 0;
    return floor.is_there ? held : -1;
}

/* A place moved by a velocity (m/s) for a time (s). */
VXE_INLINE vxe_terrain_place terrain_moved(const vxe_terrain_place *at, vxe_vec3 v, double time)
{
    vxe_terrain_place to = *at;
    to.x += time * (double)v.x;
    to.y += time * (double)v.y;
    to.z += time * (double)v.z;
    return to;
}

/* A voxel's step on a floor that bends on the way. */
typedef struct vxe_terrain_step {
    vxe_terrain_place at;
    vxe_touch touch;
    vxe_vec3 after, way; /* m/s: velocity after the step's other forces; m: the way with it */
    double h, way2;      /* s, m^2 */
    double by_mass;      /* h k/(2 m), 1/s */
    double held, flat;   /* m^2: energies at the start of the way, over k/2 */
} vxe_terrain_step;

/* m^2/s: h/m times what is missing of the energy where the velocity is less by so many ways (1/s),
   less what that takes. */
VXE_INLINE double terrain_missing(const vxe_terrain_step *of, double less)
{
    const vxe_vec3 v = vec_add_scaled(of->after, (vxe_real)-less, of->way);
    const vxe_terrain_place to = terrain_moved(&of->at, v, 0.5 * of->h);
    const double held = terrain_held(&to);
    const double last =
        (double)of->touch.depth - 0.5 * of->h * (double)vec_dot(v, of->touch.normal);
    const double flat = last > 0 ? (double)of->touch.gain * last * last : 0;
    const int all_there = (held >= 0) & (of->held >= 0) & (of->touch.depth > R(0.5) * TERRAIN_NONE);
    const double larger = held > of->held ? held : of->held;
    const double apart = (held - of->held) - (flat - of->flat);
    const int bends = apart * apart > (BEND_SMALLEST * BEND_SMALLEST) * (larger * of->way2);
    const double missing = all_there & bends ? apart : 0;
    return of->by_mass * missing - less * of->way2 * (1 - 0.5 * of->h * less);
}

/* less, of at most half of the way in a step; a and b: two places of a line that goes through 0
   where the result does. */
VXE_INLINE double terrain_between(double a, double at_a, double b, double at_b, double h)
{
    const double rise = at_b - at_a;
    const double zero = rise < 0 || 0 < rise ? b - at_b * (b - a) / rise : b;
    const double max = 1 / h;
    const double above = zero > -max ? zero : -max;
    return above < max ? above : max;
}

/* The step's force takes the floor for a plane, and its work is that on the way from half a step
   before its place to half a step behind (impact_law.h). Where the floor bends on the way w, the
   spring's energy U at both ends differs by another amount: a valley would give a voxel energy each
   time that it passes. What is missing is taken along the way, by a change -s w of the velocity:
       U(b) - U(a) - the plane's = s m/h w^2 (1 - h s/2)
   takes it exactly (a discrete gradient: Gonzalez1996). b depends on s, which is found by secants,
   s h < 1: beyond that it would take less. A voxel that has not so much by the last secant, as
   before a cliff, is thrown back as it came, s h = 2, which is exact as well. Returns the velocity
   after it. before and after: m/s, before and after all of the step's other forces; k: N/m, of a
   level floor. */
VXE_INLINE vxe_vec3 terrain_mended(const vxe_terrain_place *at, const vxe_touch *touch,
                                   vxe_vec3 before, vxe_vec3 after, vxe_vec3 gives, vxe_real k,
                                   double h)
{
    const vxe_terrain_place from = terrain_moved(at, before, -0.5 * h);
    const double first = (double)touch->depth + 0.5 * h * (double)vec_dot(before, touch->normal);
    const vxe_real half = (vxe_real)(0.5 * h);
    const vxe_vec3 way = {gives.x > 0 ? half * (before.x + after.x) : R(0),
                          gives.y > 0 ? half * (before.y + after.y) : R(0),
                          gives.z > 0 ? half * (before.z + after.z) : R(0)};
    const double none = TERRAIN_SMALLEST * at->r * at->r;
    const vxe_terrain_step of = {.at = *at,
                                 .touch = *touch,
                                 .after = after,
                                 .way = way,
                                 .h = h,
                                 .way2 = (double)vec_dot(way, way) + none,
                                 .by_mass = 0.5 * h * (double)(k * largest_of(gives)),
                                 .held = terrain_held(&from),
                                 .flat = first > 0 ? (double)touch->gain * first * first : 0};
    double other = 0; /* a place that the result lies behind, or on the other side of */
    double at_other = terrain_missing(&of, 0);
    double less = terrain_between(0, at_other, 1, at_other - of.way2, h);
    double at_less = terrain_missing(&of, less);
    for (int i = 0; i < BENDS_TRIED; i++) {
        const double next = terrain_between(other, at_other, less, at_less, h);
        const double at_next = terrain_missing(&of, next);
        const bool between = at_other * at_next < 0;
        other = between ? other : less;
        at_other = between ? at_other : at_less;
        less = next;
        at_less = at_next;
    }
    const double found = terrain_between(other, at_other, less, at_less, h);
    const bool thrown_back = found >= 1 / h;
    return vec_add_scaled(after, (vxe_real)(thrown_back ? -2 / h : -found), way);
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

/* A velocity by its parts along the tangents and along the normal. */
VXE_INLINE vxe_vec3 terrain_velocity(vxe_vec3 normal, vxe_real x, vxe_real y, vxe_real off)
{
    const vxe_tangents along = terrain_tangents(normal);
    return vec_add_scaled(vec_add_scaled(vec_scaled(x, along.x), y, along.y), off, normal);
}

/* A vector along the floor by its parts along the tangents. */
VXE_INLINE vxe_vec3 terrain_along(const vxe_slip *slip, vxe_real x, vxe_real y)
{
    return vec_add_scaled(vec_scaled(x, slip->along.x), y, slip->along.y);
}

/* Change of the velocity where friction leaves `factor` of the sliding velocity. */
VXE_INLINE vxe_vec3 terrain_slid(vxe_slip slip, vxe_real factor)
{
    const vxe_real less = factor - 1;
    return terrain_along(&slip, less * slip.x, less * slip.y);
}

#endif
