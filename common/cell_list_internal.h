/* SPDX-License-Identifier: MIT */
/* Cell lists: items sorted into numbered cells by counting, so that those of a cell stand together.
 */
#ifndef VXE_COMMON_CELL_LIST_INTERNAL_H
#define VXE_COMMON_CELL_LIST_INTERNAL_H

#include <stdint.h>

/* Sorts count items into cells 0 to cells - 1; within a cell they keep their order. cell (count):
   of each item, or VXE_NONE where it is in none. first_of (cells + 1): where each cell begins, and
   the end of the last. item (those in a cell): the items, cell by cell. rank (count): where each
   item came to; it may be cell. item and rank may be null. */
void vxe_cell_list_sort(const uint32_t *cell, uint64_t count, uint64_t cells, uint32_t *first_of,
                        uint32_t *item, uint32_t *rank);

#endif
