/* SPDX-License-Identifier: MIT */
/* A clock for measurements, which does not jump when the time of day is set. */
#ifndef VXE_BENCH_CLOCK_H
#define VXE_BENCH_CLOCK_H

/* Time (s) since a fixed moment; it never decreases. */
double bench_seconds(void);

#endif
