/* SPDX-License-Identifier: MIT */
/* A run of a robot in a batch: when it ends, and what is measured of it on the way. */
#ifndef VXE_ENGINE_BATCH_RUN_H
#define VXE_ENGINE_BATCH_RUN_H

#include "engine/control/control.h"
#include "engine/lanes/lanes.h"
#include "engine/world/world_data.h"

typedef struct vxe_run {
    vxe_simulation simulation;
    vxe_energy_guard guard;
    uint64_t last_step;         /* the step at whose end the robot stops */
    uint64_t start_step;        /* displacement counts from this step: the end of settling */
    double start_time;          /* s: time at start_step, once it is past */
    double start_center[3];     /* m: centre of mass at start_step, once it is past */
    vxe_expression fitness;     /* empty where the design has none, or the robot is watched */
    uint64_t reference_step;    /* the fitness counts from this step */
    double reference_center[3]; /* m: centre of what is measured at reference_step */
    vxe_posture posture;        /* its arrays are there where the fitness reads the posture */
    bool peaks;                 /* the fitness reads how high the centre has been */
    double highest;             /* m: height that the centre has reached, where peaks is set */
    uint32_t samples;           /* of the path, beside its start; 0: none is taken */
    double *path;               /* (samples + 1, 3) m, in its entry */
    vxe_control *control;       /* of a robot that is not watched; null: it has no controller */
    bool watched;               /* the robot runs as a world with a trial: its formulas need every
                                   step, or it has affine bodies */
    bool bodies;                /* the robot has only affine bodies, which touch nothing */
    uint32_t index;             /* in its batch */
} vxe_run;

/* The step at which sample k of the path is due. */
static inline uint64_t vxe_run_sample_step(const vxe_run *run, uint32_t k)
{
    return (uint64_t)((double)run->last_step * k / run->samples + 0.5);
}

/* The first sample of the path that is due at a step or behind it; samples + 1 behind the last. */
static inline uint32_t vxe_run_next_sample(const vxe_run *run, uint64_t step)
{
    const double at = (double)step * run->samples / (double)run->last_step;
    uint32_t k = at > 1 ? (uint32_t)(at - 1) : 0;
    while (k <= run->samples && vxe_run_sample_step(run, k) < step) {
        k++;
    }
    return k;
}

/* Releases the controller of a run. */
void vxe_run_release_control(vxe_run *run);

/* Releases all memory of a robot and of its run; they may be used again. */
void vxe_run_clear(vxe_robot *robot);

#endif
