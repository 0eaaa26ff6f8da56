/* SPDX-License-Identifier: MIT */
/* The law of a deformable body: Mooney-Rivlin energy, viscosity and growth
   (docs/affine-bodies.md, Equations; Contento2009); for one body or several side by side. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_LAW_H
#define VXE_ENGINE_AFFINE_AFFINE_LAW_H

#include <string.h>

#include "common/assert_internal.h"
#include "common/trig_internal.h"
#include "engine/affine/affine_body.h"

/* s: half width of the central difference that differentiates growth formulas by time. */
#define VXE_AFFINE_BESIDE 1e-6
/* Maximum number of iterations for a driven flow, and the relative residual at which they end. */
#define VXE_AFFINE_FLOW_ROUNDS 200
#define VXE_AFFINE_FLOW_LEFT 1e-13
/* Terms of the exponential of h times a flow; parts keep that product below 0.1. */
#define VXE_AFFINE_FLOW_TERMS 12

/* Piola stress of F, given F^-T (inverse) and det F; MooneyRivlin. The pressure of an exact volume
   constraint is not included. The term -(2 c1 + 4 c2) ln det F makes the body at rest free of
   stress. Returns c1 (i1 - 3) + c2 (i2 - 3), J/m^3. */
VXE_NUMBER_INLINE vxe_number vxe_affine_elastic(const vxe_affine_own *body, const vxe_number f[9],
                                                const vxe_number inverse[9], vxe_number determinant,
                                                vxe_number stress[9])
{
    const vxe_number c1 = body->number[VXE_AFFINE_C1];
    const vxe_number c2 = body->number[VXE_AFFINE_C2];
    vxe_number c[9];
    vxe_number fc[9];
    vxe_m3_square(f, c);
    vxe_m3_times(f, c, fc);
    const vxe_number i1 = vxe_m3_trace(c);
    vxe_number bulk = -2.0 * (c1 + 2.0 * c2); /* of the logarithm */
    if (!body->is.keeps_volume) {
        bulk += body->number[VXE_AFFINE_BULK] * (determinant - 1.0) * determinant;
    }
    const vxe_number along = 2.0 * (c1 + c2 * i1);
    const vxe_number against = 2.0 * c2;
    for (int i = 0; i < 9; i++) {
        stress[i] = along * f[i] - against * fc[i] + bulk * inverse[i];
    }
    const vxe_number i2 = 0.5 * (i1 * i1 - vxe_m3_dot(c, c));
    return c1 * (i1 - 3.0) + c2 * (i2 - 3.0);
}

/* Energy (J/m^3) of a change of volume: kappa/2 (det F - 1)^2 - (2 c1 + 4 c2) ln det F; 0 if the
   volume is kept exactly. */
VXE_NUMBER_INLINE vxe_number vxe_affine_bulk_energy(const vxe_affine_own *body,
                                                    vxe_number determinant)
{
    if (body->is.keeps_volume) {
        return vxe_number_of(0);
    }
    const vxe_number excess = determinant - 1.0;
    const vxe_number rest = 2.0 * (body->number[VXE_AFFINE_C1] + 2.0 * body->number[VXE_AFFINE_C2]);
    vxe_number logarithm = determinant;
    for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
        *vxe_lane(&logarithm, lane) = vxe_logarithm(*vxe_lane(&determinant, lane));
    }
    return 0.5 * body->number[VXE_AFFINE_BULK] * excess * excess - rest * logarithm;
}

/* Elastic energy of a body per reference volume, J/m^3: det G phi(P G^-1). */
VXE_NUMBER_INLINE vxe_number vxe_affine_stored(const vxe_affine_own *body,
                                               const vxe_affine_state *state)
{
    vxe_number by_growth[9];
    vxe_number f[9];
    vxe_number inverse[9];
    vxe_number stress[9];
    const vxe_number grown = vxe_m3_inverse_transposed(state->growth, by_growth);
    vxe_m3_times_transposed(state->deformation, by_growth, f);
    const vxe_number determinant = vxe_m3_inverse_transposed(f, inverse);
    const vxe_number energy = vxe_affine_elastic(body, f, inverse, determinant, stress);
    return grown * (energy + vxe_affine_bulk_energy(body, determinant));
}

/* Adds the viscous stress of a velocity gradient to the elastic stress: mu D by_p, by_p = P^-T. */
VXE_NUMBER_INLINE void vxe_affine_resist(const vxe_affine_own *body, const vxe_number gradient[9],
                                         const vxe_number by_p[9], vxe_affine_stress *stress)
{
    const vxe_number mu = body->number[VXE_AFFINE_VISCOSITY];
    vxe_number d[9];
    vxe_number part[9];
    vxe_m3_symmetric(gradient, d);
    vxe_m3_times(d, by_p, part);
    for (int i = 0; i < 9; i++) {
        stress->stress[i] = stress->still[i] + mu * part[i];
    }
    stress->viscous = mu * vxe_m3_dot(d, d);
}

