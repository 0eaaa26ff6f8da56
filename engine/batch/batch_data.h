/* SPDX-License-Identifier: MIT */
/* A batch runs in rounds: as many robots as memory bounds are compiled, ordered by overlap, and
   advanced by a team of threads; then the next. */
#ifndef VXE_ENGINE_BATCH_BATCH_DATA_H
#define VXE_ENGINE_BATCH_BATCH_DATA_H

#include <stdatomic.h>

#include "engine/batch.h"
#include "engine/batch/lanes.h"

/* A robot as the caller sees it. */
typedef struct vxe_batch_entry {
    const vxe_design *design;
    vxe_batch_result result;
    vxe_error error;
} vxe_batch_entry;

struct vxe_batch {
    vxe_batch_def def;
    const vxe_kernels *kernels;
    uint32_t threads;
    vxe_batch_entry *entries; /* (count) */
    uint32_t count;
    uint32_t capacity;
    uint32_t first;         /* that has not run */
    atomic_uint finished;   /* robots */
    atomic_ullong updates;  /* bonds times steps */
    atomic_ullong expected; /* the same at their ends, of robots that are compiled */
    atomic_uint compiled;   /* robots, refused ones among them */
    atomic_bool stopping;
};

/* Robots that may share lanes, or that run alone, and how far they are given out. */
typedef struct vxe_batch_queue {
    vxe_robot **robots; /* (count) */
    uint32_t count;
    bool lanes;  /* of voxels, */
    bool bodies; /* or of affine bodies */
    atomic_uint next;
    vxe_robot **deferred; /* (count) those that are faster alone than in the batch neighbours they
                             came in */
    uint32_t deferred_count;
    atomic_flag deferred_in_use;
} vxe_batch_queue;

/* Advances the robots of a queue until it is empty; every thread of a team calls it. step is called
 * now and then. */
typedef struct vxe_batch_worker {
    vxe_batch *batch;
    vxe_lanes lanes; /* of this thread */
    bool has_lanes;
    vxe_batch_watch watch; /* of the calling thread; null on others */
    void *user;
} vxe_batch_worker;

/* Both return VXE_ERROR_MEMORY or VXE_OK; what befalls a robot is in its entry. */
vxe_status vxe_batch_run_lanes(vxe_batch_worker *worker, vxe_batch_queue *queue, vxe_error *error);
vxe_status vxe_batch_run_alone(vxe_batch_worker *worker, vxe_robot *robot, vxe_error *error);

/* Likewise for one that is watched, and for a queue of affine bodies that go alone. */
vxe_status vxe_batch_run_trial(vxe_batch_worker *worker, vxe_robot *robot, vxe_error *error);
vxe_status vxe_batch_run_bodies(vxe_batch_worker *worker, vxe_batch_queue *queue, vxe_error *error);

/* What both share: steps of a visit, whether the batch is stopped, counting, a refusal (VXE_OK),
   displacement and speed from the centres and times of a result, the next robot of a queue or null,
   and what a result tells of a world at its end, whose displacement counts from a start (s, m). */
uint64_t vxe_batch_visit(const vxe_robot *robot);
bool vxe_batch_is_stopped(vxe_batch_worker *worker);
void vxe_batch_count_updates(vxe_batch *batch, const vxe_robot *robot, uint64_t steps);
vxe_status vxe_batch_refuse(vxe_batch *batch, const vxe_robot *robot, vxe_status reason);
void vxe_batch_measure_way(vxe_batch_result *result, double extent);
vxe_robot *vxe_batch_take(vxe_batch_queue *queue);
void vxe_batch_tell(const vxe_world *world, double start_time, const double start_center[3],
                    vxe_status status, vxe_batch_result *result);

/* Makes a robot's step and state, where it ends, and what its entry says of these; its model is
   there. The step is that of the batch, halved as often as the robot was run before. */
vxe_status vxe_batch_start(const vxe_batch *batch, vxe_robot *robot, vxe_batch_result *result,
                           vxe_error *error);

/* The next robot of a queue that runs alone, whether it was put aside or never was beside batch
   neighbours; or null. */
vxe_robot *vxe_batch_take_alone(vxe_batch_queue *queue);

#endif
