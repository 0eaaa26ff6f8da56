/* SPDX-License-Identifier: MIT */
/* Vectors, quaternions and coordinates in the number type of a kernel. Each function computes
   one lane of a vector loop over voxels or bonds. */
#ifndef VXE_ENGINE_CORE_VEC_H
#define VXE_ENGINE_CORE_VEC_H

#include "engine/core/real.h"

typedef struct vxe_vec3 {
    vxe_real x, y, z;
} vxe_vec3;

typedef struct vxe_quat {
    vxe_real w, x, y, z;
} vxe_quat;

VXE_INLINE vxe_real vec_dot(vxe_vec3 a, vxe_vec3 b)
{
    return vxe_fma(a.x, b.x, vxe_fma(a.y, b.y, a.z * b.z));
}

VXE_INLINE vxe_vec3 vec_cross(vxe_vec3 a, vxe_vec3 b)
{
    return (vxe_vec3){vxe_fma(a.y, b.z, -(a.z * b.y)), vxe_fma(a.z, b.x, -(a.x * b.z)),
                      vxe_fma(a.x, b.y, -(a.y * b.x))};
}

VXE_INLINE vxe_vec3 vec_sub(vxe_vec3 a, vxe_vec3 b)
{
    return (vxe_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

VXE_INLINE vxe_vec3 vec_add(vxe_vec3 a, vxe_vec3 b)
{
    return (vxe_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* a + s b */
VXE_INLINE vxe_vec3 vec_add_scaled(vxe_vec3 a, vxe_real s, vxe_vec3 b)
{
    return (vxe_vec3){vxe_fma(s, b.x, a.x), vxe_fma(s, b.y, a.y), vxe_fma(s, b.z, a.z)};
}

VXE_INLINE vxe_real component(int axis, vxe_vec3 a)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

VXE_INLINE vxe_vec3 vec_scaled(vxe_real s, vxe_vec3 a)
{
    return (vxe_vec3){s * a.x, s * a.y, s * a.z};
}

/* The products of components. */
VXE_INLINE vxe_vec3 vec_times(vxe_vec3 a, vxe_vec3 b)
{
    return (vxe_vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

/* a rotated by q, or by its inverse where sign is -1. */
VXE_INLINE vxe_vec3 turned_by(vxe_quat q, vxe_real sign, vxe_vec3 a)
{
    const vxe_vec3 u = {q.x, q.y, q.z};
    const vxe_vec3 twice = vec_scaled(2 * sign, vec_cross(u, a));
    const vxe_vec3 part = vec_add_scaled(a, q.w, twice);
    return vec_add_scaled(part, sign, vec_cross(u, twice));
}

/* a rotated by the inverse of q: a - 2 w (q x a) + 2 q x (q x a). The numbers of turned_by with -1,
   but for the sign of zeros, which some laws keep. */
VXE_INLINE vxe_vec3 turned_back(vxe_quat q, vxe_vec3 a)
{
    const vxe_vec3 u = {q.x, q.y, q.z};
    const vxe_vec3 twice = vec_scaled(2, vec_cross(u, a));
    return vec_add(vec_add_scaled(a, -q.w, twice), vec_cross(u, twice));
}

/* A height or position: the sum of two numbers in mixed precision, one number in double. */
typedef struct vxe_coordinate {
    vxe_real high;
#ifdef VXE_MIXED
    vxe_real low;
#endif
} vxe_coordinate;

VXE_INLINE vxe_coordinate place_of(double value)
{
    vxe_coordinate place = {.high = (vxe_real)value};
#ifdef VXE_MIXED
    place.low = (vxe_real)(value - (double)place.high);
#endif
    return place;
}

/* place + h v, carrying what the sum of two floats rounds away (two-sum, Knuth1997). */
VXE_INLINE vxe_coordinate coordinate_moved(vxe_coordinate place, vxe_real h, vxe_real v)
{
#ifdef VXE_MIXED
    const vxe_real step = vxe_fma(h, v, place.low);
    const vxe_real sum = place.high + step;
    const vxe_real part = sum - place.high;
    return (vxe_coordinate){sum, (place.high - (sum - part)) + (step - part)};
#else
    return (vxe_coordinate){vxe_fma(h, v, place.high)};
#endif
}

#endif
