/* SPDX-License-Identifier: MIT */
/* A search as it goes: breed, evaluate, record, select, checkpoint. */
#ifndef VXE_EVOLUTION_SEARCH_INTERNAL_H
#define VXE_EVOLUTION_SEARCH_INTERNAL_H

#include "evolution/experiment/evaluation_internal.h"
#include "evolution/search.h"
#include "evolution/storage/folder_internal.h"

struct vxe_search {
    vxe_experiment *experiment;
    vxe_folder folder;
    uint32_t threads;
    uint32_t generation;      /* done so far */
    uint64_t next_id;         /* of the individual to come */
    uint64_t evaluations;     /* individuals judged */
    uint32_t failed;          /* of the last generation */
    vxe_population living;    /* selected so far */
    vxe_population offspring; /* of the generation in work */
    vxe_individual champion;  /* the best ever; id 0: none yet */
    double champion_at_half;  /* its fitness at half the step; NaN: not asked for, or none */
    vxe_genome
        memory; /* what the algorithm knows beside individuals; empty where that is nothing */
    vxe_memo memo;
    bool broken;       /* a generation failed half way */
    vxe_effort effort; /* since it was created or resumed */
};

/* Both fail for want of memory alone. */
typedef struct vxe_algorithm {
    /* Fills offspring, of a generation behind the first, which is random. */
    vxe_status (*breed)(vxe_search *search, vxe_error *error);
    /* Moves those of the offspring that live on to the living, and lets go of who does not. */
    vxe_status (*select)(vxe_search *search, vxe_error *error);
    bool starts; /* it breeds the first generation too */
} vxe_algorithm;

const vxe_algorithm *vxe_algorithm_of(const vxe_experiment *experiment);
extern const vxe_algorithm vxe_algorithm_afpo, vxe_algorithm_ga, vxe_algorithm_climber,
    vxe_algorithm_random, vxe_algorithm_map_elites, vxe_algorithm_nsga2, vxe_algorithm_cma_es;

/* Adds an individual at random to the offspring, or a mutated child; each tried until it is allowed
   and, a child, other than its parent. */
vxe_status vxe_breed_random(vxe_search *search, vxe_error *error);
vxe_status vxe_breed_child(vxe_search *search, const vxe_individual *parent, vxe_error *error);

/* Adds an individual of a genome, which it owns from now on; also when it fails. */
vxe_status vxe_breed_sample(vxe_search *search, vxe_genome *genome, vxe_error *error);

/* Adds that many at random. */
vxe_status vxe_breed_newcomers(vxe_search *search, uint64_t count, vxe_error *error);

/* A stream for choices about the next of the offspring that are not its genome's. */
vxe_stream vxe_choice_stream(const vxe_search *search);

/* Moves all offspring that are fit behind the living, and clears the others. */
vxe_status vxe_join(vxe_search *search, vxe_error *error);

/* Lists the living, (count) places, who shall rather live ahead. */
typedef vxe_status vxe_ranking(const vxe_search *search, uint32_t *order, vxe_error *error);

/* The better fitness first. */
vxe_ranking vxe_rank_by_fitness;

/* Ranks the living; null and error filled without memory. Release it with vxe_memory_release. */
uint32_t *vxe_rank(const vxe_search *search, vxe_ranking *ranking, vxe_error *error);

/* Joins, and keeps as many as the population has places, the first of the ranking, in its order. */
vxe_status vxe_select_ranked(vxe_search *search, vxe_ranking *ranking, vxe_error *error);

/* What individuals have beside fitness, of which less is better. */
typedef double vxe_measure(const vxe_individual *individual);

/* The fronts of fitness and a measure: order lists the members front by front, the fitter first;
   front (may be null) has the number of each in that order. */
vxe_status vxe_order_fronts(const vxe_population *population, vxe_measure *measure, uint32_t *order,
                            uint32_t *front, vxe_error *error);

/* The cell of an individual in the archive of map-elites, x + first_bins y. */
uint32_t vxe_cell_of(const vxe_experiment *experiment, const vxe_outcome *outcome);

/* Checkpoints: everything that a search needs to go on. */
vxe_status vxe_checkpoint_write(const vxe_search *search, vxe_error *error);

/* Takes up the last whole one; *found is false where there is none yet. Fails where one is there
   and not of this release or this experiment, or where all are damaged. */
vxe_status vxe_checkpoint_read(vxe_search *search, bool *found, vxe_error *error);

#endif
