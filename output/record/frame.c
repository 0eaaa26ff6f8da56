/* SPDX-License-Identifier: MIT */
/* Frames: one allocation holds all arrays of a frame (frame.h). */
#include "output/record/frame.h"

#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Numbers of one voxel in a frame, over all arrays, and of one affine body. */
#define VALUES 16u
#define BODY_VALUES 12u

vxe_frame *vxe_frame_create(uint32_t voxels, uint32_t bodies, vxe_error *error)
{
    const uint64_t count = (uint64_t)VALUES * voxels + (uint64_t)BODY_VALUES * bodies;
    vxe_frame *frame = vxe_memory_take(1, sizeof *frame);
    double *values = vxe_memory_take(count + 1, sizeof *values);
    if (!frame || !values) {
        vxe_memory_release(frame);
        vxe_memory_release(values);
        (void)vxe_error_memory(error, sizeof *values * count);
        return NULL;
    }
    const size_t n = voxels;
    const size_t b = bodies;
    *frame = (vxe_frame){.voxels = voxels,
                         .bodies = bodies,
                         .position = values,
                         .orientation = values + 3 * n,
                         .edge = values + 7 * n,
                         .strain = values + 8 * n,
                         .stress = values + 11 * n,
                         .energy = values + 14 * n,
                         .contact = values + 15 * n,
                         .place = values + 16 * n,
                         .deformation = values + 16 * n + 3 * b};
    VXE_ASSERT(frame->deformation + 9 * b == values + count);
    return frame;
}

vxe_status vxe_frame_fits(const vxe_frame *frame, uint32_t voxels, uint32_t bodies,
                          vxe_error *error)
{
    VXE_ASSERT(frame);
    return frame->voxels == voxels && frame->bodies == bodies
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "the frame has %u voxels and %u affine bodies, the design has %u "
                                "and %u",
                                frame->voxels, frame->bodies, voxels, bodies);
}

void vxe_frame_destroy(vxe_frame *frame)
{
    if (frame) {
        vxe_memory_release(frame->position);
        vxe_memory_release(frame);
    }
}
