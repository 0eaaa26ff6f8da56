/* SPDX-License-Identifier: MIT */
/* State of a search, the interface of algorithms, and the steps of a generation: breed, evaluate,
   record, select, checkpoint. */
#ifndef VXE_EVOLUTION_SEARCH_INTERNAL_H
#define VXE_EVOLUTION_SEARCH_INTERNAL_H

#include "evolution/experiment/evaluation_internal.h"
#include "evolution/search.h"
#include "evolution/storage/search_folder_internal.h"

struct vxe_search {
    vxe_experiment *experiment;
    vxe_folder folder;
    uint32_t threads;
    vxe_external *external; /* who evaluates bodies, or null: we do */
    vxe_unit unit;          /* of the fitness */
    double step_scale;      /* factor on the time step of every run; other than 1 in tests alone */
    uint32_t generation;    /* generations completed */
    uint64_t next_id;       /* id of the next individual */
    uint64_t evaluations;   /* individuals evaluated */
    uint32_t failed;        /* individuals of the last generation without a fitness */
    vxe_population living;  /* survivors */
    vxe_population offspring; /* of the present generation */
    vxe_individual champion;  /* best individual so far; id 0: none yet */
    double champion_at_half;  /* fitness of the champion at half the time step; NaN: not asked for,
                                 or none */
    vxe_genome memory;        /* state of the algorithm beside individuals; may be empty */
    vxe_memo memo;
    vxe_evaluation evaluation; /* of the offspring, while is_asked */
    bool is_asked;             /* the offspring wait for their fitness */
    bool broken;               /* a generation failed half way */
    vxe_effort effort;         /* since the search was created or resumed */
};

/* An algorithm. Its functions fail only where memory is lacking. */
typedef struct vxe_algorithm {
    /* Fills the offspring of a generation. The first generation is random unless `starts` is
       set. */
    vxe_status (*breed)(vxe_search *search, vxe_error *error);
    /* Moves the surviving offspring to the living, and clears all others. */
    vxe_status (*select)(vxe_search *search, vxe_error *error);
    /* Whether numbers of a checkpoint are a valid memory; null: the algorithm has none. */
    bool (*remembers)(const vxe_search *search);
    bool starts; /* breeds the first generation too */
} vxe_algorithm;

const vxe_algorithm *vxe_algorithm_of(const vxe_experiment *experiment);
extern const vxe_algorithm vxe_algorithm_afpo, vxe_algorithm_ga, vxe_algorithm_climber,
    vxe_algorithm_random, vxe_algorithm_map_elites, vxe_algorithm_nsga2, vxe_algorithm_cma_es,
    vxe_algorithm_es;

/* Add a random individual or a mutated child to the offspring. Both are tried again until the body
   is allowed and, for a child, differs from its parent's. */
vxe_status vxe_breed_random(vxe_search *search, vxe_error *error);
vxe_status vxe_breed_child(vxe_search *search, const vxe_individual *parent, vxe_error *error);

/* Adds an individual of this genome, which it takes over even when it fails. parent: what it was
   drawn about; null: a distribution. */
vxe_status vxe_breed_sample(vxe_search *search, const vxe_individual *parent, vxe_genome *genome,
                            vxe_error *error);

/* Adds `count` random individuals. */
vxe_status vxe_breed_newcomers(vxe_search *search, uint64_t count, vxe_error *error);

/* Random numbers for choices about the next individual of the offspring, apart from its genome. */
vxe_stream vxe_choice_stream(const vxe_search *search);

/* The same random numbers for two individuals of the offspring, one behind the other. */
vxe_stream vxe_pair_stream(const vxe_search *search);

/* Appends all offspring with a fitness to the living, and clears the others. */
vxe_status vxe_join(vxe_search *search, vxe_error *error);

/* Fills order with the indices of the living, best first. */
typedef vxe_status vxe_ranking(const vxe_search *search, uint32_t *order, vxe_error *error);

/* Ranks by fitness, the highest first. */
vxe_ranking vxe_rank_by_fitness;

/* Ranks the living. Returns null, and fills error, without memory. Release the result with
   vxe_memory_release. */
uint32_t *vxe_rank(const vxe_search *search, vxe_ranking *ranking, vxe_error *error);

/* Appends the offspring to the living, and keeps the best, as many as the population has places, in
   the order of the ranking. */
vxe_status vxe_select_ranked(vxe_search *search, vxe_ranking *ranking, vxe_error *error);

/* The same in the order of vxe_rank_by_fitness. */
vxe_status vxe_select_best(vxe_search *search, vxe_error *error);

/* A second objective; less is better. */
typedef double vxe_measure(const vxe_individual *individual);

/* Sorts a population into the Pareto fronts of fitness and a second objective. order: indices,
   front by front, in each the fittest first; front (may be null): the number of the front of
   each. */
vxe_status vxe_order_fronts(const vxe_population *population, vxe_measure *measure, uint32_t *order,
                            uint32_t *front, vxe_error *error);

/* Cell of an individual in the archive of map-elites: x + first_bins y. */
uint32_t vxe_cell_of(const vxe_experiment *experiment, const vxe_outcome *outcome);

/* Writes a checkpoint: everything that a search needs to go on. */
vxe_status vxe_checkpoint_write(vxe_search *search, vxe_error *error);

/* Reads the last complete checkpoint; *found is false where there is none yet. Fails where there is
   one of another release or experiment, or where all are damaged. */
vxe_status vxe_checkpoint_read(vxe_search *search, bool *found, vxe_error *error);

#endif
