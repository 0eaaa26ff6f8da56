/* SPDX-License-Identifier: MIT */
/* Many steps of a loaded group, pass by pass. */
#include <stddef.h>

#include "common/export.h"
#include "engine/lanes_internal.h"

/* Puts the clock of every robot at the time of a step into the group's. */
static void set_clocks(vxe_lanes *lanes, uint64_t ahead)
{
    const uint32_t count = lanes->kernels->lanes->lanes;
    for (uint32_t lane = 0; lane < count; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        if (robot && vxe_model_resizes(&robot->model)) {
            double clock[VXE_CLOCK_NUMBERS];
            const double time = vxe_state_time_at(&robot->state, robot->state.step + ahead);
            vxe_model_clock(&robot->model, time, clock);
            for (uint32_t c = 0; c < VXE_CLOCK_NUMBERS; c++) {
                lanes->group.clock[c * count + lane] = clock[c];
            }
        }
    }
}

/* A robot's slot at a place of the union. */
static uint32_t slot_at(const vxe_lanes *lanes, uint32_t lane, uint32_t place)
{
    uint32_t slot = 0;
    while (lanes->place[lane][slot] != place) {
        slot++;
    }
    return slot;
}

static void note_failures(vxe_lanes *lanes, uint32_t failed)
{
    for (uint32_t lane = 0; lane < lanes->kernels->lanes->lanes; lane++) {
        vxe_robot *robot = lanes->robot[lane];
        if (robot && (failed >> lane & 1) && !robot->failure.kind) {
            const vxe_lane_failure *failure = &lanes->group.failure[lane];
            const uint32_t lower = slot_at(lanes, lane, failure->voxel);
            robot->failure = (vxe_failure){.kind = VXE_FAILURE_BOND,
                                           .axis = failure->axis,
                                           .lower = lower,
                                           .upper = robot->model.topology.up[failure->axis][lower]};
        }
    }
}

void vxe_lanes_release(vxe_lanes *lanes, const vxe_robot *robot)
{
    for (uint32_t lane = 0; lane < VXE_MOST_LANES; lane++) {
        lanes->robot[lane] = lanes->robot[lane] == robot ? NULL : lanes->robot[lane];
    }
}

/* Lanes with a robot, a bit each. What becomes of an idle lane is nobody's business. */
static uint32_t taken(const vxe_lanes *lanes)
{
    uint32_t mask = 0;
    for (uint32_t lane = 0; lane < VXE_MOST_LANES; lane++) {
        mask |= (uint32_t)(lanes->robot[lane] != NULL) << lane;
    }
    return mask;
}

/* One step of all robots; the lanes in which something failed. */
static uint32_t run_step(vxe_lanes *lanes)
{
    const vxe_lane_kernels *kernels = lanes->kernels->lanes;
    const uint64_t vector = vxe_lanes_vector_bytes(lanes);
    uint32_t failed = vxe_lanes_contacts(lanes) | vxe_lanes_forces(lanes);
    if (lanes->group.couple) {
        kernels->couple(&lanes->group);
    }
    set_clocks(lanes, 1);
    for (uint32_t p = 0; p < lanes->pass_count; p++) {
        const vxe_lane_pass pass = {.kernel = lanes->passes[p].kernel,
                                    .kick_flags = lanes->passes[p].kick_flags,
                                    .acts = lanes->passes[p].acts,
                                    .h = (char *)lanes->kicks + p * vector};
        failed |= kernels->pass(&lanes->group, &pass);
    }
    vxe_lanes_shift(lanes);
    return failed & taken(lanes);
}

void vxe_lanes_run(vxe_lanes *lanes, uint64_t steps)
{
    uint32_t failed = 0;
    set_clocks(lanes, 0);
    lanes->kernels->lanes->resize(&lanes->group);
    for (uint64_t n = 0; n < steps && !failed; n++) {
        failed = run_step(lanes);
        for (uint32_t lane = 0; lane < lanes->kernels->lanes->lanes; lane++) {
            if (lanes->robot[lane]) {
                lanes->robot[lane]->state.step++;
            }
        }
    }
    note_failures(lanes, failed);
}
