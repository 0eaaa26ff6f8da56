/* SPDX-License-Identifier: MIT */
/* Measures the machine's peaks, in the same run as the cases that are compared with them: the clock
   of a shared machine varies. */
#include "peaks.h"

#include <stdlib.h>

#include "clock.h"

enum { REPEATS = 8 };
/* About 20 ms of a kernel: long compared with starting threads, and so short that one of several
 * repeats is not disturbed. */
#define FMA_ROUNDS 4000000u
/* A chain must not overflow, and the compiler must not remove it: x <- x/2 + 1 tends to 2. */
#define FMA_FACTOR 0.5

static fma_kernel *widest_kernel(vxe_precision precision)
{
    const int is_double = precision == VXE_PRECISION_DOUBLE;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        return is_double ? fma_peak_v4_double : fma_peak_v4_float;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return is_double ? fma_peak_v3_double : fma_peak_v3_float;
    }
#endif
    return is_double ? fma_peak_plain_double : fma_peak_plain_float;
}

double measure_fma_peak(vxe_precision precision, unsigned threads)
{
    fma_kernel *kernel = widest_kernel(precision);
    double best = 0;
    double keep = 0;
    (void)threads; /* unused without OpenMP */
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double total = 0;
        const double start = bench_seconds();
#pragma omp parallel num_threads((int)threads) reduction(+ : total, keep)
        {
            double flops = 0;
            keep += kernel(FMA_ROUNDS, FMA_FACTOR, &flops);
            total += flops;
        }
        const double rate = total / (bench_seconds() - start);
        best = rate > best ? rate : best;
    }
    return keep > 0 ? best : 0;
}

double measure_bandwidth(unsigned threads)
{
    const long count = 1L << 26; /* 512 MiB each */
    double *a = malloc((size_t)count * sizeof *a);
    double *b = malloc((size_t)count * sizeof *b);
    double *c = malloc((size_t)count * sizeof *c);
    double best = 0;
    (void)threads;
    if (a && b && c) {
#pragma omp parallel for num_threads((int)threads) schedule(static)
        for (long i = 0; i < count; i++) { /* each thread first writes the pages that it will use */
            a[i] = 0;
            b[i] = 1;
            c[i] = 2;
        }
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            const double start = bench_seconds();
#pragma omp parallel for simd num_threads((int)threads) schedule(static)
            for (long i = 0; i < count; i++) {
                a[i] = b[i] + 3.0 * c[i];
            }
            const double rate = 3.0 * (double)count * sizeof *a / (bench_seconds() - start);
            best = rate > best ? rate : best;
        }
    }
    free(a);
    free(b);
    free(c);
    return best;
}
