/* SPDX-License-Identifier: MIT */
/* What bonds with coefficients of their own need in lanes: tensions across, and where Poisson's
   ratio acts what couples the strains of a voxel's axes. */
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/batch/lanes.h"

static vxe_status take(vxe_reals **array, uint64_t vectors, uint64_t vector, vxe_error *error)
{
    if (!*array) {
        *array = vxe_memory_take(vectors, vector);
    }
    return *array ? VXE_OK : vxe_error_memory(error, vectors * vector);
}

vxe_status vxe_lanes_poisson_load(vxe_lanes *lanes, vxe_error *error)
{
    const uint32_t width = lanes->kernels->lanes->lanes;
    const uint64_t vector = (uint64_t)width * vxe_real_bytes(lanes->kernels->precision);
    const uint64_t room = 3ull * lanes->capacity;
    const uint64_t vectors = 3ull * lanes->group.voxels;
    lanes->group.across = NULL;
    lanes->group.couple = NULL;
    if (lanes->row_values != VXE_FREE_VALUES) {
        return VXE_OK;
    }
    vxe_status status = take(&lanes->across, room, vector, error);
    if (status) {
        return status;
    }
    memset(lanes->across, 0, vectors * vector);
    lanes->group.across = lanes->across;
    if (!lanes->robot[0]->model.poisson) {
        return VXE_OK;
    }
    status = take(&lanes->couple, room, vector, error);
    if (status) {
        return status;
    }
    memset(lanes->couple, 0, vectors * vector);
    lanes->group.couple = lanes->couple;
    for (uint32_t lane = 0; lane < width; lane++) {
        if (lanes->robot[lane]) {
            vxe_lanes_put_values(lanes, lane, lanes->robot[lane]->model.arrays.couple, 3,
                                 lanes->couple);
        }
    }
    return VXE_OK;
}

void vxe_lanes_poisson_clear(vxe_lanes *lanes)
{
    vxe_memory_release(lanes->across);
    vxe_memory_release(lanes->couple);
    lanes->across = lanes->couple = NULL;
}
