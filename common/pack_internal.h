/* SPDX-License-Identifier: MIT */
/* Signed numbers in as few bits as the largest of a group takes. A group of up to 32: a byte with
   those bits, the sign being the lowest one (2 n, or -2 n - 1 below 0); then so many bits of each,
   one behind the other from the lowest bit of the first byte on, up to whole bytes. Inline: what
   records frames compiles it once per instruction set; vxe_bytes_get_group reads it. */
#ifndef VXE_COMMON_PACK_INTERNAL_H
#define VXE_COMMON_PACK_INTERNAL_H

#include <stdint.h>

#define VXE_PACK_GROUP 32u
/* Room for a group, and for what is written behind it before the next one. */
#define VXE_PACK_ROOM (1u + 8u * VXE_PACK_GROUP + 8u)

/* The sign becomes the lowest bit. */
static inline uint64_t vxe_pack_fold(int64_t value)
{
    return (uint64_t)value << 1 ^ (0 - ((uint64_t)value >> 63));
}

/* Bits on their way into bytes: the lowest come first. */
typedef struct vxe_pack_row {
    uint64_t bits;
    uint32_t count; /* below 8 between calls */
} vxe_pack_row;

/* The lowest byte first; written out, since compilers make one store of it then. */
static inline void vxe_pack_store(uint8_t *into, uint64_t word)
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
static inline uint8_t *vxe_pack_bits(vxe_pack_row *row, uint64_t bits, uint32_t count,
                                     uint8_t *into)
{
    row->bits |= bits << row->count;
    row->count += count;
    vxe_pack_store(into, row->bits);
    const uint32_t whole = row->count / 8;
    row->bits >>= 8 * whole;
    row->count %= 8;
    return into + whole;
}

/* Makes half as many numbers of twice the width out of some. */
static inline void vxe_pack_pairs(const uint64_t *restrict numbers, uint32_t count, uint32_t width,
                                  uint64_t *restrict pairs)
{
#pragma omp simd
    for (uint32_t i = 0; i < count / 2; i++) {
        pairs[i] = numbers[2 * i] | numbers[2 * i + 1] << width;
    }
}

/* Some numbers, one after the other. */
static inline void vxe_pack_row_of(const uint64_t *numbers, uint32_t count, uint32_t width,
                                   uint8_t *into)
{
    vxe_pack_row row = {0, 0};
    for (uint32_t i = 0; i < count && width <= 56; i++) {
        into = vxe_pack_bits(&row, numbers[i], width, into);
    }
    for (uint32_t i = 0; i < count && width > 56; i++) {
        into = vxe_pack_bits(&row, numbers[i] & UINT32_MAX, 32, into);
        into = vxe_pack_bits(&row, numbers[i] >> 32, width - 32, into);
    }
}

/* A whole group of numbers: four or two at once where they are narrow, since each call of
   vxe_pack_bits waits for the one before. */
static inline void vxe_pack_numbers(const uint64_t numbers[VXE_PACK_GROUP], uint32_t width,
                                    uint8_t *into)
{
    uint64_t pairs[VXE_PACK_GROUP / 2];
    uint64_t fours[VXE_PACK_GROUP / 4];
    if (width > 28) {
        vxe_pack_row_of(numbers, VXE_PACK_GROUP, width, into);
        return;
    }
    vxe_pack_pairs(numbers, VXE_PACK_GROUP, width, pairs);
    if (width > 14) {
        vxe_pack_row_of(pairs, VXE_PACK_GROUP / 2, 2 * width, into);
        return;
    }
    vxe_pack_pairs(pairs, VXE_PACK_GROUP / 2, 2 * width, fours);
    vxe_pack_row_of(fours, VXE_PACK_GROUP / 4, 4 * width, into);
}

/* Puts folded numbers into room for VXE_PACK_ROOM bytes, and returns where the next group goes.
   Those behind count are 0; all: every bit that is in one. */
static inline uint8_t *vxe_pack_group(const uint64_t numbers[VXE_PACK_GROUP], uint32_t count,
                                      uint64_t all, uint8_t *into)
{
    const uint32_t width = all ? 64 - (uint32_t)__builtin_clzll(all) : 0;
    *into++ = (uint8_t)width;
    if (width > 0) {
        vxe_pack_numbers(numbers, width, into);
    }
    return into + (count * width + 7) / 8;
}

#endif
