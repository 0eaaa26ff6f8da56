/* SPDX-License-Identifier: MIT */
/* Reads the tables of a search: rows of numbers; empty cells and words are NaN. Only
   the columns operator, status and body_hash hold words. */
#ifndef VXE_EVOLUTION_STORAGE_SEARCH_TABLE_INTERNAL_H
#define VXE_EVOLUTION_STORAGE_SEARCH_TABLE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"

#define VXE_TABLE_COLUMNS 16u

typedef struct vxe_table {
    char path[1024];
    char *text;
    const char *at;
    uint32_t line;
    uint32_t columns; /* columns of the first line */
    uint32_t words;   /* bit c: column c holds words */
} vxe_table;

/* Columns of individuals.csv. */
enum {
    VXE_ROW_ID,
    VXE_ROW_BORN,
    VXE_ROW_PARENT,
    VXE_ROW_OPERATOR,
    VXE_ROW_AGE,
    VXE_ROW_STATUS,
    VXE_ROW_FITNESS,
    VXE_ROW_VOXELS,
    VXE_ROW_ACTUATED,
    VXE_ROW_LENGTH,
    VXE_ROW_WIDTH,
    VXE_ROW_HEIGHT
};

/* Opens folder/name, whose first line must begin with head. Close the table even on failure. */
vxe_status vxe_table_open(vxe_table *t, const char *folder, const char *name, const char *head,
                          vxe_error *error);
void vxe_table_close(vxe_table *t);

/* Reads the next row into cells (VXE_TABLE_COLUMNS); *more is false after the last row. An
   incomplete last row is ignored, since the search may be writing it. */
vxe_status vxe_table_row(vxe_table *t, double *cells, bool *more, vxe_error *error);

/* Reports what is wrong with the line that was read last. */
vxe_status vxe_table_damaged(const vxe_table *t, const char *what, vxe_error *error);

/* True where a cell is a whole number from 0 to max. */
bool vxe_is_whole(double cell, double max);

#endif
