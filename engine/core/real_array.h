/* SPDX-License-Identifier: MIT */
/* Arrays of a run's precision, for the code outside the inner loops, which computes in double. */
#ifndef VXE_ENGINE_CORE_REAL_ARRAY_H
#define VXE_ENGINE_CORE_REAL_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/precision.h"

/* An array of the precision's numbers, float or double. */
typedef void vxe_reals;

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

#endif
