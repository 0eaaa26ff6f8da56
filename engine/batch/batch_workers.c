/* SPDX-License-Identifier: MIT */
/* What one thread of a batch does: it takes robots from queues, advances them in groups of lanes or
   alone, visit by visit, and writes their results. A visit ends where something is due for one of
   the robots, or after some tens of milliseconds, so that a watcher can stop the batch. */
#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/batch/batch_data.h"
#include "engine/world/world_data.h"

/* Bond updates of a visit: they take some tens of milliseconds. */
#define VISIT_UPDATES 5e6
/* Steps of a visit of a robot with affine bodies, which may take a millisecond each. */
#define VISIT_STEPS 64u
/* Loading costs some thousand bond updates for each voxel, so a group takes new robots only when so
   many eighths of its lanes are idle. */
#define IDLE_EIGHTHS 2u

vxe_robot *vxe_batch_take(vxe_batch_queue *queue)
{
    if (atomic_load(&queue->next) >= queue->count) {
        return NULL;
    }
    const uint32_t index = atomic_fetch_add(&queue->next, 1);
    return index < queue->count ? queue->robots[index] : NULL;
}

/* Defers a robot to single-body execution. */
static void defer(vxe_batch_queue *queue, vxe_robot *robot)
{
    vxe_spin_lock_take(&queue->deferred_in_use);
    VXE_ASSERT(queue->deferred_count < queue->count);
    queue->deferred[queue->deferred_count++] = robot;
    vxe_spin_lock_release(&queue->deferred_in_use);
}

vxe_robot *vxe_batch_take_alone(vxe_batch_queue *queue)
{
    vxe_spin_lock_take(&queue->deferred_in_use);
    vxe_robot *robot = queue->deferred_count > 0 ? queue->deferred[--queue->deferred_count] : NULL;
    vxe_spin_lock_release(&queue->deferred_in_use);
    return robot ? robot : vxe_batch_take(queue);
}

/* Steps to the next event of a robot: its end, start, reference, a tick, or a sample of its peak or
   path. */
static uint64_t steps_to_event(const vxe_robot *robot)
{
    const uint64_t step = robot->simulation->state.step;
    VXE_ASSERT(step <= robot->run->last_step);
    uint64_t event = robot->run->last_step;
    event = step < robot->run->start_step && robot->run->start_step < event ? robot->run->start_step
                                                                            : event;
    event = step < robot->run->reference_step && robot->run->reference_step < event
                ? robot->run->reference_step
                : event;
    const uint64_t peak = (step / VXE_PEAK_STEPS + 1) * VXE_PEAK_STEPS;
    event = robot->run->peaks && peak < event ? peak : event;
    if (robot->run->control && robot->run->control->next < event) {
        VXE_ASSERT(robot->run->control->next > step);
        event = robot->run->control->next;
    }
    if (robot->run->samples > 0) {
        const uint32_t next = vxe_run_next_sample(robot->run, step + 1);
        const uint64_t sample = next <= robot->run->samples ? vxe_run_sample_step(robot->run, next)
                                                            : robot->run->last_step;
        event = sample < event ? sample : event;
    }
    return event - step;
}

void vxe_batch_count_updates(vxe_batch *batch, const vxe_robot *robot, uint64_t steps)
{
    atomic_fetch_add(&batch->updates, robot->simulation->model.topology.bond_count * steps);
}

bool vxe_batch_is_stopped(vxe_batch_worker *worker)
{
    vxe_batch *batch = worker->batch;
    if (worker->watch && !atomic_load(&batch->stopping)) { /* who has said no is not asked again */
        const double share = (double)atomic_load(&batch->compiled) / batch->count;
        const vxe_batch_progress progress = {atomic_load(&batch->finished), batch->count,
                                             (double)atomic_load(&batch->updates),
                                             (double)atomic_load(&batch->expected) / share};
        if (!worker->watch(&progress, worker->user)) {
            atomic_store(&batch->stopping, true);
        }
    }
    return atomic_load(&batch->stopping);
}

