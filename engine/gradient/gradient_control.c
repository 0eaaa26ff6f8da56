/* SPDX-License-Identifier: MIT */
/* Controllers in gradients. Forwards, ticks are those of worlds and batches; what they sensed and
   chose is kept. Backwards, a tick gets what the edges of groups got since, and passes it on
   through the network to its weights and sensors, and through these to the voxels. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/gradient/gradient_data.h"

void vxe_gradient_control_clear(vxe_gradient_robot *robot)
{
    vxe_gradient_control *of = robot->control;
    if (of) {
        vxe_control_clear(&of->control);
        vxe_sensor_adjoints_clear(&of->adjoints);
        vxe_memory_release(of->sensed);
        vxe_memory_release(of->targets);
        vxe_memory_release(of->by_targets);
        vxe_memory_release(of->by_outputs);
        vxe_memory_release(of->by_inputs);
    }
    vxe_memory_release(of);
    robot->control = NULL;
}

/* The memory for a run of so many steps. */
static vxe_status take(vxe_gradient_control *of, uint64_t steps, uint32_t groups, vxe_error *error)
{
    const uint64_t left = steps > of->first ? steps - of->first : 0;
    const uint64_t ticks = (left + of->control.steps - 1) / of->control.steps;
    const uint64_t each = of->inputs + (uint64_t)groups;
    if (ticks > UINT32_MAX / each) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a gradient of a controller with %.0f ticks of %u sensed numbers "
                              "keeps too many of them: run fewer steps",
                              (double)ticks, of->inputs);
    }
    of->ticks = (uint32_t)ticks;
    of->sensed = vxe_memory_take(ticks * of->inputs + 1, sizeof *of->sensed);
    of->targets = vxe_memory_take(ticks * groups + 1, sizeof *of->targets);
    of->by_targets = vxe_memory_take(groups, sizeof *of->by_targets);
    of->by_outputs = vxe_memory_take(vxe_control_outputs(&of->control), sizeof *of->by_outputs);
    of->by_inputs = vxe_memory_take(of->inputs, sizeof *of->by_inputs);
    return of->sensed && of->targets && of->by_targets && of->by_outputs && of->by_inputs
               ? VXE_OK
               : vxe_error_memory(error, ticks * each * sizeof(float));
}

vxe_status vxe_gradient_control_init(vxe_gradient_robot *robot, uint64_t steps, vxe_error *error)
{
    vxe_gradient_control_clear(robot);
    if (!robot->simulation.controlled) {
        return VXE_OK;
    }
    vxe_gradient_control *of = vxe_memory_take(1, sizeof *of);
    if (!of) {
        return vxe_error_memory(error, sizeof *of);
    }
    robot->control = of;
    vxe_status status =
        vxe_control_init(&of->control, robot->design, &robot->simulation, NULL, error);
    if (status) {
        return status;
    }
    const vxe_sensor_kind none = vxe_sensing_without_way_back(&of->control.sensing);
    if (none != VXE_SENSOR_KINDS) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "there is no gradient through the sensor %s of a controller",
                              vxe_sensor_name(none));
    }
    of->first = of->control.next;
    of->inputs = of->control.settings.network.width[0];
    status = vxe_sensor_adjoints_init(&of->adjoints, &of->control.sensing, error);
    return status ? status : take(of, steps, robot->simulation.model.group_count, error);
}

void vxe_gradient_control_rewind(vxe_gradient_robot *robot)
{
    vxe_gradient_control *of = robot->control;
    if (of) {
        of->control.next = of->first;
        of->asked = 0;
        of->control.sensing.simulation = &robot->simulation; /* robots move as others are added */
        memset(of->by_targets, 0, robot->simulation.state.groups * sizeof *of->by_targets);
        memset(robot->by[VXE_BY_WEIGHTS], 0,
               vxe_gradient_width_of(robot, VXE_BY_WEIGHTS) * sizeof(double));
    }
}

uint32_t vxe_gradient_tick_at(const vxe_gradient_control *of, uint64_t step)
{
    const bool ticks = of && step >= of->first && (step - of->first) % of->control.steps == 0;
    return ticks ? (uint32_t)((step - of->first) / of->control.steps) : VXE_NONE;
}

