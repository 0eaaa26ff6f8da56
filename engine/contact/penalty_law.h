/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The penalty law: forces of two voxels that touch (docs/physics.md, Self-collision; derived there).
   The functions are one lane of the vector loops over pairs, and serve pair_force.c in double.

   Faces (native). A voxel has a face where it has no neighbour, and pushes whatever comes into its
   cell out of that face. Let r lead from voxel 1 to voxel 2, L be the mean of their edges, rho the
   components of r in voxel 1's own axes, A the axis of that free face above which voxel 2 is
   highest, B and C the others. Then
       U1 = k/2 p^2 W(|rho_B|/L) W(|rho_C|/L),   p = L - |rho_A|,
       W(t) = (1 - t)^2 (1 + 2 t), or 0 beyond 1,
   where p is the overlap of two cubes of edge L with parallel axes, and W W the part of the face
   that they share. W(t) + W(1 - t) = 1: over a wall of voxels the parts add up to one, so that a
   voxel that slides along it meets a plane without bumps. (1 - t would balance moments as well, but
   its corners would make forces jump.) U = (U1 + U2)/2, where U2 is the same with the voxels exchanged. Forces and
   moments are its gradient, F1 = -1/2 dU1/dr on voxel 2 with a moment -r x F1 on voxel 1, and likewise
   for U2, so that energy, momentum and angular momentum are kept. At the edge of a body the gradient
   of W pushes sideways.

   k = 2 k1 k2/(k1 + k2) of the springs k_i = E_i a: half a voxel of each in series, so that a contact
   is as stiff as a bond would be there. Dashpots likewise: c = sqrt(2) c1 c2/(c1 + c2) of c_i = 2 zeta_i
   sqrt(m_i k_i), so that zeta is the damping ratio of a pair of equal voxels. The dashpot is weighted by
   the shared part of a face, and limited so that the contact never pulls.

   Friction acts in the middle between the voxels and has no memory. It is the force that stops the
   sliding within a few steps, but at most mu_s times the normal force, or mu_d times it where stopping
   would take HOLDING_BAND times as much as mu_s allows. mu is the smaller value of both voxels.

   Spheres (the Voxelyze family): 2 k1 k2/(k1 + k2) times the overlap of two spheres of radius 0.625
   edges, along the line of centres, and the mean of the dashpots, which may pull. Source: Voxelyze's
   contact as it was measured (docs/accuracy.md, Compatibility presets). */
/* clang-format on */
#ifndef VXE_ENGINE_CONTACT_PENALTY_LAW_H
#define VXE_ENGINE_CONTACT_PENALTY_LAW_H

#include "engine/bonds/bond_law.h"
#include "engine/contact/contact_kernels.h"

/* One voxel of a pair. */
typedef struct vxe_contact_end {
    vxe_quat q;
    vxe_vec3 v;          /* m/s */
    vxe_vec3 w;          /* rad/s */
    vxe_real_mask faces; /* free faces: +x -x +y -y +z -z, a bit each */
    vxe_real inverse;    /* 1/kg, of its most mobile direction; 0 if all are fixed */
    vxe_real softness;   /* m/N: 1/k_i, infinite where there is no stiffness */
    vxe_real dashpot;    /* N s/m */
    vxe_real static_friction, dynamic_friction;
} vxe_contact_end;

/* Forces on voxel 2, N; voxel 1 has the opposite ones. */
typedef struct vxe_contact_push {
    vxe_real energy;   /* J */
    vxe_real share;    /* part of a face that the voxels share */
    vxe_vec3 first;    /* spring of voxel 1's faces: its moment is on voxel 1 */
    vxe_vec3 second;   /* spring of voxel 2's faces: its moment is on voxel 2 */
    vxe_vec3 dashpot;  /* acts in the middle between the voxels */
    vxe_vec3 friction; /* acts in the middle too */
} vxe_contact_push;

/* Largest part of the force that stops a voxel within one step that friction may use, so that a
   voxel with several contacts is not reversed. */
#define STOPPING_PART R(0.25)
/* The limit stays that of static friction while stopping would take less than this many times it: a
   contact that carries less than its neighbours is stopped together with them. */
#define HOLDING_BAND R(3)
#define ROOT_OF_2 R(1.41421356237309505)

VXE_INLINE vxe_real magnitude(vxe_real a)
{
    return a < 0 ? -a : a;
}

/* W and its derivative by the distance (1/m). */
typedef struct vxe_share {
    vxe_real value, slope;
} vxe_share;

/* W of a distance `aside` (m) along the face. by_length: 1/L. */
VXE_INLINE vxe_share face_share(vxe_real aside, vxe_real by_length)
{
    const vxe_real t = magnitude(aside) * by_length;
    const vxe_real rest = 1 - t;
    const vxe_real slope = R(6) * by_length * (t * rest);
    const vxe_real part = rest * rest * vxe_fma(2, t, 1);
    const vxe_real away = aside < 0 ? slope : -slope;
    return (vxe_share){t < 1 ? part : R(0), t < 1 ? away : R(0)};
}

