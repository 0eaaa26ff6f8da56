/* SPDX-License-Identifier: MIT */
/* Develops a genome into a body. */
#ifndef VXE_EVOLUTION_GENOMES_DEVELOPMENT_INTERNAL_H
#define VXE_EVOLUTION_GENOMES_DEVELOPMENT_INTERNAL_H

#include "evolution/genomes/genome_internal.h"

/* A body and the properties of its shape. */
typedef struct vxe_phenotype {
    vxe_design *design; /* null where the constraints reject it */
    uint64_t hash;      /* hash of the design, equal for equal bodies; 0 where it is rejected */
    uint32_t voxels;
    uint32_t actuated;
    uint32_t extent[3]; /* cells */
    uint32_t lowest;    /* cells of the box below the body */
} vxe_phenotype;

/* Fails only where memory is lacking. */
vxe_status vxe_develop(const vxe_experiment *experiment, const vxe_genome *genome,
                       vxe_phenotype *phenotype, vxe_error *error);
void vxe_phenotype_clear(vxe_phenotype *phenotype);

#endif
