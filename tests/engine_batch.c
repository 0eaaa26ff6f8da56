/* SPDX-License-Identifier: MIT */
/* A robot has the same bits alone and in vector lanes, with any batch neighbours, number of threads
 * and instruction set. A batch finishes whatever its robots do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "engine/batch.h"
#include "engine/lanes/lanes.h"
#include "engine/trial.h"
#include "support.h"

enum { ROBOTS = 53 };

/* A body as evolution makes them: about two thirds of the cells of a box of its own size, four
 * materials, and a step, an end, a gait and a damping of its own. */
static vxe_design *random_robot(uint32_t number)
{
    uint64_t seed = 1000 + number;
    const int size = 3 + (int)(number % 4);
    vxe_design *design = vxe_design_create();
    const double ratio = number % 5 == 0 ? 0.05 : number % 5 == 1 ? 1 : 0.3;
    for (int i = 0; i < 4; i++) {
        vxe_material m = vxe_material_default();
        m.youngs_modulus *= 1 + 0.5 * i + 0.1 * (number % 3);
        m.thermal_expansion = i > 1 ? 0.01 : 0;
        m.phase = i == 3 ? PI : 0;
        m.bond_damping = ratio;
        m.global_damping = number % 7 == 0 ? 0.01 : 0;
        assert_int_equal(vxe_design_add_material(design, &m, NULL, NULL), VXE_OK);
    }
    for (int i = 0; i < size * size * size; i++) {
        const int at[3] = {i % size, i / size % size, i / (size * size)};
        if (random_unit(&seed) > -0.4) {
            const uint16_t material = (uint16_t)(fabs(random_unit(&seed)) * 3.99);
            assert_int_equal(vxe_design_add_voxel(design, at[0], at[1], at[2], material, NULL),
                             VXE_OK);
        }
    }
    design->voxel_size = number % 2 ? 0.01 : 0.012;
    design->actuation = (vxe_actuation){
        .enabled = true, .base = 25, .amplitude = 12, .period = 0.1 + 0.01 * (number % 3)};
    design->stop.settle_time = 0.003 * (number % 4);
    design->stop.duration = 0.02 + 0.002 * (number % 11);
    return design;
}

/* The hash of a separate world after so many steps. */
static uint64_t hash_with(const vxe_world_def *def, const vxe_design *design, uint64_t steps)
{
    vxe_world *world = make_world(design, def);
    vxe_error error;
    if (vxe_world_advance(world, steps, &error)) {
        fail_msg("%s", error.message);
    }
    const uint64_t hash = vxe_world_hash(world);
    vxe_world_destroy(world);
    return hash;
}

static uint64_t hash_alone(const vxe_design *design, uint64_t steps)
{
    return hash_with(NULL, design, steps);
}

static vxe_batch *make_batch(vxe_batch_schedule schedule, uint32_t threads)
{
    vxe_batch_def def = vxe_batch_def_default();
    vxe_error error = {0};
    def.world.precision = test_precision();
    def.world.threads = threads;
    def.schedule = schedule;
    vxe_batch *batch = vxe_batch_create(&def, &error);
    if (!batch) {
        fail_msg("%s", error.message);
    }
    return batch;
}

static void run_batch(vxe_batch *batch)
{
    vxe_error error = {0};
    if (vxe_batch_run(batch, NULL, NULL, &error)) {
        fail_msg("%s", error.message);
    }
}

