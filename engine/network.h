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

/* The same backwards: from what a number changes with each output, by_outputs, to what it changes
   with the weights, which is added to by_weights, and with the inputs, which is written. Numbers of
   layers are those of vxe_network_run; a number of a hidden layer of VXE_ACTIVATION_RELU that is 0
   passes nothing. */
VXE_API void vxe_network_backwards(const vxe_network *network, const float *weights,
                                   const float *inputs, const double *by_outputs,
                                   double *by_weights, double *by_inputs);

#ifdef __cplusplus
}
#endif

#endif
