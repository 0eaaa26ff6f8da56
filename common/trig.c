/* SPDX-License-Identifier: MIT */
/* Elementary functions by series and continued fractions. C libraries differ in the last bit of
   theirs; these give the same bits everywhere. */
#include "common/trig_internal.h"

#include <math.h>

#include "common/assert_internal.h"
#include "common/sincos_internal.h"

void vxe_sincos_cycles(double cycles, double *sine, double *cosine)
{
    VXE_ASSERT(sine && cosine);
    vxe_sincos_of(cycles, sine, cosine);
}

double vxe_exponential(double x)
{
    if (x < -700) {
        return 0;
    }
    if (!(x <= 700)) {
        return x > 700 ? HUGE_VAL : x;
    }
    /* e^x = 2^n e^r with |r| <= ln2/2; ln2 in two parts keeps r exact */
    double n = floor(x / 0.693147180559945309 + 0.5);
    double r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10;
    double sum = 1;
    for (int k = 16; k >= 1; k--) {
        sum = 1 + r / k * sum;
    }
    VXE_ASSERT(fabs(r) < 0.35 && fabs(n) <= 1010);
    return ldexp(sum, (int)n);
}

double vxe_logarithm(double x)
{
    if (!(x > 0) || x > 1.7976931348623157e308) {
        return x == 0 ? -HUGE_VAL : x > 0 ? x : (double)NAN;
    }
    int n = 0;
    double m = frexp(x, &n); /* 1/2 to 1 */
    if (m < 0.70710678118654752) {
        m *= 2;
        n--;
    }
    /* ln m = 2 artanh z; the first term left out, z^23/23, is below 1e-18 of z */
    const double z = (m - 1) / (m + 1);
    VXE_ASSERT(fabs(z) < 0.1716);
    const double w = z * z;
    double sum = 0;
    for (int k = 21; k >= 3; k -= 2) {
        sum = w * (1.0 / k + sum);
    }
    /* ln 2 in two parts, as above */
    return n * 0.693147180369123816490 + (2 * z * (1 + sum) + n * 1.90821492927058770002e-10);
}

double vxe_arc_tangent(double x)
{
    if (!(fabs(x) <= 1)) {
        return x > 1    ? VXE_TAU / 4 - vxe_arc_tangent(1 / x)
               : x < -1 ? -VXE_TAU / 4 - vxe_arc_tangent(1 / x)
                        : x;
    }
    /* A rational approximation, then the series of the small angle that is left, d: the first term
     * left out, d^9/9, is below 1e-21. */
    const double near = x / (1 + 0.28 * x * x);
    double sine = 0;
    double cosine = 1;
    vxe_sincos_cycles(near / VXE_TAU, &sine, &cosine);
    const double d = (x * cosine - sine) / (cosine + x * sine);
    const double w = d * d;
    VXE_ASSERT(fabs(d) < 0.0055);
    return near + d * (1 - w * (1.0 / 3 - w * (1.0 / 5 - w / 7)));
}

double vxe_angle_of(double x, double y)
{
    const double length = sqrt(x * x + y * y);
    if (x < 0 && fabs(y) < 1e-12 * length) {
        return VXE_PI;
    }
    return length > 0 ? 2 * vxe_arc_tangent(y / (length + x)) : 0;
}

/* Below |x| = 4, the series whose terms all have one sign; beyond, Laplace's continued fraction
 * (AbramowitzStegun1964, 26.2.11 and 26.2.14). */
double vxe_normal_cdf(double x)
{
    if (!(fabs(x) < 38)) { /* 0 or 1 to the last bit, or not a number */
        return x > 0 ? 1 : x < 0 ? 0 : x;
    }
    const double density = 0.398942280401432678 * vxe_exponential(-0.5 * x * x);
    if (fabs(x) < 4) {
        double term = x;
        double sum = x;
        for (int k = 3; k < 140; k += 2) {
            term *= x * x / k;
            sum += term;
        }
        return 0.5 + density * sum;
    }
    double fraction = fabs(x);
    for (int k = 60; k >= 1; k--) {
        fraction = fabs(x) + k / fraction;
    }
    return x < 0 ? density / fraction : 1 - density / fraction;
}
