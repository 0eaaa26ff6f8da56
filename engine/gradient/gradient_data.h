/* SPDX-License-Identifier: MIT */
/* Data of gradients, and what their files share. README.md of this folder has a drawing. */
#ifndef VXE_ENGINE_GRADIENT_GRADIENT_DATA_H
#define VXE_ENGINE_GRADIENT_GRADIENT_DATA_H

#include "engine/gradient.h"
#include "engine/gradient/reverse_kernels.h"
#include "engine/lanes/lanes.h"

/* Steps between two states that are kept of the run forwards; steps between them are run again.
   Always the same, so that bits do not depend on memory. */
#define VXE_GRADIENT_SEGMENT 64u

/* A robot, its samples and its gradients. V: voxels of its design. */
typedef struct vxe_gradient_robot {
    const vxe_design *design;
    vxe_simulation simulation;
    vxe_robot robot;
    vxe_gradient_sample *samples; /* (sample_count) */
    vxe_gradient_sample *weights; /* (sample_count) */
    double value;
    double *by[VXE_GRADIENT_BYS];
    vxe_error error; /* why it did not get to its end; status VXE_OK where it did */
} vxe_gradient_robot;

struct vxe_gradient {
    vxe_gradient_def def;
    const vxe_kernels *kernels;
    vxe_gradient_robot *robots; /* (count) */
    uint32_t count, capacity;
    uint32_t sample_count;
};

/* Runs robots of one key, at most as many as lanes, forwards and backwards. Fails without memory
   only. */
vxe_status vxe_gradient_run_group(vxe_gradient *gradient, vxe_gradient_robot *const *group,
                                  uint32_t count, vxe_objective objective, void *user,
                                  vxe_error *error);

/* Numbers of each voxel in a gradient. */
uint32_t vxe_gradient_numbers(vxe_gradient_by by);

/* Turns the sums of a robot's waves (by m, of sine and cosine, by slot) into its gradients by
   amplitude and phase. */
void vxe_gradient_chain_wave(vxe_gradient_robot *robot, const double *by_sine,
                             const double *by_cosine);

#endif
