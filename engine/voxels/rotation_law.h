/* SPDX-License-Identifier: MIT */
/* Rotation of voxels by their angular velocities in a step (docs/physics.md, Order of a step):
   one lane of a vector loop, and the loop over a range of voxels. The steps of both bond laws
   call it. */
#ifndef VXE_ENGINE_VOXELS_ROTATION_LAW_H
#define VXE_ENGINE_VOXELS_ROTATION_LAW_H

#include "engine/core/arrays.h"
#include "engine/voxels/dither_law.h"

typedef struct vxe_turned {
    vxe_real w, x, y, z;
} vxe_turned;

/* Lengths of quaternions within so much of 1 stay as they are: two ulp. */
#ifdef VXE_MIXED
#define VXE_UNIT_ENOUGH R(0x1p-22)
#else
#define VXE_UNIT_ENOUGH R(0x1p-51)
#endif

/* sin(a)/a and cos(a) - 1 of z = a^2 by Taylor series: in double good to 1.2e-11 below 1 rad, in
   float to 3e-8 below 0.8 rad. */
VXE_INLINE void half_angle(vxe_real z, vxe_real *sine, vxe_real *cosine_less)
{
    vxe_real s = R(1.0 / 362880.0);
    vxe_real c = R(1.0 / 40320.0);
#ifndef VXE_MIXED
    s = vxe_fma(-vxe_fma(-R(1.0 / 6227020800.0), z, R(1.0 / 39916800.0)), z, s);
    c = vxe_fma(-vxe_fma(-R(1.0 / 479001600.0), z, R(1.0 / 3628800.0)), z, c);
#endif
    s = vxe_fma(-s, z, R(1.0 / 5040.0));
    s = vxe_fma(-s, z, R(1.0 / 120.0));
    s = vxe_fma(-s, z, R(1.0 / 6.0));
    *sine = vxe_fma(-s, z, R(1.0));
    c = vxe_fma(-c, z, R(1.0 / 720.0));
    c = vxe_fma(-c, z, R(1.0 / 24.0));
    c = vxe_fma(-c, z, R(0.5));
    *cosine_less = -(c * z);
}

/* What brings a quaternion's length, which is 1 but for rounding, back to 1: a Newton step for
   1/sqrt, less 1; 0 where it is near enough, so that a voxel at rest stays as it is. */
VXE_INLINE vxe_real to_unit(vxe_turned q)
{
    const vxe_real more =
        vxe_fma(q.w, q.w, -R(1)) + vxe_fma(q.x, q.x, vxe_fma(q.y, q.y, q.z * q.z));
    const vxe_real e = R(-0.5) * more;
    const vxe_real low = e > -VXE_UNIT_ENOUGH ? e : -VXE_UNIT_ENOUGH;
    return e - (low < VXE_UNIT_ENOUGH ? low : VXE_UNIT_ENOUGH);
}

/* exp(2 half w) q, normalised. What is added to each component is rounded once, and with a dither
   right in the mean, so that slow turns are not lost. */
VXE_INLINE vxe_turned turned(vxe_turned q, vxe_real wx, vxe_real wy, vxe_real wz, vxe_real half,
                             const vxe_dither *by)
{
    const vxe_real ax = half * wx;
    const vxe_real ay = half * wy;
    const vxe_real az = half * wz;
    vxe_real sine;
    vxe_real c;
    half_angle(vxe_fma(ax, ax, vxe_fma(ay, ay, az * az)), &sine, &c);
    c += to_unit(q);
    const vxe_real ex = sine * ax;
    const vxe_real ey = sine * ay;
    const vxe_real ez = sine * az;
    const vxe_real w = vxe_fma(ex, q.x, vxe_fma(ey, q.y, vxe_fma(ez, q.z, -dither_of(by, q.w))));
    const vxe_real x = vxe_fma(ex, q.w, vxe_fma(ey, q.z, vxe_fma(-ez, q.y, dither_of(by, q.x))));
    const vxe_real y = vxe_fma(ey, q.w, vxe_fma(ez, q.x, vxe_fma(-ex, q.z, dither_of(by, q.y))));
    const vxe_real z = vxe_fma(ez, q.w, vxe_fma(ex, q.y, vxe_fma(-ey, q.x, dither_of(by, q.z))));
    return (vxe_turned){q.w + vxe_fma(c, q.w, -w), q.x + vxe_fma(c, q.x, x),
                        q.y + vxe_fma(c, q.y, y), q.z + vxe_fma(c, q.z, z)};
}

/* q <- exp(2 half w) q for count slots from first on. */
VXE_INLINE void turn_voxels(const vxe_kernel_arrays *s, uint32_t first, ptrdiff_t count,
                            vxe_real half, const vxe_dither *by)
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
        const vxe_turned q = turned(before, wx[i], wy[i], wz[i], half, by);
        qw[i] = q.w;
        qx[i] = q.x;
        qy[i] = q.y;
        qz[i] = q.z;
    }
}

#endif
