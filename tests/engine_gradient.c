/* SPDX-License-Identifier: MIT */
/* Runs of gradients as such: again and again, given up, and with objectives that say no numbers. */
#include <math.h>
#include <string.h>

#include "engine/gradient.h"
#include "support.h"

static double last_velocity(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                            uint32_t count, vxe_gradient_sample *weights)
{
    (void)user;
    (void)robot;
    weights[count - 1].velocity[0] = 1;
    return samples[count - 1].velocity[0];
}

static vxe_gradient_def definition(uint64_t steps)
{
    vxe_gradient_def def = vxe_gradient_def_default();
    def.world.precision = VXE_PRECISION_DOUBLE;
    def.world.step_seconds = 1e-5;
    def.steps = steps;
    return def;
}

/* A body on the floor that shakes by a wave. Its voxels start at rest, as most designs say. */
static vxe_design *shaker(void)
{
    vxe_material m = standard_material();
    m.thermal_expansion = 0.01;
    m.bond_damping = 0.3;
    m.static_friction = m.dynamic_friction = 0.5;
    vxe_design *design = block_design(&m, 4, 2, 2);
    vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        phase->values[v] = 0.05 * v;
    }
    design->actuation = (vxe_actuation){.enabled = true, .amplitude = 12, .period = 0.05};
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    return design;
}

/* The same body in a fluid, held at one end and moved by a network that senses it as well. */
static vxe_design *swimmer(void)
{
    static const vxe_sensor_kind sensors[4] = {VXE_SENSOR_CLOCK, VXE_SENSOR_VELOCITY, VXE_SENSOR_UP,
                                               VXE_SENSOR_GROUP_PLACE};
    vxe_design *design = shaker();
    vxe_layer *group = vxe_design_layer(design, "Group", 1);
    uint32_t end[2] = {0, 4};
    float weights[92];
    uint64_t seed = 21;
    vxe_controller controller = {.interval = 1e-3,
                                 .min_target = 0.9,
                                 .max_target = 1.1,
                                 .sensor_count = 4,
                                 .network = {3, {15, 5, 2}, VXE_ACTIVATION_TANH},
                                 .weights = weights};
    const vxe_region region = {.shape = VXE_REGION_VOXELS,
                               .voxels = end,
                               .voxel_count = 2,
                               .fixed = VXE_FIX_Y | VXE_FIX_RX};
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        group->values[v] = v % 2;
    }
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        weights[i] = (float)random_unit(&seed);
    }
    memcpy(controller.sensors, sensors, sizeof sensors);
    design->fluid =
        (vxe_fluid){.enabled = true, .buoyancy = true, .density = 500, .drag_coefficient = 1.5};
    assert_false(vxe_design_add_region(design, &region, NULL));
    assert_false(vxe_design_set_controller(design, &controller, NULL));
    return design;
}

/* Two bars that no wave moves, one upon the other, from which it slides fast, and falls. */
static vxe_design *stack(void)
{
    vxe_design *from = shaker();
    vxe_design *design = block_design(&from->materials[0], 4, 2, 2);
    vxe_layer *part = vxe_design_layer(design, "Part", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const bool upper = design->voxels[v].position[2] > 0;
        part->values[v] = upper;
        assert_false(vxe_design_set_velocity(design, v,
                                             (const double[3]){upper ? 9 : 0, 0, upper ? -0.5 : 0},
                                             (const double[3]){0, 0, 0}, NULL));
    }
    design->floor = from->floor;
    design->gravity[2] = -9.81;
    design->self_collision = true;
    vxe_design_destroy(from);
    return design;
}

