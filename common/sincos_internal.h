/* SPDX-License-Identifier: MIT */
/* Sine and cosine by Taylor series; in a file that defines VXE_WIDE, of several numbers at once
   (wide_internal.h). */
#ifndef VXE_COMMON_SINCOS_INTERNAL_H
#define VXE_COMMON_SINCOS_INTERNAL_H

#include "common/trig_internal.h"
#include "common/wide_internal.h"

/* See vxe_sincos_cycles. */
VXE_NUMBER_INLINE void vxe_sincos_of(vxe_number cycles, vxe_number *sine, vxe_number *cosine)
{
    /* The distance from the nearest quarter turn is at most pi/4, where Taylor series need few
       terms. */
    const vxe_number turns = cycles - vxe_whole_below(cycles);
    const vxe_number quarter = vxe_whole_below(4.0 * turns + 0.5);
    const vxe_number x = VXE_TAU * (turns - 0.25 * quarter);
    const vxe_number z = x * x;
    /* The first terms left out, x^19/19! and x^18/18!, are below 3e-18 at pi/4. */
    static const double sine_terms[8] = {
        -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
    static const double cosine_terms[8] = {
        -1.0 / 2,       1.0 / 24,        -1.0 / 720,         1.0 / 40320,
        -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
    vxe_number s = vxe_number_of(0);
    vxe_number c = vxe_number_of(0);
    for (int k = 7; k >= 0; k--) {
        s = sine_terms[k] + z * s;
        c = cosine_terms[k] + z * c;
    }
    s = x + x * z * s;
    c = 1.0 + z * c;
    const vxe_truth first = vxe_equal(quarter, vxe_number_of(1));
    const vxe_truth second = vxe_equal(quarter, vxe_number_of(2));
    const vxe_truth third = vxe_equal(quarter, vxe_number_of(3));
    const vxe_truth odd = vxe_either(first, third);
    const vxe_number a = vxe_choose(odd, c, s);
    const vxe_number b = vxe_choose(odd, s, c);
    *sine = vxe_choose(vxe_either(second, third), -a, a);
    *cosine = vxe_choose(vxe_either(first, second), -b, b);
}

#endif
