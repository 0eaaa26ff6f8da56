/* SPDX-License-Identifier: MIT */
/* A part of a step of one body, or of several independent bodies in lanes: velocity Verlet
   (HairerLubichWanner2006) with impulses that keep the volume at both ends (RATTLE, Andersen1983);
   see affine_group.h. A part is vxe_affine_begin (half a kick, drift), the load at its end, then
   vxe_affine_finish (stress, half a kick). */
#ifndef VXE_ENGINE_AFFINE_AFFINE_MOTION_H
#define VXE_ENGINE_AFFINE_AFFINE_MOTION_H

#include "engine/affine/affine_law.h"
#include "engine/affine/affine_spin.h"

/* rad: maximum rotation of a rigid body in a part. */
#define VXE_AFFINE_OF_TURN 0.02
/* Maximum number of parts of a step. */
#define VXE_AFFINE_MAX_PARTS 100000u
/* Maximum number of Newton steps for the volume. */
#define VXE_AFFINE_VOLUME_STEPS 30
/* Iterations for stresses that depend on the rates at the end of a part. */
#define VXE_AFFINE_ROUNDS 3
/* Relative error of the volume at which Newton's iteration ends. */
#define VXE_AFFINE_EXACT 2e-15
/* Relative error that is accepted where rounding ends the iteration early. */
#define VXE_AFFINE_NEARLY 1e-9

/* Maximum part (s) that resolves the motion of a body without contact. */
VXE_NUMBER_INLINE vxe_number vxe_affine_own_part(const vxe_affine_own *body,
                                                 const vxe_affine_end *now)
{
    const vxe_number any = vxe_number_of(HUGE_VAL);
    if (body->is.rigid) {
        const vxe_number *rate = now->state.rate; /* w x, of a turn */
        const vxe_number spin = vxe_square_root(0.5 * vxe_m3_dot(rate, rate));
        const vxe_truth turns = vxe_less(vxe_number_of(0), spin);
        return vxe_choose(turns, VXE_AFFINE_OF_TURN / spin, any);
    }
    return body->is.hold_deformation && !body->is.driven
               ? any
               : vxe_affine_inner_part(body, &now->state, now->flow);
}

/* Computes the determinant of P and its cofactors, which vxe_affine_stand divides to P^-T. */
VXE_NUMBER_INLINE void vxe_affine_measure(vxe_affine_end *at)
{
    const vxe_number *p = at->state.deformation;
    vxe_m3_cofactors(p, at->inverse);
    at->determinant = vxe_dot3(p, at->inverse);
}

/* Computes P^-T from the cofactors, and the direction of the volume constraint. */
VXE_NUMBER_INLINE void vxe_affine_stand(const vxe_affine_own *body, vxe_affine_end *at)
{
    const vxe_number by = 1.0 / at->determinant;
    for (int i = 0; i < 9; i++) {
        at->inverse[i] *= by;
    }
    if (body->is.keeps_volume) {
        vxe_m3_times(at->inverse, body->inverse_euler, at->way);
    }
}

/* Evaluates growth and its flow at the time of an end if they are given by formulas. */
VXE_NUMBER_INLINE void vxe_affine_grow_by_formulas(const vxe_affine_own *body, vxe_affine_end *at)
{
    if (body->is.grows) {
        vxe_affine_growth_at(body, at->time, at->state.growth, at->flow);
    }
}

/* Stresses of a deformable body at an end, the flow of driven growth, and P'' = (M - V0 S) J^-1
   (Contento2009). again: only the rates have changed since the last call. */
VXE_NUMBER_INLINE void vxe_affine_strain(const vxe_affine_own *body, vxe_affine_end *at, bool again)
{
    const vxe_affine_state *state = &at->state;
    vxe_affine_stress *stress = &at->stress;
    if (body->is.grows || body->is.driven) {
        if (!body->is.grows) {
            vxe_affine_driven_flow(body, state, at->inverse, at->time, at->flow);
        }
        vxe_affine_grown_stress(body, state, at->inverse, at->flow, stress);
    } else {
        if (!again) {
            vxe_affine_elastic(body, state->deformation, at->inverse, at->determinant,
                               stress->still);
        }
        if (body->is.viscous) {
            vxe_number gradient[9];
            vxe_m3_times_transposed(state->rate, at->inverse, gradient);
            vxe_affine_resist(body, gradient, at->inverse, stress);
        } else {
            vxe_copy_numbers(stress->stress, stress->still, 9);
            stress->viscous = vxe_number_of(0);
        }
    }
    vxe_number sum[9];
    for (int i = 0; i < 9; i++) {
        sum[i] = at->load.by_arm[i] - body->volume * stress->stress[i];
    }
    vxe_m3_times(sum, body->inverse_euler, at->change);
}

/* Drifts P for h seconds such that det P equals volume, by a multiple of the constraint direction
   (way) at the start of the part; computes cofactors and determinant of the new P. Returns the
   multiple (1/s); half of that of the last part is the first guess. */
