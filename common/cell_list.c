/* SPDX-License-Identifier: MIT */
/* Counting sort into cells; linear in items and cells. */
#include "common/cell_list_internal.h"

#include <string.h>

#include "common/assert_internal.h"
#include "common/export.h"

void vxe_cell_list_sort(const uint32_t *cell, uint64_t count, uint64_t cells, uint32_t *first_of,
                        uint32_t *item, uint32_t *rank)
{
    memset(first_of, 0, (cells + 1) * sizeof *first_of);
    for (uint64_t i = 0; i < count; i++) {
        if (cell[i] != VXE_NONE) {
            VXE_ASSERT(cell[i] < cells);
            first_of[cell[i] + 1]++;
        }
    }
    for (uint64_t k = 0; k < cells; k++) {
        first_of[k + 1] += first_of[k];
    }
    const uint32_t total = first_of[cells];
    for (uint64_t i = count; i-- > 0;) { /* each cell is filled from its end to its beginning */
        if (cell[i] == VXE_NONE) {
            continue;
        }
        const uint32_t at = --first_of[cell[i] + 1];
        if (item) {
            item[at] = (uint32_t)i;
        }
        if (rank) {
            rank[i] = at;
        }
    }
    /* first_of[k + 1] is where cell k begins now */
    memmove(first_of, first_of + 1, cells * sizeof *first_of);
    first_of[cells] = total;
}