static void robots_have_the_same_bits_with_any_batch_neighbours(void **state)
{
    (void)state;
    vxe_design *designs[ROBOTS];
    uint64_t alone[ROBOTS] = {0};
    for (uint32_t i = 0; i < ROBOTS; i++) {
        designs[i] = random_robot(i);
    }
    const struct {
        vxe_batch_schedule schedule;
        uint32_t threads;
        uint32_t robots;
    } rows[] = {{VXE_BATCH_LANES, 1, ROBOTS}, {VXE_BATCH_LANES, 3, ROBOTS},
                {VXE_BATCH_AUTO, 2, ROBOTS},  {VXE_BATCH_AUTO, 8, ROBOTS},
                {VXE_BATCH_ALONE, 5, ROBOTS}, {VXE_BATCH_LANES, 1, 1},
                {VXE_BATCH_LANES, 8, 20}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        vxe_batch *batch = make_batch(rows[row].schedule, rows[row].threads);
        for (uint32_t i = 0; i < rows[row].robots; i++) {
            assert_int_equal(vxe_batch_add(batch, designs[i], NULL), VXE_OK);
        }
        run_batch(batch);
        uint32_t in_lanes = 0;
        for (uint32_t i = 0; i < rows[row].robots; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            assert_int_equal(result.status, VXE_ROBOT_DONE);
            alone[i] = alone[i] ? alone[i] : hash_alone(designs[i], result.steps);
            assert_true(result.hash == alone[i]);
            in_lanes += result.in_lanes;
        }
        assert_true(rows[row].schedule != VXE_BATCH_LANES || in_lanes == rows[row].robots);
        assert_true(rows[row].schedule != VXE_BATCH_ALONE || in_lanes == 0);
        print_message("  %u robots, %u threads: %u in lanes\n", rows[row].robots, rows[row].threads,
                      in_lanes);
        vxe_batch_destroy(batch);
    }
    for (uint32_t i = 0; i < ROBOTS; i++) {
        vxe_design_destroy(designs[i]);
    }
}

/* Instruction sets with fused multiply-adds have the same bits, with either scheduling of the
 * batch. */
static void robots_have_the_same_bits_on_every_instruction_set(void **state)
{
    (void)state;
    const char *const sets[] = {"x86-64-v3", "x86-64-v4"};
    uint64_t hashes[20] = {0};
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        if (!choose_isa(sets[s], VXE_PRECISION_MIXED)) {
            continue;
        }
        vxe_batch *batch = make_batch(VXE_BATCH_LANES, 2);
        vxe_design *designs[20];
        for (uint32_t i = 0; i < 20; i++) {
            designs[i] = random_robot(i);
            assert_int_equal(vxe_batch_add(batch, designs[i], NULL), VXE_OK);
        }
        run_batch(batch);
        assert_string_equal(vxe_batch_describe(batch).isa, sets[s]);
        for (uint32_t i = 0; i < 20; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            assert_true(hashes[i] == 0 || hashes[i] == result.hash);
            assert_true(hash_alone(designs[i], result.steps) == result.hash);
            hashes[i] = result.hash;
            vxe_design_destroy(designs[i]);
        }
        vxe_batch_destroy(batch);
    }
    choose_isa_of_before();
}

/* Bodies whose bonds all have different coefficients: with Poisson coupling, and with condensed
 * pairs of unlike materials. */
static void individual_bonds_have_the_same_bits_in_lanes(void **state)
{
    (void)state;
    for (int with_poisson = 0; with_poisson < 2; with_poisson++) {
        vxe_design *designs[37];
        vxe_error error = {0};
        vxe_batch_def def = vxe_batch_def_default();
        def.world.precision = test_precision();
        def.world.threads = 2;
        def.world.composite = with_poisson ? def.world.composite : VXE_COMPOSITE_CONDENSED;
        def.schedule = VXE_BATCH_LANES;
        vxe_batch *batch = vxe_batch_create(&def, &error);
        for (uint32_t i = 0; i < 37; i++) {
            designs[i] = random_robot(i);
            designs[i]->volume_effects = with_poisson;
            for (uint32_t m = 0; m < designs[i]->material_count; m++) {
                designs[i]->materials[m].poissons_ratio = 0.12 * m + 0.02 * (i % 4);
            }
            assert_int_equal(vxe_batch_add(batch, designs[i], &error), VXE_OK);
        }
        run_batch(batch);
        for (uint32_t i = 0; i < 37; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            vxe_world_def alone = def.world;
            alone.threads = 1 + i % 3;
            assert_int_equal(result.status, VXE_ROBOT_DONE);
            assert_true(result.in_lanes);
            assert_true(hash_with(&alone, designs[i], result.steps) == result.hash);
            vxe_design_destroy(designs[i]);
        }
        vxe_batch_destroy(batch);
    }
}

