/* SPDX-License-Identifier: MIT */
/* Laws of a voxel beside floor, friction, rotation and actuation, which have files of their own:
   the middle velocity of the damping iteration, and the force of a fluid (docs/physics.md,
   Fluid). Each function is one lane of a vector loop; single bodies and robots in lanes share
   them, and so have the same bits. */
#ifndef VXE_ENGINE_VOXELS_VOXEL_LAW_H
#define VXE_ENGINE_VOXELS_VOXEL_LAW_H

#include "engine/core/vec.h"
#include "engine/voxels/dither_law.h"

/* In float, global drag ends at speeds (m/s, rad/s) of 3e-23: there is nothing to see any more, and
   the offsets of rounding would become denormal numbers, which x86-64 takes for 0 and other
   machines keep. */
#ifdef VXE_MIXED
#define VXE_MIN_DRAGGED 0x1p-75f
#else
#define VXE_MIN_DRAGGED 0.0
#endif

/* A force with that of global drag. */
VXE_INLINE vxe_real dragged(vxe_real drag, vxe_real rate, vxe_real force)
{
    return magnitude(rate) < VXE_MIN_DRAGGED ? force : vxe_fma(-drag, rate, force);
}

/* A velocity after an exact decay by global drag; change: the factor less 1. */
VXE_INLINE vxe_real decayed_by(const vxe_dither *by, vxe_real rate, vxe_real change)
{
    return dithered(by, rate, magnitude(rate) < VXE_MIN_DRAGGED ? R(0) : change, rate);
}

/* The middle velocity that damping iterations start from: the mean of those before and after a
   kick. */
VXE_INLINE vxe_real halfway(vxe_real before, vxe_real behind)
{
    return R(0.5) * (before + behind);
}

/* Numbers of a fluid at rest. */
typedef struct vxe_fluid_law {
    vxe_real drag;    /* rho C_d/2 */
    vxe_real lift;    /* kg/m^3: density of the displaced fluid; 0 without buoyancy */
    vxe_vec3 gravity; /* m/s^2 */
} vxe_fluid_law;

/* Drag along one axis of the voxel, at speed u along it, on the leading face if it is free.
   faces: bits of the faces towards + and -. It is at most max = m/h times the speed, which stops
   the voxel within the step: drag never reverses the motion. */
VXE_INLINE vxe_real face_drag(int32_t faces, vxe_real u, vxe_real by_area, vxe_real max)
{
    const vxe_real speed = u < 0 ? -u : u;
    const int32_t ahead = u < 0 ? faces >> 1 : faces;
    const vxe_real push = by_area * (speed * speed);
    const vxe_real stop = max * speed;
    const vxe_real drag = ahead & 1 ? (push < stop ? push : stop) : R(0);
    return u < 0 ? drag : -drag;
}

/* Force on a voxel of edge size that moves at v, rotated by q: quadratic drag per free face, F =
   -rho C_d A v_n^2/2 n, and buoyancy (docs/physics.md, Fluid). */
VXE_INLINE vxe_vec3 fluid_force(vxe_fluid_law law, vxe_real faces, vxe_quat q, vxe_vec3 v,
                                vxe_real size, vxe_real max)
{
    const vxe_vec3 u = turned_back(q, v);
    const int32_t bits = (int32_t)faces;
    const vxe_real area = size * size;
    const vxe_real by_area = law.drag * area;
    const vxe_vec3 f = {face_drag(bits, u.x, by_area, max), face_drag(bits >> 2, u.y, by_area, max),
                        face_drag(bits >> 4, u.z, by_area, max)};
    return vec_add_scaled(turned_by(q, 1, f), -(law.lift * (area * size)), law.gravity);
}

#endif
