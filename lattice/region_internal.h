/* SPDX-License-Identifier: MIT */
/* Which voxels a region with a shape contains. */
#ifndef VXE_LATTICE_REGION_INTERNAL_H
#define VXE_LATTICE_REGION_INTERNAL_H

#include "lattice/design.h"

/* Whether a region that is no list contains some of the voxel of that edge (m) whose centre at rest
   is center (m, design frame). */
bool vxe_region_touches(const vxe_region *region, const double center[3], double edge);

#endif
