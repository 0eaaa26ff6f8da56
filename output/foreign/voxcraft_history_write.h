/* SPDX-License-Identifier: MIT */
/* voxcraft's history of a run, which its viewer shows: lines of settings, then a line for each
   frame. Voxels on the surface, in the file's frame and in millimetres; bonds, where they are asked
   for, in metres. */
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

/* Writes the settings to out, which is the caller's and stays open; frames will list voxels, bonds,
   or both. The design is to live as long as the history. Null and error filled on failure. */
VXE_API vxe_history *vxe_history_create(const vxe_design *design, bool voxels, bool bonds,
                                        FILE *out, vxe_error *error);
VXE_API void vxe_history_destroy(vxe_history *history);

/* Writes the world's present as a frame of that number. */
VXE_API vxe_status vxe_history_add(vxe_history *history, const vxe_world *world, uint64_t number,
                                   vxe_error *error);

/* Writes a frame of the design's voxels as one of that number. */
VXE_API vxe_status vxe_history_add_frame(vxe_history *history, const vxe_frame *frame,
                                         uint64_t number, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
