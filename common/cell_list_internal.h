/* SPDX-License-Identifier: MIT */
/* Cell lists: items sorted into numbered cells by counting, so that those of a cell are adjacent.
 */
#ifndef VXE_COMMON_CELL_LIST_INTERNAL_H
#define VXE_COMMON_CELL_LIST_INTERNAL_H

#include <stdint.h>

/* Sorts count items into cells 0 to cells - 1; within a cell they keep their order.
   cell (count): the cell of each item, or VXE_NONE for an item in no cell.
   first_of (cells + 1): index in `item` at which each cell begins, and the end of the last.
   item (items in cells): the items, cell by cell; may be null.
   rank (count): index of each item in `item`; may be null or the same array as `cell`. */
void vxe_cell_list_sort(const uint32_t *cell, uint64_t count, uint64_t cells, uint32_t *first_of,
                        uint32_t *item, uint32_t *rank);

#endif