/* Stresses of a body with growth G that changes by a flow G' G^-1; by_p is P^-T
   (DiCarloQuiligotti2002). */
VXE_NUMBER_INLINE void vxe_affine_grown_stress(const vxe_affine_own *body,
                                               const vxe_affine_state *state,
                                               const vxe_number by_p[9], const vxe_number flow[9],
                                               vxe_affine_stress *stress)
{
    vxe_number by_growth[9]; /* G^-T */
    vxe_number f[9];
    vxe_number by_f[9]; /* F^-T */
    vxe_number part[9];
    vxe_number gradient[9]; /* F' F^-1 = P' P^-1 - F V F^-1 */
    const vxe_number grown = vxe_m3_inverse_transposed(state->growth, by_growth);
    vxe_m3_times_transposed(state->deformation, by_growth, f);
    const vxe_number determinant = vxe_m3_inverse_transposed(f, by_f);
    vxe_number energy = vxe_affine_elastic(body, f, by_f, determinant, part);
    energy = grown * (energy + vxe_affine_bulk_energy(body, determinant));
    vxe_m3_times(part, by_growth, stress->still);
    for (int i = 0; i < 9; i++) {
        stress->still[i] *= grown;
    }
    vxe_m3_times(f, flow, part);
    vxe_m3_times_transposed(part, by_f, gradient);
    vxe_m3_times_transposed(state->rate, by_p, part);
    for (int i = 0; i < 9; i++) {
        gradient[i] = part[i] - gradient[i];
    }
    vxe_affine_resist(body, gradient, by_p, stress);
    vxe_m3_transposed_times(f, stress->stress, part);
    vxe_m3_times_transposed(part, state->growth, stress->drive);
    for (int c = 0; c < 3; c++) {
        stress->drive[4 * c] -= energy;
    }
}

/* Evaluates count formulas from first on at a time; a formula that is absent leaves its number. */
VXE_NUMBER_INLINE void vxe_affine_run_formulas(const vxe_affine_own *body, int first, int count,
                                               vxe_number time, vxe_number *into)
{
    VXE_ASSERT(first >= 0 && first + count <= VXE_AFFINE_FORMULAS);
    for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
        const double *variables[1] = {vxe_lane(&time, lane)};
        for (int i = 0; i < count; i++) {
            const vxe_expression *formula = &body->formulas[lane][first + i];
            if (formula->count > 0) {
                vxe_expression_run(formula, variables, 1, vxe_lane(&into[i], lane));
            }
        }
    }
}

/* Driving stress Q of a body at a time, Pa. */
VXE_NUMBER_INLINE void vxe_affine_drive_at(const vxe_affine_own *body, vxe_number time,
                                           vxe_number drive[9])
{
    memset(drive, 0, 9 * sizeof *drive);
    vxe_affine_run_formulas(body, VXE_AFFINE_DRIVE, 9, time, drive);
}

/* Growth G at a time, by formulas, and its flow G' G^-1. */
VXE_NUMBER_INLINE void vxe_affine_growth_at(const vxe_affine_own *body, vxe_number time,
                                            vxe_number growth[9], vxe_number flow[9])
{
    vxe_number before[9];
    vxe_number after[9];
    vxe_number rate[9];
    vxe_number inverse[9];
    vxe_m3_identity(growth);
    vxe_m3_identity(before);
    vxe_m3_identity(after);
    vxe_affine_run_formulas(body, VXE_AFFINE_GROWTH, 9, time, growth);
    /* a formula need not make sense before the start: there the difference is one-sided */
    const vxe_number from = vxe_larger(time - VXE_AFFINE_BESIDE, vxe_number_of(0));
    const vxe_number to = time + VXE_AFFINE_BESIDE;
    vxe_affine_run_formulas(body, VXE_AFFINE_GROWTH, 9, from, before);
    vxe_affine_run_formulas(body, VXE_AFFINE_GROWTH, 9, to, after);
    for (int i = 0; i < 9; i++) {
        rate[i] = (after[i] - before[i]) / (to - from);
    }
    vxe_m3_inverse_transposed(growth, inverse);
    vxe_m3_times_transposed(rate, inverse, flow);
}

/* Solves mu_gamma V = F^T S G^T - det G phi 1 + Q for the flow V by fixed-point iteration, since
   the viscous share of S depends on V. by_p is P^-T; flow is the guess and the result. */
