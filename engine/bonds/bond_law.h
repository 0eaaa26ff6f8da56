/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The native bond law (docs/physics.md, Beam bonds): a beam of twelve degrees of freedom between two voxels, as the
   gradient of one potential about the frame half way between their orientations (mid frame), so that
   forces are conservative, linear and angular momentum are exact, and no small/large-angle switch
   is needed. Everything here is one lane of a vector loop: no branches, explicit fma, one division.

   With r = x2 - x1, Q = normalise(q1 + q2) the mid frame, e = Q times the bond's lattice axis, l its
   rest length and phi the rotation vector from voxel 1 to voxel 2, all in world axes:
       U = 1/2 [ k_s |d|^2 + (k_a - k_s) (d.e)^2 + k_b |phi|^2 + (k_t - k_b) (phi.e)^2 ],  d = r - l e
   (and k_c e.(d x phi) couples condensed pairs). The section is square, so that the stiffness is
   that of any frame that has e as an axis, and no other axis of Q is ever needed. Then
       F1 = f,  F2 = -F1,  M1 = A + B,  M2 = A - B,
       A = (r x F1)/2,  B = S m + (r x f) x v / (2 (1 + w)),
   v, w the vector and scalar parts of q2 conj(q1), f = dU/dd, m = dU/dphi,
       S m = G m + (1-G) v (v.m)/|v|^2,   G = |phi/2| / |v|.

   q1 and q2 are taken with q1.q2 > 0, as continuous motion from the rest state keeps them; a bond
   with q1.q2 <= 0.05 has diverged. */
/* clang-format on */
#ifndef VXE_ENGINE_BONDS_BOND_LAW_H
#define VXE_ENGINE_BONDS_BOND_LAW_H

#include "engine/core/vec.h"

/* Above 0 where a bond has diverged: not (0.1 l < |r| < 4 l), or not (q1.q2 > 0.05), which is
   174 degrees between its ends. A NaN fails these comparisons too. Bars, which do not rotate,
   pass cosine 1. */
VXE_INLINE vxe_real beyond_bounds(vxe_vec3 r, vxe_real length, vxe_real cosine)
{
    const vxe_real r2 = vec_dot(r, r);
    const vxe_real l2 = length * length;
    const vxe_real close = r2 > R(0.1) * R(0.1) * l2 ? R(0.0) : R(1.0);
    const vxe_real far = r2 < R(4.0) * R(4.0) * l2 ? R(0.0) : R(1.0);
    const vxe_real turned = cosine > R(0.05) ? R(0.0) : R(1.0);
    return close + far + turned;
}

/* One bit for each lane whose sum of beyond_bounds is above 0. */
VXE_INLINE uint32_t failed_lanes(const vxe_real *failures, uint32_t lanes)
{
    uint32_t failed = 0;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        failed |= (uint32_t)(failures[lane] > 0) << lane;
    }
    return failed;
}

/* Mid frame of a bond, in world axes. */
typedef struct vxe_mid_frame {
    vxe_vec3 axis;           /* e: the bond's lattice axis, rotated */
    vxe_real one_minus_axis; /* 1 less its component along that lattice axis, to full relative
                                accuracy */
    vxe_vec3 vector;         /* v: vector part of q2 conj(q1) */
    vxe_real scalar;         /* w: its scalar part, q1.q2 */
    vxe_real inverse;        /* 1 / (1 + w) */
} vxe_mid_frame;

/* exists: all bits, or none where there is no bond. Then the one number that could be infinite
   is zero, and everything computed from it is finite, to be multiplied by a stiffness of zero. */
VXE_INLINE vxe_mid_frame mid_frame(int axis, vxe_quat q1, vxe_quat q2, vxe_real_mask exists)
{
    vxe_mid_frame frame;
    const vxe_vec3 v1 = {q1.x, q1.y, q1.z};
    const vxe_vec3 v2 = {q2.x, q2.y, q2.z};
    frame.scalar = vxe_fma(q1.w, q2.w, vec_dot(v1, v2));
    const vxe_vec3 turn = vec_cross(v1, v2);
    frame.vector = (vxe_vec3){vxe_fma(q1.w, v2.x, vxe_fma(-q2.w, v1.x, turn.x)),
                              vxe_fma(q1.w, v2.y, vxe_fma(-q2.w, v1.y, turn.y)),
                              vxe_fma(q1.w, v2.z, vxe_fma(-q2.w, v1.z, turn.z))};
    /* |q1 + q2|^2 = 2 (1 + w): one division serves the axis and the half angle */
    frame.inverse = keep_bits(1 / (1 + frame.scalar), exists);
    const vxe_real w = q1.w + q2.w;
    const vxe_real x = v1.x + v2.x;
    const vxe_real y = v1.y + v2.y;
    const vxe_real z = v1.z + v2.z;
    const vxe_real s = frame.inverse;
    if (axis == 0) {
        const vxe_real sy = s * y;
        const vxe_real sz = s * z;
        frame.one_minus_axis = vxe_fma(sy, y, sz * z);
        frame.axis =
            (vxe_vec3){1 - frame.one_minus_axis, vxe_fma(sy, x, sz * w), vxe_fma(sz, x, -(sy * w))};
    } else if (axis == 1) {
        const vxe_real sx = s * x;
        const vxe_real sz = s * z;
        frame.one_minus_axis = vxe_fma(sx, x, sz * z);
        frame.axis =
            (vxe_vec3){vxe_fma(sx, y, -(sz * w)), 1 - frame.one_minus_axis, vxe_fma(sz, y, sx * w)};
    } else {
        const vxe_real sx = s * x;
        const vxe_real sy = s * y;
        frame.one_minus_axis = vxe_fma(sx, x, sy * y);
        frame.axis =
            (vxe_vec3){vxe_fma(sx, z, sy * w), vxe_fma(sy, z, -(sx * w)), 1 - frame.one_minus_axis};
    }
    return frame;
}

