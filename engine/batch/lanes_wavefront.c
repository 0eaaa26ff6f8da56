/* SPDX-License-Identifier: MIT */
/* How many passes over a group may follow each other, and what each needs of its own. */
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/batch/lanes.h"

/* Bytes of the nearest large cache that the voxels under way may take: of 1 MiB on the machine of
 * the measurements, with room for rows and code. */
#define LANE_CACHE (768u << 10)
/* Numbers of a voxel that passes of most groups read beside its state: its waves. */
#define READ_NUMBERS 2u

/* As far as bonds reach in scan order, at least one voxel. */
static uint32_t reach_of(const vxe_lanes *lanes)
{
    uint32_t reach = 1;
    for (uint32_t v = 0; v < lanes->group.voxels; v++) {
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t up = lanes->voxel[v].up[axis];
            reach = up != VXE_NONE && up - v > reach ? up - v : reach;
        }
    }
    return reach;
}

/* As many passes as the cache has room for, if it has not for the whole group. */
static uint32_t depth_of(const vxe_lanes *lanes, uint32_t reach, uint32_t ring)
{
    const uint64_t vector = vxe_lanes_vector_bytes(lanes);
    const uint32_t carried = lanes->pass_count > 1 ? lanes->group.carried_numbers : 0;
    const uint64_t voxel = (VXE_LANE_FIELDS + carried + READ_NUMBERS) * vector;
    const uint64_t pulls = 6ull * ring * vector;
    if (lanes->group.voxels * voxel + pulls <= LANE_CACHE) {
        return 1;
    }
    const uint64_t depth = LANE_CACHE / ((reach + VXE_LANE_TURN) * voxel + pulls);
    return depth < 1 ? 1 : depth > VXE_MOST_LANE_FRONTS ? VXE_MOST_LANE_FRONTS : (uint32_t)depth;
}

static void release_rings(vxe_lanes *lanes)
{
    for (uint32_t k = 0; k < VXE_MOST_LANE_FRONTS; k++) {
        vxe_memory_release(lanes->fronts.pull[k]);
        lanes->fronts.pull[k] = NULL;
    }
    vxe_memory_release(lanes->group.strain);
    lanes->group.strain = NULL;
    lanes->fronts.room = 0;
}

void vxe_lanes_fronts_clear(vxe_lanes *lanes)
{
    release_rings(lanes);
    for (uint32_t k = 0; k < VXE_MOST_LANE_FRONTS; k++) {
        vxe_memory_release(lanes->fronts.clock[k]);
    }
    vxe_memory_release(lanes->fronts.before);
    lanes->fronts = (vxe_lane_fronts){0};
}

/* Memory of what is planned; that of the group before serves again if it is enough. Rings are zero
 * ahead of a pass and behind it. */
static bool take_memory(vxe_lanes *lanes, uint32_t ring)
{
    vxe_lane_fronts *fronts = &lanes->fronts;
    const uint64_t vector = vxe_lanes_vector_bytes(lanes);
    const uint64_t clock = VXE_CLOCK_NUMBERS * sizeof(double);
    if (ring > fronts->room) {
        release_rings(lanes);
        fronts->room = ring;
    }
    bool complete = true;
    for (uint32_t k = 0; k < fronts->depth && complete; k++) {
        fronts->clock[k] = fronts->clock[k] ? fronts->clock[k]
                                            : vxe_memory_take(lanes->kernels->lanes->lanes, clock);
        fronts->pull[k] =
            fronts->pull[k] ? fronts->pull[k] : vxe_memory_take(fronts->room, 6 * vector);
        complete = fronts->clock[k] && fronts->pull[k];
    }
    if (!lanes->group.strain) {
        lanes->group.strain = vxe_memory_take(fronts->room, 3 * vector);
    }
    if (fronts->follow && !fronts->before) {
        fronts->before = vxe_memory_take(lanes->capacity, VXE_LANE_FIELDS * vector);
    }
    return complete && lanes->group.strain && (fronts->before || !fronts->follow);
}

vxe_status vxe_lanes_fronts_load(vxe_lanes *lanes, vxe_error *error)
{
    vxe_lane_fronts *fronts = &lanes->fronts;
    const uint32_t reach = reach_of(lanes);
    uint32_t ring = 1;
    while (ring < reach + 1) {
        ring *= 2;
    }
    lanes->group.ring_mask = ring - 1;
    fronts->depth = depth_of(lanes, reach, ring);
    fronts->lag = reach;
    fronts->follow = fronts->depth > 1 && !lanes->group.loaded && !lanes->group.couple;
    if (!take_memory(lanes, ring)) {
        const uint64_t ring_numbers = 6 * VXE_MOST_LANE_FRONTS + 3;
        const uint64_t numbers =
            (uint64_t)VXE_LANE_FIELDS * lanes->capacity + ring_numbers * fronts->room;
        return vxe_error_memory(error, numbers * vxe_lanes_vector_bytes(lanes));
    }
    return VXE_OK;
}
