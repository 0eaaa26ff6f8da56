/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same on every machine, and quantiles. */
#ifndef VXE_BENCH_NUMBERS_H
#define VXE_BENCH_NUMBERS_H

#include <stdint.h>

/* Uniform in [0, 1), by splitmix64 (Steele2014). Any state starts a sequence. */
double bench_random(uint64_t *state);

/* The value below which a part (0 to 1) of the values is; sorts them. */
double bench_quantile(double *values, int count, double part);

#endif
