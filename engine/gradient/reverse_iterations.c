/* SPDX-License-Identifier: MIT */
/* A step with damping iterations backwards, all lanes at once. The middle velocities from which
   iterations started are found again; then come the end of the step, iterations from the last to
   the first, and the kick by springs.

   An iteration is u_j = u_0 + h_j M^-1 F(u_j-1), with F linear in velocities and its own transpose:
   from the adjoint l of u_j, y = h_j M^-1 l is a displacement, and F(y) goes to the adjoint of
   u_j-1, l to that of u_0. The last one starts from the velocities behind the kick instead, and its
   end is that of the step. Coefficients of the polynomial count as given.

   This file is compiled once per instruction set and precision, see real.h. */
#include <string.h>

#include "engine/gradient/reverse_lanes.h"

extern const vxe_reverse_iterations VXE_VARIANT(vxe_reverse_iterations);

/* Adjoints within a step, of a voxel. */
enum {
    BY_KEPT,                 /* 6: of the velocities behind the kick */
    BY_MIDDLE = BY_KEPT + 6, /* 6: of the middle velocities of an iteration */
    BY_BASE = BY_MIDDLE + 6, /* 6: of those from which iterations start, as far as these are done */
    BY_KICKED = BY_BASE + 6, /* of the floor's impulse in the kick */
    BY_RUBBED,               /* 2: of friction's */
    BY_NUMBERS = BY_RUBBED + 2
};
_Static_assert((int)BY_NUMBERS == (int)VXE_ITERATION_NUMBERS, "the memory for them");

/* The arrays of iterations, with their type. */
typedef struct iteration_fields {
    reverse_fields step;
    const vxe_real *restrict kicks;
    vxe_real *restrict within; /* (V, BY_NUMBERS, lanes) */
    vxe_real *restrict middle; /* (iterations, V, 6, lanes) */
    vxe_real *restrict force;  /* (V, 6, lanes) */
    ptrdiff_t voxels;
} iteration_fields;

VXE_INLINE vxe_real *within_of(const iteration_fields *f, uint32_t index)
{
    return f->within + (ptrdiff_t)index * (BY_NUMBERS * LANES);
}

/* The velocities from which iteration `number`, from 1, takes its dashpots. */
VXE_INLINE vxe_real *middle_of(const iteration_fields *f, uint32_t number, uint32_t index)
{
    return f->middle + ((ptrdiff_t)(number - 1) * f->voxels + (ptrdiff_t)index) * (6 * LANES);
}

/* Above 0 where the floor holds a voxel in iterations. */
VXE_INLINE vxe_real rests_on_floor(const reverse_voxel *at, ptrdiff_t lane)
{
    return friction_rests(
        at->tape[VXE_LANE_KICKED * LANES + lane], at->now[VXE_LANE_V * LANES + lane],
        at->now[(VXE_LANE_V + 1) * LANES + lane], at->now[VXE_LANE_STUCK * LANES + lane]);
}

/* Sets what the floor holds to rest along it, in all lanes, where it is free to move. velocity: 6
   numbers. bound: a constant here. */
VXE_INLINE void hold_lanes(bool bound, const reverse_voxel *of, vxe_real *restrict velocity)
{
    const reverse_voxel at = *of;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_vec3 v = field3(velocity, 0, lane);
        const vxe_real rests = rests_on_floor(&at, lane);
        const vxe_vec3 still = {rests > 0 ? R(0) : v.x, rests > 0 ? R(0) : v.y, v.z};
        put3(velocity, 0, lane, bound ? chosen3(gives_back(bound, &at, lane).v, still, v) : still);
    }
}

static void hold(const vxe_lane_group *group, const reverse_voxel *of, uint32_t index,
                 vxe_real *velocity)
{
    if (is_bound(group, index)) {
        const reverse_voxel at = with_bounds(*of, group, index);
        hold_lanes(true, &at, velocity);
    } else {
        hold_lanes(false, of, velocity);
    }
}

/* The first middle velocities. */
static void begin_middle(const iteration_fields *f, const vxe_reverse_step *step)
{
    for (uint32_t index = 0; index < step->group->voxels; index++) {
        const reverse_voxel at = voxel_of(false, VXE_TAPE_ITERATED, &f->step, step->group, index);
        const vxe_real *restrict before = at.now + VXE_LANE_V * LANES;
        const vxe_real *restrict kept = at.tape + VXE_LANE_KEPT * LANES;
        vxe_real *restrict middle = middle_of(f, 1, index);
#pragma omp simd
        for (ptrdiff_t i = 0; i < 6 * LANES; i++) {
            middle[i] = R(0.5) * (before[i] + kept[i]);
        }
        if (step->touching[index]) {
            hold(step->group, &at, index, middle);
        }
    }
}

