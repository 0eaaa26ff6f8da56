/* SPDX-License-Identifier: MIT */
/* A batch: many designs simulated in one call, each with its own step, duration and materials.
   Robots run side by side in the lanes of vectors where that is faster, else alone. A robot's
   result has the same bits either way, whatever its batch neighbours. A robot that cannot run, or
   diverges, says so in its result and does not affect the others. */
#ifndef VXE_ENGINE_BATCH_H
#define VXE_ENGINE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_batch vxe_batch;

/* Whether robots run in lanes or alone. */
typedef enum vxe_batch_schedule {
    VXE_BATCH_AUTO = 0,  /* whichever is faster for the robots of a group */
    VXE_BATCH_LANES = 1, /* in lanes wherever a robot can */
    VXE_BATCH_ALONE = 2  /* each robot alone */
} vxe_batch_schedule;

/* Choices of a batch. Take one from vxe_batch_def_default and change what you need. */
typedef struct vxe_batch_def {
    uint32_t cookie;     /* set by vxe_batch_def_default, checked by vxe_batch_create */
    vxe_world_def world; /* of every robot; its threads are those of the batch (0: all processors)
                            and its energy audit must be off */
    double duration;     /* s for every robot; 0: by steps, or as its design says */
    uint64_t steps;      /* largest number of steps of every robot; 0: by time */
    double max_duration; /* s: a robot whose run would be longer is refused; 0: no bound */
    uint64_t max_steps;  /* the same for its steps (those before any retry); 0: no bound */
    vxe_batch_schedule schedule;
    uint32_t samples; /* of each robot's centre of mass, at equal times from its start to its end;
                         0: none; only of robots whose end is known */
    uint32_t retries; /* how often a robot that diverges is run again from its start, each time with
                         half the step, and with twice as many steps where these are limited; 0 by
                         default, at most 20 */
} vxe_batch_def;

/* The default choices: those of vxe_world_def_default, duration by design, no retries. */
VXE_API vxe_batch_def vxe_batch_def_default(void);

/* Makes an empty batch. Null and error filled on failure. */
VXE_API vxe_batch *vxe_batch_create(const vxe_batch_def *def, vxe_error *error);
VXE_API void vxe_batch_destroy(vxe_batch *batch);

/* Adds a robot; robots count from 0 in the order added. The design must stay until the batch has
 * run. */
VXE_API vxe_status vxe_batch_add(vxe_batch *batch, const vxe_design *design, vxe_error *error);

/* A run of a design that differs a little from others. */
typedef struct vxe_batch_variant {
    double step;     /* factor on the time step */
    double shift[3]; /* m: added to where every voxel starts */
    double turn[3];  /* rad: a rotation vector, by which the bodies start turned about their centre
                        of mass */
} vxe_batch_variant;

/* Adds a robot that starts and steps as a variant says; 1 and zeros: as by vxe_batch_add. */
VXE_API vxe_status vxe_batch_add_variant(vxe_batch *batch, const vxe_design *design,
                                         const vxe_batch_variant *variant, vxe_error *error);

/* A robot at its start, as a world of one thread that runs it as the batch has done, retries
   included: to be run again and looked at. Its design must still be there. Null and error filled on
   failure. */
VXE_API vxe_world *vxe_batch_world(const vxe_batch *batch, uint32_t robot, vxe_error *error);

/* The number of robots added so far. */
VXE_API uint32_t vxe_batch_count(const vxe_batch *batch);

/* How far a batch is. */
typedef struct vxe_batch_progress {
    uint32_t finished;            /* robots that are at their ends */
    uint32_t robots;              /* all robots */
    double bond_updates;          /* so far */
    double bond_updates_expected; /* in all; robots that are not compiled yet count as the mean of
                                     the others */
} vxe_batch_progress;

/* Called now and then, from the thread that called vxe_batch_run; false stops the batch after a
   moment. */
typedef bool (*vxe_batch_watch)(const vxe_batch_progress *progress, void *user);

/* Runs all robots that have not run yet. watch may be null. Fails without memory only; what happens
   to a robot is in its result. */
VXE_API vxe_status vxe_batch_run(vxe_batch *batch, vxe_batch_watch watch, void *user,
                                 vxe_error *error);

/* What became of a robot. */
typedef enum vxe_simulation_status {
    VXE_ROBOT_WAITING = 0, /* has not run, or was stopped before its end */
    VXE_ROBOT_DONE = 1,
    VXE_ROBOT_DIVERGED = 2,
    VXE_ROBOT_REFUSED = 3,   /* its design cannot run */
    VXE_ROBOT_UNPHYSICAL = 4 /* its energy rose by more than was put in */
} vxe_simulation_status;

/* The result of a robot. Use numbers of robots that are DONE only. */
typedef struct vxe_batch_result {
    vxe_simulation_status status;
    vxe_status reason;       /* VXE_OK, VXE_ERROR_DIVERGED, VXE_ERROR_UNPHYSICAL, or why it was
                                refused */
    const char *message;     /* where and when it diverged or became unphysical, or why it was
                                refused; else empty. Lives as
                                long as the batch. */
    const char *conventions; /* preset and switches that it ran under; lives as long as the batch */
    bool in_lanes;           /* all or most of its steps ran in lanes */
    uint32_t retries;        /* earlier runs, with longer steps, that diverged */
    uint32_t voxels;
    uint64_t bonds;
    double mass; /* kg */
    uint64_t steps;
    double time;      /* s */
    double time_step; /* s */
    uint32_t damping_sweeps;
    double start_time;              /* s: displacement counts from here (end of settling) */
    double start_center[3];         /* m: centre of mass then, design coordinates */
    double center[3];               /* m: centre of mass at the end */
    double displacement;            /* m, horizontal */
    double body_lengths_per_second; /* horizontal speed over the larger horizontal extent */
    double
        fitness; /* by the design's formula, with the bits of vxe_trial_fitness; NaN: no formula */
    const double *path; /* (samples + 1, 3) m: centre of mass at equal times from the start to the
                           end; null where the batch takes none, or the robot did not get to its
                           end. Lives as long as the batch. */
    uint64_t hash;      /* of the state: equal to that of a world that took as many steps */
} vxe_batch_result;

/* The result of a robot; WAITING where there is no such robot. */
VXE_API vxe_batch_result vxe_batch_result_of(const vxe_batch *batch, uint32_t robot);

/* What a batch computes with, and its work so far. */
typedef struct vxe_batch_facts {
    uint32_t threads;
    const char *precision;    /* "mixed" or "double"; robots under another bond law than the native
                                 one run in double */
    const char *isa;          /* instruction set, such as "x86-64-v4" */
    double bond_updates;      /* so far */
    uint32_t robots_in_lanes; /* robots whose result has in_lanes */
} vxe_batch_facts;

VXE_API vxe_batch_facts vxe_batch_describe(const vxe_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
