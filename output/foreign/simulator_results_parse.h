/* SPDX-License-Identifier: MIT */
/* The reader of result files for a text in memory; fuzz tests call it. */
#ifndef VXE_OUTPUT_FOREIGN_SIMULATOR_RESULTS_PARSE_H
#define VXE_OUTPUT_FOREIGN_SIMULATOR_RESULTS_PARSE_H

#include "lattice/formats/text_internal.h"
#include "output/foreign/simulator_results.h"

/* Like vxe_scores_read, for a text in memory that ends with a zero byte. */
vxe_scores *vxe_scores_scan(const vxe_text *source, vxe_error *error);

#endif
