/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* Floor and friction backwards (docs/glossary.md, Adjoint): how the mean force of a contact in a step changes
   with what it follows from, and the adjoints of the velocities that friction changes. One lane of a vector
   loop. Derivatives are those of the branches that a step took: whether a voxel touches, sticks or slips is not
   differentiated, and where a choice jumps (mu_s above mu_d, the dashpot at touch-down) they are blind to it. */
/* clang-format on */
#ifndef VXE_ENGINE_FLOOR_FLOOR_ADJOINT_LAW_H
#define VXE_ENGINE_FLOOR_FLOOR_ADJOINT_LAW_H

#include "engine/core/vec.h"
#include "engine/floor/friction_law.h"
#include "engine/floor/impact_law.h"

/* A change of what impact_of_step is given. */
typedef struct vxe_impact_change {
    vxe_real depth, v, others; /* m, m/s, m/s */
    vxe_real k, c, inverse;    /* N/m, N s/m, 1/kg */
} vxe_impact_change;

/* The change of vxe_impact_terms, but for h, which stays. */
typedef struct vxe_impact_terms_change {
    vxe_real k, by_k, dashpot, give, middle, u;
} vxe_impact_terms_change;

/* A number and its change. */
typedef struct vxe_changing {
    vxe_real value, change;
} vxe_changing;

VXE_INLINE vxe_impact_terms_change impact_terms_change(const vxe_impact_terms *of, vxe_real c,
                                                       const vxe_impact_change *by)
{
    const vxe_real give = of->h * by->inverse;
    const vxe_real step2 = of->h * (of->give * of->k);
    const vxe_real step = vxe_root(step2);
    const vxe_real step2_change = of->h * vxe_fma(give, of->k, of->give * by->k);
    const vxe_real step_change = step > 0 ? R(0.5) * step2_change / step : R(0);
    const vxe_real scale = IMPACT_DAMPED * R(0.5);
    const vxe_real damped = scale * step * (of->give * c);
    const vxe_real damped_change =
        scale * vxe_fma(step_change, of->give * c, step * vxe_fma(give, c, of->give * by->c));
    return (vxe_impact_terms_change){
        by->k,
        -by->k * of->by_k * of->by_k,
        vxe_fma(by->c, 1 + vxe_fma(IMPACT_UNDAMPED, step2, damped),
                c * vxe_fma(IMPACT_UNDAMPED, step2_change, damped_change)),
        give,
        vxe_fma(R(0.25) * of->h, by->others, by->depth),
        vxe_fma(R(0.5), by->others, by->v)};
}

/* impact_found with its change. */
VXE_INLINE vxe_changing impact_found_change(const vxe_impact_terms *of,
                                            const vxe_impact_terms_change *by, vxe_changing force)
{
    const vxe_real pushed = vxe_fma(by->give, force.value, of->give * force.change);
    const vxe_real u = impact_speed(of, force.value);
    const vxe_real middle = impact_middle(of, force.value);
    const vxe_real u_now = vxe_fma(R(-0.5), pushed, by->u);
    const vxe_real middle_now = vxe_fma(R(-0.25) * of->h, pushed, by->middle);
    const vxe_real length = impact_length(u, of->h);
    const vxe_real length_now =
        of->h * magnitude(u) > IMPACT_NO_WAY ? of->h * (u < 0 ? -u_now : u_now) : R(0);
    const vxe_real ends = u < 0 ? -u * of->dashpot * of->by_k : R(0);
    const vxe_real ends_now = -vxe_fma(u_now * of->dashpot, of->by_k,
                                       u * vxe_fma(by->dashpot, of->by_k, of->dashpot * by->by_k));
    const vxe_real part = impact_part(middle, ends, length);
    const vxe_real apart_now = middle_now - (u < 0 ? ends_now : R(0));
    const vxe_real slope = vxe_fma(-(middle - ends) / length, length_now, apart_now) / length;
    return (vxe_changing){part, part > 0 && part < 1 ? slope : R(0)};
}

/* impact_solved with its change. */
VXE_INLINE vxe_changing impact_solved_change(const vxe_impact_terms *of,
                                             const vxe_impact_terms_change *by, vxe_changing part,
                                             vxe_real before)
{
    const vxe_real side = impact_speed(of, before) < 0 ? R(-0.5) : R(0.5);
    const vxe_real way = side * of->h;
    const vxe_real rate = vxe_fma(way * of->k, 1 - part.value, of->dashpot);
    const vxe_real rate_now =
        vxe_fma(way, vxe_fma(by->k, 1 - part.value, -of->k * part.change), by->dashpot);
    const vxe_real sum = vxe_fma(of->k, of->middle, rate * of->u);
    const vxe_real sum_now =
        vxe_fma(by->k, of->middle, of->k * by->middle) + vxe_fma(rate_now, of->u, rate * by->u);
    const vxe_real slope = vxe_fma(R(0.25) * of->h, of->k, R(0.5) * rate);
    const vxe_real slope_now = vxe_fma(R(0.25) * of->h, by->k, R(0.5) * rate_now);
    const vxe_real less = part.value * of->give * slope;
    const vxe_real less_now = vxe_fma(part.change, of->give * slope,
                                      part.value * vxe_fma(by->give, slope, of->give * slope_now));
    const vxe_real force = impact_solved(of, part.value, before);
    const vxe_real all_now = vxe_fma(part.change, sum, part.value * sum_now);
    return (vxe_changing){force, force > 0 ? (all_now - force * less_now) / (1 + less) : R(0)};
}

