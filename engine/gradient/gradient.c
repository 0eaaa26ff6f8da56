/* SPDX-License-Identifier: MIT */
/* The door of gradients: robots are added, run in groups, and asked for what they got. */
#include "engine/gradient.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/gradient/gradient_data.h"
#include "engine/world/world_data.h"

#define COOKIE 0x67726164u /* "grad" */
#define MAX_STEPS (1ull << 32)
#define MAX_SAMPLES (1ull << 24)

vxe_gradient_def vxe_gradient_def_default(void)
{
    vxe_gradient_def def = {.cookie = COOKIE, .world = vxe_world_def_default()};
    def.world.step_rule = VXE_STEP_SECONDS;
    def.world.damping = VXE_DAMPING_EXPLICIT;
    return def;
}

static vxe_status check(const vxe_gradient_def *def, vxe_error *error)
{
    if (def->cookie != COOKIE) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the gradient's definition did not start from "
                              "vxe_gradient_def_default()");
    }
    const vxe_status status = vxe_world_def_check(&def->world, error);
    if (status) {
        return status;
    }
    if (def->world.step_rule != VXE_STEP_SECONDS || def->world.audit) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              def->world.audit
                                  ? "a gradient keeps no energy audit: switch it off"
                                  : "a gradient needs a time step in seconds (VXE_STEP_SECONDS): "
                                    "any other one changes with the numbers of the design");
    }
    const uint64_t every = def->sample_every;
    if (def->steps == 0 || def->steps > MAX_STEPS ||
        (every > 0 && def->steps / every > MAX_SAMPLES)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a gradient needs 1 to 2^32 steps, and at most 2^24 samples");
    }
    return def->forget >= 0 && def->forget < 1e300
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT, "`forget` is a number of seconds, or 0");
}

vxe_gradient *vxe_gradient_create(const vxe_gradient_def *def, vxe_error *error)
{
    const char *why = NULL;
    if (check(def, error)) {
        return NULL;
    }
    const vxe_kernels *kernels = vxe_kernels_for_voxels(def->world.precision, &why);
    if (!kernels) {
        vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
        return NULL;
    }
    vxe_gradient *gradient = vxe_memory_take(1, sizeof *gradient);
    if (!gradient) {
        vxe_error_memory(error, sizeof *gradient);
        return NULL;
    }
    gradient->def = *def;
    gradient->def.world.threads = 1;
    gradient->kernels = kernels;
    const uint64_t every = def->sample_every;
    gradient->sample_count = every > 0 ? (uint32_t)((def->steps + every - 1) / every) + 1 : 2;
    return gradient;
}

static void clear_robot(vxe_gradient_robot *robot)
{
    vxe_simulation_clear(&robot->simulation);
    vxe_memory_release(robot->samples);
    vxe_memory_release(robot->weights);
    for (int by = 0; by < VXE_GRADIENT_BYS; by++) {
        vxe_memory_release(robot->by[by]);
    }
    *robot = (vxe_gradient_robot){0};
}

void vxe_gradient_destroy(vxe_gradient *gradient)
{
    for (uint32_t i = 0; gradient && i < gradient->count; i++) {
        clear_robot(&gradient->robots[i]);
    }
    if (gradient) {
        vxe_memory_release(gradient->robots);
    }
    vxe_memory_release(gradient);
}

uint32_t vxe_gradient_numbers(vxe_gradient_by by)
{
    static const uint32_t numbers[VXE_GRADIENT_BYS] = {
        [VXE_BY_AMPLITUDE] = 1, [VXE_BY_PHASE] = 1, [VXE_BY_LOAD] = 3, [VXE_BY_START] = 12};
    VXE_ASSERT(by < VXE_GRADIENT_BYS);
    return numbers[by];
}

/* Why a robot has no reverse, or null. */
static const char *refusal_of(const vxe_gradient_robot *robot)
{
    const vxe_model *model = &robot->simulation.model;
    const vxe_kernel_arrays *arrays = &model->arrays;
    const char *lanes = vxe_lanes_refusal(model);
    return lanes                                       ? lanes
           : robot->simulation.plan.damping_iterations ? "polynomial damping iterations"
           : model->surface.count > 0                  ? "self-collision"
           : model->particles                          ? "contact models"
           : model->magnets                            ? "magnets"
           : model->poisson                            ? "Poisson's ratio"
           : model->terrain                            ? "a floor that is not level"
           : arrays->faces                             ? "a fluid"
           : arrays->size[0]                           ? "edges that do not follow one wave"
           : arrays->row_values == VXE_FREE_VALUES     ? "coupled bonds"
           : robot->design->region_count > 0           ? "regions"
           : robot->design->controller.interval > 0    ? "a controller"
                                                       : NULL;
}

