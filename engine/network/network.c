/* SPDX-License-Identifier: MIT */
/* Small dense networks. Weights stand so that a loop over the numbers of a layer is a loop over
   memory; every sum has one order, so that its bits do not depend on vectors. */
#include "engine/network.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"

/* Twice the number from which on a tanh is 1 in a float. */
#define SATURATED 20.0
/* 1.5 x 2^52: doubles from here on are whole numbers. */
#define WHOLE 6755399441055744.0

/* tanh x = (e - 1)/(e + 1) with e = exp(2 x), within a float's rounding; of a NaN it is a NaN.
   e = 2^n e^r, |r| <= ln 2/2, e^r by eleven terms of its series (6e-15). The nearest whole number n
   stands in the last bits of a double near 1.5 x 2^52. Without branches, for vectors. */
static inline float tanh_of(float x)
{
    const double y = 2 * (double)x;
    const double low = y < -SATURATED ? -SATURATED : y;
    const double by = low > SATURATED ? SATURATED : low;
    const double shifted = by * 1.44269504088896340736 + WHOLE;
    const double r = by - (shifted - WHOLE) * 0.69314718055994530942;
    double sum = 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1;
    sum = sum * r + 1;
    uint64_t bits = 0;
    double power = 0;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&power, &bits, sizeof power);
    const double e = sum * power;
    return (float)((e - 1) / (e + 1));
}

/* The sums of a layer: of its biases, and of the numbers before by their weights. */
static void sum_layer(const float *restrict weights, const float *restrict before, uint32_t count,
                      uint32_t width, float *restrict sums)
{
    memcpy(sums, weights, width * sizeof *sums);
    for (uint32_t k = 0; k < count; k++) {
        const float *restrict row = weights + (size_t)(k + 1) * width;
        const float number = before[k];
#pragma omp simd
        for (ptrdiff_t i = 0; i < (ptrdiff_t)width; i++) {
            sums[i] += number * row[i];
        }
    }
}

/* From the sums of a layer to its numbers. */
static void bend(float *numbers, uint32_t width, bool tanh)
{
    if (tanh) {
#pragma omp simd
        for (ptrdiff_t i = 0; i < (ptrdiff_t)width; i++) {
            numbers[i] = tanh_of(numbers[i]);
        }
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        numbers[i] = numbers[i] > 0 ? numbers[i] : 0;
    }
}

/* Computes a layer, from 1, from the numbers of the one before. weights: of the layer. */
static void run_layer(const vxe_network *network, uint32_t layer, const float *weights,
                      const float *before, float *numbers)
{
    const uint32_t width = network->width[layer];
    const bool last = layer + 1 == network->layers;
    sum_layer(weights, before, network->width[layer - 1], width, numbers);
    bend(numbers, width, last || network->activation == VXE_ACTIVATION_TANH);
}

void vxe_network_run(const vxe_network *network, const float *weights, const float *inputs,
                     float *outputs)
{
    float numbers[2][VXE_NETWORK_WIDTH];
    const float *before = inputs;
    VXE_ASSERT(network->layers >= 2 && network->layers <= VXE_NETWORK_LAYERS);
    for (uint32_t layer = 1; layer < network->layers; layer++) {
        float *now = layer + 1 == network->layers ? outputs : numbers[layer & 1];
        run_layer(network, layer, weights, before, now);
        weights += (network->width[layer - 1] + 1ull) * network->width[layer];
        before = now;
    }
}

/* From the adjoints of a layer's numbers to those of its sums, in place. */
static void unbend(const float *numbers, uint32_t width, bool tanh, double *by)
{
    for (uint32_t i = 0; i < width; i++) {
        const double number = (double)numbers[i];
        const double passes = number > 0 ? 1 : 0;
        by[i] *= tanh ? 1 - number * number : passes;
    }
}

/* From the adjoints of a layer's sums to those of its weights, which are added to, and of the
   numbers before. */
static void sum_backwards(const float *weights, const float *before, uint32_t count, uint32_t width,
                          const double *by, double *by_weights, double *by_before)
{
    for (uint32_t i = 0; i < width; i++) {
        by_weights[i] += by[i];
    }
    for (uint32_t k = 0; k < count; k++) {
        const float *row = weights + (size_t)(k + 1) * width;
        double *by_row = by_weights + (size_t)(k + 1) * width;
        double sum = 0;
        for (uint32_t i = 0; i < width; i++) {
            by_row[i] += by[i] * (double)before[k];
            sum += by[i] * (double)row[i];
        }
        by_before[k] = sum;
    }
}

void vxe_network_backwards(const vxe_network *network, const float *weights, const float *inputs,
                           const double *by_outputs, double *by_weights, double *by_inputs)
{
    float numbers[VXE_NETWORK_LAYERS][VXE_NETWORK_WIDTH];
    double by[2][VXE_NETWORK_WIDTH];
    const uint32_t last = network->layers - 1;
    size_t first[VXE_NETWORK_LAYERS + 1] = {0}; /* weight of each layer */
    VXE_ASSERT(network->layers >= 2 && network->layers <= VXE_NETWORK_LAYERS);
    memcpy(numbers[0], inputs, network->width[0] * sizeof *inputs);
    for (uint32_t layer = 1; layer <= last; layer++) {
        run_layer(network, layer, weights + first[layer], numbers[layer - 1], numbers[layer]);
        first[layer + 1] =
            first[layer] + (network->width[layer - 1] + (size_t)1) * network->width[layer];
    }
    memcpy(by[last & 1], by_outputs, network->width[last] * sizeof *by_outputs);
    for (uint32_t layer = last; layer >= 1; layer--) {
        const bool tanh = layer == last || network->activation == VXE_ACTIVATION_TANH;
        double *into = layer > 1 ? by[(layer - 1) & 1] : by_inputs;
        unbend(numbers[layer], network->width[layer], tanh, by[layer & 1]);
        sum_backwards(weights + first[layer], numbers[layer - 1], network->width[layer - 1],
                      network->width[layer], by[layer & 1], by_weights + first[layer], into);
    }
}
