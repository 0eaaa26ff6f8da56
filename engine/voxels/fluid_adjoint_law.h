/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The force of a fluid backwards (docs/glossary.md, Adjoint): from the virtual displacement y of a voxel to the
   adjoints of what fluid_force follows from. One lane of a vector loop. With Q the voxel's rotation, u = Q^T v its
   velocity along its own axes and f its drag there, the force is F = Q f(u) + buoyancy. A small turn t changes y.F
   by y.(t x Q f) = t.(Q f x y), and u by -Q^T (t x v): with a = Q l, l = f'(u) Q^T y, by -a.(t x v) = -t.(v x a).
   Whether a face leads, and whether its drag would stop the voxel within the step, is not differentiated. */
/* clang-format on */
#ifndef VXE_ENGINE_VOXELS_FLUID_ADJOINT_LAW_H
#define VXE_ENGINE_VOXELS_FLUID_ADJOINT_LAW_H

#include "engine/voxels/voxel_law.h"

/* What y.F changes with velocity, a small turn about the world's axes, edge, and mass. */
typedef struct vxe_fluid_adjoint {
    vxe_vec3 v, turn;
    vxe_real size, mass;
} vxe_fluid_adjoint;

/* Drag along one axis, and what it changes with speed, the area's factor, and max. */
typedef struct vxe_face_slopes {
    vxe_real drag, u, by_area, max;
} vxe_face_slopes;

VXE_INLINE vxe_face_slopes face_slopes(int32_t faces, vxe_real u, vxe_real by_area, vxe_real max)
{
    const vxe_real drag = face_drag(faces, u, by_area, max);
    const vxe_real speed = magnitude(u);
    const vxe_real acts = magnitude(drag) > 0 ? R(1) : R(0);
    const vxe_real pushes = by_area * speed < max ? acts : R(0);
    const vxe_real stops = acts - pushes;
    return (vxe_face_slopes){drag, -vxe_fma(2 * pushes * by_area, speed, stops * max),
                             -pushes * u * speed, -stops * u};
}

/* y: of the voxel; by_h: 1/h, by which the largest drag m/h follows mass. */
VXE_INLINE vxe_fluid_adjoint fluid_adjoint(vxe_fluid_law law, vxe_real faces, vxe_quat q,
                                           vxe_vec3 v, vxe_real size, vxe_real max, vxe_real by_h,
                                           vxe_vec3 y)
{
    const vxe_vec3 u = turned_back(q, v);
    const vxe_vec3 own = turned_back(q, y);
    const int32_t bits = (int32_t)faces;
    const vxe_real by_area = law.drag * (size * size);
    const vxe_face_slopes a = face_slopes(bits, u.x, by_area, max);
    const vxe_face_slopes b = face_slopes(bits >> 2, u.y, by_area, max);
    const vxe_face_slopes c = face_slopes(bits >> 4, u.z, by_area, max);
    const vxe_vec3 drag = turned_by(q, 1, (vxe_vec3){a.drag, b.drag, c.drag});
    const vxe_vec3 by_v = turned_by(q, 1, (vxe_vec3){a.u * own.x, b.u * own.y, c.u * own.z});
    const vxe_real by_area_of = vec_dot(own, (vxe_vec3){a.by_area, b.by_area, c.by_area});
    const vxe_real by_max = vec_dot(own, (vxe_vec3){a.max, b.max, c.max});
    const vxe_real by_volume = -law.lift * vec_dot(y, law.gravity);
    return (vxe_fluid_adjoint){
        by_v, vec_sub(vec_cross(drag, y), vec_cross(v, by_v)),
        vxe_fma(2 * law.drag * size, by_area_of, 3 * size * size * by_volume), by_h * by_max};
}

#endif
