/* SPDX-License-Identifier: MIT */
#include "engine/robot_internal.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/status_internal.h"

vxe_status vxe_robot_start(vxe_robot *robot, const vxe_world_def *def, vxe_error *error)
{
    vxe_model *model = &robot->model;
    vxe_status status =
        vxe_step_plan_make(&robot->plan, model, def->step_seconds, def->step_scale, error);
    status = status ? status
                    : vxe_state_init(&robot->state, model->precision, model->slots,
                                     model->yield.law_count > 0, error);
    if (!status) {
        vxe_model_rest_state(model, robot->design, &robot->state);
        robot->state.time_step = robot->plan.time_step;
    }
    return status;
}

void vxe_robot_clear(vxe_robot *robot)
{
    vxe_state_clear(&robot->state);
    vxe_model_clear(&robot->model);
    *robot = (vxe_robot){0};
}

vxe_status vxe_robot_diverged(const vxe_robot *robot, vxe_error *error)
{
    const vxe_state *state = &robot->state;
    const vxe_failure *failure = &robot->failure;
    const uint32_t *order = robot->model.topology.order;
    if (failure->failed) {
        char what[96];
        if (failure->crowded) {
            snprintf(what, sizeof what, "more than %u voxels are in reach of voxel %u",
                     VXE_MOST_NEAR, order[failure->lower]);
        } else {
            snprintf(what, sizeof what, "the bond in %c between voxels %u and %u broke its bounds",
                     "xyz"[failure->axis], order[failure->lower], order[failure->upper]);
        }
        return vxe_error_fill(error, VXE_ERROR_DIVERGED,
                              "diverged at step %" PRIu64 ", t = %.6g s: %s", state->step - 1,
                              vxe_state_time(state) - state->time_step, what);
    }
    return vxe_error_fill(error, VXE_ERROR_DIVERGED,
                          "diverged before step %" PRIu64 ", t = %.6g s: a number is not finite",
                          state->step, vxe_state_time(state));
}

void vxe_robot_center(const vxe_robot *robot, double position[3], double velocity[3])
{
    const vxe_model *model = &robot->model;
    for (int c = 0; c < 3; c++) {
        double x = 0;
        double v = 0;
        double total = 0; /* of the masses as the run rounds them */
        for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
            const double mass = vxe_real_at(model->precision, model->arrays.mass, i);
            total += mass;
            x += mass * vxe_state_position(&robot->state, c, i);
            v += mass * vxe_state_velocity(&robot->state, c, i);
        }
        position[c] = model->origin[c] + x / total;
        if (velocity) {
            velocity[c] = v / total;
        }
    }
}
