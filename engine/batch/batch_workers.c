/* SPDX-License-Identifier: MIT */
/* What one thread of a batch does: robots in lanes, visit by visit, and robots alone. */
#include <math.h>
#include <stddef.h>

#include "common/status_internal.h"
#include "engine/batch/batch_data.h"
#include "engine/bonds/bonds.h"
#include "engine/world/world_data.h"

/* Bond updates of a visit: some tens of milliseconds, so that a watcher is heard. */
#define VISIT_UPDATES 5e6
/* A vector of lanes takes as long as one of the single-body solver: 0.9 to 1.1 times, measured on
 * cube_10 and batch_cube_10, batch_mixed_10 and sparse_10, and bodies of 100 to 450 voxels from
 * networks. With contacts and magnets, which are scattered over the lanes' memory, it takes that
 * many times longer. */
#define LANES_FORCES 1.18
/* Steps of a visit of a robot with affine bodies, which may take a millisecond each. */
#define VISIT_STEPS 64u
/* Loading costs some thousand bond updates a voxel: lanes wait until so many of them are idle
 * before others are taken in. In eighths. */
#define IDLE_EIGHTHS 2u

vxe_robot *vxe_batch_take(vxe_batch_queue *queue)
{
    if (atomic_load(&queue->next) >= queue->count) {
        return NULL;
    }
    const uint32_t index = atomic_fetch_add(&queue->next, 1);
    return index < queue->count ? queue->robots[index] : NULL;
}

/* Threads take turns at a pile, for as long as a robot is put on it or taken off. */
static void lock_deferred(vxe_batch_queue *queue)
{
    while (atomic_flag_test_and_set_explicit(&queue->deferred_in_use, memory_order_acquire)) {
    }
}

static void unlock_deferred(vxe_batch_queue *queue)
{
    atomic_flag_clear_explicit(&queue->deferred_in_use, memory_order_release);
}

static void put_aside(vxe_batch_queue *queue, vxe_robot *robot)
{
    lock_deferred(queue);
    queue->deferred[queue->deferred_count++] = robot;
    unlock_deferred(queue);
}

vxe_robot *vxe_batch_take_alone(vxe_batch_queue *queue)
{
    lock_deferred(queue);
    vxe_robot *robot = queue->deferred_count > 0 ? queue->deferred[--queue->deferred_count] : NULL;
    unlock_deferred(queue);
    return robot ? robot : vxe_batch_take(queue);
}

/* Steps to the next thing that a robot is due for. */
static uint64_t steps_to_event(const vxe_robot *robot)
{
    const uint64_t step = robot->simulation.state.step;
    uint64_t event = robot->last_step;
    event = step < robot->start_step && robot->start_step < event ? robot->start_step : event;
    event = step < robot->reference_step && robot->reference_step < event ? robot->reference_step
                                                                          : event;
    const uint64_t peak = (step / VXE_PEAK_STEPS + 1) * VXE_PEAK_STEPS;
    event = robot->peaks && peak < event ? peak : event;
    return event - step;
}

void vxe_batch_count_updates(vxe_batch *batch, const vxe_robot *robot, uint64_t steps)
{
    atomic_fetch_add(&batch->updates, robot->simulation.model.topology.bond_count * steps);
}

