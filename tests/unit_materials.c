/* SPDX-License-Identifier: MIT */
/* Material laws: constants of bonds, pairs of materials, dashpots, and what a material refuses. */
#include <math.h>
#include <string.h>

#include "materials/bond_variation.h"
#include "support.h"

/* Case beam-matrix of docs/accuracy.md. The 12 x 12 matrix of an Euler-Bernoulli beam along x
 * (Przemieniecki1968), from the five constants. Freedoms: X Y Z tx ty tz of both ends. */
static void beam_matrix(const vxe_beam_constants *b, double k[12][12])
{
    memset(k, 0, 144 * sizeof(double));
    const double blocks[2][2] = {{1, -1}, {-1, 1}};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const double s = blocks[i][j];
            const double tilt =
                i == 0 ? 1 : -1; /* sign of b2 with the rotation, by the end of the row */
            k[6 * i][6 * j] = s * b->a1;
            k[6 * i + 1][6 * j + 1] = s * b->b1;
            k[6 * i + 2][6 * j + 2] = s * b->b1;
            k[6 * i + 3][6 * j + 3] = s * b->a2;
            k[6 * i + 1][6 * j + 5] = tilt * b->b2;
            k[6 * i + 2][6 * j + 4] = -tilt * b->b2;
            k[6 * j + 5][6 * i + 1] = tilt * b->b2;
            k[6 * j + 4][6 * i + 2] = -tilt * b->b2;
            k[6 * i + 4][6 * j + 4] = k[6 * i + 5][6 * j + 5] = (i == j ? 2 : 1) * b->b3;
        }
    }
}

static void rigid_motion_of_the_beam_matrix_gives_no_force(void **state)
{
    (void)state;
    const vxe_beam_constants b = vxe_beam_constants_of(1e6, 0.3, EDGE, VXE_TORSION_POLAR);
    double k[12][12];
    beam_matrix(&b, k);
    for (int mode = 0; mode < 6; mode++) {
        double u[12] = {0};
        if (mode < 3) {
            u[mode] = u[6 + mode] = 1;
        } else {
            u[mode] = u[6 + mode] = 1;
            if (mode == 4) {
                u[8] = -EDGE; /* a rotation about y lowers z of the far end */
            } else if (mode == 5) {
                u[7] = EDGE;
            }
        }
        for (int i = 0; i < 12; i++) {
            double sum = 0;
            double scale = 0;
            for (int j = 0; j < 12; j++) {
                sum += k[i][j] * u[j];
                scale += fabs(k[i][j] * u[j]);
                assert_true(k[i][j] == k[j][i]);
            }
            assert_true(fabs(sum) <= 1e-12 * (scale + 1e-300));
        }
    }
}

/* Case beam-matrix, second half: the reduced lines with node 1 at zero (MetaVoxels); there the Fz
 * lines have the wrong sign of b2 and are used corrected. */
static void reduced_lines_agree_with_the_matrix(void **state)
{
    (void)state;
    const vxe_beam_constants b = vxe_beam_constants_of(1e6, 0.3, EDGE, VXE_TORSION_POLAR);
    double k[12][12];
    beam_matrix(&b, k);
    const double y = 1e-4;
    const double z = -2e-4;
    const double ty = 0.01;
    const double tz = 0.02;
    const double u[12] = {0, 0, 0, 0, 0, 0, 0, y, z, 0, ty, tz};
    double f[12] = {0};
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) {
            f[i] += k[i][j] * u[j];
        }
    }
    check_relative("Fy1 = -b1 Y2 + b2 tz", f[1], -b.b1 * y + b.b2 * tz, 1e-12);
    check_relative("Fz1 = -b1 Z2 - b2 ty", f[2], -b.b1 * z - b.b2 * ty, 1e-12);
    check_relative("Fz2 = +b1 Z2 + b2 ty", f[8], b.b1 * z + b.b2 * ty, 1e-12);
    check_relative("My1 = b2 Z2 + b3 ty", f[4], b.b2 * z + b.b3 * ty, 1e-12);
    check_relative("Mz2 = -b2 Y2 + 2 b3 tz", f[11], -b.b2 * y + 2 * b.b3 * tz, 1e-12);
}

/* docs/physics.md, Beam bonds: a1 = b1 = E a, b2 = E a^2/2, b3 = E a^3/6 for a cube; torsion
 * constants of the unit square. */