/* The centre (m) of what is measured of a robot, as in a trial. places: (voxels, 3) m to be filled,
   or null. */
static void measure(const vxe_robot *robot, double center[3], double *places)
{
    const vxe_densities densities = vxe_densities_of(robot->simulation->design);
    vxe_center_sum sum = {0, {0, 0, 0}};
    for (uint32_t v = 0; v < robot->simulation->model.topology.voxel_count; v++) {
        double at[3];
        double *place = places ? places + 3 * (size_t)v : at;
        vxe_simulation_place(robot->simulation, v, place);
        vxe_center_add(&sum, vxe_measured_mass(&densities, v), place);
    }
    vxe_center_of(&sum, center);
}

/* Fills masses and orientations of the posture; its places are filled already. */
static void stand(const vxe_robot *robot)
{
    const vxe_densities densities = vxe_densities_of(robot->simulation->design);
    const vxe_posture *posture = &robot->run->posture;
    for (uint32_t v = 0; v < posture->voxels; v++) {
        posture->mass[v] = vxe_measured_mass(&densities, v);
        vxe_simulation_orientation(robot->simulation, v, posture->orientation + 4 * (size_t)v);
    }
}

/* The fitness of a robot by its formula; NaN without one. */
static double fitness_of(const vxe_robot *robot)
{
    double variables[VXE_FITNESS_VARIABLES] = {0};
    double center[3];
    if (robot->run->fitness.count == 0) {
        return (double)NAN;
    }
    measure(robot, center, robot->run->posture.place);
    vxe_fitness_read_places(variables, robot->run->reference_center, center);
    variables[VXE_READ_PEAK] = robot->run->highest - robot->run->reference_center[2];
    if (robot->run->posture.voxels > 0) {
        stand(robot);
        vxe_fitness_read_posture(variables, &robot->run->posture, robot->run->reference_center,
                                 center);
    }
    variables[VXE_READ_T] = vxe_state_time(&robot->simulation->state);
    variables[VXE_READ_VOXELS] = robot->simulation->model.topology.voxel_count;
    return vxe_formula_value(&robot->run->fitness, variables);
}

/* Takes the samples of the path that are due at the present step. */
static void note_path(vxe_robot *robot)
{
    const uint64_t step = robot->simulation->state.step;
    for (uint32_t k = vxe_run_next_sample(robot->run, step);
         k <= robot->run->samples && vxe_run_sample_step(robot->run, k) == step; k++) {
        vxe_simulation_center(robot->simulation, robot->run->path + 3 * (size_t)k, NULL);
    }
}

/* Takes what is due at the present step: the reference, the sample of the peak, the start, and
   samples of the path. */
static void note_start(vxe_robot *robot)
{
    if (robot->run->samples > 0) {
        note_path(robot);
    }
    if (robot->run->fitness.count > 0 &&
        robot->simulation->state.step == robot->run->reference_step) {
        measure(robot, robot->run->reference_center, robot->run->posture.start);
        robot->run->highest = robot->run->reference_center[2];
    }
    if (robot->run->peaks && robot->simulation->state.step % VXE_PEAK_STEPS == 0) {
        double center[3];
        measure(robot, center, NULL);
        robot->run->highest = fmax(robot->run->highest, center[2]);
    }
    if (robot->simulation->state.step == robot->run->start_step) {
        robot->run->start_time = vxe_state_time(&robot->simulation->state);
        vxe_simulation_center(robot->simulation, robot->run->start_center, NULL);
    }
}

static bool has_diverged(const vxe_robot *robot)
{
    return robot->simulation->failure.kind ||
           !vxe_state_is_finite(&robot->simulation->state,
                                robot->simulation->model.topology.voxel_count);
}

void vxe_batch_measure_way(vxe_batch_result *result, double extent)
{
    const double time = result->time - result->start_time;
    result->displacement = hypot(result->center[0] - result->start_center[0],
                                 result->center[1] - result->start_center[1]);
    result->body_lengths_per_second = time > 0 ? result->displacement / extent / time : 0;
}

