/* SPDX-License-Identifier: MIT */
/* A body at rest: poses of voxels that are sought, the bonds between them, and the loads. Lengths
   are in edges of the lattice, so that forces times lengths, moments and all numbers of the matrix
   are in J. A voxel's place is its displacement from where it stood at the start, so that small
   ones keep their digits. */
#ifndef VXE_ENGINE_STATICS_STATIC_BODY_H
#define VXE_ENGINE_STATICS_STATIC_BODY_H

#include <stdbool.h>

#include "engine/bonds/bond_law.h"
#include "engine/solver/solver.h"
#include "engine/statics/block_matrix.h"

/* Directions from a voxel to its neighbours: up along x, y, z, then down. */
enum { VXE_DIRECTIONS = 6 };

typedef struct vxe_static_bond {
    uint32_t lower, upper;
    int axis;
    vxe_vec3 rest; /* of the upper voxel from the lower one, at the start */
    double length; /* rest length */
    vxe_springs spring;
    double part; /* of its strain that the lower voxel has; the upper one has 2 less that */
} vxe_static_bond;

/* What a bond does: force on the lower voxel, and moments; above 0, it is beyond the bounds of its
   law; and the sizes of the numbers that its deformation is computed from, summed. */
typedef struct vxe_static_load {
    vxe_vec3 force, lower, upper;
    double beyond, numbers;
} vxe_static_load;

typedef struct vxe_static_body {
    uint32_t voxels, bonds;
    uint32_t threads;
    double edge;           /* m */
    vxe_static_bond *bond; /* (bonds) */
    vxe_static_load *act;  /* (bonds) of the latest forces */
    uint32_t *bond_at;     /* (voxels, VXE_DIRECTIONS) or VXE_NONE */
    double *start;         /* (voxels, 3) places at the start */
    double *moved;         /* (voxels, 3) */
    vxe_quat *q;           /* (voxels) */
    double *load;          /* (voxels, VXE_FREEDOMS) weights and loads of regions */
    double *push;          /* (voxels) stiffness of the floor below it; null without */
    double *height;        /* (voxels) of its lower face above the floor, at the start; null too */
    double *mass;          /* (voxels, VXE_FREEDOMS) kg edge^2: mass and inertia */
    double *driven;   /* (voxels, VXE_FREEDOMS) how far prescribed motion takes it; null without */
    double *coupling; /* (voxels, 3) of the strains of the two other axes (docs/physics.md,
                         Poisson's ratio); null without, as the next three */
    double *tension;  /* (voxels, 3) what the voxel adds to the tensions of its bonds */
    double *strain;   /* (bonds) */
    double *slope;    /* (bonds, 2 VXE_FREEDOMS) of the strain by the lower voxel's and the upper
                         voxel's motion, in the latest tangent */
    uint8_t *fixed;   /* (voxels) a bit for each freedom that is fixed or prescribed */
    bool loose;       /* some voxels are joined to nothing that is fixed in all freedoms */
} vxe_static_body;

/* Whether a freedom is fixed or prescribed; number: voxel times VXE_FREEDOMS and freedom. */
static inline bool vxe_static_is_fixed(const vxe_static_body *body, size_t number)
{
    return body->fixed[number / VXE_FREEDOMS] >> number % VXE_FREEDOMS & 1;
}

/* Reads a simulation whose workspace has the edges of that time (s). Refuses what has no
   statics here. */
vxe_status vxe_static_body_init(vxe_static_body *body, const vxe_workspace *workspace, double time,
                                uint32_t threads, vxe_error *error);
void vxe_static_body_clear(vxe_static_body *body);

/* How large loads are: of bonds, and of weights and loads from outside on free freedoms; what all
   bonds would have at a strain of 1; and what rounding may leave of sums. J per edge and rad. */
typedef struct vxe_static_size {
    double bonds, outside, stiffness, rounding;
} vxe_static_size;

/* The forces and moments that are left on each voxel, into (voxels, VXE_FREEDOMS), where loads have
   a part of their size; with free_only those on free freedoms alone. Returns false where a
   bond is beyond the bounds of its law. */
bool vxe_static_forces(const vxe_static_body *body, double part, bool free_only, double *into,
                       vxe_static_size *size);

/* How the forces fall with motion: the stiffness matrix of the present poses, symmetric as it is
   in equilibrium, and so much times the masses. Rows and columns of fixed freedoms are there. The
   matrix must have been made by vxe_static_matrix_init. */
vxe_status vxe_static_matrix_init(const vxe_static_body *body, vxe_block_matrix *matrix,
                                  vxe_error *error);
vxe_status vxe_static_tangent(const vxe_static_body *body, double by_mass, vxe_block_matrix *matrix,
                              vxe_error *error);

/* Adds to `into` what Poisson's ratio adds to the product of the latest tangent with x, which is
   zero on fixed freedoms; nothing is added there. body: a vxe_static_body with coupling. */
void vxe_static_add_poisson(const void *body, const double *x, double *into);

/* Empties the rows and columns of fixed freedoms. */
void vxe_static_hold(const vxe_static_body *body, vxe_block_matrix *matrix);

/* Moves the voxels: (voxels, VXE_FREEDOMS) displacements and rotation vectors. */
void vxe_static_move(vxe_static_body *body, const double *step);

/* Places now (voxels, 3), and cells of the lattice (voxels, 3), 0 or more. */
void vxe_static_places(const vxe_static_body *body, double *place, int32_t *cell);

#endif
