/* SPDX-License-Identifier: MIT */
/* Writes records (.vxr); vxr_read.c reads them. */
#include "common/assert_internal.h"
#include "output/record/vxr.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "output/record/frame_codec.h"
#include "output/record/vxr_chunk.h"
#include "output/record/vxr_format.h"

/* A block ends after so many frames or bytes. */
#define BLOCK_FRAMES 32u
#define BLOCK_BYTES (4ull << 20)

/* Resolutions as parts of a design's scales (vxe_frame_codec_scale_of): 6e-5 of an edge (0.6 um at
   1 cm), rotations of 1.2e-4 rad, strains of 1e-5, and loads to match. */
static const double parts[VXE_CODEC_FIELDS] = {
    1.0 / 16384, 1.0 / 16384, 1.0 / 16384, 1e-5, 1e-5, 1e-8, 1e-7, 1.0 / 16384, 1.0 / 16384};

struct vxe_vxr_writer {
    vxe_file_writer file;
    vxe_frame_codec codec;
    vxe_bytes block; /* frames that are not yet written */
    vxe_bytes index;
    uint32_t frames; /* frames in the block */
    uint64_t blocks;
    uint64_t offset; /* end of the file, bytes */
};

static vxe_status too_large(const vxe_vxr_writer *w, vxe_error *error)
{
    return vxe_error_at(error, VXE_ERROR_UNSUPPORTED, w->file.path, 0, 0,
                        "a record of more than %llu bytes, or a body too large for one: take fewer "
                        "frames",
                        VXE_VXR_MAX_BYTES);
}

/* Writes a chunk. Frames are not compressed: zlib would save a fifth, and take longer than the rest
   of recording. */
static vxe_status put_chunk(vxe_vxr_writer *w, uint32_t kind, uint32_t count,
                            const vxe_bytes *bytes, vxe_error *error)
{
    uint64_t written = 0;
    if (bytes->size > UINT_MAX || w->offset + bytes->size > VXE_VXR_MAX_BYTES) {
        return too_large(w, error);
    }
    const vxe_status status =
        vxe_chunk_write(w->file.stream, kind, count, bytes, kind != VXE_VXR_BLOCK, &written);
    if (status) {
        return status == VXE_ERROR_MEMORY ? vxe_error_memory(error, bytes->size)
                                          : vxe_file_cannot_write(w->file.path, error);
    }
    w->offset += written;
    return VXE_OK;
}

static json_t *describe_fields(const vxe_frame_codec_scale *scale)
{
    json_t *list = json_array();
    for (int f = 0; f < VXE_CODEC_FIELDS && scale->resolution[f] > 0; f++) {
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:i, s:f}", "name", vxe_frame_codec_names[f],
                                        "unit", vxe_frame_codec_units[f], "components",
                                        (int)vxe_frame_codec_components[f], "resolution",
                                        scale->resolution[f]));
    }
    return list;
}

/* Writes the header: what the record holds, as JSON. */
static vxe_status put_header(vxe_vxr_writer *w, const vxe_design *design, vxe_error *error)
{
    const uint64_t failures = vxe_json_watch();
    json_t *root = json_pack("{s:s, s:i, s:s, s:o, s:o}", "format", VXE_VXR_FORMAT, "version",
                             VXE_VXR_VERSION, "release", VXE_RELEASE, "fields",
                             describe_fields(&w->codec.scale), "scene", vxe_scene_object(design));
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    vxe_bytes bytes = {0};
    vxe_status status = text ? vxe_memory_check(failures, error)
                             : vxe_error_memory(error, 64ull * design->voxel_count);
    if (!status) {
        vxe_bytes_put(&bytes, text, strlen(text));
        status = bytes.size > VXE_VXR_MAX_HEADER ? too_large(w, error) : VXE_OK;
    }
    if (!status) {
        status = put_chunk(w, VXE_VXR_HEADER, design->voxel_count, &bytes, error);
    }
    vxe_bytes_clear(&bytes);
    free(text);
    json_decref(root);
    return status;
}

