/* SPDX-License-Identifier: MIT */
/* What a pass does to a voxel of a group after its bonds, lane by lane: total force, kick, decay,
   friction, drift. For lane_kernels.c and bound_voxels.c. Which of these a pass does is known
   before it starts, so a few combinations are compiled separately, without branches in the loop
   over lanes.
 */
#ifndef VXE_ENGINE_LANES_LANE_VOXELS_H
#define VXE_ENGINE_LANES_LANE_VOXELS_H

#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/bonds/bond_law.h"
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

/* Velocities after the kick of a pass and what drag takes. */
VXE_INLINE rates kicked_and_decayed(uint32_t flags, uint32_t stages, const voxel_places *at,
                                    rates force, ptrdiff_t lane)
{
    const rates rate = driven(flags, at, kicked(flags, at, force, lane), lane);
    return stages & VXE_STAGE_DECAY ? decayed(flags, at, rate, lane) : rate;
}

/* What the floor's mean force in a pass follows from. */
typedef struct floor_case {
    vxe_on_floor of;
    vxe_real stiffness, dashpot, h; /* N/m, N s/m, s */
} floor_case;

VXE_INLINE floor_case floor_case_of(uint32_t flags, uint32_t stages, int floor,
                                    const voxel_places *at, ptrdiff_t lane)
{
    const vxe_touch touch = touch_of(floor, at, lane);
    const rates force = total_force(flags, at, lane);
    const vxe_on_floor of =
        flags & VXE_KICK_FLOOR
            ? pushed_by(flags, floor, at, &touch, field3(at->voxel, VXE_LANE_V, lane), force.v,
                        lane)
            : pushed_behind(flags, floor, at, &touch,
                            kicked_and_decayed(flags, stages, at, force, lane).v, lane);
    return (floor_case){of, stiffness_of(floor, at, &touch, lane),
                        property_value(at, VXE_LANE_FLOOR_DASHPOT, lane),
                        at->numbers[VXE_LANE_STEP * LANES + lane]};
}

VXE_INLINE vxe_impact_try case_tried(floor_case one)
{
    return floor_tried(one.of, one.stiffness, one.dashpot, one.h);
}

VXE_INLINE vxe_real case_solved(floor_case one)
{
    return floor_push(one.of, one.stiffness, one.dashpot, 0, one.h).force;
}

/* Whether a pass asks for the floor's mean force. */
#define PASS_PUSHES(flags, stages)                                                                 \
    (((flags)&VXE_KICK_FLOOR) != 0 || ((stages)&VXE_STAGE_FLOOR) != 0)

/* The floor's mean forces (N) in a step, for all lanes of a voxel. Most need one iteration; where
   one lane needs more all have them. */
VXE_INLINE void find_pushes(uint32_t flags, uint32_t stages, int floor, const voxel_places *at,
                            vxe_real *push)
{
    vxe_real unsure[VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const floor_case one = floor_case_of(flags, stages, floor, at, lane);
        const vxe_impact_try found = case_tried(one);
        push[lane] = found.force;
        unsure[lane] = found.sure > 0 ? R(0) : R(1);
    }
    if (any_positive(unsure)) {
#pragma omp simd
        for (ptrdiff_t lane = 0; lane < LANES; lane++) {
            const floor_case one = floor_case_of(flags, stages, floor, at, lane);
            push[lane] = case_solved(one);
        }
    }
}

/* Lanes of waiting voxels whose mean force needs iterations: side by side, so that vectors are full
   and several are under way at once; an iteration waits for the one before it. */
typedef struct floor_queue {
    uint32_t count;
#define QUEUE_LENGTH (VXE_LANE_TURN * VXE_LANES + VXE_LANES)
    vxe_real number[8][QUEUE_LENGTH]; /* of a floor_case */
    uint32_t into[QUEUE_LENGTH];      /* where its force goes, among those of all waiting voxels */
} floor_queue;

/* Where more lanes of a voxel need iterations, all are queued, as vectors. */
#define FEW_LANES 3

/* Finds the floor's mean forces on a voxel, and queues the lanes that need iterations. first: place
   of its first lane among those of all waiting voxels. */
