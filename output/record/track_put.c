/* SPDX-License-Identifier: MIT */
/* Frames are put into blocks here; track.c takes them out. */
#include <string.h>

#include "common/pack_internal.h"
#include "common/status_internal.h"
#include "engine/core/arrays.h"
#include "output/record/frame_codec.h"
#include "output/record/track_kernels.h"

vxe_status vxe_track_begin(vxe_track *track, const vxe_design *design, const vxe_track_scale *scale,
                           vxe_error *error)
{
    const char *why = NULL;
    const vxe_kernels *kernels = vxe_kernels_for_machine(VXE_PRECISION_DOUBLE, &why);
    *track = (vxe_track){.kernels = NULL};
    if (!kernels) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
    }
    const vxe_status status = vxe_track_init(track, design, scale, error);
    track->kernels = kernels->track;
    return status;
}

/* Checked before anything is put: a frame is there as a whole or not at all. */
static vxe_status check(const vxe_track *track, const vxe_frame *frame, vxe_error *error)
{
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        const uint32_t components = vxe_track_components[f];
        const double resolution = track->scale.resolution[f];
        const double *values = vxe_track_array(frame, f);
        const size_t count = resolution > 0 ? (size_t)components * vxe_track_count(track, f) : 0;
        const size_t bad = track->kernels->find_bad(values, count, track->most * resolution);
        if (bad < count) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "step %llu: %s of %s %zu is %g %s: can not be recorded",
                                  (unsigned long long)frame->step, vxe_track_names[f],
                                  f < VXE_TRACK_PLACE ? "voxel" : "affine body", bad / components,
                                  values[bad], vxe_track_units[f]);
        }
    }
    return VXE_OK;
}

/* Puts a field, a component of all voxels behind the other. */
static void put_field(const vxe_track *track, int field, const double *values, int64_t *before,
                      vxe_bytes *block)
{
    const uint32_t count = vxe_track_count(track, field);
    const uint32_t components = vxe_track_components[field];
    const uint64_t groups = (count + VXE_PACK_GROUP - 1) / VXE_PACK_GROUP;
    for (uint32_t c = 0; c < components; c++) {
        if (vxe_bytes_reserve(block, groups * VXE_PACK_ROOM)) {
            uint8_t *into = block->data + block->size;
            into = track->kernels->put(values + c, components, track->scale.resolution[field],
                                       before + (size_t)c * count, count, into);
            block->size = (uint64_t)(into - block->data);
        }
    }
}

vxe_status vxe_track_put(vxe_track *track, const vxe_frame *frame, vxe_bytes *block,
                         vxe_error *error)
{
    int64_t *before = track->before;
    uint64_t time = 0;
    const vxe_status status = check(track, frame, error);
    if (status) {
        return status;
    }
    memcpy(&time, &frame->time, sizeof time);
    vxe_bytes_put_signed(block, (int64_t)(frame->step - track->step));
    vxe_bytes_put_signed(block, (int64_t)(time - track->time));
    track->step = frame->step;
    track->time = time;
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        if (track->scale.resolution[f] > 0) {
            put_field(track, f, vxe_track_array(frame, f), before, block);
            before += (size_t)vxe_track_components[f] * vxe_track_count(track, f);
        }
    }
    return block->bad ? vxe_error_memory(error, block->size) : VXE_OK;
}