static void constants_of_a_cube_are_as_published(void **state)
{
    (void)state;
    const vxe_beam_constants polar = vxe_beam_constants_of(1e6, 0.3, EDGE, VXE_TORSION_POLAR);
    const vxe_beam_constants stvenant = vxe_beam_constants_of(1e6, 0.3, EDGE, VXE_TORSION_STVENANT);
    check_relative("a1", polar.a1, 1e4, 1e-12);
    check_relative("b1", polar.b1, 1e4, 1e-12);
    check_relative("b2", polar.b2, 50, 1e-12);
    check_relative("b3", polar.b3, 1. / 6, 1e-12);
    check_relative("a2 polar", polar.a2, 1e6 / 2.6 * 1e-6 / 6, 1e-12);
    check_relative("polar / St-Venant (18.6 % too stiff)", polar.a2 / stvenant.a2, 1.1856, 1e-4);
}

/* docs/physics.md, Two materials: exact/harmonic of b1 is 1.09 at a ratio of moduli of 2, 2.008 at
 * 10, 3.58 at 100; and no coupling between equals. */
static void condensed_pair_is_stiffer_in_shear_than_harmonic(void **state)
{
    (void)state;
    const double ratios[3] = {2, 10, 100};
    const double expected[3] = {1.0909, 2.0083, 3.58};
    for (int i = 0; i < 3; i++) {
        vxe_material soft = standard_material();
        vxe_material hard = soft;
        hard.youngs_modulus *= ratios[i];
        const vxe_bond_stiffness harmonic = vxe_bond_stiffness_of(
            &soft, &hard, EDGE, VXE_TORSION_STVENANT, VXE_COMPOSITE_HARMONIC, VXE_SHEAR_BEAM);
        const vxe_bond_stiffness exact = vxe_bond_stiffness_of(
            &soft, &hard, EDGE, VXE_TORSION_STVENANT, VXE_COMPOSITE_CONDENSED, VXE_SHEAR_BEAM);
        check_relative("shear, condensed / harmonic", exact.shear / harmonic.shear, expected[i],
                       3e-3);
        assert_true(exact.couple != 0 && harmonic.couple == 0);
    }
    /* end stiffness k_b + k_s l^2/4 + k_c l = 3.2727 EI/l at E2 = 2 E1 (docs/physics.md, Two
     * materials) */
    vxe_material soft = standard_material();
    vxe_material hard = soft;
    hard.youngs_modulus *= 2;
    const vxe_bond_stiffness k = vxe_bond_stiffness_of(&soft, &hard, EDGE, VXE_TORSION_STVENANT,
                                                       VXE_COMPOSITE_CONDENSED, VXE_SHEAR_BEAM);
    const double second_moment = EDGE * EDGE * EDGE * EDGE / 12;
    const double harmonic_modulus = 4e6 / 3; /* of 1e6 and 2e6 */
    check_relative("end stiffness over E_h I/l",
                   (k.bending + k.shear * EDGE * EDGE / 4 + k.couple * EDGE) /
                       (harmonic_modulus * second_moment / EDGE),
                   3.2727, 1e-4);
}

static void dashpots_follow_their_form(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    const vxe_bond_stiffness k = vxe_bond_stiffness_of(&m, &m, EDGE, VXE_TORSION_STVENANT,
                                                       VXE_COMPOSITE_HARMONIC, VXE_SHEAR_BEAM);
    const vxe_bond_dashpots source =
        vxe_bond_dashpots_of(&k, MASS, MASS, EDGE, 0.5, VXE_DAMPING_SOURCE);
    const vxe_bond_dashpots pair =
        vxe_bond_dashpots_of(&k, MASS, MASS, EDGE, 0.5, VXE_DAMPING_PAIR);
    const vxe_bond_dashpots voxelyze =
        vxe_bond_dashpots_of(&k, MASS, MASS, EDGE, 0.5, VXE_DAMPING_VOXELYZE);
    check_relative("as published: xi sqrt(m k)", source.axial, 0.5 * sqrt(MASS * STIFFNESS), 1e-12);
    check_relative("as published, bending: xi sqrt(I k_b)", source.bending,
                   0.5 * sqrt(INERTIA * k.bending), 1e-12);
    check_relative("pair: 2 zeta sqrt(m/2 k)", pair.axial, 2 * 0.5 * sqrt(MASS / 2 * STIFFNESS),
                   1e-12);
    check_relative("voxelyze bending: (zeta/2)(a^2/12) sqrt(b1 m)", voxelyze.bending,
                   0.25 * EDGE * EDGE / 12 * sqrt(STIFFNESS * MASS), 1e-12);
}

