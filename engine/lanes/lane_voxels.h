/* SPDX-License-Identifier: MIT */
/* What a pass does to a voxel of a group after its bonds, lane by lane: total force, kick, decay,
   friction, drift. For lane_kernels.c. Which of these a pass does is known before it starts, so a
   few combinations are compiled separately, without branches in the loop over lanes. */
#ifndef VXE_ENGINE_LANES_LANE_VOXELS_H
#define VXE_ENGINE_LANES_LANE_VOXELS_H

#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/floor/floor_law.h"
#include "engine/floor/friction_law.h"
#include "engine/floor/terrain_law.h"
#include "engine/lanes/lane_kernels.h"
#include "engine/lanes/robots_per_vector.h"
#include "engine/voxels/actuation_law.h"
#include "engine/voxels/rotation_law.h"
#include "engine/voxels/voxel_law.h"
#include "engine/voxels/voxels.h"

#define LANES ((ptrdiff_t)VXE_LANES)

/* Three fields of a voxel, from `field` on, in a lane. */
VXE_INLINE vxe_vec3 field3(const vxe_real *voxel, int field, ptrdiff_t lane)
{
    return (vxe_vec3){voxel[field * LANES + lane], voxel[(field + 1) * LANES + lane],
                      voxel[(field + 2) * LANES + lane]};
}

VXE_INLINE void put3(vxe_real *array, int field, ptrdiff_t lane, vxe_vec3 value)
{
    array[field * LANES + lane] = value.x;
    array[(field + 1) * LANES + lane] = value.y;
    array[(field + 2) * LANES + lane] = value.z;
}

/* Everything of a voxel that its lanes read and write after the bonds. */
typedef struct voxel_places {
    vxe_real *restrict voxel;
    vxe_real *restrict carried;
    vxe_real *restrict upper_force;
    const vxe_real *restrict property;
    const vxe_real *restrict terrain; /* (VXE_LANE_TOUCH, lanes) the voxel on the terrain */
    const vxe_lane_group *group;
    const vxe_real *restrict numbers;
    const vxe_real *restrict h;
    const vxe_real *restrict dither; /* (2, lanes) */
    const vxe_real *restrict lower_force;
} voxel_places;

/* Further flags of a kick: some robot has global drag, as a force or as a decay; all robots are in
   a fluid; all robots need the dither in all components. */
enum { GLOBAL_DRAG = 1024, FLUID = 2048, DECAYS = 4096, DITHERS = 8192 };

/* Linear and angular velocity (m/s, rad/s), or force and moment (N, N m). */
typedef struct rates {
    vxe_vec3 v;
    vxe_vec3 w;
} rates;

/* The state of a voxel, all lanes. */
VXE_INLINE vxe_real *state_of(const vxe_lane_group *group, uint32_t voxel)
{
    return reals(group->state) + (ptrdiff_t)voxel * (VXE_LANE_FIELDS * LANES);
}

VXE_INLINE vxe_coordinate z_of(const vxe_real *voxel, ptrdiff_t lane)
{
    vxe_coordinate z = {.high = voxel[(VXE_LANE_X + 2) * LANES + lane]};
#ifdef VXE_MIXED
    z.low = voxel[(VXE_LANE_X_LOW + 2) * LANES + lane];
#endif
    return z;
}

VXE_INLINE vxe_real depth_of(const vxe_real *voxel, const vxe_real *numbers, ptrdiff_t lane)
{
    vxe_coordinate level = {.high = numbers[VXE_LANE_LEVEL * LANES + lane]};
#ifdef VXE_MIXED
    level.low = numbers[(VXE_LANE_LEVEL + 1) * LANES + lane];
#endif
    return floor_depth(level, z_of(voxel, lane), voxel[VXE_LANE_EDGE_GROWTH * LANES + lane]);
}

