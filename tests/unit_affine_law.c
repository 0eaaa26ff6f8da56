/* SPDX-License-Identifier: MIT */
/* The law of a deformable body against its formulas (docs/affine-bodies.md, Equations;
 * MooneyRivlin), which are written out here once more with the C library. Bounds are for rounding,
 * where nothing else is said. */
#include <math.h>
#include <string.h>

#include "engine/affine/affine_group.h"
#include "engine/affine/affine_law.h"
#include "support.h"

#define ROUNDING 1e-12
#define C1 1e5         /* Pa */
#define C2 3e4         /* Pa */
#define BULK 7e5       /* Pa */
#define VISCOSITY 40.0 /* Pa s */
#define SLOWNESS 900.0 /* Pa s: of growth */

static vxe_affine_own law(double bulk)
{
    vxe_affine_own body = {.volume = 1e-6};
    body.number[VXE_AFFINE_C1] = C1;
    body.number[VXE_AFFINE_C2] = C2;
    body.number[VXE_AFFINE_BULK] = bulk;
    body.number[VXE_AFFINE_VISCOSITY] = VISCOSITY;
    body.number[VXE_AFFINE_GROWTH_VISCOSITY] = SLOWNESS;
    body.is.keeps_volume = bulk == 0;
    return body;
}

/* c = a b, by rows. */
static void product(const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 9; i++) {
        c[i] = 0;
        for (int k = 0; k < 3; k++) {
            c[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
        }
    }
}

static void transpose(const double a[9], double t[9])
{
    for (int i = 0; i < 9; i++) {
        t[i] = a[i % 3 * 3 + i / 3];
    }
}

static double determinant_of(const double a[9])
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* By cofactors. */
static void invert(const double a[9], double inverse[9])
{
    const double by = 1 / determinant_of(a);
    for (int i = 0; i < 9; i++) {
        const int r = i % 3;
        const int c = i / 3;
        const int r1 = (r + 1) % 3;
        const int r2 = (r + 2) % 3;
        const int c1 = (c + 1) % 3;
        const int c2 = (c + 2) % 3;
        inverse[i] = by * (a[3 * r1 + c1] * a[3 * r2 + c2] - a[3 * r1 + c2] * a[3 * r2 + c1]);
    }
}

/* J/m^3: c1 (i1 - 3) + c2 (i2 - 3) + kappa/2 (J - 1)^2 - (2 c1 + 4 c2) ln J; the last two only with
 * a bulk modulus. The stress has the logarithm in any case. */
static double energy_at(const double f[9], double bulk)
{
    double t[9];
    double c[9];
    double square[9];
    transpose(f, t);
    product(t, f, c);
    product(c, c, square);
    const double i1 = c[0] + c[4] + c[8];
    const double i2 = 0.5 * (i1 * i1 - (square[0] + square[4] + square[8]));
    const double j = determinant_of(f);
    return C1 * (i1 - 3) + C2 * (i2 - 3) + 0.5 * bulk * (j - 1) * (j - 1) -
           (2 * C1 + 4 * C2) * log(j);
}

/* The unit matrix and a random part. */
static void random_matrix(uint64_t *seed, double size, double a[9])
{
    for (int i = 0; i < 9; i++) {
        a[i] = (i % 4 == 0 ? 1 : 0) + size * random_unit(seed);
    }
}

/* Stress is the derivative of the energy by F, by central differences of 1e-6. */
static void stress_is_the_gradient_of_its_energy(void **state)
{
    (void)state;
    uint64_t seed = 6;
    double energy_off = 0;
    double stress_off = 0;
    for (int trial = 0; trial < 20; trial++) {
        const double bulk = trial % 2 ? BULK : 0;
        const vxe_affine_own body = law(bulk);
        double f[9];
        double inverse[9];
        double turned[9];
        double stress[9];
        random_matrix(&seed, 0.3, f);
        invert(f, inverse);
        transpose(inverse, turned);
        const double j = determinant_of(f);
        const double got =
            vxe_affine_elastic(&body, f, turned, j, stress) + vxe_affine_bulk_energy(&body, j);
        const double want = energy_at(f, bulk) + (bulk > 0 ? 0 : (2 * C1 + 4 * C2) * log(j));
        energy_off = fmax(energy_off, fabs(got - want) / C1);
        for (int i = 0; i < 9; i++) {
            double low[9];
            double high[9];
            memcpy(low, f, sizeof low);
            memcpy(high, f, sizeof high);
            low[i] -= 1e-6;
            high[i] += 1e-6;
            const double slope = (energy_at(high, bulk) - energy_at(low, bulk)) / 2e-6;
            stress_off = fmax(stress_off, fabs(stress[i] - slope) / C1);
        }
    }
    check_below("energy against its formula, c1", energy_off, ROUNDING);
    check_below("stress against the energy's gradient, c1", stress_off, 1e-8);
}

/* A body that is deformed by P at a rate and has grown by G at a flow V = G' G^-1, with F = P G^-1,
 * and what follows. */
typedef struct grown_body {
    vxe_affine_own own;
    vxe_affine_state state;
    double flow[9], by_p[9];
    double f[9], by_f[9];
} grown_body;

