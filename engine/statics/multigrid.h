/* SPDX-License-Identifier: MIT */
/* Multigrid for stiffness matrices of lattices: what makes conjugate gradients take some twenty
   iterations whatever the number of voxels (docs/physics.md, Statics).

   Voxels that are connected within a cube of 2 x 2 x 2 become one group that moves as a rigid body,
   groups become groups of groups in the same way, and the coarsest matrix is solved directly. A
   body's soft motions are nearly rigid in each part, and so are seen by coarse levels (aggregation
   with rigid body modes; Bulgakov1993). On each level two steps of Chebyshev's iteration
   with the diagonal's blocks smooth before and after (AdamsBrezinaHuTuminaro2003); their largest
   eigenvalue is at most 2, since a bond's matrix is at most twice its two diagonal blocks. Groups
   alone make corrections too small; two inner iterations of conjugate gradients on each coarse
   level (the K-cycle, NotayVassilevski2008) find their size. So the preconditioner is not the same
   linear map each time, and conjugate gradients have to be flexible. */
#ifndef VXE_ENGINE_STATICS_MULTIGRID_H
#define VXE_ENGINE_STATICS_MULTIGRID_H

#include <stdbool.h>

#include "engine/statics/block_matrix.h"

/* Levels at most: cubes of the last one hold any lattice. */
enum { VXE_MAX_LEVELS = 34 };

/* One level; n is the number of rows of its matrix. */
typedef struct vxe_grid_level {
    vxe_block_matrix matrix; /* that of level 0 is the caller's */
    double *inverses;        /* (n, VXE_BLOCK) of the diagonal's blocks; null on the coarsest */
    double *place;           /* (n, 3) where each row's rigid motion is about */
    int32_t *cell;           /* (n, 3) of cubes of this level's size */
    uint32_t *group; /* (n) row of the next level, or VXE_NONE: nothing is left to correct */
    double *vectors; /* (8, n, 6) */
    double *factors; /* (6 n, 6 n) of the coarsest level, where it is small; else null */
} vxe_grid_level;

typedef struct vxe_multigrid {
    vxe_grid_level level[VXE_MAX_LEVELS];
    uint32_t levels;
    /* What the matrix has beside its blocks, which the levels leave out: adds its product with x to
       `into`; null: nothing. For the caller to set, behind vxe_multigrid_init. */
    void (*add)(const void *what, const double *x, double *into);
    const void *what;
} vxe_multigrid;

/* into = matrix x, with all that it has. */
void vxe_multigrid_product(const vxe_multigrid *grid, const double *x, double *into);

/* Makes the coarse levels of a matrix, which must stay until the multigrid is cleared. place:
   (rows, 3) in edges; cell: (rows, 3) of the lattice, 0 or more. */
vxe_status vxe_multigrid_init(vxe_multigrid *grid, const vxe_block_matrix *matrix,
                              const double *place, const int32_t *cell, vxe_error *error);
void vxe_multigrid_clear(vxe_multigrid *grid);

/* into = an approximate solution of matrix x = b; zero where a freedom has no stiffness at all. */
void vxe_multigrid_apply(vxe_multigrid *grid, const double *b, double *into);

/* How a solution ended. */
typedef struct vxe_solution {
    uint32_t iterations;
    double residual; /* |b - matrix x| / |b| */
    bool
        indefinite; /* a direction without positive stiffness was met: x is what was found before */
} vxe_solution;

/* Solves matrix x = b by flexible conjugate gradients (Notay2000), from x = 0, until the residual
   is below tolerance |b|. vectors: (4, rows, 6). */
vxe_solution vxe_solve(vxe_multigrid *grid, const double *b, double tolerance, double *x,
                       double *vectors);

#endif