uint64_t vxe_batch_visit(const vxe_robot *robot)
{
    if (robot->simulation->design->affine_count > 0) {
        return VISIT_STEPS;
    }
    return (uint64_t)(VISIT_UPDATES /
                      (double)(robot->simulation->model.topology.voxel_count * 3ull)) +
           1;
}

/* Writes the result of a robot that is at its end, or has diverged, and releases the robot. */
static void finish(vxe_batch *batch, vxe_robot *robot, bool in_lanes)
{
    VXE_ASSERT(robot->run->index < batch->count);
    vxe_batch_entry *entry = &batch->entries[robot->run->index];
    vxe_batch_result *result = &entry->result;
    const vxe_topology *topology = &robot->simulation->model.topology;
    result->steps = robot->simulation->state.step;
    result->time = vxe_state_time(&robot->simulation->state);
    result->in_lanes = in_lanes;
    result->hash =
        vxe_state_hash(&robot->simulation->state, topology->place, topology->voxel_count);
    if (has_diverged(robot)) {
        result->reason = vxe_simulation_diverged(robot->simulation, &entry->error);
        result->status = vxe_batch_failed(result->reason);
    } else {
        const double extent =
            fmax(robot->simulation->model.extent[0], robot->simulation->model.extent[1]);
        result->status = VXE_ROBOT_DONE;
        result->start_time = robot->run->start_time;
        vxe_simulation_center(robot->simulation, result->center, NULL);
        for (int c = 0; c < 3; c++) {
            result->start_center[c] = robot->run->start_center[c];
        }
        vxe_batch_measure_way(result, extent);
        result->fitness = fitness_of(robot);
    }
    vxe_run_clear(robot);
    atomic_fetch_add(&batch->finished, 1);
}

static bool at_end(const vxe_robot *robot)
{
    return robot->simulation->failure.kind ||
           robot->simulation->state.step >= robot->run->last_step;
}

/* Advances a robot by itself from its present step to its end, unless the batch is stopped. */
static vxe_status advance_alone(vxe_batch_worker *worker, vxe_robot *robot, vxe_error *error)
{
    vxe_workspace workspace;
    vxe_status status = vxe_workspace_init(
        &workspace, &robot->simulation->model,
        &(vxe_workspace_def){.partitions = 1,
                             .damping_iterations = robot->simulation->plan.damping_iterations},
        error);
    if (status) {
        return status;
    }
    vxe_workspace_set_decay(&workspace, robot->simulation->plan.time_step);
    vxe_workspace_bind(&workspace, &robot->simulation->state);
    const uint64_t visit = vxe_batch_visit(robot);
    note_start(robot);
    bool stopped = vxe_batch_is_stopped(worker);
    while (!stopped && !at_end(robot)) {
        status = vxe_batch_tick(robot, error);
        if (status) {
            break;
        }
        const uint64_t before = robot->simulation->state.step;
        const uint64_t due = steps_to_event(robot);
        VXE_ASSERT(due > 0);
        vxe_guarded_steps(robot->guard, &workspace, robot->simulation, due < visit ? due : visit);
        vxe_batch_count_updates(worker->batch, robot, robot->simulation->state.step - before);
        note_start(robot);
        stopped = vxe_batch_is_stopped(worker);
    }
    vxe_workspace_clear(&workspace);
    return status;
}

/* Handles a robot at its end: if it has diverged and retries are left, it runs again alone with
   half the step; then its result is written. */
