/* SPDX-License-Identifier: MIT */
/* Evaluates individuals: unknown bodies run as a batch, known ones are looked up. */
#ifndef VXE_EVOLUTION_EXPERIMENT_EVALUATION_INTERNAL_H
#define VXE_EVOLUTION_EXPERIMENT_EVALUATION_INTERNAL_H

#include "engine/batch.h"
#include "evolution/algorithms/population_internal.h"

/* Hash table of verdicts and fitness by the hash of the body: open addressing, the size is a power
   of two. */
typedef struct vxe_memo {
    vxe_outcome *outcomes; /* (places) VXE_VERDICT_NONE: free */
    uint32_t places;
    uint32_t count;
} vxe_memo;

void vxe_memo_clear(vxe_memo *memo);

/* Cost of evaluations. */
typedef struct vxe_effort {
    uint64_t runs;
    double bond_updates;
    double learning_runs; /* of inner learning, in runs */
    uint64_t unable;      /* individuals whose bodies could not learn */
} vxe_effort;

/* Fitness from outside; see evolution/external. */
typedef struct vxe_external vxe_external;

/* How bodies are run. */
typedef struct vxe_runner {
    const vxe_experiment *experiment;
    uint32_t threads;      /* 0: as many as the machine has */
    double step_scale;     /* factor on the time step that the engine chooses */
    vxe_batch_watch watch; /* null: cannot be stopped */
    void *user;
    const vxe_external *external; /* who evaluates bodies instead, or null */
} vxe_runner;

/* Runs the bodies of individuals in this process as they are, and writes verdicts and fitness.
   Where the watch stops it, *stopped is true and the outcomes are invalid. */
vxe_status vxe_run_bodies(const vxe_runner *runner, const vxe_individual *const *individuals,
                          uint32_t count, vxe_outcome *outcomes, bool *stopped, vxe_effort *effort,
                          vxe_error *error);

/* The same, but individuals learn where the experiment says so. learned: (count) empty; what the
   fitness is owed to: numbers for vxe_learned_apply, or a genome where it is inherited. */
vxe_status vxe_run_here(const vxe_runner *runner, const vxe_individual *const *individuals,
                        uint32_t count, vxe_outcome *outcomes, vxe_genome *learned, bool *stopped,
                        vxe_effort *effort, vxe_error *error);

/* An evaluation of a population, which must stay as it is meanwhile: the bodies that are not known
   yet, each once, and what they are answered. */
typedef struct vxe_evaluation {
    const vxe_individual **asked; /* (count) individuals whose bodies are asked for */
    vxe_outcome *outcomes;        /* (count) verdict, fitness and spread of each: the answers */
    vxe_genome *learned;          /* (count) as of vxe_run_here */
    uint32_t *answer;             /* (members) index into asked and outcomes, or UINT32_MAX */
    uint32_t count;
} vxe_evaluation;

/* Looks up what is known, and lists the bodies that are not. */
vxe_status vxe_evaluation_ask(vxe_evaluation *ev, vxe_population *population, const vxe_memo *memo,
                              vxe_error *error);

/* Answers by runs here, or in the other processes of a cluster. Where the watch stops it, *stopped
   is true and the answers are invalid. */
vxe_status vxe_evaluation_run(const vxe_runner *runner, vxe_evaluation *ev, bool *stopped,
                              vxe_effort *effort, vxe_error *error);

/* Gives all members their outcomes, which the memo learns, and releases the bodies. Individuals
   that learn get what they learned; of these the memo learns nothing, since outcomes are only half
   of it. */
vxe_status vxe_evaluation_tell(const vxe_evaluation *ev, const vxe_experiment *experiment,
                               vxe_population *population, vxe_memo *memo, vxe_error *error);

void vxe_evaluation_clear(vxe_evaluation *ev);

/* Runs an individual once more, alone and with the energy audit; *holds is false where it is
   unphysical by that. Where the watch stops it, *stopped is true. */
vxe_status vxe_weigh(const vxe_runner *runner, const vxe_individual *individual, bool *holds,
                     bool *stopped, vxe_error *error);

#endif