bool vxe_batch_is_stopped(vxe_batch_worker *worker)
{
    vxe_batch *batch = worker->batch;
    if (worker->watch) {
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

/* The centre of what is measured of a robot, as a trial has it; places (voxels, 3) m, or null. */
static void measure(const vxe_robot *robot, double center[3], double *places)
{
    vxe_center_sum sum = {0, {0, 0, 0}};
    for (uint32_t v = 0; v < robot->simulation.model.topology.voxel_count; v++) {
        double at[3];
        double *place = places ? places + 3 * (size_t)v : at;
        vxe_simulation_place(&robot->simulation, v, place);
        vxe_center_add(&sum, vxe_measured_mass(robot->simulation.design, v), place);
    }
    vxe_center_of(&sum, center);
}

/* Fills the posture as it is now; places are there. */
static void stand(const vxe_robot *robot)
{
    const vxe_posture *posture = &robot->posture;
    for (uint32_t v = 0; v < posture->voxels; v++) {
        posture->mass[v] = vxe_measured_mass(robot->simulation.design, v);
        vxe_simulation_orientation(&robot->simulation, v, posture->orientation + 4 * (size_t)v);
    }
}

static double fitness_of(const vxe_robot *robot)
{
    double variables[VXE_FITNESS_VARIABLES] = {0};
    double center[3];
    if (robot->fitness.count == 0) {
        return (double)NAN;
    }
    measure(robot, center, robot->posture.place);
    vxe_fitness_read_places(variables, robot->reference_center, center);
    variables[VXE_READ_PEAK] = robot->highest - robot->reference_center[2];
    if (robot->posture.voxels > 0) {
        stand(robot);
        vxe_fitness_read_posture(variables, &robot->posture, robot->reference_center, center);
    }
    variables[VXE_READ_T] = vxe_state_time(&robot->simulation.state);
    variables[VXE_READ_VOXELS] = robot->simulation.model.topology.voxel_count;
    return vxe_formula_value(&robot->fitness, variables);
}

/* Keeps where the robot starts from; a settled robot's first step, or its last if that is before.
 */
static void note_start(vxe_robot *robot)
{
    if (robot->fitness.count > 0 && robot->simulation.state.step == robot->reference_step) {
        measure(robot, robot->reference_center, robot->posture.start);
        robot->highest = robot->reference_center[2];
    }
    if (robot->peaks && robot->simulation.state.step % VXE_PEAK_STEPS == 0) {
        double center[3];
        measure(robot, center, NULL);
        robot->highest = fmax(robot->highest, center[2]);
    }
    if (robot->simulation.state.step == robot->start_step) {
        robot->start_time = vxe_state_time(&robot->simulation.state);
        vxe_simulation_center(&robot->simulation, robot->start_center, NULL);
    }
}

static bool has_diverged(const vxe_robot *robot)
{
    return robot->simulation.failure.kind ||
           !vxe_state_is_finite(&robot->simulation.state,
                                robot->simulation.model.topology.voxel_count);
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
    if (robot->simulation.design->affine_count > 0) {
        return VISIT_STEPS;
    }
    return (uint64_t)(VISIT_UPDATES /
                      (double)(robot->simulation.model.topology.voxel_count * 3ull)) +
           1;
}

/* Writes the result of a robot that is at its end, or has diverged. */
static void finish(vxe_batch *batch, vxe_robot *robot, bool in_lanes)
{
    vxe_batch_entry *entry = &batch->entries[robot->index];
    vxe_batch_result *result = &entry->result;
    const vxe_topology *topology = &robot->simulation.model.topology;
    result->steps = robot->simulation.state.step;
    result->time = vxe_state_time(&robot->simulation.state);
    result->in_lanes = in_lanes;
    result->hash = vxe_state_hash(&robot->simulation.state, topology->place, topology->voxel_count);
    if (has_diverged(robot)) {
        result->status = VXE_ROBOT_DIVERGED;
        result->reason = vxe_simulation_diverged(&robot->simulation, &entry->error);
    } else {
        const double extent =
            fmax(robot->simulation.model.extent[0], robot->simulation.model.extent[1]);
        result->status = VXE_ROBOT_DONE;
        result->start_time = robot->start_time;
        vxe_simulation_center(&robot->simulation, result->center, NULL);
        for (int c = 0; c < 3; c++) {
            result->start_center[c] = robot->start_center[c];
        }
        vxe_batch_measure_way(result, extent);
        result->fitness = fitness_of(robot);
    }
    vxe_robot_clear(robot);
    atomic_fetch_add(&batch->finished, 1);
}

static bool at_end(const vxe_robot *robot)
{
    return robot->simulation.failure.kind || robot->simulation.state.step >= robot->last_step;
}

/* Advances a robot from where it stands to its end, unless the batch is stopped. */
static vxe_status advance_alone(vxe_batch_worker *worker, vxe_robot *robot, vxe_error *error)
{
    vxe_workspace workspace;
    vxe_status status = vxe_workspace_init(
        &workspace, &robot->simulation.model,
        &(vxe_workspace_def){.partitions = 1,
                             .damping_iterations = robot->simulation.plan.damping_iterations},
        error);
    if (status) {
        return status;
    }
    vxe_workspace_set_decay(&workspace, robot->simulation.plan.time_step);
    vxe_workspace_bind(&workspace, &robot->simulation.state);
    const uint64_t visit = vxe_batch_visit(robot);
    note_start(robot);
    bool stopped = vxe_batch_is_stopped(worker);
    while (!stopped && !at_end(robot)) {
        const uint64_t before = robot->simulation.state.step;
        const uint64_t due = steps_to_event(robot);
        vxe_workspace_steps(&workspace, &robot->simulation.state, &robot->simulation.plan,
                            due < visit ? due : visit, &robot->simulation.failure);
        vxe_batch_count_updates(worker->batch, robot, robot->simulation.state.step - before);
        note_start(robot);
        stopped = vxe_batch_is_stopped(worker);
    }
    vxe_workspace_clear(&workspace);
    return VXE_OK;
}

/* A robot at its end: if it diverged it may run again with half the step, alone; then its result.
 */
static vxe_status end_robot(vxe_batch_worker *worker, vxe_robot *robot, bool in_lanes,
                            vxe_error *error)
{
    vxe_batch *batch = worker->batch;
    vxe_batch_result *result = &batch->entries[robot->index].result;
    vxe_status status = VXE_OK;
    while (at_end(robot) && has_diverged(robot) && result->retries < batch->def.retries &&
           !status) {
        result->retries++;
        in_lanes = false;
        status = vxe_batch_start(batch, robot, result, error);
        atomic_fetch_add(&batch->expected,
                         robot->simulation.model.topology.bond_count * robot->last_step);
        status = status ? status : advance_alone(worker, robot, error);
    }
    if (!status && at_end(robot)) {
        finish(batch, robot, in_lanes);
    }
    return status;
}

/* Runs a robot from where it stands to its end. */
static vxe_status run_alone(vxe_batch_worker *worker, vxe_robot *robot, bool was_in_lanes,
                            vxe_error *error)
{
    const vxe_status status = advance_alone(worker, robot, error);
    return status || !at_end(robot) ? status : end_robot(worker, robot, was_in_lanes, error);
}

vxe_status vxe_batch_run_alone(vxe_batch_worker *worker, vxe_robot *robot, vxe_error *error)
{
    return robot->watched ? vxe_batch_run_trial(worker, robot, error)
                          : run_alone(worker, robot, false, error);
}

/* The robots of a group; some lanes may be idle. */
typedef struct batch_neighbors {
    vxe_robot *robot[VXE_MAX_LANES];
    uint32_t count;
} batch_neighbors;

/* Takes robots from the queue into the free lanes; true where there were some. */
static bool fill(batch_neighbors *c, vxe_batch_queue *queue, uint32_t lanes)
{
    const uint32_t before = c->count;
    while (c->count < lanes) {
        vxe_robot *robot = vxe_batch_take(queue);
        if (!robot) {
            break;
        }
        note_start(robot);
        c->robot[c->count++] = robot;
    }
    return c->count > before;
}

/* Advances the loaded batch neighbours to the next event of one of it. */
static void visit(vxe_batch_worker *worker, batch_neighbors *c)
{
    uint64_t steps = (uint64_t)(VISIT_UPDATES / (3.0 * worker->lanes.group.voxels * c->count)) + 1;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint64_t due = steps_to_event(c->robot[i]);
        steps = due < steps ? due : steps;
    }
    const uint64_t before = c->robot[0]->simulation.state.step;
    vxe_lanes_run(&worker->lanes, steps);
    for (uint32_t i = 0; i < c->count; i++) {
        vxe_batch_count_updates(worker->batch, c->robot[i],
                                c->robot[0]->simulation.state.step - before);
    }
}

/* Whether a robot of the batch neighbours has come to something that is due. */
static bool any_due(const batch_neighbors *c)
{
    bool due = false;
    for (uint32_t i = 0; i < c->count; i++) {
        const vxe_robot *robot = c->robot[i];
        due = due || at_end(robot) || robot->simulation.state.step == robot->start_step ||
              robot->simulation.state.step == robot->reference_step;
    }
    return due;
}

/* Results of those at their end, who leave. */
static vxe_status dismiss(vxe_batch_worker *worker, batch_neighbors *c, vxe_error *error)
{
    vxe_status status = VXE_OK;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        vxe_robot *robot = c->robot[i];
        note_start(robot);
        if (at_end(robot)) {
            vxe_lanes_release(&worker->lanes, robot);
            status = status ? status : end_robot(worker, robot, true, error);
        } else {
            c->robot[kept++] = robot;
        }
    }
    c->count = kept;
    return status;
}

