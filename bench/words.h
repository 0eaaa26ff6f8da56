/* SPDX-License-Identifier: MIT */
/* Numbers on command lines. Each is false unless the whole word is a number within its bounds. */
#ifndef VXE_BENCH_WORDS_H
#define VXE_BENCH_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_MAX_THREADS 1024u
/* s, of what is measured or simulated. */
#define BENCH_SHORTEST 1e-6
#define BENCH_LONGEST 1e6

/* A whole number of least to most. */
bool bench_whole(const char *word, uint32_t min, uint32_t max, uint32_t *value);

/* A decimal number of least to most. */
bool bench_number(const char *word, double min, double max, double *value);

#endif