static void make_grown(grown_body *body)
{
    uint64_t seed = 9;
    double inverse[9];
    *body = (grown_body){.own = law(BULK)};
    random_matrix(&seed, 0.2, body->state.deformation);
    random_matrix(&seed, 0.2, body->state.growth);
    random_matrix(&seed, 0.9, body->state.rate);
    random_matrix(&seed, 0.7, body->flow);
    invert(body->state.deformation, inverse);
    transpose(inverse, body->by_p);
    invert(body->state.growth, inverse);
    product(body->state.deformation, inverse, body->f);
    invert(body->f, body->by_f);
}

/* The velocity gradient of what deforms is F' F^-1 = P' P^-1 - F V F^-1, of which the symmetric
 * part D has the viscous stress mu D P^-T and the loss mu D:D. The stress that drives growth is F^T
 * S G^T
 * - det G phi, with the whole stress S and the energy phi by volume. */
static void growth_has_its_stresses(void **state)
{
    (void)state;
    static grown_body body;
    vxe_affine_stress stress;
    double inverse[9];
    double part[9];
    double gradient[9];
    double loss = 0;
    double d[9];
    make_grown(&body);
    vxe_affine_grown_stress(&body.own, &body.state, body.by_p, body.flow, &stress);
    transpose(body.by_p, inverse);
    product(body.state.rate, inverse, gradient);
    product(body.f, body.flow, part);
    product(part, body.by_f, inverse);
    for (int i = 0; i < 9; i++) {
        gradient[i] -= inverse[i];
    }
    for (int i = 0; i < 9; i++) {
        d[i] = 0.5 * (gradient[i] + gradient[i % 3 * 3 + i / 3]);
        loss += VISCOSITY * d[i] * d[i];
    }
    check_relative("loss by viscosity, W/m^3", stress.viscous, loss, ROUNDING);
    product(d, body.by_p, part);
    double off = 0;
    for (int i = 0; i < 9; i++) {
        const double viscous = stress.stress[i] - stress.still[i];
        off = fmax(off, fabs(viscous - VISCOSITY * part[i]) / VISCOSITY);
    }
    check_below("viscous stress, mu/s", off, 1e-10);
    const double energy = determinant_of(body.state.growth) * energy_at(body.f, BULK);
    double turned[9];
    double straight[9];
    transpose(body.f, turned);
    product(turned, stress.stress, part);
    transpose(body.state.growth, straight);
    product(part, straight, turned);
    for (int i = 0; i < 9; i++) {
        off = fmax(off, fabs(stress.drive[i] - turned[i] + (i % 4 == 0 ? energy : 0)) / C1);
    }
    check_below("stress that drives growth, c1", off, 1e-10);
    check_relative("energy by reference volume, J/m^3", vxe_affine_stored(&body.own, &body.state),
                   energy, ROUNDING);
}

/* Driven growth flows such that mu_gamma V is the stress that drives it, here without a driving
 * formula. The iteration ends at a relative change of 1e-13. */
static void driven_growth_flows_as_it_is_driven(void **state)
{
    (void)state;
    static grown_body body;
    static const vxe_expression none[VXE_AFFINE_FORMULAS];
    vxe_affine_stress stress;
    make_grown(&body);
    body.own.formulas[0] = none;
    vxe_affine_driven_flow(&body.own, &body.state, body.by_p, 0, body.flow);
    vxe_affine_grown_stress(&body.own, &body.state, body.by_p, body.flow, &stress);
    double off = 0;
    double size = 0;
    for (int i = 0; i < 9; i++) {
        off = fmax(off, fabs(SLOWNESS * body.flow[i] - stress.drive[i]));
        size = fmax(size, fabs(stress.drive[i]));
    }
    check_below("flow against its drive, relative", off / size, 1e-11);
}

/* Area vector of a parallelogram of two sides that a body deforms by (1 + h L). */
static void area_after(const double gradient[9], double h, double area[3])
{
    static const double sides[2][3] = {{0.7, 0.1, -0.2}, {0.3, -0.5, 0.4}};
    double now[2][3];
    for (int s = 0; s < 2; s++) {
        for (int c = 0; c < 3; c++) {
            now[s][c] = sides[s][c];
            for (int k = 0; k < 3; k++) {
                now[s][c] += h * gradient[3 * c + k] * sides[s][k];
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        const int b = (c + 1) % 3;
        const int d = (c + 2) % 3;
        area[c] = now[0][b] * now[1][d] - now[0][d] * now[1][b];
    }
}

static double size_of(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* A face widens by tr L - n.L n/n.n of its area a second where L is the velocity gradient and n the
 * area vector; by central differences of 1e-6 s. */
static void faces_widen_as_their_areas(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 5; trial++) {
        double gradient[9];
        double area[3];
        double before[3];
        double after[3];
        random_matrix(&seed, 0.8, gradient);
        area_after(gradient, 0, area);
        area_after(gradient, -1e-6, before);
        area_after(gradient, 1e-6, after);
        check_relative("widening, 1/s", vxe_affine_widening(gradient, area),
                       (size_of(after) - size_of(before)) / (2e-6 * size_of(area)), 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stress_is_the_gradient_of_its_energy),
        cmocka_unit_test(growth_has_its_stresses),
        cmocka_unit_test(driven_growth_flows_as_it_is_driven),
        cmocka_unit_test(faces_widen_as_their_areas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
