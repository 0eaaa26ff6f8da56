/* SPDX-License-Identifier: MIT */
/* The option --sweep of `voxelastic batch`: every design runs with every combination of values. */
#ifndef VXE_CLI_BATCH_BATCH_SWEEP_H
#define VXE_CLI_BATCH_BATCH_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <voxelastic/voxelastic.h>

/* The values that one key takes. */
typedef struct batch_axis {
    char *key;
    char **values; /* (count) */
    uint32_t count;
} batch_axis;

/* The last axis changes fastest. */
typedef struct batch_sweep {
    batch_axis *axes; /* (count) */
    uint32_t count;
} batch_sweep;

/* Most rows of a batch with a sweep. */
#define BATCH_SWEEP_ROWS 1000000u

/* Takes KEY=A:B:N, N values evenly spaced from A to B with both, or KEY=VALUE,VALUE,... Returns 0,
   or an exit status after a message. */
int batch_sweep_add(batch_sweep *sweep, const char *text);

void batch_sweep_clear(batch_sweep *sweep);

/* Combinations of a sweep: 1 without axes. Never more than can be rows. */
uint32_t batch_sweep_combinations(const batch_sweep *sweep);

/* The value of an axis in a combination. */
const char *batch_sweep_value(const batch_sweep *sweep, uint32_t axis, uint32_t combination);

#endif