/* Where a lane's voxel is on its terrain. */
VXE_INLINE vxe_terrain_place ground_place(const vxe_lane_group *group,
                                          const vxe_real *restrict voxel, ptrdiff_t lane)
{
    const vxe_real *restrict edge = reals_const(group->numbers) + VXE_LANE_EDGE * LANES;
    const double size = ((double)edge[lane] + (double)edge[LANES + lane]) +
                        (double)voxel[VXE_LANE_EDGE_GROWTH * LANES + lane];
    double place[3];
    for (int c = 0; c < 3; c++) {
        place[c] = terrain_place(voxel[(VXE_LANE_X + c) * LANES + lane],
                                 voxel[(VXE_LANE_X_LOW + c) * LANES + lane]);
    }
    return (vxe_terrain_place){group->terrain_numbers + lane,
                               LANES,
                               group->terrain_points,
                               place[0],
                               place[1],
                               place[2],
                               0.5 * size};
}

/* Computes depth, normal and gain of a voxel on the terrain, for all lanes. Returns whether it may
   touch in this step, or is stuck, in some lane. */
static bool sample_ground(const vxe_lane_group *group, const vxe_real *restrict voxel,
                          vxe_real *restrict touches)
{
    const vxe_real *restrict numbers = reals_const(group->numbers);
    vxe_real max[VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_terrain_place place = ground_place(group, voxel, lane);
        const vxe_touch touch = terrain_touch(&place);
        touches[lane] = touch.depth;
        put3(touches, 1, lane, touch.normal);
        touches[4 * LANES + lane] = touch.gain;
        const vxe_real stuck = voxel[VXE_LANE_STUCK * LANES + lane];
        const vxe_real close = terrain_nearness(
            touch.depth, field3(voxel, VXE_LANE_V, lane), numbers[VXE_LANE_LIFT * LANES + lane],
            numbers[VXE_LANE_EDGE * LANES + lane], numbers[VXE_LANE_STEP * LANES + lane]);
        max[lane] = close > stuck ? close : stuck;
    }
    return any_positive(max);
}

/* Whether the voxel may touch the floor in this step, or is stuck to it, in some lane; above a
   terrain, whether it is low enough that it may. */
static bool touches(const vxe_real *restrict voxel, const vxe_real *restrict numbers)
{
    vxe_real max[VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_vec3 v = field3(voxel, VXE_LANE_V, lane);
        const vxe_real speed = magnitude(v.x) + magnitude(v.y) + magnitude(v.z); /* at most */
        const vxe_real way = numbers[VXE_LANE_STEP * LANES + lane] * speed;
        const vxe_real close = floor_nearness(depth_of(voxel, numbers, lane),
                                              numbers[VXE_LANE_LIFT * LANES + lane] * way,
                                              numbers[VXE_LANE_EDGE * LANES + lane]);
        const vxe_real stuck = voxel[VXE_LANE_STUCK * LANES + lane];
        max[lane] = close > stuck ? close : stuck;
    }
    return any_positive(max);
}

VXE_INLINE vxe_real property_value(const voxel_places *at, int which, ptrdiff_t lane)
{
    return at->property[which * LANES + lane];
}

/* N: drag and buoyancy of the fluid. */
VXE_INLINE vxe_vec3 push_of_fluid(const voxel_places *at, ptrdiff_t lane)
{
    const vxe_real *q = at->voxel + VXE_LANE_Q * LANES + lane;
    const vxe_fluid_law law = {at->numbers[VXE_LANE_FLUID_DRAG * LANES + lane],
                               at->numbers[VXE_LANE_FLUID_LIFT * LANES + lane],
                               field3(at->numbers, VXE_LANE_GRAVITY, lane)};
    const vxe_real size =
        at->numbers[VXE_LANE_EDGE * LANES + lane] + at->voxel[VXE_LANE_EDGE_GROWTH * LANES + lane];
    const vxe_real by_h = 1 / at->h[lane];
    return fluid_force(law, property_value(at, VXE_LANE_FACES, lane),
                       (vxe_quat){q[0], q[LANES], q[2 * LANES], q[3 * LANES]},
                       field3(at->voxel, VXE_LANE_V, lane), size,
                       by_h * property_value(at, VXE_LANE_MASS, lane));
}

VXE_INLINE vxe_vec3 dragged3(vxe_real drag, vxe_vec3 rate, vxe_vec3 force)
{
    return (vxe_vec3){dragged(drag, rate.x, force.x), dragged(drag, rate.y, force.y),
                      dragged(drag, rate.z, force.z)};
}

