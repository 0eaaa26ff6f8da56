/* SPDX-License-Identifier: MIT */
/* A progress bar on a terminal's stderr; silent elsewhere. */
#ifndef VXE_CLI_SHARED_PROGRESS_H
#define VXE_CLI_SHARED_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool shown;
    double started; /* s */
    double drawn;   /* s: last time */
} progress;

/* Seconds on a clock that only goes forward. */
double clock_seconds(void);

void progress_begin(progress *bar, bool quiet);

/* done of 1; rate in bond updates/s. Draws ten times a second at most. */
void progress_draw(progress *bar, double done, double rate);

/* Wipes the bar. */
void progress_end(progress *bar);

#endif
