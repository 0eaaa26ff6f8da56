/* SPDX-License-Identifier: MIT */
/* Eigenvalues of small symmetric matrices by Jacobi rotations. */
#include "common/symmetric_eigen_internal.h"

#include <math.h>

#include "common/assert_internal.h"

/* Makes element p q of a symmetric matrix vanish, and rotates the basis with it. */
static void rotate(double *a, double *basis, size_t n, size_t p, size_t q)
{
    VXE_ASSERT(p < q && q < n);
    const double off = a[p * n + q];
    if (off == 0) {
        return;
    }
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double cosine = 1 / sqrt(t * t + 1);
    const double sine = t * cosine;
    for (size_t k = 0; k < n; k++) {
        const double kp = a[k * n + p];
        const double kq = a[k * n + q];
        a[k * n + p] = cosine * kp - sine * kq;
        a[k * n + q] = sine * kp + cosine * kq;
    }
    for (size_t k = 0; k < n; k++) {
        const double pk = a[p * n + k];
        const double qk = a[q * n + k];
        a[p * n + k] = cosine * pk - sine * qk;
        a[q * n + k] = sine * pk + cosine * qk;
    }
    for (size_t k = 0; k < n; k++) {
        const double kp = basis[k * n + p];
        const double kq = basis[k * n + q];
        basis[k * n + p] = cosine * kp - sine * kq;
        basis[k * n + q] = sine * kp + cosine * kq;
    }
}

void vxe_symmetric_eigen(double *matrix, double *basis, size_t n)
{
    enum { SWEEPS = 30 };
    double all = 0;
    for (size_t i = 0; i < n * n; i++) {
        basis[i] = i % (n + 1) == 0;
        all += matrix[i] * matrix[i];
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0;
        for (size_t p = 0; p < n; p++) {
            for (size_t q = p + 1; q < n; q++) {
                off += matrix[p * n + q] * matrix[p * n + q];
            }
        }
        if (!(off > 1e-28 * all)) {
            break;
        }
        for (size_t p = 0; p < n; p++) {
            for (size_t q = p + 1; q < n; q++) {
                rotate(matrix, basis, n, p, q);
            }
        }
    }
}
