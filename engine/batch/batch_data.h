/* SPDX-License-Identifier: MIT */
/* Data of a batch, and what its files share. A batch runs in rounds, so that memory stays bounded:
   some robots are compiled, sorted into queues, and advanced by a team of threads; then the next
   ones. README.md of this folder has drawings. */
#ifndef VXE_ENGINE_BATCH_BATCH_DATA_H
#define VXE_ENGINE_BATCH_BATCH_DATA_H

#include <stdatomic.h>

#include "common/spin_lock_internal.h"
#include "engine/batch.h"
#include "engine/batch/run.h"
#include "engine/lanes/lanes.h"
#include "engine/timestep/timestep.h"

/* A robot as the caller sees it: its design, and its result once it has run. */
typedef struct vxe_batch_entry {
    const vxe_design *design;
    vxe_batch_variant variant;
    vxe_batch_result result;
    double *path; /* (samples + 1, 3) m; null where none is taken */
    vxe_error error;
    char conventions[VXE_CONVENTIONS_NAME]; /* that it ran under */
} vxe_batch_entry;

struct vxe_batch {
    vxe_batch_def def;
    const vxe_kernels *kernels;
    vxe_known_spectra *known; /* of the robots before */
    uint32_t threads;
    vxe_batch_entry *entries; /* (count) */
    uint32_t count;
    uint32_t capacity;
    uint32_t first;         /* first robot that has not run */
    atomic_uint finished;   /* robots that are at their ends */
    atomic_ullong updates;  /* bond updates so far: bonds times steps */
    atomic_ullong expected; /* bond updates of all robots that are compiled, at their ends */
    atomic_uint compiled;   /* robots that are compiled, refused ones included */
    atomic_bool stopping;
};

/* A queue of robots that may share lanes, or that run alone. Any thread takes the next one. */
typedef struct vxe_batch_queue {
    vxe_robot **robots; /* (count) */
    uint32_t count;
    bool lanes;           /* they run in lanes, as robots of voxels */
    bool bodies;          /* they run in lanes, as affine bodies */
    atomic_uint next;     /* place of the next robot in robots; may pass count */
    vxe_robot **deferred; /* (count) robots that were taken for a group, but run faster alone */
    uint32_t deferred_count;
    vxe_spin_lock deferred_in_use; /* for as long as it takes to add or remove one */
} vxe_batch_queue;

/* What one thread of a batch works with. */
typedef struct vxe_batch_worker {
    vxe_batch *batch;
    vxe_lanes *lanes;      /* of this thread; null: none so far */
    vxe_batch_watch watch; /* on the calling thread; null on others */
    void *user;
} vxe_batch_worker;

/* Runs the robots of a queue in lanes until the queue is empty; every thread of a team calls it.
   Returns VXE_ERROR_MEMORY or VXE_OK; what happens to a robot is in its entry. */
vxe_status vxe_batch_run_lanes(vxe_batch_worker *worker, vxe_batch_queue *queue, vxe_error *error);

/* Runs one robot alone to its end; returns likewise. */
vxe_status vxe_batch_run_alone(vxe_batch_worker *worker, vxe_robot *robot, vxe_error *error);

/* Writes step and size of a robot with affine bodies, which are those of a world of its design,
   into the robot and its result. */
vxe_status vxe_batch_describe_world(vxe_robot *robot, const vxe_world_def *def,
                                    vxe_batch_result *result, vxe_error *error);

/* Runs one watched robot as a world with a trial; returns likewise. */
vxe_status vxe_batch_run_trial(vxe_batch_worker *worker, vxe_robot *robot, vxe_error *error);

/* Runs a queue of affine bodies that touch nothing, in lanes; returns likewise. */
vxe_status vxe_batch_run_bodies(vxe_batch_worker *worker, vxe_batch_queue *queue, vxe_error *error);

/* Steps between two looks at whether the batch is stopped. */
uint64_t vxe_batch_visit(const vxe_robot *robot);

/* Calls the watcher on the calling thread; whether the batch is stopped. */
bool vxe_batch_is_stopped(vxe_batch_worker *worker);

/* Counts steps of a robot as bond updates. */
void vxe_batch_count_updates(vxe_batch *batch, const vxe_robot *robot, uint64_t steps);

/* Writes into the result of a robot that it cannot run; returns VXE_OK. */
vxe_status vxe_batch_refuse(vxe_batch *batch, const vxe_robot *robot, vxe_status reason);

/* The status of a robot whose run failed for a reason. */
static inline vxe_simulation_status vxe_batch_failed(vxe_status reason)
{
    return reason == VXE_ERROR_UNPHYSICAL ? VXE_ROBOT_UNPHYSICAL : VXE_ROBOT_DIVERGED;
}

/* Fills displacement and speed from the centres and times of a result. extent: m, of the body. */
void vxe_batch_measure_way(vxe_batch_result *result, double extent);

/* The next robot of a queue, or null. */
vxe_robot *vxe_batch_take(vxe_batch_queue *queue);

/* Fills a result from a world at its end; displacement counts from a start (s, m). */
void vxe_batch_tell(const vxe_world *world, double start_time, const double start_center[3],
                    vxe_status status, vxe_batch_result *result);

/* Makes the step, state and end of a robot whose model is there, and writes them into its result.
   The step is that of the batch, halved once for each retry. */
vxe_status vxe_batch_start(const vxe_batch *batch, vxe_robot *robot, vxe_batch_result *result,
                           vxe_error *error);

/* Gives a robot at its start the controller of its design, if there is one and it is not watched.
 */
vxe_status vxe_batch_take_control(vxe_robot *robot, vxe_error *error);

/* Whether a tick of the controller is due at the present step. */
bool vxe_batch_tick_is_due(const vxe_robot *robot);

/* Takes the tick that is due, if any, of a robot whose state is stored; and of one in a lane. Fail
   without memory only. */
vxe_status vxe_batch_tick(vxe_robot *robot, vxe_error *error);
vxe_status vxe_batch_tick_in_lane(vxe_lanes *lanes, vxe_robot *robot, vxe_error *error);

/* The next robot of a queue that runs alone: a deferred one, or else the next; or null. */
vxe_robot *vxe_batch_take_alone(vxe_batch_queue *queue);

#endif
