/* SPDX-License-Identifier: MIT */
/* Statics: bodies relax under global damping that is critical for their slowest mode, until they
 * are at rest to 1e-9 or better of their deflection. Expected numbers: Euler-Bernoulli closed forms
 * and an independent static solver (the static cases of docs/accuracy.md). */
#include <math.h>
#include <string.h>

#include "static_bodies.h"

#define BENDING (1e6 * SECOND_MOMENT) /* EI, N m^2 */

/* Critical global damping ratio for angular frequency w (rad/s): 2 zeta w0 = 2 w. */
static vxe_material damped_material(double w)
{
    vxe_material m = standard_material();
    m.global_damping = w / W0;
    m.bond_damping = 0.3;
    return m;
}

/* First bending frequency of a clamped column, rad/s. */
static double column_frequency(double length)
{
    return 1.8751 * 1.8751 / (length * length) * sqrt(BENDING / (1000 * EDGE * EDGE));
}

/* A tip that moves by less than this part of its deflection has settled: in floats a vibration
 * remains. */
#define STILL by_precision(1e-9, 5e-8)

static double tip_shift(vxe_design *design, const vxe_world_def *def, double span, double tolerance,
                        uint32_t voxel, int direction)
{
    vxe_world *world = make_world(design, def);
    double before[3];
    double after[3];
    position_of(world, voxel, before);
    settle(world, span, tolerance);
    position_of(world, voxel, after);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return after[direction] - before[direction];
}

/* Case cantilever: F L^3/(3 EI), L = (N-1) a, exact for every N. */
static void cantilever_tip_matches_euler_bernoulli(void **state)
{
    (void)state;
    const int sizes[5] = {2, 5, 10, 20, 40};
    const double expected[5] = {4.0e-8, 2.56e-6, 2.916e-5, 2.7436e-4, 2.37276e-3};
    for (int i = 0; i < 5; i++) {
        const int n = sizes[i];
        const double scale = n == 40 ? 1e-2 : 1; /* linear at the largest load */
        const double w =
            fmin(column_frequency((n - 1) * EDGE), 1500); /* one bond: sqrt(3 EI/(m a^3)) */
        const vxe_material m = damped_material(w);
        const int axis = i % 3;
        const int side = (axis + 1) % 3;
        double force[3] = {0};
        force[side] = 1e-4 * scale;
        const double shift = tip_shift(bar_design(&m, n, axis, force, NULL), NULL, 2 / w,
                                       STILL * expected[i] * scale, (uint32_t)n - 1, side);
        check_relative("tip deflection, m", shift / scale, expected[i], 1e-4);
    }
}

/* Case sag: lumped weights. */
static void cantilever_sags_under_its_weight(void **state)
{
    (void)state;
    const int sizes[2] = {5, 10};
    const double expected[2] = {5.1012e-4, 1.112454e-2};
    for (int i = 0; i < 2; i++) {
        const double scale = i == 0 ? 1 : 1e-2;
        const double w = column_frequency((sizes[i] - 1) * EDGE);
        const vxe_material m = damped_material(w);
        vxe_design *design = bar_design(&m, sizes[i], 0, NULL, NULL);
        design->gravity[2] = -9.81 * scale;
        const double shift =
            tip_shift(design, NULL, 2 / w, STILL * expected[i] * scale, (uint32_t)sizes[i] - 1, 2);
        check_relative("sag of the tip, m", -shift / scale, expected[i], 2e-4);
    }
}

/* Case thick-cantilever: n x n x 20, first layer clamped, 1e-3 N over the last, mean tip deflection
 * over F L^3/(3 EI). */
