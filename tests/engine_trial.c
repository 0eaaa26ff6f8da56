/* SPDX-License-Identifier: MIT */
/* Formulas of the stop condition and of fitness, on free voxels of known motion: uniform, or a
 * circle in a harmonic trap. Expected numbers: closed forms, and counts by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/trial.h"
#include "lattice/formats/format.h"
#include "support.h"

#define STEP 1e-3

/* Free voxels at cells along x, each with a material of its own; lattice 10 mm, no forces. */
static vxe_design *free_voxels(const int *cells, int count)
{
    vxe_design *design = vxe_design_create();
    const double standing[3] = {0, 0, 0};
    vxe_error error;
    design->gravity[2] = 0;
    design->floor.enabled = false;
    for (int i = 0; i < count; i++) {
        const vxe_material m = standard_material();
        uint32_t material = 0;
        assert_int_equal(vxe_design_add_material(design, &m, &material, &error), VXE_OK);
        assert_int_equal(vxe_design_add_voxel(design, cells[i], 0, 0, material, &error), VXE_OK);
    }
    assert_int_equal(vxe_design_set_velocity(design, 0, standing, standing, &error), VXE_OK);
    return design;
}

static void throw_voxel(vxe_design *design, uint32_t voxel, double x, double y)
{
    const double velocity[3] = {x, y, 0};
    const double spin[3] = {0, 0, 0};
    vxe_error error;
    assert_int_equal(vxe_design_set_velocity(design, voxel, velocity, spin, &error), VXE_OK);
}

/* A world with steps of 1 ms, and its evaluation. */
static vxe_trial *start(const vxe_design *design, const char *conventions, vxe_world **world)
{
    vxe_world_def def = vxe_world_def_default();
    vxe_error error;
    def.conventions = conventions;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = STEP;
    *world = make_world(design, &def);
    vxe_trial *trial = vxe_trial_create(design, *world, &error);
    if (!trial) {
        fail_msg("%s", error.message);
    }
    return trial;
}

static void run_steps(vxe_trial *trial, uint64_t steps)
{
    vxe_error error;
    assert_int_equal(vxe_trial_advance(trial, steps, &error), VXE_OK);
}

