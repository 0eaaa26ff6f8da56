/* SPDX-License-Identifier: MIT */
/* Advances a loaded group by many steps: passes one after another, or as a wavefront, if possible
   over several steps. If a bond fails in a wavefront over several steps, the state before is
   restored, and the steps are repeated one by one to find the step in which it failed. */
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/export.h"
#include "common/status_internal.h"
#include "engine/lanes/lanes.h"
#include "engine/voxels/dither_law.h"

/* The fewest steps for which a wavefront over several steps is worth a copy of the state: the copy
   takes about half a step, and the wavefront saves a twentieth of each. */
#define FEWEST_STEPS 16u

/* Fills the clock of every lane for the time `ahead` steps after the robots' present step. */
static void set_clocks(const vxe_lanes *lanes, uint64_t ahead, double *clock)
{
    const uint32_t count = vxe_lane_kernels_of(lanes->kernels)->lanes;
    for (uint32_t lane = 0; lane < count; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        if (robot && vxe_model_resizes(&robot->simulation->model)) {
            double now[VXE_CLOCK_NUMBERS];
            const double time =
                vxe_state_time_at(&robot->simulation->state, robot->simulation->state.step + ahead);
            vxe_model_clock(&robot->simulation->model, time, now);
            for (uint32_t c = 0; c < VXE_CLOCK_NUMBERS; c++) {
                clock[c * count + lane] = now[c];
            }
        }
    }
}

/* Fills the dither of every lane for the step `ahead` of the robots' present one. */
static void set_dither(const vxe_lanes *lanes, uint64_t ahead, vxe_reals *dither)
{
    const uint32_t count = vxe_lane_kernels_of(lanes->kernels)->lanes;
    for (uint32_t lane = 0; lane < count; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        const bool dithers = robot && vxe_dithers(&robot->simulation->model.arrays);
        const double phase = dithers ? vxe_dither_phase(robot->simulation->state.step + ahead) : 0;
        vxe_real_put(lanes->kernels->precision, dither, lane, phase);
        vxe_real_put(lanes->kernels->precision, dither, count + lane, vxe_dither_shrink(phase));
    }
}

/* The slot of a robot whose index in the union is `place`. */
static uint32_t slot_at(const vxe_lanes *lanes, uint32_t lane, uint32_t place)
{
    uint32_t slot = 0;
    while (lanes->place[lane][slot] != place) {
        slot++;
    }
    VXE_ASSERT(slot < lanes->robot[lane]->simulation->model.topology.voxel_count);
    return slot;
}

/* Writes the failed bonds of lanes into their robots. failed: a bit for each lane. */
static void note_failures(vxe_lanes *lanes, uint32_t failed)
{
    for (uint32_t lane = 0; lane < vxe_lane_kernels_of(lanes->kernels)->lanes; lane++) {
        vxe_robot *robot = lanes->robot[lane];
        if (robot && (failed >> lane & 1) && !robot->simulation->failure.kind) {
            const vxe_lane_failure *failure = &lanes->group.failure[lane];
            VXE_ASSERT(failure->voxel < lanes->group.voxels && failure->axis < 3);
            const uint32_t lower = slot_at(lanes, lane, failure->voxel);
            robot->simulation->failure =
                (vxe_failure){.kind = VXE_FAILURE_BOND,
                              .axis = failure->axis,
                              .lower = lower,
                              .upper = robot->simulation->model.topology.up[failure->axis][lower]};
        }
    }
}

uint32_t vxe_lanes_lane_of(const vxe_lanes *lanes, const vxe_robot *robot)
{
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        if (lanes->robot[lane] == robot) {
            return lane;
        }
    }
    return VXE_NONE;
}

void vxe_lanes_release(vxe_lanes *lanes, const vxe_robot *robot)
{
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        lanes->robot[lane] = lanes->robot[lane] == robot ? NULL : lanes->robot[lane];
    }
}

/* The lanes that have a robot, a bit each. Failures in idle lanes do not count. */
static uint32_t taken(const vxe_lanes *lanes)
{
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        mask |= (uint32_t)(lanes->robot[lane] != NULL) << lane;
    }
    return mask;
}

