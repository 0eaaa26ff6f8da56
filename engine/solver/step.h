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
typedef struct vxe_crossing {
    uint32_t first; /* vectors [first, last) of the slab */
    uint32_t last;
    vxe_reals *own[6];  /* (6, last - first, VXE_VECTOR) on the lower voxels */
    vxe_reals *pull[6]; /* on the upper voxels */
    void *own_block;
    void *pull_block;
} vxe_crossing;

/* What ended a run. Where there are several the last of these is told. */
typedef enum vxe_failure_kind {
    VXE_FAILURE_NONE,
    VXE_FAILURE_BOND,      /* beyond the bounds of its law */
    VXE_FAILURE_CROWD,     /* too many voxels in reach of voxel lower */
    VXE_FAILURE_FULL,      /* too many links, or under a peer's law near pairs */
    VXE_FAILURE_GRAINS,    /* no room for their contacts */
    VXE_FAILURE_STIFF,     /* one of them is stiffer than the step holds */
    VXE_FAILURE_PASSED,    /* a cube went through the floor of the power law */
    VXE_FAILURE_UNSETTLED, /* induced moments do not come to rest */
} vxe_failure_kind;

typedef struct vxe_failure {
    vxe_failure_kind kind;
    uint32_t axis;
    uint32_t lower, upper; /* slots */
} vxe_failure;

typedef struct vxe_slab {
    uint32_t first_chunk, last_chunk;
    vxe_crossing crossing[3];
    vxe_bond_target sums; /* own (6, VXE_WINDOW): what a chunk's bonds do to their lower voxels;
                             pull (6, pull_room): to the upper ones. Pull slides along with the
                             chunks, so that it stays in the nearest cache that holds a plane. */
    void *own_block;
    void *pull_block;
    vxe_ahead ahead;        /* what is fetched while its bonds are computed */
    vxe_pace pace;          /* what its voxels have done since contacts were computed */
    bool broke;             /* a bond of it has, since lists were made */
    bool opened;            /* likewise, since faces were opened */
    vxe_failure failure[2]; /* by parity of the step: one is written while the other is read */
} vxe_slab;

/* What contacts need. */
typedef struct vxe_contact_scratch {
    vxe_contacts lists;
    vxe_near_part *parts; /* (slabs) of the surface */
    bool links_full;      /* voxels would stick for which there is no link left */
    vxe_body_view body;
    double *pressed; /* (N) N of the surface's list: how hard others push, once that was asked */
} vxe_contact_scratch;

/* What others than voxels do to these in a step; load is null where there are none. */
typedef struct vxe_guests {
    vxe_reals *load[6]; /* (6, S) N and N m */
    uint8_t *loaded;    /* (chunks) 1 where some voxel is */
} vxe_guests;

typedef struct vxe_scratch {
    const vxe_model *model;
    vxe_state *state;         /* bound */
    vxe_kernel_arrays arrays; /* the model's, with state and scratch bound */
    vxe_slab *slabs;          /* (slab_count) */
    uint32_t slab_count;
    vxe_fronts fronts;
    uint32_t pull_reach; /* slots from the start of a chunk to the end of what its bonds write up */
    uint32_t pull_room;
    vxe_streams streams;  /* of the bound state */
    double *factors;      /* (groups, or 1) on the edges of their voxels at the end of this step */
    uint8_t *touching;    /* (chunks) 1 where a voxel touches the floor in this step */
    uint8_t *yielding[3]; /* (3, vectors) 1 where a bond is beyond its range in this step */
    double *strain[3];    /* (3, S) of the bonds up, in those vectors */
    double stiffened;     /* part of its way that the stiffness has gone, below 0 at first */
    vxe_reals *rows;      /* coefficients of bonds then; null where stiffness stays */
    vxe_reals *stiffness[VXE_STIFFENING_ARRAYS]; /* (arrays, S) likewise */
    vxe_reals *faces;              /* (S) that are free to a fluid; null where none opens */
    vxe_contact_scratch *contacts; /* null where nothing collides */
    vxe_grain_scratch *grains;     /* null where no voxel has laws of contact */
    vxe_magnet_scratch *magnets;   /* null where there are none */
    vxe_peer_scratch *peer;        /* null under our own law */
    vxe_guests guests;
    vxe_reals **array; /* (array_count) all that was taken */
    uint32_t array_count;
    uint32_t array_room;
} vxe_scratch;