/* A bond of an iteration in a lane: what its dashpots do at some velocities. */
VXE_INLINE vxe_bond_force dash_lane(int axis, int law, const vxe_real *restrict numbers,
                                    const vxe_real *restrict k, const vxe_real *restrict now1,
                                    const vxe_real *restrict now2, const vxe_real *restrict rates1,
                                    const vxe_real *restrict rates2, ptrdiff_t lane)
{
    const vxe_multiples by = lane_multiples(numbers, lane);
    const vxe_dashes dashes = dashes_of_row(law, k + lane, LANES, &by);
    const vxe_chord chord = lane_chord(axis, law, numbers, now1, now2, lane);
    const vxe_mid_frame frame =
        mid_frame(axis, orientation(now1, lane), orientation(now2, lane), bond_exists(k, lane));
    const vxe_bond_geometry geometry = {vec_scaled(R(0.5), chord.r), frame.axis};
    const vxe_bond_motion u = motion_of(rates1, rates2, 0, 3, lane);
    const vxe_bond_ends ends = {.dv = u.dr, .w1 = u.y1, .w2 = u.y2};
    return damp_action(law, &geometry, &ends, dashes);
}

/* Adds the force of a bond's dashpots, all lanes. */
VXE_INLINE void add_dash(int axis, int law, const iteration_fields *f, uint32_t number,
                         const vxe_lane_voxel *voxel, const reverse_voxel *lo, uint32_t index)
{
    const uint32_t upper = voxel->up[axis];
    const vxe_real *restrict k =
        f->step.rows + (ptrdiff_t)voxel->row[axis] * (row_values_of(law) * LANES);
    const vxe_real *restrict numbers = f->step.numbers;
    const vxe_real *restrict now1 = lo->now;
    const vxe_real *restrict now2 = f->step.now + (ptrdiff_t)upper * (VXE_LANE_FIELDS * LANES);
    const vxe_real *restrict rates1 = middle_of(f, number, index);
    const vxe_real *restrict rates2 = middle_of(f, number, upper);
    vxe_real *restrict force1 = f->force + (ptrdiff_t)index * (6 * LANES);
    vxe_real *restrict force2 = f->force + (ptrdiff_t)upper * (6 * LANES);
    vxe_real got[9 * VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_bond_force act =
            dash_lane(axis, law, numbers, k, now1, now2, rates1, rates2, lane);
        put3(got, 0, lane, act.force);
        put3(got, 3, lane, vec_add(act.a, act.b));
        put3(got, 6, lane, vec_sub(act.a, act.b));
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < 3 * LANES; i++) {
        force1[i] += got[i];
        force1[3 * LANES + i] += got[3 * LANES + i];
        force2[i] -= got[i];
        force2[3 * LANES + i] += got[6 * LANES + i];
    }
}

/* The velocities (6) that an iteration gains by forces (6), all lanes: base + kick M^-1 force.
   base: null for the gain alone. bound: a constant here. */
VXE_INLINE void gain_lanes(bool bound, const reverse_voxel *of, const vxe_real *restrict kick,
                           const vxe_real *base, const vxe_real *force, vxe_real *into)
{
    const reverse_voxel at = *of;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const rates gives = gives_back(bound, &at, lane);
        const vxe_vec3 v = vec_times(vec_scaled(kick[lane], gives.v), field3(force, 0, lane));
        const vxe_vec3 w = vec_times(vec_scaled(kick[lane], gives.w), field3(force, 3, lane));
        put3(into, 0, lane, base ? vec_add(field3(base, 0, lane), v) : v);
        put3(into, 3, lane, base ? vec_add(field3(base, 3, lane), w) : w);
    }
}

/* The same of any voxel. */
static void gain(const vxe_lane_group *group, const reverse_voxel *of, uint32_t index,
                 const vxe_real *kick, const vxe_real *base, const vxe_real *force, vxe_real *into)
{
    if (is_bound(group, index)) {
        const reverse_voxel at = with_bounds(*of, group, index);
        gain_lanes(true, &at, kick, base, force, into);
    } else if (base) {
        gain_lanes(false, of, kick, base, force, into);
    } else {
        gain_lanes(false, of, kick, NULL, force, into);
    }
}

