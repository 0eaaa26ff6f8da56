/* SPDX-License-Identifier: MIT */
/* Numbers that were learned: from a tuned design, into a body, and into a genome. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "evolution/learning/learning_internal.h"
#include "evolution/tuning/tuning_internal.h"

static uint32_t count_kinds(uint32_t by)
{
    uint32_t count = 0;
    for (; by > 0; by >>= 1) {
        count += by & 1;
    }
    return count;
}

vxe_status vxe_learned_read(const vxe_experiment *e, const vxe_design *design, vxe_genome *numbers,
                            vxe_error *error)
{
    const uint64_t voxels = design->voxel_count;
    const vxe_status status = vxe_genome_take(numbers, voxels * count_kinds(e->learning.by), error);
    double *to = numbers->genes;
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS && !status; kind++) {
        if (e->learning.by >> kind & 1) {
            const vxe_layer *layer = vxe_design_find_layer(design, vxe_tuned_layer(kind));
            VXE_ASSERT(layer);
            memcpy(to, layer->values, voxels * sizeof *to);
            to += voxels;
        }
    }
    return status;
}

vxe_status vxe_learned_apply(const vxe_experiment *e, const vxe_genome *numbers, vxe_design *design,
                             vxe_error *error)
{
    const uint64_t voxels = design->voxel_count;
    const double *from = numbers->genes;
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS && numbers->count > 0; kind++) {
        if (e->learning.by >> kind & 1) {
            const vxe_layer *layer = vxe_design_layer(design, vxe_tuned_layer(kind), 1);
            if (!layer) {
                return vxe_error_memory(error, voxels * sizeof *from);
            }
            VXE_ASSERT((uint64_t)(from - numbers->genes) + voxels <= numbers->count);
            memcpy(layer->values, from, voxels * sizeof *from);
            from += voxels;
        }
    }
    return VXE_OK;
}

bool vxe_learned_fits(const vxe_experiment *e, const vxe_genome *numbers, const vxe_design *design)
{
    return numbers->count == 0 ||
           (design && e->learning.iterations > 0 &&
            numbers->count == (uint64_t)design->voxel_count * count_kinds(e->learning.by));
}

/* Where a stiffness (Pa) is in the range of genomes, 0 to 1; logarithms of the ends may miss them
   by a rounding. */
static double part_of(const vxe_encoding_settings *encoding, double stiffness)
{
    const double min = vxe_logarithm(encoding->min_stiffness);
    const double max = vxe_logarithm(encoding->max_stiffness);
    const double part = max > min ? (vxe_logarithm(stiffness) - min) / (max - min) : 0;
    VXE_ASSERT(part > -1e-9 && part < 1 + 1e-9);
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* Writes numbers into the genes of the cells from which the voxels came. */
static void inherit_cells(const vxe_experiment *e, const vxe_phenotype *phenotype,
                          const double *const *values, vxe_genome *into)
{
    const vxe_design *design = phenotype->design;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const int32_t *at = design->voxels[v].position;
        const uint32_t z = (uint32_t)at[2] + phenotype->lowest;
        const uint32_t cell = (z * e->size[1] + (uint32_t)at[1]) * e->size[0] + (uint32_t)at[0];
        if (values[VXE_TUNED_PHASE]) {
            *vxe_direct_phase(into, cell) = values[VXE_TUNED_PHASE][v];
        }
        if (values[VXE_TUNED_STIFFNESS]) {
            *vxe_direct_stiffness(into, cell) =
                part_of(&e->encoding, values[VXE_TUNED_STIFFNESS][v]);
        }
    }
}

/* Writes phases into the genes of a given body's muscles, which are in order. */
static void inherit_phases(const vxe_design *body, const double *phases, vxe_genome *into)
{
    uint32_t next = 0;
    for (uint32_t v = 0; v < body->voxel_count; v++) {
        if (body->materials[body->voxels[v].material].thermal_expansion != 0) {
            into->genes[next++] = phases[v];
        }
    }
    VXE_ASSERT(next == into->count);
}

vxe_status vxe_learned_inherit(const vxe_experiment *e, const vxe_genome *genome,
                               const vxe_genome *numbers, vxe_genome *inherited, vxe_error *error)
{
    const double *values[VXE_TUNED_KINDS] = {NULL};
    const double *from = numbers->genes;
    vxe_phenotype phenotype;
    vxe_status status = vxe_develop(e, genome, &phenotype, error);
    if (status) {
        return status;
    }
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        if (e->learning.by >> kind & 1) {
            values[kind] = from;
            from += phenotype.design->voxel_count;
        }
    }
    status = vxe_genome_copy(inherited, genome, error);
    if (!status && e->encoding.name == VXE_ENCODING_CONTROLLER) {
        inherit_phases(phenotype.design, values[VXE_TUNED_PHASE], inherited);
    } else if (!status) {
        VXE_ASSERT(e->encoding.name == VXE_ENCODING_DIRECT);
        inherit_cells(e, &phenotype, values, inherited);
    }
    vxe_phenotype_clear(&phenotype);
    return status;
}
