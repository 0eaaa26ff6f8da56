/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The drift of a voxel backwards (docs/glossary.md, Adjoint): from the adjoints of its pose behind a step to
   those before it, and to what the drift adds to those of its velocities. One lane of a vector loop.

   The adjoint of an orientation is of small turns about the axes of the world, dq = (0, t) q/2: three numbers;
   four would leave the sphere. A step turns by p = h w. A turn t before it is the turn exp(p) t behind it,
   and a change dw of the spin is the turn J(p) h dw, with J the left Jacobian of rotations (Chirikjian2011, 10.86):
       J(p) = 1 + c1 [p] + c2 [p]^2,   c1 = (1 - cos |p|)/|p|^2,   c2 = (|p| - sin |p|)/|p|^3.
   Backwards both are transposed; series are good to 1e-12 below 0.8 rad, in float to 3e-8. */
/* clang-format on */
#ifndef VXE_ENGINE_VOXELS_DRIFT_ADJOINT_LAW_H
#define VXE_ENGINE_VOXELS_DRIFT_ADJOINT_LAW_H

#include "engine/core/vec.h"

/* Adjoints of a voxel's state. */
typedef struct vxe_voxel_adjoint {
    vxe_vec3 place, turn; /* by m and rad */
    vxe_vec3 v, w;        /* by m/s and rad/s */
} vxe_voxel_adjoint;

/* (1 - cos a)/a^2 and (a - sin a)/a^3 of z = a^2. */
VXE_INLINE void turn_series(vxe_real z, vxe_real *c1, vxe_real *c2)
{
    vxe_real a = R(1.0 / 3628800.0);
    vxe_real b = R(1.0 / 39916800.0);
#ifndef VXE_MIXED
    a = vxe_fma(-z, R(1.0 / 479001600.0), a);
    b = vxe_fma(-z, R(1.0 / 6227020800.0), b);
#endif
    a = vxe_fma(-z, a, R(1.0 / 40320.0));
    b = vxe_fma(-z, b, R(1.0 / 362880.0));
    a = vxe_fma(-z, a, R(1.0 / 720.0));
    b = vxe_fma(-z, b, R(1.0 / 5040.0));
    a = vxe_fma(-z, a, R(1.0 / 24.0));
    b = vxe_fma(-z, b, R(1.0 / 120.0));
    *c1 = vxe_fma(-z, a, R(0.5));
    *c2 = vxe_fma(-z, b, R(1.0 / 6.0));
}

/* The adjoints before a drift of h seconds at spin w, from those behind it. */
VXE_INLINE vxe_voxel_adjoint drift_adjoint(vxe_voxel_adjoint behind, vxe_vec3 w, vxe_real h)
{
    const vxe_vec3 p = vec_scaled(h, w);
    const vxe_vec3 once = vec_cross(p, behind.turn);
    const vxe_vec3 twice = vec_cross(p, once);
    vxe_real c1;
    vxe_real c2;
    turn_series(vec_dot(p, p), &c1, &c2);
    const vxe_real sine = vxe_fma(-c2, vec_dot(p, p), 1); /* sin a/a */
    vxe_voxel_adjoint before = behind;
    before.v = vec_add_scaled(behind.v, h, behind.place);
    before.w = vec_add_scaled(behind.w, h,
                              vec_add_scaled(vec_add_scaled(behind.turn, -c1, once), c2, twice));
    before.turn = vec_add_scaled(vec_add_scaled(behind.turn, -sine, once), c1, twice);
    return before;
}

#endif
