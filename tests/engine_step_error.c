/* SPDX-License-Identifier: MIT */
/* The step error that a run estimates: its shadow does what the run does where both take the same
   step; the estimate equals a closed form, and agrees with runs at a fraction of the step. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/step_error.h"
#include "lattice/formats/format.h"

typedef struct followed {
    vxe_step_error error;
    double way; /* m: horizontal displacement of the run */
} followed;

/* Runs a design to its limits, with a shadow of so many steps in one; pieces: steps in a call, at
   most. */
static followed follow(const vxe_design *design, const vxe_world_def *def, uint32_t finer,
                       uint64_t pieces)
{
    vxe_error error;
    const vxe_run_limits limits = vxe_run_limits_of(design, 0, 0);
    vxe_world *world = make_world(design, def);
    vxe_world_def same = *def;
    same.precision = test_precision();
    vxe_step_shadow *shadow = vxe_step_shadow_create(world, design, &same, &limits, finer, &error);
    if (!shadow) {
        fail_msg("%s", error.message);
    }
    const uint64_t last =
        vxe_run_last_step(&limits, vxe_world_describe(world).time_step, VXE_ARRIVAL_AT);
    double start[3];
    double end[3];
    vxe_world_center_of_mass(world, start, NULL);
    vxe_step_shadow_follow(shadow, world);
    while (vxe_world_steps(world) < last) {
        const uint64_t done = vxe_world_steps(world);
        const uint64_t next = vxe_step_shadow_next(shadow);
        const uint64_t left = (next < last ? next : last) - done;
        assert_int_equal(vxe_world_advance(world, left < pieces ? left : pieces, &error), VXE_OK);
        vxe_step_shadow_follow(shadow, world);
    }
    vxe_world_center_of_mass(world, end, NULL);
    const followed f = {vxe_step_shadow_describe(shadow),
                        hypot(end[0] - start[0], end[1] - start[1])};
    vxe_step_shadow_destroy(shadow);
    vxe_world_destroy(world);
    return f;
}
/* The quadruped with damped voxels and small muscles: a steady gait. */
static vxe_design *steady_walker(double periods)
{
    vxe_design *design = lopsided_quadruped(0.5);
    for (uint32_t m = 0; m < design->material_count; m++) {
        design->materials[m].global_damping = 0.02;
    }
    design->stop.duration = periods * design->actuation.period;
    return design;
}

/* With the run's own step the shadow does what the run does, to the bit: it has all of its state.
   The quadruped has floor and contacts; the others sticky faces, and bonds that yield and break. */
static void the_same_step_has_no_error(void **state)
{
    (void)state;
    const vxe_world_def def = vxe_world_def_default();
    vxe_design *designs[3] = {steady_walker(9), holed_walker(4, 0.8, 0.4, 0.1),
                              holed_walker(4, 0.9, 0.3, 1)};
    vxe_material *m = designs[2]->materials;
    for (int i = 1; i < 3; i++) {
        designs[i]->stop.duration = 9 * designs[i]->actuation.period;
        designs[i]->self_collision = true;
        designs[i]->materials[0].static_friction = designs[i]->materials[1].static_friction = 1;
    }
    m[0].model = VXE_MATERIAL_BILINEAR;
    m[0].plastic_modulus = 0.3 * m[0].youngs_modulus;
    m[0].yield_stress = 2e-3 * m[0].youngs_modulus;
    m[0].fail_stress = 6e-3 * m[0].youngs_modulus;
    for (int i = 0; i < 3; i++) {
        for (uint64_t pieces = 37; pieces < 1000; pieces *= 20) {
            const followed f = follow(designs[i], &def, 1, pieces);
            assert_true(f.error.periods >= 2);
            assert_true(f.error.way > 0);
            check_near("part", f.error.part, 0, 0);
            check_near("deviation", f.error.deviation, 0, 0);
        }
        vxe_design_destroy(designs[i]);
    }
}

/* A voxel flies 21 edges to one that is held, and meets it in the second period that is run again
   (from 6.78 periods on), right at its start. The lists of near pairs are those of the run there,
   not those of the first period. */
static void a_shadow_meets_what_the_run_meets(void **state)
{
    (void)state;
    vxe_error error;
    const double none[3] = {0, 0, 0};
    const double period = 0.02;
    const double speed[3] = {-20 * EDGE / (6.8 * period), 0, 0};
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
    add_block(design, (const int[3]){21, 0, 0}, (const int[3]){1, 1, 1}, 0);
    assert_int_equal(vxe_design_set_velocity(design, 1, speed, none, &error), VXE_OK);
    design->self_collision = true;
    design->actuation = (vxe_actuation){.enabled = true, .amplitude = 0, .period = period};
    design->stop.duration = 9 * period;
    const vxe_world_def def = vxe_world_def_default();
    const followed f = follow(design, &def, 1, 50);
    assert_int_equal(f.error.periods, 2);
    assert_true(f.way < 0.5 * 19 * EDGE); /* it came back */
    check_near("part", f.error.part, 0, 0);
    vxe_design_destroy(design);
}

/* A voxel that falls sideways. From one state, v at its last half step and x, n steps of h give x +
   n h v + a h^2 n (n + 1)/2 and 2 n steps of h/2 give a h T/4 less, T = n h: with twice of it the
   estimate is a h T/2. Tolerance: rounding of places (1e-16 and 2^-48 of a metre) by differences of
   1e-6 m. */