/* Push of one voxel's faces on the other, divided by k: energy (m^2), force (m) in world axes, and
   the part of the face that is shared. */
typedef struct vxe_face_push {
    vxe_real energy;
    vxe_vec3 force;
    vxe_real share;
} vxe_face_push;

/* m: height of rho along an axis on the side of the face that it is above; 0 if that face is not
   free. faces: the two bits of the axis, and others above them. */
VXE_INLINE vxe_real height_above(vxe_real_mask faces, vxe_real rho)
{
    const vxe_real_mask bit = rho < 0 ? faces >> 1 : faces;
    return bit & 1 ? magnitude(rho) : R(0);
}

/* Energy and force of one voxel's faces. Choices are made by selecting values, without branches, so
   that the loop over pairs is compiled into vectors. */
VXE_INLINE vxe_face_push push_of_faces(vxe_quat q, vxe_real_mask faces, vxe_vec3 r, vxe_real length,
                                       vxe_real by_length)
{
    const vxe_vec3 rho = turned_by(q, -1, r);
    const vxe_real above_x = height_above(faces, rho.x);
    const vxe_real above_y = height_above(faces >> 2, rho.y);
    const vxe_real above_z = height_above(faces >> 4, rho.z);
    const vxe_real above_xy = above_y > above_x ? above_y : above_x;
    const vxe_real above = above_z > above_xy ? above_z : above_xy;
    /* A is x, y or z; B and C are those that follow it */
    const vxe_real b_xy = above_y > above_x ? rho.z : rho.y;
    const vxe_real c_xy = above_y > above_x ? rho.x : rho.z;
    const vxe_real a_xy = above_y > above_x ? rho.y : rho.x;
    const vxe_real a = above_z > above_xy ? rho.z : a_xy;
    const vxe_share by_b = face_share(above_z > above_xy ? rho.x : b_xy, by_length);
    const vxe_share by_c = face_share(above_z > above_xy ? rho.y : c_xy, by_length);
    const vxe_real into = length - above;
    const vxe_real deep = into > 0 ? into : R(0);
    const vxe_real depth = above > 0 ? deep : R(0);
    const vxe_real square = R(0.5) * depth * depth;
    const vxe_real share = by_b.value * by_c.value;
    const vxe_real push = depth * share;
    const vxe_real on_a = a < 0 ? -push : push;
    const vxe_real on_b = -(square * by_b.slope * by_c.value);
    const vxe_real on_c = -(square * by_b.value * by_c.slope);
    const vxe_real x_xy = above_y > above_x ? on_c : on_a;
    const vxe_real y_xy = above_y > above_x ? on_a : on_b;
    const vxe_real z_xy = above_y > above_x ? on_b : on_c;
    const vxe_vec3 force = {above_z > above_xy ? on_b : x_xy, above_z > above_xy ? on_c : y_xy,
                            above_z > above_xy ? on_a : z_xy};
    return (vxe_face_push){square * share, turned_by(q, 1, force), depth > 0 ? share : R(0)};
}

/* N/m: springs of 1/softness in series, doubled, because each voxel contributes half its edge. */
VXE_INLINE vxe_real pair_spring(vxe_real softness1, vxe_real softness2)
{
    return 2 / (softness1 + softness2);
}

/* N s/m: dashpot of a pair that shares a part of a face. */
VXE_INLINE vxe_real pair_dashpot(vxe_real share, vxe_real c1, vxe_real c2)
{
    const vxe_real sum = c1 + c2;
    const vxe_real series = c1 * c2 / sum;
    return sum > 0 ? ROOT_OF_2 * share * series : R(0);
}

/* m/s: velocity of voxel 2 relative to voxel 1 in the middle between them. */
VXE_INLINE vxe_vec3 rate_between(vxe_vec3 r, vxe_contact_end one, vxe_contact_end two)
{
    const vxe_vec3 spin = vec_add(one.w, two.w);
    return vec_add_scaled(vec_sub(two.v, one.v), R(-0.5), vec_cross(spin, r));
}

/* N: friction by Coulomb's law without memory (other friction rules: floor/friction_law.h). Along a
   cube's surface the effective mass is that of its centre over 2.5, because the cube turns as well
   (I = m a^2/6, with an arm of half an edge). */
