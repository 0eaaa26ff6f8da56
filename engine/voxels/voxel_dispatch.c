/* SPDX-License-Identifier: MIT */
/* Which kernels of voxels a run calls: the tables of all instruction sets and precisions. */
#include "engine/voxels/voxels.h"

VXE_KERNELS_BY_PRECISION(vxe_voxel_kernels)
