/* SPDX-License-Identifier: MIT */
/* The controller of a world: what its design has of it, and its ticks. */
#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/world/world_data.h"

vxe_status vxe_world_take_control(vxe_world *world, const vxe_design *design, vxe_error *error)
{
    const vxe_simulation *simulation = &world->simulation;
    if (!world->controlled) {
        return VXE_OK;
    }
    if (design->affine_count > 0) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "a design with affine bodies can have no controller");
    }
    world->control = vxe_memory_take(1, sizeof *world->control);
    return world->control
               ? vxe_control_init(world->control, design, simulation, &world->workspace, error)
               : vxe_error_memory(error, sizeof *world->control);
}

void vxe_world_release_control(vxe_world *world)
{
    if (world->control) {
        vxe_control_clear(world->control);
        vxe_memory_release(world->control);
        world->control = NULL;
    }
}

uint64_t vxe_world_control(vxe_world *world, uint64_t steps)
{
    vxe_simulation *simulation = &world->simulation;
    if (!world->control) {
        return steps;
    }
    if (simulation->state.step == world->control->next) {
        const double h = simulation->plan.time_step;
        const double before =
            world->has_audit ? vxe_energy_audit_held(&world->audit, &world->workspace, h) : 0;
        vxe_control_tick(world->control, &simulation->state, &world->guard);
        vxe_workspace_resize(&world->workspace, vxe_state_time(&simulation->state));
        if (world->has_audit) { /* as of other targets: the jump of edges is work of actuation */
            world->audit.energy.work_actuation +=
                vxe_energy_audit_held(&world->audit, &world->workspace, h) - before;
        }
    }
    const uint64_t left = world->control->next - simulation->state.step;
    return left < steps ? left : steps;
}
