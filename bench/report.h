/* SPDX-License-Identifier: MIT */
/* Results of a run, as tables and as JSON. */
#ifndef VXE_BENCH_REPORT_H
#define VXE_BENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cases.h"
#include "measure.h"
#include "peaks.h"

/* Maximum of different numbers of threads in a run: 1, 2, 4, ... and the largest. */
enum { BENCH_THREAD_COUNTS = 12 };

typedef struct bench_report {
    vxe_precision precision;
    double ratio;                           /* see bench_choice */
    bench_peaks peaks[BENCH_THREAD_COUNTS]; /* (peak_count) for each number of threads */
    unsigned peak_count;
    bench_result results[BENCH_CASES * BENCH_THREAD_COUNTS];
    unsigned peaks_of[BENCH_CASES * BENCH_THREAD_COUNTS]; /* index of each result's peaks */
    unsigned result_count;
} bench_report;

/* Prints one line for each result. */
void report_table(FILE *out, const bench_report *report);

/* Prints one line for each case: the rate with each number of threads, and its ratio to that of one
   thread. */
void report_sweep(FILE *out, const bench_report *report);

/* Writes JSON; false if the file cannot be written. */
bool report_json(const char *path, const bench_report *report);

#endif
