/* SPDX-License-Identifier: MIT */
/* Watched robots of a batch: their formulas are evaluated while they run (when to stop, or what
   they have hit), or they have affine bodies that touch something. Each is a world of its own with
   a trial, as in 'voxelastic run'. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "engine/batch/batch_data.h"
#include "engine/trial.h"

/* One run of a robot. */
typedef struct watched {
    vxe_world *world;
    vxe_trial *trial;
    double start_time; /* s: where displacement counts from, and the centre of mass (m) there */
    double start_center[3];
} watched;

static void clear(watched *w)
{
    vxe_trial_destroy(w->trial);
    vxe_world_destroy(w->world);
    *w = (watched){0};
}

vxe_world *vxe_batch_world(const vxe_batch *batch, uint32_t robot, vxe_error *error)
{
    VXE_ASSERT(robot < batch->count);
    const vxe_batch_entry *entry = &batch->entries[robot];
    vxe_world_def def = batch->def.world;
    def.threads = 1;
    def.step_scale = ldexp(def.step_scale * entry->variant.step, -(int)entry->result.retries);
    vxe_world *world = vxe_world_create(entry->design, &def, error);
    if (world) {
        vxe_simulation_displace(&world->simulation, entry->variant.turn, entry->variant.shift);
    }
    return world;
}

vxe_status vxe_batch_describe_world(vxe_robot *robot, const vxe_world_def *def,
                                    vxe_batch_result *result, vxe_error *error)
{
    vxe_world *world = vxe_world_create(robot->simulation->design, def, error);
    if (!world) {
        return error->status;
    }
    const vxe_world_facts facts = vxe_world_describe(world);
    robot->run->bodies = facts.voxels == 0 && world->affine.ways;
    vxe_world_destroy(world);
    robot->run->watched = true;
    robot->simulation->plan.time_step = result->time_step = facts.time_step;
    result->damping_sweeps = facts.damping_sweeps;
    result->voxels = facts.voxels;
    result->bonds = facts.bonds;
    result->mass = facts.mass;
    return VXE_OK;
}

/* Makes the world and the trial of a robot. */
static vxe_status begin(watched *w, const vxe_batch *batch, const vxe_robot *robot,
                        vxe_error *error)
{
    w->world = vxe_batch_world(batch, robot->run->index, error);
    w->trial = w->world ? vxe_trial_create(robot->simulation->design, w->world, error) : NULL;
    if (!w->trial) {
        return error->status;
    }
    vxe_world_ends_at(w->world, robot->run->last_step);
    return VXE_OK;
}

/* Advances to the end, unless the batch is stopped; then *stopped is true. Fails where it diverges.
 */
static vxe_status advance(watched *w, vxe_batch_worker *worker, const vxe_robot *robot,
                          bool *stopped, vxe_error *error)
{
    vxe_status status = VXE_OK;
    const uint64_t visit = vxe_batch_visit(robot);
    *stopped = vxe_batch_is_stopped(worker);
    for (uint64_t step = vxe_world_steps(w->world); !status && !*stopped;
         step = vxe_world_steps(w->world)) {
        if (step == robot->run->start_step) {
            w->start_time = vxe_world_time(w->world);
            vxe_world_center_of_mass(w->world, w->start_center, NULL);
        }
        uint32_t sample = robot->run->samples > 0 ? vxe_run_next_sample(robot->run, step) : 0;
        for (; robot->run->samples > 0 && sample <= robot->run->samples &&
               vxe_run_sample_step(robot->run, sample) == step;
             sample++) {
            vxe_world_center_of_mass(w->world, robot->run->path + 3 * (size_t)sample, NULL);
        }
        if (step >= robot->run->last_step || vxe_trial_ended(w->trial)) {
            break;
        }
        uint64_t event =
            step < robot->run->start_step ? robot->run->start_step : robot->run->last_step;
        if (robot->run->samples > 0 && sample <= robot->run->samples) {
            const uint64_t due = vxe_run_sample_step(robot->run, sample);
            event = due < event ? due : event;
        }
        VXE_ASSERT(event > step && visit > 0);
        const uint64_t due = event - step;
        status = vxe_trial_advance(w->trial, due < visit ? due : visit, error);
        vxe_batch_count_updates(worker->batch, robot, vxe_world_steps(w->world) - step);
        *stopped = vxe_batch_is_stopped(worker);
    }
    return status;
}

void vxe_batch_tell(const vxe_world *world, double start_time, const double start_center[3],
                    vxe_status status, vxe_batch_result *result)
{
    const vxe_world_facts facts = vxe_world_describe(world);
    result->steps = vxe_world_steps(world);
    result->time = vxe_world_time(world);
    result->time_step = facts.time_step;
    result->hash = vxe_world_hash(world);
    if (status) {
        result->status = vxe_batch_failed(status);
        result->reason = status;
        return;
    }
    result->status = VXE_ROBOT_DONE;
    result->start_time = start_time;
    vxe_world_center_of_mass(world, result->center, NULL);
    for (int c = 0; c < 3; c++) {
        result->start_center[c] = start_center[c];
    }
    vxe_batch_measure_way(result, fmax(facts.extent[0], facts.extent[1]));
}

vxe_status vxe_batch_run_trial(vxe_batch_worker *worker, vxe_robot *robot, vxe_error *error)
{
    vxe_batch *batch = worker->batch;
    vxe_batch_entry *entry = &batch->entries[robot->run->index];
    vxe_batch_result *result = &entry->result;
    vxe_status status = VXE_OK;
    bool again = true;
    while (again && !status) {
        watched w = {0};
        bool stopped = false;
        vxe_status ended = begin(&w, batch, robot, &entry->error);
        if (ended) {
            clear(&w);
            *error = entry->error;
            return ended == VXE_ERROR_MEMORY ? ended : vxe_batch_refuse(batch, robot, ended);
        }
        ended = advance(&w, worker, robot, &stopped, &entry->error);
        if (ended == VXE_ERROR_MEMORY) {
            clear(&w);
            *error = entry->error;
            return ended;
        }
        again = vxe_status_is_failure(ended) && result->retries < batch->def.retries;
        if (again) {
            result->retries++; /* with half the step; vxe_batch_start finds its new last step */
            status = vxe_batch_start(batch, robot, result, error);
        } else if (!stopped) {
            vxe_batch_tell(w.world, w.start_time, w.start_center, ended, result);
            result->in_lanes = false;
            if (!ended && robot->simulation->design->formulas[VXE_FORMULA_FITNESS]) {
                result->fitness = vxe_trial_fitness(w.trial);
            }
            atomic_fetch_add(&batch->finished, 1);
        }
        clear(&w);
    }
    return status;
}
