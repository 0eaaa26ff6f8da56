/* SPDX-License-Identifier: MIT */
/* Several passes over a large body in flight at once, so that it comes from memory once for all of
   them. A pass needs of a chunk's upper neighbours that the pass before has done them, and of the
   lower ones only their sums, which it brings along itself: it may follow the pass before at a
   distance of as many chunks as bonds reach up. What lies between the first pass and the last stays
   in a cache. A thread runs depth passes in turn, chunk by chunk, each with sums of its own; with
   several threads each follows the one before, and nobody meets. Every voxel is computed as by
   passes one after another: the bits are the same.

   Within a step that holds whatever the body does. Passes of several steps follow each other where
   nothing looks at the whole body in between (contacts, magnets); when a bond fails then, steps
   beyond have begun. So the state is kept beside every so many steps, and the failing ones run
   again, one by one. */
#ifndef VXE_ENGINE_SOLVER_WAVEFRONT_H
#define VXE_ENGINE_SOLVER_WAVEFRONT_H

#include "common/parallel_internal.h"
#include "engine/core/arrays.h"
#include "engine/core/state.h"

struct vxe_workspace;
struct vxe_pass;
struct vxe_partition;
struct vxe_model;
struct vxe_workspace_def;

/* One pass in flight. */
typedef struct vxe_pass_in_flight {
    vxe_bond_target sums; /* own: that of its thread's slab; pull: (6, upper_capacity) */
    void *upper_block;
} vxe_pass_in_flight;

typedef struct vxe_wavefront {
    uint32_t depth;             /* passes that a thread has in flight; 1 where each is run alone */
    uint32_t lag;               /* chunks from one to the next */
    uint32_t extra_lag;         /* more of them to a thread that had to wait for the one before */
    bool spans_steps;           /* passes of several steps do */
    uint32_t window_chunks;     /* chunks of which a thread holds what sweeps keep; 0: all are held,
                          of all threads */
    uint32_t window_vectors[3]; /* of bonds, of one chunk */
    uint32_t count;             /* of front: threads times depth */
    vxe_pass_in_flight *in_flight; /* (threads, depth) */
    struct vxe_partition *whole;   /* (threads) the body as one slab */
    vxe_parallel_mark
        *marks;       /* (threads) chunks that a thread's last pass has done, of all stages */
    vxe_state before; /* as it was before the block of steps that runs */
} vxe_wavefront;

/* What is worth while for a body whose bonds reach up so many slots from the start of a chunk; */
void vxe_wavefront_plan(vxe_wavefront *wavefront, const struct vxe_model *model,
                        const struct vxe_workspace_def *def, uint32_t reach);
/* and its memory, for a scratch whose slabs are made. */
vxe_status vxe_wavefront_take(struct vxe_workspace *workspace, vxe_error *error);
void vxe_wavefront_clear(struct vxe_workspace *workspace);

/* The passes of a step whose forces are computed, by one thread; of a scratch that holds what
   sweeps keep of some chunks. */
void vxe_wavefront_step(struct vxe_workspace *workspace, const struct vxe_pass *passes,
                        uint32_t count);

/* Advances by steps as far as that can be done with passes of several steps in flight; returns the
 * steps done. Fewer than steps where the body does not run freely, or where a bond has failed in
 * the next ones: they are to run one by one. */
uint64_t vxe_wavefront_steps(struct vxe_workspace *workspace, vxe_state *state,
                             const struct vxe_pass *passes, uint32_t count, uint64_t steps);

#endif
