/* SPDX-License-Identifier: MIT */
/* One affine body in place of a block of voxels moves as the block does. Bounds: 5 %, of which 3 %
 * are due to the body's uniform strain, see engine/surrogate.h. */
#include <math.h>

#include "engine/surrogate.h"
#include "support.h"

/* A soft block on the floor. */
static vxe_design *block(int nx, int ny, int nz)
{
    vxe_material material = standard_material();
    material.youngs_modulus = 1e5;
    material.bond_damping = 0.1;
    material.collision_damping = 0.3;
    vxe_design *design = block_design(&material, nx, ny, nz);
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    return design;
}

static void check_block(int nx, int ny, int nz)
{
    vxe_design *design = block(nx, ny, nz);
    vxe_surrogate_report r;
    vxe_error error;
    vxe_design *made = vxe_surrogate_create(design, &r, &error);
    if (!made) {
        fail_msg("%s", error.message);
    }
    const double size[3] = {nx * EDGE, ny * EDGE, nz * EDGE};
    print_message("%d x %d x %d voxels\n", nx, ny, nz);
    check_relative("mass, kg", r.mass, nx * ny * nz * MASS, 1e-12);
    for (int c = 0; c < 3; c++) {
        check_relative("edge of the box, m", r.size[c], size[c], 1e-9);
        check_relative("second moment, kg m^2", r.euler[4 * c], r.mass * size[c] * size[c] / 12,
                       1e-9);
    }
    check_relative("breathing, Hz", r.body.breathing, r.lattice.breathing, 0.05);
    check_relative("sag, m", r.body.sag, r.lattice.sag, 0.05);
    check_relative("height after a fall, m", r.body.drop, r.lattice.drop, 0.05);
    check_relative("damping ratio", r.body.decay, r.lattice.decay, 0.05);
    vxe_design_destroy(made);
    vxe_design_destroy(design);
}

/* Properties of the lattice itself: half a wave along a free chain of N masses has w = 2 w0
 * sin(pi/(2N)), w0 = (E/rho)^1/2/a (nu acts on torsion alone); its centre sags, relative to its
 * lowest layer, by g/w0^2 (N - 1)(2N - 1)/6. */
static void blocks_have_surrogates(void **state)
{
    (void)state;
    check_block(10, 10, 10);
    check_block(4, 6, 12);
    vxe_design *design = block(4, 4, 10);
    vxe_surrogate_report r;
    vxe_error error;
    vxe_design *made = vxe_surrogate_create(design, &r, &error);
    assert_non_null(made);
    const double w0 = sqrt(1e5 / 1000) / EDGE;
    check_relative("breathing of the lattice, Hz", r.lattice.breathing,
                   2 * w0 * sin(PI / 20) / (2 * PI), 0.01);
    check_relative("sag of the lattice, m", r.lattice.sag, 9.81 / (w0 * w0) * 9 * 19 / 6, 0.02);
    vxe_design_destroy(made);
    vxe_design_destroy(design);
}

/* If all voxels grow at once, the body grows too. */
static void actuation_becomes_growth(void **state)
{
    (void)state;
    vxe_design *design = block(4, 4, 4);
    vxe_surrogate_report r;
    vxe_error error;
    design->materials[0].thermal_expansion = 0.01;
    design->actuation.enabled = true;
    design->actuation.amplitude = 8;
    design->actuation.period = 0.25;
    vxe_design *made = vxe_surrogate_create(design, &r, &error);
    assert_non_null(made);
    check_relative("mean growth", r.growth[0], 1, 1e-9);
    check_relative("with the sine", r.growth[1], 0.08, 1e-9);
    check_near("with the cosine", r.growth[2], 0, 1e-9);
    assert_int_equal(made->affine[0].kind, VXE_AFFINE_CONTRACTILE);
    vxe_world *world = make_world(made, NULL);
    vxe_affine_pose pose;
    assert_int_equal(vxe_world_advance_to(world, 0.0625, &error), VXE_OK);
    vxe_world_affine(world, 0, &pose);
    check_relative("growth at a quarter of the period", pose.growth[0], 1.08, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(made);
    vxe_design_destroy(design);
}

static void some_have_none(void **state)
{
    (void)state;
    vxe_design *design = block(5, 5, 1);
    vxe_surrogate_report r;
    vxe_error error;
    assert_null(vxe_surrogate_create(design, &r, &error));
    assert_int_equal(error.status, VXE_ERROR_INPUT);
    vxe_design_destroy(design);
    design = block(3, 3, 3);
    design->materials[0].youngs_modulus = 0;
    assert_null(vxe_surrogate_create(design, &r, &error));
    vxe_design_destroy(design);
    design = vxe_design_create();
    assert_null(vxe_surrogate_create(design, &r, &error));
    assert_int_equal(error.status, VXE_ERROR_INPUT);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_have_surrogates),
                                       cmocka_unit_test(actuation_becomes_growth),
                                       cmocka_unit_test(some_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
