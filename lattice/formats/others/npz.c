/* SPDX-License-Identifier: MIT */
/* Reads zip files, of which numpy's archives (.npz) are, by their directory at the end. Sizes are
   those of the directory, since files that are written as a stream have none before their data. All
   of them are checked before memory is taken. */
#include <string.h>
#include <zlib.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/others/npy_internal.h"

/* Bytes of the fixed parts: end of the directory, an entry of it, the head of a file. */
enum { END_BYTES = 22, ENTRY_BYTES = 46, HEAD_BYTES = 30 };

enum { STORED = 0, DEFLATED = 8 };

/* Deflate packs at most 1032 bytes into one; what claims more is damaged or a trap. */
#define MAX_RATIO 1032u

static uint32_t u16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static uint32_t u32(const uint8_t *at)
{
    return u16(at) | u16(at + 2) << 16;
}

static bool has_sign(const uint8_t *at, uint8_t third, uint8_t fourth)
{
    return at[0] == 'P' && at[1] == 'K' && at[2] == third && at[3] == fourth;
}

static vxe_status damaged(const char *what, vxe_error *error)
{
    return vxe_error_fill(error, VXE_ERROR_INPUT, "not readable as a zip file: %s", what);
}

/* The end of the directory, behind which there is only a comment; null if there is none. */
static const uint8_t *find_end(const uint8_t *bytes, uint64_t size)
{
    for (uint64_t comment = 0; comment <= UINT16_MAX && comment + END_BYTES <= size; comment++) {
        const uint8_t *end = bytes + (size - END_BYTES - comment);
        if (has_sign(end, 5, 6) && u16(end + 20) == comment) {
            return end;
        }
    }
    return NULL;
}

vxe_status vxe_npz_open(vxe_npz *archive, const uint8_t *bytes, uint64_t size, vxe_error *error)
{
    const uint8_t *end = find_end(bytes, size);
    if (!end) {
        return damaged("it has no directory at its end", error);
    }
    const uint32_t length = u32(end + 12);
    const uint32_t begin = u32(end + 16);
    if (u16(end + 10) == UINT16_MAX || length == UINT32_MAX || begin == UINT32_MAX) {
        return damaged("it is a zip64 of more than 65534 files or 4 GiB", error);
    }
    if (u16(end + 4) != 0 || u16(end + 6) != 0 || u16(end + 8) != u16(end + 10)) {
        return damaged("it is one of several parts", error);
    }
    if ((uint64_t)begin + length > (uint64_t)(end - bytes)) {
        return damaged("its directory lies beyond its end", error);
    }
    *archive = (vxe_npz){
        .bytes = bytes, .size = (uint64_t)(end - bytes), .at = begin, .left = u16(end + 10)};
    return VXE_OK;
}

/* Finds the data of a file behind its head. */
static vxe_status find_data(const vxe_npz *archive, uint64_t head, vxe_npz_member *member,
                            vxe_error *error)
{
    if (archive->size < HEAD_BYTES || head > archive->size - HEAD_BYTES ||
        !has_sign(archive->bytes + head, 3, 4)) {
        return damaged("a file of it is not where the directory says", error);
    }
    const uint8_t *at = archive->bytes + head;
    const uint64_t data = head + HEAD_BYTES + u16(at + 26) + u16(at + 28);
    if (data > archive->size || member->packed_size > archive->size - data) {
        return damaged("a file of it is cut short", error);
    }
    member->packed = archive->bytes + data;
    return VXE_OK;
}

vxe_status vxe_npz_next(vxe_npz *archive, vxe_npz_member *member, vxe_error *error)
{
    static const char ending[] = ".npy";
    VXE_ASSERT(archive->left > 0);
    const uint8_t *at = archive->bytes + archive->at;
    if (archive->size < ENTRY_BYTES || archive->at > archive->size - ENTRY_BYTES ||
        !has_sign(at, 1, 2)) {
        return damaged("its directory is damaged", error);
    }
    const uint32_t letters = u16(at + 28);
    const uint64_t bytes = (uint64_t)ENTRY_BYTES + letters + u16(at + 30) + u16(at + 32);
    if (bytes > archive->size - archive->at) {
        return damaged("its directory is cut short", error);
    }
    *member = (vxe_npz_member){.packed_size = u32(at + 20),
                               .size = u32(at + 24),
                               .checksum = u32(at + 16),
                               .method = (uint16_t)u16(at + 10),
                               .encrypted = u16(at + 8) & 1};
    const uint32_t tail = sizeof ending - 1;
    const char *name = (const char *)at + ENTRY_BYTES;
    member->is_array = letters > tail && memcmp(name + letters - tail, ending, tail) == 0;
    const uint32_t shown = letters - (member->is_array ? tail : 0);
    const uint32_t kept = shown < sizeof member->name ? shown : sizeof member->name - 1;
    memcpy(member->name, name, kept);
    archive->at += bytes;
    archive->left--;
    return find_data(archive, u32(at + 42), member, error);
}

static vxe_status is_damaged(const vxe_npz_member *member, vxe_error *error)
{
    return vxe_error_fill(error, VXE_ERROR_INPUT, "%s is damaged", member->name);
}

/* Inflates all of a file's data into a block of its stated size. */
static vxe_status inflate_all(const vxe_npz_member *member, uint8_t *bytes, vxe_error *error)
{
    z_stream stream = {0};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) { /* negative: without a head of zlib */
        return vxe_error_memory(error, member->size);
    }
    VXE_ASSERT(member->packed_size <= UINT32_MAX && member->size <= UINT32_MAX);
    stream.next_in = (Bytef *)(uintptr_t)member->packed;
    stream.avail_in = (uInt)member->packed_size;
    stream.next_out = bytes;
    stream.avail_out = (uInt)member->size;
    const int result = inflate(&stream, Z_FINISH);
    const bool whole = result == Z_STREAM_END && stream.total_out == member->size;
    inflateEnd(&stream);
    return whole                   ? VXE_OK
           : result == Z_MEM_ERROR ? vxe_error_memory(error, member->size)
                                   : is_damaged(member, error);
}

vxe_status vxe_npz_unpack(const vxe_npz_member *member, uint64_t file_bytes, uint8_t **bytes,
                          vxe_error *error)
{
    const char *wrong = member->encrypted ? "is encrypted"
                        : member->method != STORED && member->method != DEFLATED
                            ? "is packed by another method than deflate"
                        : member->packed_size == UINT32_MAX || member->size == UINT32_MAX
                            ? "is a zip64 entry of 4 GiB or more"
                            : NULL;
    const uint64_t ratio = member->method == STORED ? 1 : MAX_RATIO;
    vxe_error inner;
    if (wrong) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s %s", member->name, wrong);
    }
    if (vxe_limit_check(VXE_LIMIT_UNPACKED_BYTES, member->size, file_bytes, &inner)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: %s", member->name, inner.message);
    }
    if (member->size > ratio * member->packed_size) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s is larger than its data can be",
                              member->name);
    }
    *bytes = vxe_memory_take(member->size + 1, 1);
    if (!*bytes) {
        return vxe_error_memory(error, member->size + 1);
    }
    vxe_status status = VXE_OK;
    if (member->method == STORED) {
        memcpy(*bytes, member->packed, (size_t)member->size);
    } else {
        status = inflate_all(member, *bytes, error);
    }
    if (!status && crc32(0, *bytes, (uInt)member->size) != member->checksum) {
        status = is_damaged(member, error);
    }
    if (status) {
        vxe_memory_release(*bytes);
        *bytes = NULL;
    }
    return status;
}
