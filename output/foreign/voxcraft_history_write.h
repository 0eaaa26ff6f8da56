/* SPDX-License-Identifier: MIT */
/* Writes a run as a history for voxcraft's viewer: lines of settings, then one line per frame. A
   frame lists the voxels on the surface, in the coordinates of the file and in millimetres, and on
   request bonds, in metres. */
#ifndef VXE_OUTPUT_FOREIGN_VOXCRAFT_HISTORY_WRITE_H
#define VXE_OUTPUT_FOREIGN_VOXCRAFT_HISTORY_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/status.h"
#include "engine/world.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_history vxe_history;

/* Writes the settings to `out`, which stays open and belongs to the caller. Frames will list
   voxels, bonds, or both. The design must outlive the history. Returns null, and fills error, on
   failure. */
VXE_API vxe_history *vxe_history_create(const vxe_design *design, bool voxels, bool bonds,
                                        FILE *out, vxe_error *error);
VXE_API void vxe_history_destroy(vxe_history *history);

/* Writes the present state of the world as the frame with that number. */
VXE_API vxe_status vxe_history_add(vxe_history *history, const vxe_world *world, uint64_t number,
                                   vxe_error *error);

/* Writes a frame of the design's voxels under that number. */
VXE_API vxe_status vxe_history_add_frame(vxe_history *history, const vxe_frame *frame,
                                         uint64_t number, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
