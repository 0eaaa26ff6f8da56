/* SPDX-License-Identifier: MIT */
/* What the reverse kernels share: the arrays of a step, with their type; a voxel's drift and a
   bond's motion, lane by lane. For files that are compiled once per instruction set and precision.
 */
#ifndef VXE_ENGINE_GRADIENT_REVERSE_LANES_H
#define VXE_ENGINE_GRADIENT_REVERSE_LANES_H

#include <stddef.h>

#include "engine/bonds/bond_tangent_law.h"
#include "engine/floor/floor_adjoint_law.h"
#include "engine/gradient/reverse_kernels.h"
#include "engine/lanes/lane_forces.h"
#include "engine/voxels/drift_adjoint_law.h"
#include "engine/voxels/fluid_adjoint_law.h"

/* The arrays of a step, with their type. */
typedef struct reverse_fields {
    const vxe_real *restrict now;
    const vxe_real *restrict next;
    const vxe_real *restrict tape;
    const vxe_real *restrict sources;
    const vxe_real *restrict keeps;
    const vxe_real *restrict numbers;
    const vxe_real *restrict rows;
    const vxe_real *restrict property_rows;
    vxe_real *restrict adjoint;
    vxe_real *restrict moves;
    vxe_real *restrict changes;
    vxe_real *restrict by_bond;
    vxe_real *restrict by_voxel;
} reverse_fields;

/* A voxel of them. */
typedef struct reverse_voxel {
    const vxe_real *restrict now;
    const vxe_real *restrict next;
    const vxe_real *restrict tape; /* numbers of the step: VXE_TAPE_... */
    const vxe_real *restrict property;
    vxe_real *restrict adjoint;
    vxe_real *restrict move;
    vxe_real *restrict by_bond; /* of its bonds upwards; null, as the next, where not asked for */
    vxe_real *restrict by_voxel;
    const vxe_real
        *restrict bound; /* (VXE_BOUND_VALUES, lanes); null where no condition binds it */
} reverse_voxel;

VXE_INLINE reverse_voxel voxel_of(bool slopes, ptrdiff_t tape_numbers, const reverse_fields *f,
                                  const vxe_lane_group *group, uint32_t index)
{
    const ptrdiff_t at = (ptrdiff_t)index;
    return (reverse_voxel){f->now + at * (VXE_LANE_FIELDS * LANES),
                           f->next + at * (VXE_LANE_FIELDS * LANES),
                           f->tape + at * (tape_numbers * LANES),
                           f->property_rows + (ptrdiff_t)group->voxel[index].property_row *
                                                  (VXE_LANE_PROPERTY_VALUES * LANES),
                           f->adjoint + at * (VXE_ADJOINT_NUMBERS * LANES),
                           f->moves + at * (6 * LANES),
                           slopes ? f->by_bond + at * (3 * VXE_BOND_SLOPES * LANES) : NULL,
                           slopes ? f->by_voxel + at * (VXE_VOXEL_SLOPES * LANES) : NULL,
                           NULL};
}

/* Whether a boundary condition of some robot binds a voxel. */
VXE_INLINE bool is_bound(const vxe_lane_group *group, uint32_t index)
{
    return group->bound_at && group->bound_at[index] != VXE_NONE;
}

/* A voxel that is bound. */
VXE_INLINE reverse_voxel with_bounds(reverse_voxel at, const vxe_lane_group *group, uint32_t index)
{
    at.bound =
        reals_const(group->bound) + (ptrdiff_t)group->bound_at[index] * (VXE_BOUND_VALUES * LANES);
    return at;
}

/* What a voxel gains by a unit of impulse; see gives_in. bound: a constant here, as below. */
VXE_INLINE rates gives_back(bool bound, const reverse_voxel *at, ptrdiff_t lane)
{
    return gives_in(at->property, bound ? at->bound : NULL, lane);
}

/* A vector along the directions in which a voxel is free, and 0 along the others. */
VXE_INLINE vxe_vec3 along_free(bool bound, vxe_vec3 gives, vxe_vec3 of)
{
    return bound ? chosen3(gives, of, (vxe_vec3){0, 0, 0}) : of;
}

/* An adjoint along a direction behind friction: what friction returns; where the voxel is not free,
   that before it as well, since friction leaves the velocity alone. */
