/* SPDX-License-Identifier: MIT */
/* Advancing a state: the order of a step, the passes that it is made of, and the slabs that threads
 * work on. */
#ifndef VXE_ENGINE_SOLVER_STEP_H
#define VXE_ENGINE_SOLVER_STEP_H

#include "engine/contact/neighbor_lists.h"
#include "engine/core/prefetch.h"
#include "engine/model/model.h"
#include "engine/solver/wavefront.h"
#include "engine/timestep/time_step.h"

/* Bond vectors of one axis that reach into another slab: computed by all slabs before any voxel
 * moves, and kept here. */
typedef struct vxe_halo_bonds {
    uint32_t first; /* vectors [first, last) of the slab */
    uint32_t last;
    vxe_reals *lower_force[6]; /* (6, last - first, VXE_VECTOR) on the lower voxels */
    vxe_reals *upper_force[6]; /* on the upper voxels */
    void *lower_block;
    void *upper_block;
} vxe_halo_bonds;

/* What ended a run. Where there are several the last of these is told. */
typedef enum vxe_failure_kind {
    VXE_FAILURE_NONE,
    VXE_FAILURE_BOND,      /* beyond the bounds of its law */
    VXE_FAILURE_CROWD,     /* too many voxels in reach of voxel lower */
    VXE_FAILURE_FULL,      /* too many links, or under a peer's law near pairs */
    VXE_FAILURE_PARTICLES, /* no room for their contacts */
    VXE_FAILURE_STIFF,     /* one of them is stiffer than the step holds */
    VXE_FAILURE_PASSED,    /* a cube went through the floor of the power law */
    VXE_FAILURE_UNSETTLED, /* induced moments do not come to rest */
} vxe_failure_kind;

typedef struct vxe_failure {
    vxe_failure_kind kind;
    uint32_t axis;
    uint32_t lower, upper; /* slots */
} vxe_failure;

typedef struct vxe_partition {
    uint32_t first_chunk, last_chunk;
    vxe_halo_bonds halo[3];
    vxe_bond_target sums; /* own (6, VXE_WINDOW): what a chunk's bonds do to their lower voxels;
                             pull (6, upper_capacity): to the upper ones. Pull slides along with the
                             chunks, so that it stays in the nearest cache that holds a plane. */
    void *lower_block;
    void *upper_block;
    vxe_prefetch prefetch;   /* what is fetched while its bonds are computed */
    vxe_motion_bound motion; /* what its voxels have done since contacts were computed */
    bool broke;              /* a bond of it has, since lists were made */
    bool opened;             /* likewise, since faces were opened */
    vxe_failure failure[2];  /* by parity of the step: one is written while the other is read */
} vxe_partition;

/* What contacts need. */
typedef struct vxe_contact_workspace {
    vxe_contacts lists;
    vxe_neighbor_part *parts; /* (slabs) of the surface */
    bool sticky_links_full;   /* voxels would stick for which there is no link left */
    vxe_body_view body;
    double *pressed; /* (N) N of the surface's list: how hard others push, once that was asked */
} vxe_contact_workspace;

/* What others than voxels do to these in a step; load is null where there are none. */
typedef struct vxe_external_loads {
    vxe_reals *load[6]; /* (6, S) N and N m */
    uint8_t *loaded;    /* (chunks) 1 where some voxel is */
} vxe_external_loads;

typedef struct vxe_workspace {
    const vxe_model *model;
    vxe_state *state;          /* bound */
    vxe_kernel_arrays arrays;  /* the model's, with state and scratch bound */
    vxe_partition *partitions; /* (partition_count) */
    uint32_t partition_count;
    vxe_wavefront wavefront;
    uint32_t
        upper_reach; /* slots from the start of a chunk to the end of what its bonds write up */
    uint32_t upper_capacity;
    vxe_prefetch_arrays prefetch_arrays; /* of the bound state */
    double *factors;      /* (groups, or 1) on the edges of their voxels at the end of this step */
    uint8_t *touching;    /* (chunks) 1 where a voxel touches the floor in this step */
    uint8_t *yielding[3]; /* (3, vectors) 1 where a bond is beyond its range in this step */
    double *strain[3];    /* (3, S) of the bonds up, in those vectors */
    double stiffened;     /* part of its way that the stiffness has gone, below 0 at first */
    vxe_reals *rows;      /* coefficients of bonds then; null where stiffness stays */
    vxe_reals *stiffness[VXE_STIFFENING_ARRAYS]; /* (arrays, S) likewise */
    vxe_reals *faces;                  /* (S) that are free to a fluid; null where none opens */
    vxe_contact_workspace *contacts;   /* null where nothing collides */
    vxe_particle_workspace *particles; /* null where no voxel has laws of contact */
    vxe_magnet_workspace *magnets;     /* null where there are none */
    vxe_voxelyze_workspace *voxelyze;  /* null under our own law */
    vxe_external_loads external_loads;
    vxe_reals **array; /* (array_count) all that was taken */
    uint32_t array_count;
    uint32_t array_capacity;
} vxe_workspace;

/* What a scratch is made for. */
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

/* An array of S numbers that the scratch owns; null without memory. For its makers. */
vxe_reals *vxe_workspace_take(vxe_workspace *workspace);

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
    vxe_bond_kernel kernel;
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
vxe_bond_kernel vxe_spring_kernel(const vxe_model *model, bool dashpots, bool swept);

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

/* Memory of contacts, and pointing them at the bound state. */
vxe_status vxe_workspace_contacts_init(vxe_workspace *workspace, vxe_error *error);
void vxe_workspace_contacts_clear(vxe_workspace *workspace);
void vxe_workspace_contacts_bind(vxe_workspace *workspace);

/* Makes new lists when they are needed next: something was moved by hand, or has
 * grown between steps. */
void vxe_workspace_contacts_forget(const vxe_workspace *workspace);

/* Lists of the pairs that are near each other in the bound state. */
void vxe_workspace_contacts_renew(const vxe_workspace *workspace);

/* How hard the springs of contacts push at the voxels of the surface's list in the bound state,
   N. */
const double *vxe_workspace_contacts_sample(const vxe_workspace *workspace);

/* Adds a load (N, N m) to what contacts do to a voxel of the surface, by its place in the list; by
 * one thread, behind vxe_workspace_contacts. */
void vxe_workspace_contacts_load(const vxe_workspace *workspace, uint32_t place,
                                 const double six[6]);

/* Counts in what voxels of a chunk of a slab have done in a drift of h seconds. */
void vxe_workspace_contacts_moved(const vxe_workspace *workspace, vxe_partition *partition,
                                  uint32_t chunk, double h);

/* Loads of contacts for a step whose kick is h seconds; by every thread of a team, before a pass
 * whose threads meet before they move anything. */
void vxe_workspace_contacts(const vxe_workspace *workspace, uint32_t thread, uint32_t threads,
                            double h);

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
