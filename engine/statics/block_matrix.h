/* SPDX-License-Identifier: MIT */
/* A sparse symmetric matrix of blocks of 6 x 6, one row of blocks for each voxel or group of
   voxels, and what solvers need of it. Vectors are arrays of (rows, 6) doubles. Products have the
   same bits for any number of threads: each row is summed by one thread, in the order of its
   blocks. */
#ifndef VXE_ENGINE_STATICS_BLOCK_MATRIX_H
#define VXE_ENGINE_STATICS_BLOCK_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

/* Degrees of freedom of a voxel, and numbers of a block. */
enum { VXE_FREEDOMS = 6, VXE_BLOCK = VXE_FREEDOMS * VXE_FREEDOMS };

typedef struct vxe_block_matrix {
    uint32_t rows;
    uint32_t *first;  /* (rows + 1) the first block of each row, which is that on the diagonal */
    uint32_t *column; /* (blocks) */
    double *block;    /* (blocks, VXE_BLOCK) row after row */
    uint32_t threads;
} vxe_block_matrix;

/* Takes memory for so many blocks. */
vxe_status vxe_block_matrix_init(vxe_block_matrix *matrix, uint32_t rows, uint32_t blocks,
                                 uint32_t threads, vxe_error *error);
void vxe_block_matrix_clear(vxe_block_matrix *matrix);

/* into = matrix x; they are different arrays. */
void vxe_block_matrix_apply(const vxe_block_matrix *matrix, const double *x, double *into);

/* into = b - matrix x; into is neither. */
void vxe_block_matrix_residual(const vxe_block_matrix *matrix, const double *b, const double *x,
                               double *into);

/* The inverses of the blocks on the diagonal, (rows, VXE_BLOCK). Freedoms that have no stiffness
   of their own, or none beside the others, get zeros. */
void vxe_block_matrix_invert_diagonal(const vxe_block_matrix *matrix, double *inverses);

/* into = factor D b, with the inverses D of the diagonal's blocks; b may be into. */
void vxe_blocks_apply(const double *inverses, uint32_t rows, double factor, const double *b,
                      double *into);

/* The factors L D L^T of a dense symmetric matrix (n, n), in its lower half: D on the diagonal, L
   below. Where a pivot is lost in rounding, row and column become zero, and vxe_dense_solve solves
   for the rest. It solves with |D|, so that it is positive also where the matrix is not: all that a
   preconditioner needs. */
void vxe_dense_factorize(double *matrix, size_t n);
void vxe_dense_solve(const double *factors, size_t n, double *x);

/* Sum of the products of two vectors of so many numbers. */
double vxe_product(const double *a, const double *b, size_t count);

/* into += factor x. */
void vxe_add_scaled(double *into, double factor, const double *x, size_t count);

#endif