/* A robot whose voxels fly apart, so that its bonds exceed their largest stretch in the first
 * steps. */
static vxe_design *exploding_robot(void)
{
    vxe_design *design = random_robot(2);
    const double away[3] = {0, 0, 1e4};
    const double none[3] = {0, 0, 0};
    assert_int_equal(vxe_design_set_velocity(design, 3, away, none, NULL), VXE_OK);
    return design;
}

static void failing_robots_leave_the_others_alone(void **state)
{
    (void)state;
    vxe_design *good = random_robot(2);
    vxe_design *exploding = exploding_robot();
    vxe_design *empty = vxe_design_create();
    vxe_design *endless = random_robot(3);
    endless->stop.duration = 0;
    for (int schedule = 0; schedule < 3; schedule++) {
        vxe_batch *batch = make_batch((vxe_batch_schedule)schedule, 2);
        for (int i = 0; i < 20; i++) {
            const vxe_design *design = i == 7    ? exploding
                                       : i == 11 ? empty
                                       : i == 13 ? endless
                                                 : good;
            assert_int_equal(vxe_batch_add(batch, design, NULL), VXE_OK);
        }
        run_batch(batch);
        for (uint32_t i = 0; i < 20; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            const vxe_simulation_status wanted = i == 7               ? VXE_ROBOT_DIVERGED
                                                 : i == 11 || i == 13 ? VXE_ROBOT_REFUSED
                                                                      : VXE_ROBOT_DONE;
            assert_int_equal(result.status, wanted);
            assert_true((result.message[0] != 0) == (wanted != VXE_ROBOT_DONE));
            if (wanted == VXE_ROBOT_DONE) {
                assert_true(hash_alone(good, result.steps) == result.hash);
            }
        }
        /* both schedules report the same place and time as a world does */
        vxe_world *world = make_world(exploding, NULL);
        vxe_error error;
        assert_int_equal(vxe_world_advance(world, 1000, &error), VXE_ERROR_DIVERGED);
        assert_string_equal(vxe_batch_result_of(batch, 7).message, error.message);
        print_message("  %s\n", error.message);
        vxe_world_destroy(world);
        vxe_batch_destroy(batch);
    }
    vxe_design_destroy(good);
    vxe_design_destroy(exploding);
    vxe_design_destroy(empty);
    vxe_design_destroy(endless);
}

/* Robots that vector lanes do not support run alone, with the same results. */
static void robots_that_need_more_run_alone(void **state)
{
    (void)state;
    vxe_design *brittle = random_robot(4);
    brittle->materials[0].model = VXE_MATERIAL_LINEAR_FAILING;
    brittle->materials[0].fail_stress = 1e9;
    vxe_batch *batch = make_batch(VXE_BATCH_LANES, 1);
    assert_int_equal(vxe_batch_add(batch, brittle, NULL), VXE_OK);
    run_batch(batch);
    const vxe_batch_result result = vxe_batch_result_of(batch, 0);
    assert_int_equal(result.status, VXE_ROBOT_DONE);
    assert_false(result.in_lanes);
    assert_true(result.hash == hash_alone(brittle, result.steps));
    vxe_batch_destroy(batch);
    vxe_design_destroy(brittle);
}

static bool stop_at_once(const vxe_batch_progress *progress, void *user)
{
    (void)progress;
    (void)user;
    return false;
}

