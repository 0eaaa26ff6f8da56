/* SPDX-License-Identifier: MIT */
/* A step backwards, all lanes at once. Voxels are taken in descending scan order: drift, friction,
   floor and kick of a voxel are undone, which gives its virtual displacement; then its bonds
   upwards, whose other voxels were taken before. So one pass serves, in place, and every sum has
   one order.

   This file is compiled once per instruction set and precision, see real.h. */
#include "engine/gradient/reverse_lanes.h"
#include "engine/voxels/actuation_law.h"

extern const vxe_reverse_kernels VXE_VARIANT(vxe_reverse_kernels);

/* What the floor gives back of a voxel's velocity behind it. */
typedef struct floor_return {
    vxe_vec3 v;     /* adjoint of the velocity behind the kick */
    vxe_real off;   /* of the velocity before it, along z, that the floor's force follows */
    vxe_real depth; /* of the depth */
    vxe_real gains; /* of what the voxel gains along z by all other forces */
    vxe_real scale; /* what the velocity along the floor was before friction, over that behind */
    vxe_real mass, stiffness, dashpot, friction; /* of these properties */
} floor_return;

/* bound: a constant here, as below. */
VXE_INLINE floor_return reverse_floor(bool bound, const reverse_voxel *at,
                                      const vxe_real *restrict numbers, vxe_vec3 lv, ptrdiff_t lane)
{
    const vxe_vec3 gives = gives_back(bound, at, lane).v;
    const floor_numbers of = floor_numbers_of(at, numbers, gives.z, lane);
    const vxe_vec3 free = along_free(bound, gives, lv);
    const vxe_vec3 before = field3(at->now, VXE_LANE_V, lane);
    const vxe_vec3 behind = field3(at->next, VXE_LANE_V, lane);
    const vxe_real impulse = at->tape[lane];
    const vxe_real stuck =
        friction_rests(impulse, before.x, before.y, at->now[VXE_LANE_STUCK * LANES + lane]);
    const vxe_real sticks = at->next[VXE_LANE_STUCK * LANES + lane];
    const velocity_before slip = before_friction(&of, behind, impulse, stuck);
    const vxe_slide_adjoint slid =
        friction_slide_adjoint(impulse, of.mass > 0 ? of.mass : R(1), of.mu_d, of.pull, slip.x,
                               slip.y, stuck, sticks, free.x, free.y);
    const vxe_vec3 gained = along_free(bound, gives, vec_sub(behind, before));
    const vxe_real others = vxe_fma(-of.inverse, impulse, gained.z);
    const vxe_real depth = depth_of(at->now, numbers, lane);
    const vxe_real by =
        by_push(&of, depth, before.z, impulse, vxe_fma(of.inverse, lv.z, slid.impulse));
    const vxe_impact_slopes slope =
        impact_adjoint(depth, -before.z, -others, of.stiffness, of.dashpot, of.inverse, of.h);
    const vxe_real pushed_up =
        -of.inverse * of.inverse * vxe_fma(by, slope.inverse, lv.z * impulse);
    return (floor_return){{past_friction(bound, gives.x, slid.vx, lv.x),
                           past_friction(bound, gives.y, slid.vy, lv.y), lv.z},
                          -by * slope.v,
                          by * slope.depth,
                          -by * slope.others,
                          slip.scale,
                          pushed_up + slid.mass,
                          by * slope.k,
                          by * slope.c,
                          slid.mu_d};
}

/* Adds what the properties of a voxel get in a lane. kicked: adjoint of the velocity behind the
   forces but for the floor's; by: that of the spin; y_v, y_w: virtual
   displacements of the kick. */
