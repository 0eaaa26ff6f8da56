/* SPDX-License-Identifier: MIT */
/* Principal axes of a rigid body by Jacobi rotations (GolubVanLoan2013), which stay accurate where
   moments are almost equal. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/affine/affine_group.h"

/* Sweeps of the Jacobi iteration; a 3 x 3 matrix is diagonal after a few. */
#define SWEEPS 12
/* An element off the diagonal counts as rounding up to this fraction of the trace: bodies of equal
   moments have no distinct axes. */
#define ROUNDING 1e-12

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
                vxe_m3_turn_columns(axes, p, q, -t * cosine, cosine);
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
        about[i] += body->own.mass * pin[i / 3] * pin[i % 3];
    }
    vxe_principal_axes(about, body->own.axes, second);
    for (int c = 0; c < 3; c++) {
        body->moments[c] = second[(c + 1) % 3] + second[(c + 2) % 3];
        VXE_ASSERT(body->moments[c] > 0);
        body->own.inverse_moments[c] = 1 / body->moments[c];
        body->own.arm[c] = -pin[c];
    }
}
