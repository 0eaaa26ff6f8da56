/* SPDX-License-Identifier: MIT */
/* Individuals, what became of them, and rows of them. */
#ifndef VXE_EVOLUTION_ALGORITHMS_POPULATION_INTERNAL_H
#define VXE_EVOLUTION_ALGORITHMS_POPULATION_INTERNAL_H

#include "evolution/genomes/development_internal.h"

typedef enum vxe_verdict {
    VXE_VERDICT_NONE = 0, /* not evaluated yet */
    VXE_VERDICT_DONE,
    VXE_VERDICT_DIVERGED,
    VXE_VERDICT_REFUSED,  /* the engine can not run it */
    VXE_VERDICT_REJECTED, /* by the constraints */
    VXE_VERDICT_UNDEFINED /* its fitness is no finite number */
} vxe_verdict;

/* What became of an individual. */
typedef struct vxe_outcome {
    vxe_verdict verdict;
    double fitness; /* with VXE_VERDICT_DONE alone; NaN otherwise */
    uint32_t voxels;
    uint32_t actuated;
    uint32_t extent[3]; /* cells */
    uint64_t hash;      /* of its body */
} vxe_outcome;

typedef enum vxe_operator {
    VXE_OPERATOR_RANDOM, /* no parent */
    VXE_OPERATOR_MUTATION,
    VXE_OPERATOR_SAMPLE /* of a distribution */
} vxe_operator;

typedef struct vxe_individual {
    uint64_t id;     /* from 1 */
    uint64_t parent; /* 0: none */
    vxe_operator made_by;
    uint32_t generation; /* in which it was made */
    uint32_t origin;     /* generation in which the first of its line was made, at random */
    vxe_genome genome;
    vxe_outcome outcome;
    vxe_design *body; /* until it has been evaluated; null where it is rejected */
} vxe_individual;

typedef struct vxe_population {
    vxe_individual *members; /* (count) */
    uint32_t count;
    uint32_t capacity;
} vxe_population;

/* Appends an individual, which the population owns from now on; also when it fails. */
vxe_status vxe_population_add(vxe_population *population, vxe_individual *individual,
                              vxe_error *error);

/* Keeps the first `count` of those that `order` lists, in that order; the others are gone. */
void vxe_population_keep(vxe_population *population, uint32_t *order, uint32_t count);

void vxe_population_clear(vxe_population *population);

vxe_status vxe_individual_copy(vxe_individual *copy, const vxe_individual *individual,
                               vxe_error *error);
void vxe_individual_clear(vxe_individual *individual);

const char *vxe_verdict_name(vxe_verdict verdict);
const char *vxe_operator_name(vxe_operator made_by);

/* Whether it may live on, and how two that may compare: the better fitness first, then the younger
   in ids, so that what is as good as its parent replaces it. */
static inline bool vxe_is_fit(const vxe_individual *individual)
{
    return individual->outcome.verdict == VXE_VERDICT_DONE;
}

static inline bool vxe_is_better(const vxe_individual *a, const vxe_individual *b)
{
    return a->outcome.fitness > b->outcome.fitness ||
           (a->outcome.fitness == b->outcome.fitness && a->id > b->id);
}

#endif
