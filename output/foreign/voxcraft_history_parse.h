/* SPDX-License-Identifier: MIT */
/* The reader of histories for a text in memory; fuzz tests call it. */
#ifndef VXE_OUTPUT_FOREIGN_VOXCRAFT_HISTORY_PARSE_H
#define VXE_OUTPUT_FOREIGN_VOXCRAFT_HISTORY_PARSE_H

#include "lattice/formats/text_internal.h"
#include "output/foreign/voxcraft_history_read.h"

/* Like vxe_history_reader_read, for a text in memory that ends with a zero byte. */
vxe_history_reader *vxe_history_reader_scan(const vxe_text *source, vxe_error *error);

#endif