/* Total force and moment of a voxel, without the floor. */
VXE_INLINE rates total_force(uint32_t flags, const voxel_places *at, ptrdiff_t lane)
{
    rates sum = {field3(at->lower_force, 0, lane), field3(at->lower_force, 3, lane)};
    sum.v = vec_add(sum.v, field3(at->upper_force, 0, lane));
    sum.w = vec_add(sum.w, field3(at->upper_force, 3, lane));
    if (flags & VXE_KICK_EXTERNAL) {
        sum.v = vec_add_scaled(sum.v, property_value(at, VXE_LANE_MASS, lane),
                               field3(at->numbers, VXE_LANE_GRAVITY, lane));
    }
    if (flags & FLUID) {
        sum.v = vec_add(sum.v, push_of_fluid(at, lane));
    }
    if (flags & GLOBAL_DRAG) {
        sum.v = dragged3(property_value(at, VXE_LANE_DRAG, lane),
                         field3(at->voxel, VXE_LANE_V, lane), sum.v);
        sum.w = dragged3(property_value(at, VXE_LANE_SPIN_DRAG, lane),
                         field3(at->voxel, VXE_LANE_W, lane), sum.w);
    }
    return sum;
}

/* What a voxel may touch in its lanes: nothing, a level floor, or a terrain. */
enum { CLEAR, LEVEL_FLOOR, GROUND };

/* Depth, normal and gain of a lane's voxel on the floor. */
VXE_INLINE vxe_touch touch_of(int floor, const voxel_places *at, ptrdiff_t lane)
{
    vxe_touch touch = {0, {0, 0, 1}, 1};
    if (floor == LEVEL_FLOOR) {
        touch.depth = depth_of(at->voxel, at->numbers, lane);
    } else if (floor == GROUND) {
        touch.depth = at->terrain[lane];
        touch.normal = field3(at->terrain, 1, lane);
        touch.gain = at->terrain[4 * LANES + lane];
    }
    return touch;
}

VXE_INLINE vxe_real stiffness_of(int floor, const voxel_places *at, const vxe_touch *touch,
                                 ptrdiff_t lane)
{
    const vxe_real stiffness = property_value(at, VXE_LANE_FLOOR_STIFFNESS, lane);
    return floor == GROUND ? touch->gain * stiffness : stiffness;
}

/* What of a lane's voxel the floor pushes. */
VXE_INLINE vxe_on_floor pushed_by(int floor, const voxel_places *at, const vxe_touch *touch,
                                  vxe_vec3 v, vxe_vec3 force, ptrdiff_t lane)
{
    const vxe_real inverse = property_value(at, VXE_LANE_INVERSE_MASS, lane);
    const vxe_real edge = at->numbers[VXE_LANE_EDGE * LANES + lane];
    const vxe_real h = at->numbers[VXE_LANE_STEP * LANES + lane];
    if (floor == GROUND) {
        const vxe_vec3 gives = {inverse, inverse, inverse};
        return terrain_pushes(touch->depth, touch->normal, v, vec_scaled(h * inverse, force), gives,
                              edge);
    }
    return (vxe_on_floor){touch->depth, v.z, h * inverse * force.z, inverse, edge};
}

/* m/s: speed along the floor. */
VXE_INLINE vxe_slip slip_of(int floor, const vxe_touch *touch, vxe_vec3 v)
{
    return floor == GROUND ? terrain_slip(touch->normal, v)
                           : (vxe_slip){{{1, 0, 0}, {0, 1, 0}}, v.x, v.y};
}

/* The floor's mean forces (N) in a step, for all lanes. Most need one
   iteration; where one lane needs more all have them. */
