/* SPDX-License-Identifier: MIT */
/* Writes the head of an array of numpy (.npy, format version 1.0; numpy.lib.format), whose numbers
   have names. */
#ifndef VXE_OUTPUT_TRACE_NPY_WRITE_H
#define VXE_OUTPUT_TRACE_NPY_WRITE_H

#include <stdint.h>
#include <stdio.h>

/* Writes it at the present place of a stream: the same number of bytes for any number of rows, so
   that it can be written again when these are counted. names: (count) of the doubles of an item;
   the one at `whole` is a whole number (int64), none below 0. items: of a row; 0: rows are items.
 */
void vxe_npy_write_head(FILE *stream, const char *const *names, int count, int whole, uint64_t rows,
                        uint64_t items);

#endif
