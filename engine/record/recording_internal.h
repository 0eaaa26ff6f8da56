/* SPDX-License-Identifier: MIT */
#ifndef VXE_ENGINE_RECORD_RECORDING_INTERNAL_H
#define VXE_ENGINE_RECORD_RECORDING_INTERNAL_H

#include "engine/record/recording.h"
#include "lattice/formats/text_internal.h"

/* As vxe_recording_read, of a text in memory, behind which a zero stands. */
vxe_recording *vxe_recording_scan(const vxe_text *source, vxe_error *error);

#endif
