/* SPDX-License-Identifier: MIT */
/* Controllers of designs: a world, a batch and a team that has the same network move a robot to the
 * same bits, however a run is cut; what does not fit is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "engine/trial.h"
#include "engine/world.h"
#include "lattice/formats/format.h"
#include "support.h"
#include "teams.h"

enum { MOVED = 3, HIDDEN = 4, SENSORS = 5 };

static const vxe_sensor_kind sensors[SENSORS] = {VXE_SENSOR_VELOCITY, VXE_SENSOR_UP,
                                                 VXE_SENSOR_GROUP_PLACE, VXE_SENSOR_GROUP_TOUCH,
                                                 VXE_SENSOR_TARGETS};

/* A robot of a box with groups by columns, of which the last one rests. */
static vxe_design *walker(void)
{
    vxe_design *design = bare_walker(0.3, 2, 0.3);
    add_block(design, (const int[3]){0, 0, 0}, (const int[3]){MOVED + 1, 2, 3}, 0);
    const vxe_layer *group = vxe_design_layer(design, "Group", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        group->values[v] = design->voxels[v].position[0];
    }
    design->stop.duration = 0.4;
    assert_int_equal(vxe_design_set_formula(design, VXE_FORMULA_FITNESS, "x + z", NULL), VXE_OK);
    return design;
}

/* Gives a design a network over the sensors, with weights that swing its groups. */
static vxe_controller controller_of(float *weights)
{
    vxe_controller c = {.interval = 1.0 / 240,
                        .min_target = 0.8,
                        .max_target = 1.3,
                        .sensor_count = SENSORS,
                        .network = {.layers = 3, .width = {0, HIDDEN, MOVED}},
                        .weights = weights};
    memcpy(c.sensors, sensors, sizeof sensors);
    for (int i = 0; i < SENSORS; i++) {
        c.network.width[0] += vxe_sensor_width(sensors[i], MOVED, 1, 0);
    }
    uint64_t seed = 5;
    for (uint64_t i = 0; i < vxe_network_weights(&c.network); i++) {
        weights[i] = (float)(3 * random_unit(&seed));
    }
    return c;
}

static void control(vxe_design *design)
{
    float weights[1000];
    const vxe_controller c = controller_of(weights);
    vxe_error error;
    if (vxe_design_set_controller(design, &c, &error)) {
        fail_msg("%s", error.message);
    }
}

static vxe_world *world_of(const vxe_design *design)
{
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    def.precision = test_precision();
    vxe_world *world = vxe_world_create(design, &def, &error);
    if (!world) {
        fail_msg("%s", error.message);
    }
    return world;
}

static void a_world_has_the_bits_of_a_team(void **state)
{
    (void)state;
    vxe_design *design = walker();
    float weights[1000];
    const vxe_controller c = controller_of(weights);
    /* in a team all groups are sensed: the one that rests is left out of the design there */
    const vxe_layer *group = vxe_design_layer(design, "Group", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        group->values[v] = group->values[v] < MOVED ? group->values[v] : MOVED - 1;
    }
    vxe_team_def def = team_def(VXE_BATCH_ALONE, 1);
    def.interval = c.interval;
    def.min_target = c.min_target;
    def.max_target = c.max_target;
    vxe_team *team = make_team(&design, 1, &def);
    assert_int_equal(vxe_team_observe(team, sensors, SENSORS, NULL, NULL), VXE_OK);
    assert_int_equal(vxe_team_set_network(team, &c.network, weights, NULL), VXE_OK);
    assert_int_equal(vxe_design_set_controller(design, &c, NULL), VXE_OK);
    vxe_world *world = world_of(design);
    const uint64_t steps = vxe_team_describe_robot(team, 0).steps;
    for (int tick = 0; tick < 20; tick++) {
        assert_int_equal(vxe_team_step(team, NULL, NULL, NULL, NULL), VXE_OK);
        assert_int_equal(vxe_world_advance(world, steps, NULL), VXE_OK);
        assert_true(vxe_world_hash(world) == vxe_team_hash(team, 0));
    }
    vxe_world_destroy(world);
    vxe_team_destroy(team);
    vxe_design_destroy(design);
}