/* Every run begins at the start, so that it has the numbers of the first one. */
static void runs_can_be_repeated(void **state)
{
    (void)state;
    vxe_error error = {0};
    uint32_t robot;
    double value[2];
    double by_phase[2][16];
    vxe_design *design = shaker();
    const vxe_gradient_def def = definition(500);
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    for (int i = 0; i < 2; i++) {
        assert_false(vxe_gradient_run(gradient, last_velocity, NULL, &error));
        assert_false(vxe_gradient_value(gradient, robot, &value[i], &error));
        assert_false(vxe_gradient_of(gradient, robot, VXE_BY_PHASE, by_phase[i], &error));
    }
    assert_memory_equal(&value[0], &value[1], sizeof value[0]);
    assert_memory_equal(by_phase[0], by_phase[1], sizeof by_phase[0]);
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

/* All that a gradient has got of a robot. */
typedef struct run_numbers {
    double by[VXE_GRADIENT_BYS][12 * 16];
    vxe_gradient_facts facts;
} run_numbers;

/* The numbers of a run; false where the machine lacks the instruction set. */
static bool numbers_of(const vxe_design *design, vxe_gradient_def def, const char *isa,
                       run_numbers *got)
{
    vxe_error error = {0};
    uint32_t robot;
    memset(got, 0, sizeof *got);
    if (!choose_isa(isa, def.world.precision)) {
        return false;
    }
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    assert_false(vxe_gradient_run(gradient, last_velocity, NULL, &error));
    for (int by = 0; by < VXE_GRADIENT_BYS; by++) {
        if (def.by >> by & 1) {
            assert_false(
                vxe_gradient_of(gradient, robot, (vxe_gradient_by)by, got->by[by], &error));
        }
    }
    got->facts = vxe_gradient_describe(gradient, robot);
    vxe_gradient_destroy(gradient);
    return true;
}

/* A gradient has the same bits with as few states as can be, in segments of 128 steps and not 64,
 * and with either instruction set that has fused multiply-adds: with explicit dashpots and with
 * iterations, in both precisions; also in a fluid, held, and moved by a network,
 * and of bodies that fall over each other. */
static void memory_and_instructions_leave_the_bits_alone(void **state)
{
    (void)state;
    static run_numbers one;
    static run_numbers other;
    vxe_design *designs[3] = {shaker(), swimmer(), stack()};
    for (int i = 0; i < 12; i++) {
        const vxe_design *design = designs[i / 4];
        const bool iterates = i / 2 % 2;
        vxe_gradient_def def = definition(10000);
        def.world.precision = i % 2 ? VXE_PRECISION_DOUBLE : VXE_PRECISION_MIXED;
        def.world.damping = iterates ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        def.by = iterates ? def.by | (1u << VXE_BY_WEIGHTS) : (1u << VXE_GRADIENT_BYS) - 1;
        if (!numbers_of(design, def, "x86-64-v3", &one)) {
            continue;
        }
        def.memory = 1;
        assert_true(numbers_of(design, def, "x86-64-v3", &other));
        assert_memory_equal(&one, &other, sizeof one);
        if (numbers_of(design, def, "x86-64-v4", &other)) {
            assert_memory_equal(&one, &other, sizeof one);
        }
    }
    choose_isa_of_before();
    for (int i = 0; i < 3; i++) {
        vxe_design_destroy(designs[i]);
    }
}

/* A watch that says no at one of its turns. */
typedef struct watched_run {
    uint64_t turns, last, asked;
} watched_run;

static bool watch_some(void *user)
{
    watched_run *run = user;
    return ++run->turns != run->last;
}

static double count_asked(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                          uint32_t count, vxe_gradient_sample *weights)
{
    ((watched_run *)user)->asked++;
    return last_velocity(NULL, robot, samples, count, weights);
}

/* A run that is given up forwards, behind the objective or backwards leaves no numbers, on one
   thread and on two; the next run has those of one that nobody watched. */
static void a_run_is_given_up_whole(void **state)
{
    (void)state;
    enum { ROBOTS = 17 };
    vxe_error error = {0};
    double number;
    double want[16];
    double got[16];
    vxe_design *design = shaker();
    for (uint32_t threads = 1; threads <= 2; threads++) {
        vxe_gradient_def def = definition(300);
        def.world.threads = threads;
        vxe_gradient *gradient = vxe_gradient_create(&def, &error);
        for (uint32_t i = 0; i < ROBOTS; i++) {
            uint32_t robot;
            assert_false(vxe_gradient_add(gradient, design, &robot, &error));
        }
        assert_int_equal(vxe_gradient_value(gradient, 0, &number, &error), VXE_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "robot 0 has not run"));
        watched_run whole = {0};
        assert_false(vxe_gradient_run_watched(gradient, count_asked, watch_some, &whole, &error));
        assert_int_equal(whole.asked, ROBOTS);
        assert_false(vxe_gradient_of(gradient, 16, VXE_BY_PHASE, want, &error));
        const uint64_t turns[3] = {1, 5, whole.turns};
        for (int i = 0; i < 3; i++) {
            watched_run some = {.last = turns[i]};
            assert_false(
                vxe_gradient_run_watched(gradient, count_asked, watch_some, &some, &error));
            assert_true(threads > 1 || some.turns == turns[i]);
            for (uint32_t robot = 0; robot < ROBOTS && some.turns >= turns[i]; robot++) {
                number = 7;
                assert_int_equal(vxe_gradient_value(gradient, robot, &number, &error),
                                 VXE_ERROR_ARGUMENT);
                assert_true(number == 7);
                assert_true(vxe_gradient_of(gradient, robot, VXE_BY_PHASE, got, &error));
                assert_int_equal(vxe_gradient_describe(gradient, robot).branch_changes, 0);
            }
        }
        assert_false(vxe_gradient_run(gradient, last_velocity, NULL, &error));
        assert_false(vxe_gradient_of(gradient, 16, VXE_BY_PHASE, got, &error));
        assert_memory_equal(want, got, sizeof want);
        vxe_gradient_destroy(gradient);
    }
    vxe_design_destroy(design);
}

