/* SPDX-License-Identifier: MIT */
/* What individuals are worth: bodies that are new run in a batch, others are remembered. */
#ifndef VXE_EVOLUTION_EVALUATION_INTERNAL_H
#define VXE_EVOLUTION_EVALUATION_INTERNAL_H

#include "engine/batch.h"
#include "evolution/population_internal.h"

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

/* Evaluates all members, and lets go of their bodies; all or, where watch stops it, none. threads
   0: as many as the machine has. */
vxe_status vxe_evaluate(vxe_population *population, vxe_memo *memo, uint32_t threads,
                        vxe_batch_watch watch, void *user, bool *stopped, vxe_effort *effort,
                        vxe_error *error);

#endif