VXE_INLINE void add_properties(bool floor, bool bound, const reverse_voxel *at,
                               const vxe_real *restrict numbers, floor_return from, vxe_vec3 kicked,
                               vxe_vec3 by, vxe_vec3 y_v, vxe_vec3 y_w, ptrdiff_t lane)
{
    const rates gives = gives_back(bound, at, lane);
    vxe_real *restrict sums = at->by_voxel + lane;
    const vxe_real h = numbers[VXE_LANE_STEP * LANES + lane];
    const vxe_vec3 v = field3(at->now, VXE_LANE_V, lane);
    const vxe_vec3 w = field3(at->now, VXE_LANE_W, lane);
    const vxe_vec3 behind = field3(at->next, VXE_LANE_V, lane);
    const vxe_real pushed = floor ? gives.v.z * at->tape[lane] : R(0);
    const vxe_vec3 gained = {vxe_fma(from.scale, behind.x, -v.x),
                             vxe_fma(from.scale, behind.y, -v.y), behind.z - v.z - pushed};
    const vxe_vec3 by_others = vec_add_scaled(gained, -h, field3(numbers, VXE_LANE_GRAVITY, lane));
    const vxe_vec3 spun = vec_sub(field3(at->next, VXE_LANE_W, lane), w);
    sums[VXE_SLOPE_MASS * LANES] += from.mass - vec_dot(vec_times(gives.v, kicked), by_others);
    sums[VXE_SLOPE_INERTIA * LANES] -= vec_dot(vec_times(gives.w, by), spun);
    sums[VXE_SLOPE_DRAG * LANES] -= vec_dot(y_v, v);
    sums[VXE_SLOPE_SPIN_DRAG * LANES] -= vec_dot(y_w, w);
    if (floor) {
        sums[VXE_SLOPE_FLOOR_STIFFNESS * LANES] += from.stiffness;
        sums[VXE_SLOPE_FLOOR_DASHPOT * LANES] += from.dashpot;
        sums[VXE_SLOPE_DYNAMIC_FRICTION * LANES] += from.friction;
    }
}

/* Undoes drift, friction, floor and kick of a voxel in all lanes. floor, bound, slopes: constants
   here. */
VXE_INLINE void reverse_lanes(bool floor, bool bound, bool slopes, const reverse_fields *f,
                              const reverse_voxel *of)
{
    const reverse_voxel here = *of; /* in registers, whatever is stored */
    const reverse_voxel *at = &here;
    const vxe_real *restrict numbers = f->numbers;
    vxe_real *restrict adjoint = at->adjoint;
    vxe_real *restrict move = at->move;
    vxe_real *restrict changes = f->changes;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_real h = numbers[VXE_LANE_STEP * LANES + lane];
        const rates gives = gives_back(bound, at, lane);
        vxe_voxel_adjoint before = before_drift(at, f, lane);
        floor_return from = {before.v, 0, 0, 0, 1, 0, 0, 0, 0};
        if (floor) {
            from = reverse_floor(bound, at, numbers, before.v, lane);
            const bool stuck = at->now[VXE_LANE_STUCK * LANES + lane] > 0;
            const bool sticks = at->next[VXE_LANE_STUCK * LANES + lane] > 0;
            changes[lane] += stuck == sticks ? R(0) : R(1);
        }
        const vxe_vec3 kicked = {from.v.x, from.v.y, from.v.z + from.gains};
        const vxe_vec3 y_v = vec_times(vec_scaled(h, gives.v), kicked);
        const vxe_vec3 y_w = vec_times(vec_scaled(h, gives.w), before.w);
        put3(move, 0, lane, y_v);
        put3(move, 3, lane, y_w);
        if (slopes) {
            add_properties(floor, bound, at, numbers, from, kicked, before.w, y_v, y_w, lane);
        }
        if (bound) {
            const vxe_voxel_adjoint behind = {before.place, before.turn, from.v, before.w};
            before = before_driven(at, h, behind, lane);
            from.v = before.v;
        }
        before.place.z -= from.depth;
        from.v.z += from.off;
        from.v = vec_add_scaled(from.v, -at->property[VXE_LANE_DRAG * LANES + lane], y_v);
        before.w = vec_add_scaled(before.w, -at->property[VXE_LANE_SPIN_DRAG * LANES + lane], y_w);
        put3(adjoint, VXE_ADJOINT_PLACE, lane, before.place);
        put3(adjoint, VXE_ADJOINT_TURN, lane, before.turn);
        put3(adjoint, VXE_ADJOINT_V, lane, from.v);
        put3(adjoint, VXE_ADJOINT_W, lane, before.w);
        adjoint[VXE_ADJOINT_GROWTH * LANES + lane] = R(0.5) * from.depth;
    }
}

/* The same of a voxel that a boundary condition binds. These are few, and compiled apart. */
static void reverse_bound(bool floor, bool slopes, const reverse_fields *f,
                          const vxe_lane_group *group, const reverse_voxel *of, uint32_t index)
{
    const reverse_voxel at = with_bounds(*of, group, index);
    if (floor && slopes) {
        reverse_lanes(true, true, true, f, &at);
    } else if (floor) {
        reverse_lanes(true, true, false, f, &at);
    } else if (slopes) {
        reverse_lanes(false, true, true, f, &at);
    } else {
        reverse_lanes(false, true, false, f, &at);
    }
}

