/* SPDX-License-Identifier: MIT */
#ifndef VXE_OUTPUT_FOREIGN_VOXCRAFT_HISTORY_PARSE_H
#define VXE_OUTPUT_FOREIGN_VOXCRAFT_HISTORY_PARSE_H

#include "lattice/formats/text_internal.h"
#include "output/foreign/voxcraft_history_read.h"

/* As vxe_history_reader_read, of a text in memory, behind which a zero stands. */
vxe_history_reader *vxe_history_reader_scan(const vxe_text *source, vxe_error *error);

#endif