VXE_NUMBER_INLINE void vxe_affine_driven_flow(const vxe_affine_own *body,
                                              const vxe_affine_state *state,
                                              const vxe_number by_p[9], vxe_number time,
                                              vxe_number flow[9])
{
    const vxe_number slow = body->number[VXE_AFFINE_GROWTH_VISCOSITY];
    const vxe_number by = 1.0 / (slow + body->number[VXE_AFFINE_VISCOSITY]);
    vxe_number drive[9];
    vxe_affine_drive_at(body, time, drive);
    vxe_truth open = vxe_equal(vxe_number_of(0), vxe_number_of(0));
    for (int round = 0; round < VXE_AFFINE_FLOW_ROUNDS && vxe_any(open); round++) {
        vxe_affine_stress stress;
        vxe_number max = vxe_number_of(0);
        vxe_number change[9];
        vxe_affine_grown_stress(body, state, by_p, flow, &stress);
        for (int i = 0; i < 9; i++) {
            change[i] = stress.drive[i] + drive[i] - slow * flow[i];
        }
        const vxe_number mean = vxe_m3_trace(change) / 3.0;
        for (int i = 0; i < 9 && body->is.isochoric; i += 4) {
            change[i] -= mean;
        }
        for (int i = 0; i < 9; i++) {
            max = vxe_larger(vxe_magnitude(change[i]), max);
            flow[i] = vxe_choose(open, flow[i] + by * change[i], flow[i]);
        }
        const vxe_number size = vxe_square_root(vxe_m3_dot(flow, flow));
        const vxe_number left = VXE_AFFINE_FLOW_LEFT * (1.0 + size);
        open = vxe_both(open, vxe_not(vxe_less_or_equal(max * by, left)));
    }
    /* no convergence: a number that is not finite ends the run as diverged */
    flow[0] = vxe_choose(open, vxe_number_of((double)NAN), flow[0]);
}

/* growth = e^(h flow) growth */
VXE_NUMBER_INLINE void vxe_affine_grow(vxe_number growth[9], const vxe_number flow[9], vxe_number h)
{
    vxe_number sum[9];
    vxe_number term[9];
    vxe_number next[9];
    vxe_m3_identity(sum);
    vxe_m3_identity(term);
    for (int n = 1; n <= VXE_AFFINE_FLOW_TERMS; n++) {
        vxe_m3_times(term, flow, next);
        for (int i = 0; i < 9; i++) {
            term[i] = next[i] * h / (double)n;
            sum[i] += term[i];
        }
    }
    vxe_m3_times(sum, growth, next);
    vxe_copy_numbers(growth, next, 9);
}

/* Maximum part of a step (s) that resolves the waves, damping, growth and rotation of a deformable
   body. */
VXE_NUMBER_INLINE vxe_number vxe_affine_inner_part(const vxe_affine_own *body,
                                                   const vxe_affine_state *state,
                                                   const vxe_number flow[9])
{
    /* fractions of 1/w, of the decay times of viscosity and growth, and of 1/|P'| */
    static const double of_wave = 0.05;
    static const double of_decay = 0.1;
    static const double of_turn = 0.05;
    const vxe_number one = vxe_number_of(1);
    const vxe_number stretch =
        vxe_larger(vxe_m3_dot(state->deformation, state->deformation) * (1.0 / 3), one);
    const vxe_number shear =
        2.0 * (body->number[VXE_AFFINE_C1] + body->number[VXE_AFFINE_C2] * stretch);
    vxe_number stiff = 2.0 * shear;
    if (!body->is.keeps_volume) {
        stiff += 3.0 * body->number[VXE_AFFINE_BULK];
    }
    const vxe_number by_mass =
        body->volume * vxe_larger(body->inverse_euler[0],
                                  vxe_larger(body->inverse_euler[4], body->inverse_euler[8]));
    const vxe_number thinning = stretch * stretch;
    /* 1/s^2: maximum of the squared inverse parts that they ask for */
    vxe_number rate2 = stiff * by_mass * thinning * (1 / (of_wave * of_wave));
    vxe_number turning = vxe_m3_dot(state->rate, state->rate);
    if (body->is.viscous) {
        const vxe_number decay =
            body->number[VXE_AFFINE_VISCOSITY] * by_mass * thinning * (1 / of_decay);
        rate2 = vxe_larger(decay * decay, rate2);
    }
    if (body->is.driven) {
        const vxe_number slow = body->number[VXE_AFFINE_GROWTH_VISCOSITY];
        const vxe_number growth = 2.0 * shear * thinning / (of_decay * slow);
        rate2 = vxe_larger(growth * growth, rate2);
    }
    if (body->is.driven || body->is.grows) {
        turning += vxe_m3_dot(flow, flow);
    }
    return 1.0 / vxe_square_root(vxe_larger(turning * (1 / (of_turn * of_turn)), rate2));
}

#endif
