/* SPDX-License-Identifier: MIT */
/* Eigenvalues and eigenvectors of small symmetric matrices. */
#ifndef VXE_COMMON_SYMMETRIC_EIGEN_INTERNAL_H
#define VXE_COMMON_SYMMETRIC_EIGEN_INTERNAL_H

#include <stddef.h>

/* Turns a symmetric matrix (n, n) into the diagonal one of its eigenvalues, in no order, and
   writes the eigenvectors into the columns of basis (n, n), by Jacobi rotations
   (GolubVanLoan2013, 8.5), which give the same bits on every machine: until the numbers beside the
   diagonal are 1e-14 of the whole, or for 30 sweeps. */
void vxe_symmetric_eigen(double *matrix, double *basis, size_t n);

#endif