VXE_NUMBER_INLINE vxe_number vxe_affine_drift_in_volume(const vxe_affine_own *body,
                                                        const vxe_number way[9], vxe_affine_end *at,
                                                        vxe_number h, vxe_number volume)
{
    vxe_affine_state *state = &at->state;
    vxe_number free[9];
    vxe_number by[9];
    vxe_number taken = 0.5 * h * body->volume * state->pressure;
    vxe_number off = vxe_number_of(HUGE_VAL);
    vxe_truth open = vxe_equal(off, off);
    for (int i = 0; i < 9; i++) {
        free[i] = state->deformation[i] + h * state->rate[i];
        by[i] = h * way[i];
    }
    for (int step = 0; step < VXE_AFFINE_VOLUME_STEPS && vxe_any(open); step++) {
        for (int i = 0; i < 9; i++) {
            state->deformation[i] = free[i] + taken * by[i];
        }
        vxe_affine_measure(at);
        const vxe_number error = at->determinant - volume;
        const vxe_number last = off;
        off = vxe_magnitude(error);
        /* also ends where rounding no longer lets the error halve */
        const vxe_truth nears =
            vxe_either(vxe_less(VXE_AFFINE_NEARLY * volume, off), vxe_less(off, 0.5 * last));
        open = vxe_both(open, vxe_both(vxe_less(VXE_AFFINE_EXACT * volume, off), nears));
        const vxe_number slope = vxe_m3_dot(at->inverse, by);
        taken = vxe_choose(open, taken - error / slope, taken);
    }
    vxe_m3_add(state->rate, taken, way);
    const vxe_truth kept = vxe_less_or_equal(off, VXE_AFFINE_NEARLY * volume);
    /* no convergence: a number that is not finite ends the run as diverged */
    state->deformation[0] = vxe_choose(kept, state->deformation[0], vxe_number_of((double)NAN));
    return taken;
}

/* Projects the rates so that the volume changes as growth does; returns the multiple (1/s) of the
   constraint direction that this takes. */
VXE_NUMBER_INLINE vxe_number vxe_affine_project(vxe_affine_end *at)
{
    const vxe_number taken = (vxe_m3_trace(at->flow) - vxe_m3_dot(at->inverse, at->state.rate)) /
                             vxe_m3_dot(at->inverse, at->way);
    vxe_m3_add(at->state.rate, taken, at->way);
    return taken;
}

/* Adds the work and loss of growth at one end of a part to the sums; half is half the part (s). */
VXE_NUMBER_INLINE void vxe_affine_account_growth(const vxe_affine_own *body,
                                                 const vxe_affine_end *at, vxe_number half,
                                                 vxe_affine_state *sum)
{
    if (body->is.driven) {
        const vxe_number slow = body->number[VXE_AFFINE_GROWTH_VISCOSITY];
        vxe_number drive[9];
        vxe_affine_drive_at(body, at->time, drive);
        sum->driven += half * body->volume * vxe_m3_dot(drive, at->flow);
        sum->remodelled += half * body->volume * slow * vxe_m3_dot(at->flow, at->flow);
    } else if (body->is.grows) { /* work that enforces the prescribed flow */
        const vxe_number pressure = body->is.keeps_volume ? sum->pressure : vxe_number_of(0);
        sum->driven += half * body->volume *
                       (pressure * vxe_m3_trace(at->flow) - vxe_m3_dot(at->stress.drive, at->flow));
    }
}

/* Adds the losses and works of a part to the sums by the trapezoidal rule over its two ends;
   those of contact are added elsewhere. */
VXE_NUMBER_INLINE void vxe_affine_account(const vxe_affine_own *body, const vxe_affine_end *before,
                                          vxe_affine_end *after, vxe_number h)
{
    const vxe_affine_end *ends[2] = {before, after};
    const vxe_number half = 0.5 * h;
    vxe_affine_state *sum = &after->state;
    for (int e = 0; e < 2; e++) {
        const vxe_affine_end *at = ends[e];
        if (body->is.forced) {
            sum->worked += half * vxe_dot3(at->load.given, at->state.v);
        }
        if (body->is.viscous) {
            sum->viscous += half * body->volume * at->stress.viscous;
        }
        vxe_affine_account_growth(body, at, half, sum);
    }
}

/* Accelerates a deformable body's centroid for h seconds. */
VXE_NUMBER_INLINE void vxe_affine_kick_center(const vxe_affine_own *body, vxe_affine_state *state,
                                              const vxe_affine_load *load, vxe_number h)
{
    for (int c = 0; c < 3 && !body->is.hold_center; c++) {
        state->v[c] += h * (body->gravity[c] + load->force[c] * body->inverse_mass);
    }
}

