/* SPDX-License-Identifier: MIT */
/* From occupancies of voxels to a body: those of at least a half are there, and of these the
   largest piece that bonds connect. */
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/tuning/tuning_internal.h"
#include "lattice/topology_internal.h"

/* Keeps the voxels that are marked, with all that belongs to them. */
static void keep_marked(vxe_design *design, const uint8_t *marked)
{
    uint32_t to = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        if (!marked[v]) {
            continue;
        }
        design->voxels[to] = design->voxels[v];
        for (uint32_t k = 0; k < design->layer_count; k++) {
            const vxe_layer *layer = &design->layers[k];
            memmove(&layer->values[(size_t)to * layer->width],
                    &layer->values[(size_t)v * layer->width], layer->width * sizeof(double));
        }
        if (design->velocity) {
            memmove(&design->velocity[6 * (size_t)to], &design->velocity[6 * (size_t)v],
                    6 * sizeof(double));
        }
        to++;
    }
    design->voxel_count = to;
}

/* Marks the voxels of the largest body; of several, of the first one. */
static vxe_status mark_largest(const vxe_design *design, uint8_t *marked, vxe_error *error)
{
    vxe_topology topology = {0};
    const vxe_status status = vxe_topology_init(&topology, design, error);
    uint32_t *sizes = status ? NULL : vxe_memory_take(design->voxel_count, sizeof *sizes);
    uint32_t largest = 0;
    for (uint32_t v = 0; sizes && v < design->voxel_count; v++) {
        sizes[topology.body[topology.place[v]]]++;
    }
    for (uint32_t body = 1; sizes && body < topology.body_count; body++) {
        largest = sizes[body] > sizes[largest] ? body : largest;
    }
    for (uint32_t v = 0; sizes && v < design->voxel_count; v++) {
        marked[v] = topology.body[topology.place[v]] == largest;
    }
    const bool done = sizes != NULL;
    vxe_memory_release(sizes);
    vxe_topology_clear(&topology);
    return status ? status : done ? VXE_OK : vxe_error_memory(error, 4ull * design->voxel_count);
}

vxe_status vxe_tuned_carve(vxe_design *design, const double *occupancy, vxe_error *error)
{
    const uint32_t voxels = design->voxel_count;
    uint8_t *marked = vxe_memory_take(voxels, sizeof *marked);
    if (!marked) {
        return vxe_error_memory(error, voxels);
    }
    for (uint32_t v = 0; v < voxels; v++) {
        marked[v] = occupancy[v] >= 0.5;
    }
    keep_marked(design, marked);
    vxe_status status = design->voxel_count > 0
                            ? mark_largest(design, marked, error)
                            : vxe_error_fill(error, VXE_ERROR_INPUT,
                                             "no voxel is there: all have an occupancy below 0.5");
    if (!status) {
        keep_marked(design, marked);
    }
    vxe_memory_release(marked);
    return status;
}
