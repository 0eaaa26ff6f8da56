/* SPDX-License-Identifier: MIT */
/* The inner loops of the spectrum (timestep/spectrum.c): the bond law linearised at rest, and
   the vectors of Lanczos' iteration (Lanczos1950). Built once per instruction set, always in
   float. */
#ifndef VXE_ENGINE_BONDS_LINEARIZED_H
#define VXE_ENGINE_BONDS_LINEARIZED_H

#include "engine/core/arrays.h"

/* Stiffness or dashpots at rest as a matrix on displacements. It has no units: lengths are in
   edges, stiffnesses and dashpots in parts of the largest one. Bars are even bonds whose ratios
   are 0. */
typedef struct vxe_linear_bonds {
    const vxe_bond_vectors *bonds; /* (3) */
    const float *rows;             /* as in vxe_kernel_arrays */
    uint32_t row_values;
    vxe_bond_ratios ratios;
    bool dashpots; /* the matrix of the dashpots instead of the springs */
} vxe_linear_bonds;

/* Vectors over the six degrees of freedom of every slot, scaled so that the matrix over the
   masses is symmetric: displacements and rotations times the root of their mass and inertia. */
typedef struct vxe_krylov {
    float *basis[6];          /* (6, S) the current vector of the basis */
    float *image[6];          /* (6, S) the matrix times that vector, as far as it is summed */
    float *plain[6];          /* (6, S) the basis as displacements and rotations */
    const float *root[6];     /* (6, S) root of the lightest voxel's mass over mass or inertia; 0
                                 where fixed, and in the padding */
    const float *diagonal[6]; /* (6, S) diagonal terms of floor, contacts and drag, over the
                                 mass; null where there are none */
} vxe_krylov;

/* Products of the vectors' components over a range. */
typedef struct vxe_krylov_products {
    double image_basis;
    double image_image;
    double basis_basis;
} vxe_krylov_products;

/* Ranges of slots begin at multiples of VXE_VECTOR; a last vector that is not full runs into the
   padding. */
typedef struct vxe_linear_kernels {
    /* target += matrix plain for bonds of vectors [first, last) of an axis. */
    void (*apply)(const vxe_linear_bonds *matrix, int axis, float *const plain[6],
                  const vxe_bond_target *target, uint32_t first, uint32_t last);
    /* Puts the next vector of the basis, (image - alpha basis) inverse_beta, where the image
       was; and previous times the old vector, the start of the next image, where the basis was.
       Adds basis_basis of the new vector. */
    void (*advance)(const vxe_krylov *krylov, uint32_t first, uint32_t last, float alpha,
                    float inverse_beta, float previous, vxe_krylov_products *products);
    /* image += unit (root sums + diagonal basis). Clears the sums and adds the image's products. */
    void (*gather)(const vxe_krylov *krylov, const vxe_bond_target *sums, uint32_t first,
                   uint32_t last, float unit, vxe_krylov_products *products);
} vxe_linear_kernels;

#endif
