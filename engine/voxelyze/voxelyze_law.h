/* SPDX-License-Identifier: MIT */
/* The bond law of the Voxelyze family, as one lane of a vector loop: beam elements (Hiller2014) as
   these simulators were measured to use them (docs/accuracy.md, Compatibility presets).

   Coordinates are those of the upper voxel in the lower voxel's own axes, permuted such that the
   bond points along x. In the small-angle mode its position and rotation are used as they are; in
   the large-angle mode axes are rotated to point along the chord. With d the elongation, y and z
   the deflections, s and t the rotations of the lower and the upper voxel, and the nominal edge L:
       F       = (a1 d, b1 y - b2 (s_z + t_z), b1 z + b2 (s_y + t_y)),
       M_lower = (a2 (t_x - s_x), -b2 z - b3 (2 s_y + t_y), b2 y - b3 (2 s_z + t_z)),
       M_upper: the same with s and t exchanged,
       b1 = a1, b2 = a1 L/2, b3 = a1 L^2/6.
   Dashpots act on the change of these coordinates since the last step. Forces and moments do not
   balance to first order in actuation; this is a property of that family and is kept. */
#ifndef VXE_ENGINE_VOXELYZE_VOXELYZE_LAW_H
#define VXE_ENGINE_VOXELYZE_VOXELYZE_LAW_H

#include "engine/bonds/bond_law.h"
#include "engine/voxelyze/voxelyze.h"

/* rad: chords within this angle of x are rotated onto x to first order. */
#define VOXELYZE_SMALL_TURN 0.01732

/* conj(a) b */
VXE_INLINE vxe_quat seen_from(vxe_quat a, vxe_quat b)
{
    return (vxe_quat){vxe_fma(a.w, b.w, vxe_fma(a.x, b.x, vxe_fma(a.y, b.y, a.z * b.z))),
                      vxe_fma(a.w, b.x, vxe_fma(-a.x, b.w, vxe_fma(-a.y, b.z, a.z * b.y))),
                      vxe_fma(a.w, b.y, vxe_fma(-a.y, b.w, vxe_fma(-a.z, b.x, a.x * b.z))),
                      vxe_fma(a.w, b.z, vxe_fma(-a.z, b.w, vxe_fma(-a.x, b.y, a.y * b.x)))};
}

/* A rotation about an axis perpendicular to x, as a quaternion with x = 0. */
typedef struct vxe_tilt {
    vxe_real w, y, z;
} vxe_tilt;

/* The quaternion product t q. */
VXE_INLINE vxe_quat tilted(vxe_tilt t, vxe_quat q)
{
    return (vxe_quat){vxe_fma(t.w, q.w, -vxe_fma(t.y, q.y, t.z * q.z)),
                      vxe_fma(t.w, q.x, vxe_fma(t.y, q.z, -(t.z * q.y))),
                      vxe_fma(t.w, q.y, vxe_fma(t.y, q.w, t.z * q.x)),
                      vxe_fma(t.w, q.z, vxe_fma(t.z, q.w, -(t.y * q.x)))};
}

/* The rotation matrix of q conj(t) by columns: from the axes of the law to world axes. */
typedef struct vxe_columns {
    vxe_vec3 x, y, z;
} vxe_columns;

VXE_INLINE vxe_columns columns_of(vxe_quat q, vxe_tilt t)
{
    const vxe_real w = vxe_fma(q.w, t.w, vxe_fma(q.y, t.y, q.z * t.z));
    const vxe_real x = vxe_fma(q.x, t.w, vxe_fma(q.z, t.y, -(q.y * t.z)));
    const vxe_real y = vxe_fma(q.y, t.w, vxe_fma(-q.w, t.y, q.x * t.z));
    const vxe_real z = vxe_fma(q.z, t.w, vxe_fma(-q.w, t.z, -(q.x * t.y)));
    const vxe_real x2 = x + x;
    const vxe_real y2 = y + y;
    const vxe_real z2 = z + z;
    const vxe_real wx = w * x2;
    const vxe_real wy = w * y2;
    const vxe_real wz = w * z2;
    return (vxe_columns){{1 - vxe_fma(y, y2, z * z2), vxe_fma(x, y2, wz), vxe_fma(x, z2, -wy)},
                         {vxe_fma(x, y2, -wz), 1 - vxe_fma(x, x2, z * z2), vxe_fma(y, z2, wx)},
                         {vxe_fma(x, z2, wy), vxe_fma(y, z2, -wx), 1 - vxe_fma(x, x2, y * y2)}};
}

