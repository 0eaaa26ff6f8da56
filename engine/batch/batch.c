/* SPDX-License-Identifier: MIT */
/* A batch from its creation to its results: compiles robots round by round, sorts them into queues
   of robots that may share lanes, and lets a team of threads run the queues. */
#define _POSIX_C_SOURCE 200809L /* for nanosleep */
#include "engine/batch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/parallel.h"
#include "common/parallel_internal.h"
#include "common/rotation_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/batch/batch_data.h"
#include "engine/trial.h"
#include "engine/world/world_data.h"

void vxe_run_clear(vxe_robot *robot)
{
    vxe_run *run = robot->run;
    vxe_run_release_control(run);
    vxe_robot_stop_looking(robot);
    vxe_energy_guard_clear(&run->guard);
    vxe_simulation_clear(&run->simulation);
    vxe_expression_clear(&run->fitness);
    vxe_memory_release(run->posture.mass);
    vxe_memory_release(run->posture.place);
    vxe_memory_release(run->posture.orientation);
    vxe_memory_release(run->posture.start);
    *run = (vxe_run){.index = run->index};
}

#define COOKIE 0x62746368u /* "btch" */
/* Voxels of a round, which take about 300 bytes each. */
#define ROUND_VOXELS (1ull << 20)
/* So many points of a heightfield take as much memory as a voxel. */
#define POINTS_PER_VOXEL 16u
/* After so many halvings the step is a millionth of the first one. */
#define MAX_RETRIES 20u
/* The group key of a queue of affine bodies. */
#define BODIES UINT32_MAX

vxe_batch_def vxe_batch_def_default(void)
{
    return (vxe_batch_def){.cookie = COOKIE, .world = vxe_world_def_default()};
}

vxe_batch *vxe_batch_create(const vxe_batch_def *def, vxe_error *error)
{
    if (def->cookie != COOKIE) {
        vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                       "the batch's definition did not start from vxe_batch_def_default()");
        return NULL;
    }
    const uint64_t max_steps = UINT64_MAX >> MAX_RETRIES;
    if (def->retries > MAX_RETRIES || def->steps > max_steps || def->max_steps > max_steps) {
        vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                       "%u retries are asked for; at most %u, and fewer "
                       "than 2^44 steps",
                       def->retries, MAX_RETRIES);
        return NULL;
    }
    if (vxe_world_def_check(&def->world, error)) {
        return NULL;
    }
    if (def->schedule > VXE_BATCH_ALONE) {
        vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                       "the batch's definition: schedule is %d; it must be 0 to %d",
                       (int)def->schedule, VXE_BATCH_ALONE);
        return NULL;
    }
    if (def->world.audit || !(def->duration >= 0 && def->duration < 1e300) ||
        !(def->max_duration >= 0 && def->max_duration < 1e300)) {
        vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                       def->world.audit
                           ? "a batch keeps no energy audit: switch it off, or run the design alone"
                           : "a batch's durations must be numbers of seconds, or 0");
        return NULL;
    }
    const char *why = NULL;
    const vxe_kernels *kernels = vxe_kernels_for_voxels(def->world.precision, &why);
    if (!kernels) {
        vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
        return NULL;
    }
    vxe_batch *batch = vxe_memory_take(1, sizeof *batch);
    if (batch) {
        batch->known = vxe_known_spectra_create();
    }
    if (!batch || !batch->known) {
        vxe_memory_release(batch);
        vxe_error_memory(error, sizeof *batch);
        return NULL;
    }
    batch->def = *def;
    batch->kernels = kernels;
    batch->threads = def->world.threads ? def->world.threads : vxe_parallel_available();
    return batch;
}

void vxe_batch_destroy(vxe_batch *batch)
{
    for (uint32_t i = 0; batch && i < batch->count; i++) {
        vxe_memory_release(batch->entries[i].path);
    }
    if (batch) {
        vxe_known_spectra_destroy(batch->known);
        vxe_memory_release(batch->entries);
        vxe_memory_release(batch);
    }
}

