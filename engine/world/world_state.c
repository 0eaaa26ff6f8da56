/* SPDX-License-Identifier: MIT */
/* Changes of a world's state from outside: targets of groups, and states that come from elsewhere.
 */
#include "common/assert_internal.h"
#include "engine/world/world_data.h"

void vxe_world_warn_of_step(vxe_world *world)
{
    const vxe_step_plan *plan = &world->simulation.plan;
    if (plan->time_step > plan->stable_step) {
        vxe_messages_add(&world->warnings,
                         "the time step %.4g s is above the limit of stability, %.4g s",
                         plan->time_step, plan->stable_step);
    }
}

vxe_status vxe_world_set_target(vxe_world *world, uint32_t group, double factor, vxe_error *error)
{
    vxe_simulation *simulation = &world->simulation;
    if (world->control) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the controller of the design sets the targets of its groups");
    }
    const double stable_step = simulation->plan.stable_step;
    const double old = group < simulation->state.groups ? simulation->state.target[group] : 0;
    const double h = simulation->plan.time_step;
    const double before =
        world->has_audit ? vxe_energy_audit_held(&world->audit, &world->workspace, h) : 0;
    const vxe_status status = vxe_simulation_set_target(simulation, group, factor, error);
    if (status) {
        return status;
    }
    vxe_energy_guard_retarget(&world->guard, group, factor - old);
    if (simulation->plan.stable_step != stable_step) {
        vxe_workspace_set_decay(&world->workspace, simulation->plan.time_step);
        vxe_world_warn_of_step(world);
    }
    vxe_workspace_resize(&world->workspace, vxe_state_time(&simulation->state));
    if (world->has_audit) { /* energy that a jump of edges puts into springs is work of actuation */
        world->audit.energy.work_actuation +=
            vxe_energy_audit_held(&world->audit, &world->workspace, h) - before;
    }
    return VXE_OK;
}

void vxe_world_restate(vxe_world *world)
{
    world->diverged = false;
    world->simulation.failure = (vxe_failure){.kind = VXE_FAILURE_NONE};
    for (uint32_t p = 0; p < world->workspace.partition_count; p++) {
        world->workspace.partitions[p].broke = world->simulation.state.yields;
        world->workspace.partitions[p].opened = world->simulation.state.yields;
    }
    vxe_energy_guard_restart(&world->guard);
    vxe_world_renew(world);
}

void vxe_world_renew(vxe_world *world)
{
    vxe_workspace_contacts_forget(&world->workspace);
    vxe_workspace_resize(&world->workspace, vxe_state_time(&world->simulation.state));
}

vxe_status vxe_world_divide(vxe_world *world, double min_target, double max_target, double interval,
                            uint32_t *steps, vxe_error *error)
{
    VXE_ASSERT(world->affine.count == 0 && world->simulation.state.step == 0);
    const vxe_status status =
        vxe_simulation_divide(&world->simulation, min_target, max_target, interval, steps, error);
    if (!status) {
        vxe_workspace_set_decay(&world->workspace, world->simulation.plan.time_step);
        vxe_workspace_resize(&world->workspace, 0);
        vxe_world_warn_of_step(world);
    }
    return status;
}
