/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The native bond law, written once: a beam of twelve degrees of freedom between two voxels, as the
   gradient of one potential in the frame half way between their orientations (mid frame), so that
   forces are conservative, linear and angular momentum are exact, and no small/large-angle switch
   is needed. Everything here is one lane of a vector loop: no branches, explicit fma, one division.

   With r = x2 - x1, mid frame Q = normalise(q1 + q2), rr = Q^T r, e the bond's lattice axis, l its
   rest length, phi the rotation vector from voxel 1 to voxel 2 (the same numbers in both bodies and
   in the mid frame):
       U = 1/2 [ k_a d_a^2 + k_s |d_t|^2 + k_t phi_a^2 + k_b |phi_t|^2 ],   d = rr - l e
   (and k_c couples condensed pairs). Then
       F1 = Q f,  F2 = -F1,  M1 = A + B,  M2 = A - B,
       A = (r x F1)/2,  B = Q [ S m + (rr x f) x v / (2 (1 + w)) ],
   v, w the vector and scalar parts of conj(q1) q2, f = dU/dd, m = dU/dphi,
       S m = G m + (1-G) v (v.m)/|v|^2,   G = |phi/2| / |v|.

   q1 and q2 are taken with q1.q2 > 0, as continuous motion from the rest state keeps them; a bond
   with q1.q2 <= 0.05 has diverged. */
/* clang-format on */
#ifndef VXE_ENGINE_BOND_LAW_INTERNAL_H
#define VXE_ENGINE_BOND_LAW_INTERNAL_H

#include <math.h>

#define VXE_INLINE static inline __attribute__((always_inline))

typedef struct vxe_lane3 {
    double x, y, z;
} vxe_lane3;

typedef struct vxe_lane4 {
    double w, x, y, z;
} vxe_lane4;

VXE_INLINE double lane_dot(vxe_lane3 a, vxe_lane3 b)
{
    return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

VXE_INLINE vxe_lane3 lane_cross(vxe_lane3 a, vxe_lane3 b)
{
    return (vxe_lane3){fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)),
                       fma(a.x, b.y, -(a.y * b.x))};
}

