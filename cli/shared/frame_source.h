/* SPDX-License-Identifier: MIT */
/* Frames to be shown: those of a record, or the one frame of a design at rest. */
#ifndef VXE_CLI_SHARED_FRAME_SOURCE_H
#define VXE_CLI_SHARED_FRAME_SOURCE_H

#include <stdbool.h>
#include <voxelastic/voxelastic.h>

typedef struct frame_source {
    const char *path;         /* the caller's, which stays where it is */
    const vxe_design *design; /* that of the record, or `owned` */
    uint64_t count;
    vxe_frame *frame; /* the frame that was read last */
    vxe_vxr *record;
    vxe_design *owned;
    bool warned;
} frame_source;

/* True where the file begins like a record of this program, whatever its name: a record in the
   making, which a killed run leaves, has another ending than .vxr, and reports of voxcraft's worker
   have the same. */
bool frame_source_is_record(const char *path);

/* Opens a record or a design. Warns where a record was cut short. */
vxe_status frame_source_open(frame_source *source, const char *path, vxe_error *error);

/* Closes the source, also where opening failed. */
void frame_source_close(frame_source *source);

/* Reads a frame by its index. */
vxe_status frame_source_read(frame_source *source, uint64_t index, vxe_error *error);

/* True where a frame that could not be read is to be skipped, because a block of the record is
   damaged. The first time, a warning is printed. */
bool frame_source_skips(frame_source *source, vxe_status status, const vxe_error *error);

/* Index of the frame nearest to a time (s). */
uint64_t frame_source_nearest(frame_source *source, double time);

#endif