/* Finds the velocities from which iteration `number`, above 1, takes its dashpots. */
VXE_INLINE void find_middle(int law, const iteration_fields *f, const vxe_reverse_step *step,
                            uint32_t number)
{
    const vxe_lane_group *group = step->group;
    const vxe_real *restrict kick = f->kicks + (ptrdiff_t)(number - 1) * LANES;
    memset(f->force, 0, (size_t)group->voxels * 6 * LANES * sizeof(vxe_real));
    for (uint32_t index = 0; index < group->voxels; index++) {
        const vxe_lane_voxel *voxel = &group->voxel[index];
        const reverse_voxel at = voxel_of(false, VXE_TAPE_ITERATED, &f->step, group, index);
        if (voxel->up[0] != VXE_NONE) {
            add_dash(0, law, f, number - 1, voxel, &at, index);
        }
        if (voxel->up[1] != VXE_NONE) {
            add_dash(1, law, f, number - 1, voxel, &at, index);
        }
        if (voxel->up[2] != VXE_NONE) {
            add_dash(2, law, f, number - 1, voxel, &at, index);
        }
    }
    for (uint32_t index = 0; index < group->voxels; index++) {
        const reverse_voxel at = voxel_of(false, VXE_TAPE_ITERATED, &f->step, group, index);
        vxe_real *middle = middle_of(f, number, index);
        gain(group, &at, index, kick, middle_of(f, 1, index),
             f->force + (ptrdiff_t)index * (6 * LANES), middle);
        if (step->touching[index]) {
            hold(group, &at, index, middle);
        }
    }
}

/* What the end of a step gives back of a voxel on the floor. */
typedef struct end_return {
    vxe_vec3 v;            /* adjoint of the velocity behind the last iteration */
    vxe_real off;          /* of that before the step, along z */
    vxe_real depth;        /* of the depth */
    vxe_real kicked;       /* of the floor's impulse in the kick */
    vxe_real rub_x, rub_y; /* of friction's */
} end_return;

/* Undoes friction, and what the floor adds behind iterations; lv: of the velocity behind. bound: a
   constant here, as below. */
VXE_INLINE end_return reverse_end(bool bound, const reverse_voxel *at,
                                  const vxe_real *restrict numbers, vxe_vec3 lv, ptrdiff_t lane)
{
    const vxe_vec3 gives = gives_back(bound, at, lane).v;
    const floor_numbers of = floor_numbers_of(at, numbers, gives.z, lane);
    const vxe_vec3 free = along_free(bound, gives, lv);
    const vxe_real impulse = at->tape[VXE_LANE_IMPULSE * LANES + lane];
    const vxe_real kicked = at->tape[VXE_LANE_KICKED * LANES + lane];
    const vxe_vec3 behind = field3(at->next, VXE_LANE_V, lane);
    const vxe_real off = at->now[(VXE_LANE_V + 2) * LANES + lane];
    const vxe_real sticks = at->next[VXE_LANE_STUCK * LANES + lane];
    const vxe_real rests = rests_on_floor(at, lane);
    const velocity_before slip = before_friction(&of, behind, impulse, rests);
    const vxe_slide_adjoint slid =
        friction_slide_adjoint(impulse, of.mass > 0 ? of.mass : R(1), of.mu_d, of.pull, slip.x,
                               slip.y, rests, sticks, free.x, free.y);
    const vxe_real before = vxe_fma(of.inverse, kicked - impulse, behind.z); /* m/s, along z */
    const vxe_vec3 gained = along_free(bound, gives, (vxe_vec3){0, 0, before - off});
    const vxe_real others = vxe_fma(-of.inverse, kicked, gained.z);
    const vxe_real depth = depth_of(at->now, numbers, lane);
    const vxe_real by = by_push(&of, depth, off, impulse, vxe_fma(of.inverse, lv.z, slid.impulse));
    const vxe_impact_slopes slope =
        impact_adjoint(depth, -off, -others, of.stiffness, of.dashpot, of.inverse, of.h);
    const vxe_real by_others = -by * slope.others;
    return (end_return){{past_friction(bound, gives.x, slid.vx, lv.x),
                         past_friction(bound, gives.y, slid.vy, lv.y), lv.z + by_others},
                        -by * slope.v - by_others,
                        by * slope.depth,
                        -of.inverse * (lv.z + by_others),
                        -gives.x * slid.vx,
                        -gives.y * slid.vy};
}

