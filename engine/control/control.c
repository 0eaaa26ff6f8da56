/* SPDX-License-Identifier: MIT */
/* Controllers of designs: tick by tick, a network makes the targets of groups from sensors. */
#include "engine/control/control.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/float_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Settling is at its end where less than this part of a step is missing, for rounding, as a run is.
 */
#define SLACK 1e-6

void vxe_outputs_to_targets(float min, float max, uint32_t groups, float *outputs)
{
    for (uint32_t g = 0; g < groups; g++) {
        const float output = isnan(outputs[g]) ? 0 : outputs[g];
        const float target = min + 0.5f * (max - min) * (output + 1);
        outputs[g] = target < max ? target : max; /* rounding, too, may pass the largest */
        outputs[g] = outputs[g] > min ? outputs[g] : min;
    }
}

void vxe_take_targets(vxe_state *state, vxe_energy_guard *guard, const float *targets)
{
    for (uint32_t group = 0; group < state->groups; group++) {
        const double target = (double)targets[group];
        vxe_energy_guard_retarget(guard, group, target - state->target[group]);
        state->target[group] = target;
    }
}

/* Refuses a network that does not fit the robot. */
static vxe_status check_fit(const vxe_design *design, const vxe_model *model, vxe_error *error)
{
    const vxe_controller *c = &design->controller;
    const uint32_t inputs = c->network.width[0];
    const uint32_t outputs = c->network.width[c->network.layers - 1];
    uint64_t sensed = 0;
    for (uint32_t i = 0; i < c->sensor_count; i++) {
        sensed += vxe_sensor_width(c->sensors[i], outputs, model->topology.body_count,
                                   model->topology.voxel_count);
    }
    if (model->group_count == 0 && vxe_design_find_layer(design, "Group")) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "the controller moves groups of voxels, which the rules of %s have "
                              "not; run it under the conventions native",
                              model->conventions.name);
    }
    if (model->group_count == 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "the controller moves groups of voxels, and the design has none: "
                              "give it a layer Group");
    }
    return inputs == sensed
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_INPUT,
                                "the network of the controller has %u inputs; its sensors have %u "
                                "numbers, of %u groups that it moves",
                                inputs, (unsigned)sensed, outputs);
}

/* Copies what the control needs of the design. */
static vxe_status copy_design(vxe_control *control, const vxe_design *design, uint32_t groups,
                              vxe_error *error)
{
    const vxe_controller *c = &design->controller;
    const uint64_t weights = vxe_network_weights(&c->network);
    const vxe_heightfield *heights = &design->floor.heights;
    const uint64_t points = (uint64_t)heights->columns * heights->rows;
    control->settings = *c;
    control->settings.min_target = vxe_as_float(c->min_target);
    control->settings.max_target = vxe_as_float(c->max_target);
    control->settings.weights = vxe_memory_take(weights, sizeof *c->weights);
    control->floor = design->floor;
    control->floor.heights.heights =
        points > 0 ? vxe_memory_take(points, sizeof *heights->heights) : NULL;
    control->inputs = vxe_memory_take(c->network.width[0], sizeof *control->inputs);
    const uint32_t outputs = c->network.width[c->network.layers - 1];
    const uint32_t targets = outputs > groups ? outputs : groups;
    control->targets = vxe_memory_take(targets, sizeof *control->targets);
    if (!control->settings.weights || (points > 0 && !control->floor.heights.heights) ||
        !control->inputs || !control->targets) {
        return vxe_error_memory(error, weights * sizeof *c->weights + points * sizeof(double));
    }
    memcpy(control->settings.weights, c->weights, weights * sizeof *c->weights);
    for (uint32_t g = outputs; g < targets; g++) {
        control->targets[g] = 1; /* groups that the network does not move */
    }
    if (points > 0) {
        memcpy(control->floor.heights.heights, heights->heights, points * sizeof(double));
    }
    return VXE_OK;
}

vxe_status vxe_control_init(vxe_control *control, const vxe_design *design,
                            const vxe_simulation *simulation, vxe_workspace *workspace,
                            vxe_error *error)
{
    const vxe_controller *c = &design->controller;
    const double settled = design->stop.settle_time / simulation->plan.time_step;
    const double first = fmax(ceil(settled - SLACK), 0);
    VXE_ASSERT(simulation->tick > 0 && simulation->state.step == 0);
    *control = (vxe_control){.steps = simulation->tick,
                             .next = first < 1e18 ? (uint64_t)first : UINT64_MAX};
    vxe_status status = check_fit(design, &simulation->model, error);
    status = status ? status : copy_design(control, design, simulation->model.group_count, error);
    status =
        status ? status
               : vxe_sensing_init(&control->sensing, simulation, workspace, &control->floor, error);
    status =
        status ? status : vxe_sensing_choose(&control->sensing, c->sensors, c->sensor_count, error);
    control->sensing.start_time = vxe_state_time_at(&simulation->state, control->next);
    if (status) {
        vxe_control_clear(control);
    }
    return status;
}

void vxe_control_clear(vxe_control *control)
{
    vxe_sensing_clear(&control->sensing);
    vxe_memory_release(control->settings.weights);
    vxe_memory_release(control->floor.heights.heights);
    vxe_memory_release(control->inputs);
    vxe_memory_release(control->targets);
    *control = (vxe_control){.steps = 0};
}

uint32_t vxe_control_outputs(const vxe_control *control)
{
    const vxe_network *network = &control->settings.network;
    return network->width[network->layers - 1];
}

void vxe_control_sense(vxe_control *control)
{
    const vxe_topology *topology = &control->sensing.simulation->model.topology;
    vxe_sensing_read(&control->sensing, vxe_control_outputs(control), topology->body_count,
                     topology->voxel_count, control->inputs);
}

void vxe_control_act(vxe_control *control, vxe_state *state, vxe_energy_guard *guard)
{
    const vxe_controller *c = &control->settings;
    VXE_ASSERT(state->step == control->next);
    vxe_outputs_to_targets((float)c->min_target, (float)c->max_target, vxe_control_outputs(control),
                           control->targets);
    vxe_take_targets(state, guard, control->targets);
    control->next += control->steps;
}

void vxe_control_tick(vxe_control *control, vxe_state *state, vxe_energy_guard *guard)
{
    const vxe_controller *c = &control->settings;
    vxe_control_sense(control);
    vxe_network_run(&c->network, c->weights, control->inputs, control->targets);
    vxe_control_act(control, state, guard);
}
