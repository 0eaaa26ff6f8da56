/* SPDX-License-Identifier: MIT */
/* What the machine can do, measured: multiply-adds of a precision and memory bandwidth. */
#ifndef VXE_BENCH_PEAKS_H
#define VXE_BENCH_PEAKS_H

#include <stdint.h>

#include "engine/precision.h"

/* Peaks of so many threads at once. */
typedef struct bench_peaks {
    unsigned threads;
    double fma_flops_per_s;
    double bandwidth_bytes_per_s;
} bench_peaks;

/* Flops/s of independent fused multiply-adds, float for mixed precision and double for double, on
 * that many threads, with the widest vectors that the machine has. Best of several. */
double measure_fma_peak(vxe_precision precision, unsigned threads);

/* Bytes/s of a triad a = b + s c over arrays far larger than the caches (three streams counted).
 * Best of several; 0 without the memory (1.5 GiB). */
double measure_bandwidth(unsigned threads);

/* Flops done by rounds of a kernel; the result keeps the compiler from leaving it out. One per
 * instruction set and precision, see fma_peak.c. */
typedef double fma_kernel(uint64_t rounds, double factor, double *flops);
fma_kernel fma_peak_v4_float, fma_peak_v4_double, fma_peak_v3_float, fma_peak_v3_double,
    fma_peak_plain_float, fma_peak_plain_double;

#endif
