/* SPDX-License-Identifier: MIT */
/* Names of the precisions, as options and results give them. */
#include "engine/precision.h"

#include "common/assert_internal.h"

const char *vxe_precision_name(vxe_precision precision)
{
    VXE_ASSERT(precision == VXE_PRECISION_MIXED || precision == VXE_PRECISION_DOUBLE);
    return precision == VXE_PRECISION_DOUBLE ? "double" : "mixed";
}