VXE_INLINE void find_pushes(uint32_t flags, int floor, const voxel_places *at, vxe_real *push)
{
    vxe_real unsure[VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_touch touch = touch_of(floor, at, lane);
        const vxe_on_floor of = pushed_by(floor, at, &touch, field3(at->voxel, VXE_LANE_V, lane),
                                          total_force(flags, at, lane).v, lane);
        const vxe_impact_try found = floor_tried(of, stiffness_of(floor, at, &touch, lane),
                                                 property_value(at, VXE_LANE_FLOOR_DASHPOT, lane),
                                                 at->numbers[VXE_LANE_STEP * LANES + lane]);
        push[lane] = found.force;
        unsure[lane] = found.sure > 0 ? R(0) : R(1);
    }
    if (!any_positive(unsure)) {
        return;
    }
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_touch touch = touch_of(floor, at, lane);
        const vxe_on_floor of = pushed_by(floor, at, &touch, field3(at->voxel, VXE_LANE_V, lane),
                                          total_force(flags, at, lane).v, lane);
        push[lane] = floor_push(of, stiffness_of(floor, at, &touch, lane),
                                property_value(at, VXE_LANE_FLOOR_DASHPOT, lane), 0,
                                at->numbers[VXE_LANE_STEP * LANES + lane])
                         .force;
    }
}

/* Adds friction's impulse in the kick, before damping iterations. */
VXE_INLINE vxe_vec3 with_friction_predicted(int floor, const voxel_places *at, const vxe_slip *slip,
                                            vxe_vec3 force, vxe_real h, ptrdiff_t lane)
{
    const vxe_real slows = friction_predicted(
        at->carried[VXE_LANE_IMPULSE * LANES + lane], property_value(at, VXE_LANE_MASS, lane),
        property_value(at, VXE_LANE_DYNAMIC_FRICTION, lane),
        at->numbers[VXE_LANE_BOND_PULL * LANES + lane], slip->x, slip->y,
        at->voxel[VXE_LANE_STUCK * LANES + lane]);
    const vxe_vec3 rubs = floor == GROUND ? terrain_along(slip, slows * slip->x, slows * slip->y)
                                          : (vxe_vec3){slows * slip->x, slows * slip->y, 0};
    put3(at->carried, VXE_LANE_RUBBED, lane, rubs);
    return vec_add_scaled(force, 1 / h, rubs);
}

/* Adds the floor's force, and stores what friction needs. push: N, along the normal. */
VXE_INLINE vxe_vec3 with_floor(uint32_t flags, int floor, const voxel_places *at,
                               const vxe_touch *touch, vxe_vec3 force, vxe_real push,
                               ptrdiff_t lane)
{
    const vxe_vec3 v = field3(at->voxel, VXE_LANE_V, lane);
    const vxe_slip slip = slip_of(floor, touch, v);
    const vxe_on_floor of = pushed_by(floor, at, touch, v, force, lane);
    const vxe_real h = at->numbers[VXE_LANE_STEP * LANES + lane];
    at->carried[VXE_LANE_IMPULSE * LANES + lane] = h * push;
    at->carried[VXE_LANE_BEFORE * LANES + lane] = slip.x;
    at->carried[(VXE_LANE_BEFORE + 1) * LANES + lane] = slip.y;
    at->carried[(VXE_LANE_BEFORE + 2) * LANES + lane] = of.off;
    vxe_real *stuck = at->voxel + VXE_LANE_STUCK * LANES + lane;
    *stuck = friction_rests(h * push, slip.x, slip.y, *stuck);
    if (floor == GROUND) {
        force = vec_add_scaled(force, push, touch->normal);
    } else {
        force.z += push;
    }
    return flags & VXE_KICK_EXPLICIT_DRAG
               ? force
               : with_friction_predicted(floor, at, &slip, force, h, lane);
}

/* Velocities after what the floor adds behind damping iterations. */
VXE_INLINE vxe_vec3 with_floor_behind(int floor, const voxel_places *at, const vxe_touch *touch,
                                      vxe_vec3 v, ptrdiff_t lane)
{
    const vxe_real off = at->carried[(VXE_LANE_BEFORE + 2) * LANES + lane];
    vxe_real *impulse = at->carried + VXE_LANE_IMPULSE * LANES + lane;
    vxe_on_floor of = pushed_by(floor, at, touch, v, (vxe_vec3){0, 0, 0}, lane);
    of.others = of.off - off;
    of.off = off;
    const vxe_floor_push more =
        floor_push_behind(of, *impulse, stiffness_of(floor, at, touch, lane),
                          property_value(at, VXE_LANE_FLOOR_DASHPOT, lane), 0,
                          at->numbers[VXE_LANE_STEP * LANES + lane]);
    *impulse += more.impulse;
    if (floor == GROUND) {
        return vec_add_scaled(v, more.impulse * property_value(at, VXE_LANE_INVERSE_MASS, lane),
                              touch->normal);
    }
    v.z = vxe_fma(more.impulse, of.inverse, v.z);
    return v;
}