static vxe_status end_robot(vxe_batch_worker *worker, vxe_robot *robot, bool in_lanes,
                            vxe_error *error)
{
    vxe_batch *batch = worker->batch;
    vxe_batch_result *result = &batch->entries[robot->run->index].result;
    vxe_status status = VXE_OK;
    while (at_end(robot) && has_diverged(robot) && result->retries < batch->def.retries &&
           !status) {
        result->retries++;
        in_lanes = false;
        status = vxe_batch_start(batch, robot, result, error);
        atomic_fetch_add(&batch->expected,
                         robot->simulation->model.topology.bond_count * robot->run->last_step);
        status = status ? status : advance_alone(worker, robot, error);
    }
    if (!status && at_end(robot)) {
        finish(batch, robot, in_lanes);
    }
    return status;
}

/* Runs a robot by itself from its present step to its end, and writes its result. */
static vxe_status run_alone(vxe_batch_worker *worker, vxe_robot *robot, bool was_in_lanes,
                            vxe_error *error)
{
    const vxe_status status = advance_alone(worker, robot, error);
    return status || !at_end(robot) ? status : end_robot(worker, robot, was_in_lanes, error);
}

vxe_status vxe_batch_run_alone(vxe_batch_worker *worker, vxe_robot *robot, vxe_error *error)
{
    return robot->run->watched ? vxe_batch_run_trial(worker, robot, error)
                               : run_alone(worker, robot, false, error);
}

/* The robots of a group, which share lanes; at most one for each lane. */
typedef struct batch_neighbors {
    vxe_robot *robot[VXE_MAX_LANES];
    uint32_t count;
    uint32_t place; /* in the queue, of the last robot that joined */
} batch_neighbors;

/* Takes robots from the queue until the group is full or the queue empty; true if it took any. */
static bool fill(batch_neighbors *c, vxe_batch_queue *queue, uint32_t lanes)
{
    const uint32_t before = c->count;
    VXE_ASSERT(lanes <= VXE_MAX_LANES && c->count <= lanes);
    while (c->count < lanes) {
        vxe_robot *robot = vxe_batch_take(queue);
        if (!robot) {
            break;
        }
        note_start(robot);
        c->robot[c->count++] = robot;
        const uint32_t taken = atomic_load(&queue->next); /* at the end more than there are */
        c->place = (taken < queue->count ? taken : queue->count) - 1;
    }
    return c->count > before;
}

/* Advances the loaded group to the next event of one of its robots, or to the end of the visit,
   with the looks of their guards on the way. */
static vxe_status visit(vxe_batch_worker *worker, batch_neighbors *c, vxe_error *error)
{
    VXE_ASSERT(c->count > 0 && worker->lanes->group.voxels > 0);
    uint64_t steps = (uint64_t)(VISIT_UPDATES / (3.0 * worker->lanes->group.voxels * c->count)) + 1;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint64_t due = steps_to_event(c->robot[i]);
        steps = due < steps ? due : steps;
    }
    uint64_t done = 0;
    const vxe_status status = vxe_lanes_guarded_run(worker->lanes, steps, &done, error);
    for (uint32_t i = 0; i < c->count && !status; i++) {
        VXE_ASSERT(c->robot[i]->simulation->state.step <= c->robot[i]->run->last_step);
        vxe_batch_count_updates(worker->batch, c->robot[i], done);
    }
    return status;
}

/* Whether a sample of the path is due at the present step. */
static bool sample_is_due(const vxe_robot *robot)
{
    const uint64_t step = robot->simulation->state.step;
    const uint32_t next = robot->run->samples > 0 ? vxe_run_next_sample(robot->run, step) : 0;
    return robot->run->samples > 0 && next <= robot->run->samples &&
           vxe_run_sample_step(robot->run, next) == step;
}

/* Whether a robot of the group is at its end, its start, its reference or a sample. */
static bool any_due(const batch_neighbors *c)
{
    bool due = false;
    for (uint32_t i = 0; i < c->count; i++) {
        const vxe_robot *robot = c->robot[i];
        due = due || at_end(robot) || robot->simulation->state.step == robot->run->start_step ||
              robot->simulation->state.step == robot->run->reference_step || sample_is_due(robot);
    }
    return due;
}

