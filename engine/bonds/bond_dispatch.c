/* SPDX-License-Identifier: MIT */
/* Which kernels of bonds a run calls: the tables of all instruction sets and precisions. */
#include "engine/bonds/bonds.h"

VXE_KERNELS_BY_PRECISION(vxe_bond_kernels)
VXE_KERNELS_BY_PRECISION(vxe_packed_kernels)
VXE_KERNELS_BY_PRECISION(vxe_damping_kernels)
VXE_KERNELS_BY_ISA(vxe_linear_kernels)
