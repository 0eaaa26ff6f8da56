/* SPDX-License-Identifier: MIT */
#ifndef VXE_BENCH_CLOCK_H
#define VXE_BENCH_CLOCK_H

/* s since some moment, of a clock that never goes back. */
double bench_seconds(void);

#endif
