/* SPDX-License-Identifier: MIT */
/* Factors by time, interpolated linearly between rows. */
#include "engine/model/time_table.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

vxe_status vxe_time_table_copy(vxe_time_table *table, const double *rows, uint32_t count,
                               vxe_error *error)
{
    const uint64_t bytes = 2ull * count * sizeof *rows;
    *table = (vxe_time_table){0};
    if (count == 0) {
        return VXE_OK;
    }
    VXE_ASSERT(rows[0] <= rows[2 * (size_t)count - 2]);
    table->rows = vxe_memory_take(2ull * count, sizeof *rows);
    if (!table->rows) {
        return vxe_error_memory(error, bytes);
    }
    memcpy(table->rows, rows, bytes);
    table->count = count;
    return VXE_OK;
}

void vxe_time_table_clear(vxe_time_table *table)
{
    vxe_memory_release(table->rows);
    *table = (vxe_time_table){0};
}

double vxe_time_table_at(const vxe_time_table *table, double time)
{
    const double *rows = table->rows;
    if (table->count == 0) {
        return 1;
    }
    if (time <= rows[0]) {
        return rows[1];
    }
    if (time >= rows[2 * (size_t)table->count - 2]) {
        return rows[2 * (size_t)table->count - 1];
    }
    /* bisection, since every step asks for every driven voxel: rows[before] <= time <
       rows[behind] */
    size_t before = 0;
    size_t behind = table->count - 1;
    while (behind - before > 1) {
        const size_t middle = (before + behind) / 2;
        *(time < rows[2 * middle] ? &behind : &before) = middle;
    }
    VXE_ASSERT(rows[2 * before] <= time && time < rows[2 * behind]);
    const double *last = rows + 2 * before;
    const double *next = rows + 2 * behind;
    return last[1] + (next[1] - last[1]) * (time - last[0]) / (next[0] - last[0]);
}

void vxe_time_table_bounds(const vxe_time_table *table, double *min, double *max)
{
    *min = *max = table->count > 0 ? table->rows[1] : 1;
    for (uint32_t k = 1; k < table->count; k++) {
        *min = fmin(*min, table->rows[2 * (size_t)k + 1]);
        *max = fmax(*max, table->rows[2 * (size_t)k + 1]);
    }
}
