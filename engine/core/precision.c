/* SPDX-License-Identifier: MIT */
#include "engine/precision.h"

const char *vxe_precision_name(vxe_precision precision)
{
    return precision == VXE_PRECISION_DOUBLE ? "double" : "mixed";
}
