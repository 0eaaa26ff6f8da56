/* SPDX-License-Identifier: MIT */
/* Vectors rotated by unit quaternions w x y z. */
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

#endif
