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

#include "engine/model/workspace.h"

struct vxe_pass;
struct vxe_workspace_def;

/* What is worth while for a body whose bonds reach up so many slots from the start of a chunk; */
void vxe_wavefront_plan(vxe_wavefront *wavefront, const vxe_model *model,
                        const struct vxe_workspace_def *def, uint32_t reach);
/* and its memory, for a scratch whose slabs are made. */
vxe_status vxe_wavefront_take(vxe_workspace *workspace, vxe_error *error);
void vxe_wavefront_clear(vxe_workspace *workspace);

/* The passes of a step whose forces are computed, by one thread; of a scratch that holds what
   sweeps keep of some chunks. */
void vxe_wavefront_step(vxe_workspace *workspace, const struct vxe_pass *passes, uint32_t count);

/* Advances by steps as far as that can be done with passes of several steps in flight; returns the
 * steps done. Fewer than steps where the body does not run freely, or where a bond has failed in
 * the next ones: they are to run one by one. */
uint64_t vxe_wavefront_steps(vxe_workspace *workspace, vxe_state *state,
                             const struct vxe_pass *passes, uint32_t count, uint64_t steps);

#endif
