/* SPDX-License-Identifier: MIT */
/* The tables of bond kernels of all instruction sets and precisions, from which a run chooses. */
#include "engine/bonds/bonds.h"

VXE_KERNELS_BY_PRECISION(vxe_bond_kernels)
VXE_KERNELS_BY_PRECISION(vxe_packed_kernels)
VXE_KERNELS_BY_PRECISION(vxe_damping_kernels)
VXE_KERNELS_BY_ISA(vxe_linear_kernels)