/* What half a step of global drag leaves of velocities, along free directions. */
VXE_INLINE rates decays_back(bool bound, const reverse_voxel *at, ptrdiff_t lane)
{
    const rates gives = gives_back(bound, at, lane);
    const vxe_real drag = 1 + at->property[VXE_LANE_DRAG_DECAY * LANES + lane];
    const vxe_real spin = 1 + at->property[VXE_LANE_SPIN_DECAY * LANES + lane];
    const vxe_vec3 all = {1, 1, 1};
    const vxe_vec3 v = {drag, drag, drag};
    const vxe_vec3 w = {spin, spin, spin};
    return (rates){bound ? chosen3(gives.v, v, all) : v, bound ? chosen3(gives.w, w, all) : w};
}

/* Undoes the drift and the end of a step of a voxel in all lanes, and begins the adjoints within
   it. floor, bound: constants here. */
VXE_INLINE void end_lanes(bool floor, bool bound, const reverse_fields *f, const reverse_voxel *of,
                          const vxe_real *restrict kick, vxe_real *restrict within)
{
    const reverse_voxel here = *of; /* in registers, whatever is stored */
    const reverse_voxel *at = &here;
    const vxe_real *restrict numbers = f->numbers;
    vxe_real *restrict adjoint = at->adjoint;
    vxe_real *restrict move = at->move;
    vxe_real *restrict changes = f->changes;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_voxel_adjoint before = before_drift(at, f, lane);
        end_return from = {before.v, 0, 0, 0, 0, 0};
        if (floor) {
            from = reverse_end(bound, at, numbers, before.v, lane);
            const bool stuck = at->now[VXE_LANE_STUCK * LANES + lane] > 0;
            const bool sticks = at->next[VXE_LANE_STUCK * LANES + lane] > 0;
            changes[lane] += stuck == sticks ? R(0) : R(1);
        }
        const rates decays = decays_back(bound, at, lane);
        const rates gives = gives_back(bound, at, lane);
        const vxe_vec3 v = vec_times(decays.v, from.v);
        const vxe_vec3 w = vec_times(decays.w, before.w);
        put3(move, 0, lane, vec_times(vec_scaled(kick[lane], gives.v), v));
        put3(move, 3, lane, vec_times(vec_scaled(kick[lane], gives.w), w));
        put3(within, BY_KEPT, lane, v);
        put3(within, BY_KEPT + 3, lane, w);
        within[BY_KICKED * LANES + lane] = from.kicked;
        within[BY_RUBBED * LANES + lane] = from.rub_x;
        within[(BY_RUBBED + 1) * LANES + lane] = from.rub_y;
        put3(adjoint, VXE_ADJOINT_PLACE, lane,
             (vxe_vec3){before.place.x, before.place.y, before.place.z - from.depth});
        put3(adjoint, VXE_ADJOINT_TURN, lane, before.turn);
        put3(adjoint, VXE_ADJOINT_V, lane, (vxe_vec3){0, 0, from.off});
        put3(adjoint, VXE_ADJOINT_W, lane, (vxe_vec3){0, 0, 0});
        adjoint[VXE_ADJOINT_GROWTH * LANES + lane] = R(0.5) * from.depth;
    }
}

/* What the dashpots of a bond give to adjoints, in a lane. */
typedef struct dash_return {
    vxe_bond_adjoint pose;
    vxe_vec3 v, w1, w2; /* of the velocities at which they act; the upper voxel's v the negative */
} dash_return;