static void impossible_materials_are_refused(void **state)
{
    (void)state;
    vxe_error error;
    const double nan_value = (double)NAN;
    for (int i = 0; i < 9; i++) {
        vxe_material m = standard_material();
        assert_int_equal(vxe_material_check(&m, &error), VXE_OK);
        switch (i) {
        case 0:
            m.youngs_modulus = -1;
            break;
        case 1:
            m.density = 0;
            break;
        case 2:
            m.density = nan_value;
            break;
        case 3:
            m.poissons_ratio = 0.51;
            break;
        case 4:
            m.static_friction = -0.1;
            break;
        case 5:
            m.color[0] = (float)INFINITY;
            break;
        case 6:
            m.color[3] = (float)NAN;
            break;
        case 7:
            m.color[1] = 255;
            break;
        default:
            m.thermal_expansion = (double)INFINITY;
        }
        assert_int_equal(vxe_material_check(&m, &error), VXE_ERROR_INPUT);
    }
    vxe_material blank;
    memset(&blank, 0, sizeof blank);
    assert_int_equal(vxe_material_check(&blank, &error), VXE_ERROR_ARGUMENT);
}

static vxe_bond_constants constants_of(const vxe_material ends[2], const vxe_bond_rules *rules,
                                       const vxe_bond_numbers *at)
{
    vxe_material of[2] = {ends[0], ends[1]};
    of[0].youngs_modulus = at->modulus[0];
    of[1].youngs_modulus = at->modulus[1];
    const vxe_bond_stiffness k = vxe_bond_stiffness_of(&of[0], &of[1], rules->edge, rules->torsion,
                                                       rules->composite, rules->shear);
    return (vxe_bond_constants){k, vxe_bond_dashpots_of(&k, at->mass[0], at->mass[1], rules->edge,
                                                        at->ratio, rules->damping)};
}

/* The change of a bond's constants against central differences of them, by all numbers at once, of
 * equal and of different voxels, by all rules. Bound: 1e-8 of the largest change, what differences
 * of relative steps of 1e-5 leave. */
static void variations_are_those_of_differences(void **state)
{
    (void)state;
    const vxe_bond_numbers cases[3] = {{{1e6, 1e6}, {1e-3, 1e-3}, 0.3},
                                       {{1e6, 3e6}, {1e-3, 4e-3}, 0.3},
                                       {{5e6, 2e6}, {3e-3, 1e-3}, 1e-3}};
    const vxe_bond_numbers along = {{2e5, -1e6}, {3e-4, 5e-4}, 7e-4};
    vxe_material ends[2] = {vxe_material_default(), vxe_material_default()};
    ends[1].poissons_ratio = 0.2;
    for (int i = 0; i < 3 * 12; i++) {
        const vxe_bond_rules rules = {EDGE, i / 3 % 2 ? VXE_TORSION_POLAR : VXE_TORSION_STVENANT,
                                      (vxe_composite)(i / 6 % 2), (vxe_shear)(i / 12 % 2),
                                      (vxe_damping_form)(i % 3)};
        const vxe_bond_numbers *at = &cases[i / 3 % 3];
        vxe_bond_constants side[2];
        for (int s = 0; s < 2; s++) {
            const double step = s ? 1e-5 : -1e-5;
            const vxe_bond_numbers moved = {
                {at->modulus[0] + step * along.modulus[0],
                 at->modulus[1] + step * along.modulus[1]},
                {at->mass[0] + step * along.mass[0], at->mass[1] + step * along.mass[1]},
                at->ratio + step * along.ratio};
            side[s] = constants_of(ends, &rules, &moved);
        }
        const vxe_bond_constants got = vxe_bond_variation(&ends[0], &ends[1], &rules, at, &along);
        double numbers[3][9];
        memcpy(numbers[0], &side[0], sizeof numbers[0]);
        memcpy(numbers[1], &side[1], sizeof numbers[1]);
        memcpy(numbers[2], &got, sizeof numbers[2]);
        for (int n = 0; n < 9; n++) {
            const double want = (numbers[1][n] - numbers[0][n]) / 2e-5;
            assert_true(fabs(numbers[2][n] - want) <=
                        1e-8 * fabs(numbers[0][n]) + 1e-8 * fabs(want));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motion_of_the_beam_matrix_gives_no_force),
        cmocka_unit_test(reduced_lines_agree_with_the_matrix),
        cmocka_unit_test(constants_of_a_cube_are_as_published),
        cmocka_unit_test(condensed_pair_is_stiffer_in_shear_than_harmonic),
        cmocka_unit_test(dashpots_follow_their_form),
        cmocka_unit_test(variations_are_those_of_differences),
        cmocka_unit_test(impossible_materials_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
