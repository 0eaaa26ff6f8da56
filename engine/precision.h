/* SPDX-License-Identifier: MIT */
/* The numbers that a run computes with. A run says which. */
#ifndef VXE_ENGINE_PRECISION_H
#define VXE_ENGINE_PRECISION_H

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MIXED: float, positions as the sum of two floats (about 48 bits) that count from the body's own
   origin, which is held in double. DOUBLE: double throughout, the reference. */
typedef enum vxe_precision { VXE_PRECISION_MIXED = 0, VXE_PRECISION_DOUBLE = 1 } vxe_precision;

/* "mixed" or "double". */
VXE_API const char *vxe_precision_name(vxe_precision precision);

/* The instruction set that runs of a precision use on this machine, such as "x86-64-v4"; "none"
   where this build has none for it. */
VXE_API const char *vxe_instruction_set(vxe_precision precision);

#ifdef __cplusplus
}
#endif

#endif
