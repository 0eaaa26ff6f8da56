/* SPDX-License-Identifier: MIT */
/* See frame_codec.h. This file is compiled once per instruction set. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/pack_internal.h"
#include "engine/core/real.h"
#include "output/record/frame_codec_kernels.h"

#define GROUP VXE_PACK_GROUP

static size_t find_bad(const double *values, size_t count, double max)
{
    uint64_t bad = 0;
#pragma omp simd reduction(| : bad)
    for (size_t i = 0; i < count; i++) {
        bad |= fabs(values[i]) < max ? 0 : 1;
    }
    size_t at = bad ? 0 : count;
    while (at < count && fabs(values[at]) < max) {
        at++;
    }
    return at;
}

/* The nearest whole numbers of values by the bits of their sums with 1.5 2^52, as their folded ways
   from those before, which become them. Returns all their bits. */
VXE_INLINE uint64_t find_ways(const double *restrict values, size_t stride, double scale,
                              int64_t *restrict before, uint32_t count, uint64_t *restrict ways)
{
    const double shift = 0x1.8p52;
    int64_t shift_bits = 0;
    uint64_t all = 0;
    memcpy(&shift_bits, &shift, sizeof shift);
#pragma omp simd reduction(| : all)
    for (uint32_t i = 0; i < count; i++) {
        union {
            double number;
            int64_t bits;
        } sum = {values[i * stride] * scale + shift};
        const int64_t now = sum.bits - shift_bits;
        const uint64_t way = vxe_pack_fold(now - before[i]);
        before[i] = now;
        ways[i] = way;
        all |= way;
    }
    return all;
}

VXE_INLINE uint8_t *put_strided(const double *values, size_t stride, double resolution,
                                int64_t *before, uint32_t count, uint8_t *into)
{
    uint32_t first = 0;
    uint64_t ways[GROUP];
    for (; first + GROUP <= count; first += GROUP) {
        const uint64_t all =
            find_ways(values + first * stride, stride, 1 / resolution, before + first, GROUP, ways);
        into = vxe_pack_group(ways, GROUP, all, into);
    }
    if (first < count) {
        memset(ways, 0, sizeof ways);
        const uint64_t all = find_ways(values + first * stride, stride, 1 / resolution,
                                       before + first, count - first, ways);
        into = vxe_pack_group(ways, count - first, all, into);
    }
    return into;
}

static uint8_t *put(const double *values, uint32_t stride, double resolution, int64_t *before,
                    uint32_t count, uint8_t *into)
{
    switch (stride) { /* as constants, for loads without gathers */
    case 1:
        return put_strided(values, 1, resolution, before, count, into);
    case 3:
        return put_strided(values, 3, resolution, before, count, into);
    case 4:
        return put_strided(values, 4, resolution, before, count, into);
    default:
        return put_strided(values, stride, resolution, before, count, into);
    }
}

extern const vxe_frame_codec_kernels VXE_VARIANT(vxe_frame_codec_kernels);

const vxe_frame_codec_kernels VXE_VARIANT(vxe_frame_codec_kernels) = {.find_bad = find_bad,
                                                                      .put = put};