static void finish(vxe_trial *trial, vxe_world *world, vxe_design *design)
{
    vxe_trial_destroy(trial);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Tolerances for flights: the rounding of 50 steps in double; in mixed precision that of a step and
 * of velocities to 24 bits, 6e-8 of 0.02 m; times the formula's factor. */

/* Two voxels of 1 g at 0.3 and 0.1 m/s, centres at 5 and 55 mm: their centre of mass moves at 0.2
   m/s from 30 mm on. */
static vxe_design *flight(void)
{
    const int cells[2] = {0, 5};
    vxe_design *design = free_voxels(cells, 2);
    throw_voxel(design, 0, 0.3, 0);
    throw_voxel(design, 1, 0.1, 0);
    return design;
}

static void fitness_sees_the_flight(void **state)
{
    (void)state;
    vxe_design *design = flight();
    vxe_world *world = NULL;
    set_formula(design, VXE_FORMULA_FITNESS, "1000*x + 10*t + center_x + num_voxel + y + z");
    vxe_trial *trial = start(design, "native", &world);
    run_steps(trial, 50);
    check_near("fitness", vxe_trial_fitness(trial), 1000 * 0.01 + 10 * 0.05 + 0.04 + 2,
               by_precision(1e-11, 1e-6));
    const vxe_trial_facts facts = vxe_trial_describe(trial);
    check_near("ways of all, m", facts.distance, 0.05 * (0.3 + 0.1), by_precision(1e-14, 1e-9));
    assert_int_equal(facts.measured, 2);
    finish(trial, world, design);

    /* counted from 20 ms on, of the first voxel only */
    design = flight();
    design->stop.reference_time = 0.02;
    design->materials[1].unmeasured = true;
    set_formula(design, VXE_FORMULA_FITNESS, "x");
    trial = start(design, "native", &world);
    run_steps(trial, 50);
    check_near("way behind 20 ms, m", vxe_trial_fitness(trial), 0.3 * 0.03,
               by_precision(1e-14, 1e-9));
    assert_int_equal(vxe_trial_describe(trial).measured, 1);
    finish(trial, world, design);
}

/* The centre passes 41 mm after step 55 (exactly 41 mm there), so that the first step above it
 * is 56. */
static void a_formula_stops(void **state)
{
    (void)state;
    const struct {
        const char *stop, *conventions;
        uint64_t steps;
    } cases[] = {{"t - 0.0305", "native", 31},
                 {"t > 0.0305", "voxcraft", 31},
                 {"center_x - 0.0411", "native", 56},
                 {"x - 0.0111", "native", 56},
                 /* positions of the last whole period of 20 ms: 42 mm is seen after step 60 */
                 {"center_x - 0.0411", "voxcraft", 61},
                 {"angle + 1", "voxcraft", 1},
                 {"t - 5", "native", 400},
                 {"x - 1", "native", 400}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vxe_design *design = flight();
        vxe_world *world = NULL;
        design->actuation =
            (vxe_actuation){.enabled = true, .period = 0.02, .amplitude = 1, .base = 0};
        set_formula(design, VXE_FORMULA_STOP, cases[i].stop);
        vxe_trial *trial = start(design, cases[i].conventions, &world);
        run_steps(trial, 7);
        run_steps(trial, 393);
        assert_int_equal(vxe_world_steps(world), cases[i].steps);
        assert_int_equal(vxe_trial_ended(trial), cases[i].steps < 400);
        run_steps(trial, vxe_trial_ended(trial) ? 10 : 0);
        assert_int_equal(vxe_world_steps(world), cases[i].steps);
        finish(trial, world, design);
    }
}

/* However a run is divided into calls, it ends after the same step: 0.3 s is 300 steps of 1 ms, up
 * to rounding. */
static void dividing_a_run_into_calls_does_not_matter(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (uint64_t call = 1; call < 320; call += 17) {
        vxe_design *design = flight();
        vxe_world *world = NULL;
        set_formula(design, VXE_FORMULA_STOP, "t > 0.3");
        vxe_trial *trial = start(design, "native", &world);
        while (!vxe_trial_ended(trial)) {
            run_steps(trial, call);
        }
        first = first ? first : vxe_world_steps(world);
        assert_int_equal(vxe_world_steps(world), first);
        assert_in_range(first, 300, 301);
        finish(trial, world, design);
    }
}

/* On a circle of period 0.2 s, chords between positions 0.05 s apart differ by a quarter turn.
 * Explicit steps h turn (w h)^2/24 too fast: 2e-4 of the angle here. */
static void angle_is_that_of_chords(void **state)
{
    (void)state;
    const int cells[1] = {4};
    const double w = 2 * PI / 0.2;
    char trap[2][80];
    vxe_design *design = free_voxels(cells, 1);
    vxe_world *world = NULL;
    snprintf(trap[0], sizeof trap[0], "-%.17g*(x - 0.04)", MASS * w * w);
    snprintf(trap[1], sizeof trap[1], "-%.17g*(y - 0.005)", MASS * w * w);
    set_formula(design, VXE_FORMULA_FORCE_X, trap[0]);
    set_formula(design, VXE_FORMULA_FORCE_Y, trap[1]);
    set_formula(design, VXE_FORMULA_FITNESS, "angle");
    design->actuation = (vxe_actuation){.enabled = true, .period = 0.05, .amplitude = 1};
    throw_voxel(design, 0, 0, w * 0.005); /* x is 45 mm, 5 mm from the middle */
    vxe_trial *trial = start(design, "native", &world);
    run_steps(trial, 99);
    check_near("angle before a second chord", vxe_trial_fitness(trial), 0, 0);
    run_steps(trial, 1);
    check_near("angle of chords, rad", vxe_trial_fitness(trial), PI / 2, 2e-3);
    run_steps(trial, 50);
    check_near("angle of chords, rad", vxe_trial_fitness(trial), PI / 2, 2e-3);
    assert_int_equal(vxe_trial_describe(trial).angle_samples, 3);
    finish(trial, world, design);
}

/* A target flies past two others through a wall that does not collide with anything: spheres of
 * 0.625 edges are in contact while centres are nearer than 12.5 mm. */
static void hits_are_counted(void **state)
{
    (void)state;
    const int cells[3] = {0, 4, 9};
    vxe_design *design = free_voxels(cells, 3);
    vxe_world *world = NULL;
    design->materials[0].target = true;
    throw_voxel(design, 0, 0.5, 0);
    set_formula(design, VXE_FORMULA_FITNESS, "hit");
    vxe_trial *trial = start(design, "native", &world);
    run_steps(trial, 300);
    int hits = 0;
    for (int step = 1; step <= 300; step++) {
        const double x = 0.5 * STEP * step;
        hits += (fabs(x - 0.04) < 0.0125) + (fabs(x - 0.09) < 0.0125);
    }
    check_near("hits", vxe_trial_fitness(trial), hits, 0);
    finish(trial, world, design);

    /* neighbours do not hit each other */
    const int touching[2] = {0, 1};
    design = free_voxels(touching, 2);
    design->materials[0].target = true;
    set_formula(design, VXE_FORMULA_FITNESS, "hit");
    trial = start(design, "native", &world);
    run_steps(trial, 5);
    check_near("hits of neighbours", vxe_trial_fitness(trial), 0, 0);
    finish(trial, world, design);
}

/* Targets at 5, 25 and 55 mm; the fourth voxel is no target. */
static void targets_pair(void **state)
{
    (void)state;
    const int cells[4] = {0, 2, 5, 9};
    vxe_design *design = free_voxels(cells, 4);
    vxe_world *world = NULL;
    for (int i = 0; i < 3; i++) {
        design->materials[i].target = true;
    }
    design->pair_distance = 3.5;
    set_formula(design, VXE_FORMULA_FITNESS, "targetCloseness + 1000*numClosePairs");
    vxe_trial *trial = start(design, "native", &world);
    run_steps(trial, 1);
    check_near("closeness and pairs", vxe_trial_fitness(trial),
               1 / 0.02 + 1 / 0.03 + 1 / 0.05 + 1000 * 2, by_precision(1e-9, 1e-4));
    finish(trial, world, design);
    design = free_voxels(cells, 4);
    design->materials[0].target = design->materials[1].target = true;
    set_formula(design, VXE_FORMULA_FITNESS, "targetCloseness + numClosePairs");
    trial = start(design, "native", &world);
    check_near("no distance, no pairs", vxe_trial_fitness(trial), 0, 0);
    finish(trial, world, design);
}

/* A weightless plate of 4 x 2 voxels that spins about an axis through its centre. */
static vxe_design *spinning_plate(int axis, double spin)
{
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 4, 2, 1);
    const double center[3] = {2 * EDGE, EDGE, 0.5 * EDGE};
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        double arm[3];
        double w[3] = {0, 0, 0};
        double u[3];
        vxe_error error;
        w[axis] = spin;
        for (int c = 0; c < 3; c++) {
            arm[c] = (design->voxels[v].position[c] + 0.5) * EDGE - center[c];
        }
        for (int c = 0; c < 3; c++) {
            u[c] = w[(c + 1) % 3] * arm[(c + 2) % 3] - w[(c + 2) % 3] * arm[(c + 1) % 3];
        }
        assert_int_equal(vxe_design_set_velocity(design, v, u, w, &error), VXE_OK);
    }
    return design;
}

