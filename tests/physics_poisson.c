/* SPDX-License-Identifier: MIT */
/* Poisson's ratio from an energy. Expected numbers: isotropic elasticity, E and nu, lambda = E
 * nu/((1+nu) (1-2nu)), G = E/(2(1+nu)); sound speeds sqrt((lambda + 2G)/rho) and sqrt(G/rho). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

#define E 1e6
#define DENSITY 1000.0

static vxe_design *isotropic_block(double nu, int nx, int ny, int nz)
{
    vxe_material m = standard_material();
    m.poissons_ratio = nu;
    vxe_design *design = block_design(&m, nx, ny, nz);
    design->volume_effects = true;
    return design;
}

static uint32_t index_of(int nx, int ny, int x, int y, int z)
{
    return (uint32_t)((z * ny + y) * nx + x);
}

/* Mean stress (Pa) and lateral strain of a layer of bonds of a 3 x 3 bar along z. */
static void measure_layer(const vxe_world *world, int layer, double *stress, double *lateral)
{
    double a[3];
    double b[3];
    vxe_error error;
    *stress = 0;
    for (uint32_t k = 0; k < 9; k++) {
        double strain = 0;
        double here = 0;
        const uint32_t lower = 9 * (uint32_t)layer + k;
        assert_int_equal(vxe_world_bond_strain(world, lower, lower + 9, &strain, &here, &error),
                         VXE_OK);
        *stress += here / 9;
    }
    position_of(world, index_of(3, 3, 0, 1, layer), a);
    position_of(world, index_of(3, 3, 2, 1, layer), b);
    *lateral = (b[0] - a[0]) / (2 * EDGE) - 1;
}

/* A bar between clamps that let it shrink sideways: E and nu along its whole length, exactly, for
 * each nu. In mixed precision, stress is the sum of tensions of 24 bits that nearly cancel. */
