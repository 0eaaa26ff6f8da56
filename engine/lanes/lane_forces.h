/* SPDX-License-Identifier: MIT */
/* What a voxel of a group is and feels in its lanes: where it and its bonds are, weight, loads,
   fluid, the floor and its friction. For lane_voxels.h, which says where in a pass each of these
   acts, and for the reverse of a step in engine/gradient/. */
#ifndef VXE_ENGINE_LANES_LANE_FORCES_H
#define VXE_ENGINE_LANES_LANE_FORCES_H

#include <stddef.h>

#include "engine/bonds/bond_force_law.h"
#include "engine/floor/floor_law.h"
#include "engine/floor/friction_law.h"
#include "engine/floor/terrain_law.h"
#include "engine/lanes/lane_kernels.h"
#include "engine/lanes/robots_per_vector.h"
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
    vxe_real *restrict bound;         /* (VXE_BOUND_VALUES, lanes); null unless a condition holds */
    const vxe_lane_group *group;
    const vxe_real *restrict numbers;
    const vxe_real *restrict h;
    const vxe_real *restrict dither; /* (2, lanes) */
    const vxe_real *restrict lower_force;
    vxe_real *restrict push; /* (lanes) N: mean force of a level floor, where it is known before the
                                voxel is moved */
} voxel_places;

/* Further flags of a kick: some robot has global drag, as a force or as a decay; all robots are in
   a fluid; all robots need the dither in all components; the voxel is bound by a boundary condition
   of some robot. */
enum { GLOBAL_DRAG = 1024, FLUID = 2048, DECAYS = 4096, DITHERS = 8192, BOUND = 16384 };

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

VXE_INLINE vxe_quat orientation(const vxe_real *voxel, ptrdiff_t lane)
{
    const vxe_real *q = voxel + VXE_LANE_Q * LANES + lane;
    return (vxe_quat){q[0], q[LANES], q[2 * LANES], q[3 * LANES]};
}

/* The chord of a bond in a lane, low parts included. */
VXE_INLINE vxe_chord lane_chord(int axis, int law, const vxe_real *numbers, const vxe_real *lo,
                                const vxe_real *hi, ptrdiff_t lane)
{
    vxe_chord chord = {.r = vec_sub(field3(hi, VXE_LANE_X, lane), field3(lo, VXE_LANE_X, lane))};
    if (law & VXE_BOND_SPRINGS) {
        const vxe_real edge_growth = R(0.5) * (lo[VXE_LANE_EDGE_GROWTH * LANES + lane] +
                                               hi[VXE_LANE_EDGE_GROWTH * LANES + lane]);
        const vxe_real edge = numbers[VXE_LANE_EDGE * LANES + lane];
        chord.length = edge + edge_growth;
        chord.excess = (component(axis, chord.r) - edge) - edge_growth;
    }
#ifdef VXE_MIXED
    const vxe_vec3 low =
        vec_sub(field3(hi, VXE_LANE_X_LOW, lane), field3(lo, VXE_LANE_X_LOW, lane));
    chord.r = vec_add(chord.r, low);
    chord.excess += component(axis, low) - numbers[(VXE_LANE_EDGE + 1) * LANES + lane];
#endif
    return chord;
}

