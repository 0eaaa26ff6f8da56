/* SPDX-License-Identifier: MIT */
/* Compression of signed numbers: a group of up to 32 numbers is stored with as many bits each as
   the largest needs. The first byte of a group is that number of bits. Then come the numbers, each
   with its sign as the lowest bit (n becomes 2 n, or -2 n - 1 below 0), without gaps, from the
   lowest bit of the first byte on, filled up to whole bytes. The functions are inline, because the
   frame codec compiles them once per instruction set. vxe_bytes_get_group reads a group. */
#ifndef VXE_COMMON_PACK_INTERNAL_H
#define VXE_COMMON_PACK_INTERNAL_H

#include <stdint.h>

#include "common/assert_internal.h"

#define VXE_PACK_GROUP 32u
/* Maximum of bytes that writing a group touches: its own, and up to 8 behind them. */
#define VXE_PACK_ROOM (1u + 8u * VXE_PACK_GROUP + 8u)

_Static_assert(VXE_PACK_GROUP % 4 == 0, "numbers are packed in fours");

/* Moves the sign into the lowest bit. */
static inline uint64_t vxe_pack_fold(int64_t value)
{
    return (uint64_t)value << 1 ^ (0 - ((uint64_t)value >> 63));
}

/* Bits that are not written yet: the lowest are written first. */
typedef struct vxe_pack_row {
    uint64_t bits;
    uint32_t count; /* below 8 between calls */
} vxe_pack_row;

/* Stores a word, the lowest byte first. Written out, since compilers make it one store. */
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

/* Appends count bits, at most 56, and returns where the next whole byte goes. It always stores
   eight bytes: a branch that cannot be predicted would take longer. */
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

/* Joins each two neighbours into one number of twice the width. */
static inline void vxe_pack_pairs(const uint64_t *restrict numbers, uint32_t count, uint32_t width,
                                  uint64_t *restrict pairs)
{
#pragma omp simd
    for (uint32_t i = 0; i < count / 2; i++) {
        pairs[i] = numbers[2 * i] | numbers[2 * i + 1] << width;
    }
}

/* Writes count numbers one after the other. Numbers of more than 56 bits go in two parts. */
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

/* Writes a whole group of numbers. Narrow ones are joined to four or two at a time first, since
   each call of vxe_pack_bits depends on the one before. */
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

/* Writes a group of count folded numbers and returns where the next group goes. into has at least
   VXE_PACK_ROOM bytes. The numbers behind count are 0; all is the bitwise or of the numbers. */
static inline uint8_t *vxe_pack_group(const uint64_t numbers[VXE_PACK_GROUP], uint32_t count,
                                      uint64_t all, uint8_t *into)
{
    const uint32_t width = all ? 64 - (uint32_t)__builtin_clzll(all) : 0;
    VXE_ASSERT(count > 0 && count <= VXE_PACK_GROUP);
    *into++ = (uint8_t)width;
    if (width > 0) {
        vxe_pack_numbers(numbers, width, into);
    }
    return into + (count * width + 7) / 8;
}

#endif
