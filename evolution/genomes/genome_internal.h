/* SPDX-License-Identifier: MIT */
/* Genomes and encodings. A genome is an array of numbers; its encoding defines what they mean. */
#ifndef VXE_EVOLUTION_GENOMES_GENOME_INTERNAL_H
#define VXE_EVOLUTION_GENOMES_GENOME_INTERNAL_H

#include "common/random_internal.h"
#include "evolution/experiment/experiment_internal.h"

typedef struct vxe_genome {
    double *genes; /* (count) */
    uint32_t count;
} vxe_genome;

/* What a genome says about each cell of the box, x fastest. */
typedef struct vxe_blueprint {
    uint32_t cells;
    uint32_t *material; /* (cells) 0: empty, otherwise the index of the material plus one */
    double *phase;      /* (cells) cycles */
    double *stiffness;  /* (cells) place in the range of stiffness, 0 to 1, logarithmic */
} vxe_blueprint;

/* An encoding. Functions that can fail do so only where memory is lacking. */
typedef struct vxe_encoding {
    /* Makes a random genome. */
    vxe_status (*make)(const vxe_experiment *experiment, vxe_stream *stream, vxe_genome *genome,
                       vxe_error *error);
    /* Makes a mutated child of one parent. */
    vxe_status (*mutate)(const vxe_experiment *experiment, vxe_stream *stream,
                         const vxe_genome *parent, vxe_genome *child, vxe_error *error);
    /* Fills the blueprint of a body; null where the body is given (see apply). */
    void (*express)(const vxe_experiment *experiment, const vxe_genome *genome,
                    vxe_blueprint *blueprint, double *workspace);
    /* Numbers of workspace that express needs. */
    uint64_t (*workspace)(const vxe_experiment *experiment, const vxe_genome *genome);
    /* Applies the genome to a given body; null where bodies are searched. */
    vxe_status (*apply)(const vxe_experiment *experiment, const vxe_genome *genome,
                        vxe_design *design, vxe_error *error);
    /* True where numbers from a file are a valid genome. */
    bool (*valid)(const vxe_experiment *experiment, const vxe_genome *genome);
} vxe_encoding;

const vxe_encoding *vxe_encoding_of(const vxe_experiment *experiment);
extern const vxe_encoding vxe_encoding_direct, vxe_encoding_cppn, vxe_encoding_controller;

/* Weights alone, of a given body's controller; and a body with them. */
extern const vxe_encoding vxe_encoding_weights, vxe_encoding_both;

/* The encoding of bodies, whether or not weights stand behind them. */
const vxe_encoding *vxe_body_encoding_of(const vxe_experiment *experiment);

/* Gives a developed body its groups and the controller of its genome, where the experiment has
   networks. */
vxe_status vxe_network_install(const vxe_experiment *experiment, const vxe_genome *genome,
                               vxe_design *design, vxe_error *error);

/* The genes of a cell in a direct genome: its phase (cycles) and its stiffness (0 to 1). */
double *vxe_direct_phase(vxe_genome *genome, uint32_t cell);
double *vxe_direct_stiffness(vxe_genome *genome, uint32_t cell);

/* Number of genes of a controller: phases, or weights of a network. */
uint32_t vxe_controller_size(const vxe_experiment *experiment);

vxe_status vxe_genome_take(vxe_genome *genome, uint64_t count, vxe_error *error);
vxe_status vxe_genome_copy(vxe_genome *copy, const vxe_genome *genome, vxe_error *error);
void vxe_genome_clear(vxe_genome *genome);

#endif