vxe_status vxe_batch_add(vxe_batch *batch, const vxe_design *design, vxe_error *error)
{
    return vxe_batch_add_variant(batch, design, &(vxe_batch_variant){.step = 1}, error);
}

/* Whether the numbers of a variant make sense: turns stay small, and shifts within the precision of
   positions. */
static bool is_usable(const vxe_batch_variant *variant)
{
    bool good = variant->step > 0 && variant->step < 1e6;
    for (int c = 0; c < 3; c++) {
        good = good && fabs(variant->turn[c]) < 1 && fabs(variant->shift[c]) < 1e6;
    }
    return good;
}

vxe_status vxe_batch_add_variant(vxe_batch *batch, const vxe_design *design,
                                 const vxe_batch_variant *variant, vxe_error *error)
{
    if (!is_usable(variant)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a variant's step is a factor above 0, its turns are below 1 rad");
    }
    if (batch->count == batch->capacity) {
        const uint64_t capacity = batch->capacity ? 2ull * batch->capacity : 64;
        vxe_batch_entry *entries =
            capacity < VXE_NONE
                ? vxe_memory_grow(batch->entries, batch->count, capacity, sizeof *entries)
                : NULL;
        if (!entries) {
            return vxe_error_memory(error, capacity * sizeof *entries);
        }
        batch->entries = entries;
        batch->capacity = (uint32_t)capacity;
    }
    VXE_ASSERT(batch->count < batch->capacity);
    batch->entries[batch->count++] =
        (vxe_batch_entry){.design = design, .variant = *variant, .result.fitness = (double)NAN};
    return VXE_OK;
}

uint32_t vxe_batch_count(const vxe_batch *batch)
{
    return batch->count;
}

/* The step at which a robot reaches a time (s); 0 if its run ends before: displacement then counts
   from the beginning. */
static uint64_t step_at(const vxe_robot *robot, double time)
{
    const uint64_t step = vxe_run_step_at(time, robot->simulation->plan.time_step, VXE_ARRIVAL_AT);
    return step < UINT64_MAX && step <= robot->run->last_step ? step : 0;
}

/* Fails where a robot's run would be longer than the batch allows. */
static vxe_status check_length(const vxe_batch_def *def, const vxe_robot *robot, uint32_t retries,
                               vxe_error *error)
{
    const double step = robot->simulation->plan.time_step;
    const uint64_t by_time = vxe_run_step_at(def->max_duration, step, VXE_ARRIVAL_AT);
    const uint64_t by_steps = def->max_steps << retries;
    const bool too_many = def->max_steps > 0 && robot->run->last_step > by_steps;
    if (!too_many && (def->max_duration <= 0 || robot->run->last_step <= by_time)) {
        return VXE_OK;
    }
    if (robot->run->last_step == UINT64_MAX) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "its end is left to its stop formula, where the length of runs is "
                              "limited: give the design a duration too");
    }
    return vxe_error_fill(error, VXE_ERROR_INPUT,
                          "its run of %g s, %" PRIu64 " steps, is longer than %g %s, the limit",
                          (double)robot->run->last_step * step, robot->run->last_step,
                          too_many ? (double)by_steps : def->max_duration,
                          too_many ? "steps" : "s");
}

/* Finds the steps at which a robot ends, settles and has its reference: by the batch's duration or
   steps, or else by the stop rule of its design. */
static vxe_status find_end(const vxe_batch *batch, vxe_robot *robot, uint32_t retries,
                           vxe_error *error)
{
    const vxe_design *design = robot->simulation->design;
    const double step = robot->simulation->plan.time_step;
    vxe_run_limits limits = vxe_run_limits_of(design, batch->def.duration, batch->def.steps);
    limits.steps = limits.steps < UINT64_MAX ? limits.steps << retries : UINT64_MAX;
    robot->run->last_step = vxe_run_last_step(&limits, step, VXE_ARRIVAL_AT);
    if (robot->run->last_step == UINT64_MAX && !design->formulas[VXE_FORMULA_STOP]) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "neither a duration nor a number of steps is given, and the design "
                              "has no stop rule");
    }
    const vxe_status status = check_length(&batch->def, robot, retries, error);
    if (status) {
        return status;
    }
    robot->run->start_step = step_at(robot, design->stop.settle_time);
    robot->run->reference_step = step_at(robot, vxe_reference_time(design));
    VXE_ASSERT(robot->run->start_step <= robot->run->last_step &&
               robot->run->reference_step <= robot->run->last_step);
    return VXE_OK;
}

