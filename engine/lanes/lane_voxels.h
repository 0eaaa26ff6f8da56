/* SPDX-License-Identifier: MIT */
/* What a pass does to a voxel of a group after its bonds, lane by lane: total force, kick, decay,
   friction, drift. For lane_kernels.c and bound_voxels.c. Which of these a pass does is known
   before it starts, so a few combinations are compiled separately, without branches in the loop
   over lanes.
 */
#ifndef VXE_ENGINE_LANES_LANE_VOXELS_H
#define VXE_ENGINE_LANES_LANE_VOXELS_H

#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/lanes/lane_forces.h"
#include "engine/voxels/rotation_law.h"

/* The dither of a lane. */
VXE_INLINE vxe_dither dither_in(const voxel_places *at, ptrdiff_t lane)
{
    return (vxe_dither){at->dither[lane], at->dither[LANES + lane]};
}

/* a + s b, component by component, dithered. */
VXE_INLINE vxe_vec3 dithered3(const vxe_dither *by, vxe_vec3 a, vxe_vec3 s, vxe_vec3 b)
{
    return (vxe_vec3){dithered(by, a.x, s.x, b.x), dithered(by, a.y, s.y, b.y),
                      dithered(by, a.z, s.z, b.z)};
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
    const rates gives = gives_of(flags, at, lane);
    const vxe_vec3 by_mass = vec_scaled(at->h[lane], gives.v);
    const vxe_vec3 by_inertia = vec_scaled(at->h[lane], gives.w);
    const vxe_dither by = dither_in(at, lane);
    const bool all = (flags & VXE_KICK_EXTERNAL) && (flags & DITHERS);
    rates rate = {dithered3(all ? &by : NULL, field3(base, 0, lane), by_mass, force.v),
                  dithered3(all ? &by : NULL, field3(base, 3, lane), by_inertia, force.w)};
    if (flags & VXE_KICK_EXTERNAL) {
        rate.v.z = dithered(&by, base[2 * LANES + lane], by_mass.z, force.v.z);
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
        const rates gives = gives_of(flags, at, lane);
        const vxe_vec3 v = decayed3(&by, rate.v, property_value(at, VXE_LANE_DRAG_DECAY, lane));
        const vxe_vec3 w = decayed3(&by, rate.w, property_value(at, VXE_LANE_SPIN_DECAY, lane));
        rate =
            (rates){where_free(flags, gives.v, v, rate.v), where_free(flags, gives.w, w, rate.w)};
    }
    return rate;
}

/* Velocities after prescribed motion: a kick by outer forces is the one that it follows. */
VXE_INLINE rates driven(uint32_t flags, const voxel_places *at, rates rate, ptrdiff_t lane)
{
    if ((flags & BOUND) && (flags & VXE_KICK_EXTERNAL)) {
        rate.v = chosen3(field3(at->bound, VXE_BOUND_DRIVEN, lane),
                         field3(at->bound, VXE_BOUND_RATE, lane), rate.v);
        rate.w = chosen3(field3(at->bound, VXE_BOUND_DRIVEN + 3, lane),
                         field3(at->bound, VXE_BOUND_RATE + 3, lane), rate.w);
    }
    return rate;
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
    rates rate = driven(flags, at, kicked(flags, at, force, lane), lane);
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
        rate.v = with_hold(flags, floor, at, rate.v, &touch, lane);
    }
    if ((stages & VXE_STAGE_FLOOR) && floor != CLEAR) {
        rate.v = with_floor_behind(flags, floor, at, &touch, rate.v, lane);
    }
    if ((stages & VXE_STAGE_FRICTION) && floor != CLEAR) {
        rate.v = with_friction(flags, floor, at, rate.v, &touch, lane);
    }
    if ((stages & VXE_STAGE_BEND) && floor == GROUND) {
        rate.v = with_bend(flags, at, rate.v, &touch, lane);
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

/* Runs the combination of flags and stages that a pass has; bound (0 or BOUND) and floor are
   constants. */
VXE_INLINE void move_by_pass(uint32_t bound, int floor, const vxe_lane_pass *pass,
                             const vxe_lane_group *group, const voxel_places *at)
{
    if (pass->kick_flags == WHOLE_FLAGS && group->swims) {
        /* with global drag or without: without, its coefficient is zero */
        move_lanes(bound | WHOLE_FLAGS | GLOBAL_DRAG | FLUID | DITHERS, WHOLE_STAGES, floor, at);
    } else if (pass->kick_flags == WHOLE_FLAGS && group->drags) {
        move_lanes(bound | WHOLE_FLAGS | GLOBAL_DRAG | DITHERS, WHOLE_STAGES, floor, at);
    } else if (pass->kick_flags == WHOLE_FLAGS && group->dithers) {
        move_lanes(bound | WHOLE_FLAGS | DITHERS, WHOLE_STAGES, floor, at);
    } else if (pass->kick_flags == WHOLE_FLAGS) {
        move_lanes(bound | WHOLE_FLAGS, WHOLE_STAGES, floor, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS && group->swims) {
        move_lanes(bound | SPRINGS_FLAGS | FLUID | DECAYS | DITHERS, SPRINGS_STAGES, floor, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS && group->drags) {
        move_lanes(bound | SPRINGS_FLAGS | DECAYS | DITHERS, SPRINGS_STAGES, floor, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS && group->dithers) {
        move_lanes(bound | SPRINGS_FLAGS | DITHERS, SPRINGS_STAGES, floor, at);
    } else if (pass->kick_flags == SPRINGS_FLAGS) {
        move_lanes(bound | SPRINGS_FLAGS, SPRINGS_STAGES, floor, at);
    } else if (pass->kick_flags == VXE_KICK_FROM_KEPT && group->drags) {
        move_lanes(bound | VXE_KICK_FROM_KEPT | DECAYS | DITHERS, LAST_STAGES, floor, at);
    } else if (pass->kick_flags == VXE_KICK_FROM_KEPT && group->dithers) {
        move_lanes(bound | VXE_KICK_FROM_KEPT | DITHERS, LAST_STAGES, floor, at);
    } else if (pass->kick_flags == VXE_KICK_FROM_KEPT) {
        move_lanes(bound | VXE_KICK_FROM_KEPT, LAST_STAGES, floor, at);
    } else if (pass->kick_flags == VXE_KICK_FROM_MIDDLE) {
        move_lanes(bound | VXE_KICK_FROM_MIDDLE, VXE_STAGE_HOLD, floor, at);
    } else if (pass->kick_flags == VXE_KICK_TO_MIDDLE) {
        move_lanes(bound | VXE_KICK_TO_MIDDLE, VXE_STAGE_HOLD, floor, at);
    } else {
        VXE_ASSERT(pass->kick_flags == 0 && pass->stages == VXE_STAGE_HOLD);
        move_lanes(bound, VXE_STAGE_HOLD, floor, at);
    }
}

/* The same for a voxel that is bound by a boundary condition (bound_voxels.c). The places are
   copied: those that hot loops read must not be at an address that others know. */
void VXE_VARIANT(vxe_lanes_move_bound)(int floor, const vxe_lane_pass *pass,
                                       const vxe_lane_group *group, voxel_places at,
                                       uint32_t bound);

#endif