/* The value of a formula after 0.1 s of 1e-4 s steps. */
static double posture_after(vxe_design *design, const char *formula)
{
    vxe_world_def def = vxe_world_def_default();
    vxe_error error;
    vxe_world *world = NULL;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 1e-4;
    set_formula(design, VXE_FORMULA_FITNESS, formula);
    world = make_world(design, &def);
    vxe_trial *trial = vxe_trial_create(design, world, &error);
    if (!trial) {
        fail_msg("%s", error.message);
    }
    run_steps(trial, 1000);
    const double value = vxe_trial_fitness(trial);
    vxe_trial_destroy(trial);
    vxe_world_destroy(world);
    return value;
}

/* Rigid motion: turned about z by w t; about x the voxels' axes lean by w t. The error is the
 * body's stretch, (w L/c)^2 of the angle at most (5e-5 here), and half a step's rotation, w h/2. */
static void posture_is_that_of_rigid_motion(void **state)
{
    (void)state;
    const double spins[4] = {5, -12, 31, -40};
    for (int i = 0; i < 4; i++) {
        const double bound = 1e-4 + 0.5e-4 * fabs(spins[i]);
        const double angle = 0.1 * spins[i];
        vxe_design *flat = spinning_plate(2, spins[i]);
        check_near("turn", posture_after(flat, "turn"),
                   angle > PI    ? angle - 2 * PI
                   : angle < -PI ? angle + 2 * PI
                                 : angle,
                   bound);
        check_near("up of a flat turn", posture_after(flat, "up"), 1, 1e-9);
        check_near("top of a flat turn", posture_after(flat, "top"), 0.5 * EDGE, 1e-9);
        vxe_design_destroy(flat);
        vxe_design *tumbling = spinning_plate(0, spins[i]);
        check_near("up", posture_after(tumbling, "up"), cos(angle), bound);
        check_near("top", posture_after(tumbling, "top"),
                   0.5 * EDGE + 0.5 * EDGE * fabs(sin(angle)), bound * EDGE);
        vxe_design_destroy(tumbling);
    }
}

