/* SPDX-License-Identifier: MIT */
/* Workspace: everything that a step needs in addition to model and state, and nothing that a
   checkpoint would hold: partitions for threads, accumulators, and the memory of every optional
   force. Forces read it and add their loads; solver/ makes it and runs it. */
#ifndef VXE_ENGINE_MODEL_WORKSPACE_H
#define VXE_ENGINE_MODEL_WORKSPACE_H

#include "common/parallel_internal.h"
#include "engine/core/prefetch.h"
#include "engine/model/model.h"

struct vxe_contact_workspace;  /* contact.h */
struct vxe_particle_workspace; /* contact_models.h */
struct vxe_magnet_workspace;   /* magnets.h */
struct vxe_voxelyze_workspace; /* voxelyze.h */

/* Bounds on the motion of some voxels in a step or several. */
typedef struct vxe_motion_bound {
    double moved;                  /* m: distance beyond a velocity that is common to all */
    double turned;                 /* rad */
    double travelled;              /* m: whole distance */
    double grown;                  /* m: growth of their edges */
    double slowest[3], fastest[3]; /* m/s: components of their velocities */
} vxe_motion_bound;

/* Halo bonds: bond vectors of one axis that reach into another partition. Every partition
   computes its own before any voxel moves, and keeps the forces here. */
typedef struct vxe_halo_bonds {
    uint32_t first; /* vectors [first, last) of the partition */
    uint32_t last;
    vxe_reals *lower_force[6]; /* (6, last - first, VXE_VECTOR) on the lower voxels */
    vxe_reals *upper_force[6]; /* on the upper voxels */
    void *lower_block;
    void *upper_block;
} vxe_halo_bonds;

/* Why a run stopped; if several apply, the last in this list is reported. */
typedef enum vxe_failure_kind {
    VXE_FAILURE_NONE,
    VXE_FAILURE_BOND,    /* a bond is beyond the bounds of its law */
    VXE_FAILURE_CROWD,   /* too many voxels are within reach of voxel `lower` */
    VXE_FAILURE_CROSSED, /* voxels `lower` and `upper` went through each other; equal: voxels are so
                            fast that contacts are missed */
    VXE_FAILURE_FULL,    /* too many sticky links or, in the Voxelyze family, near pairs */
    VXE_FAILURE_PARTICLES, /* more contacts of particles than the capacity */
    VXE_FAILURE_STIFF,     /* a contact of particles is stiffer than the step allows */
    VXE_FAILURE_PASSED,    /* a cube went through the floor of the power law */
    VXE_FAILURE_NEAR,      /* dipoles are nearer to each other than the step resolves */
    VXE_FAILURE_UNSETTLED, /* induced magnetic moments do not converge */
    VXE_FAILURE_TURN,      /* voxel `lower` turns by more in a step than the rotation law holds */
    VXE_FAILURE_NUMBER,    /* a number is not finite */
    VXE_FAILURE_ENERGY     /* energy rose by more than was put in (guard/) */
} vxe_failure_kind;

typedef struct vxe_failure {
    vxe_failure_kind kind;
    uint32_t axis;
    uint32_t lower, upper; /* slots */
    uint32_t form;         /* of energy that rose most (VXE_GUARD_) */
    double risen, given;   /* J: how far energy rose, and the most that was put in meanwhile */
} vxe_failure;

typedef struct vxe_partition {
    uint32_t first_chunk, last_chunk;
    vxe_halo_bonds halo[3];
    vxe_bond_target sums; /* Force accumulators: lower_force (6, VXE_WINDOW) for the chunk's
                             voxels, upper_force (6, upper_capacity) for the voxels above. The
                             upper window slides along with the chunks, so that it stays in the
                             nearest cache that holds a plane. */
    void *lower_block;
    void *upper_block;
    vxe_prefetch prefetch;   /* progress of the prefetch */
    vxe_motion_bound motion; /* motion of its voxels since contacts were computed */
    bool broke;              /* a bond has broken since neighbour lists were made */
    bool opened;             /* a bond has broken since faces were opened */
    uint64_t broke_in;       /* 1 + the step in which a bond broke last; 0: in none */
    vxe_failure failure[2];  /* by parity of the step: one is written while the other is read */
} vxe_partition;

/* External loads: forces on voxels by affine bodies, or by hands, in a step. The pointers are null
   where there are none. */
typedef struct vxe_external_loads {
    vxe_reals *load[6]; /* (6, S) N and N m */
    uint8_t *loaded;    /* (chunks) 1 where some voxel is loaded */
    bool by_hand;       /* they are external work (vxe_world_pull) */
} vxe_external_loads;

