/* SPDX-License-Identifier: MIT */
/* Results of a batch, one row per design: as CSV (RFC 4180, with a header) or as JSON with the same
   keys, but for the unit of the fitness, which in CSV stands in the header. A robot that did not
   finish has no numbers: its cells are empty, its keys null. */
#ifndef VXE_CLI_BATCH_BATCH_ROWS_H
#define VXE_CLI_BATCH_BATCH_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <voxelastic/voxelastic.h>

#include "cli/batch/batch_sweep.h"

/* One design of a batch. */
typedef struct batch_entry {
    const char *path;
    vxe_design *design;   /* null: not read, or could not be read */
    char *refusal;        /* why the design is not in the batch; null: it is, or it was not read */
    uint32_t robot;       /* index in the batch, where there is a design */
    uint32_t combination; /* of the sweep's values */
} batch_entry;

/* A batch that has run. */
typedef struct batch_table {
    const vxe_batch *batch;
    const batch_entry *entries; /* (count) */
    uint32_t count;
    const batch_sweep *sweep; /* its values have columns behind that of the design; null: none */
    double wall_seconds;
} batch_table;

/* Number of designs by how they ended. */
typedef struct batch_counts {
    uint32_t done;
    uint32_t diverged;
    uint32_t unphysical;
    uint32_t refused;
    uint32_t stopped;
} batch_counts;

/* Whether a name is that of a column. */
bool batch_table_has_column(const char *name);

batch_counts batch_table_count(const batch_table *table);

/* The rules that a design of the batch ran under; empty where it did not run. */
const char *batch_table_conventions(const batch_table *table, uint32_t entry);

/* Bond updates per second of wall time. */
double batch_table_bond_rate(const batch_table *table);

/* Writes all rows. Returns false, before any is written, where memory is lacking. Errors of the
   stream stay in it, for the caller to check. */
bool batch_table_write_csv(const batch_table *table, FILE *stream);

/* Write one row as a line without its end, and all rows. Both return false where memory is lacking
   or the stream fails. */
bool batch_row_write_json(const batch_table *table, const batch_entry *entry, FILE *stream);
bool batch_table_write_json(const batch_table *table, FILE *stream);

#endif