/* The matrix times a vector. */
VXE_INLINE vxe_vec3 along_columns(const vxe_columns *m, vxe_vec3 v)
{
    return vec_add_scaled(vec_add_scaled(vec_scaled(v.x, m->x), v.y, m->y), v.z, m->z);
}

/* From a voxel's axes to those in which a bond of an axis points along x. */
VXE_INLINE vxe_vec3 to_bond(int axis, vxe_vec3 v)
{
    return axis == 0 ? v : axis == 1 ? (vxe_vec3){v.y, -v.x, v.z} : (vxe_vec3){v.z, v.y, -v.x};
}

/* The inverse of to_bond. */
VXE_INLINE vxe_vec3 from_bond(int axis, vxe_vec3 v)
{
    return axis == 0 ? v : axis == 1 ? (vxe_vec3){-v.y, v.x, v.z} : (vxe_vec3){-v.z, v.y, v.x};
}

/* Rotation angle divided by |v|, for a unit quaternion (w, v) with v2 = |v|^2 and inverse
 * = 1/(1 + w): the tangent of a quarter of the angle is |v|/(1 + w). Angles are capped at half a
 * turn. */
VXE_INLINE vxe_real angle_by_vector(vxe_real v2, vxe_real inverse)
{
    const vxe_real tangent2 = v2 * inverse * inverse;
    const vxe_real u = tangent2 < 1 ? tangent2 : R(1.0);
    return 4 * inverse * vxe_fma(u, arctangent_tail(u), 1);
}

/* Coordinates of a bond, in the order of its history (core/voxelyze_state.h). */
typedef struct vxe_voxelyze_pose {
    vxe_real large;
    vxe_vec3 place;
    vxe_vec3 tilt; /* x is 0 */
    vxe_vec3 turn;
} vxe_voxelyze_pose;

/* a if part is 0, b if it is 1. Arithmetic in place of a choice, since compilers compute both
 * quotients of a choice. */
VXE_INLINE vxe_real between(vxe_real part, vxe_real a, vxe_real b)
{
    return vxe_fma(part, b - a, a);
}

/* The rotation that brings a chord d of length h onto x: exact, or to first order if the chord is
 * near x. One division serves all three quotients. */
VXE_INLINE vxe_tilt onto_x(vxe_vec3 d, vxe_real h)
{
    const vxe_real y_size = d.y < 0 ? -d.y : d.y;
    const vxe_real z_size = d.z < 0 ? -d.z : d.z;
    const vxe_real wider = y_size > z_size ? y_size : z_size;
    const vxe_real is_near = wider < R(VOXELYZE_SMALL_TURN) * d.x ? R(1.0) : R(0.0);
    const vxe_real x = between(is_near, h, d.x);
    const vxe_real sum = h + d.x;
    const vxe_real min = R(1e-12) * h;
    const vxe_real g = sum > min ? sum : min;
    const vxe_real gx = g * x;
    const vxe_real inverse = 1 / (h * gx);
    const vxe_real hi = h * inverse;
    const vxe_real w = vxe_root(R(0.5) * g * (gx * inverse)); /* (g/2h)^1/2 */
    const vxe_real by = between(is_near, w * (x * hi), R(0.5) * (g * hi));
    const vxe_real y = by * d.z;
    const vxe_real z = -(by * d.y);
    const vxe_real first_order = vxe_fma(R(-0.5), vxe_fma(y, y, z * z), 1);
    return (vxe_tilt){between(is_near, w, first_order), y, z};
}

/* 1 if a bond has diverged, that is unless |r| < 100 l; a NaN counts as diverged too. The bounds of
 * the native law would be too narrow: published robots compress and rotate bonds further. */
VXE_INLINE vxe_real out_of_reach(vxe_vec3 r, vxe_real length)
{
    return vec_dot(r, r) < R(1e4) * length * length ? R(0.0) : R(1.0);
}

/* Pose of the upper voxel relative to the lower one. */
typedef struct vxe_voxelyze_view {
    vxe_vec3 d; /* m */
    vxe_quat q;
    vxe_real length; /* m, of the bond without stress */
} vxe_voxelyze_view;

