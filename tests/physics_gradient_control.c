/* SPDX-License-Identifier: MIT */
/* Gradients through waves of voxels' own, and through controllers, against differences. */
#include <math.h>
#include <string.h>

#include "engine/batch.h"
#include "gradients.h"

/* A crawler whose voxels swing at frequencies of their own. bounds: of the wave's 1 + strain; 0:
   none. */
static vxe_design *swinger(double speed, double min, double max)
{
    vxe_design *design = crawler(speed);
    uint64_t seed = 5;
    vxe_layer *frequency = vxe_design_layer(design, "Frequency", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        frequency->values[v] = 1 + 0.5 * random_unit(&seed);
    }
    design->actuation.min = min;
    design->actuation.max = max;
    return design;
}

/* Bound: 1e-6, what differences round, as in physics_gradient.c. */
static void gradients_of_waves_of_their_own_are_those_of_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        vxe_design *design = swinger(i % 2 ? 0.01 : 0.3, i > 1 ? 0.95 : 0, i > 1 ? 1.06 : 0);
        vxe_gradient_def def = definition(1500, 1e-5);
        def.world.damping = i == 3 ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        def.by = (1u << VXE_BY_AMPLITUDE) | (1u << VXE_BY_PHASE) | (1u << VXE_BY_FREQUENCY);
        print_message("  case %d\n", i);
        check_differences(design, &def, OF_CYCLES, 1e-6);
        vxe_design_destroy(design);
    }
}

/* The frequency of one wave is that of a layer of ones. */
static void the_frequency_of_one_wave_is_that_of_a_layer(void **state)
{
    (void)state;
    double by_wave[16];
    double by_layer[16];
    vxe_design *design = crawler(0.3);
    vxe_gradient_def def = definition(800, 1e-5);
    def.by = 1u << VXE_BY_FREQUENCY;
    vxe_gradient *one = gradient_of(design, &def);
    vxe_layer *frequency = vxe_design_layer(design, "Frequency", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        frequency->values[v] = 1;
    }
    vxe_gradient *other = gradient_of(design, &def);
    assert_false(vxe_gradient_of(one, 0, VXE_BY_FREQUENCY, by_wave, NULL));
    assert_false(vxe_gradient_of(other, 0, VXE_BY_FREQUENCY, by_layer, NULL));
    check_below("both ways, relative", worst_of(by_wave, by_layer, 16), 1e-9);
    vxe_gradient_destroy(one);
    vxe_gradient_destroy(other);
    vxe_design_destroy(design);
}

/* Holds the end of a crawler. */
static void hold_end(vxe_design *design)
{
    uint32_t voxels[4] = {0, 4, 8, 12};
    const vxe_region end = {
        .shape = VXE_REGION_VOXELS, .voxels = voxels, .voxel_count = 4, .fixed = VXE_FIX_ALL};
    assert_false(vxe_design_add_region(design, &end, NULL));
}

/* A difference of sixth order by a weight; its six robots run side by side. */
static double slope_by(vxe_design *design, const vxe_gradient_def *def, uint32_t weight)
{
    static const double parts[3] = {45, -9, 1};
    vxe_gradient_def forwards = *def;
    vxe_error error = {0};
    float *number = &design->controller.weights[weight];
    const float at = *number;
    const float step = 0.06f;
    double sum = 0;
    forwards.by = 1u << VXE_BY_PHASE;
    vxe_gradient *gradient = vxe_gradient_create(&forwards, &error);
    for (int k = 0; k < 6; k++) {
        uint32_t robot;
        const float way = (float)(1 + k / 2) * step;
        *number = k % 2 ? at - way : at + way;
        assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    }
    *number = at;
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    for (int k = 0; k < 6; k++) {
        double value;
        assert_false(vxe_gradient_value(gradient, (uint32_t)k, &value, &error));
        sum += k % 2 ? -parts[k / 2] * value : parts[k / 2] * value;
    }
    vxe_gradient_destroy(gradient);
    return sum / (60 * (double)step);
}

