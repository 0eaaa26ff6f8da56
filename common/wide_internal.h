/* SPDX-License-Identifier: MIT */
/* A number type for code that computes one body or several side by side with the same bits. Without
   VXE_WIDE a vxe_number is one double. With it, a vxe_number is a vector with one number for each
   of several bodies, as many as fit a register of the instruction set. Both types are added and
   multiplied as usual (n + 0.5, 0.5 * n), but compared and selected by the functions below. */
#ifndef VXE_COMMON_WIDE_INTERNAL_H
#define VXE_COMMON_WIDE_INTERNAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define VXE_NUMBER_INLINE static inline __attribute__((always_inline))

#if !defined(VXE_WIDE)
#define VXE_NUMBER_LANES 1
#elif defined(__AVX512F__)
#define VXE_NUMBER_LANES 8
#elif defined(__AVX__)
#define VXE_NUMBER_LANES 4
#else
#define VXE_NUMBER_LANES 2
#endif

#ifdef VXE_WIDE
typedef double vxe_number __attribute__((vector_size(8 * VXE_NUMBER_LANES)));
/* All bits of a lane are set where the condition is true. */
typedef int64_t vxe_truth __attribute__((vector_size(8 * VXE_NUMBER_LANES)));
#else
typedef double vxe_number;
typedef bool vxe_truth;
#endif

/* The same value in all lanes. */
VXE_NUMBER_INLINE vxe_number vxe_number_of(double value)
{
#ifdef VXE_WIDE
    return value - (vxe_number){0};
#else
    return value;
#endif
}

VXE_NUMBER_INLINE void vxe_copy_numbers(vxe_number *into, const vxe_number *from, int count)
{
    for (int i = 0; i < count; i++) {
        into[i] = from[i];
    }
}

/* Address of one lane's number. */
VXE_NUMBER_INLINE double *vxe_lane(vxe_number *number, int lane)
{
    return (double *)number + lane;
}

VXE_NUMBER_INLINE vxe_truth vxe_less(vxe_number a, vxe_number b)
{
    return (vxe_truth)(a < b);
}

VXE_NUMBER_INLINE vxe_truth vxe_less_or_equal(vxe_number a, vxe_number b)
{
    return (vxe_truth)(a <= b);
}

VXE_NUMBER_INLINE vxe_truth vxe_equal(vxe_number a, vxe_number b)
{
    return (vxe_truth)(a == b);
}

VXE_NUMBER_INLINE vxe_truth vxe_not(vxe_truth a)
{
    return a == (vxe_truth){0};
}

VXE_NUMBER_INLINE vxe_truth vxe_both(vxe_truth a, vxe_truth b)
{
#ifdef VXE_WIDE
    return a & b;
#else
    return a && b;
#endif
}

VXE_NUMBER_INLINE vxe_truth vxe_either(vxe_truth a, vxe_truth b)
{
#ifdef VXE_WIDE
    return a | b;
#else
    return a || b;
#endif
}

/* Whether the condition is true in any lane. */
VXE_NUMBER_INLINE bool vxe_any(vxe_truth a)
{
#ifdef VXE_WIDE
    int64_t any = 0;
    for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
        any |= a[lane];
    }
    return any != 0;
#else
    return a;
#endif
}

/* when ? a : b */
VXE_NUMBER_INLINE vxe_number vxe_choose(vxe_truth when, vxe_number a, vxe_number b)
{
#ifdef VXE_WIDE
    return (vxe_number)((when & (vxe_truth)a) | (~when & (vxe_truth)b));
#else
    return when ? a : b;
#endif
}

/* The larger of a and b, or b if a is not a number. */
VXE_NUMBER_INLINE vxe_number vxe_larger(vxe_number a, vxe_number b)
{
    return vxe_choose(vxe_less(b, a), a, b);
}

/* The smaller of a and b, or b if a is not a number. */
VXE_NUMBER_INLINE vxe_number vxe_smaller(vxe_number a, vxe_number b)
{
    return vxe_choose(vxe_less(a, b), a, b);
}

VXE_NUMBER_INLINE vxe_number vxe_magnitude(vxe_number a)
{
    return vxe_larger(a, -a);
}

VXE_NUMBER_INLINE vxe_number vxe_square_root(vxe_number a)
{
    for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
        *vxe_lane(&a, lane) = sqrt(*vxe_lane(&a, lane));
    }
    return a;
}

VXE_NUMBER_INLINE vxe_number vxe_whole_below(vxe_number a)
{
    for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
        *vxe_lane(&a, lane) = floor(*vxe_lane(&a, lane));
    }
    return a;
}

#endif