/* The part of the lanes of its single-body solver's vectors in which a robot has a bond; packed
 * ones count by what they cost. */
static double use_alone(const vxe_robot *robot)
{
    const vxe_kernel_arrays *arrays = &robot->simulation.model.arrays;
    double held = 0;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t packed = arrays->packed[axis].count;
        held += VXE_VECTOR * (packed > 0 ? VXE_PACKED_COST * packed : arrays->bonds[axis].count);
    }
    return held > 0 ? (double)robot->simulation.model.topology.bond_count / held : 0;
}

/* The part of all threads' lanes that a queue can fill: 51 robots need two companies of 16 on each
   of two threads, which have room for 64. */
static double fullness(const vxe_batch *batch, const vxe_batch_queue *queue)
{
    const double capacity = (double)batch->threads * vxe_lane_kernels_of(batch->kernels)->lanes;
    return queue->count / (capacity * ceil(queue->count / capacity));
}

/* Whether the loaded batch neighbours would be faster one by one: few robots, or bodies that share
 * little.
 */
static bool is_slow(const vxe_batch_worker *worker, const vxe_batch_queue *queue,
                    const batch_neighbors *c)
{
    double alone = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const vxe_model *model = &c->robot[i]->simulation.model;
        const bool scattered = model->surface.count > 0 || model->particles || model->magnets;
        const double gain = scattered ? LANES_FORCES : 1;
        alone += gain * use_alone(c->robot[i]) / c->count;
    }
    return worker->batch->def.schedule == VXE_BATCH_AUTO &&
           fullness(worker->batch, queue) * vxe_lanes_use(&worker->lanes) < alone;
}