/* Parses a robot's formulas. A formula of the stop, one of the fitness that needs every step, or a
   controller of what lanes refuse makes it a watched robot; otherwise the fitness is evaluated at
   its end. */
static vxe_status find_formulas(vxe_robot *robot, vxe_error *error)
{
    vxe_expression stop = {0};
    vxe_status status =
        vxe_formula_parse(&stop, robot->simulation->design, VXE_FORMULA_STOP, error);
    status = status ? status
                    : vxe_formula_parse(&robot->run->fitness, robot->simulation->design,
                                        VXE_FORMULA_FITNESS, error);
    const bool controlled = robot->simulation->design->controller.interval > 0;
    robot->run->watched = stop.count > 0 || vxe_formula_watches(&robot->run->fitness) ||
                          (controlled && vxe_lanes_refusal(&robot->simulation->model));
    vxe_expression_clear(&stop);
    if (robot->run->watched) {
        vxe_expression_clear(&robot->run->fitness);
    }
    robot->run->peaks = vxe_expression_reads(&robot->run->fitness, VXE_READ_PEAK);
    if (status || !vxe_formula_sees_posture(&robot->run->fitness)) {
        return status;
    }
    const uint32_t voxels = robot->simulation->design->voxel_count;
    vxe_posture *posture = &robot->run->posture;
    posture->voxels = voxels;
    posture->mass = vxe_memory_take(voxels, sizeof *posture->mass);
    posture->place = vxe_memory_take(voxels, 3 * sizeof *posture->place);
    posture->orientation = vxe_memory_take(voxels, 4 * sizeof *posture->orientation);
    posture->start = vxe_memory_take(voxels, 3 * sizeof *posture->start);
    return posture->mass && posture->place && posture->orientation && posture->start
               ? VXE_OK
               : vxe_error_memory(error, 88ull * voxels);
}

/* Takes memory for the path of a robot whose end is known. */
static vxe_status take_path(const vxe_batch *batch, vxe_robot *robot, vxe_error *error)
{
    vxe_batch_entry *entry = &batch->entries[robot->run->index];
    const uint32_t samples = batch->def.samples;
    if (samples == 0 || robot->run->last_step == UINT64_MAX || robot->run->last_step == 0) {
        return VXE_OK;
    }
    if (!entry->path) {
        entry->path = vxe_memory_take(3 * (samples + 1ull), sizeof *entry->path);
    }
    robot->run->samples = entry->path ? samples : 0;
    robot->run->path = entry->path;
    return entry->path ? VXE_OK : vxe_error_memory(error, 24 * (samples + 1ull));
}

vxe_status vxe_batch_start(const vxe_batch *batch, vxe_robot *robot, vxe_batch_result *result,
                           vxe_error *error)
{
    vxe_world_def def = batch->def.world;
    const vxe_batch_variant *variant = &batch->entries[robot->run->index].variant;
    def.step_scale = ldexp(def.step_scale * variant->step, -(int)result->retries);
    if (robot->simulation->design->affine_count > 0) {
        def.threads = 1;
        const vxe_status described = vxe_batch_describe_world(robot, &def, result, error);
        return described ? described : find_end(batch, robot, result->retries, error);
    }
    robot->simulation->failure = (vxe_failure){0};
    vxe_state_clear(&robot->simulation->state);
    vxe_robot_stop_looking(robot);
    vxe_energy_guard_clear(robot->guard);
    robot->simulation->controlled = robot->simulation->design->controller.interval > 0;
    vxe_status status = vxe_simulation_start(robot->simulation, &def, error);
    if (!status) {
        vxe_simulation_displace(robot->simulation, variant->turn, variant->shift);
    }
    if (!status && !robot->run->watched) { /* a watched robot is a world, which has its own */
        status = vxe_energy_guard_init(robot->guard, &robot->simulation->model, error);
    }
    status = status ? status : find_end(batch, robot, result->retries, error);
    status = status ? status : take_path(batch, robot, error);
    status = status ? status : vxe_batch_take_control(robot, error);
    robot->guard->end = robot->run->last_step;
    result->time_step = robot->simulation->plan.time_step;
    result->damping_sweeps = robot->simulation->plan.damping_iterations;
    return status;
}