VXE_INLINE vxe_real past_friction(bool bound, vxe_real gives, vxe_real returned, vxe_real before)
{
    const vxe_real kept = gives > 0 ? R(0) : before;
    return bound ? returned + kept : returned;
}

/* What prescribed motion does to adjoints: its rate is what leads from the place to a given one, or
   is given. */
VXE_INLINE vxe_voxel_adjoint before_driven(const reverse_voxel *at, vxe_real h,
                                           vxe_voxel_adjoint behind, ptrdiff_t lane)
{
    const vxe_vec3 none = {0, 0, 0};
    const vxe_vec3 moves = field3(at->bound, VXE_BOUND_DRIVEN, lane);
    const vxe_vec3 turns = field3(at->bound, VXE_BOUND_DRIVEN + 3, lane);
    return (vxe_voxel_adjoint){vec_add_scaled(behind.place, -1 / h, chosen3(moves, behind.v, none)),
                               behind.turn, chosen3(moves, none, behind.v),
                               chosen3(turns, none, behind.w)};
}

/* The arrays of a step; slopes: a constant where this is compiled. */
VXE_INLINE reverse_fields fields_of_step(bool slopes, const vxe_reverse_step *step)
{
    const vxe_lane_group *group = step->group;
    return (reverse_fields){reals_const(step->now),
                            reals_const(step->next),
                            reals_const(step->tape),
                            reals_const(step->sources),
                            reals_const(step->keeps),
                            reals_const(group->numbers),
                            reals_const(group->rows),
                            reals_const(group->property_rows),
                            reals(step->adjoint),
                            reals(step->moves),
                            reals(step->changes),
                            slopes ? reals(step->by_bond) : NULL,
                            slopes ? reals(step->by_voxel) : NULL};
}

/* Numbers of a row of coefficients. */
VXE_INLINE ptrdiff_t row_values_of(int law)
{
    return law & VXE_BOND_EVEN   ? VXE_EVEN_VALUES
           : law & VXE_BOND_FREE ? VXE_FREE_VALUES
                                 : VXE_PROPORTIONAL_VALUES;
}

/* The adjoints of a voxel before its drift: from those behind the step, of which a part is
   forgotten, and what the objective adds. */
VXE_INLINE vxe_voxel_adjoint before_drift(const reverse_voxel *at, const reverse_fields *f,
                                          ptrdiff_t lane)
{
    const vxe_real *restrict adjoint = at->adjoint;
    const vxe_real keeps = f->keeps[lane];
    const vxe_real mass = at->property[VXE_LANE_MASS * LANES + lane];
    const vxe_voxel_adjoint behind = {
        vec_add_scaled(vec_scaled(keeps, field3(adjoint, VXE_ADJOINT_PLACE, lane)), mass,
                       field3(f->sources, 0, lane)),
        vec_scaled(keeps, field3(adjoint, VXE_ADJOINT_TURN, lane)),
        vec_add_scaled(vec_scaled(keeps, field3(adjoint, VXE_ADJOINT_V, lane)), mass,
                       field3(f->sources, 3, lane)),
        vec_scaled(keeps, field3(adjoint, VXE_ADJOINT_W, lane))};
    return drift_adjoint(behind, field3(at->next, VXE_LANE_W, lane),
                         f->numbers[VXE_LANE_STEP * LANES + lane]);
}

/* What a voxel's contact with the floor follows from. */
typedef struct floor_numbers {
    vxe_real mass, inverse, stiffness, dashpot, mu_d;
    vxe_real pull, h, edge;
} floor_numbers;

/* gives: 1/kg, along z. */
VXE_INLINE floor_numbers floor_numbers_of(const reverse_voxel *at, const vxe_real *restrict numbers,
                                          vxe_real gives, ptrdiff_t lane)
{
    const vxe_real *property = at->property + lane;
    return (floor_numbers){property[VXE_LANE_MASS * LANES],
                           gives,
                           property[VXE_LANE_FLOOR_STIFFNESS * LANES],
                           property[VXE_LANE_FLOOR_DASHPOT * LANES],
                           property[VXE_LANE_DYNAMIC_FRICTION * LANES],
                           numbers[VXE_LANE_BOND_PULL * LANES + lane],
                           numbers[VXE_LANE_STEP * LANES + lane],
                           numbers[VXE_LANE_EDGE * LANES + lane]};
}