static void stopped_batch_reports_remaining_robots(void **state)
{
    (void)state;
    vxe_design *design = random_robot(5);
    vxe_batch *batch = make_batch(VXE_BATCH_AUTO, 1);
    for (int i = 0; i < 40; i++) {
        assert_int_equal(vxe_batch_add(batch, design, NULL), VXE_OK);
    }
    vxe_error error;
    assert_int_equal(vxe_batch_run(batch, stop_at_once, NULL, &error), VXE_OK);
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < 40; i++) {
        waiting += vxe_batch_result_of(batch, i).status == VXE_ROBOT_WAITING;
    }
    assert_true(waiting > 0);
    vxe_batch_destroy(batch);
    vxe_design_destroy(design);
}

/* Stops a batch whose first robots are at their ends: the calls that were made since then. */
static bool stop_when_one_is_left(const vxe_batch_progress *progress, void *user)
{
    uint32_t *calls = user;
    *calls += progress->finished + 1 == progress->robots;
    return *calls < 5;
}

/* The watch is asked, and heard, while a thread that is not the caller's runs the last robot, even
   if that takes for ever. */
static void the_last_robot_is_watched(void **state)
{
    (void)state;
    vxe_error error;
    vxe_design *design = random_robot(5);
    vxe_design *endless = random_robot(6);
    endless->stop.duration = 1e9;
    design->stop.duration = 2e9; /* the longest is taken first, by the caller as a rule */
    assert_int_equal(vxe_design_set_formula(design, VXE_FORMULA_STOP, "t > 0.05", &error), VXE_OK);
    for (int first = 0; first < 2; first++) {
        uint32_t calls = 0;
        vxe_batch_def def = vxe_batch_def_default();
        def.world.threads = 2;
        def.schedule = VXE_BATCH_ALONE;
        vxe_batch *batch = vxe_batch_create(&def, &error);
        assert_non_null(batch);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(vxe_batch_add(batch, i == first ? endless : design, &error), VXE_OK);
        }
        assert_int_equal(vxe_batch_run(batch, stop_when_one_is_left, &calls, &error), VXE_OK);
        assert_int_equal(vxe_batch_result_of(batch, (uint32_t)first).status, VXE_ROBOT_WAITING);
        assert_int_equal(vxe_batch_result_of(batch, 1 - (uint32_t)first).status, VXE_ROBOT_DONE);
        assert_int_equal(calls, 5);
        vxe_batch_destroy(batch);
    }
    vxe_design_destroy(design);
    vxe_design_destroy(endless);
}

/* Results of two robots under conventions; false where these cannot be followed. */
static bool run_under(const char *conventions, vxe_design *const *designs,
                      vxe_batch_schedule schedule, vxe_batch_result *results)
{
    vxe_error error;
    vxe_batch_def def = vxe_batch_def_default();
    def.steps = 300;
    def.schedule = schedule;
    def.world.precision = test_precision();
    def.world.conventions = conventions;
    vxe_batch *batch = vxe_batch_create(&def, &error);
    assert_non_null(batch);
    bool good = true;
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(vxe_batch_add(batch, designs[i], &error), VXE_OK);
    }
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
    for (uint32_t i = 0; i < 2; i++) {
        results[i] = vxe_batch_result_of(batch, i);
        results[i].message = "";
        good = good && results[i].status != VXE_ROBOT_REFUSED;
    }
    vxe_batch_destroy(batch);
    return good;
}

/* Walkers that touch themselves and the floor, under our own rules with each single switch: the
   same end and bits in lanes as alone. */
