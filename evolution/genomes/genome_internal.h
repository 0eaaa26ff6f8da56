/* SPDX-License-Identifier: MIT */
/* Genomes, and what they say of a body. A genome is a row of numbers; what they mean is its
   encoding's. */
#ifndef VXE_EVOLUTION_GENOMES_GENOME_INTERNAL_H
#define VXE_EVOLUTION_GENOMES_GENOME_INTERNAL_H

#include "common/random_internal.h"
#include "evolution/experiment/experiment_internal.h"

typedef struct vxe_genome {
    double *genes; /* (count) */
    uint32_t count;
} vxe_genome;

/* What a genome says of each cell of the box, x fastest. */
typedef struct vxe_blueprint {
    uint32_t cells;
    uint32_t *material; /* (cells) 0: empty, else one more than the material's number */
    double *phase;      /* (cells) cycles */
    double *stiffness;  /* (cells) part of the way from the least to the most, in logarithms */
} vxe_blueprint;

/* What can fail does for want of memory alone. */
typedef struct vxe_encoding {
    /* A genome at random. */
    vxe_status (*make)(const vxe_experiment *experiment, vxe_stream *stream, vxe_genome *genome,
                       vxe_error *error);
    /* A child of one parent. */
    vxe_status (*mutate)(const vxe_experiment *experiment, vxe_stream *stream,
                         const vxe_genome *parent, vxe_genome *child, vxe_error *error);
    /* What the genome says of each cell; null where the body stays, */
    void (*express)(const vxe_experiment *experiment, const vxe_genome *genome,
                    vxe_blueprint *blueprint, double *workspace);
    /* Numbers of workspace that express needs. */
    uint64_t (*workspace)(const vxe_experiment *experiment, const vxe_genome *genome);
    /* and is given something instead. */
    vxe_status (*dress)(const vxe_experiment *experiment, const vxe_genome *genome,
                        vxe_design *design, vxe_error *error);
    /* Whether numbers of a file are a genome. */
    bool (*valid)(const vxe_experiment *experiment, const vxe_genome *genome);
} vxe_encoding;

const vxe_encoding *vxe_encoding_of(const vxe_experiment *experiment);
extern const vxe_encoding vxe_encoding_direct, vxe_encoding_cppn, vxe_encoding_controller;

/* Numbers of a controller. */
uint32_t vxe_controller_size(const vxe_experiment *experiment);

vxe_status vxe_genome_take(vxe_genome *genome, uint64_t count, vxe_error *error);
vxe_status vxe_genome_copy(vxe_genome *copy, const vxe_genome *genome, vxe_error *error);
void vxe_genome_clear(vxe_genome *genome);

#endif
