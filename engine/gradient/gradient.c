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
    def.by = (1u << VXE_BY_AMPLITUDE) | (1u << VXE_BY_PHASE) | (1u << VXE_BY_LOAD) |
             (1u << VXE_BY_START);
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
    if (def->by == 0 || def->by >> VXE_GRADIENT_BYS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "`by` of a gradient is made of 1u << VXE_BY_..., at least one");
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
    vxe_state_clear(&robot->start);
    vxe_design_destroy(robot->design);
    vxe_memory_release(robot->samples);
    vxe_memory_release(robot->weights);
    for (int by = 0; by < VXE_GRADIENT_BYS; by++) {
        vxe_memory_release(robot->by[by]);
    }
    vxe_memory_release(robot->of_bonds);
    vxe_memory_release(robot->of_voxels);
    vxe_gradient_control_clear(robot);
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

uint32_t vxe_gradient_width_of(const vxe_gradient_robot *robot, vxe_gradient_by by)
{
    const vxe_controller *controller = &robot->design->controller;
    const uint32_t voxels = robot->design->voxel_count;
    VXE_ASSERT(by < VXE_GRADIENT_BYS);
    switch (by) {
    case VXE_BY_LOAD:
        return 3 * voxels;
    case VXE_BY_START:
        return 12 * voxels;
    case VXE_BY_WEIGHTS:
        return controller->interval > 0 ? (uint32_t)vxe_network_weights(&controller->network) : 0;
    default:
        return voxels;
    }
}

bool vxe_gradient_needs_slopes(const vxe_gradient *gradient)
{
    const uint32_t end = 1u << (VXE_BY_FLOOR_DAMPING + 1);
    return gradient->def.by & (end - (1u << VXE_BY_STIFFNESS));
}

/* Whether a voxel's motion is prescribed along one direction of a floor and not along the other:
   then velocities before friction do not follow from those behind it. */
static bool is_drawn_aslant(const vxe_model *model, const vxe_design *design)
{
    bool aslant = false;
    for (uint32_t i = 0; i < model->driven_count && design->floor.enabled; i++) {
        const uint32_t other = model->driven[i].freedom ^ 1;
        if (other < 2) {
            const vxe_reals *inverse = model->arrays.inverse_mass[other];
            aslant = aslant || vxe_real_at(model->precision, inverse, model->driven[i].slot) > 0;
        }
    }
    return aslant;
}

/* Why a robot has no reverse, or null. */
static const char *refusal_of(const vxe_gradient_robot *robot, bool slopes)
{
    const vxe_model *model = &robot->simulation.model;
    const char *lanes = vxe_lanes_refusal(model);
    return lanes ? lanes
           : slopes && robot->simulation.plan.damping_iterations
               ? "damping iterations by numbers of materials, which their polynomial follows"
           : model->surface.spheres                ? "self-collision of spheres"
           : model->surface.loose                  ? "self-collision of voxels without bonds"
           : model->particles                      ? "contact models"
           : model->magnets                        ? "magnets"
           : model->poisson                        ? "Poisson's ratio"
           : model->terrain                        ? "a floor that is not level"
           : is_drawn_aslant(model, robot->design) ? "motion prescribed along one direction of a "
                                                     "floor with the other free"
                                                   : NULL;
}

/* The memory of a robot's samples and gradients. */
static vxe_status take_numbers(const vxe_gradient *gradient, vxe_gradient_robot *robot,
                               vxe_error *error)
{
    const uint64_t voxels = robot->design->voxel_count;
    robot->samples = vxe_memory_take(gradient->sample_count, sizeof *robot->samples);
    robot->weights = vxe_memory_take(gradient->sample_count, sizeof *robot->weights);
    bool complete = robot->samples && robot->weights;
    for (uint32_t by = 0; by < VXE_GRADIENT_BYS; by++) {
        const uint64_t numbers = vxe_gradient_width_of(robot, (vxe_gradient_by)by);
        robot->by[by] = vxe_memory_take(numbers > 0 ? numbers : 1, sizeof *robot->by[by]);
        complete = complete && robot->by[by];
    }
    if (vxe_gradient_needs_slopes(gradient)) {
        robot->of_bonds = vxe_memory_take(3 * VXE_BOND_SLOPES * voxels, sizeof *robot->of_bonds);
        robot->of_voxels = vxe_memory_take(VXE_VOXEL_SLOPES * voxels, sizeof *robot->of_voxels);
        complete = complete && robot->of_bonds && robot->of_voxels;
    }
    return complete ? VXE_OK : vxe_error_memory(error, 450 * voxels);
}

