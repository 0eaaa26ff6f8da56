/* SPDX-License-Identifier: MIT */
/* A policy of the caller in place of networks: robots of a group that tick at the same step are
   asked for together, in rows, those with equal numbers of inputs and outputs in one call. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/gradient/gradient_data.h"

void vxe_gradient_set_policy(vxe_gradient *gradient, const vxe_gradient_policy *policy)
{
    VXE_ASSERT(!policy || (policy->act && policy->back));
    gradient->policy = policy ? *policy : (vxe_gradient_policy){.act = NULL};
}

/* Robots that are asked for together. */
typedef struct policy_rows {
    uint32_t count, inputs, outputs;
    uint32_t lanes[VXE_MAX_LANES], robots[VXE_MAX_LANES], ticks[VXE_MAX_LANES];
} policy_rows;

/* The tick of a lane's robot at a step for which a policy is asked: forwards of robots in their
   lanes, back of all that were asked, also those that have left since. Else VXE_NONE. */
static uint32_t tick_of(const vxe_gradient_group *run, uint32_t lane, uint64_t step, bool goes_back)
{
    const vxe_gradient_control *of = run->robots[lane]->control;
    const uint32_t tick = vxe_gradient_tick_at(of, step);
    const bool counts =
        tick != VXE_NONE && (goes_back ? tick < of->asked : run->lanes->robot[lane] != NULL);
    return counts ? tick : VXE_NONE;
}

/* Collects the robots that tick at a step and are like the first one that is not done. False: all
   are. done: a bit for each lane. */
static bool next_rows(const vxe_gradient_group *run, uint64_t step, bool goes_back, uint32_t *done,
                      policy_rows *rows)
{
    rows->count = 0;
    for (uint32_t lane = 0; lane < run->count; lane++) {
        const vxe_gradient_control *of = run->robots[lane]->control;
        const uint32_t tick = tick_of(run, lane, step, goes_back);
        if (tick == VXE_NONE || *done >> lane & 1) {
            continue;
        }
        const uint32_t outputs = vxe_control_outputs(&of->control);
        if (rows->count > 0 && (of->inputs != rows->inputs || outputs != rows->outputs)) {
            continue;
        }
        rows->inputs = of->inputs;
        rows->outputs = outputs;
        rows->lanes[rows->count] = lane;
        rows->ticks[rows->count] = tick;
        rows->robots[rows->count++] = (uint32_t)(run->robots[lane] - run->gradient->robots);
        *done |= 1u << lane;
    }
    return rows->count > 0;
}

bool vxe_gradient_policy_ticks(const vxe_gradient_group *run, uint64_t step)
{
    bool ticks = false;
    for (uint32_t lane = 0; lane < run->count && run->policy_numbers; lane++) {
        ticks = ticks || tick_of(run, lane, step, true) != VXE_NONE;
    }
    return ticks;
}

/* What a policy is told of rows: gathers what they sensed in their ticks. */
static vxe_gradient_ticks told_of(const vxe_gradient_group *run, const policy_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        memcpy(run->policy_numbers + (size_t)i * rows->inputs,
               run->robots[rows->lanes[i]]->control->sensed + (size_t)rows->ticks[i] * rows->inputs,
               rows->inputs * sizeof *run->policy_numbers);
    }
    return (vxe_gradient_ticks){.count = rows->count,
                                .inputs = rows->inputs,
                                .outputs = rows->outputs,
                                .robots = rows->robots,
                                .ticks = rows->ticks,
                                .sensed = run->policy_numbers};
}

/* A policy that gives up, does so for the whole run. */
static void heed(vxe_gradient_group *run, bool goes_on)
{
    if (!goes_on) {
        atomic_store(&run->gradient->stopped, true);
    }
}

