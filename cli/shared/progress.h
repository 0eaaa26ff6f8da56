/* SPDX-License-Identifier: MIT */
/* A progress bar on standard error, drawn only where that is a terminal. */
#ifndef VXE_CLI_SHARED_PROGRESS_H
#define VXE_CLI_SHARED_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool shown;
    double started; /* s */
    double drawn;   /* s: time of the last drawing */
} progress;

/* Seconds on a monotonic clock. */
double clock_seconds(void);

void progress_begin(progress *bar, bool quiet);

/* Draws the bar, at most ten times a second. done: part from 0 to 1; rate: bond updates per
   second. */
void progress_draw(progress *bar, double done, double rate);

/* Erases the bar. */
void progress_end(progress *bar);

#endif
