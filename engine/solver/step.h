/* SPDX-License-Identifier: MIT */
/* Advancing a state: the order of a step, the passes that it is made of, and the slabs that threads
 * work on. */
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

/* Finds the streams of a scratch whose state is bound. */
void vxe_prefetch_arrays_find(vxe_prefetch_arrays *prefetch_arrays, const vxe_workspace *workspace);

/* Begins with what the chunk before end needs that follows this one; nothing of what is at end or
 * beyond: that may be in the hands of another thread. */
void vxe_prefetch_begin(vxe_prefetch *prefetch, const vxe_workspace *workspace, uint32_t chunk,
                        uint32_t end);

/* What a workspace is made for. */
typedef struct vxe_workspace_def {
    uint32_t partitions;         /* threads that shall work */
    uint32_t damping_iterations; /* of a step; 0 with explicit damping */
    bool apart;                  /* passes of a step are run apart (vxe_workspace_pass) */
    bool singly;                 /* steps are taken one at a time */
} vxe_workspace_def;

vxe_status vxe_workspace_init(vxe_workspace *workspace, const vxe_model *model,
                              const vxe_workspace_def *def, vxe_error *error);
void vxe_workspace_clear(vxe_workspace *workspace);

/* Room for what guests do. */
vxe_status vxe_workspace_take_external_loads(vxe_workspace *workspace, vxe_error *error);

/* A scratch for what laws of contact and magnets do, and for nothing else: their loads on a state
 * that others advance. */
vxe_status vxe_workspace_init_forces(vxe_workspace *workspace, const vxe_model *model,
                                     vxe_state *state, vxe_error *error);

/* Points the kernels at a state. */
void vxe_workspace_bind(vxe_workspace *workspace, vxe_state *state);

/* Factors of half a step's exact decay of a voxel: by global drag of its velocity and spin, and by
 * the floor's dashpot; 1 without. */
typedef struct vxe_decay_factors {
    double drag, spin, floor;
} vxe_decay_factors;

vxe_decay_factors vxe_decay_factors_of(vxe_precision precision, const vxe_kernel_arrays *arrays,
                                       uint32_t slot, double time_step);

/* Puts them into the scratch, for the sweep scheme. */
void vxe_workspace_set_decay(vxe_workspace *workspace, double time_step);

/* Puts the factors of groups at a time into the scratch. */
void vxe_workspace_set_factors(const vxe_workspace *workspace, double time);

/* Memory of coefficients that change in time, and setting them to those of a time. */
vxe_status vxe_workspace_stiffening_init(vxe_workspace *workspace, vxe_error *error);
void vxe_workspace_stiffen(vxe_workspace *workspace, double time);

/* Sets edges and stiffness to those of a time. */
void vxe_workspace_resize(vxe_workspace *workspace, double time);

typedef struct vxe_pass {
    vxe_bond_parts law;
    uint32_t kick_flags;
    uint32_t stages;
    bool yielded;    /* bonds have yielded and broken at these poses already */
    bool no_bonds;   /* only the kick of what is already summed, and the acts */
    double h;        /* s of the kick */
    double step;     /* s of the whole step, for decay and drift */
    double time;     /* s at the start of the step */
    double end;      /* s at its end, by the same sum as the next step's start */
    uint64_t number; /* of the step, for failures */
} vxe_pass;

/* The passes of one step: at most one elastic pass and the damping sweeps. */
#define VXE_MAX_PASSES (VXE_MAX_DAMPING_ITERATIONS + 1)
uint32_t vxe_step_passes(const vxe_model *model, const vxe_step_plan *plan,
                         vxe_pass passes[VXE_MAX_PASSES]);

/* Puts a step's number and times into its passes. */
void vxe_passes_begin(vxe_pass *passes, uint32_t count, const vxe_state *state, uint64_t number);

/* The kernel for springs, alone or with dashpots, and those followed by sweeps or not. */
vxe_bond_parts vxe_spring_law(const vxe_model *model, bool dashpots, bool swept);

/* What a slab's bonds that cross into later ones do, before any voxel moves; */
void vxe_partition_compute_halo(const vxe_workspace *workspace, vxe_partition *partition,
                                const vxe_pass *pass);

/* and adding what those of earlier slabs do to its voxels. */
void vxe_partition_add_halo(const vxe_workspace *workspace, const vxe_partition *partition);

/* Whether bonds of an axis are run as woven ones: by a slab that is the whole body, as which of
 * them cross slabs is not worked out. */
bool vxe_partition_is_packed(const vxe_workspace *workspace, const vxe_partition *partition,
                             const vxe_pass *pass, uint32_t axis);

/* One chunk of a slab in a pass: its bonds, into sums that slide along, and its voxels. clock: at
 * the end of the step, where voxels resize then. */
void vxe_partition_chunk(vxe_workspace *workspace, vxe_partition *partition, vxe_bond_target *sums,
                         const vxe_pass *pass, uint32_t chunk, const double *clock);

/* Runs one pass over the whole body on the scratch's threads. */
void vxe_workspace_pass(vxe_workspace *workspace, const vxe_pass *pass);

/* Advances the bound state by steps steps; stops behind the first step in which a bond failed, and
 * says which. */
void vxe_workspace_steps(vxe_workspace *workspace, vxe_state *state, const vxe_step_plan *plan,
                         uint64_t steps, vxe_failure *failure);

/* Strains across bonds and what they pull, at the bound state's poses; by every thread of a team,
 * whose threads it makes meet. */
void vxe_workspace_poisson(const vxe_workspace *workspace, uint32_t thread, uint32_t threads);

/* Points the kernels at what the bound state's bonds remember. */
void vxe_workspace_yield_bind(vxe_workspace *workspace);

/* Yielding and breaking at the start of a step; by every thread of a team, whose threads it makes
 * meet. */
void vxe_workspace_yield(vxe_workspace *workspace, uint32_t thread, uint32_t threads);

/* What failed in a step: the first voxel in a crowd, or else the first bond, by lower slot. */
vxe_failure vxe_workspace_failure(const vxe_workspace *workspace, uint64_t step);

/* What went wrong with laws of contact or magnets of the bound state. */
vxe_failure_kind vxe_workspace_forces_failure(const vxe_workspace *workspace);

#endif
