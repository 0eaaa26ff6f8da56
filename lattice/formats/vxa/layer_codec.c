/* SPDX-License-Identifier: MIT */
/* Decodes layers of VXC files. Texts come from outside, so that each decoder counts what it finds
   and stores no more than there are cells. */
#include "lattice/formats/layer_codec_internal.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"

vxe_layer_encoding vxe_layer_encoding_of(const char *name)
{
    static const struct {
        const char *name;
        vxe_layer_encoding encoding;
    } table[] = {{"ASCII_READABLE", VXE_LAYER_ASCII},
                 {"ZLIB", VXE_LAYER_ZLIB},
                 {"QT_ZLIB", VXE_LAYER_QT_ZLIB},
                 {"LONG_READABLE", VXE_LAYER_LONG},
                 {"RAW_DATA", VXE_LAYER_RAW}};
    for (size_t i = 0; name && i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(name, table[i].name) == 0) {
            return table[i].encoding;
        }
    }
    return VXE_LAYER_BASE64;
}

uint64_t vxe_layer_min_length(vxe_layer_encoding encoding, uint64_t cells)
{
    switch (encoding) {
    case VXE_LAYER_BASE64:
        return cells + cells / 3;
    case VXE_LAYER_ZLIB:
    case VXE_LAYER_QT_ZLIB:
        return cells / 1032;
    case VXE_LAYER_LONG:
        return 2 * cells - 1;
    case VXE_LAYER_ASCII:
    case VXE_LAYER_RAW:
        break;
    }
    return cells;
}

/* Error: a layer has another number of cells. */
static vxe_status wrong_length(uint64_t found, uint64_t cells, vxe_error *error)
{
    return vxe_error_fill(error, VXE_ERROR_INPUT,
                          "layer holds %" PRIu64 " cells, expected %" PRIu64, found, cells);
}

/* Value of a digit in base64, or -1. */
static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes base64 into bytes, which has room for length of them. Blanks and the two characters \n
 * are skipped; any other character ends the data. Returns the number of bytes written. */
static uint64_t base64_decode(const char *text, uint64_t length, unsigned char *bytes)
{
    uint64_t count = 0;
    uint32_t bits = 0;
    int pending = 0; /* bits that are not written yet */
    for (uint64_t i = 0; i < length; i++) {
        if (text[i] == '\\' && i + 1 < length && text[i + 1] == 'n') {
            i++;
            continue;
        }
        if (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
            continue;
        }
        const int value = base64_value(text[i]);
        if (value < 0) {
            break;
        }
        bits = (bits << 6 | (uint32_t)value) & 0xffffff;
        pending += 6;
        if (pending >= 8) {
            pending -= 8;
            VXE_ASSERT(count < length);
            bytes[count++] = (unsigned char)(bits >> pending);
        }
    }
    return count;
}

/* Decompresses at most cells + 1 bytes, so that a small text cannot fill the memory. */
static vxe_status inflate_layer(unsigned char *packed, uint64_t size, unsigned char *bytes,
                                uint64_t cells, uint64_t *found, vxe_error *error)
{
    z_stream stream = {0};
    VXE_ASSERT(size <= UINT32_MAX && cells < UINT32_MAX);
    if (inflateInit(&stream) != Z_OK) {
        return vxe_error_memory(error, cells);
    }
    stream.next_in = packed;
    stream.avail_in = (uInt)size;
    stream.next_out = bytes;
    stream.avail_out = (uInt)(cells + 1);
    const int result = inflate(&stream, Z_FINISH);
    *found = stream.total_out;
    VXE_ASSERT(*found <= cells + 1);
    inflateEnd(&stream);
    if (result == Z_MEM_ERROR) {
        return vxe_error_memory(error, cells);
    }
    if (result != Z_STREAM_END && !(result == Z_BUF_ERROR && *found > cells)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "zlib data of a layer is damaged");
    }
    return VXE_OK;
}

