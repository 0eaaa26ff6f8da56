/* SPDX-License-Identifier: MIT */
/* Our own record of a run (.vxr): its design, and frames with a resolution that the file names,
   in blocks that carry checksums, with an index behind them, so that any frame is read
   by itself. The format is described in README.md beside this file. */
#ifndef VXE_OUTPUT_RECORD_VXR_H
#define VXE_OUTPUT_RECORD_VXR_H

#include <stdbool.h>

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_vxr_writer vxe_vxr_writer;

/* Starts a record; the file appears under path when it is closed. The design is to live as long as
   the writer. Null and error filled on failure. */
VXE_API vxe_vxr_writer *vxe_vxr_create(const vxe_design *design, const char *path,
                                       vxe_error *error);

/* Adds a frame of the design's voxels; fails where a number is not finite, and where the disk is
   full. */
VXE_API vxe_status vxe_vxr_add(vxe_vxr_writer *writer, const vxe_frame *frame, vxe_error *error);

/* Finishes the file; the writer is gone whatever the result. */
VXE_API vxe_status vxe_vxr_close(vxe_vxr_writer *writer, vxe_error *error);

/* Gives up: no file is left. writer may be null. */
VXE_API void vxe_vxr_abandon(vxe_vxr_writer *writer);

typedef struct vxe_vxr vxe_vxr;

/* Opens a record of up to 16 GiB and reads its index. Of one that was cut short, the frames in
   front of the damage are there. Null and error filled where there are none. */
VXE_API vxe_vxr *vxe_vxr_open(const char *path, vxe_error *error);
VXE_API void vxe_vxr_destroy(vxe_vxr *record);

/* The record's, as long as it lives. */
VXE_API const vxe_design *vxe_vxr_design(const vxe_vxr *record);
VXE_API uint64_t vxe_vxr_frame_count(const vxe_vxr *record);

/* Whether the end is missing or damaged. */
VXE_API bool vxe_vxr_is_cut(const vxe_vxr *record);

/* The resolution of the record's places, m; values are off by half of it at most. */
VXE_API double vxe_vxr_resolution(const vxe_vxr *record);

/* Reads frame number index, from 0, into one of as many voxels. Frames are read fastest one after
   the other. Fails where the block is damaged. */
VXE_API vxe_status vxe_vxr_read(vxe_vxr *record, uint64_t index, vxe_frame *into, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