/* What the fluid around a voxel gives back. */
static void reverse_fluid(bool slopes, const reverse_fields *f, const reverse_voxel *at)
{
    if (slopes) {
        reverse_fluid_lanes(true, f, at);
    } else {
        reverse_fluid_lanes(false, f, at);
    }
}

/* What a bond gives to the adjoints of its voxels, in a lane. */
typedef struct bond_return {
    vxe_vec3 place;        /* of the lower voxel; the upper has its negative, as of v */
    vxe_vec3 turn1, turn2; /* of both */
    vxe_vec3 v, w1, w2;
    vxe_real growth; /* of both */
} bond_return;

VXE_INLINE bond_return reverse_bond_lane(int axis, int law, const vxe_real *restrict numbers,
                                         const vxe_real *restrict k, const vxe_real *restrict now1,
                                         const vxe_real *restrict now2,
                                         const vxe_real *restrict move1,
                                         const vxe_real *restrict move2, ptrdiff_t lane)
{
    const vxe_multiples by = lane_multiples(numbers, lane);
    const vxe_springs springs = springs_of_row(law, k + lane, LANES, &by);
    const vxe_dashes dashes = dashes_of_row(law, k + lane, LANES, &by);
    const vxe_chord chord = lane_chord(axis, law, numbers, now1, now2, lane);
    const vxe_mid_frame frame =
        mid_frame(axis, orientation(now1, lane), orientation(now2, lane), bond_exists(k, lane));
    const vxe_bond_geometry geometry = {vec_scaled(R(0.5), chord.r), frame.axis};
    const vxe_bond_motion y = motion_of(move1, move2, 0, 3, lane);
    const vxe_bond_motion u = motion_of(now1, now2, VXE_LANE_V, VXE_LANE_W, lane);
    const vxe_bond_adjoint spring =
        spring_adjoint(axis, law & VXE_BOND_EVEN, law & VXE_BOND_FREE, &frame, &chord, springs, &y);
    const vxe_bond_adjoint dash = dashpot_adjoint(law, &frame, &geometry, dashes, &u, &y);
    const vxe_bond_ends ends = {.dv = y.dr, .w1 = y.y1, .w2 = y.y2};
    const vxe_bond_force pull = damp_action(law, &geometry, &ends, dashes);
    return (bond_return){vec_add(spring.place, dash.place),
                         vec_add(spring.turn1, dash.turn1),
                         vec_add(spring.turn2, dash.turn2),
                         pull.force,
                         vec_add(pull.a, pull.b),
                         vec_sub(pull.a, pull.b),
                         R(0.5) * spring.length};
}

/* Numbers of a bond_return. */
enum { RETURNS = 19 };

/* What the coefficients of a bond get in a lane. */
typedef struct bond_slopes {
    vxe_springs springs;
    vxe_dashes dashes;
} bond_slopes;

VXE_INLINE bond_slopes bond_slopes_lane(int axis, int law, const vxe_real *restrict numbers,
                                        const vxe_real *restrict k, const vxe_real *restrict now1,
                                        const vxe_real *restrict now2,
                                        const vxe_real *restrict move1,
                                        const vxe_real *restrict move2, ptrdiff_t lane)
{
    const vxe_chord chord = lane_chord(axis, law, numbers, now1, now2, lane);
    const vxe_mid_frame frame =
        mid_frame(axis, orientation(now1, lane), orientation(now2, lane), bond_exists(k, lane));
    const vxe_bond_geometry geometry = {vec_scaled(R(0.5), chord.r), frame.axis};
    const vxe_bond_motion y = motion_of(move1, move2, 0, 3, lane);
    const vxe_bond_motion u = motion_of(now1, now2, VXE_LANE_V, VXE_LANE_W, lane);
    return (bond_slopes){spring_slopes(axis, &frame, &chord, &y),
                         dashpot_slopes(&geometry, &u, &y)};
}

