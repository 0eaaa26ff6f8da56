/* SPDX-License-Identifier: MIT */
/* Contact models and magnets of the robots of a group. The state of the voxels concerned is
   gathered from the lanes, each robot computes its loads as it does alone, and the loads are
   scattered back into the lanes. */
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/lanes/lanes.h"

vxe_status vxe_lanes_take_load(vxe_lanes *lanes, uint32_t kind, vxe_error *error)
{
    vxe_lane_group *group = &lanes->group;
    VXE_ASSERT(kind < VXE_LANE_LOADS && group->voxels > 0);
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
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        vxe_lane_forces *forces = &lanes->forces[lane];
        if (forces->stages) {
            vxe_workspace_clear(&forces->workspace);
        }
        for (uint32_t kind = 0; kind < VXE_LANE_LOADS; kind++) {
            vxe_memory_release(forces->gather_map[kind].slot);
            vxe_memory_release(forces->gather_map[kind].place);
        }
        *forces = (vxe_lane_forces){.stages = false};
    }
}

/* Lets a gather map fill the arrays of a robot's state, and its edge growth. */
static void set_fields(vxe_lane_forces *forces, vxe_gather_map *gather_map, const vxe_state *state)
{
    for (uint32_t c = 0; c < 3; c++) {
        gather_map->field[VXE_LANE_X + c] = state->x[c];
        gather_map->field[VXE_LANE_X_LOW + c] = state->x_low[c];
        gather_map->field[VXE_LANE_V + c] = state->v[c];
        gather_map->field[VXE_LANE_W + c] = state->w[c];
    }
    for (uint32_t c = 0; c < 4; c++) {
        gather_map->field[VXE_LANE_Q + c] = state->q[c];
    }
    gather_map->field[VXE_LANE_EDGE_GROWTH] = forces->workspace.arrays.edge_growth;
}

/* Makes the gather map of a kind of load. slots: (count) voxels on which the load acts. */
static vxe_status watch(vxe_lanes *lanes, uint32_t lane, uint32_t kind, const void *slots,
                        uint32_t count, vxe_error *error)
{
    vxe_lane_forces *forces = &lanes->forces[lane];
    vxe_gather_map *gather_map = &forces->gather_map[kind];
    const vxe_status status = vxe_lanes_take_load(lanes, kind, error);
    if (status) {
        return status;
    }
    gather_map->slot = vxe_memory_take(count, sizeof *gather_map->slot);
    gather_map->place = vxe_memory_take(count, sizeof *gather_map->place);
    if (!gather_map->slot || !gather_map->place) {
        return vxe_error_memory(error, 8ull * count);
    }
    gather_map->count = count;
    for (uint32_t i = 0; i < count; i++) {
        gather_map->slot[i] = ((const uint32_t *)slots)[i];
        VXE_ASSERT(gather_map->slot[i] <
                   lanes->robot[lane]->simulation->model.topology.voxel_count);
        gather_map->place[i] = lanes->place[lane][gather_map->slot[i]];
        lanes->group.loaded[gather_map->place[i]] |= (uint8_t)(1u << kind);
    }
    set_fields(forces, gather_map, &lanes->robot[lane]->simulation->state);
    return VXE_OK;
}

vxe_status vxe_lanes_forces_load(vxe_lanes *lanes, vxe_error *error)
{
    vxe_status status = VXE_OK;
    vxe_lanes_forces_clear(lanes);
    for (uint32_t lane = 0; lane < VXE_MAX_LANES && !status; lane++) {
        vxe_robot *robot = lanes->robot[lane];
        const vxe_particles *particles = robot ? robot->simulation->model.particles : NULL;
        const vxe_magnets *magnets = robot ? robot->simulation->model.magnets : NULL;
        if (!particles && !magnets) {
            continue;
        }
        vxe_lane_forces *forces = &lanes->forces[lane];
        status = vxe_workspace_init_forces(&forces->workspace, &robot->simulation->model,
                                           &robot->simulation->state, error);
        forces->stages = !status;
        if (particles && !status) {
            status =
                watch(lanes, lane, VXE_LANE_PARTICLES, particles->slot, particles->count, error);
        }
        if (magnets && !status) {
            status = watch(lanes, lane, VXE_LANE_MAGNETS, magnets->slot, magnets->count, error);
        }
    }
    return status;
}

uint32_t vxe_lanes_forces(vxe_lanes *lanes)
{
    const vxe_lane_kernels *kernels = vxe_lane_kernels_of(lanes->kernels);
    uint32_t failed = 0;
    if (!lanes->group.load[VXE_LANE_PARTICLES] && !lanes->group.load[VXE_LANE_MAGNETS]) {
        return 0;
    }
    for (uint32_t lane = 0; lane < kernels->lanes; lane++) {
        vxe_robot *robot = lanes->robot[lane];
        vxe_lane_forces *forces = &lanes->forces[lane];
        const vxe_gather_map *particles = &forces->gather_map[VXE_LANE_PARTICLES];
        const vxe_gather_map *magnets = &forces->gather_map[VXE_LANE_MAGNETS];
        if (!robot || !forces->stages) {
            continue;
        }
        const uint64_t step = robot->simulation->state.step;
        const double time = vxe_state_time_at(&robot->simulation->state, step);
        kernels->gather(&lanes->group, lane, particles);
        kernels->gather(&lanes->group, lane, magnets);
        vxe_workspace_particles(&forces->workspace, robot->simulation->plan.time_step, time, 0, 1);
        vxe_workspace_magnets(&forces->workspace, step, time, 0, 1);
        if (particles->count > 0) {
            kernels->scatter_load(&lanes->group, lane, particles, VXE_LANE_PARTICLES,
                                  forces->workspace.particles->load);
        }
        if (magnets->count > 0) {
            kernels->scatter_load(&lanes->group, lane, magnets, VXE_LANE_MAGNETS,
                                  forces->workspace.magnets->load);
        }
        const vxe_failure_kind kind = vxe_workspace_forces_failure(&forces->workspace);
        if (kind) {
            robot->simulation->failure = (vxe_failure){.kind = kind};
            failed |= 1u << lane;
        }
    }
    return failed;
}

void vxe_lanes_show_magnets(const vxe_lanes *lanes, uint32_t lane, vxe_workspace *into)
{
    const vxe_lane_forces *forces = &lanes->forces[lane];
    VXE_ASSERT(lanes->robot[lane] && into->model == &lanes->robot[lane]->simulation->model);
    const uint64_t bytes = (uint64_t)into->model->slots * vxe_real_bytes(into->model->precision);
    for (uint32_t c = 0; c < 6 && into->magnets; c++) {
        memcpy(into->magnets->load[c], forces->workspace.magnets->load[c], bytes);
    }
}

void vxe_lanes_correct(vxe_lanes *lanes)
{
    const vxe_lane_kernels *kernels = vxe_lane_kernels_of(lanes->kernels);
    for (uint32_t lane = 0; lanes->group.load[VXE_LANE_PARTICLES] && lane < kernels->lanes;
         lane++) {
        const vxe_lane_forces *forces = &lanes->forces[lane];
        if (lanes->robot[lane] && forces->stages &&
            lanes->robot[lane]->simulation->model.particles &&
            lanes->robot[lane]->simulation->model.particles->over_faces) {
            const vxe_gather_map *particles = &forces->gather_map[VXE_LANE_PARTICLES];
            kernels->gather(&lanes->group, lane, particles);
            vxe_workspace_particles_correct(&forces->workspace, 0, 1);
            kernels->scatter_pose(&lanes->group, lane, particles);
        }
    }
}
