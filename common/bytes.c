/* SPDX-License-Identifier: MIT */
/* Writes and reads the numbers of binary files byte by byte, so that the result does not depend on
   the byte order of the machine. */
#include "common/bytes_internal.h"

#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/pack_internal.h"

#define FIRST_CAPACITY 256u
#define MAX_BYTES_OF_VARINT 10

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "files hold IEEE 754 numbers");
_Static_assert(7 * MAX_BYTES_OF_VARINT >= 64, "64 bits fit in a varint");

bool vxe_bytes_reserve(vxe_bytes *bytes, uint64_t more)
{
    VXE_ASSERT(bytes->size <= bytes->capacity);
    VXE_ASSERT(more <= UINT64_MAX / 4 - bytes->size); /* doubling ends before it overflows */
    uint64_t capacity = bytes->capacity ? bytes->capacity : FIRST_CAPACITY;
    while (capacity < bytes->size + more) {
        capacity *= 2;
    }
    if (capacity > bytes->capacity && !bytes->bad) {
        uint8_t *data = vxe_memory_grow(bytes->data, bytes->size, capacity, 1);
        bytes->bad = !data;
        bytes->data = data ? data : bytes->data;
        bytes->capacity = data ? capacity : bytes->capacity;
    }
    return !bytes->bad;
}

void vxe_bytes_put(vxe_bytes *bytes, const void *data, uint64_t size)
{
    VXE_ASSERT(data || size == 0);
    if (size > 0 && vxe_bytes_reserve(bytes, size)) {
        memcpy(bytes->data + bytes->size, data, size);
        bytes->size += size;
    }
}

static void put_number(vxe_bytes *bytes, uint64_t value, int size)
{
    uint8_t text[8];
    VXE_ASSERT(size > 0 && size <= 8);
    for (int i = 0; i < size; i++) {
        text[i] = (uint8_t)(value >> 8 * i);
    }
    vxe_bytes_put(bytes, text, (uint64_t)size);
}

void vxe_bytes_put_u32(vxe_bytes *bytes, uint32_t value)
{
    put_number(bytes, value, 4);
}

void vxe_bytes_put_u64(vxe_bytes *bytes, uint64_t value)
{
    put_number(bytes, value, 8);
}

void vxe_bytes_put_float(vxe_bytes *bytes, double value)
{
    const float narrow = (float)value;
    uint32_t word = 0;
    memcpy(&word, &narrow, sizeof word);
    put_number(bytes, word, 4);
}

void vxe_bytes_put_double(vxe_bytes *bytes, double value)
{
    uint64_t word = 0;
    memcpy(&word, &value, sizeof word);
    put_number(bytes, word, 8);
}

/* Inverse of vxe_pack_fold. */
static int64_t unfold(uint64_t folded)
{
    return (int64_t)(folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0));
}

void vxe_bytes_put_signed(vxe_bytes *bytes, int64_t value)
{
    if (!vxe_bytes_reserve(bytes, MAX_BYTES_OF_VARINT)) {
        return;
    }
    uint64_t rest = vxe_pack_fold(value);
    for (; rest > 127; rest >>= 7) {
        bytes->data[bytes->size++] = (uint8_t)(rest | 128);
    }
    bytes->data[bytes->size++] = (uint8_t)rest;
    VXE_ASSERT(bytes->size <= bytes->capacity);
}

void vxe_bytes_clear(vxe_bytes *bytes)
{
    vxe_memory_release(bytes->data);
    *bytes = (vxe_bytes){0};
}

const uint8_t *vxe_bytes_get(vxe_bytes_view *view, uint64_t size)
{
    VXE_ASSERT(view->at <= view->size);
    VXE_ASSERT(view->data || view->size == 0);
    if (view->bad || size > view->size - view->at) {
        view->bad = true;
        return NULL;
    }
    view->at += size;
    return view->data + (view->at - size);
}

static uint64_t get_number(vxe_bytes_view *view, int size)
{
    const uint8_t *text = vxe_bytes_get(view, (uint64_t)size);
    uint64_t value = 0;
    VXE_ASSERT(size > 0 && size <= 8);
    for (int i = 0; i < size && text; i++) {
        value |= (uint64_t)text[i] << 8 * i;
    }
    return value;
}

uint32_t vxe_bytes_get_u32(vxe_bytes_view *view)
{
    return (uint32_t)get_number(view, 4);
}

uint64_t vxe_bytes_get_u64(vxe_bytes_view *view)
{
    return get_number(view, 8);
}

double vxe_bytes_get_double(vxe_bytes_view *view)
{
    const uint64_t word = get_number(view, 8);
    double value = 0;
    memcpy(&value, &word, sizeof value);
    return value;
}

int64_t vxe_bytes_get_signed(vxe_bytes_view *view)
{
    uint64_t value = 0;
    for (int i = 0; i < MAX_BYTES_OF_VARINT; i++) {
        const uint8_t *text = vxe_bytes_get(view, 1);
        if (!text) {
            return 0;
        }
        value |= (uint64_t)(*text & 127) << 7 * i;
        if (*text < 128) {
            return unfold(value);
        }
    }
    view->bad = true;
    return 0;
}

/* Reads count bits, at most 32, from bit number at on. */
static uint64_t get_bits(const uint8_t *data, uint64_t at, uint32_t count)
{
    uint64_t bits = 0;
    VXE_ASSERT(count <= 32);
    for (uint32_t have = 0; have < count;) {
        const uint32_t skip = (uint32_t)(at + have) % 8;
        bits |= (uint64_t)(data[(at + have) / 8] >> skip) << have;
        have += 8 - skip;
    }
    return count < 32 ? bits & ((1ull << count) - 1) : bits & UINT32_MAX;
}

void vxe_bytes_get_group(vxe_bytes_view *view, int64_t *values, uint32_t count)
{
    VXE_ASSERT(count <= VXE_PACK_GROUP);
    VXE_ASSERT(values || count == 0);
    const uint8_t *head = vxe_bytes_get(view, 1);
    const uint32_t width = head ? *head : 0;
    const uint8_t *data = width <= 64 ? vxe_bytes_get(view, (count * width + 7) / 8) : NULL;
    const uint32_t low = width < 32 ? width : 32;
    view->bad = view->bad || !data;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = (uint64_t)i * width;
        values[i] =
            view->bad
                ? 0
                : unfold(get_bits(data, at, low) | get_bits(data, at + low, width - low) << 32);
    }
}
