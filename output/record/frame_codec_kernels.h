/* SPDX-License-Identifier: MIT */
/* Table of the inner loops that write frames; there is one table per instruction set. */
#ifndef VXE_OUTPUT_RECORD_FRAME_CODEC_KERNELS_H
#define VXE_OUTPUT_RECORD_FRAME_CODEC_KERNELS_H

#include "engine/core/dispatch.h"
#include <stddef.h>
#include <stdint.h>

typedef struct vxe_frame_codec_kernels {
    /* Returns the index of the first value that is not a number or whose size is not below max;
       count where all values are good. */
    size_t (*find_bad)(const double *values, size_t count, double max);
    /* Writes one component of the voxels, whose values are `stride` apart, in packed groups
       (pack_internal.h): whole numbers of the resolution, less those in `before`, which is updated.
       Returns the end of what was written. `into` must have VXE_PACK_ROOM bytes for each group. */
    uint8_t *(*put)(const double *values, uint32_t stride, double resolution, int64_t *before,
                    uint32_t count, uint8_t *into);
} vxe_frame_codec_kernels;

const vxe_frame_codec_kernels *vxe_frame_codec_kernels_of(const vxe_kernels *kernels);

#endif
