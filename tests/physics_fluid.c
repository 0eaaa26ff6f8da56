/* SPDX-License-Identifier: MIT */
/* A fluid at rest around the bodies: drag rho C_d A v_n^2/2 on free faces that face forward, and
 * Archimedes' lift. Expected numbers: closed forms of quadratic drag. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lattice/formats/format.h"
#include "support.h"

#define GRAVITY 9.81
#define DENSITY 400.0 /* of the fluid; bodies have 1000 kg/m^3 */
#define DRAG 1.2

static vxe_design *block_in_fluid(int nx, int ny, int nz)
{
    vxe_material m = standard_material();
    m.bond_damping = 0.5;
    vxe_design *design = block_design(&m, nx, ny, nz);
    design->fluid = (vxe_fluid){true, false, DENSITY, DRAG};
    return design;
}

/* Moves all voxels at a velocity (m/s), rotated by an angle about z through the design's origin. */
static void launch(vxe_world *world, uint32_t voxels, const double velocity[3], double angle)
{
    for (uint32_t v = 0; v < voxels; v++) {
        const double q[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};
        double at[3];
        double turned[3];
        vxe_error error;
        position_of(world, v, at);
        rotate_vector(q, at, turned);
        assert_int_equal(vxe_world_place(world, v, turned, q, velocity, NULL, &error), VXE_OK);
    }
}

static double speed_along(const vxe_world *world, int c)
{
    double velocity[3];
    vxe_world_center_of_mass(world, (double[3]){0}, velocity);
    return velocity[c];
}

/* m dv/dt = (m - rho V) g - rho C_d A v^2/2: v = v_t tanh(g' t/v_t). The step is explicit: an error
 * of some g h/v_t, at most 1e-3, early on. At the end the error is rounding. */
static void sinking_block_reaches_terminal_velocity(void **state)
{
    (void)state;
    vxe_design *design = block_in_fluid(2, 3, 2);
    design->fluid.buoyancy = true;
    design->gravity[2] = -GRAVITY;
    vxe_world *world = make_world(design, NULL);
    const double mass = 12 * MASS;
    const double volume = 12 * EDGE * EDGE * EDGE;
    const double pull = (mass - DENSITY * volume) * GRAVITY;
    const double terminal = sqrt(2 * pull / (DENSITY * DRAG * 6 * EDGE * EDGE));
    const double times[4] = {0.05, 0.1, 0.2, 1};
    for (int i = 0; i < 4; i++) {
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, times[i], &error), VXE_OK);
        const double t = vxe_world_time(world);
        const double expected = terminal * tanh(pull / mass * t / terminal);
        check_relative("sinking, m/s", -speed_along(world, 2), expected, i < 3 ? 1e-3 : 1e-5);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A body as heavy as the fluid that it displaces hovers. In floats weight and lift may differ by
 * their last bits: 6e-8 g over 1 s are 3e-7 m. */
