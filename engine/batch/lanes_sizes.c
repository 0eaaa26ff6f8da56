/* SPDX-License-Identifier: MIT */
/* Loads the numbers that the edges of a group's voxels follow: two amplitudes of one wave for each
   voxel, or all numbers of the actuation law where waves differ. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/batch/lanes.h"

void vxe_lanes_put_values(const vxe_lanes *lanes, uint32_t lane, const vxe_reals *const *values,
                          uint32_t count, vxe_reals *into)
{
    const vxe_precision precision = lanes->kernels->precision;
    const uint32_t width = vxe_lane_kernels_of(lanes->kernels)->lanes;
    const uint32_t voxels = lanes->robot[lane]->simulation.model.topology.voxel_count;
    VXE_ASSERT(lane < width && voxels <= lanes->group.voxels);
    for (uint32_t slot = 0; slot < voxels; slot++) {
        const uint64_t at = (uint64_t)lanes->place[lane][slot] * count;
        for (uint32_t c = 0; c < count; c++) {
            vxe_real_put(precision, into, (at + c) * width + lane,
                         vxe_real_at(precision, values[c], slot));
        }
    }
}

vxe_status vxe_lanes_sizes_load(vxe_lanes *lanes, vxe_error *error)
{
    const uint32_t width = vxe_lane_kernels_of(lanes->kernels)->lanes;
    const uint64_t vector = (uint64_t)width * vxe_real_bytes(lanes->kernels->precision);
    const bool by_themselves = lanes->robot[0]->simulation.model.arrays.size[0] != NULL;
    lanes->group.waves = NULL;
    lanes->group.sizes = NULL;
    if (by_themselves && !lanes->sizes) {
        lanes->sizes = vxe_memory_take((uint64_t)VXE_ACTUATION_VALUES * lanes->capacity, vector);
        if (!lanes->sizes) {
            return vxe_error_memory(error, VXE_ACTUATION_VALUES * lanes->capacity * vector);
        }
    }
    if (by_themselves) {
        memset(lanes->sizes, 0, VXE_ACTUATION_VALUES * lanes->group.voxels * vector);
        lanes->group.sizes = lanes->sizes;
    } else {
        memset(lanes->waves, 0, 2ull * lanes->group.voxels * vector);
    }
    for (uint32_t lane = 0; lane < width; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        if (robot && by_themselves) {
            vxe_lanes_put_values(lanes, lane, robot->simulation.model.arrays.size,
                                 VXE_ACTUATION_VALUES, lanes->sizes);
        } else if (robot && robot->simulation.model.arrays.edge_growth_sine) {
            const vxe_reals *waves[2] = {robot->simulation.model.arrays.edge_growth_sine,
                                         robot->simulation.model.arrays.edge_growth_cosine};
            vxe_lanes_put_values(lanes, lane, waves, 2, lanes->waves);
            lanes->group.waves = lanes->waves;
        }
    }
    return VXE_OK;
}
