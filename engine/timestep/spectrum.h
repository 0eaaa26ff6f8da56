/* SPDX-License-Identifier: MIT */
/* The largest eigenvalues of a body at rest, springs and dashpots over mass: the stable time step
   follows from them (step_plan.h). Method: Lanczos' iteration (Lanczos1950) on the bond law
   linearised at rest. */
#ifndef VXE_ENGINE_TIMESTEP_SPECTRUM_H
#define VXE_ENGINE_TIMESTEP_SPECTRUM_H

#include "common/status.h"
#include "engine/bonds/bonds.h"
#include "engine/model/model.h"
#include "engine/timestep/start_vector.h"

/* A body of more voxels than this gets a dozen Lanczos iterations only, and one eigenvalue for the
   dashpots of bonds and floor together: conservative, it may cost one extra damping iteration. */
#define VXE_GIANT_BODY 1000000u

/* A body at rest, in double. S is the number of slots. */
typedef struct vxe_spectrum_body {
    const vxe_chunks *chunks;
    const vxe_linear_kernels *kernels;
    const vxe_bond_vectors *bonds; /* (3) */
    const double *rows;            /* (row_count, row_values, VXE_VECTOR) as in vxe_kernel_arrays */
    uint32_t row_count;
    uint32_t row_values;
    vxe_bond_ratios ratios;
    double edge; /* m */
    bool bars;
    uint32_t voxels;
    const vxe_start_vector *start;
    uint32_t slots;
    const double *mass;              /* (S) kg */
    const double *inverse[6];        /* (6, S) inverse mass 1/kg and inertia; 0 where fixed */
    const double *gyration;          /* (S) m^2: inertia by mass; null where all are cubes */
    const double *floor_stiffness;   /* (S) N/m; null without a floor */
    const double *floor_dashpot;     /* (S) N s/m */
    const double *contact_stiffness; /* (S) N/m of each free face; null where nothing collides */
    const double *contact_dashpot;   /* (S) N s/m */
    bool contact_spheres;            /* voxels collide as spheres, as in the Voxelyze family */
    const double *detach_stress;     /* (S) above 0 where a voxel sticks; null where none does */
    const uint8_t *faces;            /* (voxels) free faces: +x -x +y -y +z -z, a bit each */
    const double *drag;              /* (S) N s/m; null without */
    const double *spin_drag;         /* (S) N m s/rad */
    bool damped;                     /* some bond has a dashpot */
    bool bonds_alone;    /* lambda_c is wanted: damping iterations need the dashpots of bonds */
    bool dashpots_all;   /* lambda_c_all is wanted: explicit damping needs all dashpots. A value
                            that is not wanted is set to the other one. */
    uint32_t iterations; /* at most so many */
    double tolerance;    /* relative growth of an estimate that ends the iteration */
    uint32_t threads;
} vxe_spectrum_body;

/* The largest eigenvalues of a body, from below within about 1 %. Fails without memory only. */
vxe_status vxe_spectrum_find(vxe_spectrum *found, const vxe_spectrum_body *body, vxe_error *error);

struct vxe_known_spectra;

/* How exactly spectra are wanted. */
typedef struct vxe_spectrum_effort {
    uint32_t iterations; /* at most so many */
    double tolerance;    /* relative growth of an estimate that ends the iteration */
    uint32_t threads;
    struct vxe_known_spectra *known; /* spectra of bodies before; null: none */
} vxe_spectrum_effort;

/* The same for a model, of a design, whose arrays are still in double. */
vxe_status vxe_model_spectrum(const vxe_model *model, const vxe_design *design,
                              const vxe_spectrum_effort *effort, vxe_spectrum *found,
                              vxe_error *error);

/* Rounds the estimates up, by at most 1 part in 2048: then a design, its turns and its mirror
   images have the same, to the bit. */
void vxe_spectrum_round(vxe_spectrum *found);

#endif
