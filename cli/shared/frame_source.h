/* SPDX-License-Identifier: MIT */
/* Moments of a robot to be shown: the frames of a record, or a design at rest. */
#ifndef VXE_CLI_SHARED_FRAME_SOURCE_H
#define VXE_CLI_SHARED_FRAME_SOURCE_H

#include <stdbool.h>
#include <voxelastic/voxelastic.h>

typedef struct frame_source {
    const vxe_design *design; /* its record's, or own */
    uint64_t count;
    vxe_frame *frame; /* that was read last */
    vxe_vxr *record;
    vxe_design *own;
    bool warned;
} frame_source;

/* Opens a record (.vxr) or a design. A record that was cut short is warned of. */
vxe_status frame_source_open(frame_source *m, const char *path, vxe_error *error);

/* Also where opening has failed. */
void frame_source_close(frame_source *m);

/* Reads moment number index into the frame. */
vxe_status frame_source_read(frame_source *m, uint64_t index, vxe_error *error);

/* Whether a moment that could not be read is to be passed over: of a record, a block is damaged. It
   is said once. */
bool frame_source_skips(frame_source *m, vxe_status status, const vxe_error *error);

/* The number of the moment nearest to a time (s). */
uint64_t frame_source_nearest(frame_source *m, double time);

#endif