static void ticks_do_not_depend_on_calls(void **state)
{
    (void)state;
    vxe_design *design = walker();
    design->stop.settle_time = 0.03; /* ticks begin there */
    control(design);
    vxe_world *one = world_of(design);
    vxe_world *other = world_of(design);
    uint64_t seed = 3;
    const uint64_t steps = 1000;
    assert_int_equal(vxe_world_advance(one, steps, NULL), VXE_OK);
    while (vxe_world_steps(other) < steps) {
        const uint64_t some = 1 + (uint64_t)(20 * (1 + random_unit(&seed)));
        const uint64_t left = steps - vxe_world_steps(other);
        assert_int_equal(vxe_world_advance(other, some < left ? some : left, NULL), VXE_OK);
    }
    assert_true(vxe_world_hash(one) == vxe_world_hash(other));
    vxe_world_destroy(other);
    /* and they matter: without them the edges of muscles alone change */
    design->controller.interval = 0;
    other = world_of(design);
    double edges[2][(MOVED + 1) * 6];
    double widest = 0;
    assert_int_equal(vxe_world_advance_to(other, vxe_world_time(one), NULL), VXE_OK);
    vxe_world_sense(one, &(vxe_sensors){.edge = edges[0]});
    vxe_world_sense(other, &(vxe_sensors){.edge = edges[1]});
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const double change = fabs(edges[0][v] - edges[1][v]) / design->voxel_size;
        const bool rests = design->voxels[v].position[0] == MOVED;
        widest = change > widest ? change : widest;
        /* a group that the network does not move follows the muscles, a step later at most */
        assert_true(!rests || change < 0.02);
    }
    assert_true(widest > 0.1);
    vxe_world_destroy(one);
    vxe_world_destroy(other);
    vxe_design_destroy(design);
}

/* Runs a batch of a design under a schedule; returns the result of the first robot. */
static vxe_batch_result batch_of(const vxe_design *design, vxe_batch_schedule schedule,
                                 uint32_t copies)
{
    vxe_error error;
    vxe_batch_def def = vxe_batch_def_default();
    def.world.precision = test_precision();
    def.schedule = schedule;
    vxe_batch *batch = vxe_batch_create(&def, &error);
    for (uint32_t i = 0; i < copies; i++) {
        assert_int_equal(vxe_batch_add(batch, design, NULL), VXE_OK);
    }
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, NULL), VXE_OK);
    const vxe_batch_result result = vxe_batch_result_of(batch, copies - 1);
    assert_int_equal(result.status, VXE_ROBOT_DONE);
    vxe_batch_destroy(batch);
    return result;
}