/* A throw upwards rises by v^2/(2 g). Heights are sampled every 16 steps, at most 8 from the apex,
 * where it is g (8 h)^2/2 lower; and the scheme is off by half a step, v h/2. */
static void the_peak_is_that_of_a_throw(void **state)
{
    (void)state;
    const int cells[1] = {0};
    vxe_design *design = free_voxels(cells, 1);
    const double velocity[3] = {0, 0, 0.4};
    vxe_error error;
    design->gravity[2] = -9.81;
    assert_int_equal(vxe_design_set_velocity(design, 0, velocity, NULL, &error), VXE_OK);
    const double apex = 0.4 * 0.4 / (2 * 9.81);
    check_near("peak", posture_after(design, "peak"), apex, 9.81 * 8e-4 * 8e-4 / 2 + 0.4 * 0.5e-4);
    assert_true(posture_after(design, "z") < 0.1 * apex);
    vxe_design_destroy(design);
}

/* Two cubes that fly apart along x span a box; a voxel that is not measured does not count. Bound:
 * 1e-7 of the cube of the extent, and the tolerance of a flight. */
static void the_volume_is_that_of_the_hull(void **state)
{
    (void)state;
    const int cells[3] = {0, 3, 9};
    vxe_world *world = NULL;
    vxe_design *design = free_voxels(cells, 3);
    design->materials[2].unmeasured = true;
    set_formula(design, VXE_FORMULA_FITNESS, "volume/1e-6");
    throw_voxel(design, 1, 0.3, 0);
    vxe_trial *trial = start(design, "native", &world);
    check_near("volume at the start", vxe_trial_fitness(trial), 4, 1e-7 * 64);
    run_steps(trial, 100);
    check_near("volume in flight", vxe_trial_fitness(trial), 7, 1e-5);
    finish(trial, world, design);
}

