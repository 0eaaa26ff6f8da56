/* SPDX-License-Identifier: MIT */
/* Data of gradients, and what their files share. README.md of this folder has a drawing. */
#ifndef VXE_ENGINE_GRADIENT_GRADIENT_DATA_H
#define VXE_ENGINE_GRADIENT_GRADIENT_DATA_H

#include "engine/gradient.h"
#include "engine/gradient/reverse_kernels.h"
#include "engine/lanes/lanes.h"

/* Memory for the states of a group, which stays from run to run. */
typedef struct vxe_gradient_store {
    char *data; /* (size) */
    uint64_t size;
} vxe_gradient_store;

/* A robot, its samples and its gradients. V: voxels of its design. */
typedef struct vxe_gradient_robot {
    vxe_design *design; /* a copy, with what was put */
    vxe_simulation simulation;
    vxe_robot robot;
    vxe_gradient_sample *samples; /* (sample_count) */
    vxe_gradient_sample *weights; /* (sample_count) */
    double value;
    double *by[VXE_GRADIENT_BYS];
    vxe_gradient_facts facts;
    bool changed;    /* numbers were put since it was compiled */
    vxe_error error; /* why it did not get to its end; status VXE_OK where it did */
} vxe_gradient_robot;

struct vxe_gradient {
    vxe_gradient_def def;
    const vxe_kernels *kernels;
    vxe_gradient_robot *robots; /* (count) */
    uint32_t count, capacity;
    uint32_t sample_count;
    uint32_t threads;           /* at least 1 */
    vxe_gradient_store *stores; /* (threads) one for each group that runs at the same time */
};

/* Compiles a robot's design as it is now. */
vxe_status vxe_gradient_compile(const vxe_gradient *gradient, vxe_gradient_robot *robot,
                                vxe_error *error);

/* Robots of one key, at most as many as lanes, and the memory of their run. */
typedef struct vxe_gradient_group vxe_gradient_group;

/* Null, and error filled, without memory. robots: (count) copied. store: its own until it is
   destroyed. */
vxe_gradient_group *vxe_gradient_group_create(vxe_gradient *gradient, vxe_gradient_store *store,
                                              vxe_gradient_robot *const *robots, uint32_t count,
                                              vxe_error *error);
void vxe_gradient_group_destroy(vxe_gradient_group *group);

/* The three parts of a run: robots go to their ends, the objective is asked, and they go back. The
   second is for one thread; different groups may do the others at the same time. */
void vxe_gradient_group_forwards(vxe_gradient_group *group);
void vxe_gradient_group_ask(vxe_gradient_group *group, vxe_objective objective, void *user);
void vxe_gradient_group_backwards(vxe_gradient_group *group);

/* Numbers of each voxel in a gradient. */
uint32_t vxe_gradient_numbers(vxe_gradient_by by);

/* Turns the sums of a voxel's wave (by m, of sine and cosine) into the gradients by its amplitude
   and phase. */
void vxe_gradient_chain_wave(vxe_gradient_robot *robot, uint32_t voxel, double by_sine,
                             double by_cosine);

#endif
