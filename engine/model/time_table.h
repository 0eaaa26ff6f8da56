/* SPDX-License-Identifier: MIT */
/* A table of factors by time: for the motion of a region, the schedule of a group, and
   stiffness. */
#ifndef VXE_ENGINE_MODEL_TIME_TABLE_H
#define VXE_ENGINE_MODEL_TIME_TABLE_H

#include "common/status.h"

/* Linear between its rows; constant before the first and after the last. */
typedef struct vxe_time_table {
    double *rows;   /* (count, 2) s, factor; times increase */
    uint32_t count; /* 0: the factor is 1 */
} vxe_time_table;

vxe_status vxe_time_table_copy(vxe_time_table *table, const double *rows, uint32_t count,
                               vxe_error *error);
void vxe_time_table_clear(vxe_time_table *table);

/* The factor at a time (s). */
double vxe_time_table_at(const vxe_time_table *table, double time);

/* The smallest and the largest factor. */
void vxe_time_table_bounds(const vxe_time_table *table, double *min, double *max);

#endif
