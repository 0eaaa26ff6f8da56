/* SPDX-License-Identifier: MIT */
/* Controllers of robots in a batch, in lanes and alone: ticks at the steps at which a world has
   them. Robots that lanes refuse run as worlds, with controllers of their own. */
#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/batch/batch_data.h"

void vxe_run_release_control(vxe_run *run)
{
    if (run->control) {
        vxe_control_clear(run->control);
        vxe_memory_release(run->control);
        run->control = NULL;
    }
}

vxe_status vxe_batch_take_control(vxe_robot *robot, vxe_error *error)
{
    const vxe_simulation *simulation = robot->simulation;
    vxe_run_release_control(robot->run);
    if (!simulation->controlled || robot->run->watched) {
        return VXE_OK;
    }
    robot->run->control = vxe_memory_take(1, sizeof *robot->run->control);
    return robot->run->control
               ? vxe_control_init(robot->run->control, simulation->design, simulation, NULL, error)
               : vxe_error_memory(error, sizeof *robot->run->control);
}

bool vxe_batch_tick_is_due(const vxe_robot *robot)
{
    const vxe_run *run = robot->run;
    const uint64_t step = robot->simulation->state.step;
    return run->control && step == run->control->next && step < run->last_step &&
           !robot->simulation->failure.kind;
}

vxe_status vxe_batch_tick(vxe_robot *robot, vxe_error *error)
{
    if (!vxe_batch_tick_is_due(robot)) {
        return VXE_OK;
    }
    if (vxe_robot_look(robot, error)) {
        return error->status;
    }
    robot->run->control->sensing.workspace = robot->look;
    vxe_control_tick(robot->run->control, &robot->simulation->state, robot->guard);
    return VXE_OK;
}

vxe_status vxe_batch_tick_in_lane(vxe_lanes *lanes, vxe_robot *robot, vxe_error *error)
{
    const uint32_t lane = vxe_lanes_lane_of(lanes, robot);
    VXE_ASSERT(lane != VXE_NONE);
    if (!vxe_batch_tick_is_due(robot)) {
        return VXE_OK;
    }
    vxe_lanes_store_one(lanes, lane);
    const vxe_status status = vxe_batch_tick(robot, error);
    if (!status) {
        vxe_lanes_put_targets(lanes, lane);
    }
    return status;
}