/* The adjoint of the floor's mean force (N), where it pushes: that of its impulse times h. */
VXE_INLINE vxe_real by_push(const floor_numbers *of, vxe_real depth, vxe_real off, vxe_real impulse,
                            vxe_real by_impulse)
{
    const vxe_real nearness = floor_nearness(depth, of->h * magnitude(off), of->edge);
    const vxe_real pushed = nearness > 0 ? impulse : R(0);
    const vxe_real pushes = of->stiffness > 0 ? pushed : R(0);
    return pushes > 0 ? of->h * by_impulse : R(0);
}

/* A voxel's velocity along the floor before friction slowed it. */
typedef struct velocity_before {
    vxe_real x, y;
    vxe_real scale; /* over that behind it */
} velocity_before;

/* From the velocity behind friction; see friction_slide_adjoint. 0 where it stopped. */
VXE_INLINE velocity_before before_friction(const floor_numbers *of, vxe_vec3 behind,
                                           vxe_real impulse, vxe_real stuck)
{
    const vxe_real speed = vxe_root(vxe_fma(behind.x, behind.x, behind.y * behind.y));
    const vxe_real part = stuck > 0 ? 1 + of->pull : R(1);
    const vxe_real slowed = of->mass > 0 ? of->mu_d * impulse / of->mass : R(0);
    const vxe_real acts = impulse > 0 ? vxe_fma(slowed, 1 / speed, part) : R(1);
    const vxe_real scale = speed > 0 ? acts : R(0);
    return (velocity_before){scale * behind.x, scale * behind.y, scale};
}

/* Adds what the fluid around a voxel gives back, all lanes; behind its kick, whose virtual
   displacement it takes. slopes: a constant here. */
VXE_INLINE void reverse_fluid_lanes(bool slopes, const reverse_fields *f, const reverse_voxel *of)
{
    const reverse_voxel at = *of;
    const vxe_real *restrict numbers = f->numbers;
    vxe_real *restrict adjoint = at.adjoint;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_fluid_law law = {numbers[VXE_LANE_FLUID_DRAG * LANES + lane],
                                   numbers[VXE_LANE_FLUID_LIFT * LANES + lane],
                                   field3(numbers, VXE_LANE_GRAVITY, lane)};
        const vxe_real by_h = 1 / numbers[VXE_LANE_STEP * LANES + lane];
        const vxe_real size =
            numbers[VXE_LANE_EDGE * LANES + lane] + at.now[VXE_LANE_EDGE_GROWTH * LANES + lane];
        const vxe_fluid_adjoint got = fluid_adjoint(
            law, at.property[VXE_LANE_FACES * LANES + lane], orientation(at.now, lane),
            field3(at.now, VXE_LANE_V, lane), size,
            by_h * at.property[VXE_LANE_MASS * LANES + lane], by_h, field3(at.move, 0, lane));
        put3(adjoint, VXE_ADJOINT_TURN, lane,
             vec_add(field3(adjoint, VXE_ADJOINT_TURN, lane), got.turn));
        put3(adjoint, VXE_ADJOINT_V, lane, vec_add(field3(adjoint, VXE_ADJOINT_V, lane), got.v));
        adjoint[VXE_ADJOINT_GROWTH * LANES + lane] += got.size;
        if (slopes) {
            at.by_voxel[VXE_SLOPE_MASS * LANES + lane] += got.mass;
        }
    }
}

/* A bond's motion, from fields of its voxels: of places, and of turns. */
VXE_INLINE vxe_bond_motion motion_of(const vxe_real *lo, const vxe_real *hi, int places, int turns,
                                     ptrdiff_t lane)
{
    return (vxe_bond_motion){vec_sub(field3(hi, places, lane), field3(lo, places, lane)),
                             field3(lo, turns, lane), field3(hi, turns, lane)};
}

/* Whether there is a bond in a lane. */
VXE_INLINE vxe_real_mask bond_exists(const vxe_real *restrict k, ptrdiff_t lane)
{
    return -(vxe_real_mask)(k[VXE_AXIAL * LANES + lane] > 0);
}

#endif
