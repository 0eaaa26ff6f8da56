/* SPDX-License-Identifier: MIT */
/* From a genome to a body. */
#ifndef VXE_EVOLUTION_GENOMES_DEVELOPMENT_INTERNAL_H
#define VXE_EVOLUTION_GENOMES_DEVELOPMENT_INTERNAL_H

#include "evolution/genomes/genome_internal.h"

/* A body, and what its shape says of it. */
typedef struct vxe_phenotype {
    vxe_design *design; /* null where the constraints reject it */
    uint64_t hash;      /* of the design: equal bodies have equal ones; 0 for a rejected one */
    uint32_t voxels;
    uint32_t actuated;
    uint32_t extent[3]; /* cells */
} vxe_phenotype;

/* Fails for want of memory alone. */
vxe_status vxe_develop(const vxe_experiment *experiment, const vxe_genome *genome,
                       vxe_phenotype *phenotype, vxe_error *error);
void vxe_phenotype_clear(vxe_phenotype *phenotype);

#endif