/* One pass in flight (wavefront.h). */
typedef struct vxe_pass_in_flight {
    vxe_bond_target sums; /* lower_force: that of its thread's partition; upper_force: (6,
                             upper_capacity) */
    void *upper_block;
} vxe_pass_in_flight;

typedef struct vxe_wavefront {
    uint32_t depth;                /* passes that a thread has in flight; 1 where passes run one
                                      after another */
    uint32_t lag;                  /* chunks between one pass and the next */
    uint32_t extra_lag;            /* additional chunks for a thread that had to wait for the one
                                      before */
    bool spans_steps;              /* passes of several steps are in flight together */
    uint32_t window_chunks;        /* size in chunks of each thread's window of damping data; 0: all
                                      chunks are kept, and shared by all threads */
    uint32_t window_vectors[3];    /* capacity in bond vectors of one chunk */
    uint32_t count;                /* length of in_flight: threads times depth */
    vxe_pass_in_flight *in_flight; /* (threads, depth) */
    vxe_partition *whole;          /* (threads) the whole body as one partition */
    vxe_parallel_mark *marks; /* (threads) number of chunks that a thread's last pass has done, over
                                 all stages */
    vxe_state before;         /* the state before the current block of steps */
} vxe_wavefront;

typedef struct vxe_workspace {
    const vxe_model *model;
    vxe_state *state;          /* the bound state */
    vxe_kernel_arrays arrays;  /* the model's arrays, with state and workspace bound */
    vxe_partition *partitions; /* (partition_count) */
    uint32_t partition_count;
    vxe_wavefront wavefront;
    uint32_t upper_reach; /* slots from the start of a chunk to the end of what its bonds write to
                             upper voxels */
    uint32_t upper_capacity;
    vxe_prefetch_arrays prefetch_arrays; /* arrays of the bound state */
    double *factors;      /* (groups, or 1) factors on the edges of their voxels at the end of
                             this step */
    uint8_t *touching;    /* (chunks) 1 where a voxel touches the floor in this step */
    uint8_t *yielding[3]; /* (3, vectors) 1 where a bond is beyond its range in this step */
    double *strain[3];    /* (3, S) strain of the bonds up, in those vectors */
    double stiffened;     /* progress from the first to the last stiffness; below 0 before it is
                             first set */
    vxe_reals *rows;      /* coefficients of bonds at that stiffness; null where stiffness does
                             not change */
    vxe_reals *stiffness[VXE_STIFFENING_ARRAYS]; /* (arrays, S) coefficients of voxels at that
                                                    stiffness */
    vxe_reals *faces; /* (S) faces that are free to a fluid; null where no bond opens one */
    struct vxe_contact_workspace *contacts;   /* null where nothing collides */
    struct vxe_particle_workspace *particles; /* null where no voxel has a contact model */
    struct vxe_magnet_workspace *magnets;     /* null where there are none */
    struct vxe_voxelyze_workspace *voxelyze;  /* null under the native law */
    vxe_external_loads external_loads;
    vxe_reals **array; /* (array_count) all arrays that were taken */
    uint32_t array_count;
    uint32_t array_capacity;
} vxe_workspace;

/* An array of S numbers that the workspace owns; null if memory runs out. For the functions that
   prepare a workspace. */
vxe_reals *vxe_workspace_take(vxe_workspace *workspace);

/* An array of count numbers that the workspace owns; null if memory runs out. */
vxe_reals *vxe_workspace_take_numbers(vxe_workspace *workspace, uint64_t count);

/* Contact of a voxel with the floor: depth (m, negative above it), normal and stiffness. Only
   where there is a floor. */
typedef struct vxe_floor_contact {
    double depth;
    double normal[3];
    double stiffness; /* N/m, along the normal */
} vxe_floor_contact;

vxe_floor_contact vxe_floor_contact_of(const vxe_workspace *workspace, uint32_t slot);

/* J: what the floor's spring would hold with the voxel moved by so much (m). */
double vxe_floor_energy_of(const vxe_workspace *workspace, uint32_t slot, const double move[3]);

/* Whether a voxel's edge is within the bounds that designs and targets keep, 0.1 to 10 times the
   lattice's, except for rounding. */
static inline bool vxe_edge_is_bounded(const vxe_workspace *workspace, uint32_t slot)
{
    const double edge = workspace->arrays.edge;
    const double now =
        edge + vxe_real_at(workspace->model->precision, workspace->arrays.edge_growth, slot);
    return now > 0.999 * VXE_SMALLEST_SIZE * edge && now < 1.001 * VXE_LARGEST_SIZE * edge;
}
#endif
