/* SPDX-License-Identifier: MIT */
/* The number type of a kernel file: double, or float where the build defines VXE_MIXED (the
   kernels of the precision `mixed`). One source serves both; a literal is written R(0.5). */
#ifndef VXE_ENGINE_CORE_REAL_H
#define VXE_ENGINE_CORE_REAL_H

#include <math.h>
#include <stdint.h>

#include "engine/core/real_array.h"

#define VXE_INLINE static inline __attribute__((always_inline))

#ifdef VXE_MIXED
typedef float vxe_real;
typedef int32_t vxe_real_mask; /* as many bits, for blending */
#else
typedef double vxe_real;
typedef int64_t vxe_real_mask;
#endif

/* The name of a table in this build of a kernel file: VXE_VARIANT_NAME is its instruction set and
 * precision. */
#define VXE_JOIN(name, variant) name##_##variant
#define VXE_JOIN_EXPANDED(name, variant) VXE_JOIN(name, variant)
#define VXE_VARIANT(name) VXE_JOIN_EXPANDED(name, VXE_VARIANT_NAME)

#define R(literal) ((vxe_real)(literal))

/* Compilers differ in the macro by which they say that fma is fast. */
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
#define VXE_FUSES 1
#else
#define VXE_FUSES 0
#endif

/* a b + c in one rounding where the target has such an instruction. Elsewhere it takes two
   roundings, and those builds have bits of their own: a call into the mathematics library would
   cost more than the step. */
VXE_INLINE vxe_real vxe_fma(vxe_real a, vxe_real b, vxe_real c)
{
#if defined(VXE_MIXED) && VXE_FUSES
    return fmaf(a, b, c);
#elif VXE_FUSES
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}

VXE_INLINE vxe_real magnitude(vxe_real a)
{
    return a < 0 ? -a : a;
}

VXE_INLINE vxe_real vxe_root(vxe_real a)
{
#ifdef VXE_MIXED
    return sqrtf(a);
#else
    return sqrt(a);
#endif
}

/* value with the bits of mask only. With all bits or none: value, or +0, even where value is no
   number, as in an absent bond. */
VXE_INLINE vxe_real keep_bits(vxe_real value, vxe_real_mask mask)
{
    union {
        vxe_real number;
        vxe_real_mask bits;
    } it = {value};
    it.bits &= mask;
    return it.number;
}

/* An array as a kernel reads it: numbers of its build's type. */
VXE_INLINE vxe_real *reals(vxe_reals *array)
{
    return (vxe_real *)array;
}

VXE_INLINE const vxe_real *reals_const(const vxe_reals *array)
{
    return (const vxe_real *)array;
}

/* Initializers of an array of pointers: the numbers of three arrays or of four. */
#define REALS_3(arrays)                                                                            \
    {                                                                                              \
        reals((arrays)[0]), reals((arrays)[1]), reals((arrays)[2])                                 \
    }
#define REALS_4(arrays)                                                                            \
    {                                                                                              \
        reals((arrays)[0]), reals((arrays)[1]), reals((arrays)[2]), reals((arrays)[3])             \
    }

/* An array by slot as a kernel reads it: numbers of its build's type, from slot `first` on. */
VXE_INLINE vxe_real *from(vxe_reals *array, uint32_t first)
{
    return reals(array) + first;
}

VXE_INLINE const vxe_real *from_const(const vxe_reals *array, uint32_t first)
{
    return reals_const(array) + first;
}

#endif