vxe_status vxe_batch_refuse(vxe_batch *batch, const vxe_robot *robot, vxe_status reason)
{
    VXE_ASSERT(robot->run->index < batch->count && reason != VXE_OK);
    batch->entries[robot->run->index].result =
        (vxe_batch_result){.status = VXE_ROBOT_REFUSED, .reason = reason, .fitness = (double)NAN};
    atomic_fetch_add(&batch->finished, 1);
    return VXE_OK;
}

/* Compiles one robot. *ready: it can run; where it is refused, the reason is in its entry. Fails
   without memory only: that is no fault of the robot. */
static vxe_status prepare_robot(vxe_batch *batch, vxe_robot *robot, bool *ready)
{
    *ready = false;
    VXE_ASSERT(robot->run->index < batch->count);
    vxe_batch_entry *entry = &batch->entries[robot->run->index];
    vxe_world_def def = batch->def.world;
    vxe_messages warnings = {0};
    def.threads = 1;
    robot->simulation->design = entry->design;
    vxe_batch_result *result = &entry->result;
    *result = (vxe_batch_result){.fitness = (double)NAN};
    const bool compiles = entry->design->affine_count == 0;
    vxe_status status = compiles
                            ? vxe_model_init_among(&robot->simulation->model, entry->design, &def,
                                                   batch->known, &warnings, &entry->error)
                            : VXE_OK;
    status = status || !compiles ? status : find_formulas(robot, &entry->error);
    status = status ? status : vxe_batch_start(batch, robot, result, &entry->error);
    vxe_messages_clear(&warnings);
    atomic_fetch_add(&batch->compiled, 1);
    if (status) {
        const vxe_status reason = entry->error.status;
        status = reason == VXE_ERROR_MEMORY ? reason : vxe_batch_refuse(batch, robot, reason);
        vxe_run_clear(robot);
        return status;
    }
    if (robot->run->last_step < UINT64_MAX) { /* else a formula stops it, at an unknown time */
        atomic_fetch_add(&batch->expected,
                         robot->simulation->model.topology.bond_count * robot->run->last_step);
    }
    snprintf(entry->conventions, sizeof entry->conventions, "%s",
             compiles ? robot->simulation->model.conventions.name : "native");
    if (compiles) {
        result->voxels = robot->simulation->model.topology.voxel_count;
        result->bonds = robot->simulation->model.topology.bond_count;
        result->mass = robot->simulation->model.total_mass;
    }
    *ready = true;
    return VXE_OK;
}

/* The robots of a round, and the queues that they are sorted into. */
typedef struct batch_round {
    vxe_batch *batch;
    vxe_robot *robots;       /* (count) */
    vxe_run *runs;           /* (count) */
    bool *ready;             /* (count) the robot is compiled */
    vxe_robot **order;       /* (count) robots that are ready, queue by queue */
    vxe_robot **defers;      /* (count) memory of the queues' deferred robots, queue by queue */
    vxe_batch_queue *queues; /* (queue_count) */
    uint32_t count;
    uint32_t queue_count;
    vxe_batch_watch watch;
    void *user;
    atomic_uint at_end; /* threads, but for the first, that have nothing more to run */
    atomic_bool short_of_memory;
} batch_round;

/* Compiles robot i of a round, unless the batch is being stopped. */
static void prepare_one(void *context, uint32_t i)
{
    batch_round *r = context;
    const uint64_t failures = vxe_memory_failures();
    if (!atomic_load(&r->batch->stopping) &&
        (prepare_robot(r->batch, &r->robots[i], &r->ready[i]) ||
         vxe_memory_check(failures, NULL))) {
        atomic_store(&r->short_of_memory, true);
    }
}