/* Decodes the encodings with one byte for each cell. */
static vxe_status decode_bytes(vxe_layer_encoding encoding, const char *text, uint64_t length,
                               uint32_t *ids, uint64_t cells, vxe_error *error)
{
    unsigned char *packed = vxe_memory_take(length + 1, 1);
    unsigned char *bytes = vxe_memory_take(cells + 1, 1);
    vxe_status status = packed && bytes ? VXE_OK : vxe_error_memory(error, length + cells);
    if (!status) {
        uint64_t found = base64_decode(text, length, packed);
        VXE_ASSERT(found <= length);
        const unsigned char *plain = packed;
        if (encoding != VXE_LAYER_BASE64) {
            const uint64_t skip = encoding == VXE_LAYER_QT_ZLIB && found >= 4 ? 4 : 0;
            status = inflate_layer(packed + skip, found - skip, bytes, cells, &found, error);
            plain = bytes;
        }
        if (!status && found != cells) {
            status = wrong_length(found, cells, error);
        }
        for (uint64_t i = 0; !status && i < cells; i++) {
            ids[i] = plain[i];
        }
    }
    vxe_memory_release(packed);
    vxe_memory_release(bytes);
    return status;
}

/* Decodes one character for each cell, whose id is its code minus offset. */
static vxe_status decode_characters(const char *text, uint64_t length, uint32_t offset,
                                    uint32_t *ids, uint64_t cells, vxe_error *error)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '\n' || c == '\r' || c == ' ' || c == '\t') {
            continue;
        }
        if (c < offset) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "character '%c' of a layer stands for no material", c);
        }
        if (found < cells) {
            ids[found] = c - offset;
        }
        found++;
    }
    return found == cells ? VXE_OK : wrong_length(found, cells, error);
}

/* Decodes decimal ids; ids beyond 32 bits become the largest number, which no palette has. */
static vxe_status decode_long(const char *text, uint64_t length, uint32_t *ids, uint64_t cells,
                              vxe_error *error)
{
    uint64_t found = 0;
    uint64_t i = 0;
    while (i < length) {
        uint64_t id = 0;
        bool any = false;
        for (; i < length && text[i] >= '0' && text[i] <= '9'; i++, any = true) {
            id = id < VXE_NONE ? 10 * id + (uint64_t)(text[i] - '0') : id;
        }
        if (any) {
            if (found < cells) {
                ids[found] = id < VXE_NONE ? (uint32_t)id : VXE_NONE - 1;
            }
            found++;
        } else if (text[i] == ',' || text[i] == ' ' || text[i] == '\n' || text[i] == '\r' ||
                   text[i] == '\t') {
            i++;
        } else {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "character '%c' in a layer of decimal ids; expected digits and "
                                  "commas",
                                  text[i]);
        }
    }
    return found == cells ? VXE_OK : wrong_length(found, cells, error);
}

vxe_status vxe_layer_decode(vxe_layer_encoding encoding, const char *text, uint64_t length,
                            uint32_t *ids, uint64_t cells, vxe_error *error)
{
    VXE_ASSERT(text && ids);
    switch (encoding) {
    case VXE_LAYER_ASCII:
        return decode_characters(text, length, '0', ids, cells, error);
    case VXE_LAYER_RAW:
        return decode_characters(text, length, 0, ids, cells, error);
    case VXE_LAYER_LONG:
        return decode_long(text, length, ids, cells, error);
    case VXE_LAYER_BASE64:
    case VXE_LAYER_ZLIB:
    case VXE_LAYER_QT_ZLIB:
        break;
    }
    return decode_bytes(encoding, text, length, ids, cells, error);
}

vxe_status vxe_numbers_decode(const char *text, uint64_t length, double *values, uint64_t count,
                              uint64_t *found, vxe_error *error)
{
    const char *last = text + length;
    VXE_ASSERT(values || count == 0);
    *found = 0;
    for (const char *at = text + strspn(text, VXE_BLANKS); at < last;) {
        const char *end = at;
        const double value = vxe_number_scan(at, &end);
        const char *next = end + strspn(end, VXE_BLANKS);
        if (end == at || (next == end && end < last && *end != ',')) {
            const size_t word = strcspn(at, "," VXE_BLANKS);
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "number %" PRIu64 " is \"%.*s\": expected a number", *found + 1,
                                  word < 40 ? (int)word : 40, at);
        }
        if (*found < count) {
            values[*found] = value;
        }
        (*found)++;
        next += next < last && *next == ',';
        at = next + strspn(next, VXE_BLANKS);
    }
    return VXE_OK;
}
