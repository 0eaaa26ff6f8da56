/* SPDX-License-Identifier: MIT */
/* What readers ask before they make something of a file. */
#ifndef VXE_LATTICE_FORMATS_LIMITS_INTERNAL_H
#define VXE_LATTICE_FORMATS_LIMITS_INTERNAL_H

#include "lattice/design.h"
#include "lattice/formats/limits.h"

/* The members of vxe_limits, in their order. */
typedef enum vxe_limit {
    VXE_LIMIT_DESIGN_BYTES,
    VXE_LIMIT_RESULT_BYTES,
    VXE_LIMIT_RECORD_BYTES,
    VXE_LIMIT_UNPACKED_BYTES,
    VXE_LIMIT_CELLS,
    VXE_LIMIT_VOXELS,
    VXE_LIMIT_NUMBERS,
    VXE_LIMIT_LAYERS,
    VXE_LIMIT_MATERIALS,
    VXE_LIMIT_BODIES,
    VXE_LIMIT_REFERENCES,
    VXE_LIMIT_REPLACEMENTS,
    VXE_LIMIT_REGION_VOXELS,
    VXE_LIMIT_CONTACT_PAIRS,
    VXE_LIMIT_COUNT
} vxe_limit;

/* How much of it may be made of a file of that many bytes. */
uint64_t vxe_limit_for(vxe_limit which, uint64_t bytes);

/* Refuses count where a file of that many bytes may have less. The error has a message only. */
vxe_status vxe_limit_check(vxe_limit which, uint64_t count, uint64_t bytes, vxe_error *error);

/* Checks a design that was made of a file of that many bytes: vxe_design_check, and how many voxels
   its regions would be compared with. */
vxe_status vxe_limit_check_design(const vxe_design *design, uint64_t bytes, vxe_error *error);

#endif
