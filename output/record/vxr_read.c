/* SPDX-License-Identifier: MIT */
/* Reads records (.vxr): header and index when a record is opened, one block of frames at a time
   afterwards. A record without a whole index is scanned block by block. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/format.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "output/record/frame_codec.h"
#include "output/record/vxr.h"
#include "output/record/vxr_chunk.h"
#include "output/record/vxr_format.h"

/* Bound on the frames of a block that is believed: each has at least one byte, for its step. */
#define MAX_FRAMES (1u << 20)

/* Largest number of bytes of step and time of a frame. */
#define MAX_VARINTS 20u

typedef struct block {
    uint64_t offset, first; /* byte in the file; number of its first frame */
    uint32_t frames;
} block;

struct vxe_vxr {
    FILE *file;
    char path[1024];
    uint64_t size; /* bytes */
    vxe_design *design;
    vxe_frame_codec codec;
    block *blocks; /* (block_count) */
    uint64_t block_count, capacity;
    uint64_t frames;
    bool cut;
    uint64_t loaded;     /* number of the block in `bytes`; block_count: none */
    uint64_t next;       /* frame that is read next from the block */
    vxe_bytes bytes;     /* data of the loaded block */
    vxe_bytes_view view; /* position of the reader in `bytes` */
};

static vxe_status damaged(const vxe_vxr *r, vxe_error *error, const char *what)
{
    return vxe_error_at(error, VXE_ERROR_INPUT, r->path, 0, 0, "%s", what);
}

/* Largest number of bytes that so many frames can take before compression. */
static uint64_t max_bytes(const vxe_vxr *r, uint32_t frames)
{
    return frames * (MAX_VARINTS + 10 * r->codec.values);
}

/* Reads the head of the chunk at an offset. Returns false where there is none. */
static bool head_at(vxe_vxr *r, uint64_t offset, vxe_chunk *chunk)
{
    return offset < r->size && fseeko(r->file, (off_t)offset, SEEK_SET) == 0 &&
           vxe_chunk_head(r->file, r->size - offset, chunk);
}

/* Reads the data of a chunk. What is compressed is refused (VXE_ERROR_INPUT) where it stands for
   more than a file of its size may have. */
static vxe_status read_chunk(const vxe_vxr *r, const vxe_chunk *chunk, vxe_bytes *bytes,
                             vxe_error *error)
{
    *bytes = (vxe_bytes){0};
    const vxe_status status =
        chunk->raw == chunk->size
            ? VXE_OK
            : vxe_limit_check(VXE_LIMIT_UNPACKED_BYTES, chunk->raw, r->size, error);
    return status ? status : vxe_chunk_read(r->file, chunk, bytes, error);
}

static vxe_status read_resolutions(const vxe_vxr *r, const json_t *fields,
                                   vxe_frame_codec_scale *scale, vxe_error *error)
{
    const int count = r->design->affine_count > 0 ? VXE_CODEC_FIELDS : VXE_CODEC_PLACE;
    bool good = json_array_size(fields) == (size_t)count;
    for (int f = 0; f < count && good; f++) {
        const json_t *field = json_array_get(fields, (size_t)f);
        const char *name = json_string_value(json_object_get(field, "name"));
        scale->resolution[f] = json_number_value(json_object_get(field, "resolution"));
        good = name && strcmp(name, vxe_frame_codec_names[f]) == 0 && scale->resolution[f] > 0;
    }
    return good ? VXE_OK : damaged(r, error, "has other fields than this release knows");
}

/* Reads the design from the scene in the header. */
static vxe_status read_scene(vxe_vxr *r, json_t *scene, uint32_t voxels, vxe_error *error)
{
    if (!scene) {
        return damaged(r, error, "its header has no scene");
    }
    vxe_error inner = {0};
    char *text = json_dumps(scene, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text) {
        return vxe_error_memory(error, r->size);
    }
    r->design = vxe_design_read_text(text, strlen(text), r->path, &inner);
    free(text);
    if (!r->design) {
        return vxe_error_at(error, inner.status, r->path, 0, 0, "its scene: %s", inner.message);
    }
    return r->design->voxel_count == voxels
               ? VXE_OK
               : damaged(r, error, "its header and its scene disagree about the voxels");
}

static vxe_status read_header(vxe_vxr *r, uint64_t *end, vxe_error *error)
{
    vxe_chunk chunk;
    vxe_bytes bytes;
    vxe_frame_codec_scale scale = {{0}};
    if (!head_at(r, VXE_VXR_MARK, &chunk) || chunk.kind != VXE_VXR_HEADER) {
        return damaged(r, error, "is cut short: no header");
    }
    vxe_error inner;
    vxe_status status = read_chunk(r, &chunk, &bytes, &inner);
    if (status) {
        return vxe_error_at(error, status, r->path, 0, 0, "its header: %s", inner.message);
    }
    *end = VXE_VXR_MARK + VXE_CHUNK_FRAME + chunk.size;
    json_error_t where;
    json_t *root = json_loadb((const char *)bytes.data, bytes.size, 0, &where);
    const json_int_t version = json_integer_value(json_object_get(root, "version"));
    if (!root) {
        status = damaged(r, error, "its header is damaged");
    } else if (version != VXE_VXR_VERSION) {
        status = vxe_error_at(error, VXE_ERROR_INPUT, r->path, 0, 0,
                              "is a record of version %d; this release reads version %d",
                              (int)version, VXE_VXR_VERSION);
    }
    status = status ? status : read_scene(r, json_object_get(root, "scene"), chunk.count, error);
    status = status ? status : read_resolutions(r, json_object_get(root, "fields"), &scale, error);
    status = status ? status : vxe_frame_codec_init(&r->codec, r->design, &scale, error);
    json_decref(root);
    vxe_bytes_clear(&bytes);
    return status;
}

