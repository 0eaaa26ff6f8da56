/* SPDX-License-Identifier: MIT */
/* Memory of the tensions and of the Poisson coupling of a group. Groups whose bonds have
   coefficients of their own (VXE_FREE_VALUES) need tensions; they stay zero without Poisson's
   ratio. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/batch/lanes.h"

/* Takes an array of so many vectors, if it is not there yet. */
static vxe_status take(vxe_reals **array, uint64_t vectors, uint64_t vector, vxe_error *error)
{
    if (!*array) {
        *array = vxe_memory_take(vectors, vector);
    }
    return *array ? VXE_OK : vxe_error_memory(error, vectors * vector);
}

vxe_status vxe_lanes_poisson_load(vxe_lanes *lanes, vxe_error *error)
{
    const uint32_t width = vxe_lane_kernels_of(lanes->kernels)->lanes;
    const uint64_t vector = (uint64_t)width * vxe_real_bytes(lanes->kernels->precision);
    const uint64_t capacity = 3ull * lanes->capacity;
    const uint64_t vectors = 3ull * lanes->group.voxels;
    lanes->group.poisson_tension = NULL;
    lanes->group.poisson_coupling = NULL;
    if (lanes->row_values != VXE_FREE_VALUES) {
        return VXE_OK;
    }
    vxe_status status = take(&lanes->poisson_tension, capacity, vector, error);
    if (status) {
        return status;
    }
    memset(lanes->poisson_tension, 0, vectors * vector);
    lanes->group.poisson_tension = lanes->poisson_tension;
    if (!lanes->robot[0]->simulation.model.poisson) {
        return VXE_OK;
    }
    status = take(&lanes->poisson_coupling, capacity, vector, error);
    if (status) {
        return status;
    }
    memset(lanes->poisson_coupling, 0, vectors * vector);
    lanes->group.poisson_coupling = lanes->poisson_coupling;
    VXE_ASSERT(lanes->group.voxels <= lanes->capacity);
    for (uint32_t lane = 0; lane < width; lane++) {
        if (lanes->robot[lane]) {
            vxe_lanes_put_values(lanes, lane,
                                 lanes->robot[lane]->simulation.model.arrays.poisson_coupling, 3,
                                 lanes->poisson_coupling);
        }
    }
    return VXE_OK;
}

void vxe_lanes_poisson_clear(vxe_lanes *lanes)
{
    vxe_memory_release(lanes->poisson_tension);
    vxe_memory_release(lanes->poisson_coupling);
    lanes->poisson_tension = lanes->poisson_coupling = NULL;
}
