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

/* How the force of impact_of_step (N) changes with what that is given. */
typedef struct vxe_impact_slopes {
    vxe_real depth, v, others; /* N/m, N s/m */
    vxe_real k, c, inverse;    /* m, m/s, N kg */
} vxe_impact_slopes;

/* Adjoints of vxe_impact_terms, but for h, which stays. */
typedef struct vxe_impact_sums {
    vxe_real k, by_k, dashpot, give, middle, u;
} vxe_impact_sums;

/* impact_found backwards, from the adjoint of the part: returns that of the force. */
VXE_INLINE vxe_real impact_found_adjoint(const vxe_impact_terms *of, vxe_real force, vxe_real part,
                                         vxe_real by_part, vxe_impact_sums *sums)
{
    const vxe_real u = impact_speed(of, force);
    const vxe_real pulls = u < 0 ? of->dashpot : R(0);
    const vxe_real length = impact_length(u, of->h);
    const vxe_real above = part > 0 ? by_part : R(0);
    const vxe_real within = part < 1 ? above : R(0);
    const vxe_real apart = within / length;
    const vxe_real from = vxe_fma(u * pulls, of->by_k, impact_middle(of, force));
    const vxe_real signed_h = u < 0 ? -of->h : of->h;
    const vxe_real way = of->h * magnitude(u) > IMPACT_NO_WAY ? signed_h : R(0);
    const vxe_real by_u = apart * vxe_fma(pulls, of->by_k, -way * (from / length));
    const vxe_real dragged_by = u < 0 ? apart * u : R(0);
    const vxe_real moved = vxe_fma(R(0.25) * of->h, apart, R(0.5) * by_u);
    sums->middle += apart;
    sums->u += by_u;
    sums->dashpot = vxe_fma(dragged_by, of->by_k, sums->dashpot);
    sums->by_k = vxe_fma(dragged_by, of->dashpot, sums->by_k);
    sums->give = vxe_fma(-force, moved, sums->give);
    return -of->give * moved;
}

/* impact_solved backwards, from the adjoint of the force: returns that of the part. */
VXE_INLINE vxe_real impact_solved_adjoint(const vxe_impact_terms *of, vxe_real part,
                                          vxe_real before, vxe_real force, vxe_real by_force,
                                          vxe_impact_sums *sums)
{
    const vxe_real half_h = R(0.5) * of->h;
    const vxe_real way = impact_speed(of, before) < 0 ? -half_h : half_h;
    const vxe_real rate = vxe_fma(way * of->k, 1 - part, of->dashpot);
    const vxe_real sum = vxe_fma(of->k, of->middle, rate * of->u);
    const vxe_real slope = vxe_fma(R(0.25) * of->h, of->k, R(0.5) * rate);
    const vxe_real pushes = force > 0 ? by_force : R(0);
    const vxe_real by_all = pushes / vxe_fma(part * of->give, slope, 1);
    const vxe_real by_less = -by_all * force;
    const vxe_real by_sum = by_all * part;
    const vxe_real by_slope = by_less * part * of->give;
    const vxe_real by_rate = vxe_fma(by_sum, of->u, R(0.5) * by_slope);
    sums->give = vxe_fma(by_less * part, slope, sums->give);
    sums->k +=
        vxe_fma(by_sum, of->middle, vxe_fma(R(0.25) * of->h, by_slope, by_rate * way * (1 - part)));
    sums->middle = vxe_fma(by_sum, of->k, sums->middle);
    sums->u = vxe_fma(by_sum, rate, sums->u);
    sums->dashpot += by_rate;
    return vxe_fma(by_all, sum, vxe_fma(by_less * of->give, slope, -by_rate * way * of->k));
}

