/* SPDX-License-Identifier: MIT */
/* What a batch found, a row per design: as CSV (RFC 4180, a header first) or as JSON with the same
   keys. A robot that is not done has no numbers: its cells are empty, its keys null. */
#ifndef VXE_CLI_SHARED_BATCH_ROWS_H
#define VXE_CLI_SHARED_BATCH_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <voxelastic/voxelastic.h>

/* One design of a batch. */
typedef struct batch_entry {
    const char *path;
    vxe_design *design; /* null where it could not be read, or was not yet */
    char *refusal;      /* why it is not in the batch; null where it is, or was not read yet */
    uint32_t robot;     /* its number in the batch, with a design */
} batch_entry;

/* A batch that has run. */
typedef struct batch_table {
    const vxe_batch *batch;
    const batch_entry *entries; /* (count) */
    uint32_t count;
    double wall_seconds;
} batch_table;

/* How many of the designs ended how. */
typedef struct batch_counts {
    uint32_t done;
    uint32_t diverged;
    uint32_t refused;
    uint32_t stopped;
} batch_counts;

batch_counts batch_table_count(const batch_table *table);

/* Bond updates per second of wall time. */
double batch_table_bond_rate(const batch_table *table);

/* Errors of the stream are left in it. */
void batch_table_write_csv(const batch_table *table, FILE *stream);

/* These are false for want of memory, or on an error of the stream. One design on a line that is
   not ended, and all. */
bool batch_row_write_json(const batch_table *table, const batch_entry *entry, FILE *stream);
bool batch_table_write_json(const batch_table *table, FILE *stream);

#endif
