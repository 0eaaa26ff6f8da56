/* SPDX-License-Identifier: MIT */
/* Arrays of a run's precision, for the code outside the inner loops, which computes in double. */
#ifndef VXE_ENGINE_CORE_REAL_ARRAY_H
#define VXE_ENGINE_CORE_REAL_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/assert_internal.h"
#include "engine/precision.h"

/* An array of the precision's numbers, float or double. The element is opaque: such an array is not
   mistaken for one of doubles or of anything else, and nobody indexes it without the precision. */
typedef struct vxe_real_element vxe_reals;

static inline uint32_t vxe_real_bytes(vxe_precision precision)
{
    return precision == VXE_PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

static inline double vxe_real_at(vxe_precision precision, const vxe_reals *array, uint64_t index)
{
    return precision == VXE_PRECISION_DOUBLE ? ((const double *)array)[index]
                                             : (double)((const float *)array)[index];
}

static inline void vxe_real_put(vxe_precision precision, vxe_reals *array, uint64_t index,
                                double value)
{
    if (precision == VXE_PRECISION_DOUBLE) {
        ((double *)array)[index] = value;
    } else {
        ((float *)array)[index] = (float)value;
    }
}

/* Number `index` of an array and those behind it, as an array. */
static inline vxe_reals *vxe_reals_at(vxe_precision precision, vxe_reals *array, uint64_t index)
{
    return (vxe_reals *)((char *)array + index * vxe_real_bytes(precision));
}

static inline const vxe_reals *vxe_reals_at_const(vxe_precision precision, const vxe_reals *array,
                                                  uint64_t index)
{
    return (const vxe_reals *)((const char *)array + index * vxe_real_bytes(precision));
}

/* The numbers of an array whose precision is known, as that of a model's arrays is while the model
   is made: double. */
static inline double *vxe_doubles(vxe_precision precision, vxe_reals *array)
{
    VXE_ASSERT(precision == VXE_PRECISION_DOUBLE);
    return (double *)array;
}

static inline const double *vxe_doubles_const(vxe_precision precision, const vxe_reals *array)
{
    VXE_ASSERT(precision == VXE_PRECISION_DOUBLE);
    return (const double *)array;
}

static inline float *vxe_floats(vxe_precision precision, vxe_reals *array)
{
    VXE_ASSERT(precision == VXE_PRECISION_MIXED);
    return (float *)array;
}

static inline const float *vxe_floats_const(vxe_precision precision, const vxe_reals *array)
{
    VXE_ASSERT(precision == VXE_PRECISION_MIXED);
    return (const float *)array;
}

/* The other way: doubles as an array of a precision that is double. */
static inline vxe_reals *vxe_reals_of_doubles(vxe_precision precision, double *numbers)
{
    VXE_ASSERT(precision == VXE_PRECISION_DOUBLE);
    return (vxe_reals *)numbers;
}

/* An array of either precision in memory for as many doubles. */
static inline vxe_reals *vxe_reals_in(double *memory)
{
    return (vxe_reals *)memory;
}

#endif
