/* SPDX-License-Identifier: MIT */
/* The energy balance (docs/physics.md, Energy audit) at the default step, where the energy itself
 * swings by much: the product of the velocities before and after a kick, v- m v+/2 + U, is what the
 * leapfrog keeps of linear springs exactly, whatever the step (HairerLubichWanner2006), and what
 * drives them works by the mean of its forces at both ends of a step. So the balance has rounding
 * alone here. What it has without one of the corrections is said at each case. */
#include <math.h>

#include "support.h"

/* Rounding alone, in a few thousand steps. */
#define ROUNDING by_precision(1e-9, 1e-4)

static vxe_world *audited(const vxe_design *design)
{
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    return make_world(design, &def);
}

/* J: largest drift of the balance, and largest energy of motion and springs. */
typedef struct swing {
    double drift, held;
} swing;

/* Advances with the energy audit, step by step; adds to what was found. */
static void swing_on(vxe_world *world, uint64_t steps, swing *found)
{
    for (uint64_t n = 0; n < steps; n++) {
        vxe_error error;
        if (vxe_world_advance(world, 1, &error)) {
            fail_msg("%s", error.message);
        }
        const vxe_energy e = vxe_world_energy(world);
        const double held = e.kinetic_sync + e.elastic_sync + e.floor_sync + e.contact_sync;
        found->drift = fmax(found->drift, fabs(e.balance - e.balance_start));
        found->held = fmax(found->held, held);
    }
}

/* Runs a design, checks its balance, and destroys it. Returns the energies at the end. */
static vxe_energy check_balance(const char *what, vxe_design *design, uint64_t steps, double bound)
{
    vxe_world *world = audited(design);
    swing found = {0};
    swing_on(world, steps, &found);
    check_below(what, found.drift / found.held, bound);
    const vxe_energy end = vxe_world_energy(world);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return end;
}

/* Undamped muscles of a period of eight steps, along a row of six voxels: forces and motions are
 * along the row, where bonds are linear. With the ripple 9e-4. */
static void steep_muscles_are_balanced(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.thermal_expansion = 0.01;
    vxe_design *design = block_design(&m, 6, 1, 1);
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 25, .amplitude = 2, .period = 1e-3};
    vxe_layer *layer = vxe_design_layer(design, "PhaseOffset", 1);
    assert_non_null(layer);
    for (int v = 0; v < 6; v++) {
        layer->values[v] = 0.37 * v;
    }
    check_balance("drift of steep muscles, of the energy held", design, 4000, ROUNDING);
}

/* An undamped voxel of a changing edge bounces on the floor, each time within a few steps: its face
 * moves against the floor's spring, whose energy belongs to the ends of ways. At the places of the
 * steps .64. */
static void a_moving_face_on_the_floor_is_balanced(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.thermal_expansion = 0.01;
    m.static_friction = m.dynamic_friction = 0;
    vxe_design *design = block_design(&m, 1, 1, 1);
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    design->voxels[0].position[2] = 1;
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 25, .amplitude = 20, .period = 0.02};
    const vxe_energy end =
        check_balance("drift on the floor, of the energy held", design, 20000, ROUNDING);
    assert_true(fabs(end.work_actuation) > 0.1 * MASS * 9.81 * EDGE);
}

/* Two voxels fly apart until their bond breaks, in the middle of a step. What the bond held is
 * lost, less what half of a kick yet gives. With all of it .14 to .19. */
static void a_bond_that_breaks_is_balanced(void **state)
{
    (void)state;
    for (int phase = 0; phase < 8; phase++) {
        vxe_material m = standard_material();
        m.model = VXE_MATERIAL_LINEAR_FAILING;
        m.fail_stress = 2e4;
        vxe_design *design = block_design(&m, 2, 1, 1);
        vxe_error error;
        const double speed = SOUND * (0.015 + 0.002 * phase);
        const double left[3] = {-speed, 0, 0};
        const double right[3] = {speed, 0, 0};
        assert_int_equal(vxe_design_set_velocity(design, 0, left, NULL, &error), VXE_OK);
        assert_int_equal(vxe_design_set_velocity(design, 1, right, NULL, &error), VXE_OK);
        const vxe_energy end =
            check_balance("drift of a bond that breaks, of the energy held", design, 50, ROUNDING);
        assert_true(end.dissipated_plastic > 0);
    }
}

/* A program moves targets by jumps between steps, against an undamped row.
 * With the change of the potentials alone as their work .73. */
static void jumps_of_targets_are_balanced(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 4, 1, 1);
    vxe_error error;
    vxe_layer *layer = vxe_design_layer(design, "Group", 1);
    assert_non_null(layer);
    layer->values[1] = 1;
    layer->values[2] = 2;
    vxe_world *world = audited(design);
    swing found = {0};
    /* the largest target first: beyond the largest edges before the step may become shorter */
    assert_int_equal(vxe_world_set_target(world, 1, 1.01, &error), VXE_OK);
    for (int n = 0; n < 200; n++) {
        assert_int_equal(
            vxe_world_set_target(world, (uint32_t)(1 + n % 2), 1 + 2e-3 * ((n * 7) % 5), &error),
            VXE_OK);
        swing_on(world, 3, &found);
    }
    check_below("drift under jumps of targets, of the energy held", found.drift / found.held,
                ROUNDING);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A frictionless, undamped voxel in a valley whose sides meet within its width, and over ridges:
 * the floor's force takes it for a plane in each step, and a valley gives it energy each time
 * that it passes, if the step does not take that: .003 to .1. Points .4 edges apart, slopes up to
 * 1.5; the secants leave 1e-5. */
static void a_floor_that_bends_gives_no_energy(void **state)
{
    (void)state;
    for (int phase = 0; phase < 6; phase++) {
        vxe_material m = standard_material();
        m.static_friction = m.dynamic_friction = 0;
        vxe_design *design = block_design(&m, 1, 1, 1);
        vxe_error error;
        double heights[24 * 24];
        for (int j = 0; j < 24; j++) {
            for (int i = 0; i < 24; i++) {
                heights[24 * j + i] = 0.6 * EDGE * ((3 * i + 5 * j) % 4 / 4.0 - 1);
            }
        }
        const vxe_heightfield field = {24, 24, 0.4 * EDGE, {-4 * EDGE, -4 * EDGE}, heights};
        const double speed[3] = {0.1 * SOUND, 0.013 * SOUND * (phase + 1), 0};
        design->floor.enabled = true;
        design->gravity[2] = -50;
        assert_int_equal(vxe_design_set_heights(design, &field, &error), VXE_OK);
        assert_int_equal(vxe_design_set_velocity(design, 0, speed, NULL, &error), VXE_OK);
        check_balance("drift on an uneven floor, of the energy held", design, 2000, 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steep_muscles_are_balanced),
                                       cmocka_unit_test(a_moving_face_on_the_floor_is_balanced),
                                       cmocka_unit_test(a_bond_that_breaks_is_balanced),
                                       cmocka_unit_test(jumps_of_targets_are_balanced),
                                       cmocka_unit_test(a_floor_that_bends_gives_no_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
