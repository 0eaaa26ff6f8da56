/* SPDX-License-Identifier: MIT */
/* Number of robots side by side in a vector: each robot has one lane. Kernels only, since it
   differs between instruction sets and precisions; other code asks vxe_lane_kernels.lanes. And
   whether something holds in any of them. */
#ifndef VXE_ENGINE_LANES_ROBOTS_PER_VECTOR_H
#define VXE_ENGINE_LANES_ROBOTS_PER_VECTOR_H

#include <stddef.h>

#ifdef __AVX512F__
#include <immintrin.h> /* comparing a whole register at once, for which C has no operator */
#endif

#include "engine/core/real.h"

/* Floats: one register with AVX (8) or AVX-512 (16), two registers with SSE or NEON. */
#ifdef __AVX512F__
#define VXE_FLOAT_LANES 16
#else
#define VXE_FLOAT_LANES 8
#endif

/* A register holds half as many doubles. */
#ifdef VXE_MIXED
#define VXE_LANES VXE_FLOAT_LANES
#else
#define VXE_LANES (VXE_FLOAT_LANES / 2)
#endif

/* Whether a number is above zero in some lane. */
static inline bool any_positive(const vxe_real *values)
{
#if defined(__AVX512F__) && defined(VXE_MIXED)
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(values), _mm512_setzero_ps(), _CMP_GT_OQ) != 0;
#elif defined(__AVX512F__)
    return _mm512_cmp_pd_mask(_mm512_loadu_pd(values), _mm512_setzero_pd(), _CMP_GT_OQ) != 0;
#else
    int any = 0;
#pragma omp simd reduction(| : any)
    for (ptrdiff_t lane = 0; lane < (ptrdiff_t)VXE_LANES; lane++) {
        any |= values[lane] > 0;
    }
    return any != 0;
#endif
}

#endif
