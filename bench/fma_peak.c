/* SPDX-License-Identifier: MIT */
/* Many independent chains of fused multiply-adds in registers. */
#include <math.h>

#include "peaks.h"

/* 8 doubles are one AVX-512 register or two of AVX2; 12 chains cover the latency of two units. */
enum { LANES = 8, CHAINS = 12 };

double FMA_PEAK(uint64_t rounds, double *flops)
{
    typedef double vector __attribute__((vector_size(LANES * sizeof(double))));
    vector chain[CHAINS];
    for (int c = 0; c < CHAINS; c++) {
        for (int i = 0; i < LANES; i++) {
            chain[c][i] = 1.0 + c + i;
        }
    }
    const double factor = 1.0 - 1e-9;
    for (uint64_t n = 0; n < rounds; n++) {
        for (int c = 0; c < CHAINS; c++) {
#pragma omp simd
            for (int i = 0; i < LANES; i++) {
                chain[c][i] = fma(chain[c][i], factor, 1e-9);
            }
        }
    }
    double sum = 0;
    for (int c = 0; c < CHAINS; c++) {
        for (int i = 0; i < LANES; i++) {
            sum += chain[c][i];
        }
    }
    *flops = 2.0 * CHAINS * LANES * (double)rounds;
    return sum;
}
