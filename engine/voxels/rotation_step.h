/* SPDX-License-Identifier: MIT */
/* Turning a range of voxels by their spins, for the kernels of either step. */
#ifndef VXE_ENGINE_VOXELS_ROTATION_STEP_H
#define VXE_ENGINE_VOXELS_ROTATION_STEP_H

#include "engine/core/arrays.h"
#include "engine/core/slots.h"
#include "engine/voxels/voxel_law.h"

/* q <- exp(2 half w) q of count slots from first on. */
VXE_INLINE void turn_voxels(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count,
                            vxe_real half)
{
    vxe_real *restrict qw = from(s->q[0], first);
    vxe_real *restrict qx = from(s->q[1], first);
    vxe_real *restrict qy = from(s->q[2], first);
    vxe_real *restrict qz = from(s->q[3], first);
    const vxe_real *restrict wx = from(s->w[0], first);
    const vxe_real *restrict wy = from(s->w[1], first);
    const vxe_real *restrict wz = from(s->w[2], first);
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_turned before = {qw[i], qx[i], qy[i], qz[i]};
        const vxe_turned q = turned(before, wx[i], wy[i], wz[i], half);
        qw[i] = q.w;
        qx[i] = q.x;
        qy[i] = q.y;
        qz[i] = q.z;
    }
}

#endif
