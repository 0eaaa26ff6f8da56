/* SPDX-License-Identifier: MIT */
/* Chooses the polynomial of the damping iteration: builds both Chebyshev families
   (AbramowitzStegun1964, chapter 22) for one iteration more at a time, until one keeps its
   bounds. See damping_polynomial.h. */
#include "engine/bonds/damping_polynomial.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/trig_internal.h"

/* Coefficients of a polynomial in y from the constant up. */
#define MAX_COEFFICIENTS (VXE_MAX_DAMPING_ITERATIONS + 2)
/* Smallest Q of the quick family. */
#define QUICK_MIN 0.1
/* Number of places at which the bounds are checked. */
#define PLACES 256
/* Those of slow modes, up to half of the highest frequency: faster ones are damped away. */
#define SLOW_PLACES (PLACES / 4)
/* Part by which damping may be wrong at any step. */
#define ALWAYS_WRONG 1e-3

/* T_m(x0 - k y), by the recurrence. */
static void shifted_chebyshev(uint32_t m, double x0, double k, double coefficients[])
{
    VXE_ASSERT(m >= 1 && m < MAX_COEFFICIENTS);
    double older[MAX_COEFFICIENTS] = {1};
    double newer[MAX_COEFFICIENTS] = {x0, -k};
    for (uint32_t n = 1; n < m; n++) {
        double next[MAX_COEFFICIENTS];
        for (uint32_t i = 0; i <= m; i++) {
            next[i] = 2 * x0 * newer[i] - (i > 0 ? 2 * k * newer[i - 1] : 0) - older[i];
        }
        memcpy(older, newer, sizeof older);
        memcpy(newer, next, sizeof newer);
    }
    memcpy(coefficients, newer, sizeof newer);
}

/* Q of the close family; false where it has none. */
static bool close_polynomial(uint32_t damping_iterations, double reach, double q[])
{
    const uint32_t m = damping_iterations + 1;
    double sine = 0;
    double x0 = 0;
    double r[MAX_COEFFICIENTS];
    vxe_sincos_cycles(0.5 / m, &sine, &x0);
    shifted_chebyshev(m, x0, (1 + x0) / reach, r);
    double top = 0; /* T_m at y = -1 */
    for (uint32_t i = 0; i <= m; i++) {
        top += i % 2 ? -r[i] : r[i];
    }
    if (!(top > 1)) {
        return false;
    }
    const double a = 2 / (1 + top);
    /* 1 - R, divided by 1 + y from the constant up */
    for (uint32_t i = 0; i < m; i++) {
        const double numerator = (i == 0 ? 1 - a / 2 : 0) - a / 2 * r[i];
        q[i] = numerator - (i > 0 ? q[i - 1] : 0);
    }
    return true;
}

/* Reach of the quick family at w0; it falls as w0 grows. */
static double quick_reach(uint32_t damping_iterations, double w0)
{
    double t[MAX_COEFFICIENTS]; /* polynomial in y: its first coefficients are the value of T_s
                                   at w0 and less its slope */
    shifted_chebyshev(damping_iterations, w0, 1, t);
    return (1 - QUICK_MIN) * (1 + w0) * -t[1] / (1 + t[0]);
}

/* Q of the quick family; false where its reach is too short or too long. */
static bool quick_polynomial(uint32_t damping_iterations, double reach, double q[])
{
    double low = 1;
    double high = 10;
    if (quick_reach(damping_iterations, low) < reach ||
        quick_reach(damping_iterations, high) > reach) {
        return false;
    }
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (quick_reach(damping_iterations, middle) > reach) {
            low = middle;
        } else {
            high = middle;
        }
    }
    shifted_chebyshev(damping_iterations, low, (1 + low) / reach, q);
    const double scale = (1 - QUICK_MIN) / (1 + q[0]);
    for (uint32_t i = 1; i <= damping_iterations; i++) {
        q[i] *= scale;
    }
    q[0] = 1;
    return true;
}

double vxe_damping_factor(const double *coefficient, uint32_t damping_iterations, double y)
{
    VXE_ASSERT(damping_iterations <= VXE_MAX_DAMPING_ITERATIONS && y >= 0);
    double q = 1;
    for (uint32_t i = damping_iterations; i-- > 0;) {
        q = 1 - coefficient[i] * y * q;
    }
    return q;
}

/* The part by which the damping of a slow mode is wrong. */
static double error_of(const double *coefficient, uint32_t damping_iterations, double y)
{
    return fabs((1 / vxe_damping_factor(coefficient, damping_iterations, y) - 1) / y - 1);
}

/* Whether each slow mode is wrong by at most the part of what it is at the usual step, or of what a
   slower one is there. */
static bool is_as_exact(const double *coefficient, uint32_t damping_iterations, double max,
                        const vxe_damping_usual *usual)
{
    double worst = 0;
    for (int i = 1; i <= SLOW_PLACES; i++) {
        const double y = max * i / PLACES;
        worst = fmax(worst, error_of(usual->coefficient, usual->iterations, y / usual->part));
        if (error_of(coefficient, damping_iterations, y) > usual->part * worst + ALWAYS_WRONG) {
            return false;
        }
    }
    return true;
}

static bool serves(const double *coefficient, uint32_t damping_iterations, double max, double reach)
{
    VXE_ASSERT(max > 0 && reach >= max);
    for (int i = 1; i <= PLACES; i++) {
        const double far = reach * i / PLACES;
        const double q = vxe_damping_factor(coefficient, damping_iterations, far);
        if (!(q * (1 + far) >= 0.25 && q * (1 + far / 8) <= 1)) {
            return false;
        }
        const double y = max * i / PLACES;
        if (!(error_of(coefficient, damping_iterations, y) <= 1 + 6 * y / max)) {
            return false;
        }
    }
    return true;
}

uint32_t vxe_damping_fewest_iterations(double max, double reach, const vxe_damping_usual *usual,
                                       double coefficient[VXE_MAX_DAMPING_ITERATIONS])
{
    VXE_ASSERT(max > 0 && reach >= max);
    const uint32_t max_count = usual ? usual->iterations : VXE_MAX_DAMPING_ITERATIONS;
    for (uint32_t damping_iterations = 1; damping_iterations <= max_count; damping_iterations++) {
        for (int family = 0; family < 2; family++) {
            double q[MAX_COEFFICIENTS];
            if (!(family ? quick_polynomial : close_polynomial)(damping_iterations, reach, q)) {
                continue;
            }
            for (uint32_t i = 0; i < damping_iterations; i++) {
                coefficient[i] = -q[i + 1] / q[i];
            }
            if (serves(coefficient, damping_iterations, max, reach) &&
                (!usual || is_as_exact(coefficient, damping_iterations, max, usual))) {
                return damping_iterations;
            }
        }
    }
    if (usual) { /* it serves smaller y too */
        memcpy(coefficient, usual->coefficient, usual->iterations * sizeof *coefficient);
    }
    return usual ? usual->iterations : 0;
}
