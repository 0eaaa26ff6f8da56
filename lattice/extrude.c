/* SPDX-License-Identifier: MIT */
/* Makes a design of one layer of voxels deeper, so that robots of two-dimensional simulators become
   bodies in space. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/design.h"

#define MAX_VOXELS (1ull << 28)

static vxe_status copy_voxels(vxe_design *design, uint32_t depth, vxe_error *error)
{
    const uint32_t flat = design->voxel_count;
    VXE_ASSERT((uint64_t)flat * depth <= MAX_VOXELS);
    for (uint32_t i = flat; i < flat * depth; i++) {
        const vxe_voxel voxel = design->voxels[i % flat];
        if (vxe_design_add_voxel(design, voxel.position[0], voxel.position[1] + (int32_t)(i / flat),
                                 voxel.position[2], voxel.material, error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
}

/* Repeats layers and velocities of the first `flat` voxels. */
static vxe_status copy_numbers(vxe_design *design, uint32_t flat, vxe_error *error)
{
    VXE_ASSERT(flat > 0 && design->voxel_count % flat == 0);
    for (uint32_t l = 0; l < design->layer_count; l++) {
        const vxe_layer *old = &design->layers[l];
        vxe_layer *layer = vxe_design_layer(design, old->name, old->width);
        if (!layer) {
            return vxe_error_memory(error, design->voxel_count * sizeof(double));
        }
        for (uint32_t i = flat; i < design->voxel_count; i++) {
            memcpy(layer->values + (size_t)i * layer->width,
                   layer->values + (size_t)(i % flat) * layer->width,
                   layer->width * sizeof(double));
        }
    }
    for (uint32_t i = flat; i < design->voxel_count && design->velocity; i++) {
        double rate[6];
        memcpy(rate, design->velocity + 6 * (size_t)(i % flat), sizeof rate);
        if (vxe_design_set_velocity(design, i, rate, rate + 3, error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
}

/* Repeats the lists of voxels of regions. */
static vxe_status widen_lists(vxe_design *design, uint32_t flat, uint32_t depth, vxe_error *error)
{
    for (uint32_t r = 0; r < design->region_count; r++) {
        vxe_region *region = &design->regions[r];
        const uint32_t count = region->voxel_count;
        uint32_t *voxels = count > 0 ? vxe_memory_grow(region->voxels, count,
                                                       (uint64_t)count * depth, sizeof *voxels)
                                     : NULL;
        if (count > 0 && !voxels) {
            return vxe_error_memory(error, (uint64_t)count * depth * sizeof *voxels);
        }
        for (uint32_t i = count; i < count * depth; i++) {
            voxels[i] = voxels[i % count] + i / count * flat;
        }
        region->voxels = count > 0 ? voxels : region->voxels;
        region->voxel_count = count * depth;
    }
    return VXE_OK;
}

vxe_status vxe_design_extrude(vxe_design *design, uint32_t depth, vxe_error *error)
{
    const uint32_t flat = design->voxel_count;
    if (flat == 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "the design has no voxels");
    }
    for (uint32_t v = 1; v < flat; v++) {
        if (design->voxels[v].position[1] != design->voxels[0].position[1]) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "the design is deeper than one voxel along y; only flat designs "
                                  "can be made deeper");
        }
    }
    for (uint32_t r = 0; r < design->region_count; r++) {
        if (design->regions[r].shape != VXE_REGION_VOXELS) {
            return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                                  "region %u is a shape; only regions that list voxels can be made "
                                  "deeper",
                                  r + 1);
        }
    }
    const int64_t last = (int64_t)design->voxels[0].position[1] + depth - 1;
    if (depth == 0 || (uint64_t)flat * depth > MAX_VOXELS || last > INT32_MAX) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "depth %u of %u voxels: it must be at least 1, and give at most 2^28 "
                              "voxels",
                              depth, flat);
    }
    vxe_status status = copy_voxels(design, depth, error);
    status = status ? status : copy_numbers(design, flat, error);
    return status ? status : widen_lists(design, flat, depth, error);
}