/* A robot to which the policy said what is no number. */
static void refuse(vxe_gradient_group *run, const policy_rows *rows, uint32_t row, const char *what)
{
    vxe_gradient_robot *robot = run->robots[rows->lanes[row]];
    vxe_error_fill(&robot->error, VXE_ERROR_ARGUMENT,
                   "robot %u: %s of the policy in tick %u is no finite number", rows->robots[row],
                   what, rows->ticks[row]);
    vxe_lanes_release(run->lanes, &robot->robot);
}

void vxe_gradient_ask_policy(vxe_gradient_group *run, uint64_t step)
{
    const vxe_gradient_policy *policy = &run->gradient->policy;
    policy_rows rows;
    uint32_t done = 0;
    while (!atomic_load(&run->gradient->stopped) && next_rows(run, step, false, &done, &rows)) {
        const vxe_gradient_ticks ticks = told_of(run, &rows);
        float *outputs = run->policy_numbers + (size_t)rows.count * rows.inputs;
        memset(outputs, 0, (size_t)rows.count * rows.outputs * sizeof *outputs);
        heed(run, policy->act(policy->user, &ticks, outputs));
        for (uint32_t i = 0; i < rows.count; i++) {
            const float *row = outputs + (size_t)i * rows.outputs;
            bool finite = true;
            run->robots[rows.lanes[i]]->control->asked = rows.ticks[i] + 1;
            for (uint32_t g = 0; g < rows.outputs; g++) {
                finite = finite && isfinite(row[g]);
            }
            memcpy(run->robots[rows.lanes[i]]->control->control.targets, row,
                   rows.outputs * sizeof *row);
            if (!finite) {
                refuse(run, &rows, i, "an output");
            }
        }
    }
}

void vxe_gradient_ask_policy_back(vxe_gradient_group *run, uint64_t step)
{
    const vxe_gradient_policy *policy = &run->gradient->policy;
    policy_rows rows;
    uint32_t done = 0;
    while (!atomic_load(&run->gradient->stopped) && next_rows(run, step, true, &done, &rows)) {
        const vxe_gradient_ticks ticks = told_of(run, &rows);
        double *by_sensed = run->policy_adjoints;
        double *by_outputs = by_sensed + (size_t)rows.count * rows.inputs;
        for (uint32_t i = 0; i < rows.count; i++) {
            const vxe_gradient_control *of = run->robots[rows.lanes[i]]->control;
            for (uint32_t g = 0; g < rows.outputs; g++) { /* nothing of a robot that has left */
                by_outputs[(size_t)i * rows.outputs + g] =
                    run->lanes->robot[rows.lanes[i]] ? of->by_outputs[g] : 0;
            }
        }
        memset(by_sensed, 0, (size_t)rows.count * rows.inputs * sizeof *by_sensed);
        heed(run, policy->back(policy->user, &ticks, by_outputs, by_sensed));
        for (uint32_t i = 0; i < rows.count; i++) {
            const double *row = by_sensed + (size_t)i * rows.inputs;
            memcpy(run->robots[rows.lanes[i]]->control->by_inputs, row, rows.inputs * sizeof *row);
            if (run->lanes->robot[rows.lanes[i]] && !vxe_gradient_all_finite(row, rows.inputs)) {
                refuse(run, &rows, i, "what goes back to a sensed number");
            }
        }
    }
}

vxe_status vxe_gradient_policy_take(vxe_gradient_group *run, vxe_error *error)
{
    uint64_t width = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        const vxe_gradient_control *of = run->robots[i]->control;
        const uint64_t numbers = of ? of->inputs + (uint64_t)vxe_control_outputs(&of->control) : 0;
        width = numbers > width ? numbers : width;
    }
    if (!run->gradient->policy.act || width == 0) {
        return VXE_OK;
    }
    run->policy_numbers = vxe_memory_take(run->count * width, sizeof *run->policy_numbers);
    run->policy_adjoints = vxe_memory_take(run->count * width, sizeof *run->policy_adjoints);
    return run->policy_numbers && run->policy_adjoints
               ? VXE_OK
               : vxe_error_memory(error, run->count * width * sizeof(double));
}
