/* SPDX-License-Identifier: MIT */
/* Plans the wavefront of a group: how many passes are in flight at once, how far they are apart,
   and the memory that each of them needs. */
#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/lanes/lanes.h"

/* Bytes of the nearest large cache that the voxels between the first and the last pass may take.
   The cache has 1 MiB on the machine of the measurements; the rest is for rows and code. */
#define LANE_CACHE (768u << 10)
/* Numbers of a voxel that passes of most groups read in addition to its state: its waves. */
#define READ_NUMBERS 2u

/* Voxels that bonds reach ahead in scan order, at least one. */
static uint32_t reach_of(const vxe_lanes *lanes)
{
    uint32_t reach = 1;
    for (uint32_t v = 0; v < lanes->group.voxels; v++) {
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t up = lanes->voxel[v].up[axis];
            VXE_ASSERT(up == VXE_NONE || (up > v && up < lanes->group.voxels));
            reach = up != VXE_NONE && up - v > reach ? up - v : reach;
        }
    }
    return reach;
}

uint64_t vxe_lanes_voxel_bytes(const vxe_lanes *lanes)
{
    const uint32_t between = lanes->group.carried_numbers + 3 * VXE_GEOMETRY_VALUES;
    return (VXE_LANE_FIELDS + READ_NUMBERS + (lanes->pass_count > 1 ? between : 0)) *
           vxe_lanes_vector_bytes(lanes);
}

/* The number of passes in flight: 1 if the cache holds the whole group, else as many as it holds.
 */
static uint32_t depth_of(const vxe_lanes *lanes, uint32_t reach, uint32_t ring)
{
    const uint64_t voxel = vxe_lanes_voxel_bytes(lanes);
    const uint64_t forces = 6ull * ring * vxe_lanes_vector_bytes(lanes);
    if (lanes->group.voxels * voxel + forces <= LANE_CACHE) {
        return 1;
    }
    const uint64_t depth = LANE_CACHE / ((reach + VXE_LANE_TURN) * voxel + forces);
    return depth < 1 ? 1 : depth > VXE_MAX_LANE_PASSES ? VXE_MAX_LANE_PASSES : (uint32_t)depth;
}

/* Releases the rings of accumulators and strains. */
static void release_rings(vxe_lanes *lanes)
{
    for (uint32_t k = 0; k < VXE_MAX_LANE_PASSES; k++) {
        vxe_memory_release(lanes->wavefront.upper_force[k]);
        lanes->wavefront.upper_force[k] = NULL;
    }
    vxe_memory_release(lanes->group.strain);
    lanes->group.strain = NULL;
    lanes->wavefront.capacity = 0;
}

void vxe_lanes_wavefront_clear(vxe_lanes *lanes)
{
    release_rings(lanes);
    for (uint32_t k = 0; k < VXE_MAX_LANE_PASSES; k++) {
        vxe_memory_release(lanes->wavefront.clock[k]);
        vxe_memory_release(lanes->wavefront.dither[k]);
    }
    vxe_memory_release(lanes->wavefront.before);
    lanes->wavefront = (vxe_lane_wavefront){0};
}

/* Takes the memory of the plan; that of the last group is used again if it is large enough. Rings
   are zero ahead of a pass and behind it, so they need not be cleared. */
static bool take_memory(vxe_lanes *lanes, uint32_t ring)
{
    vxe_lane_wavefront *wavefront = &lanes->wavefront;
    const uint64_t vector = vxe_lanes_vector_bytes(lanes);
    const uint64_t clock = VXE_CLOCK_NUMBERS * sizeof(double);
    if (ring > wavefront->capacity) {
        release_rings(lanes);
        wavefront->capacity = ring;
    }
    bool complete = true;
    for (uint32_t k = 0; k < wavefront->depth && complete; k++) {
        wavefront->clock[k] =
            wavefront->clock[k]
                ? wavefront->clock[k]
                : vxe_memory_take(vxe_lane_kernels_of(lanes->kernels)->lanes, clock);
        wavefront->upper_force[k] = wavefront->upper_force[k]
                                        ? wavefront->upper_force[k]
                                        : vxe_memory_take(wavefront->capacity, 6 * vector);
        wavefront->dither[k] =
            wavefront->dither[k] ? wavefront->dither[k] : vxe_memory_take(2, vector);
        complete = wavefront->clock[k] && wavefront->upper_force[k] && wavefront->dither[k];
    }
    if (!lanes->group.strain) {
        lanes->group.strain = vxe_memory_take(wavefront->capacity, 3 * vector);
    }
    if (wavefront->spans_steps && !wavefront->before) {
        wavefront->before = vxe_memory_take(lanes->capacity, VXE_LANE_FIELDS * vector);
    }
    return complete && lanes->group.strain && (wavefront->before || !wavefront->spans_steps);
}

vxe_status vxe_lanes_wavefront_load(vxe_lanes *lanes, vxe_error *error)
{
    vxe_lane_wavefront *wavefront = &lanes->wavefront;
    const uint32_t reach = reach_of(lanes);
    uint32_t ring = 1;
    while (ring <
           reach + 1 + VXE_LANE_TURN) { /* voxels may wait as long as a turn (lane_voxels.h) */
        ring *= 2;
    }
    VXE_ASSERT((ring & (ring - 1)) == 0 && ring > reach + VXE_LANE_TURN);
    lanes->group.ring_mask = ring - 1;
    wavefront->depth = depth_of(lanes, reach, ring);
    wavefront->lag = reach;
    wavefront->spans_steps =
        wavefront->depth > 1 && !lanes->group.loaded && !lanes->group.poisson_coupling;
    VXE_ASSERT(wavefront->depth >= 1 && wavefront->depth <= VXE_MAX_LANE_PASSES);
    if (!take_memory(lanes, ring)) {
        const uint64_t ring_numbers = 6 * VXE_MAX_LANE_PASSES + 3;
        const uint64_t numbers =
            (uint64_t)VXE_LANE_FIELDS * lanes->capacity + ring_numbers * wavefront->capacity;
        return vxe_error_memory(error, numbers * vxe_lanes_vector_bytes(lanes));
    }
    return VXE_OK;
}