/* Compiles a robot, and takes its memory. */
static vxe_status prepare(vxe_gradient *gradient, vxe_gradient_robot *robot, vxe_error *error)
{
    vxe_messages warnings = {0};
    vxe_status status = vxe_model_init(&robot->simulation.model, robot->design,
                                       &gradient->def.world, &warnings, error);
    vxe_messages_clear(&warnings);
    status =
        status ? status : vxe_simulation_start(&robot->simulation, &gradient->def.world, error);
    const char *why = status ? NULL : refusal_of(robot);
    if (why) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "there is no gradient through %s", why);
    }
    robot->samples = vxe_memory_take(gradient->sample_count, sizeof *robot->samples);
    robot->weights = vxe_memory_take(gradient->sample_count, sizeof *robot->weights);
    bool complete = robot->samples && robot->weights;
    for (uint32_t by = 0; by < VXE_GRADIENT_BYS; by++) {
        const uint64_t numbers =
            (uint64_t)vxe_gradient_numbers((vxe_gradient_by)by) * robot->design->voxel_count;
        robot->by[by] = vxe_memory_take(numbers, sizeof *robot->by[by]);
        complete = complete && robot->by[by];
    }
    return status     ? status
           : complete ? VXE_OK
                      : vxe_error_memory(error, 136ull * robot->design->voxel_count);
}

vxe_status vxe_gradient_add(vxe_gradient *gradient, const vxe_design *design, uint32_t *robot,
                            vxe_error *error)
{
    if (design->affine_count > 0) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "there is no gradient through affine bodies");
    }
    if (gradient->count == gradient->capacity) {
        const uint32_t capacity = gradient->capacity ? 2 * gradient->capacity : 16;
        vxe_gradient_robot *robots =
            vxe_memory_grow(gradient->robots, gradient->count, capacity, sizeof *gradient->robots);
        if (!robots) {
            return vxe_error_memory(error, capacity * sizeof *robots);
        }
        gradient->robots = robots;
        gradient->capacity = capacity;
    }
    vxe_gradient_robot *added = &gradient->robots[gradient->count];
    *added = (vxe_gradient_robot){.design = design, .simulation.design = design};
    const vxe_status status = prepare(gradient, added, error);
    if (status) {
        clear_robot(added);
        return status;
    }
    *robot = gradient->count++;
    return VXE_OK;
}

/* Puts a robot back to its start. */
static void rewind_robot(vxe_gradient_robot *robot)
{
    vxe_simulation *simulation = &robot->simulation;
    simulation->failure = (vxe_failure){0};
    robot->robot = (vxe_robot){.simulation = simulation};
    robot->error = (vxe_error){.status = VXE_OK};
    vxe_model_rest_state(&simulation->model, robot->design, &simulation->state);
    simulation->state.step = 0;
}

vxe_status vxe_gradient_run(vxe_gradient *gradient, vxe_objective objective, void *user,
                            vxe_error *error)
{
    const uint32_t lanes = vxe_lane_kernels_of(gradient->kernels)->lanes;
    bool *done = vxe_memory_take(gradient->count, sizeof *done);
    vxe_status status = done ? VXE_OK : vxe_error_memory(error, gradient->count);
    for (uint32_t i = 0; i < gradient->count && !status; i++) {
        rewind_robot(&gradient->robots[i]);
    }
    for (uint32_t i = 0; i < gradient->count && !status; i++) {
        vxe_gradient_robot *group[VXE_MAX_LANES];
        uint32_t count = 0;
        for (uint32_t k = i; k < gradient->count && count < lanes; k++) {
            vxe_gradient_robot *robot = &gradient->robots[k];
            if (!done[k] &&
                vxe_lanes_key(&robot->robot) == vxe_lanes_key(&gradient->robots[i].robot)) {
                group[count++] = robot;
                done[k] = true;
            }
        }
        status = count > 0 ? vxe_gradient_run_group(gradient, group, count, objective, user, error)
                           : VXE_OK;
    }
    vxe_memory_release(done);
    return status;
}

/* Says why a robot did not get to its end. */
static vxe_status said(const vxe_gradient_robot *robot, vxe_error *error)
{
    if (robot->error.status && error) {
        *error = robot->error;
    }
    return robot->error.status;
}

vxe_status vxe_gradient_value(const vxe_gradient *gradient, uint32_t robot, double *value,
                              vxe_error *error)
{
    VXE_ASSERT(robot < gradient->count);
    *value = gradient->robots[robot].value;
    return said(&gradient->robots[robot], error);
}

uint32_t vxe_gradient_width(const vxe_gradient *gradient, uint32_t robot, vxe_gradient_by by)
{
    VXE_ASSERT(robot < gradient->count);
    return vxe_gradient_numbers(by) * gradient->robots[robot].design->voxel_count;
}

vxe_status vxe_gradient_of(const vxe_gradient *gradient, uint32_t robot, vxe_gradient_by by,
                           double *into, vxe_error *error)
{
    const vxe_status status = said(&gradient->robots[robot], error);
    if (!status) {
        memcpy(into, gradient->robots[robot].by[by],
               vxe_gradient_width(gradient, robot, by) * sizeof *into);
    }
    return status;
}