static vxe_status add_block(vxe_vxr *r, uint64_t offset, uint32_t frames, vxe_error *error)
{
    VXE_ASSERT(frames > 0 && frames <= MAX_FRAMES);
    if (r->block_count == r->capacity) {
        const uint64_t capacity = r->capacity ? 2 * r->capacity : 64;
        block *blocks = vxe_memory_grow(r->blocks, r->block_count, capacity, sizeof *blocks);
        if (!blocks) {
            return vxe_error_memory(error, capacity * sizeof *blocks);
        }
        r->blocks = blocks;
        r->capacity = capacity;
    }
    r->blocks[r->block_count++] = (block){.offset = offset, .first = r->frames, .frames = frames};
    r->frames += frames;
    return VXE_OK;
}

/* Reads the head of the index, whose offset is at the end of the file. Returns false where the
   index is not complete. */
static bool find_index(vxe_vxr *r, vxe_chunk *chunk)
{
    uint8_t end[8 + VXE_VXR_MARK];
    vxe_bytes_view view = {.data = end, .size = sizeof end};
    return r->size >= sizeof end && !fseeko(r->file, -(off_t)sizeof end, SEEK_END) &&
           fread(end, 1, sizeof end, r->file) == sizeof end &&
           memcmp(end + 8, VXE_VXR_END, VXE_VXR_MARK) == 0 &&
           head_at(r, vxe_bytes_get_u64(&view), chunk) && chunk->kind == VXE_VXR_INDEX &&
           chunk->raw == 12ull * chunk->count && chunk->count <= r->size / VXE_CHUNK_FRAME;
}

/* Reads the index. *whole is false where the index is damaged; the function itself fails only where
   memory is lacking. */
static vxe_status read_index(vxe_vxr *r, bool *whole, vxe_error *error)
{
    vxe_chunk chunk;
    vxe_bytes bytes = {0};
    *whole = find_index(r, &chunk);
    vxe_status status = *whole ? read_chunk(r, &chunk, &bytes, error) : VXE_OK;
    *whole = *whole && !status;
    vxe_bytes_view view = {.data = bytes.data, .size = bytes.size};
    for (uint32_t i = 0; *whole && i < chunk.count && !status; i++) {
        const uint64_t offset = vxe_bytes_get_u64(&view);
        const uint32_t frames = vxe_bytes_get_u32(&view);
        *whole = frames > 0 && frames <= MAX_FRAMES;
        status = *whole ? add_block(r, offset, frames, error) : VXE_OK;
    }
    vxe_bytes_clear(&bytes);
    return status == VXE_ERROR_INPUT ? VXE_OK : status;
}

/* Searches the file for complete blocks, because the index is missing or damaged. */
static vxe_status find_blocks(vxe_vxr *r, uint64_t offset, vxe_error *error)
{
    vxe_chunk chunk;
    r->cut = true;
    r->block_count = 0;
    r->frames = 0;
    while (head_at(r, offset, &chunk) && chunk.kind == VXE_VXR_BLOCK && chunk.count > 0 &&
           chunk.count <= MAX_FRAMES && chunk.raw <= max_bytes(r, chunk.count)) {
        vxe_bytes bytes;
        const vxe_status status = read_chunk(r, &chunk, &bytes, error);
        vxe_bytes_clear(&bytes);
        if (status == VXE_ERROR_INPUT) {
            break;
        }
        const vxe_status added = status ? status : add_block(r, offset, chunk.count, error);
        if (added) {
            return added;
        }
        offset += VXE_CHUNK_FRAME + chunk.size;
    }
    return r->frames > 0 ? VXE_OK : damaged(r, error, "is cut short: it has no complete frame");
}

static vxe_status read_record(vxe_vxr *r, vxe_error *error)
{
    char mark[VXE_VXR_MARK];
    uint64_t end = 0;
    vxe_error inner;
    if (vxe_limit_check(VXE_LIMIT_RECORD_BYTES, r->size, 0, &inner)) {
        return damaged(r, error, inner.message);
    }
    if (fread(mark, 1, sizeof mark, r->file) != sizeof mark ||
        memcmp(mark, VXE_VXR_MAGIC, sizeof mark) != 0) {
        return damaged(
            r, error,
            "is not a Voxelastic record (.vxr); 'voxelastic info' reads voxcraft's reports");
    }
    vxe_status status = read_header(r, &end, error);
    bool whole = true;
    status = status ? status : read_index(r, &whole, error);
    if (!status && !whole) {
        status = find_blocks(r, end, error);
    }
    if (!status && r->frames == 0) {
        status = damaged(r, error, "holds no frame");
    }
    r->loaded = r->block_count;
    return status;
}

