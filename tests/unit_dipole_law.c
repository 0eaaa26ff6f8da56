/* SPDX-License-Identifier: MIT */
/* The law of two magnetic dipoles against its formulas (dipole_law.h; docs/magnets.md, Equations),
 * which are written out here once more. Bounds are for rounding, where nothing else is said. */
#include <math.h>

#include "engine/magnets/dipole_law.h"
#include "support.h"

#define ROUNDING 1e-12
#define ALL_BITS ((vxe_real_mask)-1)

static const vxe_vec3 m1 = {0.3, -0.8, 0.5};
static const vxe_vec3 m2 = {-0.6, 0.2, 0.7};
static const vxe_vec3 direction = {2.0 / 7, 3.0 / 7, 6.0 / 7};

/* Relative size of the difference of two vectors. */
static double apart(vxe_vec3 got, vxe_vec3 want)
{
    const vxe_vec3 off = vec_sub(got, want);
    return sqrt(vec_dot(off, off) / vec_dot(want, want));
}

/* B of dipole 2 by k/edge^3: (3 (m2.n) n - m2)/r^3, where powers of r are those of `by`. */
static vxe_vec3 field_at(vxe_vec3 n, double by)
{
    return vec_scaled(pow(by, -3), vec_add_scaled(vec_scaled(-1, m2), 3 * vec_dot(m2, n), n));
}

/* F on dipole 1 by 3 k/edge^4. */
static vxe_vec3 force_at(vxe_vec3 n, double by)
{
    const double a = vec_dot(m1, n);
    const double b = vec_dot(m2, n);
    const vxe_vec3 turned = vec_add_scaled(vec_scaled(b, m1), a, m2);
    return vec_scaled(pow(by, -4), vec_add_scaled(turned, vec_dot(m1, m2) - 5 * a * b, n));
}

/* Beyond a cap of 0.8 edges powers of the distance are its own, nearer those of the cap. */
static void dipoles_follow_their_formulas_to_the_cap(void **state)
{
    (void)state;
    const double cap = 0.8;
    const double distances[4] = {0.5, 0.99 * 0.8, 1.01 * 0.8, 2};
    for (int i = 0; i < 4; i++) {
        const double r = distances[i];
        const double by = fmax(r, cap);
        const vxe_dipole_push push = dipole_push(vec_scaled(r, direction), m1, m2, cap * cap,
                                                 1 / cap, VXE_DIPOLE_TINY, ALL_BITS);
        check_below("field of a dipole, relative", apart(push.field, field_at(direction, by)),
                    ROUNDING);
        check_below("force of a dipole, relative", apart(push.force, force_at(direction, by)),
                    ROUNDING);
        check_relative("steepness", push.steepness,
                       vec_dot(m1, m1) * vec_dot(m2, m2) * pow(by, -10), ROUNDING);
    }
    const vxe_dipole_push none =
        dipole_push(direction, m1, m2, 0, 0, VXE_DIPOLE_TINY, (vxe_real_mask)0);
    check_near("force of a pair that does not interact", vec_dot(none.force, none.force), 0, 0);
}

static vxe_dipole_push softened(vxe_vec3 r, double softening)
{
    return dipole_push(r, m1, m2, 0, 0, softening * softening, ALL_BITS);
}

/* Softened by e, r is (r^2 + e^2)^1/2 and n the vector divided by that; the force is the gradient
 * of m1.B, by central differences of 1e-6 edges. */
static void softened_dipoles_have_a_potential(void **state)
{
    (void)state;
    const double e = 0.4;
    for (int i = 1; i <= 4; i++) {
        const double r = 0.3 * i;
        const double by = sqrt(r * r + e * e);
        const vxe_vec3 at = vec_scaled(r, direction);
        const vxe_dipole_push push = softened(at, e);
        check_below("softened field, relative",
                    apart(push.field, field_at(vec_scaled(r / by, direction), by)), ROUNDING);
        double slope[3];
        for (int c = 0; c < 3; c++) {
            const vxe_vec3 step = {c == 0 ? 1e-6 : 0, c == 1 ? 1e-6 : 0, c == 2 ? 1e-6 : 0};
            slope[c] = (vec_dot(m1, softened(vec_add(at, step), e).field) -
                        vec_dot(m1, softened(vec_sub(at, step), e).field)) /
                       2e-6;
        }
        const vxe_vec3 gradient = {slope[0] / 3, slope[1] / 3, slope[2] / 3};
        check_below("softened force against the gradient, relative", apart(push.force, gradient),
                    1e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dipoles_follow_their_formulas_to_the_cap),
        cmocka_unit_test(softened_dipoles_have_a_potential),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
