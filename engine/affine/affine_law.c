/* SPDX-License-Identifier: MIT */
/* What a deformable body is made of: Mooney-Rivlin's energy, viscosity, growth (physics 5 and 6).
 */
#include <math.h>
#include <string.h>

#include "common/trig_internal.h"
#include "engine/affine/affine_internal.h"

/* s: derivatives of formulas of growth are taken over so much to both sides. */
#define BESIDE 1e-6
/* Rounds for a flow that viscosity feels, and what is left of it, of its size. */
#define MOST_ROUNDS 200
#define LEFT 1e-13
/* Terms of the exponential of a flow, whose size its parts keep below 0.1. */
#define MOST_TERMS 12

/* Stress of F and its energy per volume. What keeps the volume exactly is not in it: without it,
   and by the penalty, the body at rest is free of stress (phi - (2 c1 + 4 c2) ln det F). */
static double elastic(const vxe_affine *body, const double f[9], double stress[9])
{
    const double c1 = body->number[VXE_AFFINE_C1];
    const double c2 = body->number[VXE_AFFINE_C2];
    const double kappa = body->number[VXE_AFFINE_BULK];
    double c[9];
    double fc[9];
    double inverse[9];
    vxe_m3_transposed_times(f, f, c);
    vxe_m3_times(f, c, fc);
    const double i1 = vxe_m3_trace(c);
    const double i2 = 0.5 * (i1 * i1 - vxe_m3_dot(c, c));
    const double determinant = vxe_m3_inverse_transposed(f, inverse);
    const double rest = 2 * c1 + 4 * c2;
    double energy = c1 * (i1 - 3) + c2 * (i2 - 3);
    double bulk = -rest; /* what a body that keeps its volume has at rest */
    if (!body->keeps_volume) {
        const double excess = determinant - 1;
        bulk = kappa * excess * determinant - rest;
        energy += 0.5 * kappa * excess * excess - rest * vxe_logarithm(determinant);
    }
    for (int i = 0; i < 9; i++) {
        stress[i] = 2 * c1 * f[i] + 2 * c2 * (i1 * f[i] - fc[i]) + bulk * inverse[i];
    }
    return energy;
}

void vxe_affine_stress_of(const vxe_affine *body, const vxe_affine_state *state,
                          const double flow[9], vxe_affine_stress *stress)
{
    const double *g = state->growth;
    double by_growth[9]; /* G^-T */
    double f[9];
    double by_f[9]; /* F^-T */
    double by_p[9]; /* P^-T */
    double own[9];
    const double grown = vxe_m3_inverse_transposed(g, by_growth);
    vxe_m3_times_transposed(state->deformation, by_growth, f);
    vxe_m3_inverse_transposed(f, by_f);
    vxe_m3_inverse_transposed(state->deformation, by_p);
    stress->energy = grown * elastic(body, f, own);
    vxe_m3_times(own, by_growth, stress->stress);
    for (int i = 0; i < 9; i++) {
        stress->stress[i] *= grown;
    }
    double velocity[9]; /* F' F^-1 = P' P^-1 - F V F^-1 */
    double fv[9];
    double part[9];
    double d[9];
    const double mu = body->number[VXE_AFFINE_VISCOSITY];
    vxe_m3_times_transposed(state->rate, by_p, velocity);
    vxe_m3_times(f, flow, fv);
    vxe_m3_times_transposed(fv, by_f, part);
    vxe_m3_add(velocity, -1, part);
    vxe_m3_symmetric(velocity, d);
    vxe_m3_times(d, by_p, part);
    vxe_m3_add(stress->stress, mu, part);
    stress->viscous = mu * vxe_m3_dot(d, d);
    vxe_m3_transposed_times(f, stress->stress, part);
    vxe_m3_times_transposed(part, g, stress->drive);
    for (int c = 0; c < 3; c++) {
        stress->drive[4 * c] -= stress->energy;
    }
}

static void run_nine(const vxe_affine *body, int first, double time, double nine[9])
{
    const double *variables[1] = {&time};
    for (int i = 0; i < 9; i++) {
        const vxe_expression *formula = &body->formulas[first + i];
        if (formula->count > 0) {
            vxe_expression_run(formula, variables, 1, &nine[i]);
        }
    }
}

