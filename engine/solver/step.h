/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* Advancing a state: the order of a step, the passes that it is made of, and the partitions that threads work on.

   A step is a list of passes; a pass goes over the whole body once. With explicit damping a step has one pass, with s
   damping iterations it has 1 + s (docs/physics.md, Order of a step and Polynomial damping iteration):

       start of the step    stiffness - yield and break - Poisson coupling - contacts - particles - magnets
            |               all at the poses of the start, before any voxel moves
            v
       pass 0               bonds: springs              then, for the voxels of the chunk,
            |                 explicit damping:  kick - prescribed motion - friction - drift - edges
            |                 iterated:          keep v - kick - prescribed motion - half of the decay - halve v
            v
       passes 1 to s - 1    bonds: dashpots; kick
            v
       pass s               bonds: dashpots; kick - other half of the decay - friction - drift - edges

   A pass works chunk by chunk: first the chunk's bonds in z, y, x, which add forces to the two accumulators, then its
   voxels, whose bonds are all done by then. Voxels are changed in place. The accumulators slide along:

       slots      ... done ... | this chunk | .......... upper neighbours .......... | ... not yet reached ...
       lower_force             |<---------->|   forces on voxels from the bonds up from them
       upper_force             |<-------------------- upper_reach ------------------>|   and from the bonds down

   With several threads the body is cut into partitions, ranges of chunks. Bonds that reach into a later partition are
   halo bonds; their forces are computed first, into arrays of their own:

       thread 0                            thread 1                            thread 2
       halo bonds 0 -> 1                   halo bonds 1 -> 2                   (none)
       ------------------------------------------- barrier -----------------------------------------------------
                                           add halo of 0                       add halo of 0 and 1
       chunk by chunk: bonds, voxels       chunk by chunk: bonds, voxels       chunk by chunk: bonds, voxels
       ------------------------------------------- barrier -----------------------------------------------------

   Every voxel sums its bonds in one order (core/arrays.h), so that the bits do not depend on the number of threads. */
/* clang-format on */
#ifndef VXE_ENGINE_SOLVER_STEP_H
#define VXE_ENGINE_SOLVER_STEP_H

#include "engine/bonds/bonds.h"
#include "engine/contact/contact.h"
#include "engine/contact_models/contact_models.h"
#include "engine/magnets/magnets.h"
#include "engine/model/workspace.h"
#include "engine/solver/compile.h"
#include "engine/solver/wavefront.h"
#include "engine/timestep/timestep.h"
#include "engine/voxels/voxels.h"
#include "engine/voxelyze/voxelyze.h"

/* Finds the arrays to prefetch of a workspace whose state is bound. */
void vxe_prefetch_arrays_find(vxe_prefetch_arrays *prefetch_arrays, const vxe_workspace *workspace);

/* Begins the prefetch for the chunk that follows this one, before `end`. Nothing at or beyond
   `end` is fetched: another thread may own it. */
void vxe_prefetch_begin(vxe_prefetch *prefetch, const vxe_workspace *workspace, uint32_t chunk,
                        uint32_t end);

/* What a workspace is made for. */
typedef struct vxe_workspace_def {
    uint32_t partitions;         /* number of partitions and of threads */
    uint32_t damping_iterations; /* damping iterations of a step; 0 with explicit damping */
    bool apart;                  /* passes run one at a time (vxe_workspace_pass) */
    bool singly;                 /* steps run one at a time */
} vxe_workspace_def;

vxe_status vxe_workspace_init(vxe_workspace *workspace, const vxe_model *model,
                              const vxe_workspace_def *def, vxe_error *error);
void vxe_workspace_clear(vxe_workspace *workspace);

/* Takes memory for the loads of affine bodies. */
vxe_status vxe_workspace_take_external_loads(vxe_workspace *workspace, vxe_error *error);

/* A workspace for contact models and magnets only: it computes their loads on a state that other
   code advances. */
vxe_status vxe_workspace_init_forces(vxe_workspace *workspace, const vxe_model *model,
                                     vxe_state *state, vxe_error *error);

/* Points the kernels at a state. */
void vxe_workspace_bind(vxe_workspace *workspace, vxe_state *state);

/* Half a step's exact decay of a voxel by global drag of its velocity and spin, as factors less 1,
   which may be far below an ulp of 1. */
typedef struct vxe_decay_factors {
    double drag, spin;
} vxe_decay_factors;

vxe_decay_factors vxe_decay_factors_of(vxe_precision precision, const vxe_kernel_arrays *arrays,
                                       uint32_t slot, double time_step);

