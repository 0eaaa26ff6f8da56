/* SPDX-License-Identifier: MIT */
/* Arrays by slot as a kernel reads them: numbers of its build, from some slot on. */
#ifndef VXE_ENGINE_CORE_SLOTS_H
#define VXE_ENGINE_CORE_SLOTS_H

#include "engine/core/real.h"
#include "engine/core/real_array.h"

VXE_INLINE vxe_real *from(vxe_reals *array, uint32_t first)
{
    return (vxe_real *)array + first;
}

VXE_INLINE const vxe_real *from_const(const vxe_reals *array, uint32_t first)
{
    return (const vxe_real *)array + first;
}

#endif