/* From the adjoints of the terms to those of what they were made of; see impact_terms. */
VXE_INLINE vxe_impact_slopes impact_terms_adjoint(const vxe_impact_terms *of, vxe_real c,
                                                  vxe_impact_sums sums)
{
    const vxe_real scale = IMPACT_DAMPED * R(0.5);
    const vxe_real step2 = of->h * (of->give * of->k);
    const vxe_real step = vxe_root(step2);
    const vxe_real damped = scale * step * (of->give * c);
    const vxe_real by_step = step > 0 ? R(0.5) * scale * of->give * c / step : R(0);
    const vxe_real by_step2 = sums.dashpot * c * (IMPACT_UNDAMPED + by_step);
    const vxe_real give =
        sums.give + vxe_fma(sums.dashpot * c, scale * step * c, by_step2 * of->h * of->k);
    return (vxe_impact_slopes){sums.middle,
                               sums.u,
                               vxe_fma(R(0.25) * of->h, sums.middle, R(0.5) * sums.u),
                               vxe_fma(by_step2 * of->h, of->give, sums.k) -
                                   sums.by_k * of->by_k * of->by_k,
                               sums.dashpot * vxe_fma(IMPACT_UNDAMPED, step2, 1 + 2 * damped),
                               of->h * give};
}

/* The force of impact_of_step backwards, iteration by iteration. */
VXE_INLINE vxe_impact_slopes impact_adjoint(vxe_real depth, vxe_real v, vxe_real others, vxe_real k,
                                            vxe_real c, vxe_real inverse, vxe_real h)
{
    vxe_impact_terms of = impact_terms(depth, v, others, k, c, inverse, h);
    of.by_k = k > 0 ? 1 / k : R(0);
    const vxe_real part1 = impact_found(&of, 0);
    const vxe_real first = impact_solved(&of, part1, 0);
    const vxe_real part2 = impact_found(&of, first);
    const vxe_real second = impact_solved(&of, part2, first);
    const vxe_real part3 = impact_found(&of, second);
    const vxe_real third = impact_solved(&of, part3, second);
    const vxe_real part4 = impact_found(&of, third);
    const vxe_real mean = R(0.5) * (part3 + part4);
    const vxe_real force = impact_solved(&of, mean, third);
    vxe_impact_sums sums = {0, 0, 0, 0, 0, 0};
    const vxe_real half = R(0.5) * impact_solved_adjoint(&of, mean, third, force, 1, &sums);
    const vxe_real by_third = impact_found_adjoint(&of, third, part4, half, &sums);
    const vxe_real by_part3 =
        half + impact_solved_adjoint(&of, part3, second, third, by_third, &sums);
    const vxe_real by_second = impact_found_adjoint(&of, second, part3, by_part3, &sums);
    const vxe_real by_part2 = impact_solved_adjoint(&of, part2, first, second, by_second, &sums);
    const vxe_real by_first = impact_found_adjoint(&of, first, part2, by_part2, &sums);
    const vxe_real by_part1 = impact_solved_adjoint(&of, part1, 0, first, by_first, &sums);
    (void)impact_found_adjoint(&of, 0, part1, by_part1, &sums);
    return impact_terms_adjoint(&of, c, sums);
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
    const vxe_real goes_on = slowed < speed ? part : R(0);
    const vxe_real slips = sticks > 0 ? R(0) : goes_on;
    const vxe_real along = slips * vxe_fma(ex, lx, ey * ly);
    const vxe_real turns = slowed * by_speed;
    const vxe_real nx = slips * lx;
    const vxe_real ny = slips * ly;
    const vxe_real vx_slid = vxe_fma(turns, vxe_fma(along, ex, -nx), nx);
    const vxe_real vy_slid = vxe_fma(turns, vxe_fma(along, ey, -ny), ny);
    const vxe_real rubs = impulse > 0 ? along / mass : R(0);
    return (vxe_slide_adjoint){impulse > 0 ? vx_slid : lx, impulse > 0 ? vy_slid : ly, -mu_d * rubs,
                               slowed * rubs, -impulse * rubs};
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