/* The group key of a robot: robots of one key share a queue and may share lanes. 0: runs alone. */
static uint32_t queue_key(const vxe_batch *batch, const vxe_robot *robot)
{
    if (robot->run->bodies && batch->def.schedule != VXE_BATCH_ALONE) {
        return BODIES;
    }
    if (batch->def.schedule == VXE_BATCH_ALONE || robot->run->peaks || robot->run->watched ||
        vxe_lanes_refusal(&robot->simulation->model)) {
        return 0;
    }
    return vxe_lanes_key(robot) + 1;
}

/* Sorts the robots that are ready into queues by their keys, in the order of the batch, and each
   queue of lanes by grouping. */
static vxe_status sort_round(batch_round *r, vxe_error *error)
{
    uint32_t placed = 0;
    bool *done = vxe_memory_take(r->count, sizeof *done);
    if (!done) {
        return vxe_error_memory(error, r->count);
    }
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < r->count && !status; i++) {
        if (!r->ready[i] || done[i]) {
            continue;
        }
        const uint32_t key = queue_key(r->batch, &r->robots[i]);
        vxe_batch_queue *queue = &r->queues[r->queue_count++];
        queue->robots = r->order + placed;
        queue->deferred = r->defers + placed;
        vxe_spin_lock_release(&queue->deferred_in_use);
        queue->bodies = key == BODIES;
        queue->lanes = key > 0 && !queue->bodies;
        for (uint32_t k = i; k < r->count; k++) {
            if (r->ready[k] && !done[k] && queue_key(r->batch, &r->robots[k]) == key) {
                done[k] = true;
                queue->robots[queue->count++] = &r->robots[k];
            }
        }
        placed += queue->count;
        VXE_ASSERT(placed <= r->count && r->queue_count <= r->count && queue->count > 0);
        if (queue->lanes) {
            status = vxe_grouping_order(queue->robots, queue->count,
                                        vxe_lane_kernels_of(r->batch->kernels)->lanes, error);
        }
    }
    vxe_memory_release(done);
    return status;
}

/* Asks the watch, until the other threads have run their last robots, which may take long. */
static void watch_others(batch_round *r, vxe_batch_worker *worker, uint32_t threads)
{
    const struct timespec moment = {.tv_nsec = 200000}; /* how much later the batch may end */
    for (uint32_t turn = 0; atomic_load(&r->at_end) + 1 < threads; turn++) {
        if (turn % 50 == 0) {
            (void)vxe_batch_is_stopped(worker);
        }
        nanosleep(&moment, NULL);
    }
}

/* One thread of the team: runs all queues, one after another. */
static void run_robots(void *context, uint32_t thread, uint32_t threads)
{
    batch_round *r = context;
    vxe_error error;
    const uint64_t failures = vxe_memory_failures(); /* a fitness says nothing of them */
    vxe_batch_worker worker = {
        .batch = r->batch, .watch = thread == 0 ? r->watch : NULL, .user = r->user};
    vxe_status status = VXE_OK;
    for (uint32_t q = 0; q < r->queue_count && !status; q++) {
        vxe_batch_queue *queue = &r->queues[q];
        status = queue->lanes    ? vxe_batch_run_lanes(&worker, queue, &error)
                 : queue->bodies ? vxe_batch_run_bodies(&worker, queue, &error)
                                 : VXE_OK;
        for (vxe_robot *robot = vxe_batch_take_alone(queue);
             robot && !status && !atomic_load(&r->batch->stopping);
             robot = status ? NULL : vxe_batch_take_alone(queue)) {
            status = vxe_batch_run_alone(&worker, robot, &error);
        }
    }
    if (worker.lanes) {
        vxe_lanes_clear(worker.lanes);
        vxe_memory_release(worker.lanes);
    }
    if (status || vxe_memory_check(failures, NULL)) {
        atomic_store(&r->short_of_memory, true);
    }
    if (thread > 0) {
        atomic_fetch_add(&r->at_end, 1);
    } else if (worker.watch) {
        watch_others(r, &worker, threads);
    }
}