/* Writes the results of robots that are at their ends, and removes these from the group. */
static vxe_status dismiss(vxe_batch_worker *worker, batch_neighbors *c, vxe_error *error)
{
    vxe_status status = VXE_OK;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        vxe_robot *robot = c->robot[i];
        note_start(robot);
        if (at_end(robot)) {
            vxe_lanes_release(worker->lanes, robot);
            status = status ? status : end_robot(worker, robot, true, error);
        } else {
            c->robot[kept++] = robot;
        }
    }
    c->count = kept;
    return status;
}

/* Whether the robots of the loaded group would be faster one by one: they are few, or their bodies
   have little in common. */
static bool is_slow(const vxe_batch_worker *worker, const batch_neighbors *c,
                    const vxe_batch_queue *queue)
{
    const vxe_batch *batch = worker->batch;
    return batch->def.schedule == VXE_BATCH_AUTO &&
           !vxe_lanes_are_worth(worker->lanes, c->place, queue->count, batch->threads);
}

/* Takes the ticks of controllers that are due; loaded: the robots are in the lanes. */
static vxe_status take_ticks(vxe_batch_worker *worker, batch_neighbors *c, bool loaded,
                             vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < c->count && !status; i++) {
        status = loaded ? vxe_batch_tick_in_lane(worker->lanes, c->robot[i], error)
                        : vxe_batch_tick(c->robot[i], error);
    }
    return status;
}

/* Runs a group until the queue is empty, taking new robots as lanes become idle; or until it is
   slower than its robots would be alone. Then the robots that are left run alone, or are deferred.
 */
static vxe_status run_group(vxe_batch_worker *worker, vxe_batch_queue *queue, batch_neighbors *c,
                            vxe_error *error)
{
    const uint32_t lanes = vxe_lane_kernels_of(worker->batch->kernels)->lanes;
    bool loaded = false; /* the robots are in the lanes */
    bool stopped = vxe_batch_is_stopped(worker);
    while (!stopped && c->count > 0) {
        if (!loaded) {
            if (take_ticks(worker, c, false, error) ||
                vxe_lanes_load(worker->lanes, c->robot, c->count, error)) {
                return error->status;
            }
            loaded = true;
        }
        if (is_slow(worker, c, queue)) {
            break;
        }
        if (visit(worker, c, error) || take_ticks(worker, c, true, error)) {
            return error->status;
        }
        if (any_due(c)) {
            vxe_lanes_store(worker->lanes);
            const vxe_status status = dismiss(worker, c, error);
            if (status) {
                return status;
            }
            if (8 * (lanes - c->count) >= IDLE_EIGHTHS * lanes) {
                loaded = !fill(c, queue, lanes);
            }
        }
        stopped = vxe_batch_is_stopped(worker);
    }
    vxe_status status = VXE_OK;
    if (loaded) {
        vxe_lanes_store(worker->lanes);
    }
    for (uint32_t i = 0; i < c->count && !stopped && !status; i++) {
        if (c->robot[i]->simulation->state.step > 0) { /* it has begun, so this thread ends it */
            status = run_alone(worker, c->robot[i], true, error);
        } else {
            defer(queue, c->robot[i]);
        }
    }
    return status;
}

vxe_status vxe_batch_run_lanes(vxe_batch_worker *worker, vxe_batch_queue *queue, vxe_error *error)
{
    vxe_status status = VXE_OK;
    if (!worker->lanes) { /* too large for the stack of a thread */
        worker->lanes = vxe_memory_take(1, sizeof *worker->lanes);
        status = worker->lanes ? vxe_lanes_init(worker->lanes, worker->batch->kernels, error)
                               : vxe_error_memory(error, sizeof *worker->lanes);
    }
    batch_neighbors c = {.count = 0};
    while (!status && !atomic_load(&worker->batch->stopping) &&
           fill(&c, queue, vxe_lane_kernels_of(worker->batch->kernels)->lanes)) {
        status = run_group(worker, queue, &c, error);
        c.count = 0;
    }
    return status;
}