VXE_INLINE void try_pushes(uint32_t flags, uint32_t stages, const voxel_places *at, uint32_t first,
                           floor_queue *queue)
{
    vxe_real unsure[VXE_LANES];
    vxe_real number[8][VXE_LANES];
    vxe_real push[VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const floor_case one = floor_case_of(flags, stages, LEVEL_FLOOR, at, lane);
        const vxe_impact_try found = case_tried(one);
        push[lane] = found.force;
        unsure[lane] = found.sure > 0 ? R(0) : R(1);
        number[0][lane] = one.of.depth;
        number[1][lane] = one.of.off;
        number[2][lane] = one.of.others;
        number[3][lane] = one.of.inverse;
        number[4][lane] = one.of.edge;
        number[5][lane] = one.stiffness;
        number[6][lane] = one.dashpot;
        number[7][lane] = one.h;
    }
    memcpy(at->push, push, sizeof push);
    const uint32_t lanes = failed_lanes(unsure, VXE_LANES);
    const bool whole = __builtin_popcount(lanes) > FEW_LANES;
    for (int c = 0; c < 8 && whole; c++) {
        memcpy(queue->number[c] + queue->count, number[c], sizeof number[c]);
    }
    for (uint32_t lane = 0; lane < VXE_LANES && whole; lane++) {
        queue->into[queue->count + lane] = first + lane;
    }
    queue->count += whole ? VXE_LANES : 0;
    for (uint32_t left = whole ? 0 : lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        for (int c = 0; c < 8; c++) {
            queue->number[c][queue->count] = number[c][lane];
        }
        queue->into[queue->count++] = first + lane;
    }
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
    rates rate = kicked_and_decayed(flags, stages, at, force, lane);
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
        rate.v = with_floor_behind(flags, floor, at, &touch, rate.v, push, lane);
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

/* The same in all lanes. On a level floor the mean forces are known, but for bound voxels. */
VXE_INLINE void move_lanes(uint32_t flags, uint32_t stages, int floor, const voxel_places *at)
{
    vxe_real found[VXE_LANES] = {0};
    const bool known = floor == LEVEL_FLOOR && !(flags & BOUND) && PASS_PUSHES(flags, stages);
    const vxe_real *restrict push = known ? at->push : found;
    if (floor != CLEAR && !known && PASS_PUSHES(flags, stages)) {
        find_pushes(flags, stages, floor, at, found);
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

/* What passes do to voxels: F(NAME, bound, flags, stages); bound is 0 or BOUND. With global drag or
   without, where some robots are in a fluid: without, its coefficient is zero. */
#define VOXEL_MOVES(F, bound)                                                                      \
    F(WHOLE_IN_FLUID, bound, WHOLE_FLAGS | GLOBAL_DRAG | FLUID | DITHERS, WHOLE_STAGES)            \
    F(WHOLE_DRAGGED, bound, WHOLE_FLAGS | GLOBAL_DRAG | DITHERS, WHOLE_STAGES)                     \
    F(WHOLE_DITHERED, bound, WHOLE_FLAGS | DITHERS, WHOLE_STAGES)                                  \
    F(WHOLE, bound, WHOLE_FLAGS, WHOLE_STAGES)                                                     \
    F(SPRINGS_IN_FLUID, bound, SPRINGS_FLAGS | FLUID | DECAYS | DITHERS, SPRINGS_STAGES)           \
    F(SPRINGS_DRAGGED, bound, SPRINGS_FLAGS | DECAYS | DITHERS, SPRINGS_STAGES)                    \
    F(SPRINGS_DITHERED, bound, SPRINGS_FLAGS | DITHERS, SPRINGS_STAGES)                            \
    F(SPRINGS, bound, SPRINGS_FLAGS, SPRINGS_STAGES)                                               \
    F(LAST_DRAGGED, bound, VXE_KICK_FROM_KEPT | DECAYS | DITHERS, LAST_STAGES)                     \
    F(LAST_DITHERED, bound, VXE_KICK_FROM_KEPT | DITHERS, LAST_STAGES)                             \
    F(LAST, bound, VXE_KICK_FROM_KEPT, LAST_STAGES)                                                \
    F(FROM_MIDDLE, bound, VXE_KICK_FROM_MIDDLE, VXE_STAGE_HOLD)                                    \
    F(TO_MIDDLE, bound, VXE_KICK_TO_MIDDLE, VXE_STAGE_HOLD)                                        \
    F(BETWEEN, bound, 0, VXE_STAGE_HOLD)

/* clang-format off */
enum {
#define VOXEL_MOVE(NAME, bound, flags, stages) MOVE_##NAME,
    VOXEL_MOVES(VOXEL_MOVE, 0)
#undef VOXEL_MOVE
    MOVES
};
/* clang-format on */

/* Moves a voxel, all lanes. */
typedef void voxel_mover(const voxel_places *at);

/* Defines the function of each move and each floor (pointers are copied, so that compilers know
   that loops do not change them), and VOXEL_MOVERS lists them in a table of [MOVES][GROUND + 1]. */
#define VOXEL_MOVE_FUNCTIONS(NAME, bound, flags, stages)                                           \
    static void NAME##_clear(const voxel_places *at)                                               \
    {                                                                                              \
        const voxel_places here = *at;                                                             \
        move_lanes((bound) | (flags), stages, CLEAR, &here);                                       \
    }                                                                                              \
    static void NAME##_level(const voxel_places *at)                                               \
    {                                                                                              \
        const voxel_places here = *at;                                                             \
        move_lanes((bound) | (flags), stages, LEVEL_FLOOR, &here);                                 \
    }                                                                                              \
    static void NAME##_ground(const voxel_places *at)                                              \
    {                                                                                              \
        const voxel_places here = *at;                                                             \
        move_lanes((bound) | (flags), stages, GROUND, &here);                                      \
    }
#define VOXEL_MOVERS(NAME, bound, flags, stages) {NAME##_clear, NAME##_level, NAME##_ground},

/* Finds the mean forces of a level floor on a voxel that is not bound, for a pass that asks for
   them: VOXEL_TRY_FUNCTIONS and VOXEL_TRIERS are as above, with null for other passes. */
typedef void voxel_trier(const voxel_places *at, uint32_t first, floor_queue *queue);
#define VOXEL_TRY_FUNCTIONS(NAME, bound, flags, stages)                                            \
    static void NAME##_try(const voxel_places *at, uint32_t first, floor_queue *queue)             \
    {                                                                                              \
        const voxel_places here = *at;                                                             \
        try_pushes(flags, stages, &here, first, queue);                                            \
    }
#define VOXEL_TRIERS(NAME, bound, flags, stages) PASS_PUSHES(flags, stages) ? NAME##_try : NULL,

/* The move of a pass. */
static uint32_t move_of(const vxe_lane_pass *pass, const vxe_lane_group *group)
{
    const bool drags = group->drags;
    const bool dithers = group->dithers;
    switch (pass->kick_flags) {
    case WHOLE_FLAGS:
        return group->swims ? MOVE_WHOLE_IN_FLUID
               : drags      ? MOVE_WHOLE_DRAGGED
               : dithers    ? MOVE_WHOLE_DITHERED
                            : MOVE_WHOLE;
    case SPRINGS_FLAGS:
        return group->swims ? MOVE_SPRINGS_IN_FLUID
               : drags      ? MOVE_SPRINGS_DRAGGED
               : dithers    ? MOVE_SPRINGS_DITHERED
                            : MOVE_SPRINGS;
    case VXE_KICK_FROM_KEPT:
        return drags ? MOVE_LAST_DRAGGED : dithers ? MOVE_LAST_DITHERED : MOVE_LAST;
    case VXE_KICK_FROM_MIDDLE:
        return MOVE_FROM_MIDDLE;
    case VXE_KICK_TO_MIDDLE:
        return MOVE_TO_MIDDLE;
    default:
        VXE_ASSERT(pass->kick_flags == 0 && pass->stages == VXE_STAGE_HOLD);
        return MOVE_BETWEEN;
    }
}

/* The same for a voxel that is bound by a boundary condition (bound_voxels.c). The places are
   copied: those that hot loops read must not be at an address that others know. */
void VXE_VARIANT(vxe_lanes_move_bound)(int floor, const vxe_lane_pass *pass,
                                       const vxe_lane_group *group, voxel_places at,
                                       uint32_t bound);

#endif
