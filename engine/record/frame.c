/* SPDX-License-Identifier: MIT */
#include "engine/record/frame.h"

#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"

/* Numbers of a voxel, all arrays together. */
#define VALUES 16u

vxe_frame *vxe_frame_create(uint32_t voxels, vxe_error *error)
{
    if (voxels == 0) {
        (void)vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                             "no voxels: results and traces tell of affine bodies, but nothing "
                             "draws or records them yet");
        return NULL;
    }
    vxe_frame *frame = vxe_memory_take(1, sizeof *frame);
    double *values = vxe_memory_take((uint64_t)VALUES * voxels, sizeof *values);
    if (!frame || !values) {
        vxe_memory_release(frame);
        vxe_memory_release(values);
        (void)vxe_error_memory(error, VALUES * sizeof *values * (uint64_t)voxels);
        return NULL;
    }
    const size_t n = voxels;
    *frame = (vxe_frame){.voxels = voxels,
                         .position = values,
                         .orientation = values + 3 * n,
                         .edge = values + 7 * n,
                         .strain = values + 8 * n,
                         .stress = values + 11 * n,
                         .energy = values + 14 * n,
                         .contact = values + 15 * n};
    return frame;
}

void vxe_frame_destroy(vxe_frame *frame)
{
    if (frame) {
        vxe_memory_release(frame->position);
        vxe_memory_release(frame);
    }
}
