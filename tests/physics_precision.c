/* SPDX-License-Identifier: MIT */
/* Difference between mixed and double precision over 20 000 steps and more. */
#include <math.h>

#include "common/memory.h"
#include "support.h"

static void advance(vxe_world *world, uint64_t steps)
{
    vxe_error error;
    if (vxe_world_advance(world, steps, &error)) {
        fail_msg("%s", error.message);
    }
}

/* A cantilever of 20 voxels pulled down at its tip, damped, 20 000 steps: its tip is within 1e-5 of
 * the deflection in double. */
static void cantilever_tip_is_that_of_double(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 1;
    m.global_damping = 0.002;
    vxe_design *design = block_design(&m, 20, 2, 2);
    const double force[3] = {0, 0, -0.02};
    hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
    hold_plane(design, 0, 19, 0, force, NULL);
    double tip[2];
    for (int p = 0; p < 2; p++) {
        vxe_world *world = make_world_in(design, NULL, (vxe_precision)p);
        double before[3];
        double after[3];
        position_of(world, 19, before);
        advance(world, 20000);
        position_of(world, 19, after);
        tip[p] = after[2] - before[2];
        vxe_world_destroy(world);
    }
    check_relative("deflection of the tip in mixed, m", tip[VXE_PRECISION_MIXED],
                   tip[VXE_PRECISION_DOUBLE], 1e-5);
    vxe_design_destroy(design);
}

/* Angular momentum about the centre of mass (about a distant origin the lever would turn a drift of
 * linear momentum into one of angular momentum). */
static void momenta_of(const vxe_world *world, double linear[3], double angular[3])
{
    double center[3];
    vxe_world_center_of_mass(world, center, NULL);
    vxe_world_momentum(world, linear, angular);
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3;
        const int e = (c + 2) % 3;
        angular[c] -= center[d] * linear[e] - center[e] * linear[d];
    }
}

/* A free 4^3 that translates, rotates and vibrates for 20 000 steps: momentum within 1e-6, angular
 * momentum within 1e-5. */
static void tumbling_body_keeps_its_momenta(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 4, 4, 4);
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_MIXED);
    const double spin[3] = {10, 20, 25};
    uint64_t seed = 3;
    for (uint32_t i = 0; i < 64; i++) {
        double at[3];
        position_of(world, i, at);
        const double r[3] = {at[0] - 0.02, at[1] - 0.02, at[2] - 0.02};
        const double v[3] = {1 + spin[1] * r[2] - spin[2] * r[1] + 0.05 * random_unit(&seed),
                             2 + spin[2] * r[0] - spin[0] * r[2] + 0.05 * random_unit(&seed),
                             spin[0] * r[1] - spin[1] * r[0] + 0.05 * random_unit(&seed)};
        assert_int_equal(vxe_world_place(world, i, NULL, NULL, v, spin, NULL), VXE_OK);
    }
    double p0[3];
    double p1[3];
    double l0[3];
    double l1[3];
    momenta_of(world, p0, l0);
    advance(world, 20000);
    momenta_of(world, p1, l1);
    double dp = 0;
    double dl = 0;
    double l = 0;
    for (int c = 0; c < 3; c++) {
        dp += (p1[c] - p0[c]) * (p1[c] - p0[c]);
        dl += (l1[c] - l0[c]) * (l1[c] - l0[c]);
        l += l0[c] * l0[c];
    }
    check_below("drift of momentum, relative", sqrt(dp) / (64 * MASS * sqrt(5.0)), 1e-6);
    check_below("drift of angular momentum, relative", sqrt(dl / l), 1e-5);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* quad10 walks for 5 s, the first of which is settling: displacement within 5 % of double. It has
 * noise of 1e-6 cycles on its phases: without noise it balances on the diagonal of its symmetry,
 * and rounding alone decides its direction. */
static void walker_goes_as_far(void **state)
{
    (void)state;
    vxe_error error;
    vxe_design *design = benchmark_design("quad10_noise.vxa");
    /* legs that hit each other decide how it falls: a change of 1e-10 m at the start changes the
     * way in double by 1 mm to 5 cm, so that no precision can reproduce another's result */
    design->self_collision = false;
    double moved[2];
    for (int p = 0; p < 2; p++) {
        vxe_world *world = make_world_in(design, NULL, (vxe_precision)p);
        double before[3];
        double after[3];
        assert_int_equal(vxe_world_advance_to(world, 1, &error), VXE_OK);
        vxe_world_center_of_mass(world, before, NULL);
        assert_int_equal(vxe_world_advance_to(world, 5, &error), VXE_OK);
        vxe_world_center_of_mass(world, after, NULL);
        moved[p] = hypot(after[0] - before[0], after[1] - before[1]);
        vxe_world_destroy(world);
    }
    check_relative("displacement of the walker in mixed, m", moved[VXE_PRECISION_MIXED],
                   moved[VXE_PRECISION_DOUBLE], 0.05);
    vxe_design_destroy(design);
}

/* Positions are stored with 48 bits, a millionth of a millionth of a voxel here, although masses
 * are floats. */
static void center_of_mass_is_as_exact_as_positions(void **state)
{
    (void)state;
    for (int p = 0; p < 2; p++) {
        const vxe_material m = standard_material();
        vxe_design *design = block_design(&m, 6, 5, 3);
        vxe_world *world = make_world_in(design, NULL, (vxe_precision)p);
        double center[3];
        vxe_world_center_of_mass(world, center, NULL);
        check_near("centre of mass, x, m", center[0], 3 * EDGE, 1e-14);
        check_near("centre of mass, y, m", center[1], 2.5 * EDGE, 1e-14);
        check_near("centre of mass, z, m", center[2], 1.5 * EDGE, 1e-14);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A world of 40^3 in mixed precision: at most 250 bytes per voxel after it is made, explicit or
 * with polynomial damping. */
static void voxel_takes_250_bytes(void **state)
{
    (void)state;
    vxe_material m = vxe_material_default();
    m.thermal_expansion = 0.01;
    vxe_design *design = block_design(&m, 40, 40, 40);
    design->floor.enabled = true;
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 25, .amplitude = 3, .period = 0.25};
    memory_count count;
    for (int scheme = VXE_DAMPING_EXPLICIT; scheme <= VXE_DAMPING_SWEEP; scheme++) {
        vxe_world_def def = vxe_world_def_default();
        def.damping = (vxe_damping_scheme)scheme;
        def.threads = 1;
        count_memory(&count);
        vxe_world *world = make_world_in(design, &def, VXE_PRECISION_MIXED);
        check_below(scheme == VXE_DAMPING_EXPLICIT ? "bytes a voxel, explicit"
                                                   : "bytes a voxel, polynomial damping",
                    (double)count.bytes / 64000, 250);
        vxe_world_destroy(world);
        assert_true(count.bytes == 0);
        vxe_memory_use(NULL);
    }
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cantilever_tip_is_that_of_double),
                                       cmocka_unit_test(tumbling_body_keeps_its_momenta),
                                       cmocka_unit_test(walker_goes_as_far),
                                       cmocka_unit_test(center_of_mass_is_as_exact_as_positions),
                                       cmocka_unit_test(voxel_takes_250_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
