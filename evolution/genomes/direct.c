/* SPDX-License-Identifier: MIT */
/* The direct encoding: three numbers per cell, its material (0: empty), its phase (cycles) and its
   stiffness (0 to 1, see vxe_blueprint). */
#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "evolution/genomes/genome_internal.h"

enum { GENE_MATERIAL, GENE_PHASE, GENE_STIFFNESS, GENES };

/* Standard deviation of a mutation of phase (cycles) and stiffness. */
#define CREEP 0.1

static double draw_material(const vxe_experiment *e, vxe_stream *stream, double filled)
{
    const bool full = vxe_stream_unit(stream) < filled;
    const uint32_t which = vxe_stream_below(stream, e->world->material_count);
    return full ? 1.0 + which : 0;
}

static vxe_status make(const vxe_experiment *e, vxe_stream *stream, vxe_genome *genome,
                       vxe_error *error)
{
    const vxe_status status = vxe_genome_take(genome, (uint64_t)GENES * vxe_cell_count(e), error);
    for (uint32_t i = 0; i < genome->count; i += GENES) {
        genome->genes[i + GENE_MATERIAL] = draw_material(e, stream, e->encoding.filled);
        genome->genes[i + GENE_PHASE] = vxe_stream_unit(stream);
        genome->genes[i + GENE_STIFFNESS] = vxe_stream_unit(stream);
    }
    return status;
}

/* Redraws cells. Empty is as likely as any one material, so that mutations alone cause no drift. */
static vxe_status mutate(const vxe_experiment *e, vxe_stream *stream, const vxe_genome *parent,
                         vxe_genome *child, vxe_error *error)
{
    const vxe_status status = vxe_genome_copy(child, parent, error);
    const double rate = e->encoding.mutated_cells / vxe_cell_count(e);
    const double materials = e->world->material_count;
    for (uint32_t i = 0; i < child->count; i += GENES) {
        double *genes = child->genes + i;
        if (!(vxe_stream_unit(stream) < rate)) {
            continue;
        }
        genes[GENE_MATERIAL] = draw_material(e, stream, materials / (materials + 1));
        const double phase = genes[GENE_PHASE] + CREEP * vxe_stream_normal(stream);
        const double stiffness = genes[GENE_STIFFNESS] + CREEP * vxe_stream_normal(stream);
        genes[GENE_PHASE] = phase - floor(phase);
        genes[GENE_STIFFNESS] = stiffness < 0 ? 0 : stiffness > 1 ? 1 : stiffness;
    }
    return status;
}

static void express(const vxe_experiment *e, const vxe_genome *genome, vxe_blueprint *blueprint,
                    double *workspace)
{
    (void)e;
    (void)workspace;
    VXE_ASSERT(genome->count == (uint64_t)GENES * blueprint->cells);
    for (uint32_t i = 0; i < blueprint->cells; i++) {
        const double *genes = genome->genes + (size_t)GENES * i;
        blueprint->material[i] = (uint32_t)genes[GENE_MATERIAL];
        blueprint->phase[i] = genes[GENE_PHASE];
        blueprint->stiffness[i] = genes[GENE_STIFFNESS];
    }
}

double *vxe_direct_phase(vxe_genome *genome, uint32_t cell)
{
    VXE_ASSERT((uint64_t)GENES * cell + GENES <= genome->count);
    return &genome->genes[(size_t)GENES * cell + GENE_PHASE];
}

double *vxe_direct_stiffness(vxe_genome *genome, uint32_t cell)
{
    VXE_ASSERT((uint64_t)GENES * cell + GENES <= genome->count);
    return &genome->genes[(size_t)GENES * cell + GENE_STIFFNESS];
}

static uint64_t workspace_of(const vxe_experiment *e, const vxe_genome *genome)
{
    (void)e;
    (void)genome;
    return 0;
}

static bool valid(const vxe_experiment *e, const vxe_genome *genome)
{
    bool good = genome->count == (uint64_t)GENES * vxe_cell_count(e);
    for (uint32_t i = 0; i < genome->count && good; i += GENES) {
        const double *genes = genome->genes + i;
        good = genes[GENE_MATERIAL] >= 0 && genes[GENE_MATERIAL] <= e->world->material_count &&
               genes[GENE_PHASE] >= 0 && genes[GENE_PHASE] <= 1 && genes[GENE_STIFFNESS] >= 0 &&
               genes[GENE_STIFFNESS] <= 1;
    }
    return good;
}

const vxe_encoding vxe_encoding_direct = {
    .make = make, .mutate = mutate, .express = express, .workspace = workspace_of, .valid = valid};
