/* SPDX-License-Identifier: MIT */
/* Single terms of the energy audit (docs/physics.md, Energy audit) against closed forms: kinetic
 * energy at the time of the potentials, energy of the floor, works of loads and of prescribed
 * motion. Bounds are for rounding, where nothing else is said. */
#include <math.h>

#include "engine/world/world_data.h"
#include "support.h"

#define STEP 1e-4
#define GRAVITY 9.81

static vxe_world *audited(const vxe_design *design, vxe_damping_scheme scheme)
{
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = STEP;
    def.damping = scheme;
    def.audit = true;
    return make_world(design, &def);
}

static vxe_energy after_steps(vxe_world *world, uint64_t steps)
{
    vxe_error error;
    if (vxe_world_advance(world, steps, &error)) {
        fail_msg("%s", error.message);
    }
    return vxe_world_energy(world);
}

/* A voxel that falls at g under a load L: half a kick of the weight F after the velocity v before
 * the last step, m v^2/2 + F v h/2 + F (F + L) h^2/(8 m). The load's work is the energy that the
 * weight leaves: that of the velocity squared by the load's share of the force. */
static void kinetic_energy_is_half_a_kick_ahead(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    const double load = 3e-3;
    const double weight = MASS * GRAVITY;
    design->gravity[2] = -GRAVITY;
    hold_plane(design, 2, 0, 0, (const double[3]){0, 0, -load}, (const double[3]){0, 0, 0});
    vxe_world *world = audited(design, VXE_DAMPING_EXPLICIT);
    const int steps = 50;
    const vxe_energy e = after_steps(world, steps);
    const double a = GRAVITY + load / MASS;
    const double v = (steps - 1) * STEP * a;
    check_relative("kinetic energy half a kick ahead, J", e.kinetic_sync,
                   0.5 * MASS * v * v + 0.5 * weight * v * STEP +
                       weight * (weight + load) * STEP * STEP / (8 * MASS),
                   by_precision(1e-12, 1e-6));
    const double end = steps * STEP * a;
    check_relative("work of a load, J", e.work_external,
                   0.5 * MASS * end * end * load / (weight + load), by_precision(1e-12, 1e-6));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* k d^2/2 of a voxel that is d deep in the floor, and the strain of a bond that is longer by 2 %.
 */
static void depths_and_strains_are_measured(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    design->floor.enabled = true;
    vxe_world *world = audited(design, VXE_DAMPING_EXPLICIT);
    const double d = 2e-4;
    const double at[3] = {0.5 * EDGE, 0.5 * EDGE, 0.5 * EDGE - d};
    const double beside[3] = {1.52 * EDGE, 0.5 * EDGE, 0.5 * EDGE - d};
    double strain = 0;
    double stress = 0;
    vxe_error error;
    assert_int_equal(vxe_world_place(world, 0, at, NULL, NULL, NULL, NULL), VXE_OK);
    assert_int_equal(vxe_world_place(world, 1, beside, NULL, NULL, NULL, NULL), VXE_OK);
    assert_int_equal(vxe_world_bond_strain(world, 0, 1, &strain, &stress, &error), VXE_OK);
    check_relative("strain of a bond", strain, 0.02, by_precision(1e-12, 1e-7));
    check_relative("stress of a bond, Pa", stress, 2e4, by_precision(1e-12, 1e-7));
    check_relative("energy of the floor, J", after_steps(world, 1).floor_sync,
                   2 * 0.5 * STIFFNESS * d * d, by_precision(1e-12, 1e-7));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Voxel 1 is held at voxel 0 and taken away from it by `way` (m, along x) within `time` (s). */
static void lead_away(vxe_design *design, double way, double time)
{
    double table[4] = {0, 0, time, 1};
    uint32_t which[2] = {0, 1};
    const vxe_region held = {
        .shape = VXE_REGION_VOXELS, .fixed = VXE_FIX_ALL, .voxels = which, .voxel_count = 1};
    const vxe_region led = {.shape = VXE_REGION_VOXELS,
                            .fixed = VXE_FIX_ALL,
                            .displacement = {way, 0, 0},
                            .table = table,
                            .table_count = 2,
                            .voxels = which + 1,
                            .voxel_count = 1};
    assert_int_equal(vxe_design_add_region(design, &held, NULL), VXE_OK);
    assert_int_equal(vxe_design_add_region(design, &led, NULL), VXE_OK);
}

/* A bond is pulled by prescribed motion at a speed u for a time t: its dashpot loses c u^2 t, c = 2
 * xi sqrt(k m/2), and the work is that, the spring's energy and the motion's own. Both schemes of
 * damping; the first step has half a step of force. */
static void prescribed_motion_works_on_dashpots(void **state)
{
    (void)state;
    const vxe_damping_scheme schemes[2] = {VXE_DAMPING_EXPLICIT, VXE_DAMPING_SWEEP};
    for (int i = 0; i < 2; i++) {
        vxe_material m = standard_material();
        m.bond_damping = 0.5;
        vxe_design *design = block_design(&m, 2, 1, 1);
        const double speed = 0.05;
        const double time = 200 * STEP / 20;
        lead_away(design, speed * time, time);
        vxe_world_def def = vxe_world_def_default();
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = STEP / 20;
        def.damping = schemes[i];
        def.damping_form = VXE_DAMPING_PAIR;
        def.audit = true;
        vxe_world *world = make_world(design, &def);
        const vxe_energy e = after_steps(world, 200);
        const double c = 2 * 0.5 * sqrt(STIFFNESS * MASS / 2);
        const double way = speed * time;
        check_relative("loss of a dashpot that is pulled, J", e.dissipated_bonds,
                       c * speed * speed * time, 0.01);
        check_relative("work of prescribed motion, J", e.work_external,
                       c * speed * speed * time + 0.5 * STIFFNESS * way * way +
                           0.5 * MASS * speed * speed,
                       0.01);
        check_near("balance, J", e.balance, e.balance_start, 2e-3 * e.work_external);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Two magnets in line are parted by prescribed motion: the work is the change of their energy,
 * -mu0/(4 pi) 2 m^2/r^3, and the motion's own. */
static void prescribed_motion_works_on_magnets(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.magnetization[0] = 5e5;
    vxe_design *design = block_design(&m, 1, 1, 1);
    add_block(design, (const int[3]){2, 0, 0}, (const int[3]){1, 1, 1}, 0);
    design->magnetics = (vxe_magnetics){.enabled = true};
    const double speed = 0.1;
    const double time = 2000 * STEP;
    lead_away(design, speed * time, time);
    vxe_world *world = audited(design, VXE_DAMPING_EXPLICIT);
    const vxe_energy e = after_steps(world, 2000);
    const double moment = 5e5 * EDGE * EDGE * EDGE;
    const double near = 2 * EDGE;
    const double far = near + speed * time;
    check_relative(
        "work on magnets, J", e.work_external,
        2e-7 * moment * moment * (pow(near, -3) - pow(far, -3)) + 0.5 * MASS * speed * speed, 2e-3);
    check_near("balance, J", e.balance, e.balance_start, 1e-3 * e.work_external);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* The gain is the rise of the balance by all that was put in: positive works, or all that is held
 * or went away, whichever is more. A body that is thrown up has given its energy to the weight. */
static void a_gain_is_a_part_of_what_was_put_in(void **state)
{
    (void)state;
    const double rise = 0.5;
    const struct {
        vxe_energy energy;
        double put_in;
    } cases[] = {
        {{.work_actuation = 4}, 4},
        {{.work_actuation = 4, .work_external = -1}, 4},
        {{.work_actuation = 4, .work_gravity = 3, .work_magnetic = 2}, 9},
        {{.work_gravity = 3, .work_magnetic = -8}, 8 - rise},
        {{.work_gravity = -3, .kinetic = 2}, 5 - rise},
        {{.kinetic = 1, .elastic = 2, .floor = 3, .contact = 4}, 10 - rise},
        {{.dissipated_bonds = 1, .dissipated_plastic = 2, .dissipated_global = 3}, 6 - rise},
        {{.dissipated_contact = 1,
          .dissipated_friction = 2,
          .dissipated_viscous = 3,
          .dissipated_growth = 4,
          .given_to_fluid = 5},
         15 - rise},
        {{.given_to_fluid = -5, .kinetic = 2}, 2 - rise},
        {{.kinetic = rise}, 1e-3 * rise}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vxe_energy energy = cases[i].energy;
        energy.balance = 7 + rise;
        energy.balance_start = 7;
        check_relative("gain", vxe_energy_gain(&energy), rise / cases[i].put_in, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinetic_energy_is_half_a_kick_ahead),
        cmocka_unit_test(depths_and_strains_are_measured),
        cmocka_unit_test(prescribed_motion_works_on_dashpots),
        cmocka_unit_test(prescribed_motion_works_on_magnets),
        cmocka_unit_test(a_gain_is_a_part_of_what_was_put_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