void vxe_affine_drive_at(const vxe_affine *body, double time, double drive[9])
{
    memset(drive, 0, 9 * sizeof *drive);
    run_nine(body, VXE_AFFINE_DRIVE, time, drive);
}

void vxe_affine_growth_at(const vxe_affine *body, double time, double growth[9], double flow[9])
{
    double before[9];
    double after[9];
    double rate[9];
    double inverse[9];
    vxe_m3_identity(growth);
    vxe_m3_identity(before);
    vxe_m3_identity(after);
    run_nine(body, VXE_AFFINE_GROWTH, time, growth);
    const double from = fmax(0, time - BESIDE); /* there is nothing before the start */
    const double to = time + BESIDE;
    run_nine(body, VXE_AFFINE_GROWTH, from, before);
    run_nine(body, VXE_AFFINE_GROWTH, to, after);
    for (int i = 0; i < 9; i++) {
        rate[i] = (after[i] - before[i]) / (to - from);
    }
    vxe_m3_inverse_transposed(growth, inverse);
    vxe_m3_times_transposed(rate, inverse, flow);
}

void vxe_affine_driven_flow(const vxe_affine *body, const vxe_affine_state *state, double time,
                            double flow[9])
{
    const double slow = body->number[VXE_AFFINE_GROWTH_VISCOSITY];
    const double by = 1 / (slow + body->number[VXE_AFFINE_VISCOSITY]);
    double drive[9];
    vxe_affine_drive_at(body, time, drive);
    bool solved = false;
    for (int round = 0; round < MOST_ROUNDS && !solved; round++) {
        vxe_affine_stress stress;
        double most = 0;
        double change[9];
        vxe_affine_stress_of(body, state, flow, &stress);
        for (int i = 0; i < 9; i++) {
            change[i] = stress.drive[i] + drive[i] - slow * flow[i];
        }
        const double mean = vxe_m3_trace(change) / 3;
        for (int i = 0; i < 9; i += 4) {
            change[i] -= body->isochoric ? mean : 0;
        }
        for (int i = 0; i < 9; i++) {
            most = fmax(most, fabs(change[i]));
            flow[i] += by * change[i];
        }
        solved = most * by <= LEFT * (1 + sqrt(vxe_m3_dot(flow, flow)));
    }
    if (!solved) { /* which ends the run */
        flow[0] = (double)NAN;
    }
}

void vxe_affine_grow(double growth[9], const double flow[9], double h)
{
    double sum[9];
    double term[9];
    double next[9];
    vxe_m3_identity(sum);
    vxe_m3_identity(term);
    for (int n = 1; n <= MOST_TERMS; n++) {
        vxe_m3_times(term, flow, next);
        for (int i = 0; i < 9; i++) {
            term[i] = next[i] * h / n;
            sum[i] += term[i];
        }
    }
    vxe_m3_times(sum, growth, next);
    memcpy(growth, next, sizeof next);
}

double vxe_affine_inner_part(const vxe_affine *body, const vxe_affine_state *state,
                             const double flow[9])
{
    /* of 1/w, of what viscosity, growth and turning take */
    static const double of_wave = 0.05;
    static const double of_decay = 0.1;
    static const double of_turn = 0.05;
    const double stretch = fmax(1, vxe_m3_dot(state->deformation, state->deformation) / 3);
    const double shear = 2 * (body->number[VXE_AFFINE_C1] + body->number[VXE_AFFINE_C2] * stretch);
    const double stiff = 2 * shear + (body->keeps_volume ? 0 : 3 * body->number[VXE_AFFINE_BULK]);
    const double by_mass =
        body->volume *
        fmax(body->inverse_euler[0], fmax(body->inverse_euler[4], body->inverse_euler[8]));
    const double thinning = fmax(1, stretch * stretch);
    double part = of_wave / sqrt(stiff * by_mass * thinning);
    const double mu = body->number[VXE_AFFINE_VISCOSITY];
    const double slow = body->number[VXE_AFFINE_GROWTH_VISCOSITY];
    part = mu > 0 ? fmin(part, of_decay / (mu * by_mass * thinning)) : part;
    part = slow > 0 ? fmin(part, of_decay * slow / (2 * shear * thinning)) : part;
    const double turning = sqrt(vxe_m3_dot(state->rate, state->rate) + vxe_m3_dot(flow, flow));
    return turning > 0 ? fmin(part, of_turn / turning) : part;
}
