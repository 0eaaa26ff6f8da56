/* SPDX-License-Identifier: MIT */
/* Reads numbers from command lines. Functions return false unless the whole word is a number in its
   range. */
#ifndef VXE_BENCH_WORDS_H
#define VXE_BENCH_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_MAX_THREADS 1024u
/* Range of times (s) that are measured or simulated. */
#define BENCH_SHORTEST 1e-6
#define BENCH_LONGEST 1e6

/* Reads an integer from min to max. */
bool bench_whole(const char *word, uint32_t min, uint32_t max, uint32_t *value);

/* Reads a decimal number from min to max. */
bool bench_number(const char *word, double min, double max, double *value);

#endif
