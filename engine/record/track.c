/* SPDX-License-Identifier: MIT */
#include "engine/record/track_internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/voxel_modulus_internal.h"

/* Largest whole number of a value: 1.5 2^52 and it have no digit behind the point. */
#define MOST 0x1p51

const char *const vxe_track_names[VXE_TRACK_FIELDS] = {"position", "orientation", "edge",
                                                       "strain",   "stress",      "energy",
                                                       "contact",  "place",       "deformation"};
const char *const vxe_track_units[VXE_TRACK_FIELDS] = {"m", "1", "m", "1", "Pa",
                                                       "J", "N", "m", "1"};
const uint32_t vxe_track_components[VXE_TRACK_FIELDS] = {3, 4, 1, 3, 3, 1, 1, 3, 9};

static double *array_of(const vxe_frame *frame, int field)
{
    double *const arrays[VXE_TRACK_FIELDS] = {
        frame->position, frame->orientation, frame->edge,  frame->strain,     frame->stress,
        frame->energy,   frame->contact,     frame->place, frame->deformation};
    return arrays[field];
}

/* How many voxels or bodies have a field. */
static uint32_t count_of(const vxe_track *track, int field)
{
    return field < VXE_TRACK_PLACE ? track->voxels : track->bodies;
}

/* m: the edge of a cube of the smallest body's volume. */
static double smallest_body(const vxe_design *design)
{
    double least = HUGE_VAL;
    for (uint32_t b = 0; b < design->affine_count; b++) {
        double moments[9];
        double volume = 0;
        if (!vxe_affine_shape_moments(&design->affine[b].shape, &volume, moments, NULL)) {
            least = fmin(least, cbrt(volume));
        }
    }
    return isfinite(least) ? least : 1;
}

vxe_track_scale vxe_track_scale_of(const vxe_design *design, const double parts[VXE_TRACK_FIELDS])
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
    vxe_track_scale scale;
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        const bool there = f < VXE_TRACK_PLACE || design->affine_count > 0;
        scale.resolution[f] = there ? parts[f] * units[f] : 0;
    }
    return scale;
}

/* The numbers of a body that nothing has happened to. */
static void fill_rest(vxe_track *track, const vxe_design *design)
{
    const double *resolution = track->scale.resolution;
    int64_t *at = track->rest;
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        for (uint32_t c = 0; c < vxe_track_components[f] && resolution[f] > 0; c++) {
            for (uint32_t v = 0; v < count_of(track, f); v++) {
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

vxe_status vxe_track_init(vxe_track *track, const vxe_design *design, const vxe_track_scale *scale,
                          vxe_error *error)
{
    *track = (vxe_track){.scale = *scale,
                         .most = MOST,
                         .voxels = design->voxel_count,
                         .bodies = design->affine_count};
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        const double resolution = scale->resolution[f];
        if (!(resolution == 0 || (resolution > 1e-300 && resolution < 1e300))) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "a resolution of %g %s for %s: above 0",
                                  resolution, vxe_track_units[f], vxe_track_names[f]);
        }
        track->values +=
            resolution > 0 ? (uint64_t)vxe_track_components[f] * count_of(track, f) : 0;
    }
    track->rest = vxe_memory_take(track->values, sizeof *track->rest);
    track->before = vxe_memory_take(track->values, sizeof *track->before);
    if (!track->rest || !track->before) {
        vxe_track_clear(track);
        return vxe_error_memory(error, 2 * track->values * sizeof *track->rest);
    }
    fill_rest(track, design);
    vxe_track_restart(track);
    return VXE_OK;
}

void vxe_track_clear(vxe_track *track)
{
    vxe_memory_release(track->rest);
    vxe_memory_release(track->before);
    *track = (vxe_track){0};
}

void vxe_track_restart(vxe_track *track)
{
    memcpy(track->before, track->rest, track->values * sizeof *track->before);
    track->step = 0;
    track->time = 0;
}

/* The first of some values that is none or too large, or their number. */
static size_t find_bad(const double *values, size_t count, double most)
{
    uint64_t bad = 0;
#pragma omp simd reduction(+ : bad)
    for (size_t i = 0; i < count; i++) {
        bad += !(fabs(values[i]) < most);
    }
    size_t at = bad ? 0 : count;
    while (at < count && fabs(values[at]) < most) {
        at++;
    }
    return at;
}

