/* SPDX-License-Identifier: MIT */
/* Arrays by slot as a kernel reads them: numbers of its build, from some slot on. */
#ifndef VXE_ENGINE_SLOTS_INTERNAL_H
#define VXE_ENGINE_SLOTS_INTERNAL_H

#include "engine/real_internal.h"
#include "engine/reals_internal.h"

VXE_INLINE vxe_real *from(vxe_reals *array, uint32_t first)
{
    return (vxe_real *)array + first;
}

VXE_INLINE const vxe_real *from_const(const vxe_reals *array, uint32_t first)
{
    return (const vxe_real *)array + first;
}

#endif
