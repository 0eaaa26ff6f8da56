/* SPDX-License-Identifier: MIT */
#ifndef VXE_LATTICE_FLOOR_INTERNAL_H
#define VXE_LATTICE_FLOOR_INTERNAL_H

#include "lattice/design.h"

/* What can be wrong with a floor. */
vxe_status vxe_floor_check(const vxe_floor *floor, vxe_error *error);

/* Whether it is the plane z = height without end. */
bool vxe_floor_is_level(const vxe_floor *floor);

#endif
