/* SPDX-License-Identifier: MIT */
/* The inner loops of what is recorded, once per instruction set. */
#ifndef VXE_OUTPUT_RECORD_FRAME_CODEC_KERNELS_H
#define VXE_OUTPUT_RECORD_FRAME_CODEC_KERNELS_H

#include "engine/core/dispatch.h"
#include <stddef.h>
#include <stdint.h>

typedef struct vxe_frame_codec_kernels {
    /* The first of some values that is none or not below most in size, or their number. */
    size_t (*find_bad)(const double *values, size_t count, double max);
    /* Puts a component of some voxels, whose values are stride apart, in groups (pack_internal.h):
       as whole numbers of the resolution less those before, which become them. Returns where the
       next goes; there is room for VXE_PACK_ROOM bytes a group. */
    uint8_t *(*put)(const double *values, uint32_t stride, double resolution, int64_t *before,
                    uint32_t count, uint8_t *into);
} vxe_frame_codec_kernels;

const vxe_frame_codec_kernels *vxe_frame_codec_kernels_of(const vxe_kernels *kernels);

#endif
