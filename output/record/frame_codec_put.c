/* SPDX-License-Identifier: MIT */
/* Frames are put into blocks here; frame_codec.c takes them out. */
#include <string.h>

#include "common/pack_internal.h"
#include "common/status_internal.h"
#include "engine/core/arrays.h"
#include "output/record/frame_codec.h"
#include "output/record/frame_codec_kernels.h"

vxe_status vxe_frame_codec_begin(vxe_frame_codec *codec, const vxe_design *design,
                                 const vxe_frame_codec_scale *scale, vxe_error *error)
{
    const char *why = NULL;
    const vxe_kernels *kernels = vxe_kernels_for_machine(VXE_PRECISION_DOUBLE, &why);
    *codec = (vxe_frame_codec){.kernels = NULL};
    if (!kernels) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
    }
    const vxe_status status = vxe_frame_codec_init(codec, design, scale, error);
    codec->kernels = vxe_frame_codec_kernels_of(kernels);
    return status;
}

/* Checked before anything is put: a frame is there as a whole or not at all. */
static vxe_status check(const vxe_frame_codec *codec, const vxe_frame *frame, vxe_error *error)
{
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        const uint32_t components = vxe_frame_codec_components[f];
        const double resolution = codec->scale.resolution[f];
        const double *values = vxe_frame_codec_array(frame, f);
        const size_t count =
            resolution > 0 ? (size_t)components * vxe_frame_codec_count(codec, f) : 0;
        const size_t bad = codec->kernels->find_bad(values, count, codec->max * resolution);
        if (bad < count) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "step %llu: %s of %s %zu is %g %s: can not be recorded",
                                  (unsigned long long)frame->step, vxe_frame_codec_names[f],
                                  f < VXE_TRACK_PLACE ? "voxel" : "affine body", bad / components,
                                  values[bad], vxe_frame_codec_units[f]);
        }
    }
    return VXE_OK;
}

/* Puts a field, a component of all voxels behind the other. */
static void put_field(const vxe_frame_codec *codec, int field, const double *values,
                      int64_t *before, vxe_bytes *block)
{
    const uint32_t count = vxe_frame_codec_count(codec, field);
    const uint32_t components = vxe_frame_codec_components[field];
    const uint64_t groups = (count + VXE_PACK_GROUP - 1) / VXE_PACK_GROUP;
    for (uint32_t c = 0; c < components; c++) {
        if (vxe_bytes_reserve(block, groups * VXE_PACK_ROOM)) {
            uint8_t *into = block->data + block->size;
            into = codec->kernels->put(values + c, components, codec->scale.resolution[field],
                                       before + (size_t)c * count, count, into);
            block->size = (uint64_t)(into - block->data);
        }
    }
}

vxe_status vxe_frame_codec_put(vxe_frame_codec *codec, const vxe_frame *frame, vxe_bytes *block,
                               vxe_error *error)
{
    int64_t *before = codec->before;
    uint64_t time = 0;
    const vxe_status status = check(codec, frame, error);
    if (status) {
        return status;
    }
    memcpy(&time, &frame->time, sizeof time);
    vxe_bytes_put_signed(block, (int64_t)(frame->step - codec->step));
    vxe_bytes_put_signed(block, (int64_t)(time - codec->time));
    codec->step = frame->step;
    codec->time = time;
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        if (codec->scale.resolution[f] > 0) {
            put_field(codec, f, vxe_frame_codec_array(frame, f), before, block);
            before += (size_t)vxe_frame_codec_components[f] * vxe_frame_codec_count(codec, f);
        }
    }
    return block->bad ? vxe_error_memory(error, block->size) : VXE_OK;
}

VXE_KERNELS_BY_ISA(vxe_frame_codec_kernels)
