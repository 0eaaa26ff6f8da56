/* SPDX-License-Identifier: MIT */
/* Measures the maximum rate of arithmetic: many independent chains of fused multiply-adds in
   registers, without memory access. Built once for each instruction set and precision: FMA_PEAK is
   the name of the function, FMA_FLOAT chooses float. */
#include <math.h>

#include "peaks.h"

#ifdef FMA_FLOAT
typedef float real;
#else
typedef double real;
#endif

/* Without the instruction, a multiplication and an addition, since fma would be a function call. */
#if !defined(__FMA__) && !defined(__FP_FAST_FMA)
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#elif defined(FMA_FLOAT)
#define MULTIPLY_ADD fmaf
#else
#define MULTIPLY_ADD fma
#endif

/* Each chain is one register. Two units with a latency of four cycles need 8 chains, four units 16;
   the chains and two constants must fit in the 16 registers of SSE and AVX or the 32 of AVX-512 and
   NEON. */
#if defined(__AVX512F__)
enum { REGISTER_BYTES = 64, CHAINS = 16 };
#elif defined(__AVX__)
enum { REGISTER_BYTES = 32, CHAINS = 12 };
#elif defined(__SSE2__)
enum { REGISTER_BYTES = 16, CHAINS = 12 };
#else
enum { REGISTER_BYTES = 16, CHAINS = 16 };
#endif
enum { LANES = REGISTER_BYTES / sizeof(real) };

double FMA_PEAK(uint64_t rounds, double factor, double *flops)
{
    typedef real vector __attribute__((vector_size(REGISTER_BYTES)));
    vector chain[CHAINS];
    for (int c = 0; c < CHAINS; c++) {
        for (int i = 0; i < LANES; i++) {
            chain[c][i] = (real)(1 + c + i);
        }
    }
    const real by = (real)factor;
    for (uint64_t n = 0; n < rounds; n++) {
        for (int c = 0; c < CHAINS; c++) {
#pragma omp simd
            for (int i = 0; i < LANES; i++) {
                chain[c][i] = MULTIPLY_ADD(chain[c][i], by, (real)1);
            }
        }
    }
    double sum = 0;
    for (int c = 0; c < CHAINS; c++) {
        for (int i = 0; i < LANES; i++) {
            sum += (double)chain[c][i];
        }
    }
    *flops = 2.0 * CHAINS * LANES * (double)rounds;
    return sum;
}