static void every_switch_has_the_same_bits_in_lanes(void **state)
{
    (void)state;
    uint32_t in_lanes = 0;
    vxe_design *designs[2] = {holed_walker(4, 0.7, 0.3, 1), holed_walker(5, 0.6, 0.3, 0.5)};
    for (int i = 0; i < 2; i++) {
        designs[i]->self_collision = true;
        designs[i]->materials[0].static_friction = designs[i]->materials[1].static_friction = 1;
    }
    for (unsigned s = 0; vxe_convention_switch_at(s); s++) {
        char text[VXE_CONVENTIONS_NAME];
        vxe_conventions rules;
        vxe_error unwanted;
        vxe_batch_result lanes[2];
        vxe_batch_result alone[2];
        snprintf(text, sizeof text, "native+%s", vxe_convention_switch_at(s)->name);
        if (vxe_conventions_parse(text, &rules, &unwanted) ||
            !run_under(text, designs, VXE_BATCH_LANES, lanes)) {
            continue;
        }
        assert_true(run_under(text, designs, VXE_BATCH_ALONE, alone));
        for (int i = 0; i < 2; i++) {
            if (lanes[i].status != alone[i].status || lanes[i].hash != alone[i].hash) {
                fail_msg("%s: robot %d ends otherwise in lanes", text, i);
            }
            in_lanes += lanes[i].in_lanes;
        }
    }
    assert_in_range(in_lanes, 30, 1000);
    for (int i = 0; i < 2; i++) {
        vxe_design_destroy(designs[i]);
    }
}

static void wrong_batches_are_refused(void **state)
{
    (void)state;
    vxe_error error;
    vxe_batch_def def = vxe_batch_def_default();
    def.cookie = 0;
    assert_null(vxe_batch_create(&def, &error));
    def = vxe_batch_def_default();
    def.world.audit = true;
    assert_null(vxe_batch_create(&def, &error));
    def = vxe_batch_def_default();
    def.duration = -1;
    assert_null(vxe_batch_create(&def, &error));
    def = vxe_batch_def_default();
    def.world.threads = 100000;
    assert_null(vxe_batch_create(&def, &error));
    def = vxe_batch_def_default();
    def.schedule = (vxe_batch_schedule)3;
    assert_null(vxe_batch_create(&def, &error));
    assert_non_null(strstr(error.message, "schedule is 3"));
    vxe_batch *batch = make_batch(VXE_BATCH_AUTO, 1);
    run_batch(batch); /* an empty batch */
    assert_int_equal(vxe_batch_count(batch), 0);
    assert_int_equal(vxe_batch_result_of(batch, 3).status, VXE_ROBOT_WAITING);
    vxe_batch_destroy(batch);
}

static void nothing_is_allocated_in_the_lanes(void **state)
{
    (void)state;
    memory_count count;
    count_memory(&count);
    vxe_simulation simulations[4] = {0};
    vxe_robot robots[4];
    vxe_robot *group[4];
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    def.precision = test_precision();
    def.damping = VXE_DAMPING_SWEEP;
    vxe_design *design = random_robot(6);
    for (int i = 0; i < 4; i++) {
        vxe_messages warnings = {0};
        robots[i] = (vxe_robot){.simulation = &simulations[i]};
        simulations[i].design = design;
        assert_int_equal(vxe_model_init(&simulations[i].model, design, &def, &warnings, &error),
                         VXE_OK);
        assert_int_equal(vxe_simulation_start(&simulations[i], &def, &error), VXE_OK);
        vxe_messages_clear(&warnings);
        group[i] = &robots[i];
    }
    vxe_lanes lanes;
    assert_int_equal(vxe_lanes_init(&lanes, simulations[0].model.kernels, &error), VXE_OK);
    assert_int_equal(vxe_lanes_load(&lanes, group, 4, &error), VXE_OK);
    const uint64_t before = count.taken;
    vxe_lanes_run(&lanes, 200);
    vxe_lanes_store(&lanes);
    assert_true(count.taken == before);
    vxe_lanes_clear(&lanes);
    for (int i = 0; i < 4; i++) {
        vxe_simulation_clear(&simulations[i]);
    }
    vxe_design_destroy(design);
    vxe_memory_use(NULL);
}

/* A step that suits soft robots is too long for a stiff one among them. The stiff one is run again
 * with half the step, repeatedly, until it stays finite, and ends as a world does that had this
 * step from the start. The other robots are unaffected. */
