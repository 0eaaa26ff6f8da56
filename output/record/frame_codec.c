/* SPDX-License-Identifier: MIT */
#include "output/record/frame_codec.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/memory.h"
#include "common/pack_internal.h"
#include "common/status_internal.h"
#include "engine/model/model.h"

/* Largest whole number of a value: 1.5 2^52 and it have no digit behind the point. */
#define MAX 0x1p51

const char *const vxe_frame_codec_names[VXE_TRACK_FIELDS] = {
    "position", "orientation", "edge",  "strain",     "stress",
    "energy",   "contact",     "place", "deformation"};
const char *const vxe_frame_codec_units[VXE_TRACK_FIELDS] = {"m", "1", "m", "1", "Pa",
                                                             "J", "N", "m", "1"};
const uint32_t vxe_frame_codec_components[VXE_TRACK_FIELDS] = {3, 4, 1, 3, 3, 1, 1, 3, 9};

/* m: the edge of a cube of the smallest body's volume. */
static double smallest_body(const vxe_design *design)
{
    double min = HUGE_VAL;
    for (uint32_t b = 0; b < design->affine_count; b++) {
        double moments[9];
        double volume = 0;
        if (!vxe_affine_shape_moments(&design->affine[b].shape, &volume, moments, NULL)) {
            min = fmin(min, cbrt(volume));
        }
    }
    return isfinite(min) ? min : 1;
}

vxe_frame_codec_scale vxe_frame_codec_scale_of(const vxe_design *design,
                                               const double parts[VXE_TRACK_FIELDS])
{
    const double edge = design->voxel_size;
    const vxe_moduli moduli = vxe_moduli_of(design);
    double modulus = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        modulus = fmax(modulus, vxe_voxel_modulus(&moduli, v));
    }
    modulus = modulus > 0 ? modulus : 1; /* nothing bears anything */
    const double units[VXE_TRACK_FIELDS] = {edge,
                                            1,
                                            edge,
                                            1,
                                            modulus,
                                            modulus * edge * edge * edge,
                                            modulus * edge * edge,
                                            smallest_body(design),
                                            1};
    vxe_frame_codec_scale scale;
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        const bool there = f < VXE_TRACK_PLACE || design->affine_count > 0;
        scale.resolution[f] = there ? parts[f] * units[f] : 0;
    }
    return scale;
}

/* The numbers of a body that nothing has happened to. */
static void fill_rest(vxe_frame_codec *codec, const vxe_design *design)
{
    const double *resolution = codec->scale.resolution;
    int64_t *at = codec->rest;
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        for (uint32_t c = 0; c < vxe_frame_codec_components[f] && resolution[f] > 0; c++) {
            for (uint32_t v = 0; v < vxe_frame_codec_count(codec, f); v++) {
                const double value =
                    f == VXE_TRACK_PLACE         ? design->affine[v].center[c]
                    : f == VXE_TRACK_DEFORMATION ? c % 4 == 0
                    : f == VXE_TRACK_POSITION
                        ? (design->voxels[v].position[c] + 0.5) * design->voxel_size
                    : f == VXE_TRACK_ORIENTATION ? c == 0
                    : f == VXE_TRACK_EDGE        ? design->voxel_size
                                                 : 0;
                *at++ = llrint(value / resolution[f]);
            }
        }
    }
}

vxe_status vxe_frame_codec_init(vxe_frame_codec *codec, const vxe_design *design,
                                const vxe_frame_codec_scale *scale, vxe_error *error)
{
    *codec = (vxe_frame_codec){
        .scale = *scale, .max = MAX, .voxels = design->voxel_count, .bodies = design->affine_count};
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        const double resolution = scale->resolution[f];
        if (!(resolution == 0 || (resolution > 1e-300 && resolution < 1e300))) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "a resolution of %g %s for %s: above 0",
                                  resolution, vxe_frame_codec_units[f], vxe_frame_codec_names[f]);
        }
        codec->values += resolution > 0 ? (uint64_t)vxe_frame_codec_components[f] *
                                              vxe_frame_codec_count(codec, f)
                                        : 0;
    }
    codec->rest = vxe_memory_take(codec->values, sizeof *codec->rest);
    codec->before = vxe_memory_take(codec->values, sizeof *codec->before);
    if (!codec->rest || !codec->before) {
        vxe_frame_codec_clear(codec);
        return vxe_error_memory(error, 2 * codec->values * sizeof *codec->rest);
    }
    fill_rest(codec, design);
    vxe_frame_codec_restart(codec);
    return VXE_OK;
}

void vxe_frame_codec_clear(vxe_frame_codec *codec)
{
    vxe_memory_release(codec->rest);
    vxe_memory_release(codec->before);
    *codec = (vxe_frame_codec){0};
}

void vxe_frame_codec_restart(vxe_frame_codec *codec)
{
    memcpy(codec->before, codec->rest, codec->values * sizeof *codec->before);
    codec->step = 0;
    codec->time = 0;
}

static void get_component(double *values, uint32_t stride, double resolution, int64_t *before,
                          uint32_t voxels, vxe_bytes_view *block)
{
    for (uint32_t first = 0; first < voxels; first += VXE_PACK_GROUP) {
        const uint32_t left = voxels - first;
        const uint32_t count = left < VXE_PACK_GROUP ? left : VXE_PACK_GROUP;
        int64_t way[VXE_PACK_GROUP];
        vxe_bytes_get_group(block, way, count);
        for (uint32_t i = 0; i < count; i++) {
            before[first + i] = (int64_t)((uint64_t)before[first + i] + (uint64_t)way[i]);
            values[(size_t)(first + i) * stride] = (double)before[first + i] * resolution;
        }
    }
}

bool vxe_frame_codec_get(vxe_frame_codec *codec, vxe_bytes_view *block, vxe_frame *frame)
{
    int64_t *before = codec->before;
    codec->step += (uint64_t)vxe_bytes_get_signed(block);
    codec->time += (uint64_t)vxe_bytes_get_signed(block);
    frame->step = codec->step;
    memcpy(&frame->time, &codec->time, sizeof frame->time);
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        const uint32_t components = vxe_frame_codec_components[f];
        const double resolution = codec->scale.resolution[f];
        double *values = vxe_frame_codec_array(frame, f);
        for (uint32_t c = 0; c < components && resolution > 0; c++) {
            get_component(values + c, components, resolution, before,
                          vxe_frame_codec_count(codec, f), block);
            before += vxe_frame_codec_count(codec, f);
        }
    }
    return !block->bad;
}
