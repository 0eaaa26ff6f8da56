/* SPDX-License-Identifier: MIT */
/* Records of runs (.vxr): the design and its frames, at a resolution that the file states. Frames
   are stored in blocks with checksums, and an index at the end gives access to any frame. README.md
   beside this file describes the format. */
#ifndef VXE_OUTPUT_RECORD_VXR_H
#define VXE_OUTPUT_RECORD_VXR_H

#include <stdbool.h>

#include "lattice/design.h"
#include "output/record/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_vxr_writer vxe_vxr_writer;

/* Starts a record. The file appears under `path` when the writer is closed. The design must outlive
   the writer. Returns null, and fills error, on failure. */
VXE_API vxe_vxr_writer *vxe_vxr_create(const vxe_design *design, const char *path,
                                       vxe_error *error);

/* Adds a frame of the design's voxels. Fails where a number is not finite or the disk is full. */
VXE_API vxe_status vxe_vxr_add(vxe_vxr_writer *writer, const vxe_frame *frame, vxe_error *error);

/* Completes the file. The writer is freed even on failure. */
VXE_API vxe_status vxe_vxr_close(vxe_vxr_writer *writer, vxe_error *error);

/* Frees the writer and leaves no file. writer may be null. */
VXE_API void vxe_vxr_abandon(vxe_vxr_writer *writer);

typedef struct vxe_vxr vxe_vxr;

/* Opens a record of up to 16 GiB and reads its index. Of a record that was cut short, the frames
   before the damage can be read. Returns null, and fills error, where there is no frame. */
VXE_API vxe_vxr *vxe_vxr_open(const char *path, vxe_error *error);
VXE_API void vxe_vxr_destroy(vxe_vxr *record);

/* The design and the number of frames. The design lives as long as the record. */
VXE_API const vxe_design *vxe_vxr_design(const vxe_vxr *record);
VXE_API uint64_t vxe_vxr_frame_count(const vxe_vxr *record);

/* True where the end of the file is missing or damaged. */
VXE_API bool vxe_vxr_is_cut(const vxe_vxr *record);

/* Resolution of positions (m). A stored value differs from the true one by at most half of it. */
VXE_API double vxe_vxr_resolution(const vxe_vxr *record);

/* Reads frame number `index`, counted from 0, into a frame of as many voxels. Reading in order is
   fastest. Fails where the block is damaged. */
VXE_API vxe_status vxe_vxr_read(vxe_vxr *record, uint64_t index, vxe_frame *into, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