vxe_vxr *vxe_vxr_open_stream(FILE *file, uint64_t size, const char *name, vxe_error *error)
{
    vxe_vxr *r = vxe_memory_take(1, sizeof *r);
    if (!r) {
        fclose(file);
        (void)vxe_error_memory(error, sizeof *r);
        return NULL;
    }
    *r = (vxe_vxr){.file = file, .size = size};
    snprintf(r->path, sizeof r->path, "%s", name);
    const uint64_t failures = vxe_json_watch();
    const vxe_status status = read_record(r, error);
    if (vxe_memory_check(failures, error) || status) { /* what was lost is no damage */
        vxe_vxr_destroy(r);
        return NULL;
    }
    return r;
}

vxe_vxr *vxe_vxr_open(const char *path, vxe_error *error)
{
    struct stat facts;
    FILE *file = NULL;
    if (stat(path, &facts)) {
        (void)vxe_file_refused(path, "cannot open", error);
        return NULL;
    }
    if (!S_ISREG(facts.st_mode)) { /* opening a pipe would wait for its writer */
        (void)vxe_error_at(error, VXE_ERROR_SYSTEM, path, 0, 0,
                           "cannot open: it is not a regular file");
        return NULL;
    }
    file = fopen(path, "rb");
    if (!file) {
        (void)vxe_file_refused(path, "cannot open", error);
        return NULL;
    }
    return vxe_vxr_open_stream(file, (uint64_t)facts.st_size, path, error);
}

void vxe_vxr_destroy(vxe_vxr *r)
{
    if (r) {
        fclose(r->file);
        vxe_design_destroy(r->design);
        vxe_frame_codec_clear(&r->codec);
        vxe_memory_release(r->blocks);
        vxe_bytes_clear(&r->bytes);
        vxe_memory_release(r);
    }
}

const vxe_design *vxe_vxr_design(const vxe_vxr *r)
{
    return r->design;
}

uint64_t vxe_vxr_frame_count(const vxe_vxr *r)
{
    return r->frames;
}

bool vxe_vxr_is_cut(const vxe_vxr *r)
{
    return r->cut;
}

double vxe_vxr_resolution(const vxe_vxr *r)
{
    return r->codec.scale
        .resolution[r->design->voxel_count > 0 ? VXE_CODEC_POSITION : VXE_CODEC_PLACE];
}

/* Returns the number of the block that holds a frame. */
static uint64_t block_with(const vxe_vxr *r, uint64_t index)
{
    VXE_ASSERT(r->block_count > 0 && index < r->frames);
    uint64_t low = 0;
    uint64_t high = r->block_count;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        low = r->blocks[middle].first <= index ? middle : low;
        high = r->blocks[middle].first <= index ? high : middle;
    }
    return low;
}

/* Loads a block, unless it is loaded, and goes to its first frame. */
static vxe_status load(vxe_vxr *r, uint64_t number, vxe_error *error)
{
    VXE_ASSERT(number < r->block_count);
    const block *b = &r->blocks[number];
    vxe_chunk chunk;
    if (r->loaded != number) {
        vxe_bytes_clear(&r->bytes);
        r->loaded = r->block_count;
        if (!head_at(r, b->offset, &chunk) || chunk.kind != VXE_VXR_BLOCK ||
            chunk.count != b->frames || chunk.raw > max_bytes(r, b->frames)) {
            return damaged(r, error, "a block of frames is not where the index has it");
        }
        const vxe_status status = read_chunk(r, &chunk, &r->bytes, error);
        if (status) {
            return status == VXE_ERROR_INPUT ? damaged(r, error, "a block of frames is damaged")
                                             : status;
        }
        r->loaded = number;
    }
    r->view = (vxe_bytes_view){.data = r->bytes.data, .size = r->bytes.size};
    r->next = b->first;
    vxe_frame_codec_restart(&r->codec);
    return VXE_OK;
}

vxe_status vxe_vxr_read(vxe_vxr *r, uint64_t index, vxe_frame *into, vxe_error *error)
{
    const vxe_status wrong =
        vxe_frame_fits(into, r->design->voxel_count, r->design->affine_count, error);
    if (wrong || index >= r->frames) {
        return wrong ? wrong
                     : vxe_error_fill(error, VXE_ERROR_ARGUMENT, "frame %" PRIu64 " of %" PRIu64,
                                      index, r->frames);
    }
    const uint64_t number = block_with(r, index);
    if (r->loaded != number || r->next > index) {
        const vxe_status status = load(r, number, error);
        if (status) {
            return status;
        }
    }
    VXE_ASSERT(r->loaded == number && r->next >= r->blocks[number].first && r->next <= index);
    for (; r->next <= index; r->next++) {
        if (!vxe_frame_codec_get(&r->codec, &r->view, into)) {
            r->loaded = r->block_count;
            return damaged(r, error, "a block of frames is shorter than it says");
        }
    }
    return VXE_OK;
}
