/* SPDX-License-Identifier: MIT */
/* Covariance matrix adaptation of CMA-ES (Hansen2016, with positive weights only), independent of
   what is searched. Its state is one array of numbers, which a checkpoint stores. */
#ifndef VXE_EVOLUTION_ALGORITHMS_CMA_INTERNAL_H
#define VXE_EVOLUTION_ALGORITHMS_CMA_INTERNAL_H

#include "evolution/genomes/genome_internal.h"

/* Largest number of coordinates, since decomposing the matrix takes time as their cube. */
#define VXE_CMA_MAX 400u

/* Makes the first state; the mean is the same in all coordinates. */
vxe_status vxe_cma_begin(vxe_genome *memory, uint32_t n, double mean, double sigma,
                         vxe_error *error);

/* Draws a point; workspace: n numbers. */
void vxe_cma_sample(const vxe_genome *memory, vxe_stream *stream, double *point, double *workspace);

/* Learns from a generation of lambda points, of which `count` have a fitness. points: these, best
   first. */
vxe_status vxe_cma_update(vxe_genome *memory, uint32_t lambda, const double *const *points,
                          uint32_t count, vxe_error *error);

/* True where the numbers, read from a file, are a valid state. */
bool vxe_cma_valid(const vxe_genome *memory, uint32_t n);

#endif
