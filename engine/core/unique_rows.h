/* SPDX-License-Identifier: MIT */
/* Unique rows of numbers: equal rows are stored once, so that what many bonds or voxels share is
   small and stays in the nearest cache. */
#ifndef VXE_ENGINE_CORE_UNIQUE_ROWS_H
#define VXE_ENGINE_CORE_UNIQUE_ROWS_H

#include <stdint.h>

typedef struct vxe_unique_rows {
    uint64_t bytes;      /* of a row, a multiple of 8 */
    void *rows;          /* (capacity, bytes) */
    uint32_t *next;      /* (capacity) the next row with the same hash, or VXE_NONE */
    uint32_t *heads;     /* (head_count) first row of a hash, or VXE_NONE */
    uint32_t head_count; /* a power of two */
    uint32_t count;
    uint32_t capacity;
} vxe_unique_rows;

/* Empties the table for rows of `bytes` bytes; its memory stays. The table must be zeroed before
   its first use. */
void vxe_unique_rows_begin(vxe_unique_rows *table, uint64_t bytes);
void vxe_unique_rows_clear(vxe_unique_rows *table);

/* Index of the row with these bytes, which is added if it is new; VXE_NONE if memory runs out. */
uint32_t vxe_unique_rows_add(vxe_unique_rows *table, const void *row);

/* Hands the rows over and clears the rest; the caller releases them. */
void *vxe_unique_rows_take(vxe_unique_rows *table);

#endif
