/* SPDX-License-Identifier: MIT */
/* Vectors and quaternions in double precision. Quaternions are (w, x, y, z) and turn body axes into
 * world axes. */
#ifndef VXE_COMMON_VEC_INTERNAL_H
#define VXE_COMMON_VEC_INTERNAL_H

#include <math.h>

typedef struct vxe_vec3 {
    double x, y, z;
} vxe_vec3;

typedef struct vxe_quat {
    double w, x, y, z;
} vxe_quat;

static inline vxe_vec3 vxe_vec3_add(vxe_vec3 a, vxe_vec3 b)
{
    return (vxe_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vxe_vec3 vxe_vec3_sub(vxe_vec3 a, vxe_vec3 b)
{
    return (vxe_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vxe_vec3 vxe_vec3_scale(vxe_vec3 a, double s)
{
    return (vxe_vec3){a.x * s, a.y * s, a.z * s};
}

static inline double vxe_vec3_dot(vxe_vec3 a, vxe_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vxe_vec3 vxe_vec3_cross(vxe_vec3 a, vxe_vec3 b)
{
    return (vxe_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vxe_vec3_length(vxe_vec3 a)
{
    return sqrt(vxe_vec3_dot(a, a));
}

static inline vxe_quat vxe_quat_multiply(vxe_quat a, vxe_quat b)
{
    return (vxe_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline vxe_quat vxe_quat_conjugate(vxe_quat q)
{
    return (vxe_quat){q.w, -q.x, -q.y, -q.z};
}

static inline vxe_quat vxe_quat_normalise(vxe_quat q)
{
    double s = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (vxe_quat){q.w * s, q.x * s, q.y * s, q.z * s};
}

/* The rotation by the vector's length (rad) about its direction. */
static inline vxe_quat vxe_quat_from_rotation_vector(vxe_vec3 r)
{
    double angle = vxe_vec3_length(r);
    if (angle == 0) {
        return (vxe_quat){1, 0, 0, 0};
    }
    double s = sin(0.5 * angle) / angle;
    return (vxe_quat){cos(0.5 * angle), s * r.x, s * r.y, s * r.z};
}

/* Inverse of the above; the result's length is at most pi. */
static inline vxe_vec3 vxe_quat_rotation_vector(vxe_quat q)
{
    vxe_vec3 v = {q.x, q.y, q.z};
    double s = vxe_vec3_length(v);
    if (s == 0) {
        return (vxe_vec3){0, 0, 0};
    }
    double sign = q.w < 0 ? -1 : 1;
    return vxe_vec3_scale(v, sign * 2 * atan2(s, sign * q.w) / s);
}

static inline vxe_vec3 vxe_quat_rotate(vxe_quat q, vxe_vec3 v)
{
    vxe_vec3 u = {q.x, q.y, q.z};
    vxe_vec3 t = vxe_vec3_scale(vxe_vec3_cross(u, v), 2);
    return vxe_vec3_add(vxe_vec3_add(v, vxe_vec3_scale(t, q.w)), vxe_vec3_cross(u, t));
}

#endif