static void formulas_are_kept_and_checked(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_world *world = NULL;
    vxe_design *design = flight();
    set_formula(design, VXE_FORMULA_STOP, "t - hit");
    set_formula(design, VXE_FORMULA_FITNESS, "x^2");
    design->stop.reference_time = 0.25;
    design->pair_distance = 1.5;
    design->materials[0].target = true;
    design->materials[1].unmeasured = true;
    assert_int_equal(vxe_design_write(design, "engine_trial_test.json", &error), VXE_OK);
    vxe_design *second = vxe_design_read("engine_trial_test.json", &error);
    unlink("engine_trial_test.json");
    assert_non_null(second);
    assert_string_equal(second->formulas[VXE_FORMULA_STOP], "t - hit");
    assert_string_equal(second->formulas[VXE_FORMULA_FITNESS], "x^2");
    snprintf(design->name, sizeof design->name, "%s", second->name);
    assert_true(vxe_design_hash(design) == vxe_design_hash(second));
    vxe_design_destroy(second);
    set_formula(design, VXE_FORMULA_STOP, "t - u");
    world = make_world(design, NULL);
    assert_null(vxe_trial_create(design, world, &error));
    assert_non_null(strstr(error.message, "stop: formula \"t - u\", character 5"));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Limits that are given go before the design's; of time and steps the first ends a run. */
static void limits_end_a_run(void **state)
{
    (void)state;
    vxe_design *design = flight();
    design->stop = (vxe_stop){0};
    vxe_run_limits limits = vxe_run_limits_of(design, 0, 0);
    assert_false(vxe_run_limits_end(&limits, design));
    assert_true(vxe_run_last_step(&limits, STEP, VXE_ARRIVAL_AT) == UINT64_MAX);
    assert_true(vxe_run_last_step(&limits, STEP, VXE_ARRIVAL_PAST) == UINT64_MAX);
    design->stop = (vxe_stop){.duration = 0.3, .periods = 1, .steps = 200};
    limits = vxe_run_limits_of(design, 0, 0);
    assert_true(vxe_run_limits_end(&limits, design));
    assert_int_equal(vxe_run_last_step(&limits, STEP, VXE_ARRIVAL_AT), 200);
    assert_int_equal(vxe_run_last_step(&limits, STEP, VXE_ARRIVAL_PAST), 201);
    limits = vxe_run_limits_of(design, 0.25, 0);
    assert_int_equal(vxe_run_last_step(&limits, 0.125, VXE_ARRIVAL_AT), 2);
    assert_int_equal(vxe_run_last_step(&limits, 0.125, VXE_ARRIVAL_PAST), 3);
    design->stop = (vxe_stop){.periods = 3};
    design->actuation.period = 0.5;
    limits = vxe_run_limits_of(design, 0, 0);
    assert_int_equal(vxe_run_last_step(&limits, 0.1, VXE_ARRIVAL_AT), 15);
    assert_int_equal(vxe_run_step_at(0.3, 0.1, VXE_ARRIVAL_AT), 3); /* 0.3/0.1 rounds below 3 */
    assert_int_equal(vxe_run_step_at(-1, 0.1, VXE_ARRIVAL_AT), 0);
    assert_int_equal(vxe_run_step_at(0, 0.1, VXE_ARRIVAL_PAST), 1);
    assert_true(vxe_run_step_at((double)NAN, 0.1, VXE_ARRIVAL_AT) == UINT64_MAX);
    vxe_design_destroy(design);
}

/* The unit follows from the formula; where numbers stand for something that they do not tell, there
 * is none. */
static void the_unit_of_a_fitness_follows_from_its_formula(void **state)
{
    (void)state;
    static const char *const rows[][3] = {{"x", "m", "_m"},
                                          {"sqrt(x*x + y*y)", "m", "_m"},
                                          {"x - abs(y)", "m", "_m"},
                                          {"-x + 0.5", "m", "_m"},
                                          {"max(0, x)", "m", "_m"},
                                          {"sqrt(x*x + y*y)*(center_z > 0.035)", "m", "_m"},
                                          {"(x*x + y*y)^0.5", "m", "_m"},
                                          {"x/t", "m/s", "_m_per_s"},
                                          {"1/t", "1/s", "_per_s"},
                                          {"peak/0.01", "voxels", "_voxels"},
                                          {"peak*100", "voxels", "_voxels"},
                                          {"peak/0.01/t", "voxels/s", "_voxels_per_s"},
                                          {"abs(turn)", "rad", "_rad"},
                                          {"atan(y/x)", "rad", "_rad"},
                                          {"volume", "m^3", "_m3"},
                                          {"targetCloseness", "1/m", "_per_m"},
                                          {"(1 - up)/2", "", ""},
                                          {"num_voxel", "", ""},
                                          {"hit", "", ""},
                                          {"3", "", ""},
                                          {"x/3.4", "", ""},
                                          {"1000*x", "", ""},
                                          {"x + t", "", ""},
                                          {"x + num_voxel", "", ""},
                                          {"num_voxel - 1000*abs(y)", "", ""},
                                          {"round(x)", "", ""},
                                          {"2/x", "", ""},
                                          {"x^y", "", ""},
                                          {"nonsense", "", ""}};
    const vxe_material material = standard_material();
    vxe_design *design = block_design(&material, 1, 1, 1);
    vxe_unit unit = vxe_design_fitness_unit(design);
    assert_true(!unit.name[0] && !unit.suffix[0]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_formula(design, VXE_FORMULA_FITNESS, rows[i][0]);
        unit = vxe_design_fitness_unit(design);
        print_message("  %s: %s\n", rows[i][0], unit.name);
        assert_string_equal(unit.name, rows[i][1]);
        assert_string_equal(unit.suffix, rows[i][2]);
    }
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unit_of_a_fitness_follows_from_its_formula),
        cmocka_unit_test(fitness_sees_the_flight),
        cmocka_unit_test(a_formula_stops),
        cmocka_unit_test(dividing_a_run_into_calls_does_not_matter),
        cmocka_unit_test(angle_is_that_of_chords),
        cmocka_unit_test(hits_are_counted),
        cmocka_unit_test(targets_pair),
        cmocka_unit_test(posture_is_that_of_rigid_motion),
        cmocka_unit_test(the_peak_is_that_of_a_throw),
        cmocka_unit_test(the_volume_is_that_of_the_hull),
        cmocka_unit_test(formulas_are_kept_and_checked),
        cmocka_unit_test(limits_end_a_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