/* How the coefficients of a lane's bonds follow from their rows. */
VXE_INLINE vxe_multiples lane_multiples(const vxe_real *numbers, ptrdiff_t lane)
{
    return (vxe_multiples){numbers[VXE_LANE_SHEAR * LANES + lane],
                           numbers[VXE_LANE_TORSION * LANES + lane],
                           numbers[VXE_LANE_BENDING * LANES + lane],
                           numbers[VXE_LANE_DASH_SHEAR * LANES + lane],
                           numbers[VXE_LANE_DASH_TORSION * LANES + lane],
                           numbers[VXE_LANE_DASH_BENDING * LANES + lane]};
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

VXE_INLINE vxe_real property_value(const voxel_places *at, int which, ptrdiff_t lane)
{
    return at->property[which * LANES + lane];
}

/* What a voxel's velocities gain by a unit of impulse, 1/kg and 1/(kg m^2): 0 along freedoms that
   are held or prescribed. bound: null where no condition binds the voxel, a constant here. */
VXE_INLINE rates gives_in(const vxe_real *property, const vxe_real *bound, ptrdiff_t lane)
{
    if (bound) {
        return (rates){field3(bound, VXE_BOUND_INVERSE, lane),
                       field3(bound, VXE_BOUND_INVERSE + 3, lane)};
    }
    const vxe_real by_mass = property[VXE_LANE_INVERSE_MASS * LANES + lane];
    const vxe_real by_inertia = property[VXE_LANE_INVERSE_INERTIA * LANES + lane];
    return (rates){{by_mass, by_mass, by_mass}, {by_inertia, by_inertia, by_inertia}};
}

VXE_INLINE rates gives_of(uint32_t flags, const voxel_places *at, ptrdiff_t lane)
{
    return gives_in(at->property, flags & BOUND ? at->bound : NULL, lane);
}

/* The components of `one` where those of `by` are above 0, else those of `other`. */
VXE_INLINE vxe_vec3 chosen3(vxe_vec3 by, vxe_vec3 one, vxe_vec3 other)
{
    return (vxe_vec3){by.x > 0 ? one.x : other.x, by.y > 0 ? one.y : other.y,
                      by.z > 0 ? one.z : other.z};
}

/* `changed` along the directions in which a voxel is free, else `before`. */
VXE_INLINE vxe_vec3 where_free(uint32_t flags, vxe_vec3 gives, vxe_vec3 changed, vxe_vec3 before)
{
    return flags & BOUND ? chosen3(gives, changed, before) : changed;
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
    if ((flags & VXE_KICK_EXTERNAL) && (flags & BOUND)) {
        sum.v = vec_add(sum.v, field3(at->bound, VXE_BOUND_LOAD, lane));
        sum.w = vec_add(sum.w, field3(at->bound, VXE_BOUND_LOAD + 3, lane));
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
VXE_INLINE vxe_on_floor pushed_by(uint32_t flags, int floor, const voxel_places *at,
                                  const vxe_touch *touch, vxe_vec3 v, vxe_vec3 force,
                                  ptrdiff_t lane)
{
    const vxe_vec3 gives = gives_of(flags, at, lane).v;
    const vxe_real edge = at->numbers[VXE_LANE_EDGE * LANES + lane];
    const vxe_real h = at->numbers[VXE_LANE_STEP * LANES + lane];
    if (floor == GROUND) {
        const vxe_vec3 others = {h * gives.x * force.x, h * gives.y * force.y,
                                 h * gives.z * force.z};
        return terrain_pushes(touch->depth, touch->normal, v, others, gives, edge);
    }
    return (vxe_on_floor){touch->depth, v.z, h * gives.z * force.z, gives.z, edge};
}

/* m/s: speed along the floor. */
VXE_INLINE vxe_slip slip_of(int floor, const vxe_touch *touch, vxe_vec3 v)
{
    return floor == GROUND ? terrain_slip(touch->normal, v)
                           : (vxe_slip){{{1, 0, 0}, {0, 1, 0}}, v.x, v.y};
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
    const vxe_on_floor of = pushed_by(flags, floor, at, touch, v, force, lane);
    const vxe_real h = at->numbers[VXE_LANE_STEP * LANES + lane];
    at->carried[VXE_LANE_IMPULSE * LANES + lane] = h * push;
    if (!(flags & VXE_KICK_EXPLICIT_DRAG)) { /* else it is all that the floor gives */
        at->carried[VXE_LANE_KICKED * LANES + lane] = h * push;
    }
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

/* Velocity after an impulse (N s) along a direction. */
VXE_INLINE vxe_vec3 with_impulse(vxe_vec3 v, vxe_vec3 gives, vxe_real impulse, vxe_vec3 along)
{
    return (vxe_vec3){vxe_fma(impulse * gives.x, along.x, v.x),
                      vxe_fma(impulse * gives.y, along.y, v.y),
                      vxe_fma(impulse * gives.z, along.z, v.z)};
}

/* What of a lane's voxel the floor pushes behind damping iterations, which left it with velocity v.
 */
VXE_INLINE vxe_on_floor pushed_behind(uint32_t flags, int floor, const voxel_places *at,
                                      const vxe_touch *touch, vxe_vec3 v, ptrdiff_t lane)
{
    const vxe_real off = at->carried[(VXE_LANE_BEFORE + 2) * LANES + lane];
    vxe_on_floor of = pushed_by(flags, floor, at, touch, v, (vxe_vec3){0, 0, 0}, lane);
    of.others = of.off - off;
    of.off = off;
    return floor_without(of, at->carried[VXE_LANE_IMPULSE * LANES + lane]);
}

/* Velocities after what the floor adds behind damping iterations. push: N, its mean force. */
VXE_INLINE vxe_vec3 with_floor_behind(uint32_t flags, int floor, const voxel_places *at,
                                      const vxe_touch *touch, vxe_vec3 v, vxe_real push,
                                      ptrdiff_t lane)
{
    vxe_real *impulse = at->carried + VXE_LANE_IMPULSE * LANES + lane;
    const vxe_real more = floor_more(push, *impulse, at->numbers[VXE_LANE_STEP * LANES + lane]);
    const vxe_vec3 gives = gives_of(flags, at, lane).v;
    *impulse += more;
    if (floor == GROUND) {
        return with_impulse(v, gives, more, touch->normal);
    }
    v.z = vxe_fma(more, gives.z, v.z);
    return v;
}

/* Velocity in damping iterations, in which a voxel that the floor holds is at rest. */
VXE_INLINE vxe_vec3 with_hold(uint32_t flags, int floor, const voxel_places *at, vxe_vec3 v,
                              const vxe_touch *touch, ptrdiff_t lane)
{
    const bool held = at->voxel[VXE_LANE_STUCK * LANES + lane] > 0;
    const vxe_vec3 gives = gives_of(flags, at, lane).v;
    if (floor == GROUND) {
        const vxe_slip slip = slip_of(floor, touch, v);
        const vxe_vec3 lost = terrain_slid(slip, held ? R(0) : R(1));
        return vec_add(v, where_free(flags, gives, lost, (vxe_vec3){0, 0, 0}));
    }
    return where_free(flags, gives, (vxe_vec3){held ? R(0) : v.x, held ? R(0) : v.y, v.z}, v);
}

/* Velocities after friction along the floor. */
VXE_INLINE vxe_vec3 with_friction(uint32_t flags, int floor, const voxel_places *at, vxe_vec3 v,
                                  const vxe_touch *touch, ptrdiff_t lane)
{
    vxe_real *stuck = at->voxel + VXE_LANE_STUCK * LANES;
    const vxe_vec3 gives = gives_of(flags, at, lane).v;
    const vxe_vec3 before = v;
    if (flags & VXE_KICK_FROM_KEPT) {
        v = with_impulse(v, gives, -1, field3(at->carried, VXE_LANE_RUBBED, lane));
    }
    const vxe_slip slip = slip_of(floor, touch, v);
    const vxe_slide slide = friction_slide(
        at->carried[VXE_LANE_IMPULSE * LANES + lane], property_value(at, VXE_LANE_MASS, lane),
        property_value(at, VXE_LANE_STATIC_FRICTION, lane),
        property_value(at, VXE_LANE_DYNAMIC_FRICTION, lane),
        at->numbers[VXE_LANE_BOND_PULL * LANES + lane], slip.x, slip.y, stuck[lane]);
    stuck[lane] = slide.stuck;
    if (floor == GROUND) {
        return where_free(flags, gives, vec_add(v, terrain_slid(slip, slide.factor)), v);
    }
    return where_free(flags, gives, (vxe_vec3){slide.factor * v.x, slide.factor * v.y, v.z},
                      before);
}

/* Velocity after what the floor takes where it bends. */
VXE_INLINE vxe_vec3 with_bend(uint32_t flags, const voxel_places *at, vxe_vec3 v,
                              const vxe_touch *touch, ptrdiff_t lane)
{
    const vxe_terrain_place place = ground_place(at->group, at->voxel, lane);
    const vxe_real *before = at->carried + VXE_LANE_BEFORE * LANES + lane;
    return terrain_mended(
        &place, touch, terrain_velocity(touch->normal, before[0], before[LANES], before[2 * LANES]),
        v, gives_of(flags, at, lane).v, property_value(at, VXE_LANE_FLOOR_STIFFNESS, lane),
        (double)at->numbers[VXE_LANE_STEP * LANES + lane]);
}

#endif
