/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The bond law backwards (docs/glossary.md, Adjoint): how the impulses of a bond's forces, weighed by the
   adjoints of velocities, change with the poses of its two voxels. One lane of a vector loop, as the law.

   A kick adds h M^-1 F to the velocities. With l the adjoint of the velocities behind it, y = h M^-1 l is a
   displacement that nothing makes, a virtual one, and what is asked for is the derivative of y.F by the
   poses. Springs have a potential, F = -dU, so that this is the change of F along y, the tangent, but for
   one term: turns about the axes of the world do not commute, and the adjoint of a voxel's turn has M x y
   in addition, with M its moment and y its virtual turn. Dashpots have none: they are a bilinear form
   y.F(u) = u.F(y) whose coefficients turn with the bond, and its derivative by the poses stands here for itself.

   Let S = y2 + y1 and D = y2 - y1 be of the virtual turns, and dr of the displacements. The mid frame turns by
       t = S/2 - i/2 v x D,    i = 1/(1 + w),
   and as seen in it the chord changes by r' = dr - t x r, the half turn by v' = (D - i (v.D) v)/2, and the axis
   not at all; so nothing of the axes is ever differentiated. In the frame of bond_law.h, with h = (1 - G)/|v|^2,
   T the tail of the arctangent and p = i^2 v.D,
       G' = (i + h w)(v.D)/2,    h' = -p (i + 3 i^2 T + 2 i^3 T').
   Derived here; tests/unit_adjoint_laws.c has differences of the law itself. */
/* clang-format on */
#ifndef VXE_ENGINE_BONDS_BOND_TANGENT_LAW_H
#define VXE_ENGINE_BONDS_BOND_TANGENT_LAW_H

#include "engine/bonds/bond_force_law.h"

/* A virtual displacement of a bond's voxels. */
typedef struct vxe_bond_motion {
    vxe_vec3 dr;     /* of the upper voxel less that of the lower */
    vxe_vec3 y1, y2; /* turns, world axes */
} vxe_bond_motion;

/* What a bond adds to the adjoints of its voxels. */
typedef struct vxe_bond_adjoint {
    vxe_vec3 place;  /* of the lower voxel's place; the upper has its negative */
    vxe_vec3 turn1;  /* of the lower voxel's turn */
    vxe_vec3 turn2;  /* of the upper voxel's turn */
    vxe_real length; /* of the rest length: half to the edge of each voxel */
} vxe_bond_adjoint;

/* The derivative of arctangent_tail. */
VXE_INLINE vxe_real arctangent_tail_slope(vxe_real u)
{
    const vxe_real u2 = u * u;
    const vxe_real u4 = u2 * u2;
#ifdef VXE_MIXED
    const vxe_real p0 = vxe_fma(R(2 * -0.1424463332904542), u, R(0.1999730910966569));
    const vxe_real p1 = vxe_fma(R(4 * -0.0792171330071252), u, R(3 * 0.10818153218453662));
    const vxe_real p2 = vxe_fma(R(6 * -0.01977829792877523), u, R(5 * 0.04814444401911388));
    const vxe_real p3 = R(7 * 0.0038747276120438146);
    return vxe_fma(vxe_fma(p3, u2, p2), u4, vxe_fma(p1, u2, p0));
#else
    const vxe_real u8 = u4 * u4;
    const vxe_real p0 = vxe_fma(2 * -0.1428571232262197, u, 0.19999999972809948);
    const vxe_real p1 = vxe_fma(4 * -0.09090056838135818, u, 3 * 0.11111054779530215);
    const vxe_real p2 = vxe_fma(6 * -0.06619381777411591, u, 5 * 0.07684485598259137);
    const vxe_real p3 = vxe_fma(8 * -0.04662890274363218, u, 7 * 0.05683860485136718);
    const vxe_real p4 = vxe_fma(10 * -0.02050576223768244, u, 9 * 0.03416346513687062);
    const vxe_real p5 = vxe_fma(12 * -0.002579011057330432, u, 11 * 0.009093932806111272);
    const vxe_real p6 = 13 * 0.00034527680221228927;
    const vxe_real q0 = vxe_fma(p1, u2, p0);
    const vxe_real q1 = vxe_fma(p3, u2, p2);
    const vxe_real q2 = vxe_fma(p5, u2, p4);
    return vxe_fma(vxe_fma(p6, u4, q2), u8, vxe_fma(q1, u4, q0));
#endif
}

/* The turn of the mid frame in a virtual displacement. */
VXE_INLINE vxe_vec3 frame_turn(const vxe_mid_frame *frame, const vxe_bond_motion *y)
{
    const vxe_vec3 half_sum = vec_scaled(R(0.5), vec_add(y->y1, y->y2));
    return vec_add_scaled(half_sum, R(-0.5) * frame->inverse,
                          vec_cross(frame->vector, vec_sub(y->y2, y->y1)));
}

/* What elastic_response computes on its way, and how it changes in a virtual displacement. */
typedef struct vxe_bond_change {
    vxe_vec3 f, m;            /* N, N m */
    vxe_vec3 f_now, m_now;    /* their changes as the mid frame sees them */
    vxe_vec3 r_now, v_now;    /* of the chord, and of the vector part of the turn */
    vxe_real g, h;            /* G, (1 - G)/|v|^2 */
    vxe_real g_now, h_now, p; /* their changes; twice that of `inverse` */
} vxe_bond_change;

VXE_INLINE vxe_bond_change bond_change(int axis, int even, int coupled, const vxe_mid_frame *frame,
                                       const vxe_chord *chord, vxe_springs k,
                                       const vxe_bond_motion *y)
{
    const vxe_vec3 e = frame->axis;
    const vxe_vec3 v = frame->vector;
    const vxe_vec3 d = deformation(axis, frame, chord);
    const vxe_vec3 D = vec_sub(y->y2, y->y1);
    const vxe_real i = frame->inverse;
    const vxe_real u = vec_dot(v, v) * (i * i);
    const vxe_real tail = arctangent_tail(u);
    const vxe_real vD = vec_dot(v, D);
    vxe_bond_change c;
    c.g = 2 * i * vxe_fma(u, tail, 1);
    c.h = -(vxe_fma(2 * i, tail, 1) * (i * i));
    c.p = i * i * vD;
    c.g_now = R(0.5) * vxe_fma(c.h, frame->scalar, i) * vD;
    c.h_now = -c.p * i * vxe_fma(i, vxe_fma(3, tail, 2 * i * arctangent_tail_slope(u)), 1);
    c.r_now = vec_sub(y->dr, vec_cross(frame_turn(frame, y), chord->r));
    c.v_now = vec_scaled(R(0.5), vec_add_scaled(D, -i * vD, v));
    c.f = even ? vec_scaled(k.axial, d) : weigh(e, k.axial, k.shear, d);
    c.f_now = even ? vec_scaled(k.axial, c.r_now) : weigh(e, k.axial, k.shear, c.r_now);
    const vxe_vec3 turned = vec_scaled(c.g, v); /* half of phi, and its change */
    const vxe_vec3 turned_now = vec_add_scaled(vec_scaled(c.g, c.v_now), c.g_now, v);
    c.m = vec_scaled(2, weigh(e, k.torsion, k.bending, turned));
    c.m_now = vec_scaled(2, weigh(e, k.torsion, k.bending, turned_now));
    if (coupled) {
        c.f = vec_add_scaled(c.f, k.poisson_tension, e);
        c.f = vec_add_scaled(c.f, 2 * k.couple, vec_cross(turned, e));
        c.f_now = vec_add_scaled(c.f_now, 2 * k.couple, vec_cross(turned_now, e));
        c.m = vec_add_scaled(c.m, k.couple, vec_cross(e, d));
        c.m_now = vec_add_scaled(c.m_now, k.couple, vec_cross(e, c.r_now));
    }
    return c;
}

/* What the springs of a bond add to the adjoints of its voxels' poses, for a kick whose virtual
   displacement is y. even, coupled: as in elastic_response. The Poisson tension counts as given. */
VXE_INLINE vxe_bond_adjoint spring_adjoint(int axis, int even, int coupled,
                                           const vxe_mid_frame *frame, const vxe_chord *chord,
                                           vxe_springs k, const vxe_bond_motion *y)
{
    const vxe_bond_change c = bond_change(axis, even, coupled, frame, chord, k, y);
    const vxe_vec3 v = frame->vector;
    const vxe_real half = R(0.5) * frame->inverse;
    const vxe_vec3 t = frame_turn(frame, y);
    const vxe_vec3 rf = vec_cross(chord->r, c.f);
    const vxe_vec3 rf_now = vec_add(vec_cross(c.r_now, c.f), vec_cross(chord->r, c.f_now));
    const vxe_real vm = vec_dot(v, c.m);
    const vxe_real vm_now = vec_dot(c.v_now, c.m) + vec_dot(v, c.m_now);
    const vxe_vec3 b =
        vec_add_scaled(vec_add_scaled(vec_scaled(c.g, c.m), c.h * vm, v), half, vec_cross(rf, v));
    vxe_vec3 b_now = vec_add_scaled(vec_scaled(c.g_now, c.m), c.g, c.m_now);
    b_now = vec_add_scaled(b_now, vxe_fma(c.h_now, vm, c.h * vm_now), v);
    b_now = vec_add_scaled(b_now, c.h * vm, c.v_now);
    b_now = vec_add_scaled(b_now, half, vec_add(vec_cross(rf_now, v), vec_cross(rf, c.v_now)));
    b_now = vec_add_scaled(b_now, R(0.25) * c.p, vec_cross(rf, v));
    const vxe_vec3 a = vec_scaled(R(0.5), rf);
    const vxe_vec3 a_now = vec_scaled(R(0.5), rf_now);
    /* M x y and the turn of the frame: M x (y1 - t) of the lower, M x (y2 - t) of the upper */
    return (vxe_bond_adjoint){
        vec_add(c.f_now, vec_cross(t, c.f)),
        vec_add(vec_add(a_now, b_now), vec_cross(vec_add(a, b), vec_sub(y->y1, t))),
        vec_add(vec_sub(a_now, b_now), vec_cross(vec_sub(a, b), vec_sub(y->y2, t))),
        k.axial * vec_dot(c.r_now, frame->axis)};
}

/* How the springs' y.F changes with each of its springs: their numbers in the places of the
   springs. Their sum, each times its spring, is y.F itself. */
VXE_INLINE vxe_springs spring_slopes(int axis, const vxe_mid_frame *frame, const vxe_chord *chord,
                                     const vxe_bond_motion *y)
{
    const vxe_vec3 e = frame->axis;
    const vxe_bond_change c = bond_change(axis, 0, 0, frame, chord, (vxe_springs){0}, y);
    const vxe_vec3 d = deformation(axis, frame, chord);
    const vxe_vec3 phi = vec_scaled(2 * c.g, frame->vector);
    const vxe_vec3 phi_now =
        vec_scaled(2, vec_add_scaled(vec_scaled(c.g, c.v_now), c.g_now, frame->vector));
    const vxe_real along = vec_dot(d, e) * vec_dot(c.r_now, e);
    const vxe_real around = vec_dot(phi, e) * vec_dot(phi_now, e);
    return (vxe_springs){.axial = -along,
                         .shear = along - vec_dot(d, c.r_now),
                         .torsion = -around,
                         .bending = around - vec_dot(phi, phi_now),
                         .couple =
                             -vec_dot(e, vec_add(vec_cross(c.r_now, phi), vec_cross(d, phi_now))),
                         .poisson_tension = -vec_dot(c.r_now, e)};
}

/* The rates at which a bond's dashpots act: of its displacement, and of its turn. */
typedef struct vxe_bond_rates {
    vxe_vec3 rate; /* as relative_rate */
    vxe_vec3 turn; /* w2 - w1 */
    vxe_vec3 sum;  /* w1 + w2 */
} vxe_bond_rates;

VXE_INLINE vxe_bond_rates bond_rates(const vxe_bond_geometry *geometry, const vxe_bond_motion *u)
{
    return (vxe_bond_rates){relative_rate(geometry->half_r, u->dr, u->y1, u->y2),
                            vec_sub(u->y2, u->y1), vec_add(u->y1, u->y2)};
}

/* What the dashpots of a bond add to the adjoints of its voxels' poses, for velocities u and a kick
   whose virtual displacement is y: the derivative of y.F(u). */
VXE_INLINE vxe_bond_adjoint dashpot_adjoint(int law, const vxe_mid_frame *frame,
                                            const vxe_bond_geometry *geometry, vxe_dashes c,
                                            const vxe_bond_motion *u, const vxe_bond_motion *y)
{
    const vxe_vec3 e = geometry->axis;
    const vxe_bond_rates of_u = bond_rates(geometry, u);
    const vxe_bond_rates of_y = bond_rates(geometry, y);
    const vxe_real shear = law & VXE_BOND_EVEN ? c.axial : c.shear;
    const vxe_vec3 f_u = weigh(e, c.axial, shear, of_u.rate);
    const vxe_vec3 f_y = weigh(e, c.axial, shear, of_y.rate);
    const vxe_vec3 lever =
        vec_scaled(R(0.5), vec_add(vec_cross(f_u, of_y.sum), vec_cross(f_y, of_u.sum)));
    vxe_vec3 by_axis = vec_scaled(-(c.axial - shear) * vec_dot(of_u.rate, e), of_y.rate);
    by_axis = vec_add_scaled(by_axis, -(c.axial - shear) * vec_dot(of_y.rate, e), of_u.rate);
    by_axis = vec_add_scaled(by_axis, -(c.torsion - c.bending) * vec_dot(of_u.turn, e), of_y.turn);
    by_axis = vec_add_scaled(by_axis, -(c.torsion - c.bending) * vec_dot(of_y.turn, e), of_u.turn);
    const vxe_vec3 n = vec_cross(e, by_axis);
    const vxe_vec3 half = vec_scaled(R(0.5), n);
    const vxe_vec3 apart = vec_scaled(R(0.5) * frame->inverse, vec_cross(n, frame->vector));
    return (vxe_bond_adjoint){vec_scaled(-1, lever), vec_add(half, apart), vec_sub(half, apart), 0};
}

/* How the dashpots' y.F(u) changes with each of them. */
VXE_INLINE vxe_dashes dashpot_slopes(const vxe_bond_geometry *geometry, const vxe_bond_motion *u,
                                     const vxe_bond_motion *y)
{
    const vxe_vec3 e = geometry->axis;
    const vxe_bond_rates of_u = bond_rates(geometry, u);
    const vxe_bond_rates of_y = bond_rates(geometry, y);
    const vxe_real along = vec_dot(of_u.rate, e) * vec_dot(of_y.rate, e);
    const vxe_real around = vec_dot(of_u.turn, e) * vec_dot(of_y.turn, e);
    return (vxe_dashes){-along, along - vec_dot(of_u.rate, of_y.rate), -around,
                        around - vec_dot(of_u.turn, of_y.turn)};
}

#endif
