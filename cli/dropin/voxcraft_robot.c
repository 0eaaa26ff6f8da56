/* SPDX-License-Identifier: MIT */
/* Loads and runs one robot as voxcraft-sim does. */
#include "cli/dropin/voxcraft_robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dropin/dropin.h"

static void fail(simulation *s, const vxe_error *error)
{
    vxe_error_text(error, s->message, sizeof s->message);
    s->diverged = vxe_status_is_failure(error->status);
    s->starved = error->status == VXE_ERROR_MEMORY;
}

static void fail_for_memory(simulation *s)
{
    fail(s, &(vxe_error){.status = VXE_ERROR_MEMORY, .message = "out of memory"});
}

void simulation_load(simulation *s)
{
    vxe_error error = {.status = VXE_OK};
    const uint64_t failures = vxe_memory_failures();
    s->design = vxe_design_read_over(s->base, s->path, true, &error);
    if (!s->design || vxe_task_read(&s->task, s->base, s->path, &error) ||
        vxe_memory_check(failures, &error)) {
        fail(s, &error);
        vxe_design_destroy(s->design);
        s->design = NULL;
    }
}

bool simulation_records(const simulation *s)
{
    return s->design && s->task.frame_interval > 0 &&
           (s->task.records_voxels || s->task.records_bonds);
}

/* The first step after the design's duration, or the last that there may be. */
static uint64_t last_step(const simulation *s, const vxe_world *world, uint64_t steps)
{
    const vxe_run_limits limits = vxe_run_limits_of(s->design, s->design->stop.duration, steps);
    return vxe_run_last_step(&limits, vxe_world_describe(world).time_step, VXE_ARRIVAL_PAST);
}

/* Advances to the end. The first frame is written after the first step, the others at the interval
   that the file asks for. */
static vxe_status advance(simulation *s, const vxe_world *world, vxe_trial *trial,
                          vxe_history *history, vxe_error *error)
{
    const double frames = s->task.frame_interval / vxe_world_describe(world).time_step;
    const uint64_t between = frames < VOXCRAFT_STEPS ? (uint64_t)frames + 1 : VOXCRAFT_STEPS;
    const uint64_t end = last_step(s, world, VOXCRAFT_STEPS - 1);
    vxe_status status = VXE_OK;
    while (!status && !vxe_trial_ended(trial) && vxe_world_steps(world) < end) {
        const uint64_t now = vxe_world_steps(world);
        const uint64_t due = now == 0 ? 1 : between - (now - 1) % between;
        const uint64_t steps = history && due < end - now ? due : end - now;
        status = vxe_trial_advance(trial, steps, error);
        if (!status && history && steps == due && !vxe_trial_ended(trial)) {
            s->unrecorded = vxe_history_add(history, world, vxe_world_steps(world) - 1, error);
            history = s->unrecorded ? NULL : history; /* the reader has gone; the fitness still
                                                         counts */
            error->status = VXE_OK;
        }
    }
    s->cut = !status && !vxe_trial_ended(trial) && end < last_step(s, world, 0);
    return status;
}

static void to_file_frame(const vxe_design *design, double place[3])
{
    for (int c = 0; c < 3; c++) {
        place[c] -= design->file_origin[c];
    }
}

/* Stores the first and the last positions of all voxels. Returns false without memory. */
static bool save_places(simulation *s, const vxe_world *world, const vxe_trial *trial)
{
    const size_t count = s->design->voxel_count;
    s->starts = calloc(3 * count, sizeof *s->starts);
    s->ends = calloc(3 * count, sizeof *s->ends);
    if (!s->starts || !s->ends) {
        return false;
    }
    memcpy(s->starts, vxe_trial_starts(trial), 3 * count * sizeof *s->starts);
    vxe_world_poses(world, s->ends, NULL);
    for (size_t v = 0; v < count; v++) {
        to_file_frame(s->design, &s->starts[3 * v]);
        to_file_frame(s->design, &s->ends[3 * v]);
    }
    return true;
}

static void finish(simulation *s, const vxe_world *world, vxe_trial *trial)
{
    s->facts = vxe_trial_describe(trial);
    s->fitness = vxe_trial_fitness(trial);
    to_file_frame(s->design, s->facts.start);
    to_file_frame(s->design, s->facts.center);
    s->done = !s->task.places || save_places(s, world, trial);
    if (!s->done) {
        fail_for_memory(s);
    }
}

void simulation_run(simulation *s)
{
    vxe_error error = {.status = VXE_OK};
    vxe_world_def def = vxe_world_def_default();
    vxe_trial *trial = NULL;
    vxe_history *history = NULL;
    const uint64_t failures = vxe_memory_failures();
    def.conventions = s->conventions;
    def.threads = s->threads;
    vxe_world *world = vxe_world_create(s->design, &def, &error);
    if (world) {
        trial = vxe_trial_create(s->design, world, &error);
    }
    if (trial && simulation_records(s)) {
        history = vxe_history_create(s->design, s->task.records_voxels, s->task.records_bonds,
                                     stdout, &error);
    }
    if (!error.status && !advance(s, world, trial, history, &error)) {
        finish(s, world, trial);
    } else {
        fail(s, &error);
    }
    if (vxe_memory_check(failures, &error)) { /* a fitness says nothing of it */
        s->done = false;
        fail(s, &error);
    }
    s->time = world ? vxe_world_time(world) : 0;
    vxe_history_destroy(history);
    vxe_trial_destroy(trial);
    vxe_world_destroy(world);
}

void simulation_clear(simulation *s)
{
    vxe_design_destroy(s->design);
    vxe_task_clear(&s->task);
    free(s->starts);
    free(s->ends);
}
