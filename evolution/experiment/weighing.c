/* SPDX-License-Identifier: MIT */
/* Weighs individuals: the energy guard of a batch finds large gains of energy, its audit small
   ones, at some forty times the cost. A search has it for those that would be champions. */
#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/trial.h"
#include "engine/world.h"
#include "evolution/experiment/evaluation_internal.h"
#include "evolution/storage/search_folder_internal.h"

/* Steps between two calls of the watch. */
#define VISIT_STEPS 2048u

static bool is_stopped(const vxe_runner *runner, uint64_t step, uint64_t steps)
{
    const vxe_batch_progress progress = {
        .robots = 1, .bond_updates = (double)step, .bond_updates_expected = (double)steps};
    return runner->watch && !runner->watch(&progress, runner->user);
}

/* Runs a world to its end, or until the watch stops it. */
static vxe_status run_to_end(const vxe_runner *runner, const vxe_design *design, vxe_world *world,
                             vxe_trial *trial, bool *stopped, vxe_error *error)
{
    const vxe_run_limits limits = vxe_run_limits_of(design, 0, 0);
    const uint64_t last =
        vxe_run_last_step(&limits, vxe_world_describe(world).time_step, VXE_ARRIVAL_AT);
    vxe_status status = VXE_OK;
    vxe_world_ends_at(world, last);
    for (uint64_t step = 0; !status && !*stopped && step < last && !vxe_trial_ended(trial);
         step = vxe_world_steps(world)) {
        const uint64_t left = last - step;
        status = vxe_trial_advance(trial, left < VISIT_STEPS ? left : VISIT_STEPS, error);
        *stopped = is_stopped(runner, step, last);
    }
    return status;
}

vxe_status vxe_weigh(const vxe_runner *runner, const vxe_individual *individual, bool *holds,
                     bool *stopped, vxe_error *error)
{
    vxe_design *design = NULL;
    vxe_status status = vxe_individual_design(runner->experiment, individual, &design, error);
    if (status) {
        return status;
    }
    VXE_ASSERT(design);
    vxe_world_def def = vxe_world_def_default();
    def.threads = 1;
    def.step_scale = runner->step_scale;
    def.audit = true;
    vxe_world *world = vxe_world_create(design, &def, error);
    vxe_trial *trial = world ? vxe_trial_create(design, world, error) : NULL;
    status = trial ? run_to_end(runner, design, world, trial, stopped, error) : error->status;
    status = status ? status : vxe_world_judge(world, error);
    *holds = !vxe_status_is_failure(status);
    vxe_trial_destroy(trial);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return *holds ? status : VXE_OK;
}