vxe_status vxe_gradient_compile(const vxe_gradient *gradient, vxe_gradient_robot *robot,
                                vxe_error *error)
{
    vxe_messages warnings = {0};
    vxe_simulation_clear(&robot->simulation);
    robot->simulation.design = robot->design;
    robot->simulation.controlled = robot->design->controller.interval > 0;
    vxe_status status = vxe_model_init(&robot->simulation.model, robot->design,
                                       &gradient->def.world, &warnings, error);
    vxe_messages_clear(&warnings);
    status =
        status ? status : vxe_simulation_start(&robot->simulation, &gradient->def.world, error);
    vxe_state_clear(&robot->start);
    const vxe_model *model = &robot->simulation.model;
    status = status ? status
                    : vxe_state_init(&robot->start, model->precision, vxe_model_state_size(model),
                                     error);
    if (!status) {
        vxe_state_copy(&robot->start, &robot->simulation.state);
    }
    const char *why = status ? NULL : refusal_of(robot, vxe_gradient_needs_slopes(gradient));
    if (why) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "there is no gradient through %s", why);
    }
    return status ? status : vxe_gradient_control_init(robot, gradient->def.steps, error);
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
    vxe_gradient_await(gradient, *robot);
    return VXE_OK;
}

/* A layer that holds what a gradient is by. */
typedef struct by_layer {
    const char *name; /* null where none does */
    double missing;   /* what voxels have without it, if not their material's */
} by_layer;

static by_layer layer_of(vxe_gradient_by by)
{
    static const by_layer layers[VXE_GRADIENT_BYS] = {[VXE_BY_AMPLITUDE] = {"Amplitude", 1},
                                                      [VXE_BY_PHASE] = {"PhaseOffset", 0},
                                                      [VXE_BY_STIFFNESS] = {"Stiffness", 0},
                                                      [VXE_BY_DENSITY] = {"Density", 0},
                                                      [VXE_BY_FREQUENCY] = {"Frequency", 1}};
    return layers[by];
}

/* The numbers of a design's voxels, of a layer or what they have without it. */
static void read_numbers(const vxe_design *design, vxe_gradient_by by, double *values)
{
    const vxe_layer *layer = vxe_design_find_layer(design, layer_of(by).name);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const vxe_material *m = &design->materials[design->voxels[v].material];
        values[v] = layer                    ? layer->values[v]
                    : by == VXE_BY_STIFFNESS ? m->youngs_modulus
                    : by == VXE_BY_DENSITY   ? m->density
                                             : layer_of(by).missing;
    }
}

/* Gives the network of a robot other weights, which are rounded to float. */
static vxe_status put_weights(vxe_gradient_robot *into, const double *values, vxe_error *error)
{
    const uint32_t width = vxe_gradient_width_of(into, VXE_BY_WEIGHTS);
    for (uint32_t i = 0; i < width; i++) {
        if (!(fabs(values[i]) < (double)VXE_LARGEST_WEIGHT)) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                  "weight %u of the network is %g: it must be below %g", i,
                                  values[i], (double)VXE_LARGEST_WEIGHT);
        }
    }
    for (uint32_t i = 0; i < width; i++) {
        into->design->controller.weights[i] = (float)values[i];
    }
    into->changed = into->changed || width > 0;
    return VXE_OK;
}

vxe_status vxe_gradient_put(vxe_gradient *gradient, uint32_t robot, vxe_gradient_by by,
                            const double *values, vxe_error *error)
{
    VXE_ASSERT(robot < gradient->count && by < VXE_GRADIENT_BYS);
    vxe_gradient_robot *into = &gradient->robots[robot];
    const uint32_t width = vxe_gradient_width(gradient, robot, by);
    if (by == VXE_BY_WEIGHTS) {
        return put_weights(into, values, error);
    }
    if (!layer_of(by).name) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "only amplitudes, phases, frequencies, stiffness, density and "
                              "weights can be put: of anything else a design has no layer");
    }
    double *before = vxe_memory_take(width, sizeof *before);
    if (before) {
        read_numbers(into->design, by, before);
    }
    vxe_layer *layer = before ? vxe_design_layer(into->design, layer_of(by).name, 1) : NULL;
    if (!layer) {
        vxe_memory_release(before);
        return vxe_error_memory(error, width * sizeof *before);
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

void vxe_gradient_await(vxe_gradient *gradient, uint32_t robot)
{
    vxe_gradient_robot *waiting = &gradient->robots[robot];
    waiting->facts = (vxe_gradient_facts){0};
    vxe_error_fill(&waiting->error, VXE_ERROR_ARGUMENT, "robot %u has not run to its end", robot);
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
    const vxe_status status = said(&gradient->robots[robot], error);
    if (!status) {
        *value = gradient->robots[robot].value;
    }
    return status;
}

uint32_t vxe_gradient_width(const vxe_gradient *gradient, uint32_t robot, vxe_gradient_by by)
{
    VXE_ASSERT(robot < gradient->count);
    return vxe_gradient_width_of(&gradient->robots[robot], by);
}

vxe_status vxe_gradient_of(const vxe_gradient *gradient, uint32_t robot, vxe_gradient_by by,
                           double *into, vxe_error *error)
{
    VXE_ASSERT(robot < gradient->count && by < VXE_GRADIENT_BYS);
    if (!(gradient->def.by >> by & 1)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the gradient's definition did not ask for this one (`by`)");
    }
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