static void diverged_robots_run_again(void **state)
{
    (void)state;
    vxe_design *soft = random_robot(2);
    vxe_design *stiff = random_robot(3);
    for (uint32_t i = 0; i < stiff->material_count; i++) {
        stiff->materials[i].youngs_modulus *= 30;
    }
    vxe_batch_def def = vxe_batch_def_default();
    def.world.precision = test_precision();
    def.world.damping = VXE_DAMPING_EXPLICIT;
    def.world.threads = 2;
    def.steps = 300;
    vxe_world *world = make_world(soft, &def.world);
    def.world.step_rule = VXE_STEP_SECONDS;
    def.world.step_seconds = vxe_world_describe(world).time_step;
    vxe_world_destroy(world);
    for (uint32_t row = 0; row < 4;
         row++) { /* twice, then watched by a stop condition that never holds */
        vxe_error error;
        const uint32_t retries = row % 2 * 5;
        def.retries = retries;
        assert_int_equal(vxe_design_set_formula(stiff, VXE_FORMULA_STOP,
                                                row < 2 ? NULL : "center_z - 1000", &error),
                         VXE_OK);
        vxe_batch *batch = vxe_batch_create(&def, &error);
        assert_non_null(batch);
        for (int i = 0; i < 10; i++) {
            assert_int_equal(vxe_batch_add(batch, i == 4 ? stiff : soft, &error), VXE_OK);
        }
        run_batch(batch);
        for (uint32_t i = 0; i < 10; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            assert_int_equal(result.status,
                             i == 4 && retries == 0 ? VXE_ROBOT_DIVERGED : VXE_ROBOT_DONE);
            assert_true((result.retries > 0) == (i == 4 && retries > 0));
            vxe_world_def alone = def.world;
            alone.step_scale = 1.0 / (1u << result.retries);
            world = make_world(i == 4 ? stiff : soft, &alone);
            assert_true(vxe_world_describe(world).time_step == result.time_step);
            assert_true(vxe_world_advance(world, 300ull << result.retries, &error) ==
                        (result.status == VXE_ROBOT_DONE ? VXE_OK : VXE_ERROR_DIVERGED));
            assert_true(vxe_world_hash(world) == result.hash || result.status != VXE_ROBOT_DONE);
            vxe_world_destroy(world);
        }
        vxe_batch_destroy(batch);
    }
    vxe_design_destroy(soft);
    vxe_design_destroy(stiff);
}

/* Fitness of a robot evaluated on its own. */
static double fitness_alone(const vxe_design *design, const vxe_world_def *def, uint64_t steps)
{
    vxe_error error;
    vxe_world *world = make_world(design, def);
    vxe_trial *trial = vxe_trial_create(design, world, &error);
    if (!trial || vxe_trial_advance(trial, steps, &error)) {
        fail_msg("%s", error.message);
    }
    const double fitness = vxe_trial_fitness(trial);
    vxe_trial_destroy(trial);
    vxe_world_destroy(world);
    return fitness;
}

/* A batch's fitness equals that of a separate evaluation to the last bit: counted from the end of
 * settling, from a later time, or from a time that is never reached; without voxels that are not
 * measured; and with formulas that are sampled during the run and may end it. */