static void neutral_body_hovers(void **state)
{
    (void)state;
    vxe_design *design = block_in_fluid(3, 2, 2);
    design->fluid.buoyancy = true;
    design->fluid.density = 1000;
    design->gravity[2] = -GRAVITY;
    vxe_world *world = make_world(design, NULL);
    double before[3];
    double after[3];
    vxe_error error;
    vxe_world_center_of_mass(world, before, NULL);
    assert_int_equal(vxe_world_advance_to(world, 1, &error), VXE_OK);
    vxe_world_center_of_mass(world, after, NULL);
    check_near("rise in 1 s, m", after[2] - before[2], 0, by_precision(1e-14, 1e-6));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Coasting: v = v0/(1 + v0 k t/m). Only free faces that face forward count: a row along its axis
 * has one, across it five; a cube rotated by 45 degrees has two, each at v/sqrt 2, whose force
 * components along the motion are 1/sqrt 2 of the straight one's. */
static void coasting_bodies_slow_as_their_faces_say(void **state)
{
    (void)state;
    const struct {
        int size[3];
        double angle;
        double faces; /* straight bodies that slow as much */
        int along;
    } rows[] = {{{5, 1, 1}, 0, 1, 0},
                {{5, 1, 1}, 0, 5, 1},
                {{5, 1, 1}, PI / 2, 1, 1},
                {{1, 1, 1}, PI / 4, 0.70710678118654752, 0},
                {{3, 3, 3}, 0, 9, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int *size = rows[i].size;
        const uint32_t voxels = (uint32_t)(size[0] * size[1] * size[2]);
        vxe_design *design = block_in_fluid(size[0], size[1], size[2]);
        vxe_world_def def = vxe_world_def_default();
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = 2e-5;
        vxe_world *world = make_world(design, &def);
        double velocity[3] = {0};
        velocity[rows[i].along] = 0.5;
        launch(world, voxels, velocity, rows[i].angle);
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 0.2, &error), VXE_OK);
        const double k = 0.5 * DENSITY * DRAG * EDGE * EDGE * rows[i].faces;
        const double expected = 0.5 / (1 + 0.5 * k * vxe_world_time(world) / (voxels * MASS));
        check_relative("speed left, m/s", speed_along(world, rows[i].along), expected, 2e-4);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* The front voxel takes the drag, the one behind it none: seen in the first step, before a bond
 * without dashpot transmits anything except the rounding of positions. */
static void drag_is_on_the_voxel_ahead(void **state)
{
    (void)state;
    for (int way = -1; way <= 1; way += 2) {
        vxe_design *design = block_in_fluid(2, 1, 1);
        design->materials[0].bond_damping = 0;
        vxe_world *world = make_world(design, NULL);
        double velocities[6];
        vxe_error error;
        launch(world, 2, (double[3]){way, 0, 0}, 0);
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        vxe_world_velocities(world, velocities, NULL);
        const double *ahead = velocities + (way > 0 ? 3 : 0);
        const double *behind = velocities + (way > 0 ? 0 : 3);
        const double push = 0.5 * DENSITY * DRAG * EDGE * EDGE;
        const double lost = push / MASS * vxe_world_describe(world).time_step;
        check_relative("lost ahead, m/s", 1 - way * ahead[0], lost, by_precision(1e-10, 1e-4));
        check_near("lost behind, m/s", 1 - way * behind[0], 0, 1e-12);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A broken bond opens two faces: the rear voxel then has one that faces forward, and takes as much
 * drag. */
static void drag_is_on_faces_of_broken_bonds(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        vxe_design *design = block_in_fluid(2, 1, 1);
        design->materials[0].model = VXE_MATERIAL_LINEAR_FAILING;
        design->materials[0].fail_strain = 0.1;
        vxe_world_def def = vxe_world_def_default();
        def.threads = threads;
        vxe_world *world = make_world(design, &def);
        const double away[3] = {0.045, 0.5 * EDGE, 0.5 * EDGE};
        double velocities[6];
        vxe_error error;
        launch(world, 2, (double[3]){1, 0, 0}, 0);
        assert_int_equal(vxe_world_place(world, 1, away, NULL, NULL, NULL, &error), VXE_OK);
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        vxe_world_velocities(world, velocities, NULL);
        const double push = 0.5 * DENSITY * DRAG * EDGE * EDGE;
        const double lost = push / MASS * vxe_world_describe(world).time_step;
        check_relative("lost ahead, m/s", 1 - velocities[3], lost, by_precision(1e-10, 1e-4));
        check_relative("lost behind, m/s", 1 - velocities[0], lost, by_precision(1e-10, 1e-4));
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* However strong, drag stops a body and never reverses it: after 200 steps less than a millionth of
 * 30 m/s is left. */
static void strong_drag_never_turns_a_body(void **state)
{
    (void)state;
    vxe_design *design = block_in_fluid(2, 2, 2);
    design->fluid.density = 1e9;
    vxe_world *world = make_world(design, NULL);
    launch(world, 8, (double[3]){30, 0, 0}, 0);
    vxe_error error;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        assert_true(speed_along(world, 0) > -by_precision(1e-12, 1e-5));
    }
    check_near("speed left, m/s", speed_along(world, 0), 0, 3e-5);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A swimmer with two muscles in antiphase. */
static vxe_design *swimmer(int length, bool on_floor)
{
    vxe_design *design = block_in_fluid(length, 3, 2);
    design->materials[0].thermal_expansion = 0.01;
    design->materials[0].bond_damping = 0.3;
    design->materials[0].global_damping = length % 2 ? 0.001 : 0;
    vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        phase->values[v] =
            0.15 * design->voxels[v].position[0] + 0.5 * (design->voxels[v].position[1] > 1);
    }
    design->fluid.buoyancy = true;
    design->gravity[2] = -GRAVITY;
    design->floor.enabled = on_floor;
    design->actuation = (vxe_actuation){.enabled = true, .base = 25, .amplitude = 8, .period = 0.1};
    return design;
}

/* The energy audit closes with both damping schemes. */
static void swimming_closes_the_energy_balance(void **state)
{
    (void)state;
    const vxe_damping_scheme schemes[2] = {VXE_DAMPING_EXPLICIT, VXE_DAMPING_SWEEP};
    for (int i = 0; i < 2; i++) {
        vxe_design *design = swimmer(6, false);
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        def.damping = schemes[i];
        vxe_world *world = make_world(design, &def);
        check_audit(i ? "polynomial" : "explicit", world, 4000, 1e-3);
        const vxe_energy e = vxe_world_energy(world);
        print_message("  given to the fluid %g J, work of actuation %g J\n", e.given_to_fluid,
                      e.work_actuation);
        assert_true(e.given_to_fluid != 0);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A swimmer, or a robot that walks out of the water. */
static vxe_design *some_swimmer(int i)
{
    vxe_design *design = swimmer(4 + i % 3, i % 4 == 1);
    design->fluid.enabled = i % 5 != 0;
    design->fluid.drag_coefficient = 0.5 + 0.1 * i;
    return design;
}

/* The same bits alone, for any number of threads, and in lanes among walkers. */
static void swimmers_have_the_same_bits_in_any_batch(void **state)
{
    (void)state;
    check_same_bits(some_swimmer, 20, 300);
}

/* A scene keeps its fluid; impossible numbers are refused. */
static void fluid_is_written_read_and_checked(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *first = swimmer(3, true);
    assert_int_equal(vxe_design_write(first, "physics_fluid_test.json", &error), VXE_OK);
    vxe_design *second = vxe_design_read("physics_fluid_test.json", &error);
    assert_non_null(second);
    assert_true(second->fluid.enabled && second->fluid.buoyancy);
    assert_true(second->fluid.density == DENSITY && second->fluid.drag_coefficient == DRAG);
    unlink("physics_fluid_test.json");
    const vxe_fluid wrong[4] = {{true, false, 0, 1},
                                {true, false, (double)NAN, 1},
                                {true, true, 1000, -1},
                                {true, true, -5, 0}};
    for (int i = 0; i < 4; i++) {
        second->fluid = wrong[i];
        assert_int_equal(vxe_design_check(second, &error), VXE_ERROR_INPUT);
        assert_non_null(strstr(error.message, "density must be above 0"));
    }
    vxe_design_destroy(first);
    vxe_design_destroy(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sinking_block_reaches_terminal_velocity),
                                       cmocka_unit_test(neutral_body_hovers),
                                       cmocka_unit_test(coasting_bodies_slow_as_their_faces_say),
                                       cmocka_unit_test(drag_is_on_the_voxel_ahead),
                                       cmocka_unit_test(drag_is_on_faces_of_broken_bonds),
                                       cmocka_unit_test(strong_drag_never_turns_a_body),
                                       cmocka_unit_test(swimming_closes_the_energy_balance),
                                       cmocka_unit_test(swimmers_have_the_same_bits_in_any_batch),
                                       cmocka_unit_test(fluid_is_written_read_and_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
