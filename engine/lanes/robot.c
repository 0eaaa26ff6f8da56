/* SPDX-License-Identifier: MIT */
/* The workspace of looks at a robot in lanes. */
#include "engine/lanes/robot.h"

#include "common/memory.h"
#include "common/status_internal.h"

vxe_status vxe_robot_look(vxe_robot *robot, vxe_error *error)
{
    if (robot->look) {
        return VXE_OK;
    }
    vxe_workspace *look = vxe_memory_take(1, sizeof *look);
    if (!look) {
        return vxe_error_memory(error, sizeof *look);
    }
    const vxe_workspace_def use = {1, robot->simulation->plan.damping_iterations, .apart = true,
                                   .singly = true};
    const vxe_status status = vxe_workspace_init(look, &robot->simulation->model, &use, error);
    if (status) {
        vxe_memory_release(look);
        return status;
    }
    vxe_workspace_bind(look, &robot->simulation->state);
    robot->look = look;
    return VXE_OK;
}

void vxe_robot_stop_looking(vxe_robot *robot)
{
    if (robot->look) {
        vxe_workspace_clear(robot->look);
        vxe_memory_release(robot->look);
        robot->look = NULL;
    }
}
