/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* Wavefront (temporal blocking): several passes over a large body are in flight at once, so that each chunk is read
   from memory once for all of them. Within a step that holds for any body; passes of several steps are in flight
   together where steps are independent (nothing needs the whole body in between, as contacts and magnets do).

   A pass needs of a chunk's upper neighbours that the previous pass has done them, and of the lower ones only their
   sums, which it brings along in accumulators of its own. So it may trail the previous pass by `lag` chunks, as far as
   bonds reach up; what lies between the first pass and the last stays in a cache. With lag 2 and 3 passes:

       chunk      0    1    2    3    4    5    6    7    8    9
       pass 0     x    x    x    x    x    x    x   [7]   p    .      x done   [c] runs next   p being prefetched
       pass 1     x    x    x    x    x   [5]   .    .    .    .
       pass 2     x    x    x   [3]   .    .    .    .    .    .
                               |<---- in a cache ----->|

   A thread runs `depth` passes in turn, chunk by chunk: a stage. With several threads, thread t has the stages t,
   t + threads, ...; each trails the previous thread, whose progress it reads from a mark, and there is no barrier:

       thread 0   stage 0 ==========================> stage 2 ===========>
       thread 1        stage 1 ==========================> stage 3 ======>
       memory     ---- the body, once for each stage ----

   Every voxel is computed as by passes one after another: the bits are the same. When a bond fails, later steps have
   begun already; so the state is copied before every block of steps, and a block that fails is restored and run again
   step by step. */
/* clang-format on */
#ifndef VXE_ENGINE_SOLVER_WAVEFRONT_H
#define VXE_ENGINE_SOLVER_WAVEFRONT_H

#include "engine/model/workspace.h"

struct vxe_pass;
struct vxe_workspace_def;

/* Plans how many passes are in flight, for a body whose bonds reach up by `reach` slots from the
   start of a chunk. */
void vxe_wavefront_plan(vxe_wavefront *wavefront, const vxe_model *model,
                        const struct vxe_workspace_def *def, uint32_t reach);
/* Takes the memory of the wavefront, for a workspace whose partitions are made. */
vxe_status vxe_wavefront_take(vxe_workspace *workspace, vxe_error *error);
void vxe_wavefront_clear(vxe_workspace *workspace);

/* Runs the passes of a step by one thread, after its contact and other forces are computed; for
   a workspace that keeps damping data of some chunks only. */
void vxe_wavefront_step(vxe_workspace *workspace, const struct vxe_pass *passes, uint32_t count);

/* Advances by up to `steps` steps with passes of several steps in flight; returns the number of
   steps done. These are fewer where steps are not independent, or where a bond has failed in the
   next block: the caller then runs the rest one by one. */
uint64_t vxe_wavefront_steps(vxe_workspace *workspace, vxe_state *state,
                             const struct vxe_pass *passes, uint32_t count, uint64_t steps);

#endif