/* Adds what the coefficients of a bond get, all lanes. */
VXE_INLINE void add_bond_slopes(int axis, int law, const reverse_fields *f,
                                const vxe_real *restrict k, const reverse_voxel *lo,
                                const reverse_voxel *hi)
{
    const vxe_real *restrict numbers = f->numbers;
    const vxe_real *restrict now1 = lo->now;
    const vxe_real *restrict now2 = hi->now;
    const vxe_real *restrict move1 = lo->move;
    const vxe_real *restrict move2 = hi->move;
    vxe_real *restrict sums = lo->by_bond + axis * (VXE_BOND_SLOPES * LANES);
    vxe_real got[VXE_BOND_SLOPES * VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const bond_slopes one =
            bond_slopes_lane(axis, law, numbers, k, now1, now2, move1, move2, lane);
        got[VXE_SLOPE_AXIAL * LANES + lane] = one.springs.axial;
        got[VXE_SLOPE_SHEAR * LANES + lane] = one.springs.shear;
        got[VXE_SLOPE_TORSION * LANES + lane] = one.springs.torsion;
        got[VXE_SLOPE_BENDING * LANES + lane] = one.springs.bending;
        got[VXE_SLOPE_COUPLE * LANES + lane] = one.springs.couple;
        got[VXE_SLOPE_DASH_AXIAL * LANES + lane] = one.dashes.axial;
        got[VXE_SLOPE_DASH_SHEAR * LANES + lane] = one.dashes.shear;
        got[VXE_SLOPE_DASH_TORSION * LANES + lane] = one.dashes.torsion;
        got[VXE_SLOPE_DASH_BENDING * LANES + lane] = one.dashes.bending;
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < VXE_BOND_SLOPES * LANES; i++) {
        sums[i] += got[i];
    }
}

/* Adds what a bond gives to the adjoints of its voxels, all lanes. */
VXE_INLINE void reverse_bond(int axis, int law, bool slopes, const reverse_fields *f,
                             const vxe_real *restrict k, const reverse_voxel *lo,
                             const reverse_voxel *hi)
{
    const vxe_real *restrict numbers = f->numbers;
    const vxe_real *restrict now1 = lo->now;
    const vxe_real *restrict now2 = hi->now;
    const vxe_real *restrict move1 = lo->move;
    const vxe_real *restrict move2 = hi->move;
    vxe_real *restrict adjoint1 = lo->adjoint;
    vxe_real *restrict adjoint2 = hi->adjoint;
    vxe_real got[RETURNS * VXE_LANES];
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const bond_return one =
            reverse_bond_lane(axis, law, numbers, k, now1, now2, move1, move2, lane);
        put3(got, 0, lane, one.place);
        put3(got, 3, lane, one.turn1);
        put3(got, 6, lane, one.v);
        put3(got, 9, lane, one.w1);
        put3(got, 12, lane, one.turn2);
        put3(got, 15, lane, one.w2);
        got[18 * LANES + lane] = one.growth;
    }
    if (slopes) {
        add_bond_slopes(axis, law, f, k, lo, hi);
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < 12 * LANES; i++) {
        adjoint1[i] += got[i];
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < 3 * LANES; i++) {
        adjoint2[VXE_ADJOINT_PLACE * LANES + i] -= got[i];
        adjoint2[VXE_ADJOINT_TURN * LANES + i] += got[12 * LANES + i];
        adjoint2[VXE_ADJOINT_V * LANES + i] -= got[6 * LANES + i];
        adjoint2[VXE_ADJOINT_W * LANES + i] += got[15 * LANES + i];
    }
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        adjoint1[VXE_ADJOINT_GROWTH * LANES + lane] += got[18 * LANES + lane];
        adjoint2[VXE_ADJOINT_GROWTH * LANES + lane] += got[18 * LANES + lane];
    }
}

/* Adds what growth of edges got to the sums of one wave, of a voxel. cycles: those of the next two.
 */
VXE_INLINE void add_wave(bool frequency, const vxe_real *restrict growth,
                         const double *restrict clock, double *restrict sums)
{
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const double by = (double)growth[lane];
        const double sine = by * clock[VXE_CLOCK_SINE * LANES + lane];
        const double cosine = by * clock[VXE_CLOCK_COSINE * LANES + lane];
        const double cycles = clock[VXE_CLOCK_CYCLES * LANES + lane];
        sums[VXE_GROWTH_SINE * LANES + lane] += sine;
        sums[VXE_GROWTH_COSINE * LANES + lane] += cosine;
        if (frequency) {
            sums[VXE_GROWTH_SINE_CYCLES * LANES + lane] += sine * cycles;
            sums[VXE_GROWTH_COSINE_CYCLES * LANES + lane] += cosine * cycles;
        }
    }
}