/* Pass `number`, counted from the robots' present step, as pass k in flight. */
static vxe_lane_pass begin_pass(const vxe_lanes *lanes, uint64_t number, uint32_t k)
{
    VXE_ASSERT(k < lanes->wavefront.depth && lanes->pass_count > 0);
    const uint64_t p = number % lanes->pass_count;
    const vxe_lane_pass pass = {.law = lanes->passes[p].law,
                                .kick_flags = lanes->passes[p].kick_flags,
                                .stages = lanes->passes[p].stages,
                                .h = vxe_lanes_vectors_at(lanes, lanes->kicks, p),
                                .clock = lanes->wavefront.clock[k],
                                .dither = lanes->wavefront.dither[k],
                                .upper_force = lanes->wavefront.upper_force[k],
                                .factors = lanes->factors[k]};
    if (pass.stages & (VXE_STAGE_DECAY | VXE_STAGE_DRIFT)) { /* else nothing reads it */
        set_dither(lanes, number / lanes->pass_count, pass.dither);
    }

    if ((pass.stages & VXE_STAGE_DRIVE) && pass.factors) {
        vxe_lanes_boundary_factors(lanes, number / lanes->pass_count, k);
    }
    if (pass.stages & VXE_STAGE_RESIZE) {
        set_clocks(lanes, number / lanes->pass_count + 1, pass.clock);
    }
    return pass;
}

/* Runs `count` passes from `number` on as a wavefront; returns the lanes in which a bond failed. */
static uint32_t run_wavefront(vxe_lanes *lanes, uint64_t number, uint32_t count)
{
    const uint32_t voxels = lanes->group.voxels;
    const uint64_t behind = (uint64_t)(count - 1) * lanes->wavefront.lag;
    vxe_lane_pass pass[VXE_MAX_LANE_PASSES];
    VXE_ASSERT(count >= 1 && count <= lanes->wavefront.depth);
    for (uint32_t k = 0; k < count; k++) {
        pass[k] = begin_pass(lanes, number + k, k);
    }
    const uint64_t turn = count > 1 ? VXE_LANE_TURN : voxels;
    for (uint64_t at = 0; at < voxels + behind; at += turn) {
        for (uint32_t k = 0; k < count; k++) {
            const uint64_t ahead = (uint64_t)k * lanes->wavefront.lag;
            const uint64_t first = at > ahead ? at - ahead : 0;
            const uint64_t last = at + turn > ahead ? at + turn - ahead : 0;
            if (first < voxels && last > first) {
                vxe_lane_kernels_of(lanes->kernels)
                    ->pass(&lanes->group, &pass[k], (uint32_t)first,
                           (uint32_t)(last < voxels ? last : voxels));
            }
        }
    }
    uint32_t failed = 0;
    for (uint32_t k = 0; k < count; k++) {
        failed |= pass[k].failed;
    }
    return failed & taken(lanes);
}

/* Runs the passes of so many steps; of more than one step, up to the first failure. Returns the
   failed lanes. */
static uint32_t run_passes(vxe_lanes *lanes, uint64_t steps)
{
    const uint64_t total = steps * lanes->pass_count;
    uint32_t failed = 0;
    for (uint64_t number = 0; number < total && !(failed && steps > 1);
         number += lanes->wavefront.depth) {
        const uint64_t left = total - number;
        const uint32_t depth = lanes->wavefront.depth;
        failed |= run_wavefront(lanes, number, left < depth ? (uint32_t)left : depth);
    }
    return failed;
}

/* Counts steps of all robots. */
static void count_steps(const vxe_lanes *lanes, uint64_t steps)
{
    for (uint32_t lane = 0; lane < vxe_lane_kernels_of(lanes->kernels)->lanes; lane++) {
        if (lanes->robot[lane]) {
            lanes->robot[lane]->simulation->state.step += steps;
        }
    }
}

/* Runs one step of all robots; returns the lanes in which something failed. */
static uint32_t run_step(vxe_lanes *lanes)
{
    uint32_t failed = vxe_lanes_contacts(lanes) | vxe_lanes_forces(lanes);
    if (lanes->group.poisson_coupling) {
        vxe_lane_kernels_of(lanes->kernels)->poisson_coupling(&lanes->group);
    }
    failed |= run_passes(lanes, 1);
    vxe_lanes_correct(lanes);
    return failed & taken(lanes);
}

/* Runs several steps as one wavefront. If a bond fails, it restores the state before and returns
   false; the caller then repeats the steps one by one. */