/* The force of impact_of_step (N) with its change. */
VXE_INLINE vxe_changing impact_change(vxe_real depth, vxe_real v, vxe_real others, vxe_real k,
                                      vxe_real c, vxe_real inverse, vxe_real h,
                                      const vxe_impact_change *by)
{
    vxe_impact_terms of = impact_terms(depth, v, others, k, c, inverse, h);
    of.by_k = k > 0 ? 1 / k : R(0);
    const vxe_impact_terms_change now = impact_terms_change(&of, c, by);
    vxe_changing force = {0, 0};
    vxe_changing part = impact_found_change(&of, &now, force);
    for (int iteration = 0; iteration < 2; iteration++) {
        force = impact_solved_change(&of, &now, part, force.value);
        part = impact_found_change(&of, &now, force);
    }
    force = impact_solved_change(&of, &now, part, force.value);
    const vxe_changing last = impact_found_change(&of, &now, force);
    const vxe_changing mean = {R(0.5) * (part.value + last.value),
                               R(0.5) * (part.change + last.change)};
    return impact_solved_change(&of, &now, mean, force.value);
}

/* What friction's sliding adds to adjoints, from that of the velocity behind it (along the floor),
   and the numbers of friction_slide. */
typedef struct vxe_slide_adjoint {
    vxe_real vx, vy;     /* of the velocity before it */
    vxe_real impulse;    /* 1/(N s): of the floor's impulse */
    vxe_real mass, mu_d; /* 1/kg and 1 */
} vxe_slide_adjoint;

/* The adjoint of friction_slide: v' = (v - r e) s, with e the direction of v, r = mu_d N/m and s
   the part of its momentum that a voxel takes which lets go. sticks: it holds behind the step. */
VXE_INLINE vxe_slide_adjoint friction_slide_adjoint(vxe_real impulse, vxe_real mass, vxe_real mu_d,
                                                    vxe_real bond_pull, vxe_real vx, vxe_real vy,
                                                    vxe_real stuck, vxe_real sticks, vxe_real lx,
                                                    vxe_real ly)
{
    const vxe_real speed = vxe_root(vxe_fma(vx, vx, vy * vy));
    const vxe_real by_speed = speed > 0 ? 1 / speed : R(0);
    const vxe_real ex = vx * by_speed;
    const vxe_real ey = vy * by_speed;
    const vxe_real slowed = mu_d * impulse / mass; /* m/s */
    const vxe_real part = stuck > 0 ? 1 / (1 + bond_pull) : R(1);
    const vxe_real slips = sticks > 0 || !(slowed < speed) ? R(0) : part;
    const vxe_real along = slips * vxe_fma(ex, lx, ey * ly);
    const vxe_real turns = slowed * by_speed;
    const vxe_real nx = slips * lx;
    const vxe_real ny = slips * ly;
    const vxe_slide_adjoint slid = {
        vxe_fma(turns, vxe_fma(along, ex, -nx), nx), vxe_fma(turns, vxe_fma(along, ey, -ny), ny),
        -mu_d / mass * along, slowed / mass * along, -impulse / mass * along};
    return impulse > 0 ? slid : (vxe_slide_adjoint){lx, ly, 0, 0, 0};
}

/* The adjoint of the impulse v times friction_predicted: -mu_d N e, or what stops the voxel. lx,
   ly: adjoint of that impulse. */
VXE_INLINE vxe_slide_adjoint friction_predicted_adjoint(vxe_real impulse, vxe_real mass,
                                                        vxe_real mu_d, vxe_real bond_pull,
                                                        vxe_real vx, vxe_real vy, vxe_real stuck,
                                                        vxe_real lx, vxe_real ly)
{
    const vxe_real speed = vxe_root(vxe_fma(vx, vx, vy * vy));
    const vxe_real by_speed = speed > 0 ? 1 / speed : R(0);
    const vxe_real ex = vx * by_speed;
    const vxe_real ey = vy * by_speed;
    const vxe_real twice = vxe_fma(2, bond_pull, 1);
    const vxe_real along = vxe_fma(ex, lx, ey * ly);
    const vxe_real turns = -(mu_d * impulse * by_speed);
    const vxe_slide_adjoint slips = {turns * vxe_fma(-along, ex, lx),
                                     turns * vxe_fma(-along, ey, ly), -mu_d * along, 0,
                                     -impulse * along};
    const vxe_slide_adjoint stops = {-mass * twice * lx, -mass * twice * ly, 0,
                                     -twice * vxe_fma(vx, lx, vy * ly), 0};
    const bool acts = impulse > 0 && !(stuck > 0);
    const bool slides = mu_d * impulse < mass * twice * speed;
    return acts ? (slides ? slips : stops) : (vxe_slide_adjoint){0, 0, 0, 0, 0};
}

#endif
