/* SPDX-License-Identifier: MIT */
/* A batch: many designs simulated at once, each with its own step, duration and materials. Robots
   run side by side in the lanes of vectors where that is faster, else alone; a robot's result has
   the same bits either way, in whatever batch neighbours. One that can not run, or diverges, says
   so and leaves the others alone. */
#ifndef VXE_ENGINE_BATCH_H
#define VXE_ENGINE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_batch vxe_batch;

/* Which schedule robots run by. */
typedef enum vxe_batch_schedule {
    VXE_BATCH_AUTO = 0,  /* whichever is faster for the batch neighbours at hand */
    VXE_BATCH_LANES = 1, /* in lanes wherever the robot can */
    VXE_BATCH_ALONE = 2
} vxe_batch_schedule;

/* Choices of a batch. Take one from vxe_batch_def_default and change what you need. */
typedef struct vxe_batch_def {
    uint32_t cookie;     /* set by vxe_batch_def_default, checked by vxe_batch_create */
    vxe_world_def world; /* of every robot; its threads are those of the batch (0: all processors)
                            and its energy audit must be off */
    double duration;     /* s for every robot; 0: by steps, or as its design says */
    uint64_t steps;      /* at most so many for every robot; 0: by time */
    vxe_batch_schedule schedule;
    uint32_t retries; /* how often a robot that diverges is run again from its start, each time with
                         half the step, and twice as many where steps are limited; 0, at most 20 */
} vxe_batch_def;

VXE_API vxe_batch_def vxe_batch_def_default(void);

/* Null and error filled on failure. */
VXE_API vxe_batch *vxe_batch_create(const vxe_batch_def *def, vxe_error *error);
VXE_API void vxe_batch_destroy(vxe_batch *batch);

/* Adds a robot; robots count from 0 in the order added. The design must stay until the batch has
 * run. */
VXE_API vxe_status vxe_batch_add(vxe_batch *batch, const vxe_design *design, vxe_error *error);

VXE_API uint32_t vxe_batch_count(const vxe_batch *batch);

/* How far a batch is. */
typedef struct vxe_batch_progress {
    uint32_t finished; /* robots */
    uint32_t robots;
    double bond_updates;          /* so far */
    double bond_updates_expected; /* in all, as far as robots are known: those that are not compiled
                                     yet count as the mean of the others */
} vxe_batch_progress;

/* Called now and then from the calling thread; false stops the batch after a moment. */
typedef bool (*vxe_batch_watch)(const vxe_batch_progress *progress, void *user);

/* Runs all robots that have not run yet. watch may be null. Fails for want of memory alone; what
   befalls a robot is in its result. */
VXE_API vxe_status vxe_batch_run(vxe_batch *batch, vxe_batch_watch watch, void *user,
                                 vxe_error *error);

typedef enum vxe_simulation_status {
    VXE_ROBOT_WAITING = 0, /* has not run, or was stopped before its end */
    VXE_ROBOT_DONE = 1,
    VXE_ROBOT_DIVERGED = 2,
    VXE_ROBOT_REFUSED = 3 /* its design can not run */
} vxe_simulation_status;

/* What became of a robot. Numbers of a robot that is not DONE are not to be used. */
typedef struct vxe_batch_result {
    vxe_simulation_status status;
    vxe_status reason;   /* VXE_OK, VXE_ERROR_DIVERGED, or why it was refused */
    const char *message; /* where and when it diverged, or why it was refused; else empty. Lives as
                            long as the batch. */
    bool in_lanes;       /* all or most of its steps */
    uint32_t retries;    /* runs before this one, with longer steps, that diverged */
    uint32_t voxels;
    uint64_t bonds;
    double mass; /* kg */
    uint64_t steps;
    double time;      /* s */
    double time_step; /* s */
    uint32_t damping_sweeps;
    double start_time;      /* s: where displacement counts from (end of settling) */
    double start_center[3]; /* m: centre of mass then, design coordinates */
    double center[3];       /* m: at the end */
    double displacement;    /* m, horizontal */
    double body_lengths_per_second;
    double fitness; /* by its design's formula, the bits of vxe_trial_fitness; NaN: it has none */
    uint64_t hash;  /* of the state: equal to that of a world that took as many steps */
} vxe_batch_result;

VXE_API vxe_batch_result vxe_batch_result_of(const vxe_batch *batch, uint32_t robot);

/* Bond updates made so far, and what the batch computes with. */
typedef struct vxe_batch_facts {
    uint32_t threads;
    const char *precision;
    const char *isa;
    double bond_updates;
    uint32_t robots_in_lanes;
} vxe_batch_facts;

VXE_API vxe_batch_facts vxe_batch_describe(const vxe_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
