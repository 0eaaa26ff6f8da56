/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli/shared/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30 };

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress *bar, bool quiet)
{
    bar->shown = !quiet && isatty(STDERR_FILENO);
    bar->started = clock_seconds();
    bar->drawn = bar->started;
}

void progress_draw(progress *bar, double done, double rate)
{
    const double now = clock_seconds();
    if (!bar->shown || now - bar->drawn < 0.1 || !(done >= 0)) {
        return;
    }
    bar->drawn = now;
    const int full = (int)(done * WIDTH);
    char left[32] = "";
    char cells[WIDTH + 1];
    if (done > 0) {
        snprintf(left, sizeof left, "%.0f s left", (now - bar->started) * (1 - done) / done);
    }
    for (int i = 0; i < WIDTH; i++) {
        cells[i] = i < full ? '#' : '.';
    }
    cells[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3.0f %%  %.1f M bond updates/s  %s   ", cells, 100 * done, 1e-6 * rate,
            left);
    fflush(stderr);
}

void progress_end(progress *bar)
{
    if (bar->shown) {
        fprintf(stderr, "\r%79s\r", "");
        fflush(stderr);
    }
}