static vxe_status begin(vxe_vxr_writer *w, const vxe_design *design, const char *path,
                        vxe_error *error)
{
    const vxe_frame_codec_scale scale = vxe_frame_codec_scale_of(design, parts);
    vxe_status status = vxe_frame_codec_begin(&w->codec, design, &scale, error);
    status = status ? status : vxe_file_begin(&w->file, path, error);
    if (!status && fwrite(VXE_VXR_MAGIC, 1, VXE_VXR_MARK, w->file.stream) != VXE_VXR_MARK) {
        status = vxe_file_cannot_write(path, error);
    }
    w->offset = VXE_VXR_MARK;
    return status ? status : put_header(w, design, error);
}

vxe_vxr_writer *vxe_vxr_create(const vxe_design *design, const char *path, vxe_error *error)
{
    vxe_vxr_writer *w = vxe_memory_take(1, sizeof *w);
    if (!w) {
        (void)vxe_error_memory(error, sizeof *w);
        return NULL;
    }
    if (begin(w, design, path, error)) {
        vxe_vxr_abandon(w);
        return NULL;
    }
    return w;
}

static vxe_status end_block(vxe_vxr_writer *w, vxe_error *error)
{
    if (w->frames == 0) {
        return VXE_OK;
    }
    vxe_bytes_put_u64(&w->index, w->offset);
    vxe_bytes_put_u32(&w->index, w->frames);
    w->blocks++;
    VXE_ASSERT(w->index.bad || w->index.size == 12 * w->blocks);
    vxe_status status = put_chunk(w, VXE_VXR_BLOCK, w->frames, &w->block, error);
    if (!status && fflush(w->file.stream)) { /* what is killed leaves whole blocks */
        status = vxe_file_cannot_write(w->file.path, error);
    }
    w->frames = 0;
    w->block.size = 0;
    vxe_frame_codec_restart(&w->codec);
    return status;
}

vxe_status vxe_vxr_add(vxe_vxr_writer *w, const vxe_frame *frame, vxe_error *error)
{
    VXE_ASSERT(w->frames < BLOCK_FRAMES);
    const vxe_status wrong = vxe_frame_fits(frame, w->codec.voxels, w->codec.bodies, error);
    if (wrong) {
        return wrong;
    }
    const vxe_status status = vxe_frame_codec_put(&w->codec, frame, &w->block, error);
    if (status) {
        return status;
    }
    w->frames++;
    return w->frames == BLOCK_FRAMES || w->block.size > BLOCK_BYTES ? end_block(w, error) : VXE_OK;
}

/* Writes the index, and its offset behind it. */
static vxe_status put_end(vxe_vxr_writer *w, vxe_error *error)
{
    vxe_status status = end_block(w, error);
    const uint64_t at = w->offset;
    status = status ? status : put_chunk(w, VXE_VXR_INDEX, (uint32_t)w->blocks, &w->index, error);
    vxe_bytes end = {0};
    vxe_bytes_put_u64(&end, at);
    vxe_bytes_put(&end, VXE_VXR_END, VXE_VXR_MARK);
    if (!status && end.bad) {
        status = vxe_error_memory(error, 8 + VXE_VXR_MARK);
    } else if (!status && fwrite(end.data, 1, end.size, w->file.stream) != end.size) {
        status = vxe_file_cannot_write(w->file.path, error);
    }
    vxe_bytes_clear(&end);
    return status;
}

vxe_status vxe_vxr_close(vxe_vxr_writer *w, vxe_error *error)
{
    vxe_status status = w->blocks + w->frames > 0
                            ? put_end(w, error)
                            : vxe_error_at(error, VXE_ERROR_ARGUMENT, w->file.path, 0, 0,
                                           "the record has no frame");
    status = status ? status : vxe_file_commit(&w->file, error);
    vxe_vxr_abandon(w);
    return status;
}

void vxe_vxr_abandon(vxe_vxr_writer *w)
{
    if (w) {
        vxe_file_abandon(&w->file);
        vxe_frame_codec_clear(&w->codec);
        vxe_bytes_clear(&w->block);
        vxe_bytes_clear(&w->index);
        vxe_memory_release(w);
    }
}