static void thick_cantilever_matches_the_static_solver(void **state)
{
    (void)state;
    const int sizes[4] = {2, 3, 4, 6};
    const double expected[4] = {1.00505, 1.01307, 1.02434, 1.05668};
    const double length = 19 * EDGE;
    for (int i = 0; i < 4; i++) {
        const int n = sizes[i];
        const double w = column_frequency(length) * n;
        const double simple = 1e-3 * length * length * length / (3 * BENDING * n * n * n * n);
        const vxe_material m = damped_material(w);
        vxe_design *design = block_design(&m, n, n, 20);
        const double force[3] = {1e-3, 0, 0};
        hold_plane(design, 2, 0, VXE_FIX_ALL, NULL, NULL);
        hold_plane(design, 2, 19, 0, force, NULL);
        vxe_world *world = make_world(design, NULL);
        settle(world, 2 / w, by_precision(1e-7 * simple, fmax(1e-7 * simple, 2e-11)));
        double mean = 0;
        for (int y = 0; y < n; y++) {
            for (int x = 0; x < n; x++) {
                double at[3];
                position_of(world, (uint32_t)(x + n * (y + n * 19)), at);
                mean += (at[0] - (x + 0.5) * EDGE) / (n * n);
            }
        }
        check_relative("mean tip deflection over F L^3/(3 EI)", mean / simple, expected[i], 5e-4);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Case rod. */
static void axial_rod_stretches_by_hooke(void **state)
{
    (void)state;
    const double w = 2 * W0 * sin(PI / 38);
    const vxe_material m = damped_material(w);
    for (int axis = 0; axis < 3; axis++) {
        double force[3] = {0};
        force[axis] = 0.01;
        const double shift =
            tip_shift(bar_design(&m, 10, axis, force, NULL), NULL, 2 / w, 1e-15, 9, axis);
        check_relative("tip shift, m", shift, 9.0e-6, 1e-5);
    }
}

/* Case torsion: nine bonds in series, M/k_t each. */
static void column_twists_by_its_torsion_constant(void **state)
{
    (void)state;
    const double expected[2] = {1.66457e-4, 1.4040e-4}; /* St-Venant, polar */
    const double w = 2 * 1800 * sin(PI / 38);
    const vxe_material m = damped_material(w);
    for (int torsion = 0; torsion < 2; torsion++) {
        for (int axis = 0; axis < 3; axis++) {
            double moment[3] = {0};
            moment[axis] = 1e-6;
            vxe_design *design = bar_design(&m, 10, axis, NULL, moment);
            vxe_world_def def = vxe_world_def_default();
            def.torsion = torsion;
            vxe_world *world = make_world(design, &def);
            vxe_error error;
            assert_int_equal(vxe_world_advance_to(world, 150 / w, &error), VXE_OK);
            double q[40];
            vxe_world_poses(world, NULL, q);
            check_relative(torsion ? "twist, polar, rad" : "twist, St-Venant, rad",
                           2 * atan2(q[37 + axis], q[36]), expected[torsion], 1e-5);
            vxe_world_destroy(world);
            vxe_design_destroy(design);
        }
    }
}

/* Ten voxels along axis, the first five of 1 MPa, the rest of 4 MPa. */
static vxe_design *two_material_design(double w, int axis, const double force[3])
{
    const vxe_material soft = damped_material(w);
    vxe_material hard = soft;
    hard.youngs_modulus *= 4;
    vxe_design *design = bar_design(&soft, 10, axis, force, NULL);
    assert_int_equal(vxe_design_add_material(design, &hard, NULL, NULL), VXE_OK);
    for (int i = 5; i < 10; i++) {
        design->voxels[i].material = 1;
    }
    return design;
}

/* Case composite-rod: the interface bond has E = 1.6 MPa. */
static void two_material_rod_stretches_in_series(void **state)
{
    (void)state;
    const double w = 2 * W0 * sin(PI / 38);
    const double force[3] = {0, 0, 0.01};
    check_relative("tip shift, m",
                   tip_shift(two_material_design(w, 2, force), NULL, 2 / w, 1e-16, 9, 2), 5.625e-6,
                   1e-6);
}

/* Case composite-cantilever: statically condensed it is exact; harmonic gives 0.99617 of it. All
 * three axes, so that the signs of the coupling are tested in each. */
static void two_material_cantilever_is_exact_when_condensed(void **state)
{
    (void)state;
    const double w = column_frequency(9 * EDGE);
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 1; side < 3; side++) {
            double force[3] = {0};
            const int direction = (axis + side) % 3;
            force[direction] = 1e-4;
            vxe_world_def def = vxe_world_def_default();
            const double harmonic =
                tip_shift(two_material_design(w, axis, force), &def, 2 / w, 2e-15, 9, direction);
            def.composite = VXE_COMPOSITE_CONDENSED;
            const double exact =
                tip_shift(two_material_design(w, axis, force), &def, 2 / w, 2e-15, 9, direction);
            check_relative("harmonic, m", harmonic, 2.632500e-5, 1e-5);
            check_relative("condensed, m", exact, 2.642625e-5, 1e-5);
        }
    }
}

/* Case ring: ten bonds bent by a couple of 2 pi/10 each close to a ring; half the couple makes a
   half ring of chord a/sin(pi/20). Exact for the mid-frame law. */
static void column_bends_to_a_ring(void **state)
{
    (void)state;
    const double w = column_frequency(10 * EDGE);
    vxe_material m = damped_material(w);
    m.bond_damping = 1;
    for (int half = 0; half < 2; half++) {
        const double moment[3] = {0, -BENDING * (2 * PI / 10) / EDGE / (half + 1), 0};
        vxe_design *design = bar_design(&m, 11, 0, NULL, moment);
        vxe_world *world = make_world(design, NULL);
        /* orientations of turned voxels have steps of 6e-8 rad, over a tenth of a metre */
        settle(world, 4 / w, by_precision(1e-10, 4e-9));
        double tip[3];
        double q[44];
        position_of(world, 10, tip);
        vxe_world_poses(world, NULL, q);
        const double along = tip[0] - 0.5 * EDGE;
        const double up = tip[2] - 0.5 * EDGE;
        const double closes = by_precision(1e-6, 5e-6) * EDGE; /* ten bonds of 6e-8 rad each */
        check_near("tip along the column, m", along, 0, closes);
        check_near("tip across, m", up, half ? EDGE / sin(PI / 20) : 0, closes);
        check_near("orientation of the tip, w", q[40], half ? 0 : -1, 1e-6);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
    check_relative("couple of the ring, N m", BENDING * (2 * PI / 10) / EDGE, 0.0523599, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilever_tip_matches_euler_bernoulli),
        cmocka_unit_test(cantilever_sags_under_its_weight),
        cmocka_unit_test(thick_cantilever_matches_the_static_solver),
        cmocka_unit_test(axial_rod_stretches_by_hooke),
        cmocka_unit_test(column_twists_by_its_torsion_constant),
        cmocka_unit_test(two_material_rod_stretches_in_series),
        cmocka_unit_test(two_material_cantilever_is_exact_when_condensed),
        cmocka_unit_test(column_bends_to_a_ring)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
