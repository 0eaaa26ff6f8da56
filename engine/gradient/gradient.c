/* SPDX-License-Identifier: MIT */
/* The door of gradients: robots are added, run in groups, and asked for what they got. */
#include "engine/gradient.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
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
    gradient->threads = def->world.threads > 0 ? def->world.threads : vxe_parallel_available();
    gradient->stores = vxe_memory_take(gradient->threads, sizeof *gradient->stores);
    if (!gradient->stores) {
        vxe_memory_release(gradient);
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
    vxe_design_destroy(robot->design);
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
    for (uint32_t i = 0; gradient && i < gradient->threads; i++) {
        vxe_memory_release(gradient->stores[i].data);
    }
    if (gradient) {
        vxe_memory_release(gradient->robots);
        vxe_memory_release(gradient->stores);
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

/* The memory of a robot's samples and gradients. */
static vxe_status take_numbers(const vxe_gradient *gradient, vxe_gradient_robot *robot,
                               vxe_error *error)
{
    robot->samples = vxe_memory_take(gradient->sample_count, sizeof *robot->samples);
    robot->weights = vxe_memory_take(gradient->sample_count, sizeof *robot->weights);
    bool complete = robot->samples && robot->weights;
    for (uint32_t by = 0; by < VXE_GRADIENT_BYS; by++) {
        const uint64_t numbers =
            (uint64_t)vxe_gradient_numbers((vxe_gradient_by)by) * robot->design->voxel_count;
        robot->by[by] = vxe_memory_take(numbers, sizeof *robot->by[by]);
        complete = complete && robot->by[by];
    }
    return complete ? VXE_OK : vxe_error_memory(error, 136ull * robot->design->voxel_count);
}

vxe_status vxe_gradient_compile(const vxe_gradient *gradient, vxe_gradient_robot *robot,
                                vxe_error *error)
{
    vxe_messages warnings = {0};
    vxe_simulation_clear(&robot->simulation);
    robot->simulation.design = robot->design;
    vxe_status status = vxe_model_init(&robot->simulation.model, robot->design,
                                       &gradient->def.world, &warnings, error);
    vxe_messages_clear(&warnings);
    status =
        status ? status : vxe_simulation_start(&robot->simulation, &gradient->def.world, error);
    const char *why = status ? NULL : refusal_of(robot);
    return why ? vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "there is no gradient through %s",
                                why)
               : status;
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
    *added = (vxe_gradient_robot){.design = vxe_design_copy(design, error)};
    vxe_status status = added->design ? VXE_OK : VXE_ERROR_MEMORY;
    status = status ? status : vxe_gradient_compile(gradient, added, error);
    status = status ? status : take_numbers(gradient, added, error);
    if (status) {
        clear_robot(added);
        return status;
    }
    *robot = gradient->count++;
    return VXE_OK;
}

/* The layer that holds what a gradient is by; null where no layer does. */
static const char *layer_of(vxe_gradient_by by)
{
    return by == VXE_BY_AMPLITUDE ? "Amplitude" : by == VXE_BY_PHASE ? "PhaseOffset" : NULL;
}

vxe_status vxe_gradient_put(vxe_gradient *gradient, uint32_t robot, vxe_gradient_by by,
                            const double *values, vxe_error *error)
{
    VXE_ASSERT(robot < gradient->count && by < VXE_GRADIENT_BYS);
    vxe_gradient_robot *into = &gradient->robots[robot];
    const uint32_t width = vxe_gradient_width(gradient, robot, by);
    if (!layer_of(by)) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "%s cannot be put: a design has no layer of it",
                              by == VXE_BY_LOAD ? "a load" : "a start");
    }
    const bool had = vxe_design_find_layer(into->design, layer_of(by)) != NULL;
    vxe_layer *layer = vxe_design_layer(into->design, layer_of(by), vxe_gradient_numbers(by));
    double *before = vxe_memory_take(width, sizeof *before);
    if (!layer || !before) {
        vxe_memory_release(before);
        return vxe_error_memory(error, width * sizeof *before);
    }
    for (uint32_t i = 0; i < width; i++) { /* what a missing layer means */
        before[i] = had ? layer->values[i] : by == VXE_BY_AMPLITUDE ? 1 : 0;
    }
    memcpy(layer->values, values, width * sizeof *values);
    const vxe_status status = vxe_design_check(into->design, error);
    if (status) {
        memcpy(layer->values, before, width * sizeof *before);
    }
    into->changed = into->changed || !status;
    vxe_memory_release(before);
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

vxe_gradient_facts vxe_gradient_describe(const vxe_gradient *gradient, uint32_t robot)
{
    VXE_ASSERT(robot < gradient->count);
    return gradient->robots[robot].facts;
}
