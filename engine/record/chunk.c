/* SPDX-License-Identifier: MIT */
#include "engine/record/chunk_internal.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "common/status_internal.h"

/* What deflate saves at most: 1032 bytes become one. */
#define MOST_RATIO 1040u

bool vxe_chunk_put(uint32_t kind, uint32_t count, const vxe_bytes *bytes, int level,
                   vxe_bytes *into)
{
    const uint64_t start = into->size;
    if (bytes->bad || bytes->size > UINT_MAX) {
        return false;
    }
    uLongf size = compressBound((uLong)bytes->size);
    if (size > UINT_MAX || !vxe_bytes_reserve(into, VXE_CHUNK_FRAME + size)) {
        return false;
    }
    if (compress2(into->data + start + VXE_CHUNK_HEAD, &size, bytes->data, (uLong)bytes->size,
                  level) != Z_OK) {
        return false;
    }
    vxe_bytes_put_u32(into, kind);
    vxe_bytes_put_u32(into, count);
    vxe_bytes_put_u64(into, bytes->size);
    vxe_bytes_put_u64(into, size);
    into->size += size;
    vxe_bytes_put_u32(into, (uint32_t)crc32_z(0, into->data + start, into->size - start));
    return !into->bad;
}

bool vxe_chunk_head(FILE *file, uint64_t left, vxe_chunk *chunk)
{
    uint8_t head[VXE_CHUNK_HEAD];
    vxe_bytes_view view = {.data = head, .size = sizeof head};
    if (left < VXE_CHUNK_FRAME || fread(head, 1, sizeof head, file) != sizeof head) {
        return false;
    }
    chunk->kind = vxe_bytes_get_u32(&view);
    chunk->count = vxe_bytes_get_u32(&view);
    chunk->raw = vxe_bytes_get_u64(&view);
    chunk->size = vxe_bytes_get_u64(&view);
    return chunk->size <= left - VXE_CHUNK_FRAME && chunk->raw / MOST_RATIO <= chunk->size &&
           chunk->raw <= UINT_MAX && chunk->size <= compressBound((uLong)chunk->raw);
}

/* Into the bytes as they were before compression. */
static bool inflate_all(const vxe_chunk *chunk, const vxe_bytes *packed, vxe_bytes *into)
{
    uLongf raw = (uLongf)chunk->raw;
    if (!vxe_bytes_reserve(into, chunk->raw + 1)) {
        return false;
    }
    const int result =
        uncompress(into->data, &raw, packed->data + VXE_CHUNK_HEAD, (uLong)chunk->size);
    into->size = raw;
    return result == Z_OK && raw == chunk->raw;
}

/* Fuzzers are let past it: they would not find a byte behind it else. */
static bool is_sum(uint32_t sum, const uint8_t *data, uint64_t size)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    (void)sum;
    (void)data;
    return size > 0;
#else
    return sum == (uint32_t)crc32_z(0, data, size);
#endif
}

vxe_status vxe_chunk_read(FILE *file, const vxe_chunk *chunk, vxe_bytes *into, vxe_error *error)
{
    vxe_bytes packed = {0};
    *into = (vxe_bytes){0};
    vxe_bytes_put_u32(&packed, chunk->kind);
    vxe_bytes_put_u32(&packed, chunk->count);
    vxe_bytes_put_u64(&packed, chunk->raw);
    vxe_bytes_put_u64(&packed, chunk->size);
    const uint64_t rest = chunk->size + 4;
    bool good =
        vxe_bytes_reserve(&packed, rest) && fread(packed.data + packed.size, 1, rest, file) == rest;
    if (good) {
        vxe_bytes_view sum = {.data = packed.data + VXE_CHUNK_HEAD + chunk->size, .size = 4};
        good = is_sum(vxe_bytes_get_u32(&sum), packed.data, VXE_CHUNK_HEAD + chunk->size) &&
               inflate_all(chunk, &packed, into);
    }
    const bool no_memory = packed.bad || into->bad;
    vxe_bytes_clear(&packed);
    if (!good) {
        vxe_bytes_clear(into);
    }
    return good        ? VXE_OK
           : no_memory ? vxe_error_memory(error, chunk->raw + chunk->size)
                       : vxe_error_fill(error, VXE_ERROR_INPUT, "a damaged part");
}