/* The number of robots of the next round, from batch->first on. */
static uint32_t round_size(const vxe_batch *batch)
{
    uint64_t voxels = 0;
    uint32_t count = 0;
    while (batch->first + count < batch->count && (count == 0 || voxels < ROUND_VOXELS)) {
        const vxe_design *design = batch->entries[batch->first + count].design;
        const vxe_heightfield *field = &design->floor.heights;
        voxels += design->voxel_count + (uint64_t)field->columns * field->rows / POINTS_PER_VOXEL;
        count++;
    }
    VXE_ASSERT(count > 0 || batch->first == batch->count);
    return count;
}

/* Compiles and runs the robots of a round. */
static vxe_status run_round(batch_round *r, vxe_error *error)
{
    vxe_batch *batch = r->batch;
    r->robots = vxe_memory_take(r->count, sizeof *r->robots);
    r->runs = vxe_memory_take(r->count, sizeof *r->runs);
    r->ready = vxe_memory_take(r->count, sizeof *r->ready);
    r->order = vxe_memory_take(r->count, sizeof(vxe_robot *));
    r->defers = vxe_memory_take(r->count, sizeof(vxe_robot *));
    r->queues = vxe_memory_take(r->count, sizeof *r->queues);
    vxe_status status = VXE_OK;
    if (!r->robots || !r->runs || !r->ready || !r->order || !r->defers || !r->queues) {
        status = vxe_error_memory(error, r->count * sizeof *r->robots);
    } else {
        for (uint32_t i = 0; i < r->count; i++) {
            r->runs[i].index = batch->first + i;
            r->robots[i] =
                (vxe_robot){&r->runs[i].simulation, &r->runs[i].guard, .run = &r->runs[i]};
        }
        const uint32_t threads = batch->threads < r->count ? batch->threads : r->count;
        vxe_parallel_each(r->count, threads, prepare_one, r);
        status = sort_round(r, error);
        if (!status && !atomic_load(&r->short_of_memory)) {
            vxe_parallel_run(threads, run_robots, r);
        }
        if (atomic_load(&r->short_of_memory)) {
            status = vxe_error_fill(error, VXE_ERROR_MEMORY, "out of memory");
        }
        for (uint32_t i = 0; i < r->count; i++) {
            vxe_run_clear(&r->robots[i]);
        }
    }
    vxe_memory_release(r->robots);
    vxe_memory_release(r->runs);
    vxe_memory_release(r->ready);
    vxe_memory_release(r->order);
    vxe_memory_release(r->defers);
    vxe_memory_release(r->queues);
    return status;
}

vxe_status vxe_batch_run(vxe_batch *batch, vxe_batch_watch watch, void *user, vxe_error *error)
{
    vxe_status status = VXE_OK;
    VXE_ASSERT(batch->first <= batch->count && batch->threads > 0);
    atomic_store(&batch->stopping, false);
    while (batch->first < batch->count && !status && !atomic_load(&batch->stopping)) {
        batch_round round = {
            .batch = batch, .count = round_size(batch), .watch = watch, .user = user};
        status = run_round(&round, error);
        batch->first += round.count;
    }
    return status;
}

vxe_batch_result vxe_batch_result_of(const vxe_batch *batch, uint32_t robot)
{
    vxe_batch_result result = {.message = "", .conventions = ""};
    if (robot < batch->count) {
        result = batch->entries[robot].result;
        result.conventions = batch->entries[robot].conventions;
        result.path = result.status == VXE_ROBOT_DONE ? batch->entries[robot].path : NULL;
        result.message = result.reason ? batch->entries[robot].error.message : "";
    }
    return result;
}

vxe_batch_facts vxe_batch_describe(const vxe_batch *batch)
{
    vxe_batch_facts facts = {.threads = batch->threads,
                             .precision = vxe_precision_name(batch->kernels->precision),
                             .isa = batch->kernels->isa,
                             .bond_updates = (double)atomic_load(&batch->updates)};
    for (uint32_t i = 0; i < batch->count; i++) {
        facts.robots_in_lanes += batch->entries[i].result.in_lanes;
    }
    return facts;
}
