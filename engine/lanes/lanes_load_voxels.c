/* SPDX-License-Identifier: MIT */
/* Loads the values of voxels: properties, and what follows from actuation and from Poisson's ratio.
   Edges follow two
   amplitudes of one wave for each voxel, or all numbers of the actuation law where waves differ.
   Groups whose bonds have coefficients of their own (VXE_FREE_VALUES) need tensions; they stay zero
   without Poisson's ratio. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/lanes/lanes.h"

/* Takes an array of so many vectors, if it is not there yet. */
static vxe_status take(vxe_reals **array, uint64_t vectors, uint64_t vector, vxe_error *error)
{
    if (!*array) {
        *array = vxe_memory_take(vectors, vector);
    }
    return *array ? VXE_OK : vxe_error_memory(error, vectors * vector);
}

/* Copies `count` numbers of each voxel of a lane's robot, values[number][slot], into an array of
   (V, count, lanes); null ones stay as they are. */
static void put_values(const vxe_lanes *lanes, uint32_t lane, const vxe_reals *const *values,
                       uint32_t count, vxe_reals *into)
{
    const vxe_precision precision = lanes->kernels->precision;
    const uint32_t width = vxe_lane_kernels_of(lanes->kernels)->lanes;
    const uint32_t voxels = lanes->robot[lane]->simulation->model.topology.voxel_count;
    VXE_ASSERT(lane < width && voxels <= lanes->group.voxels);
    for (uint32_t slot = 0; slot < voxels; slot++) {
        const uint64_t at = (uint64_t)lanes->place[lane][slot] * count;
        for (uint32_t c = 0; c < count; c++) {
            if (values[c]) {
                vxe_real_put(precision, into, (at + c) * width + lane,
                             vxe_real_at(precision, values[c], slot));
            }
        }
    }
}

/* Puts the decay factors of a robot's voxels into its lane. Unlike the other properties they depend
   on the time step. */
static void put_decays(vxe_lanes *lanes, uint32_t lane)
{
    const vxe_precision precision = lanes->kernels->precision;
    const uint32_t width = vxe_lane_kernels_of(lanes->kernels)->lanes;
    const vxe_simulation *simulation = lanes->robot[lane]->simulation;
    for (uint32_t slot = 0; slot < simulation->model.topology.voxel_count; slot++) {
        const uint64_t to = (uint64_t)lanes->place[lane][slot] * VXE_LANE_PROPERTY_VALUES;
        const vxe_decay_factors factors =
            vxe_decay_factors_of(simulation->model.precision, &simulation->model.arrays, slot,
                                 simulation->plan.time_step);
        vxe_real_put(precision, lanes->property_values, (to + VXE_LANE_DRAG_DECAY) * width + lane,
                     factors.drag);
        vxe_real_put(precision, lanes->property_values, (to + VXE_LANE_SPIN_DECAY) * width + lane,
                     factors.spin);
    }
}

void vxe_lanes_put_properties(vxe_lanes *lanes, uint32_t lane)
{
    const vxe_kernel_arrays *a = &lanes->robot[lane]->simulation->model.arrays;
#define ARRAY(NAME, array) [VXE_LANE_##NAME] = a->array,
    const vxe_reals *values[VXE_LANE_PROPERTY_VALUES] = {VXE_LANE_PROPERTIES(ARRAY)};
#undef ARRAY
    lanes->group.drags = lanes->group.drags || a->drag;
    put_values(lanes, lane, values, VXE_LANE_PROPERTY_VALUES, lanes->property_values);
    put_decays(lanes, lane);
}

void vxe_lanes_put_targets(vxe_lanes *lanes, uint32_t lane)
{
    const vxe_precision precision = lanes->kernels->precision;
    const uint32_t width = vxe_lane_kernels_of(lanes->kernels)->lanes;
    const vxe_simulation *simulation = lanes->robot[lane]->simulation;
    const vxe_reals *group = simulation->model.arrays.size[VXE_SIZE_GROUP];
    for (uint32_t slot = 0; lanes->group.sizes && slot < simulation->model.topology.voxel_count;
         slot++) {
        const uint32_t number = (uint32_t)vxe_real_at(precision, group, slot);
        const uint64_t at = (uint64_t)lanes->place[lane][slot] * VXE_ACTUATION_VALUES;
        const double target =
            number < simulation->state.groups ? simulation->state.target[number] : 1;
        vxe_real_put(precision, lanes->sizes, (at + VXE_SIZE_GROUP) * width + lane, target);
    }
}

vxe_status vxe_lanes_sizes_load(vxe_lanes *lanes, vxe_error *error)
{
    const uint32_t width = vxe_lane_kernels_of(lanes->kernels)->lanes;
    const uint64_t vector = (uint64_t)width * vxe_real_bytes(lanes->kernels->precision);
    const bool by_themselves = lanes->robot[0]->simulation->model.arrays.size[0] != NULL;
    lanes->group.waves = NULL;
    lanes->group.sizes = NULL;
    if (by_themselves) {
        const vxe_status status =
            take(&lanes->sizes, (uint64_t)VXE_ACTUATION_VALUES * lanes->capacity, vector, error);
        if (status) {
            return status;
        }
        memset(lanes->sizes, 0, VXE_ACTUATION_VALUES * lanes->group.voxels * vector);
        lanes->group.sizes = lanes->sizes;
    } else {
        memset(lanes->waves, 0, 2ull * lanes->group.voxels * vector);
    }
    for (uint32_t lane = 0; lane < width; lane++) {
        const vxe_robot *robot = lanes->robot[lane];
        if (robot && by_themselves) {
            put_values(lanes, lane, robot->simulation->model.arrays.size, VXE_ACTUATION_VALUES,
                       lanes->sizes);
            vxe_lanes_put_targets(lanes, lane);
        } else if (robot && robot->simulation->model.arrays.edge_growth_sine) {
            const vxe_reals *waves[2] = {robot->simulation->model.arrays.edge_growth_sine,
                                         robot->simulation->model.arrays.edge_growth_cosine};
            put_values(lanes, lane, waves, 2, lanes->waves);
            lanes->group.waves = lanes->waves;
        }
    }
    return VXE_OK;
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
    if (!lanes->robot[0]->simulation->model.poisson) {
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
            put_values(lanes, lane, lanes->robot[lane]->simulation->model.arrays.poisson_coupling,
                       3, lanes->poisson_coupling);
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
