/* SPDX-License-Identifier: MIT */
/* Changes of a world's state from outside: targets of groups, voxels that are placed, and states
   that come from elsewhere. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
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

vxe_status vxe_world_place(vxe_world *world, uint32_t voxel, const double position[3],
                           const double orientation[4], const double linear[3],
                           const double angular[3], vxe_error *error)
{
    if (voxel >= world->simulation.model.topology.voxel_count) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "there is no voxel %u: the design has %u, counted from 0", voxel,
                              world->simulation.model.topology.voxel_count);
    }
    const uint32_t i = world->simulation.model.topology.place[voxel];
    double norm2 = 1;
    if (orientation) {
        norm2 = orientation[0] * orientation[0] + orientation[1] * orientation[1] +
                orientation[2] * orientation[2] + orientation[3] * orientation[3];
        if (!(fabs(norm2 - 1) < 1e-6)) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                  "orientation of voxel %u has length %g, not 1", voxel,
                                  sqrt(norm2));
        }
    }
    vxe_state *state = &world->simulation.state;
    const vxe_kernel_arrays *arrays = &world->simulation.model.arrays;
    const vxe_precision precision = world->simulation.model.precision;
    vxe_workspace_contacts_forget(&world->workspace);
    vxe_energy_guard_forget(&world->guard);
    for (int c = 0; c < 4 && orientation; c++) {
        vxe_state_put_orientation(state, c, i, orientation[c] / sqrt(norm2));
    }
    for (int c = 0; c < 3; c++) {
        if (position) {
            vxe_state_put_position(state, c, i, position[c] - world->simulation.model.origin[c]);
        }
        if (linear && vxe_real_at(precision, arrays->inverse_mass[c], i) > 0) {
            vxe_state_put_velocity(state, c, i, linear[c]);
        }
        if (angular && vxe_real_at(precision, arrays->inverse_inertia[c], i) > 0) {
            vxe_state_put_spin(state, c, i, angular[c]);
        }
    }
    vxe_voxelyze_placed(&world->workspace, i);
    return VXE_OK;
}

void vxe_world_reopen(vxe_world *world)
{
    for (uint32_t p = 0; p < world->workspace.partition_count; p++) {
        world->workspace.partitions[p].broke = world->simulation.state.yields;
        world->workspace.partitions[p].opened = world->simulation.state.yields;
    }
}

void vxe_world_restate(vxe_world *world)
{
    world->diverged = false;
    world->simulation.failure = (vxe_failure){.kind = VXE_FAILURE_NONE};
    vxe_world_reopen(world);
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