uint64_t vxe_gradient_next_tick(const vxe_gradient_group *run, uint64_t step)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < run->count; i++) {
        const vxe_gradient_control *of = run->robots[i]->control;
        if (of && run->lanes->robot[i]) {
            const uint64_t each = of->control.steps;
            const uint64_t past = step > of->first ? step - of->first : 0;
            const uint64_t at = of->first + (past + each - 1) / each * each;
            next = at < next ? at : next;
        }
    }
    return next;
}

/* Senses in a tick of a lane's robot, and keeps what. */
static void begin_tick(vxe_gradient_group *run, uint32_t lane, uint32_t tick)
{
    vxe_gradient_control *of = run->robots[lane]->control;
    VXE_ASSERT(tick < of->ticks);
    vxe_lanes_store_one(run->lanes, lane);
    vxe_control_sense(&of->control);
    memcpy(of->sensed + (size_t)tick * of->inputs, of->control.inputs,
           of->inputs * sizeof *of->sensed);
}

/* Takes over what a tick put out, and keeps the targets. */
static void finish_tick(vxe_gradient_group *run, uint32_t lane, uint32_t tick)
{
    vxe_energy_guard no_guard = {.weighs = false};
    vxe_gradient_robot *robot = run->robots[lane];
    vxe_gradient_control *of = robot->control;
    const uint32_t groups = robot->simulation.state.groups;
    vxe_control_act(&of->control, &robot->simulation.state, &no_guard);
    memcpy(of->targets + (size_t)tick * groups, of->control.targets, groups * sizeof *of->targets);
    vxe_lanes_put_targets(run->lanes, lane);
}

void vxe_gradient_take_ticks(vxe_gradient_group *run, uint64_t step)
{
    bool any = false;
    for (uint32_t i = 0; i < run->count; i++) {
        vxe_gradient_control *of = run->robots[i]->control;
        const uint32_t tick = vxe_gradient_tick_at(of, step);
        if (tick != VXE_NONE && run->lanes->robot[i]) {
            begin_tick(run, i, tick);
            if (!run->policy_numbers) {
                vxe_network_run(&of->control.settings.network, of->control.settings.weights,
                                of->control.inputs, of->control.targets);
            }
            any = true;
        }
    }
    if (any && run->policy_numbers) {
        vxe_gradient_ask_policy(run, step);
    }
    for (uint32_t i = 0; i < run->count && any; i++) {
        const uint32_t tick = vxe_gradient_tick_at(run->robots[i]->control, step);
        if (tick != VXE_NONE && run->lanes->robot[i]) {
            finish_tick(run, i, tick);
        }
    }
}

/* Sets the targets of a tick, or those from before the first one. */
static void put_tick(vxe_gradient_group *run, uint32_t lane, uint32_t tick)
{
    vxe_gradient_robot *robot = run->robots[lane];
    vxe_state *state = &robot->simulation.state;
    for (uint32_t g = 0; g < state->groups; g++) {
        state->target[g] = tick == VXE_NONE
                               ? robot->start.target[g]
                               : (double)robot->control->targets[(size_t)tick * state->groups + g];
    }
    vxe_lanes_put_targets(run->lanes, lane);
}

void vxe_gradient_put_targets(vxe_gradient_group *run, uint64_t step, bool all)
{
    bool changed = false;
    for (uint32_t i = 0; i < run->count; i++) {
        const vxe_gradient_control *of = run->robots[i]->control;
        if (of && run->lanes->robot[i] && (all || vxe_gradient_tick_at(of, step) != VXE_NONE)) {
            const bool began = step >= of->first;
            put_tick(run, i, began ? (uint32_t)((step - of->first) / of->control.steps) : VXE_NONE);
            changed = true;
        }
    }
    if (changed) {
        vxe_lanes_resize(run->lanes);
    }
}

/* Moves what the edges of a lane's groups got to the tick that is in force. */
static void move_growth(vxe_gradient_group *run, uint32_t lane)
{
    const vxe_gradient_robot *robot = run->robots[lane];
    const vxe_gradient_control *of = robot->control;
    for (uint32_t slot = 0; slot < robot->simulation.model.topology.voxel_count; slot++) {
        const uint64_t at = run->lanes->place[lane][slot];
        double *sum =
            run->by_growth + (VXE_GROWTH_SUMS * at + VXE_GROWTH_TARGET) * run->width + lane;
        of->by_targets[of->control.sensing.group[slot]] += *sum;
        *sum = 0;
    }
}

