/* SPDX-License-Identifier: MIT */
/* Loops over slots [first, first + count) of a body on a floor that is not level, for
   voxel_kernels.c of the same instruction set and precision. */
#ifndef VXE_ENGINE_FLOOR_TERRAIN_KERNELS_H
#define VXE_ENGINE_FLOOR_TERRAIN_KERNELS_H

#include <stddef.h>

#include "engine/core/arrays.h"
#include "engine/core/real.h"

/* Where the voxels are on the ground, and its push; remembers what friction needs. Returns whether
 * one touches or is stuck; where none does nothing else is written. */
bool VXE_VARIANT(vxe_terrain_push)(const vxe_kernel_arrays *arrays, vxe_reals *const sums[6],
                                   uint32_t first, ptrdiff_t count, vxe_real h,
                                   vxe_real dash_share);

/* Half a step of exact decay by the ground's dashpots, */
void VXE_VARIANT(vxe_terrain_decay)(const vxe_kernel_arrays *arrays, uint32_t first,
                                    ptrdiff_t count, double step);

/* and its friction, where that push was. */
void VXE_VARIANT(vxe_terrain_friction)(const vxe_kernel_arrays *arrays, uint32_t first,
                                       ptrdiff_t count);

#endif
