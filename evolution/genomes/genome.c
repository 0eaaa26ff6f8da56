/* SPDX-License-Identifier: MIT */
/* Memory of genomes, and the list of encodings. */
#include "common/assert_internal.h"
#include "evolution/genomes/genome_internal.h"

#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"

vxe_status vxe_genome_take(vxe_genome *genome, uint64_t count, vxe_error *error)
{
    VXE_ASSERT(count <= UINT32_MAX);
    genome->count = 0;
    genome->genes = vxe_memory_take(count, sizeof *genome->genes);
    if (!genome->genes) {
        return vxe_error_memory(error, count * sizeof *genome->genes);
    }
    genome->count = (uint32_t)count;
    return VXE_OK;
}

vxe_status vxe_genome_copy(vxe_genome *copy, const vxe_genome *genome, vxe_error *error)
{
    const vxe_status status = vxe_genome_take(copy, genome->count, error);
    if (!status && genome->count > 0) {
        memcpy(copy->genes, genome->genes, genome->count * sizeof *genome->genes);
    }
    return status;
}

void vxe_genome_clear(vxe_genome *genome)
{
    vxe_memory_release(genome->genes);
    *genome = (vxe_genome){0};
}

const vxe_encoding *vxe_encoding_of(const vxe_experiment *experiment)
{
    if (experiment->network.sensor_count == 0) {
        return vxe_body_encoding_of(experiment);
    }
    return experiment->encoding.name == VXE_ENCODING_CONTROLLER ? &vxe_encoding_weights
                                                                : &vxe_encoding_both;
}

const vxe_encoding *vxe_body_encoding_of(const vxe_experiment *experiment)
{
    switch ((vxe_encoding_name)experiment->encoding.name) {
    case VXE_ENCODING_CPPN:
        return &vxe_encoding_cppn;
    case VXE_ENCODING_CONTROLLER:
        return &vxe_encoding_controller;
    case VXE_ENCODING_DIRECT:
        break;
    }
    VXE_ASSERT(experiment->encoding.name == VXE_ENCODING_DIRECT);
    return &vxe_encoding_direct;
}
