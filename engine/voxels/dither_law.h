/* SPDX-License-Identifier: MIT */
/* Rounding that is right in the mean, for sums of many small changes in float: a fall's m g h/m is
   often below half an ulp of the velocity, and rounding to nearest would lose it at every step.
   Before it rounds, a step adds an offset between minus and plus half an ulp, spread evenly over
   the steps (Roberts1962: dither in quantization), so that the error of many steps is some ulp. A
   change of exactly 0 leaves a number as it is. Doubles need none of this. */
#ifndef VXE_ENGINE_VOXELS_DITHER_LAW_H
#define VXE_ENGINE_VOXELS_DITHER_LAW_H

#include "engine/core/real.h"

/* The offset of a step: a part of 2^-23 from -1/2 to 1/2, the same in every schedule. Each block of
   64 steps has one offset in each 64th of the range, in an order of its own, so that offsets are
   even over few steps, and still do not go along with what vibrates (stratified random numbers;
   Steele2014 for the mixing). */
static inline double vxe_dither_phase(uint64_t step)
{
    uint64_t block = (step >> 6) * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    block = (block ^ block >> 30) * 0xBF58476D1CE4E5B9u;
    block = (block ^ block >> 27) * 0x94D049BB133111EBu;
    block ^= block >> 31;
    uint64_t place = (step ^ block) & 63; /* one to one, as all that follows */
    place = place * (2 * (block >> 6) + 1) & 63;
    place ^= place >> 3;
    place = place * (2 * (block >> 12) + 1) & 63;
    place ^= place >> 2 ^ place >> 4;
    const uint64_t within = (step + block) * 0xBF58476D1CE4E5B9u >> 46;
    return (((double)(place << 18 | within) + 0.5) * 0x1p-24 - 0.5) * 0x1p-23;
}

/* What shrink is at a phase. */
static inline double vxe_dither_shrink(double phase)
{
    return phase < 0 ? 1 - 0x1p-24 : 1;
}

/* phase: by vxe_dither_phase. shrink: below a power of two an ulp is half of that above; a number
   that is a power of two itself takes that of the side to which the offset points. */
typedef struct vxe_dither {
    vxe_real phase, shrink;
} vxe_dither;

VXE_INLINE vxe_dither dither_at(double phase)
{
    return (vxe_dither){(vxe_real)phase, (vxe_real)vxe_dither_shrink(phase)};
}

/* The offset for a number of this value: below half an ulp of it, away from 0 where the phase is
   positive, so that mirror images stay mirror images. by: null where nothing needs it, which is
   known at compile time. */
VXE_INLINE vxe_real dither_of(const vxe_dither *by, vxe_real value)
{
#ifdef VXE_MIXED
    const vxe_real_mask sign_and_exponent = (vxe_real_mask)0xff800000;
    return by ? by->phase * keep_bits(by->shrink * value, sign_and_exponent) : 0;
#else
    (void)by;
    (void)value;
    return 0;
#endif
}

/* value + a b */
VXE_INLINE vxe_real dithered(const vxe_dither *by, vxe_real value, vxe_real a, vxe_real b)
{
#ifdef VXE_MIXED
    return by ? value + vxe_fma(a, b, dither_of(by, value)) : vxe_fma(a, b, value);
#else
    (void)by;
    return vxe_fma(a, b, value);
#endif
}

#endif
