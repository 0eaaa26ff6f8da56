/* SPDX-License-Identifier: MIT */
/* What the machine can do, measured: multiply-adds in double precision and memory bandwidth. */
#ifndef VXE_BENCH_PEAKS_H
#define VXE_BENCH_PEAKS_H

#include <stdint.h>

/* Flops/s of independent fused multiply-adds on that many threads, with the widest vectors that the
 * machine has. Best of several. */
double measure_fma_peak(unsigned threads);

/* Bytes/s of a triad a = b + s c over arrays far larger than the caches (three streams counted).
 * Best of several. */
double measure_bandwidth(unsigned threads);

/* Flops done by rounds of a kernel; the result keeps the compiler from leaving it out. Built once
 * per instruction set. */
double fma_peak_v3(uint64_t rounds, double *flops);
double fma_peak_v4(uint64_t rounds, double *flops);

double bench_seconds(void);

#endif
