/* SPDX-License-Identifier: MIT */
/* A small dense network: layers of numbers, each of which is a function of a weighted sum of all
   numbers of the layer before and of a bias. For controllers of robots. Same bits on every machine,
   for any number of threads. */
#ifndef VXE_ENGINE_NETWORK_H
#define VXE_ENGINE_NETWORK_H

#include <stdint.h>

#include "common/export.h"
#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Layers of a network, inputs and outputs included, and numbers of a layer, at most. */
#define VXE_NETWORK_LAYERS 8u
#define VXE_NETWORK_WIDTH 4096u

/* What a number of a hidden layer is of its sum. */
typedef enum vxe_activation {
    VXE_ACTIVATION_TANH = 0,
    VXE_ACTIVATION_RELU = 1 /* the sum where it is above 0, else 0 */
} vxe_activation;

/* The shape of a network. Outputs are the tanh of their sums, from -1 to 1. */
typedef struct vxe_network {
    uint32_t layers;                    /* 2 or more: inputs, hidden layers, outputs */
    uint32_t width[VXE_NETWORK_LAYERS]; /* numbers of each layer, 1 or more */
    vxe_activation activation;          /* of hidden layers */
} vxe_network;

/* VXE_ERROR_ARGUMENT if a number of the shape is out of range. */
VXE_API vxe_status vxe_network_check(const vxe_network *network, vxe_error *error);

/* Number of weights: for each layer but the first (width before + 1) x width. They stand layer by
   layer; in a layer first the biases (width), then the weights of the first number of the layer
   before (width), of the second, and so on. */
VXE_API uint64_t vxe_network_weights(const vxe_network *network);

/* Computes the outputs, of the width of the last layer, from the inputs, of that of the first. */
VXE_API void vxe_network_run(const vxe_network *network, const float *weights, const float *inputs,
                             float *outputs);

#ifdef __cplusplus
}
#endif

#endif