/* a with its part on the axis e times `along` and its part normal to e times `across`. */
VXE_INLINE vxe_vec3 weigh(vxe_vec3 e, vxe_real along, vxe_real across, vxe_vec3 a)
{
    return vec_add_scaled(vec_scaled(across, a), (along - across) * vec_dot(a, e), e);
}

/* (atan(t)/t - 1) / t^2 as a polynomial in u = t^2, fitted on 0 <= u <= 0.91, rotations up to 174
   degrees between neighbours, by Estrin's scheme: the depth of the chain is what the loop waits
   for. Fits made for this file. Double: 14 terms, relative error of the angle below 4e-13. Float: 8
   terms, 1e-8. */
VXE_INLINE vxe_real arctangent_tail(vxe_real u)
{
    const vxe_real u2 = u * u;
    const vxe_real u4 = u2 * u2;
#ifdef VXE_MIXED
    const vxe_real p0 = vxe_fma(R(0.1999730910966569), u, R(-0.3333328095791803));
    const vxe_real p1 = vxe_fma(R(0.10818153218453662), u, R(-0.1424463332904542));
    const vxe_real p2 = vxe_fma(R(0.04814444401911388), u, R(-0.0792171330071252));
    const vxe_real p3 = vxe_fma(R(0.0038747276120438146), u, R(-0.01977829792877523));
    return vxe_fma(vxe_fma(p3, u2, p2), u4, vxe_fma(p1, u2, p0));
#else
    const vxe_real u8 = u4 * u4;
    const vxe_real p0 = vxe_fma(0.19999999972809948, u, -0.3333333333327035);
    const vxe_real p1 = vxe_fma(0.11111054779530215, u, -0.1428571232262197);
    const vxe_real p2 = vxe_fma(0.07684485598259137, u, -0.09090056838135818);
    const vxe_real p3 = vxe_fma(0.05683860485136718, u, -0.06619381777411591);
    const vxe_real p4 = vxe_fma(0.03416346513687062, u, -0.04662890274363218);
    const vxe_real p5 = vxe_fma(0.009093932806111272, u, -0.02050576223768244);
    const vxe_real p6 = vxe_fma(0.00034527680221228927, u, -0.002579011057330432);
    const vxe_real q0 = vxe_fma(p1, u2, p0);
    const vxe_real q1 = vxe_fma(p3, u2, p2);
    const vxe_real q2 = vxe_fma(p5, u2, p4);
    return vxe_fma(vxe_fma(p6, u4, q2), u8, vxe_fma(q1, u4, q0));
#endif
}

/* The chord of a bond, between the centres of its voxels. */
typedef struct vxe_chord {
    vxe_vec3 r;      /* m: x2 - x1 */
    vxe_real length; /* m: l, the rest length */
    vxe_real excess; /* m: r along the lattice axis, less l. Kept apart, since floats would lose
                        a strain of 1e-7 in r itself. */
} vxe_chord;

/* d = r - l e. */
VXE_INLINE vxe_vec3 deformation(int axis, const vxe_mid_frame *frame, const vxe_chord *chord)
{
    const vxe_vec3 across = vec_add_scaled(chord->r, -chord->length, frame->axis);
    const vxe_real along = vxe_fma(chord->length, frame->one_minus_axis, chord->excess);
    return (vxe_vec3){axis == 0 ? along : across.x, axis == 1 ? along : across.y,
                      axis == 2 ? along : across.z};
}