/* By every seventh weight, against differences. One end is held, as forces within a free body do
   not move its centre, and the floor is far below: branches would change in steps that large.
   Bound: 5e-4 of the largest, as sensors, sums and targets are rounded to float, some 1e-6 of what
   a target moves, and differences divide that by the hundredth that a step moves (1e-4 found). */
static void gradients_by_weights_are_those_of_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        vxe_design *design = controlled(i < 3 ? 0.3 : 0.1, i % 3);
        vxe_gradient_def def = definition(i < 3 ? 1500 : 500, i < 3 ? 1e-5 : 3e-5);
        def.world.damping = i < 3 ? VXE_DAMPING_EXPLICIT : VXE_DAMPING_SWEEP;
        def.by = (1u << VXE_BY_WEIGHTS) | (1u << VXE_BY_PHASE);
        design->floor.height = -0.05;
        hold_end(design);
        double got[MAX_WEIGHTS];
        double some[MAX_WEIGHTS];
        double slopes[MAX_WEIGHTS];
        uint32_t count = 0;
        vxe_gradient *gradient = gradient_of(design, &def);
        assert_false(vxe_gradient_of(gradient, 0, VXE_BY_WEIGHTS, got, NULL));
        const uint32_t width = vxe_gradient_width(gradient, 0, VXE_BY_WEIGHTS);
        assert_int_equal(width, vxe_network_weights(&design->controller.network));
        for (uint32_t w = 0; w < width; w += 7) {
            some[count] = got[w];
            slopes[count++] = slope_by(design, &def, w);
        }
        print_message("  case %d, %u weights\n", i, count);
        check_below("by weights: difference from differences, relative",
                    worst_of(some, slopes, count), 5e-4);
        vxe_gradient_destroy(gradient);
        vxe_design_destroy(design);
    }
}

/* By phase and amplitude, where a network that senses the time alone moves groups as well: what it
   does is the same in all differences. Bound: 1e-6, as in physics_gradient.c. */
static void waves_beside_a_controller_are_those_of_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        vxe_design *design = controlled(i == 0 ? 0.3 : 0.1, 0);
        vxe_controller *c = &design->controller;
        vxe_gradient_def def = definition(i == 0 ? 1500 : 500, i == 0 ? 1e-5 : 3e-5);
        def.world.damping = i == 0 ? VXE_DAMPING_EXPLICIT : VXE_DAMPING_SWEEP;
        def.by = (1u << VXE_BY_AMPLITUDE) | (1u << VXE_BY_PHASE);
        c->interval = i == 0 ? 2e-4 : 6e-4;
        c->sensors[0] = VXE_SENSOR_CLOCK;
        c->sensor_count = 1;
        c->network.width[0] = 3;
        check_differences(design, &def, OF_CYCLES, 1e-6);
        vxe_design_destroy(design);
    }
}

/* The run forwards is that of a batch, to the bit; a gradient has the same bits alone and beside
   robots with other ticks, whatever memory there is. */