/* One batch neighbours from its first robots to its last, taking in others as lanes fall idle. */
static vxe_status run_company(vxe_batch_worker *worker, vxe_batch_queue *queue, batch_neighbors *c,
                              vxe_error *error)
{
    const uint32_t lanes = vxe_lane_kernels_of(worker->batch->kernels)->lanes;
    bool loaded = false; /* the robots are in the lanes */
    bool visited = false;
    bool stopped = vxe_batch_is_stopped(worker);
    while (!stopped && c->count > 0) {
        if (!loaded) {
            const vxe_status status = vxe_lanes_load(&worker->lanes, c->robot, c->count, error);
            if (status) {
                return status;
            }
            loaded = true;
        }
        if (is_slow(worker, queue, c)) {
            break;
        }
        visit(worker, c);
        visited = true;
        if (any_due(c)) {
            vxe_lanes_store(&worker->lanes);
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
        vxe_lanes_store(&worker->lanes);
    }
    for (uint32_t i = 0; i < c->count && !stopped && !status; i++) {
        if (visited) { /* what is left of a batch neighbours */
            status = run_alone(worker, c->robot[i], true, error);
        } else {
            put_aside(queue, c->robot[i]);
        }
    }
    return status;
}

vxe_status vxe_batch_run_lanes(vxe_batch_worker *worker, vxe_batch_queue *queue, vxe_error *error)
{
    vxe_status status = VXE_OK;
    if (!worker->has_lanes) {
        status = vxe_lanes_init(&worker->lanes, worker->batch->kernels, error);
        worker->has_lanes = true;
    }
    batch_neighbors c = {.count = 0};
    while (!status && !atomic_load(&worker->batch->stopping) &&
           fill(&c, queue, vxe_lane_kernels_of(worker->batch->kernels)->lanes)) {
        status = run_company(worker, queue, &c, error);
        c.count = 0;
    }
    return status;
}