VXE_INLINE dash_return reverse_dash_lane(int axis, int law, const vxe_real *restrict numbers,
                                         const vxe_real *restrict k, const vxe_real *restrict now1,
                                         const vxe_real *restrict now2,
                                         const vxe_real *restrict rates1,
                                         const vxe_real *restrict rates2,
                                         const vxe_real *restrict move1,
                                         const vxe_real *restrict move2, ptrdiff_t lane)
{
    const vxe_multiples by = lane_multiples(numbers, lane);
    const vxe_dashes dashes = dashes_of_row(law, k + lane, LANES, &by);
    const vxe_chord chord = lane_chord(axis, law, numbers, now1, now2, lane);
    const vxe_mid_frame frame =
        mid_frame(axis, orientation(now1, lane), orientation(now2, lane), bond_exists(k, lane));
    const vxe_bond_geometry geometry = {vec_scaled(R(0.5), chord.r), frame.axis};
    const vxe_bond_motion y = motion_of(move1, move2, 0, 3, lane);
    const vxe_bond_motion u = motion_of(rates1, rates2, 0, 3, lane);
    const vxe_bond_adjoint pose = dashpot_adjoint(law, &frame, &geometry, dashes, &u, &y);
    const vxe_bond_ends ends = {.dv = y.dr, .w1 = y.y1, .w2 = y.y2};
    const vxe_bond_force pull = damp_action(law, &geometry, &ends, dashes);
    return (dash_return){pose, pull.force, vec_add(pull.a, pull.b), vec_sub(pull.a, pull.b)};
}

/* Adds what the dashpots of a bond give to adjoints, all lanes. */
VXE_INLINE void reverse_dash(int axis, int law, const iteration_fields *f, uint32_t number,
                             const vxe_lane_voxel *voxel, const reverse_voxel *lo,
                             const reverse_voxel *hi, uint32_t index)
{
    const uint32_t upper = voxel->up[axis];
    const vxe_real *restrict k =
        f->step.rows + (ptrdiff_t)voxel->row[axis] * (row_values_of(law) * LANES);
    const vxe_real *restrict numbers = f->step.numbers;
    const vxe_real *restrict now1 = lo->now;
    const vxe_real *restrict now2 = hi->now;
    const vxe_real *restrict rates1 = middle_of(f, number, index);
    const vxe_real *restrict rates2 = middle_of(f, number, upper);
    const vxe_real *restrict move1 = lo->move;
    const vxe_real *restrict move2 = hi->move;
    vxe_real *restrict adjoint1 = lo->adjoint;
    vxe_real *restrict adjoint2 = hi->adjoint;
    vxe_real *restrict by1 = within_of(f, index) + BY_MIDDLE * LANES;
    vxe_real *restrict by2 = within_of(f, upper) + BY_MIDDLE * LANES;
    vxe_real got[18 * VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const dash_return one = reverse_dash_lane(axis, law, numbers, k, now1, now2, rates1, rates2,
                                                  move1, move2, lane);
        put3(got, 0, lane, one.pose.place);
        put3(got, 3, lane, one.pose.turn1);
        put3(got, 6, lane, one.v);
        put3(got, 9, lane, one.w1);
        put3(got, 12, lane, one.pose.turn2);
        put3(got, 15, lane, one.w2);
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < 6 * LANES; i++) {
        adjoint1[i] += got[i];
        by1[i] += got[6 * LANES + i];
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < 3 * LANES; i++) {
        adjoint2[VXE_ADJOINT_PLACE * LANES + i] -= got[i];
        adjoint2[VXE_ADJOINT_TURN * LANES + i] += got[12 * LANES + i];
        by2[i] -= got[6 * LANES + i];
        by2[3 * LANES + i] += got[15 * LANES + i];
    }
}

/* Adds the adjoints of the velocities at which an iteration's dashpots acted to those of the base.
 */
VXE_INLINE void pass_on(vxe_real *restrict within)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < 6 * LANES; i++) {
        within[BY_BASE * LANES + i] += within[BY_MIDDLE * LANES + i];
    }
}

/* Undoes iteration `number`, from 1. */
VXE_INLINE void reverse_iteration(int law, const iteration_fields *f, const vxe_reverse_step *step,
                                  uint32_t number)
{
    const vxe_lane_group *group = step->group;
    for (uint32_t index = 0; index < group->voxels; index++) {
        memset(within_of(f, index) + BY_MIDDLE * LANES, 0, 6 * LANES * sizeof(vxe_real));
    }
    for (uint32_t index = group->voxels; index-- > 0;) {
        const vxe_lane_voxel *voxel = &group->voxel[index];
        const reverse_voxel at = voxel_of(false, VXE_TAPE_ITERATED, &f->step, group, index);
        for (int axis = 0; axis < 3; axis++) {
            if (voxel->up[axis] != VXE_NONE) {
                const reverse_voxel up =
                    voxel_of(false, VXE_TAPE_ITERATED, &f->step, group, voxel->up[axis]);
                if (axis == 0) {
                    reverse_dash(0, law, f, number, voxel, &at, &up, index);
                } else if (axis == 1) {
                    reverse_dash(1, law, f, number, voxel, &at, &up, index);
                } else {
                    reverse_dash(2, law, f, number, voxel, &at, &up, index);
                }
            }
        }
    }
    for (uint32_t index = 0; index < group->voxels; index++) {
        const reverse_voxel at = voxel_of(false, VXE_TAPE_ITERATED, &f->step, group, index);
        vxe_real *restrict within = within_of(f, index);
        if (step->touching[index]) {
            hold(group, &at, index, within + BY_MIDDLE * LANES);
        }
        pass_on(within);
        if (number > 1) { /* the virtual displacement of the iteration before */
            gain(group, &at, index, f->kicks + (ptrdiff_t)(number - 1) * LANES, NULL,
                 within + BY_MIDDLE * LANES, at.move);
        }
    }
}

