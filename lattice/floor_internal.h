/* SPDX-License-Identifier: MIT */
/* Functions of the floor for the library itself; the public one is vxe_floor_level. */
#ifndef VXE_LATTICE_FLOOR_INTERNAL_H
#define VXE_LATTICE_FLOOR_INTERNAL_H

#include "lattice/design.h"

/* VXE_ERROR_INPUT if a number of a floor is wrong. */
vxe_status vxe_floor_check(const vxe_floor *floor, vxe_error *error);

/* Whether the floor is the plane z = height, without an end. */
bool vxe_floor_is_level(const vxe_floor *floor);

#endif