static void a_batch_runs_as_a_world_does(void **state)
{
    (void)state;
    vxe_design *design = walker();
    design->stop.settle_time = 0.05;
    control(design);
    vxe_world *world = world_of(design);
    vxe_trial *trial = vxe_trial_create(design, world, NULL);
    const vxe_run_limits limits = vxe_run_limits_of(design, 0, 0);
    const uint64_t last =
        vxe_run_last_step(&limits, vxe_world_describe(world).time_step, VXE_ARRIVAL_AT);
    assert_int_equal(vxe_trial_advance(trial, last, NULL), VXE_OK);
    for (int schedule = VXE_BATCH_AUTO; schedule <= VXE_BATCH_ALONE; schedule++) {
        const vxe_batch_result result = batch_of(design, (vxe_batch_schedule)schedule, 20);
        assert_true(result.steps == last);
        assert_true(result.hash == vxe_world_hash(world));
        assert_true(result.fitness == vxe_trial_fitness(trial));
    }
    vxe_trial_destroy(trial);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Robots of several bodies, laws, floors and steps, which tick at different steps; each has a
 * network of its own over what it feels. */
static void any_company_has_the_bits_of_worlds(void **state)
{
    (void)state;
    vxe_design *designs[ROBOTS];
    float weights[2000];
    make_designs(designs, ROBOTS);
    for (uint32_t i = 0; i < ROBOTS; i++) {
        const bool grouped = vxe_design_find_layer(designs[i], "Group");
        vxe_controller c = {.interval = i % 3 ? 1.0 / 240 : 1.0 / 150,
                            .min_target = 0.8,
                            .max_target = 1.2,
                            .sensor_count = 4,
                            .sensors = {VXE_SENSOR_GROUP_STRAIN, VXE_SENSOR_GROUP_LOAD,
                                        VXE_SENSOR_GROUP_TOUCH, VXE_SENSOR_CLOCK},
                            .network = {.layers = 2, .width = {5 * GROUPS + 3, GROUPS}},
                            .weights = weights};
        uint64_t seed = 100 + i;
        for (uint64_t k = 0; k < vxe_network_weights(&c.network); k++) {
            weights[k] = (float)(2 * random_unit(&seed));
        }
        designs[i]->stop.duration = 0.05;
        designs[i]->stop.settle_time = i % 2 ? 0.011 : 0;
        assert_int_equal(vxe_design_set_controller(designs[i], grouped ? &c : NULL, NULL), VXE_OK);
    }
    vxe_error error;
    uint64_t hashes[ROBOTS];
    uint32_t in_lanes = 0;
    for (int schedule = VXE_BATCH_AUTO; schedule <= VXE_BATCH_ALONE; schedule++) {
        vxe_batch_def def = vxe_batch_def_default();
        def.world.precision = test_precision();
        def.world.threads = 2;
        def.schedule = (vxe_batch_schedule)schedule;
        vxe_batch *batch = vxe_batch_create(&def, &error);
        for (uint32_t i = 0; i < ROBOTS; i++) {
            assert_int_equal(vxe_batch_add(batch, designs[i], NULL), VXE_OK);
        }
        assert_int_equal(vxe_batch_run(batch, NULL, NULL, NULL), VXE_OK);
        for (uint32_t i = 0; i < ROBOTS; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            vxe_world *world = schedule == VXE_BATCH_AUTO ? world_of(designs[i]) : NULL;
            if (world) {
                (void)vxe_world_advance(world, result.steps, NULL);
                hashes[i] = vxe_world_hash(world);
                vxe_world_destroy(world);
            }
            assert_true(result.hash == hashes[i]);
            in_lanes += schedule == VXE_BATCH_LANES && result.in_lanes;
        }
        vxe_batch_destroy(batch);
    }
    assert_true(in_lanes > ROBOTS / 2);
    destroy_designs(designs, ROBOTS);
}

/* A robot that diverges at first and runs again with half the step, or a quarter of it, has the
 * bits of a world with that step. */
static void a_retry_has_the_bits_of_a_shorter_step(void **state)
{
    (void)state;
    uint32_t retried = 0;
    for (uint32_t i = 0; i < 4; i++) {
        vxe_error error;
        vxe_design *design = walker();
        design->self_collision = i % 2;
        design->stop.duration = 0.1;
        control(design);
        design->controller.max_target = i < 2 ? 1.3 : 1.9;
        vxe_batch_def def = vxe_batch_def_default();
        def.world.precision = test_precision();
        def.world.threads = 1;
        def.world.damping = VXE_DAMPING_EXPLICIT;
        def.world.step_scale = 4;
        def.retries = 6;
        vxe_batch *batch = vxe_batch_create(&def, &error);
        assert_int_equal(vxe_batch_add(batch, design, NULL), VXE_OK);
        assert_int_equal(vxe_batch_run(batch, NULL, NULL, NULL), VXE_OK);
        const vxe_batch_result result = vxe_batch_result_of(batch, 0);
        assert_int_equal(result.status, VXE_ROBOT_DONE);
        retried += result.retries > 0;
        vxe_world_def shorter = def.world;
        shorter.step_scale = ldexp(4, -(int)result.retries);
        vxe_world *world = vxe_world_create(design, &shorter, &error);
        assert_int_equal(vxe_world_advance(world, result.steps, NULL), VXE_OK);
        assert_true(vxe_world_describe(world).time_step == result.time_step);
        assert_true(vxe_world_hash(world) == result.hash);
        vxe_world_destroy(world);
        vxe_batch_destroy(batch);
        vxe_design_destroy(design);
    }
    assert_true(retried > 0);
}

/* A team does not read the controllers of its designs, not even those that do not fit. */
static void teams_do_without_controllers(void **state)
{
    (void)state;
    vxe_design *designs[2] = {walker(), walker()};
    control(designs[1]);
    designs[1]->controller.interval = 1e-4;
    designs[1]->controller.max_target = 3;
    designs[1]->controller.network.width[0]--; /* it lacks an input */
    float targets[MOVED + 1] = {1.1f, 0.9f, 1.2f, 1};
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        const vxe_team_def def = team_def(VXE_BATCH_ALONE, 1);
        vxe_team *team = make_team(&designs[i], 1, &def);
        for (int tick = 0; tick < 3; tick++) {
            step_team(team, targets, NULL, NULL);
        }
        hashes[i] = vxe_team_hash(team, 0);
        vxe_team_destroy(team);
    }
    assert_true(hashes[0] == hashes[1]);
    destroy_designs(designs, 2);
}