/* Adds what sensors gave back to the adjoints of a lane's voxels. */
static void add_sensed(vxe_gradient_group *run, uint32_t lane)
{
    const vxe_gradient_robot *robot = run->robots[lane];
    const double *by_voxel = robot->control->adjoints.by_voxel;
    const vxe_precision precision = run->gradient->kernels->precision;
    for (uint32_t slot = 0; slot < robot->simulation.model.topology.voxel_count; slot++) {
        for (uint32_t c = 0; c < 12; c++) {
            const uint64_t vector = VXE_ADJOINT_NUMBERS * (uint64_t)run->lanes->place[lane][slot] +
                                    VXE_ADJOINT_PLACE + c;
            const uint64_t at = vector * run->width + lane;
            vxe_real_put(precision, run->adjoint, at,
                         vxe_real_at(precision, run->adjoint, at) + by_voxel[12 * slot + c]);
        }
    }
}

/* What the outputs of a tick get: what edges of groups got since; nothing where they were at the
   bounds or beyond, where those of networks have no slope either. */
static void reverse_outputs(vxe_gradient_group *run, uint32_t lane, uint32_t tick)
{
    const vxe_gradient_robot *robot = run->robots[lane];
    const vxe_gradient_control *of = robot->control;
    const vxe_controller *c = &of->control.settings;
    const uint32_t groups = robot->simulation.state.groups;
    move_growth(run, lane);
    for (uint32_t g = 0; g < vxe_control_outputs(&of->control); g++) {
        const double target =
            g < groups ? (double)of->targets[(size_t)tick * groups + g] : c->max_target;
        const bool within = target > c->min_target && target < c->max_target;
        of->by_outputs[g] = within ? 0.5 * (c->max_target - c->min_target) * of->by_targets[g] : 0;
    }
}

/* What the voxels of a tick get from what was sensed. The robot's state is that of the tick. */
static void reverse_inputs(vxe_gradient_group *run, uint32_t lane, uint32_t tick)
{
    const vxe_gradient_robot *robot = run->robots[lane];
    vxe_gradient_control *of = robot->control;
    const uint32_t groups = robot->simulation.state.groups;
    vxe_sensing_backwards(&of->control.sensing, of->by_inputs, vxe_control_outputs(&of->control),
                          &of->adjoints);
    memcpy(of->by_targets, of->adjoints.by_target, groups * sizeof *of->by_targets);
    add_sensed(run, lane);
    put_tick(run, lane, tick > 0 ? tick - 1 : VXE_NONE);
}

void vxe_gradient_reverse_ticks(vxe_gradient_group *run, uint64_t step, const char *now)
{
    if (vxe_gradient_next_tick(run, step) != step && !vxe_gradient_policy_ticks(run, step)) {
        return;
    }
    memcpy(run->lanes->group.state, now, run->state_bytes);
    for (uint32_t i = 0; i < run->count; i++) {
        const vxe_gradient_control *of = run->robots[i]->control;
        const uint32_t tick = vxe_gradient_tick_at(of, step);
        if (tick != VXE_NONE && run->lanes->robot[i]) {
            reverse_outputs(run, i, tick);
            if (!run->policy_numbers) {
                vxe_network_backwards(&of->control.settings.network, of->control.settings.weights,
                                      of->sensed + (size_t)tick * of->inputs, of->by_outputs,
                                      run->robots[i]->by[VXE_BY_WEIGHTS], of->by_inputs);
            }
        }
    }
    if (run->policy_numbers) {
        vxe_gradient_ask_policy_back(run, step);
    }
    for (uint32_t i = 0; i < run->count; i++) {
        const uint32_t tick = vxe_gradient_tick_at(run->robots[i]->control, step);
        if (tick != VXE_NONE && run->lanes->robot[i]) {
            vxe_lanes_store_one(run->lanes, i);
            reverse_inputs(run, i, tick);
        }
    }
}