/* What a scratch is made for. */
typedef struct vxe_scratch_def {
    uint32_t slabs;  /* threads that shall work */
    uint32_t sweeps; /* of a step; 0 with explicit damping */
    bool apart;      /* passes of a step are run apart (vxe_scratch_pass) */
    bool singly;     /* steps are taken one at a time */
} vxe_scratch_def;

vxe_status vxe_scratch_init(vxe_scratch *scratch, const vxe_model *model,
                            const vxe_scratch_def *def, vxe_error *error);
void vxe_scratch_clear(vxe_scratch *scratch);

/* Room for what guests do. */
vxe_status vxe_scratch_invite(vxe_scratch *scratch, vxe_error *error);

/* A scratch for what laws of contact and magnets do, and for nothing else: their loads on a state
 * that others advance. */
vxe_status vxe_scratch_init_forces(vxe_scratch *scratch, const vxe_model *model, vxe_state *state,
                                   vxe_error *error);

/* An array of S numbers that the scratch owns; null without memory. For its makers. */
vxe_reals *vxe_scratch_take(vxe_scratch *scratch);

/* Points the kernels at a state. */
void vxe_scratch_bind(vxe_scratch *scratch, vxe_state *state);

/* Factors of half a step's exact decay of a voxel: by global drag of its velocity and spin, and by
 * the floor's dashpot; 1 without. */
typedef struct vxe_decay_factors {
    double drag, spin, floor;
} vxe_decay_factors;

vxe_decay_factors vxe_decay_factors_of(vxe_precision precision, const vxe_kernel_arrays *arrays,
                                       uint32_t slot, double time_step);

/* Puts them into the scratch, for the sweep scheme. */
void vxe_scratch_set_decay(vxe_scratch *scratch, double time_step);

/* Puts the factors of groups at a time into the scratch. */
void vxe_scratch_set_factors(const vxe_scratch *scratch, double time);

/* Memory of coefficients that change in time, and setting them to those of a time. */
vxe_status vxe_scratch_stiffening_init(vxe_scratch *scratch, vxe_error *error);
void vxe_scratch_stiffen(vxe_scratch *scratch, double time);

/* Sets edges and stiffness to those of a time. */
void vxe_scratch_resize(vxe_scratch *scratch, double time);

typedef struct vxe_pass {
    vxe_bond_kernel kernel;
    uint32_t kick_flags;
    uint32_t acts;
    bool yielded;    /* bonds have yielded and broken at these poses already */
    bool no_bonds;   /* only the kick of what is already summed, and the acts */
    double h;        /* s of the kick */
    double step;     /* s of the whole step, for decay and drift */
    double time;     /* s at the start of the step */
    double end;      /* s at its end, by the same sum as the next step's start */
    uint64_t number; /* of the step, for failures */
} vxe_pass;

/* The passes of one step: at most one elastic pass and the damping sweeps. */
#define VXE_MOST_PASSES (VXE_MOST_SWEEPS + 1)
uint32_t vxe_step_passes(const vxe_model *model, const vxe_step_plan *plan,
                         vxe_pass passes[VXE_MOST_PASSES]);

/* Puts a step's number and times into its passes. */
void vxe_passes_begin(vxe_pass *passes, uint32_t count, const vxe_state *state, uint64_t number);

/* The kernel for springs, alone or with dashpots, and those followed by sweeps or not. */
vxe_bond_kernel vxe_spring_kernel(const vxe_model *model, bool dashpots, bool swept);