/* Coordinates of a bond, in the mode that follows from its pose and the mode of the last step
 * (hysteresis). align: the rotation from the lower voxel's axes to those of the law. */
VXE_INLINE vxe_voxelyze_pose voxelyze_pose(vxe_voxelyze_law law, const vxe_voxelyze_view *view,
                                           vxe_real was_large, vxe_voxelyze_bounds enter,
                                           vxe_voxelyze_bounds leave, vxe_tilt *align)
{
    const vxe_vec3 d = view->d;
    const vxe_real cosine = vxe_fma(was_large, enter.cosine - leave.cosine, leave.cosine);
    const vxe_real across = vxe_fma(was_large, enter.across - leave.across, leave.across);
    const vxe_real stretch = vxe_fma(was_large, enter.stretch - leave.stretch, leave.stretch);
    const vxe_real off = (d.y < 0 ? -d.y : d.y) + (d.z < 0 ? -d.z : d.z);
    const vxe_real max = stretch * view->length;
    vxe_real large = 1;
    if (law == VXE_VOXELYZE_ORIGINAL) {
        const vxe_real shrink = vxe_fma(was_large, enter.shrink - leave.shrink, leave.shrink);
        const int small = (off < across * d.x) & (d.x < max) & (d.x > shrink * view->length);
        large = small ? R(0.0) : R(1.0);
    } else {
        const int small = (view->q.w > cosine) & (off < across * d.x) & (d.x < max);
        large = small ? R(0.0) : R(1.0);
    }
    const vxe_real h = vxe_root(vec_dot(d, d));
    const vxe_tilt turn = onto_x(d, h);
    const vxe_tilt t = {between(large, 1, turn.w), large * turn.y, large * turn.z};
    const vxe_quat q = tilted(t, view->q);
    const vxe_real one = 1 + t.w;
    const vxe_real sum = 1 + q.w;
    const vxe_real two = sum > R(1e-12) ? sum : R(1e-12);
    const vxe_real inverse = 1 / (one * two);
    const vxe_real by_t = angle_by_vector(vxe_fma(t.y, t.y, t.z * t.z), two * inverse);
    const vxe_real by_q =
        angle_by_vector(vxe_fma(q.x, q.x, vxe_fma(q.y, q.y, q.z * q.z)), one * inverse);
    *align = t;
    return (vxe_voxelyze_pose){
        large,
        {between(large, d.x, h) - view->length, (1 - large) * d.y, (1 - large) * d.z},
        {0, by_t * t.y, by_t * t.z},
        {by_q * q.x, by_q * q.y, by_q * q.z}};
}

/* Force on the lower voxel and moments on both, in the axes of the law. a1: stiffness, multiplied
 * by axial along the bond; a2: torsion. */
typedef struct vxe_voxelyze_force {
    vxe_vec3 force, lower, upper;
} vxe_voxelyze_force;

VXE_INLINE vxe_voxelyze_force voxelyze_action(const vxe_voxelyze_pose *at, vxe_real a1,
                                              vxe_real axial, vxe_real a2, vxe_real edge)
{
    const vxe_vec3 p = at->place;
    const vxe_vec3 s = at->tilt;
    const vxe_vec3 t = at->turn;
    const vxe_real b2 = R(0.5) * edge * a1;
    const vxe_real b3 = edge * edge * a1 * R(1.0 / 6.0);
    const vxe_real twist = a2 * (t.x - s.x);
    const vxe_real by_y = b2 * p.y;
    const vxe_real by_z = b2 * p.z;
    return (vxe_voxelyze_force){{axial * a1 * p.x, vxe_fma(a1, p.y, -(b2 * (s.z + t.z))),
                                 vxe_fma(a1, p.z, b2 * (s.y + t.y))},
                                {twist, vxe_fma(-b3, vxe_fma(2, s.y, t.y), -by_z),
                                 vxe_fma(-b3, vxe_fma(2, s.z, t.z), by_y)},
                                {-twist, vxe_fma(-b3, vxe_fma(2, t.y, s.y), -by_z),
                                 vxe_fma(-b3, vxe_fma(2, t.z, s.z), by_y)}};
}

#endif
