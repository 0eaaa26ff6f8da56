/* SPDX-License-Identifier: MIT */
/* Difference between mixed and double precision over 20 000 steps and more. */
#include <math.h>
#include <string.h>

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

/* Where a body is after steps in a precision: way (m) and velocity (m/s) of its centre of mass, and
 * the orientation of its voxel 0. */
typedef struct outcome {
    double way[3], velocity[3], orientation[4];
    double step, time;
} outcome;

static outcome run_in(vxe_design *design, bool swept, double step, const double velocity[3],
                      const double spin[3], vxe_precision precision, uint64_t steps)
{
    const double turned[4] = {0.1, 0.5, -0.5, 0.7};
    vxe_world_def def = vxe_world_def_default();
    def.damping = swept ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = step;
    vxe_world *world = make_world_in(design, &def, precision);
    for (uint32_t i = 0; i < design->voxel_count; i++) {
        assert_int_equal(vxe_world_place(world, i, NULL, design->voxel_count > 1 ? NULL : turned,
                                         velocity, spin, NULL),
                         VXE_OK);
    }
    double before[3];
    outcome out;
    vxe_world_center_of_mass(world, before, NULL);
    advance(world, steps);
    vxe_world_center_of_mass(world, out.way, out.velocity);
    double orientations[8];
    vxe_world_poses(world, NULL, orientations);
    for (int c = 0; c < 3; c++) {
        out.way[c] -= before[c];
    }

    memcpy(out.orientation, orientations, sizeof out.orientation);
    out.step = vxe_world_describe(world).time_step;
    out.time = vxe_world_time(world);
    vxe_world_destroy(world);
    return out;
}

/* Bodies whose velocities and turns change by less than their last bits in a step, with edges from
 * 1e-6 to 1 m and moduli from 1e2 to 1e12 Pa: a fall that starts upwards and sideways, a throw
 * against a little global drag, and a slow spin, of one voxel and of two, in both schemes of
 * damping. Rounded to nearest they lost up to 1.2 % of g and all of the drag. Places are resolved
 * to 2^-48 of 256 edges, of which each step may lose half. */
static void small_changes_add_up(void **state)
{
    (void)state;
    enum { STEPS = 100000 };
    double worst[3] = {0};
    for (int i = 0; i < 36; i++) {
        vxe_material m = standard_material();
        m.youngs_modulus = i % 3 == 0 ? 1e2 : i % 3 == 1 ? 2e7 : 1e12;
        m.density = i % 3 == 2 ? 7850 : 1000;
        m.bond_damping = 0.5;
        m.global_damping = i / 9 % 2 ? 2e-7 : 0;
        vxe_design *design = block_design(&m, 1 + i / 18, 1, 1);
        design->voxel_size = i / 3 % 3 == 0 ? 1e-6 : i / 3 % 3 == 1 ? 1e-3 : 1;
        design->gravity[2] = m.global_damping > 0 ? 0 : -9.81;
        const double frequency = sqrt(m.youngs_modulus / m.density) / design->voxel_size;
        const double step = 0.2 / frequency;
        const double speed = 9.81 * STEPS * step;
        const double velocity[3] = {0.3 * speed, 0, speed};
        const double spin[3] = {3e-7 * frequency, 0, 0};

        const outcome mixed =
            run_in(design, i % 2, step, velocity, spin, VXE_PRECISION_MIXED, STEPS);
        const outcome exact = /* with the step that is a float */
            run_in(design, i % 2, mixed.step, velocity, spin, VXE_PRECISION_DOUBLE, STEPS);
        assert_true(exact.time == mixed.time);
        for (int c = 0; c < 3; c += 2) {
            const double coarse = STEPS * 0.5 * 256 * 0x1p-48 * design->voxel_size;
            const double astray = fabs(mixed.way[c] - exact.way[c]) - coarse;
            worst[0] = fmax(worst[0], fabs(mixed.velocity[c] - exact.velocity[c]) / velocity[c]);
            worst[1] = fmax(worst[1], astray / (velocity[c] * exact.time));
        }
        double turn2 = 0;
        for (int c = 0; c < 4; c++) {
            turn2 += pow(mixed.orientation[c] - exact.orientation[c], 2);
        }
        worst[2] = fmax(worst[2], sqrt(turn2));
        vxe_design_destroy(design);
    }
    check_below("velocity in mixed, of that at the start", worst[0], 1e-5);
    check_below("way in mixed, relative", worst[1], 1e-5);
    check_below("half turn in mixed, rad", worst[2], 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cantilever_tip_is_that_of_double),
                                       cmocka_unit_test(small_changes_add_up),
                                       cmocka_unit_test(tumbling_body_keeps_its_momenta),
                                       cmocka_unit_test(walker_goes_as_far),
                                       cmocka_unit_test(center_of_mass_is_as_exact_as_positions),
                                       cmocka_unit_test(voxel_takes_250_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
