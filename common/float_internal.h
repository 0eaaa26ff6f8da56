/* SPDX-License-Identifier: MIT */
/* Rounding of doubles to what a float holds. */
#ifndef VXE_COMMON_FLOAT_INTERNAL_H
#define VXE_COMMON_FLOAT_INTERNAL_H

/* The nearest number that a float holds. By way of memory: gcc 12 at -O2 drops both conversions
   where two neighbouring numbers are rounded, as if a float held every double. */
static inline double vxe_as_float(double value)
{
    volatile float rounded = (float)value;
    return (double)rounded;
}

#endif
