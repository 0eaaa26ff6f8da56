/* SPDX-License-Identifier: MIT */
/* The power law at a point and over the face of a cube against its formulas
 * (docs/contact-models.md, powerlaw; Contento2009), which are written out here once more. Bounds
 * are for rounding: powers by products, exponential and logarithm are good to some units of the
 * last place. */
#include <math.h>
#include <string.h>

#include "engine/contact_models/model_interface.h"
#include "engine/contact_models/power_law_point.h"
#include "support.h"

#define ROUNDING 1e-12
#define ALPHA 100.0 /* Pa: repulsion */
#define BETA_A 40.0 /* Pa: adhesion */
#define BETA_D 7.0  /* Pa s/m: damping */
#define BETA_F 5.0  /* Pa s/m: friction */
#define D0 1e-3     /* m */
#define D 1.3       /* distance by d0 */

static void fill_numbers(double numbers[VXE_MAX_LAW_NUMBERS])
{
    const vxe_contact_law law = vxe_contact_law_default(VXE_CONTACT_POWER);
    memcpy(numbers, law.number, sizeof law.number);
    numbers[VXE_POWER_ALPHA_R] = ALPHA;
    numbers[VXE_POWER_BETA_A] = BETA_A;
    numbers[VXE_POWER_BETA_D] = BETA_D;
    numbers[VXE_POWER_BETA_F] = BETA_F;
    numbers[VXE_POWER_NU_R] = 8;
    numbers[VXE_POWER_NU_AA] = 3;
    numbers[VXE_POWER_NU_AR] = 6;
    numbers[VXE_POWER_NU_D] = 8;
    numbers[VXE_POWER_NU_F] = 5.5;
    numbers[VXE_POWER_D0] = D0;
}

/* Pa and J/m^2: repulsion less adhesion, and its potential. */
static double push_of(void)
{
    return ALPHA * pow(D, -8) - BETA_A * (pow(D, -3) - pow(D, -6));
}

static double energy_of(void)
{
    return ALPHA * D0 * pow(D, -7) / 7 - BETA_A * D0 * (pow(D, -2) / 2 - pow(D, -5) / 5);
}

static void pressures_follow_their_powers(void **state)
{
    (void)state;
    double numbers[VXE_MAX_LAW_NUMBERS];
    fill_numbers(numbers);
    const vxe_power_pressures p = vxe_power_at(numbers, D * D0);
    check_relative("push, Pa", p.push, push_of(), ROUNDING);
    check_relative("repulsion, Pa", p.repels, ALPHA * pow(D, -8), ROUNDING);
    check_relative("damping, Pa s/m", p.damping, BETA_D * pow(D, -8), ROUNDING);
    check_relative("friction, Pa s/m", p.friction, BETA_F * pow(D, -5.5), ROUNDING);
    check_relative("energy, J/m^2", p.energy, energy_of(), ROUNDING);
    check_relative("sizes of nu q/d, Pa/m", p.steep,
                   (8 * ALPHA * pow(D, -8) + BETA_A * (3 * pow(D, -3) + 6 * pow(D, -6))) / (D * D0),
                   ROUNDING);
    numbers[VXE_POWER_NU_R] = 1;
    numbers[VXE_POWER_BETA_A] = 0;
    check_relative("energy of the power -1, J/m^2", vxe_power_at(numbers, D * D0).energy,
                   -ALPHA * D0 * log(D), ROUNDING);
}

/* The load of the floor on a cube whose lower face alone counts, at the distance D d0 and parallel
 * to the floor: pressures times a^2. */
static vxe_face_load load_of(const double numbers[VXE_MAX_LAW_NUMBERS], const double v[3],
                             const double w[3])
{
    const char *why = NULL;
    const vxe_kernels *kernels = vxe_kernels_for_machine(VXE_PRECISION_DOUBLE, &why);
    vxe_cube cube = {
        .place = {0.3, -0.2, 0.5 * EDGE + D * D0}, .turn = {1, 0, 0, 0}, .half = 0.5 * EDGE};
    const vxe_plane floor = {.n = {0, 0, 1}};
    memcpy(cube.v, v, sizeof cube.v);
    memcpy(cube.w, w, sizeof cube.w);
    cube.faces = 1u << 5;
    assert_non_null(kernels);
    return vxe_contact_model_power.over_faces(vxe_power_kernels_of(kernels), numbers, &cube,
                                              &floor);
}

/* Damping acts on the speed along the normal, friction on that across, up to Coulomb's bound by the
 * repulsion. A spin about y takes the points at x to the speed -w x along the normal and the face
 * to -w a/2 along x: moments of a^4/12 and of a^2 (a/2)^2. */
static void faces_are_loaded_by_their_pressures(void **state)
{
    (void)state;
    double numbers[VXE_MAX_LAW_NUMBERS];
    const double v[3] = {0.02, 0, -0.03};
    const double w[3] = {0, 4, 0};
    const double still[3] = {0, 0, 0};
    const double area = EDGE * EDGE;
    const double damping = BETA_D * pow(D, -8);
    const double friction = BETA_F * pow(D, -5.5);
    fill_numbers(numbers);
    const vxe_face_load load = load_of(numbers, v, still);
    check_relative("push, N", load.push[2], area * push_of(), ROUNDING);
    check_relative("energy, J", load.energy, area * energy_of(), ROUNDING);
    check_relative("damping, N", load.loss[2], area * damping * 0.03, ROUNDING);
    check_relative("its power, W", load.damped, area * damping * 0.03 * 0.03, ROUNDING);
    check_relative("friction, N", load.loss[0], -area * friction * 0.02, ROUNDING);
    check_relative("its power, W", load.rubbed, area * friction * 0.02 * 0.02, ROUNDING);
    check_relative("moment of friction, N m", load.loss[4], 0.5 * EDGE * area * friction * 0.02,
                   ROUNDING);
    check_relative("fastest point, m/s", load.fastest, 0.03, ROUNDING);
    const vxe_face_load spun = load_of(numbers, still, w);
    check_relative("moment against a spin, N m", spun.loss[4],
                   -4 * area * area * (damping / 12 + friction / 4), ROUNDING);
    numbers[VXE_POWER_FRIC] = 5e-4;
    const double bound = 5e-4 * ALPHA * pow(D, -8);
    assert_true(bound < 0.5 * friction * 0.02);
    check_relative("Coulomb's bound, N", load_of(numbers, v, still).loss[0], -area * bound,
                   ROUNDING);
    check_relative("its power, W", load_of(numbers, v, still).rubbed, area * bound * 0.02,
                   ROUNDING);
}

/* Gauss-Legendre's rule of n points is exact for polynomials up to the power 2 n - 1
 * (AbramowitzStegun1964, 25.4.29): even powers from -1 to 1 have the integral 2/(k + 1). */
static void rules_are_exact_for_polynomials(void **state)
{
    (void)state;
    for (int n = 2; n <= 16; n *= 2) {
        const double(*rule)[2] = vxe_gauss_points(n);
        double off = 0;
        for (int power = 0; power < 2 * n; power += 2) {
            double sum = 0;
            for (int i = 0; i < n / 2; i++) {
                sum += 2 * rule[i][1] * pow(rule[i][0], power);
            }
            off = fmax(off, fabs(sum * (power + 1) / 2 - 1));
        }
        check_below("integrals of even powers, relative", off, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressures_follow_their_powers),
        cmocka_unit_test(faces_are_loaded_by_their_pressures),
        cmocka_unit_test(rules_are_exact_for_polynomials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
