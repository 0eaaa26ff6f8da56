/* SPDX-License-Identifier: MIT */
#ifndef VXE_ENGINE_RECORD_SCORES_INTERNAL_H
#define VXE_ENGINE_RECORD_SCORES_INTERNAL_H

#include "engine/record/scores.h"
#include "lattice/formats/text_internal.h"

/* As vxe_scores_read, of a text in memory, behind which a zero stands. */
vxe_scores *vxe_scores_scan(const vxe_text *source, vxe_error *error);

#endif