/* The dither of a lane. */
VXE_INLINE vxe_dither dither_in(const voxel_places *at, ptrdiff_t lane)
{
    return (vxe_dither){at->dither[lane], at->dither[LANES + lane]};
}

/* a + s b, dithered. */
VXE_INLINE vxe_vec3 dithered3(const vxe_dither *by, vxe_vec3 a, vxe_real s, vxe_vec3 b)
{
    return (vxe_vec3){dithered(by, a.x, s, b.x), dithered(by, a.y, s, b.y),
                      dithered(by, a.z, s, b.z)};
}

/* Velocities after a kick, from the base that the flags name. */
VXE_INLINE rates kicked(uint32_t flags, const voxel_places *at, rates force, ptrdiff_t lane)
{
    const vxe_real *base = flags & VXE_KICK_FROM_KEPT     ? at->carried + VXE_LANE_KEPT * LANES
                           : flags & VXE_KICK_FROM_MIDDLE ? at->carried + VXE_LANE_MIDDLE * LANES
                                                          : at->voxel + VXE_LANE_V * LANES;
    if (flags & VXE_KICK_TO_MIDDLE) {
        put3(at->carried, VXE_LANE_MIDDLE, lane, field3(base, 0, lane));
        put3(at->carried, VXE_LANE_MIDDLE + 3, lane, field3(base, 3, lane));
    }
    const vxe_real by_mass = at->h[lane] * property_value(at, VXE_LANE_INVERSE_MASS, lane);
    const vxe_real by_inertia = at->h[lane] * property_value(at, VXE_LANE_INVERSE_INERTIA, lane);
    const vxe_dither by = dither_in(at, lane);
    const bool all = (flags & VXE_KICK_EXTERNAL) && (flags & DITHERS);
    rates rate = {dithered3(all ? &by : NULL, field3(base, 0, lane), by_mass, force.v),
                  dithered3(all ? &by : NULL, field3(base, 3, lane), by_inertia, force.w)};
    if (flags & VXE_KICK_EXTERNAL) {
        rate.v.z = dithered(&by, base[2 * LANES + lane], by_mass, force.v.z);
    }
    return rate;
}

VXE_INLINE vxe_vec3 decayed3(const vxe_dither *by, vxe_vec3 rate, vxe_real change)
{
    return (vxe_vec3){decayed_by(by, rate.x, change), decayed_by(by, rate.y, change),
                      decayed_by(by, rate.z, change)};
}

/* Velocities after half a step of exact decay by global drag. */
VXE_INLINE rates decayed(uint32_t flags, const voxel_places *at, rates rate, ptrdiff_t lane)
{
    if (flags & DECAYS) {
        const vxe_dither by = dither_in(at, lane);
        rate.v = decayed3(&by, rate.v, property_value(at, VXE_LANE_DRAG_DECAY, lane));
        rate.w = decayed3(&by, rate.w, property_value(at, VXE_LANE_SPIN_DECAY, lane));
    }
    return rate;
}

/* Velocity in damping iterations, in which a voxel that the floor holds is at rest. */
VXE_INLINE vxe_vec3 with_hold(int floor, const voxel_places *at, vxe_vec3 v, const vxe_touch *touch,
                              ptrdiff_t lane)
{
    const bool held = at->voxel[VXE_LANE_STUCK * LANES + lane] > 0;
    if (floor == GROUND) {
        const vxe_slip slip = slip_of(floor, touch, v);
        return vec_add(v, terrain_slid(slip, held ? R(0) : R(1)));
    }
    return (vxe_vec3){held ? R(0) : v.x, held ? R(0) : v.y, v.z};
}

