/* SPDX-License-Identifier: MIT */
#ifndef VXE_OUTPUT_FOREIGN_SIMULATOR_RESULTS_PARSE_H
#define VXE_OUTPUT_FOREIGN_SIMULATOR_RESULTS_PARSE_H

#include "lattice/formats/text_internal.h"
#include "output/foreign/simulator_results.h"

/* As vxe_scores_read, of a text in memory, behind which a zero stands. */
vxe_scores *vxe_scores_scan(const vxe_text *source, vxe_error *error);

#endif