/* Strain of a bond along its rotated axis, relative to the lattice's edge, as stress is k d/a^2. */
VXE_INLINE vxe_real axial_strain(int axis, const vxe_mid_frame *frame, const vxe_chord *chord,
                                 vxe_real by_edge)
{
    return vec_dot(deformation(axis, frame, chord), frame->axis) * by_edge;
}

/* Poisson tension (N) that a voxel adds to its bonds on one axis, from the sums of its strains
   on the two other axes and their coupling. */
VXE_INLINE vxe_real tension_across(vxe_real with_b, vxe_real sum_b, vxe_real with_c, vxe_real sum_c)
{
    return R(0.5) * vxe_fma(with_b, sum_b, with_c * sum_c);
}

/* Poisson tension of a bond, from those of its two voxels and the lower one's part of its
   strain. */
VXE_INLINE vxe_real bond_tension_across(vxe_real lower_part, vxe_real lower, vxe_real upper)
{
    return vxe_fma(lower_part, lower, (2 - lower_part) * upper);
}

/* Elastic force on voxel 1 and the moment part B. */
typedef struct vxe_elastic {
    vxe_vec3 force;
    vxe_vec3 moment;
} vxe_elastic;

typedef struct vxe_springs {
    vxe_real axial, shear, torsion, bending, couple;
    vxe_real poisson_tension; /* N: tension that does not come from this bond's strain */
} vxe_springs;

/* even: the shear spring equals the axial one. coupled: k_c and the Poisson tension act. */
VXE_INLINE vxe_elastic elastic_response(int axis, int even, int coupled, const vxe_mid_frame *frame,
                                        const vxe_chord *chord, vxe_springs k)
{
    const vxe_vec3 e = frame->axis;
    const vxe_vec3 v = frame->vector;
    const vxe_vec3 d = deformation(axis, frame, chord);
    const vxe_real s2 = vec_dot(v, v);
    const vxe_real inverse2 = frame->inverse * frame->inverse;
    const vxe_real tail = arctangent_tail(s2 * inverse2);
    const vxe_real twice = 2 * frame->inverse;
    const vxe_real g = twice * vxe_fma(s2 * inverse2, tail, 1); /* |phi/2| / |v| */
    const vxe_real h = -(vxe_fma(twice, tail, 1) * inverse2);   /* (1 - g) / |v|^2 */
    const vxe_real two_g = g + g;                               /* phi = two_g v */

    vxe_vec3 f = even ? vec_scaled(k.axial, d) : weigh(e, k.axial, k.shear, d);
    vxe_vec3 m = weigh(e, two_g * k.torsion, two_g * k.bending, v);
    if (coupled) {
        f = vec_add_scaled(f, k.poisson_tension, e);
        f = vec_add_scaled(f, two_g * k.couple, vec_cross(v, e));
        m = vec_add_scaled(m, k.couple, vec_cross(e, d));
    }
    const vxe_vec3 turn = vec_cross(vec_cross(chord->r, f), v);
    const vxe_real vm = h * vec_dot(v, m);
    const vxe_real half = R(0.5) * frame->inverse;
    const vxe_vec3 moment = {vxe_fma(half, turn.x, vxe_fma(g, m.x, vm * v.x)),
                             vxe_fma(half, turn.y, vxe_fma(g, m.y, vm * v.y)),
                             vxe_fma(half, turn.z, vxe_fma(g, m.z, vm * v.z))};
    return (vxe_elastic){f, moment};
}

/* Elastic energy of a bond (J); the same kinematics as the force. */
VXE_INLINE vxe_real elastic_energy(int axis, const vxe_mid_frame *frame, const vxe_chord *chord,
                                   vxe_springs k)
{
    const vxe_vec3 e = frame->axis;
    const vxe_vec3 d = deformation(axis, frame, chord);
    const vxe_real u = vec_dot(frame->vector, frame->vector) * (frame->inverse * frame->inverse);
    const vxe_real g = 2 * frame->inverse * vxe_fma(u, arctangent_tail(u), 1);
    const vxe_vec3 phi = vec_scaled(2 * g, frame->vector);
    return R(0.5) * (vec_dot(weigh(e, k.axial, k.shear, d), d) +
                     vec_dot(weigh(e, k.torsion, k.bending, phi), phi)) +
           k.couple * vec_dot(e, vec_cross(d, phi));
}

/* Rate of the relative displacement that a rigid motion leaves zero (MetaVoxels, V21 with its
   product read as a cross product): v2 - v1 - (w1 + w2) x r/2, in world axes. */
VXE_INLINE vxe_vec3 relative_rate(vxe_vec3 half_r, vxe_vec3 dv, vxe_vec3 w1, vxe_vec3 w2)
{
    const vxe_vec3 sum = {w1.x + w2.x, w1.y + w2.y, w1.z + w2.z};
    return vec_sub(dv, vec_cross(sum, half_r));
}

#endif