/* Velocities after friction along the floor. */
VXE_INLINE vxe_vec3 with_friction(uint32_t flags, int floor, const voxel_places *at, vxe_vec3 v,
                                  const vxe_touch *touch, ptrdiff_t lane)
{
    vxe_real *stuck = at->voxel + VXE_LANE_STUCK * LANES;
    if (flags & VXE_KICK_FROM_KEPT) {
        v = vec_add_scaled(v, -property_value(at, VXE_LANE_INVERSE_MASS, lane),
                           field3(at->carried, VXE_LANE_RUBBED, lane));
    }
    const vxe_slip slip = slip_of(floor, touch, v);
    const vxe_slide slide = friction_slide(
        at->carried[VXE_LANE_IMPULSE * LANES + lane], property_value(at, VXE_LANE_MASS, lane),
        property_value(at, VXE_LANE_STATIC_FRICTION, lane),
        property_value(at, VXE_LANE_DYNAMIC_FRICTION, lane),
        at->numbers[VXE_LANE_BOND_PULL * LANES + lane], slip.x, slip.y, stuck[lane]);
    stuck[lane] = slide.stuck;
    if (floor == GROUND) {
        return vec_add(v, terrain_slid(slip, slide.factor));
    }
    return (vxe_vec3){slide.factor * v.x, slide.factor * v.y, v.z};
}

/* Velocity after what the floor takes where it bends. */
VXE_INLINE vxe_vec3 with_bend(const voxel_places *at, vxe_vec3 v, const vxe_touch *touch,
                              ptrdiff_t lane)
{
    const vxe_real inverse = property_value(at, VXE_LANE_INVERSE_MASS, lane);
    const vxe_terrain_place place = ground_place(at->group, at->voxel, lane);
    const vxe_real *before = at->carried + VXE_LANE_BEFORE * LANES + lane;
    return terrain_mended(
        &place, touch, terrain_velocity(touch->normal, before[0], before[LANES], before[2 * LANES]),
        v, (vxe_vec3){inverse, inverse, inverse},
        property_value(at, VXE_LANE_FLOOR_STIFFNESS, lane),
        (double)at->numbers[VXE_LANE_STEP * LANES + lane]);
}

/* Moves one coordinate by a step. */
VXE_INLINE void move_coordinate(const voxel_places *at, int c, vxe_real v, ptrdiff_t lane)
{
    vxe_coordinate place = {.high = at->voxel[(VXE_LANE_X + c) * LANES + lane]};
#ifdef VXE_MIXED
    place.low = at->voxel[(VXE_LANE_X_LOW + c) * LANES + lane];
#endif
    const vxe_coordinate moved =
        coordinate_moved(place, at->numbers[VXE_LANE_STEP * LANES + lane], v);
    at->voxel[(VXE_LANE_X + c) * LANES + lane] = moved.high;
#ifdef VXE_MIXED
    at->voxel[(VXE_LANE_X_LOW + c) * LANES + lane] = moved.low;
#endif
}

/* Moves and rotates a voxel by a step. */
VXE_INLINE void drift(uint32_t flags, const voxel_places *at, rates rate, ptrdiff_t lane)
{
    const vxe_dither by = dither_in(at, lane);
    vxe_real *q = at->voxel + VXE_LANE_Q * LANES + lane;
    move_coordinate(at, 0, rate.v.x, lane);
    move_coordinate(at, 1, rate.v.y, lane);
    move_coordinate(at, 2, rate.v.z, lane);
    const vxe_turned before = {q[0], q[LANES], q[2 * LANES], q[3 * LANES]};
    const vxe_turned after =
        turned(before, rate.w.x, rate.w.y, rate.w.z,
               R(0.5) * at->numbers[VXE_LANE_STEP * LANES + lane], flags & DITHERS ? &by : NULL);
    q[0] = after.w;
    q[LANES] = after.x;
    q[2 * LANES] = after.y;
    q[3 * LANES] = after.z;
}