static bool run_block(vxe_lanes *lanes, uint64_t steps)
{
    const uint64_t bytes = VXE_LANE_FIELDS * lanes->group.voxels * vxe_lanes_vector_bytes(lanes);
    VXE_ASSERT(steps > 1 && lanes->wavefront.before && lanes->group.voxels <= lanes->capacity);
    memcpy(lanes->wavefront.before, lanes->group.state, bytes);
    if (run_passes(lanes, steps)) {
        memcpy(lanes->group.state, lanes->wavefront.before, bytes);
        return false;
    }
    count_steps(lanes, steps);
    return true;
}

void vxe_lanes_resize(vxe_lanes *lanes)
{
    set_clocks(lanes, 0, lanes->wavefront.clock[0]);
    vxe_lane_kernels_of(lanes->kernels)->resize(&lanes->group, lanes->wavefront.clock[0]);
}

uint64_t vxe_lanes_run(vxe_lanes *lanes, uint64_t steps)
{
    uint32_t failed = 0;
    uint64_t done = 0;
    vxe_lanes_resize(lanes);
    if (lanes->wavefront.spans_steps && steps >= FEWEST_STEPS && run_block(lanes, steps)) {
        return steps;
    }
    for (; done < steps && !failed; done++) {
        failed = run_step(lanes);
        count_steps(lanes, 1);
    }
    note_failures(lanes, failed);
    return done;
}

/* First half of the looks that are due at the robots' present steps. */
static vxe_status open_looks(vxe_lanes *lanes, vxe_error *error)
{
    for (uint32_t lane = 0; lane < vxe_lane_kernels_of(lanes->kernels)->lanes; lane++) {
        vxe_robot *robot = lanes->robot[lane];
        if (!robot || !vxe_energy_guard_opens(robot->guard, robot->simulation->state.step)) {
            continue;
        }
        if (vxe_robot_look(robot, error)) {
            return error->status;
        }
        vxe_lanes_store_one(lanes, lane);
        vxe_workspace_contacts_forget(robot->look); /* it has not seen the voxels move */
        vxe_energy_guard_open(robot->guard, robot->look, 0, 0);
    }
    return VXE_OK;
}

/* Second half of these looks, with all that a world has behind its step: bounds of what was put in
   go by forces at these poses. Failures are written into the robots. */
static void close_looks(vxe_lanes *lanes)
{
    for (uint32_t lane = 0; lane < vxe_lane_kernels_of(lanes->kernels)->lanes; lane++) {
        vxe_robot *robot = lanes->robot[lane];
        if (robot && robot->look && !robot->simulation->failure.kind &&
            vxe_energy_guard_closes(robot->guard, robot->simulation->state.step)) {
            vxe_lanes_store_one(lanes, lane);
            vxe_workspace_resize(robot->look, vxe_state_time(&robot->simulation->state));
            vxe_lanes_show_magnets(lanes, lane, robot->look);
            vxe_energy_guard_close(robot->guard, robot->look, &robot->simulation->failure);
        }
    }
}

/* Steps up to the next look at a robot of the group, at most so many. */
static uint64_t stride_of(const vxe_lanes *lanes, uint64_t steps)
{
    for (uint32_t lane = 0; lane < vxe_lane_kernels_of(lanes->kernels)->lanes; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        if (robot) {
            steps = vxe_energy_guard_stride(robot->guard, robot->simulation->state.step, steps);
        }
    }
    return steps;
}

static bool any_failed(const vxe_lanes *lanes)
{
    bool failed = false;
    for (uint32_t lane = 0; lane < vxe_lane_kernels_of(lanes->kernels)->lanes; lane++) {
        failed = failed || (lanes->robot[lane] && lanes->robot[lane]->simulation->failure.kind);
    }
    return failed;
}

vxe_status vxe_lanes_guarded_run(vxe_lanes *lanes, uint64_t steps, uint64_t *done, vxe_error *error)
{
    VXE_ASSERT(lanes->group.voxels > 0);
    for (*done = 0; *done < steps && !any_failed(lanes);) {
        const uint64_t stride = stride_of(lanes, steps - *done);
        if (open_looks(lanes, error)) {
            return error->status;
        }
        *done += vxe_lanes_run(lanes, stride);
        close_looks(lanes);
    }
    return VXE_OK;
}