/* Writes the weight that the caller gives it. */
static double weigh(void *user, uint32_t robot, const vxe_gradient_sample *samples, uint32_t count,
                    vxe_gradient_sample *weights)
{
    (void)robot;
    weights[count - 1].velocity[0] = *(const double *)user;
    return samples[count - 1].velocity[0];
}

/* Weights that are no numbers are told, and so are adjoints that single precision cannot hold. */
static void what_is_not_finite_is_told(void **state)
{
    (void)state;
    const struct {
        double weight;
        vxe_precision precision;
        const char *told;
    } cases[4] = {{(double)NAN, VXE_PRECISION_DOUBLE, "a weight of the objective"},
                  {(double)INFINITY, VXE_PRECISION_DOUBLE, "a weight of the objective"},
                  {1e200, VXE_PRECISION_DOUBLE, NULL},
                  {1e200, VXE_PRECISION_MIXED, "grew beyond all numbers"}};
    vxe_design *design = shaker();
    for (int i = 0; i < 4; i++) {
        vxe_error error = {0};
        uint32_t robot;
        double numbers[16];
        double weight = cases[i].weight;
        vxe_gradient_def def = definition(50);
        def.world.precision = cases[i].precision;
        vxe_gradient *gradient = vxe_gradient_create(&def, &error);
        assert_false(vxe_gradient_add(gradient, design, &robot, &error));
        assert_false(vxe_gradient_run(gradient, weigh, &weight, &error));
        assert_int_equal(vxe_gradient_of(gradient, robot, VXE_BY_PHASE, numbers, &error),
                         cases[i].told ? VXE_ERROR_ARGUMENT : VXE_OK);
        if (cases[i].told) {
            assert_non_null(strstr(error.message, cases[i].told));
            assert_true(vxe_gradient_describe(gradient, robot).growth == 0);
        }
        vxe_gradient_destroy(gradient);
    }
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_can_be_repeated),
        cmocka_unit_test(memory_and_instructions_leave_the_bits_alone),
        cmocka_unit_test(a_run_is_given_up_whole), cmocka_unit_test(what_is_not_finite_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