static void estimate_of_a_falling_voxel(void **state)
{
    (void)state;
    const double acceleration = 2;
    const double step = 1.0 / 4096; /* s; exact in both precisions */
    const double period = 64 * step;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    design->gravity[0] = acceleration;
    design->actuation = (vxe_actuation){.enabled = true, .amplitude = 0, .period = period};
    design->stop.duration = 40 * period;
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = step;
    const followed f = follow(design, &def, 2, 50);
    assert_int_equal(f.error.periods, 5);
    check_relative("estimate, m", f.error.part * f.error.way, 0.5 * acceleration * step * period,
                   by_precision(1e-9, 1e-4));
    check_below("its deviation", f.error.deviation, by_precision(1e-9, 1e-4) * f.error.part);
    vxe_design_destroy(design);
}

/* Against the run at an eighth of the step. The error of this gait goes with a power of the step
   between the first and the second, of which the estimate takes the first: between half and twice.
 */
static void estimate_of_a_gait(void **state)
{
    (void)state;
    vxe_world_def def = vxe_world_def_default();
    vxe_design *design = steady_walker(16);
    const followed f = follow(design, &def, 2, 1000);
    def.step_scale = 0.125;
    const followed fine = follow(design, &def, 1, 1000);
    const double off = fabs(f.way - fine.way) / fine.way;
    printf("estimate %g +- %g, off by %g\n", f.error.part, f.error.deviation, off);
    assert_true(f.error.part < 2 * off && f.error.part > 0.5 * off);
    check_below("deviation", f.error.deviation, 0.5 * f.error.part);
    vxe_design_destroy(design);
}

/* fine is a quarter of normal; fast leaves impacts on the floor to stability alone. */
static void levels_of_accuracy(void **state)
{
    (void)state;
    vxe_error error;
    vxe_design *design = steady_walker(16);
    vxe_world_def def = vxe_world_def_default();
    double step[3];
    for (int level = 0; level < 3; level++) {
        def.accuracy = (vxe_accuracy)level;
        vxe_world *world = make_world(design, &def);
        step[level] = vxe_world_describe(world).time_step;
        vxe_world_destroy(world);
    }
    check_relative("fine", step[VXE_ACCURACY_FINE], 0.25 * step[VXE_ACCURACY_NORMAL], 1e-6);
    assert_true(step[VXE_ACCURACY_FAST] >= step[VXE_ACCURACY_NORMAL]);
    const vxe_material m = standard_material();
    vxe_design *slow = block_design(&m, 2, 1, 1); /* nothing but its period bounds its step */
    slow->materials[0].youngs_modulus = 1;
    slow->materials[0].thermal_expansion = 1e-3;
    slow->actuation = (vxe_actuation){.enabled = true, .amplitude = 1, .period = 0.5};
    for (int level = 0; level < 3; level++) {
        def.accuracy = (vxe_accuracy)level;
        vxe_world *world = make_world(slow, &def);
        step[level] = vxe_world_describe(world).time_step;
        vxe_world_destroy(world);
    }
    check_relative("normal, s", step[VXE_ACCURACY_NORMAL], 0.5 / 100, 1e-6);
    check_relative("fast, s", step[VXE_ACCURACY_FAST], 0.5 / 25, 1e-6);
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 1e-5;
    assert_null(vxe_world_create(design, &def, &error));
    assert_non_null(strstr(error.message, "accuracy"));
    vxe_design_destroy(slow);
    vxe_design_destroy(design);
}

static void check_no_shadow(const vxe_design *design, const vxe_world_def *def, const char *says)
{
    vxe_error error;
    const vxe_run_limits limits = vxe_run_limits_of(design, 0, 0);
    vxe_world *world = vxe_world_create(design, def, &error);
    assert_non_null(world);
    assert_null(vxe_step_shadow_create(world, design, def, &limits, 2, &error));
    vxe_world_destroy(world);
    assert_int_equal(error.status, VXE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, says));
}

static void runs_without_a_gait_have_none(void **state)
{
    (void)state;
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    vxe_design *design = steady_walker(7.9);
    check_no_shadow(design, &def, "fewer than 8 periods");
    design->stop.duration = 0;
    check_no_shadow(design, &def, "fewer than 8 periods");
    design->stop.duration = 16 * design->actuation.period;
    design->actuation.enabled = false;
    check_no_shadow(design, &def, "fewer than 8 periods");
    vxe_design_destroy(design);
    design = vxe_design_read(SOURCE_FOLDER "/assets/affine_crawler.json", &error);
    check_no_shadow(design, &def, "affine");
    vxe_design_destroy(design);
    design = steady_walker(16);
    def.conventions = "evosoro";
    def.precision = VXE_PRECISION_DOUBLE;
    check_no_shadow(design, &def, "published rules");
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_step_has_no_error),
                                       cmocka_unit_test(a_shadow_meets_what_the_run_meets),
                                       cmocka_unit_test(estimate_of_a_falling_voxel),
                                       cmocka_unit_test(estimate_of_a_gait),
                                       cmocka_unit_test(levels_of_accuracy),
                                       cmocka_unit_test(runs_without_a_gait_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
