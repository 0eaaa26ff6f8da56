/* SPDX-License-Identifier: MIT */
#include "common/bytes_internal.h"

#include <stddef.h>
#include <string.h>

#include "common/memory.h"

#define FIRST_ROOM 256u
#define MOST_BYTES_OF_VARINT 10

bool vxe_bytes_reserve(vxe_bytes *bytes, uint64_t more)
{
    uint64_t room = bytes->room ? bytes->room : FIRST_ROOM;
    while (room < bytes->size + more) {
        room *= 2;
    }
    if (room > bytes->room && !bytes->bad) {
        uint8_t *data = vxe_memory_grow(bytes->data, bytes->size, room, 1);
        bytes->bad = !data;
        bytes->data = data ? data : bytes->data;
        bytes->room = data ? room : bytes->room;
    }
    return !bytes->bad;
}

void vxe_bytes_put(vxe_bytes *bytes, const void *data, uint64_t size)
{
    if (size > 0 && vxe_bytes_reserve(bytes, size)) {
        memcpy(bytes->data + bytes->size, data, size);
        bytes->size += size;
    }
}

static void put_number(vxe_bytes *bytes, uint64_t value, int size)
{
    uint8_t text[8];
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

/* The sign becomes the lowest bit. */
static uint64_t fold(int64_t value)
{
    return (uint64_t)value << 1 ^ (0 - ((uint64_t)value >> 63));
}

static int64_t unfold(uint64_t folded)
{
    return (int64_t)(folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0));
}

void vxe_bytes_put_signed(vxe_bytes *bytes, int64_t value)
{
    if (!vxe_bytes_reserve(bytes, MOST_BYTES_OF_VARINT)) {
        return;
    }
    uint64_t rest = fold(value);
    for (; rest > 127; rest >>= 7) {
        bytes->data[bytes->size++] = (uint8_t)(rest | 128);
    }
    bytes->data[bytes->size++] = (uint8_t)rest;
}

/* Bits on their way into bytes: the lowest come first. */
typedef struct bit_row {
    uint64_t bits;
    uint32_t count; /* below 8 between calls */
} bit_row;

/* Bytes behind the last one that put_bits may write. */
#define SLACK 8u

/* The lowest byte first; written out, since compilers make one store of it then. */
static void store_word(uint8_t *into, uint64_t word)
{
    into[0] = (uint8_t)word;
    into[1] = (uint8_t)(word >> 8);
    into[2] = (uint8_t)(word >> 16);
    into[3] = (uint8_t)(word >> 24);
    into[4] = (uint8_t)(word >> 32);
    into[5] = (uint8_t)(word >> 40);
    into[6] = (uint8_t)(word >> 48);
    into[7] = (uint8_t)(word >> 56);
}

/* At most 56 bits. Writes eight bytes whatever there is to write: a branch that none can foresee
   would take longer. */
static uint8_t *put_bits(bit_row *row, uint64_t bits, uint32_t count, uint8_t *into)
{
    row->bits |= bits << row->count;
    row->count += count;
    store_word(into, row->bits);
    const uint32_t whole = row->count / 8;
    row->bits >>= 8 * whole;
    row->count %= 8;
    return into + whole;
}

/* The lowest bits of some numbers, one after the other: several at once where they are narrow,
   since each call of put_bits waits for the one before. */
static uint8_t *put_row(const uint64_t *numbers, uint32_t count, uint32_t width, uint8_t *into)
{
    bit_row row = {0};
    uint32_t i = 0;
    for (; width <= 14 && i + 4 <= count; i += 4) {
        const uint64_t low = numbers[i] | numbers[i + 1] << width;
        const uint64_t high = numbers[i + 2] | numbers[i + 3] << width;
        into = put_bits(&row, low | high << 2 * width, 4 * width, into);
    }
    for (; width <= 28 && i + 2 <= count; i += 2) {
        into = put_bits(&row, numbers[i] | numbers[i + 1] << width, 2 * width, into);
    }
    for (; width <= 56 && i < count; i++) {
        into = put_bits(&row, numbers[i], width, into);
    }
    for (; i < count; i++) {
        into = put_bits(&row, numbers[i] & UINT32_MAX, 32, into);
        into = put_bits(&row, numbers[i] >> 32, width - 32, into);
    }
    return into + (row.count > 0);
}

void vxe_bytes_put_group(vxe_bytes *bytes, const int64_t *values, uint32_t count)
{
    uint64_t folded[VXE_BYTES_GROUP];
    uint64_t all = 0;
#pragma omp simd reduction(| : all)
    for (uint32_t i = 0; i < count; i++) {
        folded[i] = fold(values[i]);
        all |= folded[i];
    }
    const uint32_t width = all ? 64 - (uint32_t)__builtin_clzll(all) : 0;
    if (!vxe_bytes_reserve(bytes, 1 + (count * width + 7) / 8 + SLACK)) {
        return;
    }
    uint8_t *into = bytes->data + bytes->size;
    *into++ = (uint8_t)width;
    into = width > 0 ? put_row(folded, count, width, into) : into;
    bytes->size = (uint64_t)(into - bytes->data);
}

void vxe_bytes_clear(vxe_bytes *bytes)
{
    vxe_memory_release(bytes->data);
    *bytes = (vxe_bytes){0};
}

const uint8_t *vxe_bytes_get(vxe_bytes_view *view, uint64_t size)
{
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
    for (int i = 0; i < MOST_BYTES_OF_VARINT; i++) {
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

/* At most 32 bits from a place on, in bits. */
static uint64_t get_bits(const uint8_t *data, uint64_t at, uint32_t count)
{
    uint64_t bits = 0;
    for (uint32_t have = 0; have < count;) {
        const uint32_t skip = (uint32_t)(at + have) % 8;
        bits |= (uint64_t)(data[(at + have) / 8] >> skip) << have;
        have += 8 - skip;
    }
    return count < 32 ? bits & ((1ull << count) - 1) : bits & UINT32_MAX;
}

void vxe_bytes_get_group(vxe_bytes_view *view, int64_t *values, uint32_t count)
{
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
