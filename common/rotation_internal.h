/* SPDX-License-Identifier: MIT */
/* Quaternions w x y z in double: the only product and the only rotation of a vector, except that
   sticky_links.c (product) and force_field.c (rotation) sum in another order and keep their bits.
   Quaternions of kernels are in engine/core/vec.h. */
#ifndef VXE_COMMON_ROTATION_INTERNAL_H
#define VXE_COMMON_ROTATION_INTERNAL_H

/* into = q vector q*; into may be vector. */
static inline void vxe_rotate(const double q[4], const double vector[3], double into[3])
{
    const double twice[3] = {2 * (q[2] * vector[2] - q[3] * vector[1]),
                             2 * (q[3] * vector[0] - q[1] * vector[2]),
                             2 * (q[1] * vector[1] - q[2] * vector[0])};
    const double turned[3] = {vector[0] + q[0] * twice[0] + q[2] * twice[2] - q[3] * twice[1],
                              vector[1] + q[0] * twice[1] + q[3] * twice[0] - q[1] * twice[2],
                              vector[2] + q[0] * twice[2] + q[1] * twice[1] - q[2] * twice[0]};
    for (int c = 0; c < 3; c++) {
        into[c] = turned[c];
    }
}

/* into = a b; into may be neither. */
static inline void vxe_quaternion_times(const double a[4], const double b[4], double into[4])
{
    into[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    into[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    into[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    into[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

#endif