/* Writes these factors into the workspace, for the polynomial damping iteration. */
void vxe_workspace_set_decay(vxe_workspace *workspace, double time_step);

/* Writes the factors of groups at a time into the workspace. */
void vxe_workspace_set_factors(const vxe_workspace *workspace, double time);

/* Takes the memory of coefficients that change in time, and sets them to those of a time. */
vxe_status vxe_workspace_stiffening_init(vxe_workspace *workspace, vxe_error *error);
void vxe_workspace_stiffen(vxe_workspace *workspace, double time);

/* Sets edges and stiffness to those of a time. */
void vxe_workspace_resize(vxe_workspace *workspace, double time);

typedef struct vxe_pass {
    vxe_bond_parts law;
    uint32_t kick_flags;
    uint32_t stages;
    bool yielded;    /* bonds have already yielded and broken at these poses */
    bool no_bonds;   /* only the stages: no bonds and no kick */
    double h;        /* s: duration of the kick */
    double step;     /* s: duration of the whole step, for decay and drift */
    double time;     /* s: time at the start of the step */
    double end;      /* s: time at its end, computed as the next step's start is */
    double dither;   /* vxe_dither_phase of the step */
    uint64_t number; /* number of the step, for failures */
} vxe_pass;

/* The passes of one step: one with springs, and one for each damping iteration. */
#define VXE_MAX_PASSES (VXE_MAX_DAMPING_ITERATIONS + 1)
uint32_t vxe_step_passes(const vxe_model *model, const vxe_step_plan *plan,
                         vxe_pass passes[VXE_MAX_PASSES]);

/* The same for a workspace, which takes over what its kernels need of the plan. */
uint32_t vxe_workspace_plan(vxe_workspace *workspace, const vxe_step_plan *plan,
                            vxe_pass passes[VXE_MAX_PASSES]);

/* Writes a step's number and times into its passes. */
void vxe_passes_begin(vxe_pass *passes, uint32_t count, const vxe_state *state, uint64_t number);

/* The law of the pass with springs: with explicit dashpots or without, and followed by damping
   iterations (swept) or not. */
vxe_bond_parts vxe_spring_law(const vxe_model *model, bool dashpots, bool swept);

/* Computes the forces of a partition's halo bonds, before any voxel moves. */
void vxe_partition_compute_halo(const vxe_workspace *workspace, vxe_partition *partition,
                                const vxe_pass *pass);

/* Adds the forces of the halo bonds of earlier partitions to the voxels of this one. */
void vxe_partition_add_halo(const vxe_workspace *workspace, const vxe_partition *partition);

/* Whether bonds of an axis run packed: only in a partition that is the whole body, since packed
   bonds are not divided into halo bonds and others. */
bool vxe_partition_is_packed(const vxe_workspace *workspace, const vxe_partition *partition,
                             const vxe_pass *pass, uint32_t axis);

/* One chunk of a partition in a pass: its bonds, into accumulators whose windows slide along,
   and its voxels. clock: numbers of the end of the step, where edges change. */
void vxe_partition_chunk(vxe_workspace *workspace, vxe_partition *partition, vxe_bond_target *sums,
                         const vxe_pass *pass, uint32_t chunk, const double *clock);

/* Runs one pass over the whole body on the workspace's threads. */
void vxe_workspace_pass(vxe_workspace *workspace, const vxe_pass *pass);

/* Advances the bound state by `steps` steps; stops after the first step in which something
   failed, and says what. */
void vxe_workspace_steps(vxe_workspace *workspace, vxe_state *state, const vxe_step_plan *plan,
                         uint64_t steps, vxe_failure *failure);

/* Poisson tensions at the bound state's poses. Every thread of a team calls it; it has a
   barrier. */
void vxe_workspace_poisson(const vxe_workspace *workspace, uint32_t thread, uint32_t threads);

/* Points the kernels at the bond history of the bound state. */
void vxe_workspace_yield_bind(vxe_workspace *workspace);

/* Yielding and breaking at the start of the step of this number. Every thread of a team calls it;
   it has barriers. */
void vxe_workspace_yield(vxe_workspace *workspace, uint64_t step, uint32_t thread,
                         uint32_t threads);

/* What failed in a step: a failure other than of bonds, or else the first bond by lower slot. */
vxe_failure vxe_workspace_failure(const vxe_workspace *workspace, uint64_t step);

/* Failures of contact models or magnets of the bound state. */
vxe_failure_kind vxe_workspace_forces_failure(const vxe_workspace *workspace);

#endif