/* Before settling ends, groups keep their size. */
static void ticks_begin_where_settling_ends(void **state)
{
    (void)state;
    vxe_design *design = walker();
    design->actuation.enabled = false;
    design->stop.settle_time = 0.05;
    control(design);
    vxe_world *world = world_of(design);
    double edges[(MOVED + 1) * 6];
    assert_int_equal(vxe_world_advance_to(world, 0.0499, NULL), VXE_OK);
    vxe_world_sense(world, &(vxe_sensors){.edge = edges});
    check_near("edge before, m", edges[0], design->voxel_size, 1e-9);
    assert_int_equal(vxe_world_advance_to(world, 0.0515, NULL), VXE_OK);
    vxe_world_sense(world, &(vxe_sensors){.edge = edges});
    assert_true(fabs(edges[0] / design->voxel_size - 1) > 0.01);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static void a_scene_keeps_the_controller(void **state)
{
    (void)state;
    vxe_design *design = walker();
    const uint64_t without = vxe_design_hash(design);
    control(design);
    assert_true(vxe_design_hash(design) != without);
    vxe_error error;
    char *text = vxe_design_text(design, NULL, &error);
    vxe_design *read = vxe_design_read_text(text, strlen(text), "walker.json", &error);
    assert_non_null(read);
    assert_int_equal(vxe_design_note_count(read), 0);
    assert_true(vxe_design_hash(read) == vxe_design_hash(design));
    read->controller.weights[7] += 1e-6f;
    assert_true(vxe_design_hash(read) != vxe_design_hash(design));
    const uint64_t changed = vxe_design_hash(read);
    read->controller.sensors[0] = VXE_SENSOR_SPIN;
    assert_true(vxe_design_hash(read) != changed);
    read->controller.interval *= 2;
    read->controller.network.activation = VXE_ACTIVATION_RELU;
    char *again = vxe_design_text(read, NULL, &error);
    assert_non_null(strstr(again, "relu"));
    vxe_memory_release(again);
    vxe_design *copy = vxe_design_copy(read, &error);
    assert_true(vxe_design_hash(read) == vxe_design_hash(copy));
    assert_int_equal(vxe_design_set_controller(copy, NULL, NULL), VXE_OK);
    assert_true(vxe_design_hash(copy) == without);
    vxe_memory_release(text);
    vxe_design_destroy(copy);
    vxe_design_destroy(read);
    vxe_design_destroy(design);
}

/* Fails unless a world of the design is refused with these words. */
static void refuse(const vxe_design *design, const char *words)
{
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    vxe_world *world = vxe_world_create(design, &def, &error);
    assert_null(world);
    if (!strstr(error.message, words)) {
        fail_msg("%s", error.message);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    vxe_design *design = walker();
    control(design);
    vxe_world *world = world_of(design);
    vxe_error error;
    assert_int_equal(vxe_world_set_target(world, 0, 1.1, &error), VXE_ERROR_ARGUMENT);
    vxe_world_destroy(world);
    design->controller.network.width[0]++;
    refuse(design, "inputs");
    design->controller.network.width[0]--;
    design->controller.interval = 1e-300;
    refuse(design, "interval is 1e-300");
    design->controller.interval = 1e5;
    refuse(design, "the controller: an interval");
    design->controller.interval = 1.0 / 240;
    design->controller.max_target = 0.9;
    refuse(design, "targets are");
    design->controller.max_target = 1.3;
    design->controller.weights[0] = (float)NAN;
    refuse(design, "weight 0");
    design->controller.weights[0] = 0;
    for (uint32_t i = 0; i < design->layer_count; i++) {
        if (strcmp(design->layers[i].name, "Group") == 0) {
            snprintf(design->layers[i].name, sizeof design->layers[i].name, "Other");
        }
    }
    refuse(design, "layer Group");
    vxe_design_destroy(design);
}

/* Work of actuation counts what a tick puts into springs: the account closes as without. */
static void the_energy_audit_closes(void **state)
{
    (void)state;
    vxe_design *design = walker();
    control(design);
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    def.precision = VXE_PRECISION_DOUBLE;
    def.audit = true;
    def.step_scale = 0.2;
    vxe_world *world = vxe_world_create(design, &def, &error);
    assert_non_null(world);
    assert_int_equal(vxe_world_advance_to(world, 0.2, NULL), VXE_OK);
    const vxe_energy energy = vxe_world_energy(world);
    assert_true(energy.work_actuation > 0);
    /* a hundredth: what vxe_world_judge allows a run, and less than one jump of the targets */
    check_below("change of the balance, part of the work",
                fabs(energy.balance - energy.balance_start) / energy.work_actuation, 0.01);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_world_has_the_bits_of_a_team),
                                       cmocka_unit_test(ticks_do_not_depend_on_calls),
                                       cmocka_unit_test(a_batch_runs_as_a_world_does),
                                       cmocka_unit_test(any_company_has_the_bits_of_worlds),
                                       cmocka_unit_test(a_retry_has_the_bits_of_a_shorter_step),
                                       cmocka_unit_test(teams_do_without_controllers),
                                       cmocka_unit_test(ticks_begin_where_settling_ends),
                                       cmocka_unit_test(a_scene_keeps_the_controller),
                                       cmocka_unit_test(what_does_not_fit_is_refused),
                                       cmocka_unit_test(the_energy_audit_closes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