/* The same where voxels have numbers of their own. sizes: of the voxel. */
VXE_INLINE void add_size(const vxe_real *restrict growth, const vxe_real *restrict sizes,
                         const double *restrict clock, double *restrict sums)
{
    const vxe_real *law[VXE_ACTUATION_VALUES];
    for (int c = 0; c < VXE_ACTUATION_VALUES; c++) {
        law[c] = sizes + c * LANES;
    }
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const double by = (double)growth[lane];
        const double target = (double)law[VXE_SIZE_GROUP][lane]; /* lanes have no group */
        const edge_slopes slopes = edge_slopes_at(law, lane, clock + lane, LANES, target);
        sums[VXE_GROWTH_STRAIN * LANES + lane] += by * slopes.strain;
        sums[VXE_GROWTH_PHASE * LANES + lane] += by * slopes.phase;
        sums[VXE_GROWTH_FREQUENCY * LANES + lane] += by * slopes.frequency;
        sums[VXE_GROWTH_TARGET * LANES + lane] += by * slopes.factor;
    }
}

static void add_parameters(const vxe_reverse_step *step)
{
    const vxe_real *restrict adjoints = reals(step->adjoint);
    const vxe_real *restrict moves = reals(step->moves);
    const vxe_real *sizes = reals_const(step->group->sizes);
    for (ptrdiff_t index = 0; index < (ptrdiff_t)step->group->voxels; index++) {
        const vxe_real *restrict growth =
            adjoints + index * (VXE_ADJOINT_NUMBERS * LANES) + VXE_ADJOINT_GROWTH * LANES;
        const vxe_real *restrict move = moves + index * (6 * LANES);
        double *restrict by_growth = step->by_growth + index * (VXE_GROWTH_SUMS * LANES);
        double *restrict by_load = step->by_load + index * (3 * LANES);
        if (sizes) {
            add_size(growth, sizes + index * (VXE_ACTUATION_VALUES * LANES), step->clock,
                     by_growth);
        } else if (step->by_frequency) {
            add_wave(true, growth, step->clock, by_growth);
        } else {
            add_wave(false, growth, step->clock, by_growth);
        }
#pragma omp simd
        for (ptrdiff_t i = 0; i < 3 * LANES; i++) {
            by_load[i] += (double)move[i];
        }
    }
}

/* Reverses a step; law and slopes are constants where this is compiled. */
VXE_INLINE void run(int law, bool slopes, const vxe_reverse_step *step)
{
    const vxe_lane_group *group = step->group;
    const ptrdiff_t row_values = row_values_of(law);
    const reverse_fields f = fields_of_step(slopes, step);
    for (uint32_t index = group->voxels; index-- > 0;) {
        const vxe_lane_voxel *voxel = &group->voxel[index];
        const reverse_voxel at = voxel_of(slopes, VXE_TAPE_EXPLICIT, &f, group, index);
        if (is_bound(group, index)) {
            reverse_bound(step->touching[index], slopes, &f, group, &at, index);
        } else if (step->touching[index]) {
            reverse_lanes(true, false, slopes, &f, &at);
        } else {
            reverse_lanes(false, false, slopes, &f, &at);
        }
        if (group->swims) {
            reverse_fluid(slopes, &f, &at);
        }
        for (int axis = 0; axis < 3; axis++) {
            if (voxel->up[axis] != VXE_NONE) {
                const reverse_voxel up =
                    voxel_of(slopes, VXE_TAPE_EXPLICIT, &f, group, voxel->up[axis]);
                const vxe_real *k = f.rows + (ptrdiff_t)voxel->row[axis] * (row_values * LANES);
                if (axis == 0) {
                    reverse_bond(0, law, slopes, &f, k, &at, &up);
                } else if (axis == 1) {
                    reverse_bond(1, law, slopes, &f, k, &at, &up);
                } else {
                    reverse_bond(2, law, slopes, &f, k, &at, &up);
                }
            }
        }
    }
}

#define LAW_OF_BEAMS (VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS)

static void reverse(const vxe_reverse_step *step)
{
    if (step->law & VXE_BOND_EVEN) {
        run(LAW_OF_BEAMS | VXE_BOND_EVEN, false, step);
    } else if (step->law & VXE_BOND_FREE) {
        run(LAW_OF_BEAMS | VXE_BOND_FREE, false, step);
    } else {
        run(LAW_OF_BEAMS, false, step);
    }
}

static void reverse_with_slopes(const vxe_reverse_step *step)
{
    if (step->law & VXE_BOND_EVEN) {
        run(LAW_OF_BEAMS | VXE_BOND_EVEN, true, step);
    } else if (step->law & VXE_BOND_FREE) {
        run(LAW_OF_BEAMS | VXE_BOND_FREE, true, step);
    } else {
        run(LAW_OF_BEAMS, true, step);
    }
}

const vxe_reverse_kernels VXE_VARIANT(vxe_reverse_kernels) = {
    .reverse = reverse,
    .reverse_with_slopes = reverse_with_slopes,
    .add_parameters = add_parameters};
