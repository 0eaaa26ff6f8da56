/* SPDX-License-Identifier: MIT */
/* The covariance matrix adaptation of CMA-ES (Hansen2016,
   arXiv:1604.00772, with positive weights alone), apart from what is searched. All it knows is a
   row of numbers, which a checkpoint keeps. */
#ifndef VXE_EVOLUTION_ALGORITHMS_CMA_INTERNAL_H
#define VXE_EVOLUTION_ALGORITHMS_CMA_INTERNAL_H

#include "evolution/genomes/genome_internal.h"

/* Numbers that are searched at most: decomposing the matrix takes their cube. */
#define VXE_CMA_MAX 400u

/* A new one, about a mean that is the same in all coordinates. */
vxe_status vxe_cma_begin(vxe_genome *memory, uint32_t n, double mean, double sigma,
                         vxe_error *error);

/* Draws a point; workspace: n numbers. */
void vxe_cma_sample(const vxe_genome *memory, vxe_stream *stream, double *point, double *workspace);

/* Learns from a generation of lambda points, of which `count` have a value: those, the best first.
 */
vxe_status vxe_cma_update(vxe_genome *memory, uint32_t lambda, const double *const *points,
                          uint32_t count, vxe_error *error);

/* Whether numbers of a file are such a row. */
bool vxe_cma_valid(const vxe_genome *memory, uint32_t n);

#endif
