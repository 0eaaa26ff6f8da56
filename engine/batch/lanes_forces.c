/* SPDX-License-Identifier: MIT */
/* Laws of contact and magnets of the robots of a group: each robot computes its own as it does
   alone, from what of it is seen in the lanes, and bears the loads there. */
#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/batch/lanes.h"

vxe_status vxe_lanes_take_load(vxe_lanes *lanes, uint32_t kind, vxe_error *error)
{
    vxe_lane_group *group = &lanes->group;
    if (!group->loaded) {
        group->loaded = vxe_memory_take(group->voxels, 1);
    }
    if (!group->load[kind]) {
        group->load[kind] = vxe_memory_take(6ull * group->voxels, vxe_lanes_vector_bytes(lanes));
    }
    return group->loaded && group->load[kind]
               ? VXE_OK
               : vxe_error_memory(error, 6 * group->voxels * vxe_lanes_vector_bytes(lanes));
}

void vxe_lanes_loads_clear(vxe_lanes *lanes)
{
    for (uint32_t kind = 0; kind < VXE_LANE_LOADS; kind++) {
        vxe_memory_release(lanes->group.load[kind]);
        lanes->group.load[kind] = NULL;
    }
    vxe_memory_release(lanes->group.loaded);
    lanes->group.loaded = NULL;
}

void vxe_lanes_forces_clear(vxe_lanes *lanes)
{
    for (uint32_t lane = 0; lane < VXE_MOST_LANES; lane++) {
        vxe_lane_forces *forces = &lanes->forces[lane];
        if (forces->acts) {
            vxe_scratch_clear(&forces->scratch);
        }
        for (uint32_t kind = 0; kind < VXE_LANE_LOADS; kind++) {
            vxe_memory_release(forces->sight[kind].slot);
            vxe_memory_release(forces->sight[kind].place);
        }
        *forces = (vxe_lane_forces){.acts = false};
    }
}

/* What of a robot is looked at: what its state has, and edges. */
static void set_fields(vxe_lane_forces *forces, vxe_lane_sight *sight, const vxe_state *state)
{
    for (uint32_t c = 0; c < 3; c++) {
        sight->field[VXE_LANE_X + c] = state->x[c];
        sight->field[VXE_LANE_X_LOW + c] = state->x_low[c];
        sight->field[VXE_LANE_V + c] = state->v[c];
        sight->field[VXE_LANE_W + c] = state->w[c];
    }
    for (uint32_t c = 0; c < 4; c++) {
        sight->field[VXE_LANE_Q + c] = state->q[c];
    }
    sight->field[VXE_LANE_SWELL] = forces->scratch.arrays.swell;
}

/* Voxels on which forces of a kind act. */
static vxe_status watch(vxe_lanes *lanes, uint32_t lane, uint32_t kind, const void *slots,
                        uint32_t count, vxe_error *error)
{
    vxe_lane_forces *forces = &lanes->forces[lane];
    vxe_lane_sight *sight = &forces->sight[kind];
    const vxe_status status = vxe_lanes_take_load(lanes, kind, error);
    if (status) {
        return status;
    }
    sight->slot = vxe_memory_take(count, sizeof *sight->slot);
    sight->place = vxe_memory_take(count, sizeof *sight->place);
    if (!sight->slot || !sight->place) {
        return vxe_error_memory(error, 8ull * count);
    }
    sight->count = count;
    for (uint32_t i = 0; i < count; i++) {
        sight->slot[i] = ((const uint32_t *)slots)[i];
        sight->place[i] = lanes->place[lane][sight->slot[i]];
        lanes->group.loaded[sight->place[i]] |= (uint8_t)(1u << kind);
    }
    set_fields(forces, sight, &lanes->robot[lane]->state);
    return VXE_OK;
}

vxe_status vxe_lanes_forces_load(vxe_lanes *lanes, vxe_error *error)
{
    vxe_status status = VXE_OK;
    vxe_lanes_forces_clear(lanes);
    for (uint32_t lane = 0; lane < VXE_MOST_LANES && !status; lane++) {
        vxe_robot *robot = lanes->robot[lane];
        const vxe_grains *grains = robot ? robot->model.grains : NULL;
        const vxe_magnets *magnets = robot ? robot->model.magnets : NULL;
        if (!grains && !magnets) {
            continue;
        }
        vxe_lane_forces *forces = &lanes->forces[lane];
        status = vxe_scratch_init_forces(&forces->scratch, &robot->model, &robot->state, error);
        forces->acts = !status;
        if (grains && !status) {
            status = watch(lanes, lane, VXE_LANE_GRAINS, grains->slot, grains->count, error);
        }
        if (magnets && !status) {
            status = watch(lanes, lane, VXE_LANE_MAGNETS, magnets->slot, magnets->count, error);
        }
    }
    return status;
}

uint32_t vxe_lanes_forces(vxe_lanes *lanes)
{
    const vxe_lane_kernels *kernels = lanes->kernels->lanes;
    uint32_t failed = 0;
    if (!lanes->group.load[VXE_LANE_GRAINS] && !lanes->group.load[VXE_LANE_MAGNETS]) {
        return 0;
    }
    for (uint32_t lane = 0; lane < kernels->lanes; lane++) {
        vxe_robot *robot = lanes->robot[lane];
        vxe_lane_forces *forces = &lanes->forces[lane];
        const vxe_lane_sight *grains = &forces->sight[VXE_LANE_GRAINS];
        const vxe_lane_sight *magnets = &forces->sight[VXE_LANE_MAGNETS];
        if (!robot || !forces->acts) {
            continue;
        }
        const uint64_t step = robot->state.step;
        const double time = vxe_state_time_at(&robot->state, step);
        kernels->look(&lanes->group, lane, grains);
        kernels->look(&lanes->group, lane, magnets);
        vxe_scratch_grains(&forces->scratch, robot->plan.time_step, time, 0, 1);
        vxe_scratch_magnets(&forces->scratch, step, time, 0, 1);
        if (grains->count > 0) {
            kernels->bear(&lanes->group, lane, grains, VXE_LANE_GRAINS,
                          forces->scratch.grains->load);
        }
        if (magnets->count > 0) {
            kernels->bear(&lanes->group, lane, magnets, VXE_LANE_MAGNETS,
                          forces->scratch.magnets->load);
        }
        const vxe_failure_kind kind = vxe_scratch_forces_failure(&forces->scratch);
        if (kind) {
            robot->failure = (vxe_failure){.kind = kind};
            failed |= 1u << lane;
        }
    }
    return failed;
}

void vxe_lanes_shift(vxe_lanes *lanes)
{
    const vxe_lane_kernels *kernels = lanes->kernels->lanes;
    for (uint32_t lane = 0; lanes->group.load[VXE_LANE_GRAINS] && lane < kernels->lanes; lane++) {
        const vxe_lane_forces *forces = &lanes->forces[lane];
        if (lanes->robot[lane] && forces->acts && lanes->robot[lane]->model.grains &&
            lanes->robot[lane]->model.grains->over_faces) {
            const vxe_lane_sight *grains = &forces->sight[VXE_LANE_GRAINS];
            kernels->look(&lanes->group, lane, grains);
            vxe_scratch_grains_shift(&forces->scratch, 0, 1);
            kernels->move(&lanes->group, lane, grains);
        }
    }
}
