/* SPDX-License-Identifier: MIT */
/* The precision that a run computes with: mixed is fast, double is the reference. */
#ifndef VXE_ENGINE_PRECISION_H
#define VXE_ENGINE_PRECISION_H

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MIXED: float, with each position the sum of two floats (about 48 bits) relative to an origin of
   the body, which is a double. DOUBLE: double throughout. */
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
