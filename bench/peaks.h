/* SPDX-License-Identifier: MIT */
/* The measured peaks of the machine: multiply-adds in a precision, and memory bandwidth. */
#ifndef VXE_BENCH_PEAKS_H
#define VXE_BENCH_PEAKS_H

#include <stdint.h>

#include "engine/precision.h"

/* Peaks of that many threads at the same time. */
typedef struct bench_peaks {
    unsigned threads;
    double fma_flops_per_s;
    double bandwidth_bytes_per_s;
} bench_peaks;

/* Operations per second of independent fused multiply-adds (two each), in float for mixed precision
 * and in double for double, on that many threads, with the widest vectors of the machine. Best of
 * several. */
double measure_fma_peak(vxe_precision precision, unsigned threads);

/* Bytes per second of a = b + s c over arrays far larger than the caches, with each array counted
 * once. Best of several; 0 if there is no memory for it (1.5 GiB). */
double measure_bandwidth(unsigned threads);

/* A kernel for one instruction set and precision, see fma_peak.c. *flops is the number of
 * operations; the result is there so that the compiler does not remove the work. */
typedef double fma_kernel(uint64_t rounds, double factor, double *flops);
fma_kernel fma_peak_v4_float, fma_peak_v4_double, fma_peak_v3_float, fma_peak_v3_double,
    fma_peak_plain_float, fma_peak_plain_double;

#endif