/* What the kick gives back of a voxel on the floor. */
typedef struct kick_return {
    vxe_vec3 v;     /* adjoint of the velocity before the step */
    vxe_real depth; /* of the depth */
    vxe_real gains; /* of what the voxel gains along z by all other forces */
} kick_return;

/* Undoes the floor and friction in the kick; lv: of the velocity behind it. */
VXE_INLINE kick_return reverse_kick(bool bound, const reverse_voxel *at,
                                    const vxe_real *restrict numbers,
                                    const vxe_real *restrict within, vxe_vec3 lv, ptrdiff_t lane)
{
    const vxe_vec3 gives = gives_back(bound, at, lane).v;
    const floor_numbers of = floor_numbers_of(at, numbers, gives.z, lane);
    const vxe_real kicked = at->tape[VXE_LANE_KICKED * LANES + lane];
    const vxe_real kept = at->tape[(VXE_LANE_KEPT + 2) * LANES + lane];
    const vxe_real behind = kept / decays_back(bound, at, lane).v.z;
    const vxe_vec3 v = field3(at->now, VXE_LANE_V, lane);
    const vxe_real rub_x = vxe_fma(gives.x, lv.x, within[BY_RUBBED * LANES + lane]);
    const vxe_real rub_y = vxe_fma(gives.y, lv.y, within[(BY_RUBBED + 1) * LANES + lane]);
    const vxe_slide_adjoint rubs = friction_predicted_adjoint(
        kicked, of.mass, of.mu_d, of.pull, v.x, v.y, rests_on_floor(at, lane), rub_x, rub_y);
    const vxe_vec3 gained = along_free(bound, gives, (vxe_vec3){0, 0, behind - v.z});
    const vxe_real others = vxe_fma(-of.inverse, kicked, gained.z);
    const vxe_real depth = depth_of(at->now, numbers, lane);
    const vxe_real by =
        by_push(&of, depth, v.z, kicked,
                vxe_fma(of.inverse, lv.z, within[BY_KICKED * LANES + lane] + rubs.impulse));
    const vxe_impact_slopes slope =
        impact_adjoint(depth, -v.z, -others, of.stiffness, of.dashpot, of.inverse, of.h);
    return (kick_return){{rubs.vx, rubs.vy, -by * slope.v}, by * slope.depth, -by * slope.others};
}

