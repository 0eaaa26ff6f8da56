/* SPDX-License-Identifier: MIT */
/* Writes and reads the chunks of a record: zlib for the data, CRC-32 for head and data. */
#include "output/record/vxr_chunk.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"

/* Compression level of zlib. */
#define LEVEL 6
/* Bound on the compression ratio: deflate turns at most 1032 bytes into one. A chunk that claims
   more is damaged. */
#define MAX_RATIO 1040u

/* Compresses the bytes into `into`. Where that does not make them fewer, `into` stays empty and the
   caller stores them uncompressed. */
static bool deflate_all(const vxe_bytes *bytes, vxe_bytes *into)
{
    uLongf size = compressBound((uLong)bytes->size);
    if (!vxe_bytes_reserve(into, size) ||
        compress2(into->data, &size, bytes->data, (uLong)bytes->size, LEVEL) != Z_OK) {
        return false;
    }
    into->size = size < bytes->size ? size : 0;
    return true;
}

static vxe_status write_chunk(FILE *file, uint32_t kind, uint32_t count, uint64_t raw,
                              const vxe_bytes *bytes)
{
    vxe_bytes head = {0};
    vxe_bytes sum = {0};
    vxe_bytes_put_u32(&head, kind);
    vxe_bytes_put_u32(&head, count);
    vxe_bytes_put_u64(&head, raw);
    vxe_bytes_put_u64(&head, bytes->size);
    VXE_ASSERT(head.bad || head.size == VXE_CHUNK_HEAD);
    const uLong begun = head.bad ? 0 : crc32_z(0, head.data, head.size);
    const bool empty = bytes->size == 0; /* for no bytes, crc32_z drops the sum that it was given */
    vxe_bytes_put_u32(&sum, (uint32_t)(empty ? begun : crc32_z(begun, bytes->data, bytes->size)));
    vxe_status status = head.bad || sum.bad ? VXE_ERROR_MEMORY : VXE_OK;
    if (!status && (fwrite(head.data, 1, head.size, file) != head.size ||
                    fwrite(bytes->data, 1, bytes->size, file) != bytes->size ||
                    fwrite(sum.data, 1, sum.size, file) != sum.size)) {
        status = VXE_ERROR_SYSTEM;
    }
    vxe_bytes_clear(&head);
    vxe_bytes_clear(&sum);
    return status;
}

vxe_status vxe_chunk_write(FILE *file, uint32_t kind, uint32_t count, const vxe_bytes *bytes,
                           bool compress, uint64_t *written)
{
    vxe_bytes packed = {0};
    if (bytes->bad || bytes->size > UINT_MAX || (compress && !deflate_all(bytes, &packed))) {
        vxe_bytes_clear(&packed);
        return VXE_ERROR_MEMORY;
    }
    const vxe_bytes *those = packed.size > 0 ? &packed : bytes;
    const vxe_status status = write_chunk(file, kind, count, bytes->size, those);
    *written = VXE_CHUNK_FRAME + those->size;
    VXE_ASSERT(those->size <= bytes->size);
    vxe_bytes_clear(&packed);
    return status;
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
    return chunk->size <= left - VXE_CHUNK_FRAME && chunk->raw / MAX_RATIO <= chunk->size &&
           chunk->raw <= UINT_MAX && chunk->size <= compressBound((uLong)chunk->raw);
}

/* Restores the bytes as they were before compression. */
static bool inflate_all(const vxe_chunk *chunk, const vxe_bytes *packed, vxe_bytes *into)
{
    uLongf raw = (uLongf)chunk->raw;
    if (!vxe_bytes_reserve(into, chunk->raw + 1)) {
        return false;
    }
    if (chunk->size == chunk->raw) {
        memcpy(into->data, packed->data + VXE_CHUNK_HEAD, chunk->raw);
        into->size = raw;
        return true;
    }
    const int result =
        uncompress(into->data, &raw, packed->data + VXE_CHUNK_HEAD, (uLong)chunk->size);
    into->size = raw;
    into->bad = result == Z_MEM_ERROR;
    return result == Z_OK && raw == chunk->raw;
}

/* Compares a checksum. Fuzzers may pass it always, since they would hardly find a byte behind it
   otherwise. */
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
    VXE_ASSERT(packed.bad || packed.size == VXE_CHUNK_HEAD);
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
