/* SPDX-License-Identifier: MIT */
/* Individuals, the outcome of their evaluation, and populations. */
#ifndef VXE_EVOLUTION_ALGORITHMS_POPULATION_INTERNAL_H
#define VXE_EVOLUTION_ALGORITHMS_POPULATION_INTERNAL_H

#include "evolution/genomes/development_internal.h"

typedef enum vxe_verdict {
    VXE_VERDICT_NONE = 0, /* not evaluated yet */
    VXE_VERDICT_DONE,
    VXE_VERDICT_DIVERGED,
    VXE_VERDICT_REFUSED,   /* the engine cannot run it */
    VXE_VERDICT_REJECTED,  /* rejected by the constraints */
    VXE_VERDICT_UNDEFINED, /* the fitness is not a finite number */
    VXE_VERDICT_UNPHYSICAL /* its energy rose by more than was put in */
} vxe_verdict;

/* Outcome of an individual's evaluation. */
typedef struct vxe_outcome {
    vxe_verdict verdict;
    double fitness;       /* NaN unless the verdict is VXE_VERDICT_DONE */
    double spread;        /* standard deviation of the fitness of its copies; 0 with one */
    double before;        /* fitness of the body as it was bred, where it learned; NaN: none */
    double learning_runs; /* cost of its learning, in runs */
    uint32_t voxels;
    uint32_t actuated;
    uint32_t extent[3]; /* cells */
    uint64_t hash;      /* hash of the body */
} vxe_outcome;

typedef enum vxe_operator {
    VXE_OPERATOR_RANDOM, /* without a parent */
    VXE_OPERATOR_MUTATION,
    VXE_OPERATOR_SAMPLE /* drawn from a distribution */
} vxe_operator;

typedef struct vxe_individual {
    uint64_t id;     /* counted from 1 */
    uint64_t parent; /* 0: no parent */
    vxe_operator made_by;
    uint32_t generation; /* generation in which it was made */
    uint32_t origin;     /* generation in which the first ancestor was made at random */
    vxe_genome genome;
    vxe_genome learned; /* numbers that its body has instead of those of its genome, for
                           vxe_learned_apply; empty: none */
    vxe_outcome outcome;
    vxe_design *body; /* until it has been evaluated; null where it is rejected */
} vxe_individual;

typedef struct vxe_population {
    vxe_individual *members; /* (count) */
    uint32_t count;
    uint32_t capacity;
} vxe_population;

/* Appends an individual, which the population takes over even when this fails. */
vxe_status vxe_population_add(vxe_population *population, vxe_individual *individual,
                              vxe_error *error);

/* Keeps the first `count` members that order lists, in that order, and clears the others. order is
   changed. */
void vxe_population_keep(vxe_population *population, uint32_t *order, uint32_t count);

void vxe_population_clear(vxe_population *population);

vxe_status vxe_individual_copy(vxe_individual *copy, const vxe_individual *individual,
                               vxe_error *error);
void vxe_individual_clear(vxe_individual *individual);

/* Gives a body the numbers that were learned; fails without memory. And whether numbers of a file
   can be those of a body, which is null where it is rejected. See evolution/learning. */
vxe_status vxe_learned_apply(const vxe_experiment *experiment, const vxe_genome *learned,
                             vxe_design *design, vxe_error *error);
bool vxe_learned_fits(const vxe_experiment *experiment, const vxe_genome *learned,
                      const vxe_design *design);

const char *vxe_verdict_name(vxe_verdict verdict);
const char *vxe_operator_name(vxe_operator made_by);

/* True where an individual may survive, and where one that may is better than another: by fitness,
   then by the larger id, so that a child that is as good as its parent replaces it. */
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