/* Undoes the halving and the kick of a voxel in all lanes. floor, bound: constants here. */
VXE_INLINE void kick_lanes(bool floor, bool bound, const reverse_fields *f, const reverse_voxel *of,
                           const vxe_real *restrict within)
{
    const reverse_voxel here = *of;
    const reverse_voxel *at = &here;
    const vxe_real *restrict numbers = f->numbers;
    vxe_real *restrict adjoint = at->adjoint;
    vxe_real *restrict move = at->move;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_real h = numbers[VXE_LANE_STEP * LANES + lane];
        const rates decays = decays_back(bound, at, lane);
        const rates gives = gives_back(bound, at, lane);
        const vxe_vec3 half_v = vec_scaled(R(0.5), field3(within, BY_BASE, lane));
        const vxe_vec3 half_w = vec_scaled(R(0.5), field3(within, BY_BASE + 3, lane));
        const vxe_vec3 kept = vec_add(field3(within, BY_KEPT, lane), half_v);
        const vxe_vec3 lv = vec_times(decays.v, kept);
        const vxe_vec3 lw = vec_times(decays.w, vec_add(field3(within, BY_KEPT + 3, lane), half_w));
        kick_return from = {{0, 0, 0}, 0, 0};
        if (floor) {
            from = reverse_kick(bound, at, numbers, within, lv, lane);
        }
        put3(move, 0, lane,
             vec_times(vec_scaled(h, gives.v), (vxe_vec3){lv.x, lv.y, lv.z + from.gains}));
        put3(move, 3, lane, vec_times(vec_scaled(h, gives.w), lw));
        vxe_voxel_adjoint passed = {field3(adjoint, VXE_ADJOINT_PLACE, lane), {0, 0, 0}, lv, lw};
        if (bound) {
            passed = before_driven(at, h, passed, lane);
            put3(adjoint, VXE_ADJOINT_PLACE, lane, passed.place);
        }
        const vxe_vec3 before = vec_add(vec_add(half_v, passed.v), from.v);
        put3(adjoint, VXE_ADJOINT_V, lane, vec_add(field3(adjoint, VXE_ADJOINT_V, lane), before));
        put3(adjoint, VXE_ADJOINT_W, lane, vec_add(half_w, passed.w));
        adjoint[(VXE_ADJOINT_PLACE + 2) * LANES + lane] -= from.depth;
        adjoint[VXE_ADJOINT_GROWTH * LANES + lane] += R(0.5) * from.depth;
    }
}

/* The same of a voxel that a boundary condition binds; and of its end of a step. These are few, and
   compiled apart. */
static void kick_bound(bool floor, const reverse_fields *f, const vxe_lane_group *group,
                       const reverse_voxel *of, uint32_t index, const vxe_real *within)
{
    const reverse_voxel at = with_bounds(*of, group, index);
    if (floor) {
        kick_lanes(true, true, f, &at, within);
    } else {
        kick_lanes(false, true, f, &at, within);
    }
}

static void end_bound(bool floor, const reverse_fields *f, const vxe_lane_group *group,
                      const reverse_voxel *of, uint32_t index, const vxe_real *kick,
                      vxe_real *within)
{
    const reverse_voxel at = with_bounds(*of, group, index);
    if (floor) {
        end_lanes(true, true, f, &at, kick, within);
    } else {
        end_lanes(false, true, f, &at, kick, within);
    }
}

VXE_INLINE vxe_bond_adjoint reverse_spring_lane(int axis, int law, const vxe_real *restrict numbers,
                                                const vxe_real *restrict k,
                                                const vxe_real *restrict now1,
                                                const vxe_real *restrict now2,
                                                const vxe_real *restrict move1,
                                                const vxe_real *restrict move2, ptrdiff_t lane)
{
    const vxe_multiples by = lane_multiples(numbers, lane);
    const vxe_springs springs = springs_of_row(law, k + lane, LANES, &by);
    const vxe_chord chord = lane_chord(axis, law, numbers, now1, now2, lane);
    const vxe_mid_frame frame =
        mid_frame(axis, orientation(now1, lane), orientation(now2, lane), bond_exists(k, lane));
    const vxe_bond_motion y = motion_of(move1, move2, 0, 3, lane);
    return spring_adjoint(axis, law & VXE_BOND_EVEN, law & VXE_BOND_FREE, &frame, &chord, springs,
                          &y);
}

/* Adds what the springs of a bond give to adjoints, all lanes. */
VXE_INLINE void reverse_spring(int axis, int law, const iteration_fields *f,
                               const vxe_lane_voxel *voxel, const reverse_voxel *lo,
                               const reverse_voxel *hi)
{
    const vxe_real *restrict k =
        f->step.rows + (ptrdiff_t)voxel->row[axis] * (row_values_of(law) * LANES);
    const vxe_real *restrict numbers = f->step.numbers;
    const vxe_real *restrict now1 = lo->now;
    const vxe_real *restrict now2 = hi->now;
    const vxe_real *restrict move1 = lo->move;
    const vxe_real *restrict move2 = hi->move;
    vxe_real *restrict adjoint1 = lo->adjoint;
    vxe_real *restrict adjoint2 = hi->adjoint;
    vxe_real got[10 * VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_bond_adjoint one =
            reverse_spring_lane(axis, law, numbers, k, now1, now2, move1, move2, lane);
        put3(got, 0, lane, one.place);
        put3(got, 3, lane, one.turn1);
        put3(got, 6, lane, one.turn2);
        got[9 * LANES + lane] = R(0.5) * one.length;
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < 3 * LANES; i++) {
        adjoint1[VXE_ADJOINT_PLACE * LANES + i] += got[i];
        adjoint1[VXE_ADJOINT_TURN * LANES + i] += got[3 * LANES + i];
        adjoint2[VXE_ADJOINT_PLACE * LANES + i] -= got[i];
        adjoint2[VXE_ADJOINT_TURN * LANES + i] += got[6 * LANES + i];
    }
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        adjoint1[VXE_ADJOINT_GROWTH * LANES + lane] += got[9 * LANES + lane];
        adjoint2[VXE_ADJOINT_GROWTH * LANES + lane] += got[9 * LANES + lane];
    }
}