static void controlled_robots_have_the_bits_of_batches_and_no_company(void **state)
{
    (void)state;
    for (int mixed = 0; mixed < 2; mixed++) {
        vxe_error error = {0};
        vxe_design *designs[3];
        vxe_gradient_def def = definition(1000, 1e-5);
        def.world.precision = mixed ? VXE_PRECISION_MIXED : VXE_PRECISION_DOUBLE;
        vxe_gradient_def frugal = def;
        frugal.memory = 1;
        vxe_batch_def batch_def = vxe_batch_def_default();
        batch_def.world = def.world;
        batch_def.steps = def.steps;
        vxe_batch *batch = vxe_batch_create(&batch_def, &error);
        vxe_gradient *together = vxe_gradient_create(&def, &error);
        for (int i = 0; i < 3; i++) {
            uint32_t robot;
            designs[i] = controlled(0.1, i);
            designs[i]->controller.interval = i == 1 ? 1.3e-3 : 2e-3;
            designs[i]->stop.settle_time = i == 2 ? 1e-3 : 0;
            assert_false(vxe_batch_add(batch, designs[i], &error));
            assert_false(vxe_gradient_add(together, designs[i], &robot, &error));
        }
        assert_false(vxe_batch_run(batch, NULL, NULL, &error));
        assert_false(vxe_gradient_run(together, objective, NULL, &error));
        assert_false(vxe_gradient_run(together, objective, NULL, &error)); /* as the first one */
        for (uint32_t i = 0; i < 3; i++) {
            vxe_gradient *alone = gradient_of(designs[i], i == 1 ? &frugal : &def);
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            assert_memory_equal(together->robots[i].samples[1].center, result.center,
                                sizeof result.center);
            for (vxe_gradient_by by = 0; by < VXE_GRADIENT_BYS; by++) {
                assert_memory_equal(together->robots[i].by[by], alone->robots[0].by[by],
                                    vxe_gradient_width(together, i, by) * sizeof(double));
            }
            vxe_gradient_destroy(alone);
            vxe_design_destroy(designs[i]);
        }
        vxe_batch_destroy(batch);
        vxe_gradient_destroy(together);
    }
}

/* Weights that are put are those of a design; wrong ones are refused whole. */
static void weights_can_be_put(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = controlled(0.1, 0);
    const vxe_gradient_def def = definition(700, 1e-5);
    double weights[MAX_WEIGHTS];
    double values[2];
    vxe_gradient *gradient = gradient_of(design, &def);
    const uint32_t width = vxe_gradient_width(gradient, 0, VXE_BY_WEIGHTS);
    for (uint32_t w = 0; w < width; w++) {
        design->controller.weights[w] *= 0.5f;
        weights[w] = (double)design->controller.weights[w];
    }
    vxe_gradient *other = gradient_of(design, &def);
    assert_false(vxe_gradient_put(gradient, 0, VXE_BY_WEIGHTS, weights, &error));
    weights[3] = 1e9;
    assert_int_equal(vxe_gradient_put(gradient, 0, VXE_BY_WEIGHTS, weights, &error),
                     VXE_ERROR_ARGUMENT);
    assert_string_equal(error.message, "weight 3 of the network is 1e+09: it must be below 1e+09");
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_false(vxe_gradient_value(gradient, 0, &values[0], &error));
    assert_false(vxe_gradient_value(other, 0, &values[1], &error));
    assert_memory_equal(&values[0], &values[1], sizeof values[0]);
    vxe_gradient_destroy(gradient);
    vxe_gradient_destroy(other);
    vxe_design_destroy(design);
}

static void sensors_without_a_way_back_are_refused(void **state)
{
    (void)state;
    vxe_error error = {0};
    uint32_t robot;
    vxe_design *design = controlled(0.1, 0);
    const vxe_gradient_def def = definition(10, 1e-5);
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    design->controller.sensors[6] = VXE_SENSOR_GROUP_TOUCH; /* as wide as the targets */
    assert_int_equal(vxe_gradient_add(gradient, design, &robot, &error), VXE_ERROR_UNSUPPORTED);
    assert_string_equal(error.message,
                        "there is no gradient through the sensor group_touch of a controller");
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_of_waves_of_their_own_are_those_of_differences),
        cmocka_unit_test(the_frequency_of_one_wave_is_that_of_a_layer),
        cmocka_unit_test(gradients_by_weights_are_those_of_differences),
        cmocka_unit_test(waves_beside_a_controller_are_those_of_differences),
        cmocka_unit_test(controlled_robots_have_the_bits_of_batches_and_no_company),
        cmocka_unit_test(weights_can_be_put),
        cmocka_unit_test(sensors_without_a_way_back_are_refused),
    };
    return cmocka_run_group_tests_name("physics_gradient_control", tests, NULL, NULL);
}