/* Checked before anything is put: a frame is there as a whole or not at all. */
static vxe_status check(const vxe_track *track, const vxe_frame *frame, vxe_error *error)
{
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        const uint32_t components = vxe_track_components[f];
        const double resolution = track->scale.resolution[f];
        const double *values = array_of(frame, f);
        const size_t count = resolution > 0 ? (size_t)components * count_of(track, f) : 0;
        const size_t bad = find_bad(values, count, track->most * resolution);
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

/* The nearest whole numbers of some values, by the bits of their sums with 1.5 2^52. */
static void find_whole(const double *values, uint32_t stride, double scale, int64_t *now,
                       uint32_t count)
{
    const double shift = 0x1.8p52;
    int64_t shift_bits = 0;
    memcpy(&shift_bits, &shift, sizeof shift);
#pragma omp simd
    for (uint32_t i = 0; i < count; i++) {
        union {
            double number;
            int64_t bits;
        } sum = {values[(size_t)i * stride] * scale + shift};
        now[i] = sum.bits - shift_bits;
    }
}

/* A component of all voxels: values are stride apart; before becomes now. */
static void put_component(const double *values, uint32_t stride, double resolution, int64_t *before,
                          uint32_t voxels, vxe_bytes *block)
{
    for (uint32_t first = 0; first < voxels; first += VXE_BYTES_GROUP) {
        const uint32_t left = voxels - first;
        const uint32_t count = left < VXE_BYTES_GROUP ? left : VXE_BYTES_GROUP;
        const double *group = values + (size_t)first * stride;
        int64_t now[VXE_BYTES_GROUP];
        int64_t way[VXE_BYTES_GROUP];
        find_whole(group, stride, 1 / resolution, now, count);
        int64_t *last = before + first;
#pragma omp simd
        for (uint32_t i = 0; i < count; i++) {
            way[i] = now[i] - last[i];
            last[i] = now[i];
        }
        vxe_bytes_put_group(block, way, count);
    }
}

static void get_component(double *values, uint32_t stride, double resolution, int64_t *before,
                          uint32_t voxels, vxe_bytes_view *block)
{
    for (uint32_t first = 0; first < voxels; first += VXE_BYTES_GROUP) {
        const uint32_t left = voxels - first;
        const uint32_t count = left < VXE_BYTES_GROUP ? left : VXE_BYTES_GROUP;
        int64_t way[VXE_BYTES_GROUP];
        vxe_bytes_get_group(block, way, count);
        for (uint32_t i = 0; i < count; i++) {
            before[first + i] = (int64_t)((uint64_t)before[first + i] + (uint64_t)way[i]);
            values[(size_t)(first + i) * stride] = (double)before[first + i] * resolution;
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
        const uint32_t components = vxe_track_components[f];
        const double resolution = track->scale.resolution[f];
        const double *values = array_of(frame, f);
        for (uint32_t c = 0; c < components && resolution > 0; c++) {
            put_component(values + c, components, resolution, before, count_of(track, f), block);
            before += count_of(track, f);
        }
    }
    return block->bad ? vxe_error_memory(error, block->size) : VXE_OK;
}

bool vxe_track_get(vxe_track *track, vxe_bytes_view *block, vxe_frame *frame)
{
    int64_t *before = track->before;
    track->step += (uint64_t)vxe_bytes_get_signed(block);
    track->time += (uint64_t)vxe_bytes_get_signed(block);
    frame->step = track->step;
    memcpy(&frame->time, &track->time, sizeof frame->time);
    for (int f = 0; f < VXE_TRACK_FIELDS; f++) {
        const uint32_t components = vxe_track_components[f];
        const double resolution = track->scale.resolution[f];
        double *values = array_of(frame, f);
        for (uint32_t c = 0; c < components && resolution > 0; c++) {
            get_component(values + c, components, resolution, before, count_of(track, f), block);
            before += count_of(track, f);
        }
    }
    return !block->bad;
}
