/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "peaks.h"

#include <stdlib.h>
#include <time.h>

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int has_avx512(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return 0;
#endif
}

double measure_fma_peak(unsigned threads)
{
    double best = 0;
    double keep = 0;
    for (int wide = 0; wide <= has_avx512(); wide++) {
        for (int repeat = 0; repeat < 5; repeat++) {
            double total = 0;
            const double start = bench_seconds();
#pragma omp parallel num_threads((int)threads) reduction(+ : total, keep)
            {
                double flops = 0;
                keep += wide ? fma_peak_v4(2000000, &flops) : fma_peak_v3(2000000, &flops);
                total += flops;
            }
            const double rate = total / (bench_seconds() - start);
            best = rate > best ? rate : best;
        }
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
    if (a && b && c) {
#pragma omp parallel for num_threads((int)threads) schedule(static)
        for (long i = 0; i < count; i++) { /* each thread touches its own pages first */
            a[i] = 0;
            b[i] = 1;
            c[i] = 2;
        }
        for (int repeat = 0; repeat < 5; repeat++) {
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
