/* SPDX-License-Identifier: MIT */
#include "engine/solver/simulation.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/memory.h"
#include "common/status_internal.h"

vxe_status vxe_robot_start(vxe_robot *robot, const vxe_world_def *def, vxe_error *error)
{
    vxe_model *model = &robot->model;
    robot->step_seconds = def->step_seconds;
    robot->step_scale = def->step_scale;
    vxe_status status =
        vxe_step_plan_make(&robot->plan, model, def->step_seconds, def->step_scale, error);
    status = status ? status
                    : vxe_state_init(&robot->state, model->precision, vxe_model_state_size(model),
                                     error);
    if (!status) {
        vxe_model_rest_state(model, robot->design, &robot->state);
        robot->state.time_step = robot->plan.time_step;
    }
    return status;
}

/* Plans the step for wider voxels; it begins with the next step. The scheme stays: memory was taken
 * for it. */
static vxe_status widen(vxe_robot *robot, double widest, vxe_error *error)
{
    vxe_state *state = &robot->state;
    vxe_step_plan plan = robot->plan;
    const double before = robot->model.widest;
    const vxe_damping_scheme damping = robot->model.conventions.damping;
    robot->model.widest = widest;
    if (robot->model.ground) {
        vxe_ground_bound(robot->model.ground, 0.5 * widest * robot->model.edge);
    }
    robot->model.conventions.damping = robot->plan.damping;
    const vxe_status status =
        vxe_step_plan_make(&plan, &robot->model, robot->step_seconds, robot->step_scale, error);
    robot->model.conventions.damping = damping;
    if (status) {
        robot->model.widest = before;
        return status;
    }
    state->base_time = vxe_state_time(state);
    state->base_step = state->step;
    state->time_step = plan.time_step;
    robot->plan = plan;
    return VXE_OK;
}

vxe_status vxe_robot_set_target(vxe_robot *robot, uint32_t group, double factor, vxe_error *error)
{
    vxe_model *model = &robot->model;
    if (group >= model->group_count) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "group %u of %u", group,
                              model->group_count);
    }
    const double least = model->bounds[group].least * factor;
    const double most = model->bounds[group].most * factor;
    if (!(least >= VXE_SMALLEST_SIZE && most <= VXE_LARGEST_SIZE)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "target %g of group %u makes edges %g to %g times the lattice's: at "
                              "least 0.1, at most 10",
                              factor, group, least, most);
    }
    const vxe_status status = most > model->widest ? widen(robot, most, error) : VXE_OK;
    if (!status) {
        robot->state.target[group] = factor;
    }
    return status;
}

void vxe_robot_clear(vxe_robot *robot)
{
    vxe_state_clear(&robot->state);
    vxe_model_clear(&robot->model);
    vxe_expression_clear(&robot->fitness);
    vxe_memory_release(robot->posture.mass);
    vxe_memory_release(robot->posture.place);
    vxe_memory_release(robot->posture.orientation);
    vxe_memory_release(robot->posture.start);
    *robot = (vxe_robot){0};
}

/* What went wrong, as a sentence of text. */
static void describe(const vxe_robot *robot, char *text, size_t size)
{
    const vxe_failure *failure = &robot->failure;
    const uint32_t *order = robot->model.topology.order;
    switch (failure->kind) {
    case VXE_FAILURE_UNSETTLED:
        snprintf(text, size, "induced magnetic moments do not come to rest (less susceptibility?)");
        break;
    case VXE_FAILURE_PASSED:
        snprintf(text, size, "a voxel was pushed through the floor of the power law");
        break;
    case VXE_FAILURE_STIFF:
        snprintf(text, size, "a contact became stiffer than the time step holds");
        break;
    case VXE_FAILURE_GRAINS:
        snprintf(text, size, "more than %u contacts or %u near pairs for each grain",
                 VXE_MOST_GRAIN_CONTACTS, VXE_MOST_GRAIN_PAIRS);
        break;
    case VXE_FAILURE_FULL:
        if (robot->state.peer) {
            snprintf(text, size, "too many voxels are near each other");
        } else {
            snprintf(text, size, "more than %u links for each voxel of the surface",
                     VXE_MOST_LINKS);
        }
        break;
    case VXE_FAILURE_CROWD:
        snprintf(text, size, "more than %u voxels are in reach of voxel %u", VXE_MOST_NEAR,
                 order[failure->lower]);
        break;
    default:
        snprintf(text, size, "the bond in %c between voxels %u and %u broke its bounds",
                 "xyz"[failure->axis], order[failure->lower], order[failure->upper]);
    }
}

vxe_status vxe_robot_diverged(const vxe_robot *robot, vxe_error *error)
{
    const vxe_state *state = &robot->state;
    if (robot->failure.kind) {
        char what[96];
        describe(robot, what, sizeof what);
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
