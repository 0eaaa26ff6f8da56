/* SPDX-License-Identifier: MIT */
/* A small dense network: layers of numbers, each of which is a function of a weighted sum of all
   numbers of the layer before and of a bias. For controllers of robots. Same bits on every machine,
   for any number of threads. */
#ifndef VXE_ENGINE_NETWORK_H
#define VXE_ENGINE_NETWORK_H

#include "lattice/controller.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the outputs, of the width of the last layer, from the inputs, of that of the first. */
VXE_API void vxe_network_run(const vxe_network *network, const float *weights, const float *inputs,
                             float *outputs);

#ifdef __cplusplus
}
#endif

#endif
