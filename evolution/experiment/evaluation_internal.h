/* SPDX-License-Identifier: MIT */
/* What individuals are worth: bodies that are new run in a batch, others are remembered. */
#ifndef VXE_EVOLUTION_EXPERIMENT_EVALUATION_INTERNAL_H
#define VXE_EVOLUTION_EXPERIMENT_EVALUATION_INTERNAL_H

#include "engine/batch.h"
#include "evolution/algorithms/population_internal.h"

/* Verdicts and fitness by the body's hash: open addressing, a power of two of places. */
typedef struct vxe_memo {
    vxe_outcome *outcomes; /* (places) VXE_VERDICT_NONE: free */
    uint32_t places;
    uint32_t count;
} vxe_memo;

void vxe_memo_clear(vxe_memo *memo);

/* What evaluations have cost. */
typedef struct vxe_effort {
    uint64_t runs;
    double bond_updates;
} vxe_effort;

/* How bodies are run. */
typedef struct vxe_runner {
    const vxe_experiment *experiment;
    uint32_t threads;      /* 0: as many as the machine has */
    double step_scale;     /* times the step that the engine takes */
    vxe_batch_watch watch; /* null: nobody stops it */
    void *user;
} vxe_runner;

/* Runs the bodies of some individuals in this process, and writes verdicts and fitness; where the
   watch stops it, *stopped is true and they are not to be used. */
vxe_status vxe_run_here(const vxe_runner *runner, const vxe_individual *const *individuals,
                        uint32_t count, vxe_outcome *outcomes, bool *stopped, vxe_effort *effort,
                        vxe_error *error);

/* Evaluates all members, and lets go of their bodies; all or, where the watch stops it, none. Those
   that are new run here, or in the other processes of a cluster. */
vxe_status vxe_evaluate(const vxe_runner *runner, vxe_population *population, vxe_memo *memo,
                        bool *stopped, vxe_effort *effort, vxe_error *error);

#endif