/* Advances driven growth through a part of h seconds, by its flow in the middle (midpoint rule). */
VXE_NUMBER_INLINE void vxe_affine_grow_through(const vxe_affine_own *body,
                                               const vxe_affine_end *before, vxe_affine_end *after,
                                               vxe_number h)
{
    vxe_affine_state middle = after->state;
    vxe_number flow[9];
    vxe_number inverse[9];
    vxe_copy_numbers(flow, before->flow, 9);
    vxe_affine_grow(middle.growth, flow, 0.5 * h);
    vxe_m3_add(middle.deformation, 0.5 * h, after->state.rate);
    vxe_m3_inverse_transposed(middle.deformation, inverse);
    vxe_affine_driven_flow(body, &middle, inverse, before->time + 0.5 * h, flow);
    vxe_affine_grow(after->state.growth, flow, h);
}

/* First half of a part, before the load at its end is known: half a kick, growth and the drift.
   Returns the multiple (1/s) of the volume constraint that the drift took. */
VXE_NUMBER_INLINE vxe_number vxe_affine_begin(const vxe_affine_own *body,
                                              const vxe_affine_end *before, vxe_affine_end *after,
                                              vxe_number h)
{
    vxe_affine_state *state = &after->state;
    /* number by number: a structure copy becomes a call of memcpy, which took 1/8 of the time */
    vxe_copy_numbers((vxe_number *)state, (const vxe_number *)&before->state,
                     VXE_AFFINE_STATE_NUMBERS);
    vxe_copy_numbers(after->flow, before->flow, 9);
    after->time = before->time + h;
    if (body->is.rigid) {
        vxe_rigid_kick(body, state, &before->load, 0.5 * h);
        vxe_rigid_drift(body, state, h);
        return vxe_number_of(0);
    }
    if (!body->is.hold_deformation) {
        vxe_m3_add(state->rate, 0.5 * h, before->change);
    }
    vxe_affine_kick_center(body, state, &before->load, 0.5 * h);
    if (body->is.driven) {
        vxe_affine_grow_through(body, before, after, h);
    }
    vxe_affine_grow_by_formulas(body, after);
    for (int c = 0; c < 3; c++) {
        state->place[c] += h * state->v[c];
    }
    if (body->is.keeps_volume && !body->is.hold_deformation) {
        const vxe_number volume = body->is.grows || body->is.driven
                                      ? vxe_m3_determinant(state->growth)
                                      : vxe_number_of(1);
        return vxe_affine_drift_in_volume(body, before->way, after, h, volume);
    }
    vxe_m3_add(state->deformation, h, state->rate);
    vxe_affine_measure(after);
    return vxe_number_of(0);
}

/* Second half of a part: stress at its end and half a kick. Stresses that depend on the rates at
   the end are iterated. taken is the multiple that vxe_affine_begin returned. */
VXE_NUMBER_INLINE void vxe_affine_finish(const vxe_affine_own *body, vxe_affine_end *after,
                                         vxe_number h, vxe_number taken)
{
    vxe_affine_state *state = &after->state;
    if (body->is.rigid) {
        vxe_rigid_kick(body, state, &after->load, 0.5 * h);
        vxe_rigid_update(body, state);
        return;
    }
    const bool samples_rates = body->is.viscous || body->is.driven;
    const int rounds = samples_rates && !body->is.hold_deformation ? VXE_AFFINE_ROUNDS : 1;
    vxe_number start[9];
    vxe_number projected = vxe_number_of(0);
    vxe_affine_kick_center(body, state, &after->load, 0.5 * h);
    vxe_affine_stand(body, after);
    vxe_copy_numbers(start, state->rate, 9);
    for (int round = 0; round < rounds; round++) {
        vxe_affine_strain(body, after, round > 0);
        if (!body->is.hold_deformation) {
            vxe_copy_numbers(state->rate, start, 9);
            vxe_m3_add(state->rate, 0.5 * h, after->change);
            if (body->is.keeps_volume) {
                projected = vxe_affine_project(after);
            }
        }
    }
    state->pressure = (taken + projected) / (h * body->volume);
}

/* Whether all numbers of an end are finite, and the body is not turned inside out. */
VXE_NUMBER_INLINE vxe_truth vxe_affine_is_whole(const vxe_affine_own *body,
                                                const vxe_affine_end *at)
{
    const vxe_affine_state *state = &at->state;
    vxe_number sum[3] = {state->place[0] + state->v[0], state->place[1] + state->v[1],
                         state->place[2] + state->v[2]};
    for (int i = 0; i < 9; i++) {
        sum[i % 3] += state->deformation[i] + state->rate[i] + state->growth[i];
    }
    /* x - x is 0 if x is finite, else not a number */
    const vxe_number all = sum[0] + sum[1] + sum[2];
    const vxe_truth finite = vxe_equal(all - all, vxe_number_of(0));
    return body->is.rigid ? finite : vxe_both(finite, vxe_less(vxe_number_of(0), at->determinant));
}

#endif
