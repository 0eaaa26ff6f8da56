/* SPDX-License-Identifier: MIT */
/* The polynomial of the damping iteration against the promises of its header and its two families.
 */
#include <math.h>

#include "engine/bonds/damping_polynomial.h"
#include "support.h"

/* Conditions of stability for Q: 0 < Q <= 1 up to the reach, and the further promises of the
 * header; and the value and slope of the trapezoidal rule at 0, by differences of 1e-6. */
static void damping_polynomial_is_dissipative(void **state)
{
    (void)state;
    uint32_t known = 0;
    for (double max = 0.01; max < 100; max *= 1.05) {
        double coefficient[VXE_MAX_DAMPING_ITERATIONS];
        const double reach = 1.6 * max;
        const uint32_t damping_iterations =
            vxe_damping_fewest_iterations(max, reach, NULL, coefficient);
        if (damping_iterations == 0) {
            break;
        }
        if (damping_iterations > known) {
            print_message("  %u iterations from y = %.2f on\n", damping_iterations, max);
        }
        if (damping_iterations < known) {
            fail_msg("y up to %g takes %u iterations, and less took %u", max, damping_iterations,
                     known);
        }
        known = damping_iterations;
        double low = HUGE_VAL;
        double high = 0;
        double creep = 0; /* Q^-1 - 1 against y, by what it may be off */
        for (int i = 1; i <= 1000; i++) {
            const double y = reach * i / 1000;
            const double q = vxe_damping_factor(coefficient, damping_iterations, y);
            low = fmin(low, q * (1 + y));
            high = fmax(high, q * (1 + y / 8));
            creep = y <= max ? fmax(creep, fabs(1 / q - 1 - y) / (y * (1 + 6 * y / max))) : creep;
        }
        check_below("Q^-1 - 1 against y, by its bound", creep, 1 + 1e-3);
        check_below("0.25 less Q (1 + y)", 0.25 - low, 1e-3);
        check_below("Q (1 + y/8)", high, 1 + 1e-3);
        check_relative("Q at 0", vxe_damping_factor(coefficient, damping_iterations, 0), 1, 1e-12);
        check_relative("slope at 0",
                       (vxe_damping_factor(coefficient, damping_iterations, 1e-6) - 1) / 1e-6, -1,
                       1e-5);
    }
    assert_int_equal(known, VXE_MAX_DAMPING_ITERATIONS);
}

/* At a part of a step whose polynomial is known no slow mode is damped worse than in proportion,
 * and iterations enough are found for any damping and part. */
static void shorter_steps_damp_more_exactly(void **state)
{
    (void)state;
    double n[2][VXE_MAX_DAMPING_ITERATIONS];
    for (double max = 0.02; max < 16; max *= 1.2) {
        vxe_damping_usual usual = {n[0], 0, 1};
        usual.iterations = vxe_damping_fewest_iterations(max, 1.6 * max, NULL, n[0]);
        for (usual.part = 0.97; usual.part > 0.01; usual.part *= 0.8) {
            const double now = usual.part * max;
            const uint32_t count = vxe_damping_fewest_iterations(now, 1.6 * now, &usual, n[1]);
            double worst = 0;
            assert_in_range(count, 1, VXE_MAX_DAMPING_ITERATIONS);
            for (int i = 1; i <= 64; i++) {
                double off[2];
                for (int k = 0; k < 2; k++) {
                    const double y = (k ? now : max) * i / 256;
                    const double q = vxe_damping_factor(n[k], k ? count : usual.iterations, y);
                    off[k] = fabs((1 - q) / (q * y) - 1);
                }
                worst = fmax(worst, off[0]);
                if (off[1] > usual.part * worst + 1.001e-3) {
                    fail_msg("y %g of %g: wrong by %g, at most %g", now * i / 256, now, off[1],
                             usual.part * worst);
                }
            }
        }
    }
}

/* T_m(x) for x of -1 or more, and its slope at x above 1, by cosines
 * (AbramowitzStegun1964, 22.3.15). */
static double chebyshev(uint32_t m, double x)
{
    return x > 1 ? cosh(m * acosh(x)) : cos(m * acos(fmax(x, -1)));
}

static double chebyshev_slope(uint32_t m, double x)
{
    return m * sinh(m * acosh(x)) / sqrt(x * x - 1);
}

/* Q of the close family (damping_polynomial.h) at y. */
static double close_factor(uint32_t iterations, double reach, double y)
{
    const uint32_t m = iterations + 1;
    const double x0 = cos(PI / m);
    const double k = (1 + x0) / reach;
    const double a = 2 / (1 + chebyshev(m, x0 + k));
    return (1 - a * (1 + chebyshev(m, x0 - k * y)) / 2) / (1 + y);
}

/* Less the slope of the quick family's Q at 0, where its polynomial begins at w0. */
static double quick_slope(uint32_t iterations, double reach, double w0)
{
    return 0.9 * (1 + w0) / reach * chebyshev_slope(iterations, w0) /
           (1 + chebyshev(iterations, w0));
}

/* Q of the quick family at y; w0 by bisection, as the slope falls with it. */
static double quick_factor(uint32_t iterations, double reach, double y)
{
    double low = 1;
    double high = 10;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        *(quick_slope(iterations, reach, middle) > 1 ? &low : &high) = middle;
    }
    const double k = (1 + high) / reach;
    return 0.1 +
           0.9 * (1 + chebyshev(iterations, high - k * y)) / (1 + chebyshev(iterations, high));
}

/* Q is one of the two families. With eight iterations the powers of y lose 11 of 16 digits; a
 * family that is wrong by 1 % is off by more than 1e-3. */
static void damping_polynomial_is_of_its_families(void **state)
{
    (void)state;
    for (double max = 0.01; max < 30; max *= 1.3) {
        double coefficient[VXE_MAX_DAMPING_ITERATIONS];
        const double reach = 1.6 * max;
        const uint32_t n = vxe_damping_fewest_iterations(max, reach, NULL, coefficient);
        double off[2] = {0, 0};
        if (n == 0) {
            break;
        }
        for (int i = 0; i <= 100; i++) {
            const double y = reach * i / 100;
            const double q = vxe_damping_factor(coefficient, n, y);
            off[0] = fmax(off[0], fabs(close_factor(n, reach, y) / q - 1));
            off[1] = fmax(off[1], fabs(quick_factor(n, reach, y) / q - 1));
        }
        check_below("Q against that of its family", off[0] < off[1] ? off[0] : off[1], 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damping_polynomial_is_dissipative),
                                       cmocka_unit_test(damping_polynomial_is_of_its_families),
                                       cmocka_unit_test(shorter_steps_damp_more_exactly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
