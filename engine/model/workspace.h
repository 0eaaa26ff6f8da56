/* SPDX-License-Identifier: MIT */
/* What a step needs beside model and state, and nothing that a checkpoint would hold: partitions
   for threads, accumulators, and the memory of every optional force. Forces read it and add their
   loads; solver/ makes it and runs it. */
#ifndef VXE_ENGINE_MODEL_WORKSPACE_H
#define VXE_ENGINE_MODEL_WORKSPACE_H

#include "common/parallel_internal.h"
#include "engine/core/prefetch.h"
#include "engine/model/model.h"

struct vxe_contact_workspace;  /* contact.h */
struct vxe_particle_workspace; /* contact_models.h */
struct vxe_magnet_workspace;   /* magnets.h */
struct vxe_voxelyze_workspace; /* voxelyze.h */

/* What some voxels did in a step at most. */
typedef struct vxe_motion_bound {
    double moved;                  /* m: farther than with a velocity that was common to all */
    double turned;                 /* rad */
    double travelled;              /* m: in all */
    double grown;                  /* m: their edges */
    double slowest[3], fastest[3]; /* m/s: components of their velocities */
} vxe_motion_bound;

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

/* What others than voxels do to these in a step; load is null where there are none. */
typedef struct vxe_external_loads {
    vxe_reals *load[6]; /* (6, S) N and N m */
    uint8_t *loaded;    /* (chunks) 1 where some voxel is */
} vxe_external_loads;

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
    vxe_partition *whole;          /* (threads) the body as one slab */
    vxe_parallel_mark
        *marks;       /* (threads) chunks that a thread's last pass has done, of all stages */
    vxe_state before; /* as it was before the block of steps that runs */
} vxe_wavefront;

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
    vxe_reals *faces; /* (S) that are free to a fluid; null where none opens */
    struct vxe_contact_workspace *contacts;   /* null where nothing collides */
    struct vxe_particle_workspace *particles; /* null where no voxel has laws of contact */
    struct vxe_magnet_workspace *magnets;     /* null where there are none */
    struct vxe_voxelyze_workspace *voxelyze;  /* null under our own law */
    vxe_external_loads external_loads;
    vxe_reals **array; /* (array_count) all that was taken */
    uint32_t array_count;
    uint32_t array_capacity;
} vxe_workspace;

/* An array of S numbers that the scratch owns; null without memory. For its makers. */
vxe_reals *vxe_workspace_take(vxe_workspace *workspace);

/* Likewise of so many numbers. */
vxe_reals *vxe_workspace_take_numbers(vxe_workspace *workspace, uint64_t count);

/* How deep a voxel is in the floor now (m, negative above it), and what pushes it out; where there
 * is a floor. */
typedef struct vxe_floor_contact {
    double depth;
    double normal[3];
    double stiffness; /* N/m, along the normal */
} vxe_floor_contact;

vxe_floor_contact vxe_floor_contact_of(const vxe_workspace *workspace, uint32_t slot);

#endif