VXE_INLINE vxe_vec3 friction_force(vxe_contact_end one, vxe_contact_end two, vxe_vec3 along,
                                   vxe_real normal, vxe_real share, vxe_real inverse, vxe_real h)
{
    const vxe_real mu_s =
        one.static_friction < two.static_friction ? one.static_friction : two.static_friction;
    const vxe_real mu_d =
        one.dynamic_friction < two.dynamic_friction ? one.dynamic_friction : two.dynamic_friction;
    const vxe_real speed = vxe_root(vec_dot(along, along));
    const vxe_real stop = STOPPING_PART * share / (R(2.5) * inverse * h);
    const vxe_real stops = inverse > 0 ? stop : R(0);
    const vxe_real wanted = stops * speed;
    const vxe_real slides = mu_d * normal;
    const vxe_real holds = mu_s > mu_d ? mu_s * normal : slides;
    const vxe_real max = wanted < HOLDING_BAND * holds ? holds : slides;
    const vxe_real slows = max / speed;
    return vec_scaled(wanted <= max ? -stops : -slows, along);
}

/* The native law of a pair. h: s of the kick. */
VXE_INLINE vxe_contact_push contact_by_faces(vxe_vec3 r, vxe_real length, vxe_contact_end one,
                                             vxe_contact_end two, vxe_real h)
{
    const vxe_real by_length = 1 / length;
    const vxe_face_push first = push_of_faces(one.q, one.faces, r, length, by_length);
    const vxe_face_push second =
        push_of_faces(two.q, two.faces, vec_scaled(-1, r), length, by_length);
    const vxe_real share = R(0.5) * (first.share + second.share);
    const vxe_real inverse = one.inverse + two.inverse;
    const vxe_real k = pair_spring(one.softness, two.softness);
    const vxe_vec3 on_first = vec_scaled(R(0.5) * k, first.force);
    const vxe_vec3 on_second = vec_scaled(R(-0.5) * k, second.force);
    const vxe_vec3 spring = vec_add(on_first, on_second);
    const vxe_real pressed = vxe_root(vec_dot(spring, spring));
    const vxe_vec3 normal = vec_scaled(pressed > 0 ? 1 / pressed : R(0), spring);
    const vxe_vec3 rate = rate_between(r, one, two);
    const vxe_real opening = vec_dot(rate, normal);
    const vxe_real c = pair_dashpot(share, one.dashpot, two.dashpot);
    /* as in an implicit step of the pair alone, which is stable for any step */
    const vxe_real dash = c * opening / vxe_fma(h * c, inverse, 1);
    const vxe_real limited = dash < pressed ? dash : pressed;
    const vxe_vec3 friction = friction_force(one, two, vec_add_scaled(rate, -opening, normal),
                                             pressed - limited, share, inverse, h);
    return (vxe_contact_push){R(0.5) * k * (first.energy + second.energy),
                              share,
                              on_first,
                              on_second,
                              vec_scaled(-limited, normal),
                              friction};
}

/* The Voxelyze family's law of a pair. */
VXE_INLINE vxe_contact_push contact_by_spheres(vxe_vec3 r, vxe_real length, vxe_contact_end one,
                                               vxe_contact_end two)
{
    const vxe_real distance = vxe_root(vec_dot(r, r));
    const vxe_real into = R(VXE_SPHERE) * length - distance;
    const vxe_real deep = into > 0 ? into : R(0);
    const vxe_real overlap = distance > 0 ? deep : R(0);
    const vxe_real k = pair_spring(one.softness, two.softness);
    const vxe_vec3 normal = vec_scaled(overlap > 0 ? 1 / distance : R(0), r);
    const vxe_real opening = vec_dot(vec_sub(two.v, one.v), normal);
    const vxe_vec3 half = vec_scaled(R(0.5) * (k * overlap), normal);
    const vxe_real dash = R(-0.5) * (one.dashpot + two.dashpot) * opening;
    return (vxe_contact_push){R(0.5) * k * overlap * overlap,
                              overlap > 0 ? R(1) : R(0),
                              half,
                              half,
                              vec_scaled(dash, normal),
                              {0, 0, 0}};
}

/* Load of one voxel of a pair, N and N m. */
typedef struct vxe_contact_load {
    vxe_vec3 force, moment;
} vxe_contact_load;

VXE_INLINE vxe_contact_load load_on_first(vxe_vec3 r, vxe_contact_push push)
{
    const vxe_vec3 loss = vec_add(push.dashpot, push.friction);
    const vxe_vec3 spring = vec_add(push.first, push.second);
    return (vxe_contact_load){
        vec_scaled(-1, vec_add(spring, loss)),
        vec_scaled(-1, vec_cross(r, vec_add_scaled(push.first, R(0.5), loss)))};
}

VXE_INLINE vxe_contact_load load_on_second(vxe_vec3 r, vxe_contact_push push)
{
    const vxe_vec3 loss = vec_add(push.dashpot, push.friction);
    const vxe_vec3 spring = vec_add(push.first, push.second);
    return (vxe_contact_load){
        vec_add(spring, loss),
        vec_scaled(-1, vec_cross(r, vec_add_scaled(push.second, R(0.5), loss)))};
}

#endif