/* What the fluid around a voxel gives back. */
static void reverse_fluid(const reverse_fields *f, const reverse_voxel *at)
{
    reverse_fluid_lanes(false, f, at);
}

/* Undoes the kick of all voxels, and the springs of their bonds. */
VXE_INLINE void reverse_springs(int law, const iteration_fields *f, const vxe_reverse_step *step)
{
    const vxe_lane_group *group = step->group;
    for (uint32_t index = group->voxels; index-- > 0;) {
        const vxe_lane_voxel *voxel = &group->voxel[index];
        const reverse_voxel at = voxel_of(false, VXE_TAPE_ITERATED, &f->step, group, index);
        if (is_bound(group, index)) {
            kick_bound(step->touching[index], &f->step, group, &at, index, within_of(f, index));
        } else if (step->touching[index]) {
            kick_lanes(true, false, &f->step, &at, within_of(f, index));
        } else {
            kick_lanes(false, false, &f->step, &at, within_of(f, index));
        }
        if (group->swims) {
            reverse_fluid(&f->step, &at);
        }
        for (int axis = 0; axis < 3; axis++) {
            if (voxel->up[axis] != VXE_NONE) {
                const reverse_voxel up =
                    voxel_of(false, VXE_TAPE_ITERATED, &f->step, group, voxel->up[axis]);
                if (axis == 0) {
                    reverse_spring(0, law, f, voxel, &at, &up);
                } else if (axis == 1) {
                    reverse_spring(1, law, f, voxel, &at, &up);
                } else {
                    reverse_spring(2, law, f, voxel, &at, &up);
                }
            }
        }
    }
}

/* Undoes the end of a step of all voxels. */
static void reverse_ends(const iteration_fields *f, const vxe_reverse_step *step)
{
    const vxe_real *restrict kick = f->kicks + (ptrdiff_t)step->iterations * LANES;
    for (uint32_t index = 0; index < step->group->voxels; index++) {
        const reverse_voxel at = voxel_of(false, VXE_TAPE_ITERATED, &f->step, step->group, index);
        vxe_real *restrict within = within_of(f, index);
        memset(within, 0, BY_NUMBERS * LANES * sizeof(vxe_real));
        if (is_bound(step->group, index)) {
            end_bound(step->touching[index], &f->step, step->group, &at, index, kick, within);
        } else if (step->touching[index]) {
            end_lanes(true, false, &f->step, &at, kick, within);
        } else {
            end_lanes(false, false, &f->step, &at, kick, within);
        }
    }
}

/* Reverses a step; law is a constant where this is compiled. */
VXE_INLINE void run(int law, const vxe_reverse_step *step)
{
    const iteration_fields f = {fields_of_step(false, step), reals_const(step->kicks),
                                reals(step->within),         reals(step->middle),
                                reals(step->force),          (ptrdiff_t)step->group->voxels};
    begin_middle(&f, step);
    for (uint32_t number = 2; number <= step->iterations; number++) {
        find_middle(law, &f, step, number);
    }
    reverse_ends(&f, step);
    for (uint32_t number = step->iterations; number >= 1; number--) {
        reverse_iteration(law, &f, step, number);
    }
    reverse_springs(law, &f, step);
}

static void reverse(const vxe_reverse_step *step)
{
    if (step->law & VXE_BOND_EVEN) {
        run(VXE_BOND_SPRINGS | VXE_BOND_EVEN, step);
    } else if (step->law & VXE_BOND_FREE) {
        run(VXE_BOND_SPRINGS | VXE_BOND_FREE, step);
    } else {
        run(VXE_BOND_SPRINGS, step);
    }
}

const vxe_reverse_iterations VXE_VARIANT(vxe_reverse_iterations) = {.reverse = reverse};