VXE_INLINE vxe_vec3 halfway3(vxe_vec3 before, vxe_vec3 behind)
{
    return (vxe_vec3){halfway(before.x, behind.x), halfway(before.y, behind.y),
                      halfway(before.z, behind.z)};
}

/* Everything that a pass does to a voxel after its bonds, in one lane. flags, stages and floor are
   constants where this is compiled. */
VXE_INLINE void move_lane(uint32_t flags, uint32_t stages, int floor, const voxel_places *at,
                          vxe_real push, ptrdiff_t lane)
{
    const vxe_touch touch = touch_of(floor, at, lane);
    rates force = total_force(flags, at, lane);
    if ((flags & VXE_KICK_FLOOR) && floor != CLEAR) {
        force.v = with_floor(flags, floor, at, &touch, force.v, push, lane);
    }
    rates rate = kicked(flags, at, force, lane);
    if (stages & VXE_STAGE_DECAY) {
        rate = decayed(flags, at, rate, lane);
    }
    if (stages & VXE_STAGE_HALVE) {
        put3(at->carried, VXE_LANE_KEPT, lane, rate.v);
        put3(at->carried, VXE_LANE_KEPT + 3, lane, rate.w);
        rate = (rates){halfway3(field3(at->voxel, VXE_LANE_V, lane), rate.v),
                       halfway3(field3(at->voxel, VXE_LANE_W, lane), rate.w)};
    }
    if ((stages & VXE_STAGE_HOLD) && floor != CLEAR) {
        rate.v = with_hold(floor, at, rate.v, &touch, lane);
    }
    if ((stages & VXE_STAGE_FLOOR) && floor != CLEAR) {
        rate.v = with_floor_behind(floor, at, &touch, rate.v, lane);
    }
    if ((stages & VXE_STAGE_FRICTION) && floor != CLEAR) {
        rate.v = with_friction(flags, floor, at, rate.v, &touch, lane);
    }
    if ((stages & VXE_STAGE_BEND) && floor == GROUND) {
        rate.v = with_bend(at, rate.v, &touch, lane);
    }
    put3(at->voxel, VXE_LANE_V, lane, rate.v);
    put3(at->voxel, VXE_LANE_W, lane, rate.w);
    if (stages & VXE_STAGE_DRIFT) {
        drift(flags, at, rate, lane);
    }
    put3(at->upper_force, 0, lane, (vxe_vec3){0, 0, 0});
    put3(at->upper_force, 3, lane, (vxe_vec3){0, 0, 0});
}

VXE_INLINE void move_lanes(uint32_t flags, uint32_t stages, int floor, const voxel_places *at)
{
    vxe_real push[VXE_LANES] = {0};
    if ((flags & VXE_KICK_FLOOR) && floor != CLEAR) {
        find_pushes(flags, floor, at, push);
    }
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        move_lane(flags, stages, floor, at, push[lane], lane);
    }
}

/* The passes of a step. With explicit dashpots there is one: the whole step. With damping
   iterations there are a pass of springs, iterations, and a last iteration that ends the step. */
#define END (VXE_STAGE_FRICTION | VXE_STAGE_BEND | VXE_STAGE_DRIFT | VXE_STAGE_RESIZE)
enum {
    WHOLE_FLAGS = VXE_KICK_EXTERNAL | VXE_KICK_FLOOR | VXE_KICK_EXPLICIT_DRAG,
    WHOLE_STAGES = END,
    SPRINGS_FLAGS = VXE_KICK_EXTERNAL | VXE_KICK_FLOOR,
    SPRINGS_STAGES = VXE_STAGE_DECAY | VXE_STAGE_HALVE | VXE_STAGE_HOLD,
    LAST_STAGES = VXE_STAGE_DECAY | VXE_STAGE_FLOOR | END
};