/* What a slab's bonds that cross into later ones do, before any voxel moves; */
void vxe_slab_cross(const vxe_scratch *scratch, vxe_slab *slab, const vxe_pass *pass);

/* and adding what those of earlier slabs do to its voxels. */
void vxe_slab_absorb(const vxe_scratch *scratch, const vxe_slab *slab);

/* Whether bonds of an axis are run as woven ones: by a slab that is the whole body, as which of
 * them cross slabs is not worked out. */
bool vxe_slab_is_woven(const vxe_scratch *scratch, const vxe_slab *slab, const vxe_pass *pass,
                       uint32_t axis);

/* One chunk of a slab in a pass: its bonds, into sums that slide along, and its voxels. clock: at
 * the end of the step, where voxels resize then. */
void vxe_slab_chunk(vxe_scratch *scratch, vxe_slab *slab, vxe_bond_target *sums,
                    const vxe_pass *pass, uint32_t chunk, const double *clock);

/* Runs one pass over the whole body on the scratch's threads. */
void vxe_scratch_pass(vxe_scratch *scratch, const vxe_pass *pass);

/* Advances the bound state by steps steps; stops behind the first step in which a bond failed, and
 * says which. */
void vxe_scratch_steps(vxe_scratch *scratch, vxe_state *state, const vxe_step_plan *plan,
                       uint64_t steps, vxe_failure *failure);

/* Strains across bonds and what they pull, at the bound state's poses; by every thread of a team,
 * whose threads it makes meet. */
void vxe_scratch_poisson(const vxe_scratch *scratch, uint32_t thread, uint32_t threads);

/* Memory of contacts, and pointing them at the bound state. */
vxe_status vxe_scratch_contacts_init(vxe_scratch *scratch, vxe_error *error);
void vxe_scratch_contacts_clear(vxe_scratch *scratch);
void vxe_scratch_contacts_bind(vxe_scratch *scratch);

/* Makes new lists when they are needed next: something was moved by hand, or has
 * grown between steps. */
void vxe_scratch_contacts_forget(const vxe_scratch *scratch);

/* Lists of the pairs that are near each other in the bound state. */
void vxe_scratch_contacts_renew(const vxe_scratch *scratch);

/* How hard the springs of contacts push at the voxels of the surface's list in the bound state,
   N. */
const double *vxe_scratch_contacts_feel(const vxe_scratch *scratch);

/* Adds a load (N, N m) to what contacts do to a voxel of the surface, by its place in the list; by
 * one thread, behind vxe_scratch_contacts. */
void vxe_scratch_contacts_load(const vxe_scratch *scratch, uint32_t place, const double six[6]);

/* Counts in what voxels of a chunk of a slab have done in a drift of h seconds. */
void vxe_scratch_contacts_moved(const vxe_scratch *scratch, vxe_slab *slab, uint32_t chunk,
                                double h);

/* Loads of contacts for a step whose kick is h seconds; by every thread of a team, before a pass
 * whose threads meet before they move anything. */
void vxe_scratch_contacts(const vxe_scratch *scratch, uint32_t thread, uint32_t threads, double h);

/* Points the kernels at what the bound state's bonds remember. */
void vxe_scratch_yield_bind(vxe_scratch *scratch);

/* Yielding and breaking at the start of a step; by every thread of a team, whose threads it makes
 * meet. */
void vxe_scratch_yield(vxe_scratch *scratch, uint32_t thread, uint32_t threads);

/* What failed in a step: the first voxel in a crowd, or else the first bond, by lower slot. */
vxe_failure vxe_scratch_failure(const vxe_scratch *scratch, uint64_t step);

/* What went wrong with laws of contact or magnets of the bound state. */
vxe_failure_kind vxe_scratch_forces_failure(const vxe_scratch *scratch);

#endif
