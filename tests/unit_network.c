/* SPDX-License-Identifier: MIT */
/* Small dense networks against the same sums in double precision with the C library's tanh. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/network.h"
#include "support.h"

/* The outputs of a network, in double precision. */
static void run_in_double(const vxe_network *network, const float *weights, const float *inputs,
                          double *outputs)
{
    static double numbers[2][VXE_NETWORK_WIDTH];
    for (uint32_t i = 0; i < network->width[0]; i++) {
        numbers[0][i] = (double)inputs[i];
    }
    for (uint32_t layer = 1; layer < network->layers; layer++) {
        const uint32_t before = network->width[layer - 1];
        const uint32_t width = network->width[layer];
        const double *from = numbers[(layer - 1) & 1];
        double *to = numbers[layer & 1];
        for (uint32_t i = 0; i < width; i++) {
            to[i] = (double)weights[i];
            for (uint32_t k = 0; k < before; k++) {
                to[i] += from[k] * (double)weights[(k + 1) * width + i];
            }
            const int bends =
                layer + 1 == network->layers || network->activation == VXE_ACTIVATION_TANH;
            to[i] = bends ? tanh(to[i]) : fmax(to[i], 0);
        }
        weights += (before + 1) * width;
        memcpy(outputs, to, width * sizeof *to);
    }
}

/* Sums of up to 40 floats: rounding of 6e-8 each, of sums of about 1. */
static void networks_are_their_formula(void **state)
{
    (void)state;
    static const vxe_network shapes[] = {{2, {3, 2}, VXE_ACTIVATION_TANH},
                                         {4, {40, 32, 32, 9}, VXE_ACTIVATION_TANH},
                                         {4, {40, 32, 32, 9}, VXE_ACTIVATION_RELU},
                                         {3, {1, 5, 1}, VXE_ACTIVATION_RELU}};
    static float weights[4000];
    float inputs[40];
    float outputs[9];
    double wanted[40];
    uint64_t seed = 3;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const vxe_network *network = &shapes[s];
        const uint64_t count = vxe_network_weights(network);
        assert_true(count <= 4000);
        for (uint64_t i = 0; i < count; i++) {
            weights[i] = (float)(0.3 * random_unit(&seed));
        }
        for (int i = 0; i < 40; i++) {
            inputs[i] = (float)random_unit(&seed);
        }
        vxe_network_run(network, weights, inputs, outputs);
        run_in_double(network, weights, inputs, wanted);
        for (uint32_t i = 0; i < network->width[network->layers - 1]; i++) {
            check_near("output", (double)outputs[i], wanted[i], 3e-6);
        }
    }
    assert_int_equal(vxe_network_weights(&shapes[0]), 8);
}

/* J: outputs of a network in double precision, weighed. */
static double weighed(const vxe_network *network, const float *weights, const float *inputs)
{
    double outputs[40];
    double sum = 0;
    run_in_double(network, weights, inputs, outputs);
    for (uint32_t i = 0; i < network->width[network->layers - 1]; i++) {
        sum += (1 + 0.1 * i) * outputs[i];
    }
    return sum;
}

/* A central difference by a number that is moved by a power of two, so that it is exact. */
static double difference_by(const vxe_network *network, const float *weights, const float *inputs,
                            float *number)
{
    const float at = *number;
    const float step = 0x1p-13f;
    *number = at + step;
    const double above = weighed(network, weights, inputs);
    const double way = (double)*number;
    *number = at - step;
    const double slope = (above - weighed(network, weights, inputs)) / (way - (double)*number);
    *number = at;
    return slope;
}

/* Backwards, against differences of the network in double precision: 1e-5, what numbers of layers
   round in float, of slopes of about 1; the curvature adds 1e-8. */
static void networks_backwards_are_their_differences(void **state)
{
    (void)state;
    static const vxe_network shapes[] = {{2, {3, 2}, VXE_ACTIVATION_TANH},
                                         {4, {20, 9, 8, 5}, VXE_ACTIVATION_TANH},
                                         {4, {20, 9, 8, 5}, VXE_ACTIVATION_RELU}};
    float weights[400];
    float inputs[20];
    double by_weights[400];
    double by_inputs[20];
    double by_outputs[5];
    uint64_t seed = 13;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const vxe_network *network = &shapes[s];
        const uint64_t count = vxe_network_weights(network);
        double worst = 0;
        for (uint64_t i = 0; i < count; i++) {
            weights[i] = (float)(0.4 * random_unit(&seed));
            by_weights[i] = 1;
        }
        for (uint32_t i = 0; i < 20; i++) {
            inputs[i] = (float)random_unit(&seed);
        }
        for (uint32_t i = 0; i < 5; i++) {
            by_outputs[i] = 1 + 0.1 * i;
        }
        vxe_network_backwards(network, weights, inputs, by_outputs, by_weights, by_inputs);
        for (uint64_t i = 0; i < count; i++) {
            const double want = difference_by(network, weights, inputs, &weights[i]);
            worst = fmax(worst, fabs(by_weights[i] - 1 - want)); /* it adds */
        }
        for (uint32_t i = 0; i < network->width[0]; i++) {
            const double want = difference_by(network, weights, inputs, &inputs[i]);
            worst = fmax(worst, fabs(by_inputs[i] - want));
        }
        check_below("backwards against differences", worst, 1e-5);
    }
}

/* A tanh is right to a float's rounding (6e-8 of it), small ones too, and goes to 1. */
static void tanh_is_that_of_the_library(void **state)
{
    (void)state;
    const vxe_network one = {2, {1, 1}, VXE_ACTIVATION_TANH};
    const float weights[2] = {0, 1};
    double worst = 0;
    for (int i = -4000; i <= 4000; i++) {
        const float x = (float)(i * 0.00317);
        float y = 0;
        vxe_network_run(&one, weights, &x, &y);
        const double want = tanh((double)x);
        worst = fmax(worst, fabs((double)y - want) / fmax(fabs(want), 1e-30));
        assert_true(y >= -1 && y <= 1);
    }
    check_below("relative error of tanh", worst, 6.1e-8);
    const float large[2] = {1e30f, -1e30f};
    for (int i = 0; i < 2; i++) {
        float y = 0;
        vxe_network_run(&one, weights, &large[i], &y);
        assert_true(y == (i == 0 ? 1.0f : -1.0f));
    }
}

static void shapes_out_of_range_are_refused(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_network network = {1, {3}, VXE_ACTIVATION_TANH};
    assert_int_equal(vxe_network_check(&network, &error), VXE_ERROR_ARGUMENT);
    network = (vxe_network){2, {3, 0}, VXE_ACTIVATION_TANH};
    assert_int_equal(vxe_network_check(&network, &error), VXE_ERROR_ARGUMENT);
    network = (vxe_network){2, {3, VXE_NETWORK_WIDTH + 1}, VXE_ACTIVATION_TANH};
    assert_int_equal(vxe_network_check(&network, &error), VXE_ERROR_ARGUMENT);
    network = (vxe_network){2, {3, 2}, (vxe_activation)5};
    assert_int_equal(vxe_network_check(&network, &error), VXE_ERROR_ARGUMENT);
    network = (vxe_network){2, {3, 2}, VXE_ACTIVATION_RELU};
    assert_int_equal(vxe_network_check(&network, &error), VXE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(networks_are_their_formula),
                                       cmocka_unit_test(networks_backwards_are_their_differences),
                                       cmocka_unit_test(tanh_is_that_of_the_library),
                                       cmocka_unit_test(shapes_out_of_range_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