/* Runs the combination of flags and stages that a pass has; floor is a constant. */
VXE_INLINE void move_by_pass(int floor, const vxe_lane_pass *pass, const vxe_lane_group *group,
                             const voxel_places *at)
{
    if (pass->kick_flags == WHOLE_FLAGS && group->swims) {
        /* with global drag or without: without, its coefficient is zero */
        move_lanes(WHOLE_FLAGS | GLOBAL_DRAG | FLUID | DITHERS, WHOLE_STAGES, floor, at);
    } else if (pass->kick_flags == WHOLE_FLAGS && group->drags) {
        move_lanes(WHOLE_FLAGS | GLOBAL_DRAG | DITHERS, WHOLE_STAGES, floor, at);
    } else if (pass->kick_flags == WHOLE_FLAGS && group->dithers) {
        move_lanes(WHOLE_FLAGS | DITHERS, WHOLE_STAGES, floor, at);
    } else if (pass->kick_flags == WHOLE_FLAGS) {
        move_lanes(WHOLE_FLAGS, WHOLE_STAGES, floor, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS && group->swims) {
        move_lanes(SPRINGS_FLAGS | FLUID | DECAYS | DITHERS, SPRINGS_STAGES, floor, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS && group->drags) {
        move_lanes(SPRINGS_FLAGS | DECAYS | DITHERS, SPRINGS_STAGES, floor, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS && group->dithers) {
        move_lanes(SPRINGS_FLAGS | DITHERS, SPRINGS_STAGES, floor, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS) {
        move_lanes(SPRINGS_FLAGS, SPRINGS_STAGES, floor, at);
    } else if (pass->kick_flags == VXE_KICK_FROM_KEPT && group->drags) {
        move_lanes(VXE_KICK_FROM_KEPT | DECAYS | DITHERS, LAST_STAGES, floor, at);
    } else if (pass->kick_flags == VXE_KICK_FROM_KEPT && group->dithers) {
        move_lanes(VXE_KICK_FROM_KEPT | DITHERS, LAST_STAGES, floor, at);
    } else if (pass->kick_flags == VXE_KICK_FROM_KEPT) {
        move_lanes(VXE_KICK_FROM_KEPT, LAST_STAGES, floor, at);
    } else if (pass->kick_flags == VXE_KICK_FROM_MIDDLE) {
        move_lanes(VXE_KICK_FROM_MIDDLE, VXE_STAGE_HOLD, floor, at);
    } else if (pass->kick_flags == VXE_KICK_TO_MIDDLE) {
        move_lanes(VXE_KICK_TO_MIDDLE, VXE_STAGE_HOLD, floor, at);
    } else {
        VXE_ASSERT(pass->kick_flags == 0 && pass->stages == VXE_STAGE_HOLD);
        move_lanes(0, VXE_STAGE_HOLD, floor, at);
    }
}

/* Sets the edge growth of a voxel to that of a clock, all lanes. */
static void resize(const vxe_lane_group *group, const double *restrict clock, ptrdiff_t index,
                   vxe_real *restrict edge_growth)
{
    if (group->sizes) {
        const vxe_real *values = reals_const(group->sizes) + index * (VXE_ACTUATION_VALUES * LANES);
        const vxe_real *law[VXE_ACTUATION_VALUES];
        for (int c = 0; c < VXE_ACTUATION_VALUES; c++) {
            law[c] = values + c * LANES;
        }
#pragma omp simd
        for (ptrdiff_t lane = 0; lane < LANES; lane++) {
            const double target = (double)law[VXE_SIZE_GROUP][lane]; /* lanes have no group */
            edge_growth[lane] = edge_growth_at(law, lane, clock + lane, LANES, target);
        }
        return;
    }
    const vxe_real *restrict waves = reals_const(group->waves) + index * (2 * LANES);
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        edge_growth[lane] = edge_growth_of_wave(waves[lane], waves[LANES + lane],
                                                (vxe_real)clock[VXE_CLOCK_SINE * LANES + lane],
                                                (vxe_real)clock[VXE_CLOCK_COSINE * LANES + lane]);
    }
}

/* Sets the edge growth of all voxels to that of a clock. */
static void resize_all(vxe_lane_group *group, const double *clock)
{
    for (uint32_t index = 0; index < group->voxels && (group->waves || group->sizes); index++) {
        vxe_real *voxel = state_of(group, index);
        resize(group, clock, (ptrdiff_t)index, voxel + VXE_LANE_EDGE_GROWTH * LANES);
    }
}

#endif
