/* SPDX-License-Identifier: MIT */
/* The encoding of controllers for a given body: one phase offset (cycles) for each actuated voxel,
   or for each group where the body has a layer Group. */
#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/genomes/genome_internal.h"

/* Standard deviation of a mutation of a phase, cycles. */
#define CREEP 0.1

static bool is_actuated(const vxe_design *body, uint32_t voxel)
{
    return body->materials[body->voxels[voxel].material].thermal_expansion != 0;
}

uint32_t vxe_controller_size(const vxe_experiment *e)
{
    const vxe_design *body = e->world;
    const vxe_layer *group = vxe_design_find_layer(body, "Group");
    uint32_t count = 0;
    if (e->network.sensor_count > 0) {
        return (uint32_t)vxe_network_weights(&e->network.shape);
    }
    for (uint32_t v = 0; v < body->voxel_count; v++) {
        if (group) {
            const uint32_t number = (uint32_t)group->values[v] + 1;
            count = number > count ? number : count;
        } else {
            count += is_actuated(body, v);
        }
    }
    return count;
}

static vxe_status make(const vxe_experiment *e, vxe_stream *stream, vxe_genome *genome,
                       vxe_error *error)
{
    const vxe_status status = vxe_genome_take(genome, vxe_controller_size(e), error);
    for (uint32_t i = 0; i < genome->count; i++) {
        genome->genes[i] = vxe_stream_unit(stream);
    }
    return status;
}

static vxe_status mutate(const vxe_experiment *e, vxe_stream *stream, const vxe_genome *parent,
                         vxe_genome *child, vxe_error *error)
{
    (void)e;
    const vxe_status status = vxe_genome_copy(child, parent, error);
    for (uint32_t i = 0; i < child->count; i++) {
        child->genes[i] += CREEP * vxe_stream_normal(stream);
    }
    return status;
}

/* Gives the body its phases. */
static vxe_status apply(const vxe_experiment *e, const vxe_genome *genome, vxe_design *design,
                        vxe_error *error)
{
    const vxe_design *body = e->world;
    const vxe_layer *group = vxe_design_find_layer(body, "Group");
    const vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    uint32_t next = 0;
    if (!phase) {
        return vxe_error_memory(error, design->voxel_count * sizeof(double));
    }
    for (uint32_t v = 0; v < body->voxel_count; v++) {
        if (group || is_actuated(body, v)) {
            const double gene = genome->genes[group ? (uint32_t)group->values[v] : next++];
            phase->values[v] = gene - floor(gene);
        }
    }
    VXE_ASSERT(group || next == genome->count);
    return VXE_OK;
}

static bool valid(const vxe_experiment *e, const vxe_genome *genome)
{
    bool good = genome->count == vxe_controller_size(e);
    for (uint32_t i = 0; i < genome->count; i++) {
        good = good && isfinite(genome->genes[i]);
    }
    return good;
}

const vxe_encoding vxe_encoding_controller = {
    .make = make, .mutate = mutate, .apply = apply, .valid = valid};