static void fitness_is_that_of_a_trial(void **state)
{
    (void)state;
    vxe_design *designs[ROBOTS];
    for (uint32_t i = 0; i < ROBOTS; i++) {
        vxe_error error;
        designs[i] = random_robot(i);
        designs[i]->stop.reference_time = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.013 : 1;
        designs[i]->materials[1].unmeasured = i % 2;
        const char *formula = i % 10 == 9   ? "x + hit"
                              : i % 10 == 8 ? "turn + 2*up + 3*top"
                              : i % 10 == 7 ? "1 + peak"
                                            : "x + 2*y - z*num_voxel + center_z*t";
        assert_int_equal(vxe_design_set_formula(designs[i], VXE_FORMULA_FITNESS, formula, &error),
                         VXE_OK);
        if (i % 10 == 6) {
            assert_int_equal(vxe_design_set_formula(designs[i], VXE_FORMULA_STOP,
                                                    i == 6 ? "t - 0.0101" : "center_z - 1", &error),
                             VXE_OK);
        }
    }
    for (int alone = 0; alone < 2; alone++) {
        vxe_batch *batch = make_batch(alone ? VXE_BATCH_ALONE : VXE_BATCH_LANES, 3);
        vxe_world_def def = vxe_world_def_default();
        def.precision = test_precision();
        for (uint32_t i = 0; i < ROBOTS; i++) {
            assert_int_equal(vxe_batch_add(batch, designs[i], NULL), VXE_OK);
        }
        assert_true(isnan(vxe_batch_result_of(batch, 0).fitness));
        run_batch(batch);
        for (uint32_t i = 0; i < ROBOTS; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            assert_int_equal(result.status, VXE_ROBOT_DONE);
            assert_true(result.fitness == fitness_alone(designs[i], &def, result.steps));
            assert_true(result.fitness != 0);
            assert_true(result.hash == hash_with(&def, designs[i], result.steps));
            /* the first step after 0.0101 s; the other stop condition never holds */
            assert_true((i == 6) == (result.time < designs[i]->stop.duration));
            assert_true(i != 6 ||
                        (result.time > 0.0101 && result.time < 0.0101 + 1.1 * result.time_step));
        }
        vxe_batch_destroy(batch);
    }
    for (uint32_t i = 0; i < ROBOTS; i++) {
        vxe_design_destroy(designs[i]);
    }
}

static vxe_design *full_robot(void)
{
    vxe_design *design = vxe_design_create();
    const vxe_material m = vxe_material_default();
    assert_int_equal(vxe_design_add_material(design, &m, NULL, NULL), VXE_OK);
    add_block(design, (const int[3]){0, 0, 0}, (const int[3]){8, 8, 5}, 0);
    design->stop.duration = 0.002;
    return design;
}

/* Three groups of equal robots, which lanes suit: two threads run one each, and share the robots of
 * the third, which would leave one of them idle; a single thread runs all three. */
static void groups_that_leave_threads_idle_run_alone(void **state)
{
    (void)state;
    const char *why = NULL;
    const uint32_t width =
        vxe_lane_kernels_of(vxe_kernels_for_voxels(test_precision(), &why))->lanes;
    vxe_design *design = full_robot();
    for (uint32_t threads = 1; threads <= 2; threads++) {
        vxe_batch *batch = make_batch(VXE_BATCH_AUTO, threads);
        for (uint32_t i = 0; i < 3 * width; i++) {
            assert_int_equal(vxe_batch_add(batch, design, NULL), VXE_OK);
        }
        run_batch(batch);
        assert_int_equal(vxe_batch_describe(batch).robots_in_lanes,
                         threads == 1 ? 3 * width : 2 * width);
        vxe_batch_destroy(batch);
    }
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_that_leave_threads_idle_run_alone),
        cmocka_unit_test(fitness_is_that_of_a_trial),
        cmocka_unit_test(robots_have_the_same_bits_with_any_batch_neighbours),
        cmocka_unit_test(robots_have_the_same_bits_on_every_instruction_set),
        cmocka_unit_test(individual_bonds_have_the_same_bits_in_lanes),
        cmocka_unit_test(failing_robots_leave_the_others_alone),
        cmocka_unit_test(diverged_robots_run_again),
        cmocka_unit_test(robots_that_need_more_run_alone),
        cmocka_unit_test(stopped_batch_reports_remaining_robots),
        cmocka_unit_test(the_last_robot_is_watched),
        cmocka_unit_test(every_switch_has_the_same_bits_in_lanes),
        cmocka_unit_test(wrong_batches_are_refused),
        cmocka_unit_test(nothing_is_allocated_in_the_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
