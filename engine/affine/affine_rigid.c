/* SPDX-License-Identifier: MIT */
/* Rigid bodies: angular momentum is what is kept. They turn by turns about one principal axis after
   another and back, each of which is exact (physics 0; McLachlan's splitting of the free top). */
#include <math.h>
#include <string.h>

#include "common/trig_internal.h"
#include "engine/affine/affine_internal.h"

/* Sweeps of Jacobi's turns: three by three are diagonal after a few. */
#define SWEEPS 12
/* What is beside the diagonal counts as rounding up to that part of the trace: bodies of equal
   moments have no axes that it could tell. */
#define ROUNDING 1e-12

/* Turns columns p and q of a matrix by an angle. */
static void turn_columns(double a[9], int p, int q, double sine, double cosine)
{
    for (int r = 0; r < 3; r++) {
        const double x = a[3 * r + p];
        const double y = a[3 * r + q];
        a[3 * r + p] = cosine * x + sine * y;
        a[3 * r + q] = cosine * y - sine * x;
    }
}

void vxe_principal_axes(const double matrix[9], double axes[9], double values[3])
{
    double a[9];
    double turned[9];
    vxe_m3_identity(axes);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                vxe_m3_transposed_times(axes, matrix, turned);
                vxe_m3_times(turned, axes, a);
                const double off = a[3 * p + q];
                if (!(fabs(off) > ROUNDING * (a[0] + a[4] + a[8]))) {
                    continue;
                }
                const double ratio = (a[4 * q] - a[4 * p]) / (2 * off);
                const double t = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(ratio * ratio + 1));
                const double cosine = 1 / sqrt(t * t + 1);
                turn_columns(axes, p, q, -t * cosine, cosine);
            }
        }
    }
    vxe_m3_transposed_times(axes, matrix, turned);
    vxe_m3_times(turned, axes, a);
    for (int c = 0; c < 3; c++) {
        values[c] = a[4 * c];
    }
}

void vxe_rigid_prepare(vxe_affine *body, const double pin[3])
{
    double about[9];
    double second[3];
    memcpy(about, body->euler, sizeof about);
    for (int i = 0; i < 9; i++) {
        about[i] += body->mass * pin[i / 3] * pin[i % 3];
    }
    vxe_principal_axes(about, body->axes, second);
    for (int c = 0; c < 3; c++) {
        body->moments[c] = second[(c + 1) % 3] + second[(c + 2) % 3];
        body->arm[c] = -pin[c];
    }
}

void vxe_rigid_spin(const vxe_affine *body, const vxe_affine_state *state, double spin[3])
{
    double axes[9];
    double own[3];
    vxe_m3_times(state->deformation, body->axes, axes);
    vxe_m3_apply_transposed(axes, state->spin, own);
    for (int c = 0; c < 3; c++) {
        own[c] /= body->moments[c];
    }
    vxe_m3_apply(axes, own, spin);
}

void vxe_rigid_follow(const vxe_affine *body, vxe_affine_state *state)
{
    double w[3];
    vxe_rigid_spin(body, state, w);
    const double turning[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
    vxe_m3_times(turning, state->deformation, state->rate);
    if (body->pinned) {
        double arm[3];
        vxe_m3_apply(state->deformation, body->arm, arm);
        vxe_m3_apply(turning, arm, state->v);
        for (int c = 0; c < 3; c++) {
            state->place[c] = body->pivot[c] + arm[c];
        }
    }
}

void vxe_rigid_kick(const vxe_affine *body, vxe_affine_state *state, const vxe_affine_load *load,
                    double h)
{
    double force[3];
    double arm[3];
    vxe_m3_apply(state->deformation, body->arm, arm);
    for (int c = 0; c < 3; c++) {
        force[c] = load->force[c] + body->mass * body->gravity[c];
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3;
        const int e = (c + 2) % 3;
        const double lever = body->pinned ? arm[d] * force[e] - arm[e] * force[d] : 0;
        state->v[c] += body->hold_center || body->pinned ? 0 : h * force[c] / body->mass;
        state->spin[c] += body->hold_deformation ? 0 : h * (load->torque[c] + lever);
    }
    vxe_rigid_follow(body, state);
}

void vxe_rigid_drift(const vxe_affine *body, vxe_affine_state *state, double h)
{
    static const int order[5] = {0, 1, 2, 1, 0};
    double axes[9];
    vxe_m3_times(state->deformation, body->axes, axes);
    for (int i = 0; i < 5; i++) {
        const int k = order[i];
        const int p = (k + 1) % 3;
        const int q = (k + 2) % 3;
        const double own =
            axes[k] * state->spin[0] + axes[k + 3] * state->spin[1] + axes[k + 6] * state->spin[2];
        const double angle = (i == 2 ? h : 0.5 * h) * own / body->moments[k];
        double sine;
        double cosine;
        vxe_sincos_cycles(angle / VXE_TAU, &sine, &cosine);
        turn_columns(axes, p, q, sine, cosine);
    }
    /* a step of Newton's towards a turn: rounding must not add up */
    double square[9];
    double straight[9];
    vxe_m3_transposed_times(axes, axes, square);
    for (int i = 0; i < 9; i++) {
        square[i] = 1.5 * (i % 4 == 0) - 0.5 * square[i];
    }
    vxe_m3_times(axes, square, straight);
    vxe_m3_times_transposed(straight, body->axes, state->deformation);
    for (int c = 0; c < 3; c++) {
        state->place[c] += h * state->v[c];
    }
    vxe_rigid_follow(body, state);
}