VXE_INLINE vxe_lane3 lane_sub(vxe_lane3 a, vxe_lane3 b)
{
    return (vxe_lane3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* a + s b */
VXE_INLINE vxe_lane3 lane_add_scaled(vxe_lane3 a, double s, vxe_lane3 b)
{
    return (vxe_lane3){fma(s, b.x, a.x), fma(s, b.y, a.y), fma(s, b.z, a.z)};
}

/* 1 where a bond has diverged: not (0.1 l < |r| < 4 l), or not (q1.q2 > 0.05), which is 174 degrees
   between its ends. Comparisons that a NaN fails. Bars, which do not turn, pass cosine 1. */
VXE_INLINE double beyond_bounds(vxe_lane3 r, double length, double cosine)
{
    const double r2 = lane_dot(r, r);
    const double l2 = length * length;
    const int good = (r2 > 0.1 * 0.1 * l2) & (r2 < 4.0 * 4.0 * l2) & (cosine > 0.05);
    return good ? 0.0 : 1.0;
}

/* The mid frame of a bond: columns are its axes in world coordinates. */
typedef struct vxe_mid_frame {
    vxe_lane3 column[3];
    vxe_lane3 vector; /* v: vector part of conj(q1) q2 */
    double scalar;    /* w: its scalar part, q1.q2 */
    double inverse;   /* 1 / (1 + w) */
} vxe_mid_frame;

VXE_INLINE vxe_mid_frame mid_frame(vxe_lane4 q1, vxe_lane4 q2)
{
    vxe_mid_frame frame;
    const vxe_lane3 v1 = {q1.x, q1.y, q1.z};
    const vxe_lane3 v2 = {q2.x, q2.y, q2.z};
    frame.scalar = fma(q1.w, q2.w, lane_dot(v1, v2));
    const vxe_lane3 turn = lane_cross(v2, v1);
    frame.vector = (vxe_lane3){fma(q1.w, v2.x, fma(-q2.w, v1.x, turn.x)),
                               fma(q1.w, v2.y, fma(-q2.w, v1.y, turn.y)),
                               fma(q1.w, v2.z, fma(-q2.w, v1.z, turn.z))};
    /* |q1 + q2|^2 = 2 (1 + w): one division serves the frame and the half angle */
    frame.inverse = 1 / (1 + frame.scalar);
    const double w = q1.w + q2.w;
    const double x = v1.x + v2.x;
    const double y = v1.y + v2.y;
    const double z = v1.z + v2.z;
    const double s = frame.inverse;
    const double sx = s * x;
    const double sy = s * y;
    const double sz = s * z;
    frame.column[0] =
        (vxe_lane3){1 - fma(sy, y, sz * z), fma(sx, y, sz * w), fma(sx, z, -(sy * w))};
    frame.column[1] =
        (vxe_lane3){fma(sx, y, -(sz * w)), 1 - fma(sx, x, sz * z), fma(sy, z, sx * w)};
    frame.column[2] =
        (vxe_lane3){fma(sx, z, sy * w), fma(sy, z, -(sx * w)), 1 - fma(sx, x, sy * y)};
    return frame;
}

VXE_INLINE vxe_lane3 into_frame(const vxe_mid_frame *frame, vxe_lane3 a)
{
    return (vxe_lane3){lane_dot(frame->column[0], a), lane_dot(frame->column[1], a),
                       lane_dot(frame->column[2], a)};
}

/* the frame's vector a in world axes, plus b */
VXE_INLINE vxe_lane3 out_of_frame(const vxe_mid_frame *frame, vxe_lane3 a, vxe_lane3 b)
{
    const vxe_lane3 *c = frame->column;
    return (vxe_lane3){fma(c[0].x, a.x, fma(c[1].x, a.y, fma(c[2].x, a.z, b.x))),
                       fma(c[0].y, a.x, fma(c[1].y, a.y, fma(c[2].y, a.z, b.y))),
                       fma(c[0].z, a.x, fma(c[1].z, a.y, fma(c[2].z, a.z, b.z)))};
}

/* along on the bond's axis (0 x, 1 y, 2 z), across on the other two, component by component */
VXE_INLINE vxe_lane3 weigh(int axis, double along, double across, vxe_lane3 a)
{
    return (vxe_lane3){(axis == 0 ? along : across) * a.x, (axis == 1 ? along : across) * a.y,
                       (axis == 2 ? along : across) * a.z};
}

/* (atan(t)/t - 1) / t^2 as a polynomial in u = t^2, fitted on 0 <= u <= 0.91, rotations up to 174
   degrees between neighbours; relative error of the angle below 4e-13. A Chebyshev fit of 14 terms
   made for this file. */
VXE_INLINE double arctangent_tail(double u)
{
    /* Estrin's scheme: the depth of the chain is what the loop waits for */
    const double u2 = u * u;
    const double u4 = u2 * u2;
    const double u8 = u4 * u4;
    const double p0 = fma(0.19999999972809948, u, -0.3333333333327035);
    const double p1 = fma(0.11111054779530215, u, -0.1428571232262197);
    const double p2 = fma(0.07684485598259137, u, -0.09090056838135818);
    const double p3 = fma(0.05683860485136718, u, -0.06619381777411591);
    const double p4 = fma(0.03416346513687062, u, -0.04662890274363218);
    const double p5 = fma(0.009093932806111272, u, -0.02050576223768244);
    const double p6 = fma(0.00034527680221228927, u, -0.002579011057330432);
    const double q0 = fma(p1, u2, p0);
    const double q1 = fma(p3, u2, p2);
    const double q2 = fma(p5, u2, p4);
    return fma(fma(p6, u4, q2), u8, fma(q1, u4, q0));
}

/* Elastic force on voxel 1 and the moment part B, in the mid frame. */
typedef struct vxe_elastic {
    vxe_lane3 force;
    vxe_lane3 moment;
} vxe_elastic;

typedef struct vxe_springs {
    double axial, shear, torsion, bending, couple;
} vxe_springs;

VXE_INLINE vxe_elastic elastic_response(int axis, int condensed, const vxe_mid_frame *frame,
                                        vxe_lane3 rr, double length, vxe_springs k)
{
    const vxe_lane3 d = {axis == 0 ? rr.x - length : rr.x, axis == 1 ? rr.y - length : rr.y,
                         axis == 2 ? rr.z - length : rr.z};
    const vxe_lane3 v = frame->vector;
    const double s2 = lane_dot(v, v);
    const double u = s2 * (frame->inverse * frame->inverse);
    const double tail = arctangent_tail(u);
    const double twice = 2 * frame->inverse;
    const double g = twice * fma(u, tail, 1.0); /* |phi/2| / |v| */
    const double h =
        -(fma(twice, tail, 1.0) * (frame->inverse * frame->inverse)); /* (1 - g) / |v|^2 */
    const double two_g = g + g;                                       /* phi = two_g v */

    vxe_lane3 f = weigh(axis, k.axial, k.shear, d);
    vxe_lane3 m = weigh(axis, two_g * k.torsion, two_g * k.bending, v);
    if (condensed) {
        /* U += k_c (d_y phi_z - d_z phi_y), with y and z the next two axes after the bond's */
        const double c = two_g * k.couple;
        const vxe_lane3 cross_d = axis == 0   ? (vxe_lane3){0, -d.z, d.y}
                                  : axis == 1 ? (vxe_lane3){d.z, 0, -d.x}
                                              : (vxe_lane3){-d.y, d.x, 0};
        const vxe_lane3 cross_v = axis == 0   ? (vxe_lane3){0, v.z, -v.y}
                                  : axis == 1 ? (vxe_lane3){-v.z, 0, v.x}
                                              : (vxe_lane3){v.y, -v.x, 0};
        f = lane_add_scaled(f, c, cross_v);
        m = lane_add_scaled(m, k.couple, cross_d);
    }
    const vxe_lane3 turn = lane_cross(lane_cross(rr, f), v);
    const double vm = h * lane_dot(v, m);
    const double half = 0.5 * frame->inverse;
    const vxe_lane3 moment = {fma(half, turn.x, fma(g, m.x, vm * v.x)),
                              fma(half, turn.y, fma(g, m.y, vm * v.y)),
                              fma(half, turn.z, fma(g, m.z, vm * v.z))};
    return (vxe_elastic){f, moment};
}

/* Elastic energy of a bond (J); the same kinematics as the force. */
VXE_INLINE double elastic_energy(int axis, const vxe_mid_frame *frame, vxe_lane3 rr, double length,
                                 vxe_springs k)
{
    const vxe_lane3 d = {axis == 0 ? rr.x - length : rr.x, axis == 1 ? rr.y - length : rr.y,
                         axis == 2 ? rr.z - length : rr.z};
    const vxe_lane3 v = frame->vector;
    const double u = lane_dot(v, v) * (frame->inverse * frame->inverse);
    const double g = 2 * frame->inverse * fma(u, arctangent_tail(u), 1.0);
    const vxe_lane3 phi = {2 * g * v.x, 2 * g * v.y, 2 * g * v.z};
    const double couple = axis == 0   ? d.y * phi.z - d.z * phi.y
                          : axis == 1 ? d.z * phi.x - d.x * phi.z
                                      : d.x * phi.y - d.y * phi.x;
    return 0.5 * (lane_dot(weigh(axis, k.axial, k.shear, d), d) +
                  lane_dot(weigh(axis, k.torsion, k.bending, phi), phi)) +
           k.couple * couple;
}

/* Rate of the relative displacement that a rigid motion leaves zero (source 001, V21 with its
   product read as a cross product): v2 - v1 - (w1 + w2) x r/2, in world axes. */
VXE_INLINE vxe_lane3 relative_rate(vxe_lane3 half_r, vxe_lane3 dv, vxe_lane3 w1, vxe_lane3 w2)
{
    const vxe_lane3 sum = {w1.x + w2.x, w1.y + w2.y, w1.z + w2.z};
    return lane_sub(dv, lane_cross(sum, half_r));
}

#endif