static void bar_between_clamps_has_its_moduli(void **state)
{
    (void)state;
    const double pull = 1e-3;
    for (int i = 0; i < 4; i++) {
        const double nu = (const double[4]){0, 0.2, 0.35, 0.45}[i];
        vxe_design *design = isotropic_block(nu, 3, 3, 8);
        design->materials[0].bond_damping = 1;
        design->materials[0].global_damping = 0.05;
        double table[6] = {0, 0, 0.2, 1, 1, 1};
        vxe_region top = {.shape = VXE_REGION_BOX,
                          .low = {0, 0, 7.1 * EDGE},
                          .high = {1, 1, 8 * EDGE},
                          .fixed = VXE_FIX_Z,
                          .displacement = {0, 0, pull * 7 * EDGE},
                          .table = table,
                          .table_count = 3};
        vxe_error error;
        hold_plane(design, 2, 0, VXE_FIX_Z, NULL, NULL);
        assert_int_equal(vxe_design_add_region(design, &top, &error), VXE_OK);
        vxe_world *world = make_world(design, NULL);
        assert_int_equal(vxe_world_advance_to(world, 1, &error), VXE_OK);
        for (int layer = 0; layer < 7; layer += 3) {
            double stress = 0;
            double lateral = 0;
            measure_layer(world, layer, &stress, &lateral);
            check_relative("stress, Pa", stress, E * pull, by_precision(1e-6, 1e-4));
            check_near("lateral strain by strain", lateral / pull, -nu, by_precision(1e-6, 1e-4));
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Bars of one and more voxels across, clamped at the bottom and pulled at the top: elongation of a
 * bar of their length, a little less where the clamp keeps the first voxels from shrinking. A plate
 * held in its normal direction is in plane strain, E/(1 - nu^2). */
static void clamped_bars_stretch_as_long_as_they_are(void **state)
{
    (void)state;
    const double nu = 0.35;
    const double stress = 1e3;
    const int sizes[5][3] = {{1, 1, 8}, {2, 2, 8}, {3, 3, 8}, {4, 1, 8}, {5, 1, 8}};
    for (int i = 0; i < 5; i++) {
        const int nx = sizes[i][0];
        const int ny = sizes[i][1];
        const bool plane = i == 4;
        vxe_design *design = isotropic_block(nu, nx, ny, 8);
        design->materials[0].bond_damping = 1;
        design->materials[0].global_damping = 0.05;
        hold_plane(design, 2, 0, plane ? VXE_FIX_Z : VXE_FIX_ALL, NULL, NULL);
        if (plane) {
            hold_plane(design, 1, 0, VXE_FIX_Y, NULL, NULL);
        }
        hold_plane(design, 2, 7, 0, (const double[3]){0, 0, stress * nx * ny * EDGE * EDGE}, NULL);
        vxe_world *world = make_world(design, NULL);
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 1.5, &error), VXE_OK);
        double a[3];
        double b[3];
        position_of(world, index_of(nx, ny, nx / 2, ny / 2, 3), a);
        position_of(world, index_of(nx, ny, nx / 2, ny / 2, 4), b);
        check_relative("strain at mid-length", ((b[2] - a[2]) / EDGE - 1) * E / stress,
                       plane ? 1 - nu * nu : 1, 0.02); /* three and a half widths from the ends */
        position_of(world, index_of(nx, ny, nx / 2, ny / 2, 0), a);
        position_of(world, index_of(nx, ny, nx / 2, ny / 2, 7), b);
        check_near("elongation by that of a bar", ((b[2] - a[2]) / (7 * EDGE) - 1) * E / stress,
                   plane ? 1 - nu * nu : 0.96, 0.05);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A free bar pulled by forces at its ends: the law of the last layer is coarse there, and after a
 * few voxels the strain is that of the stress. Bound: 0.5 %. */
static void loaded_bar_has_them_at_mid_length(void **state)
{
    (void)state;
    const double stress = 1e3;
    const double nu = 0.35;
    vxe_design *design = isotropic_block(nu, 3, 3, 14);
    design->materials[0].bond_damping = 1;
    design->materials[0].global_damping = 0.05;
    const double load = stress * 9 * EDGE * EDGE;
    hold_plane(design, 2, 13, 0, (const double[3]){0, 0, load}, NULL);
    hold_plane(design, 2, 0, 0, (const double[3]){0, 0, -load}, NULL);
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    assert_int_equal(vxe_world_advance_to(world, 1.5, &error), VXE_OK);
    double a[3];
    double b[3];
    double lateral = 0;
    double held = 0;
    measure_layer(world, 6, &held, &lateral);
    position_of(world, index_of(3, 3, 1, 1, 6), a);
    position_of(world, index_of(3, 3, 1, 1, 7), b);
    check_relative("stress at mid-length, Pa", held, stress, 5e-3);
    check_relative("strain at mid-length", (b[2] - a[2]) / EDGE - 1, stress / E, 5e-3);
    check_relative("lateral strain there", lateral, -nu * stress / E, 5e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Gives the block a plane wave of small displacement and returns the centre's force along it by
 * displacement and mass: omega^2. Voxels turn with half the curl. */
static double wave_frequency2(vxe_world *world, const double along[3], const double polarised[3],
                              double number)
{
    const double amplitude = 1e-6;
    const double middle = 4.5 * EDGE;
    double forces[3 * 729];
    double moments[3 * 729];
    vxe_error error;
    for (uint32_t v = 0; v < 729; v++) {
        const double at[3] = {(v % 9 + 0.5) * EDGE, (v / 9 % 9 + 0.5) * EDGE,
                              (v / 81 + 0.5) * EDGE};
        double phase = PI / 2;
        double x[3];
        double q[4] = {1, 0, 0, 0};
        for (int c = 0; c < 3; c++) {
            phase += number * along[c] * (at[c] - middle);
        }
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3;
            const int e = (c + 2) % 3;
            x[c] = at[c] + amplitude * polarised[c] * sin(phase);
            q[c + 1] = 0.25 * amplitude * number * cos(phase) *
                       (along[d] * polarised[e] - along[e] * polarised[d]);
        }
        const double length =
            sqrt(1 + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]); /* 1 up to the last digits */
        for (int c = 0; c < 4; c++) {
            q[c] /= length;
        }
        assert_int_equal(vxe_world_place(world, v, x, q, NULL, NULL, &error), VXE_OK);
    }
    vxe_world_elastic_forces(world, forces, moments);
    double back = 0;
    for (int c = 0; c < 3; c++) {
        back -= forces[3 * 364 + c] * polarised[c];
    }
    return back / (amplitude * MASS);
}

/* Long waves run as fast along axes, face and space diagonals. The lattice slows a wave of length L
   by (pi a/L)^2/6 or so: 2e-3 at 30 voxels. Bound: 1 %. */
static void sound_is_isotropic(void **state)
{
    (void)state;
    if (test_precision() == VXE_PRECISION_MIXED) {
        skip(); /* in floats, waves of 1e-4 edges vanish in the rounding of forces */
    }
    const double nu = 0.35;
    const double number = 2 * PI / (30 * EDGE);
    const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
    const double shear = E / (2 * (1 + nu));
    const double d2 = sqrt(0.5);
    const double d3 = sqrt(1.0 / 3);
    const double along[3][3] = {{1, 0, 0}, {d2, d2, 0}, {d3, d3, d3}};
    const double across[3][3] = {{0, 1, 0}, {d2, -d2, 0}, {d2, -d2, 0}};
    vxe_design *design = isotropic_block(nu, 9, 9, 9);
    vxe_world *world = make_world(design, NULL);
    for (int i = 0; i < 3; i++) {
        const double pressure2 = wave_frequency2(world, along[i], along[i], number);
        const double shear2 = wave_frequency2(world, along[i], across[i], number);
        check_relative("speed of pressure waves, m/s", sqrt(pressure2) / number,
                       sqrt((lambda + 2 * shear) / DENSITY), 1e-2);
        check_relative("speed of shear waves, m/s", sqrt(shear2) / number, sqrt(shear / DENSITY),
                       1e-2);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Forces are the gradient of the energy, also between unlike materials, in holes and at edges; the
 * sum of forces and the sum of moments are zero. */
static void forces_are_the_gradient(void **state)
{
    (void)state;
    if (test_precision() == VXE_PRECISION_MIXED) {
        skip(); /* differences of energies require double */
    }
    vxe_design *design = isotropic_block(0.4, 3, 3, 2);
    vxe_material m = standard_material();
    m.youngs_modulus = 3e6;
    m.poissons_ratio = 0.2;
    vxe_error error;
    uint32_t hard = 0;
    assert_int_equal(vxe_design_add_material(design, &m, &hard, &error), VXE_OK);
    for (int x = 0; x < 3; x++) {
        assert_int_equal(vxe_design_add_voxel(design, x, 1, 2, hard, &error), VXE_OK);
    }
    vxe_world *world = make_world(design, NULL);
    uint64_t seed = 5;
    const uint32_t voxels = design->voxel_count;
    double forces[3 * 21];
    double moments[3 * 21];
    for (uint32_t v = 0; v < voxels; v++) {
        double x[3];
        position_of(world, v, x);
        for (int c = 0; c < 3; c++) {
            x[c] += 0.1 * EDGE * random_unit(&seed);
        }
        assert_int_equal(vxe_world_place(world, v, x, NULL, NULL, NULL, &error), VXE_OK);
    }
    vxe_world_elastic_forces(world, forces, moments);
    double worst = 0;
    double sum[3] = {0, 0, 0};
    for (uint32_t v = 0; v < voxels; v++) {
        for (int c = 0; c < 3; c++) {
            double x[3];
            double energy[2];
            sum[c] += forces[3 * v + (uint32_t)c];
            position_of(world, v, x);
            for (int side = 0; side < 2; side++) {
                double moved[3] = {x[0], x[1], x[2]};
                moved[c] += side ? 1e-8 : -1e-8;
                assert_int_equal(vxe_world_place(world, v, moved, NULL, NULL, NULL, &error),
                                 VXE_OK);
                energy[side] = vxe_world_energy(world).elastic;
            }
            assert_int_equal(vxe_world_place(world, v, x, NULL, NULL, NULL, &error), VXE_OK);
            worst = fmax(worst, fabs((energy[1] - energy[0]) / 2e-8 + forces[3 * v + (uint32_t)c]));
        }
    }
    check_below("force less gradient, of k a", worst / (STIFFNESS * EDGE), 1e-7);
    for (int c = 0; c < 3; c++) {
        check_near("sum of forces, of k a", sum[c] / (STIFFNESS * EDGE), 0, 1e-13);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A block with random velocities, without damping: its mean energy stays within 1 % over 20 000
 * steps (another simulator's is multiplied by 290 in a tenth of a second); momentum is conserved.
 */
static void kicked_block_keeps_its_energy(void **state)
{
    (void)state;
    vxe_design *design = isotropic_block(0.35, 6, 6, 6);
    vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    double before[2][3];
    double after[2][3];
    double means[2] = {0, 0};
    vxe_error error;
    shake(world, 0.3, 3);
    vxe_world_momentum(world, before[0], before[1]);
    for (int n = 0; n < 1000; n++) {
        assert_int_equal(vxe_world_advance(world, 20, &error), VXE_OK);
        const vxe_energy e = vxe_world_energy(world);
        means[0] += n < 100 ? (e.kinetic + e.elastic) / 100 : 0;
        means[1] += n >= 900 ? (e.kinetic + e.elastic) / 100 : 0;
    }
    vxe_world_momentum(world, after[0], after[1]);
    check_relative("mean energy of the last steps by that of the first", means[1], means[0], 1e-2);
    for (int c = 0; c < 3; c++) {
        check_near("momentum, of m v", (after[0][c] - before[0][c]) / (216 * MASS * 0.3), 0,
                   by_precision(1e-12, 1e-6));
        check_near("angular momentum, of m v a",
                   (after[1][c] - before[1][c]) / (216 * MASS * 0.3 * 3 * EDGE), 0,
                   by_precision(1e-10, 1e-5));
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* The same bits for any number of threads and with the energy audit: damped and driven, also with
 * yield. The audit closes. */
static void threads_and_energy_audit_agree(void **state)
{
    (void)state;
    vxe_design *design = isotropic_block(0.3, 7, 5, 9);
    design->materials[0].model = VXE_MATERIAL_BILINEAR;
    design->materials[0].yield_stress = 3e3;
    design->materials[0].plastic_modulus = 1e5;
    design->materials[0].bond_damping = 0.4;
    design->materials[0].thermal_expansion = 0.01;
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 0, .amplitude = 10, .period = 0.05};
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    uint64_t hash = 0;
    for (uint32_t threads = 1; threads <= 7; threads += 2) {
        vxe_world_def def = vxe_world_def_default();
        def.threads = threads;
        def.audit = threads == 7;
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        if (def.audit) { /* yield is computed to first order in the step: 7e-3, at a fiftieth 7e-4
                          */
            check_audit("breathing block", world, 400, 2e-2);
        } else {
            assert_int_equal(vxe_world_advance(world, 400, &error), VXE_OK);
        }
        assert_true(threads == 1 || vxe_world_hash(world) == hash);
        hash = vxe_world_hash(world);
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bar_between_clamps_has_its_moduli),
                                       cmocka_unit_test(clamped_bars_stretch_as_long_as_they_are),
                                       cmocka_unit_test(loaded_bar_has_them_at_mid_length),
                                       cmocka_unit_test(sound_is_isotropic),
                                       cmocka_unit_test(forces_are_the_gradient),
                                       cmocka_unit_test(kicked_block_keeps_its_energy),
                                       cmocka_unit_test(threads_and_energy_audit_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
