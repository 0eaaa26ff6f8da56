/* SPDX-License-Identifier: MIT */
/* What was measured, as tables for people and as JSON. */
#ifndef VXE_BENCH_REPORT_H
#define VXE_BENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "cases.h"
#include "measure.h"
#include "peaks.h"

/* Numbers of threads of a damping iteration: 1, 2, 4, ... and the largest. */
enum { BENCH_THREAD_COUNTS = 12 };

typedef struct bench_report {
    vxe_precision precision;
    double ratio; /* as in bench_choice */
    bench_peaks peaks[BENCH_THREAD_COUNTS];
    unsigned peak_count;
    bench_result results[BENCH_CASES * BENCH_THREAD_COUNTS];
    unsigned peaks_of[BENCH_CASES * BENCH_THREAD_COUNTS]; /* index of each result's peaks */
    unsigned result_count;
} bench_report;

/* One line per result. */
void report_table(FILE *out, const bench_report *report);

/* One line per case: rate for each number of threads and how often that of one. */
void report_sweep(FILE *out, const bench_report *report);

/* False if the file can not be written. */
bool report_json(const char *path, const bench_report *report);

#endif
