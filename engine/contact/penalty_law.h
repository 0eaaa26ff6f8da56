/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* What two voxels that touch do to each other: one lane of a vector loop over pairs, and of the
   measures in double.

   Faces (native). A voxel has faces where it has no neighbour, and pushes out of them what comes
   into its cell. Let r lead from voxel 1 to voxel 2, L be the mean of their edges, rho the
   components of r in voxel 1's own axes, A the axis of that free face above which voxel 2 stands
   highest, B and C the others. Then
       U1 = k/2 p^2 W(|rho_B|/L) W(|rho_C|/L),   p = L - |rho_A|,
       W(t) = (1 - t)^2 (1 + 2 t), or 0 beyond 1,
   where p is as deep as two cubes of edge L with parallel axes overlap, and W W the part of the
   face that they share. W(t) + W(1 - t) = 1: over a wall of voxels the parts add up to one, so that
   what slides along it feels a plane and no bumps. (1 - t would balance moments as well, but its
   corners would make forces jump.) U = (U1 + U2)/2, U2 being the same as voxel 2 sees it. Forces and
   moments are its gradient, F1 = -dU1/2dr on voxel 2 with a moment -r x F1 on voxel 1 and likewise,
   so that energy, momentum and angular momentum are kept; at the edge of a body the gradient of W
   pushes aside.

   k = 2 k1 k2/(k1 + k2) of the springs k_i = E_i a: half a voxel of each in series, so that a contact
   is as stiff as a bond would be there. Dashpots likewise, c = sqrt2 c1 c2/(c1 + c2) of c_i = 2 zeta_i
   sqrt(m_i k_i), so that zeta is the pair's own damping ratio where both are alike; the dashpot acts
   with the weight and only as far as the pair does not pull.

   Friction acts at the middle between the voxels and has no memory: what stops the sliding within
   some steps, but at most mu_s times the normal force, or mu_d times where that would have to be some
   times larger; mu is the smaller of the two voxels'.

   Spheres (the Voxelyze family): 2 k1 k2/(k1 + k2) times the overlap of two spheres of 0.625 edges along the line
   of centres, and the mean of the dashpots, which may pull. Source: Voxelyze's contact as it was measured (docs/accuracy.md, Compatibility presets).
   */
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
    vxe_real_mask faces; /* free ones: +x -x +y -y +z -z, a bit each */
    vxe_real inverse;    /* 1/kg, of its most mobile direction; 0 if all are fixed */
    vxe_real softness;   /* m/N: 1/k_i, infinite where there is no stiffness */
    vxe_real dashpot;    /* N s/m */
    vxe_real static_friction, dynamic_friction;
} vxe_contact_end;

/* Forces on voxel 2, N; voxel 1 has the opposite. */
typedef struct vxe_contact_push {
    vxe_real energy;  /* J */
    vxe_real share;   /* of a face that they share */
    vxe_vec3 first;   /* of voxel 1's faces: its moment is on voxel 1 */
    vxe_vec3 second;  /* of voxel 2's */
    vxe_vec3 dashpot; /* acts at the middle, as friction does */
    vxe_vec3 friction;
} vxe_contact_push;

/* Part of a voxel's stopping force that friction uses at most, so that a voxel with several
   contacts is not turned round. */
#define STOPPING_PART R(0.25)
/* A contact that carries less than its neighbours is stopped as they are, and still holds. */
#define HOLDING_BAND R(3)
#define ROOT_OF_2 R(1.41421356237309505)

VXE_INLINE vxe_real magnitude(vxe_real a)
{
    return a < 0 ? -a : a;
}

/* W, and its derivative by the distance. */
typedef struct vxe_share {
    vxe_real value, slope;
} vxe_share;

VXE_INLINE vxe_share face_share(vxe_real aside, vxe_real by_length)
{
    const vxe_real t = magnitude(aside) * by_length;
    const vxe_real rest = 1 - t;
    const vxe_real slope = R(6) * by_length * (t * rest);
    const vxe_real part = rest * rest * vxe_fma(2, t, 1);
    const vxe_real away = aside < 0 ? slope : -slope;
    return (vxe_share){t < 1 ? part : R(0), t < 1 ? away : R(0)};
}

/* What one voxel's faces do to the other, per k: energy (m^2), force (m) in world axes, and the
   part of the face that is shared. */
typedef struct vxe_face_push {
    vxe_real energy;
    vxe_vec3 force;
    vxe_real share;
} vxe_face_push;

/* How high rho is above the face that it looks at along an axis, or 0 if that is not free. faces:
   its two bits, and others above. */
VXE_INLINE vxe_real height_above(vxe_real_mask faces, vxe_real rho)
{
    const vxe_real_mask bit = rho < 0 ? faces >> 1 : faces;
    return bit & 1 ? magnitude(rho) : R(0);
}

/* Choices are made by values and not by branches: vectors take these. */
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

/* Springs of 1/softness in series, doubled: half a voxel each. */
VXE_INLINE vxe_real pair_spring(vxe_real softness1, vxe_real softness2)
{
    return 2 / (softness1 + softness2);
}

VXE_INLINE vxe_real pair_dashpot(vxe_real share, vxe_real c1, vxe_real c2)
{
    const vxe_real sum = c1 + c2;
    const vxe_real series = c1 * c2 / sum;
    return sum > 0 ? ROOT_OF_2 * share * series : R(0);
}

/* Rate at which the middle between the voxels opens there. */
VXE_INLINE vxe_vec3 rate_between(vxe_vec3 r, vxe_contact_end one, vxe_contact_end two)
{
    const vxe_vec3 spin = vec_add(one.w, two.w);
    return vec_add_scaled(vec_sub(two.v, one.v), R(-0.5), vec_cross(spin, r));
}

/* Coulomb's law without memory (the rules of others: floor/friction_law.h). A cube's surface
   answers to a push along it with a fifth of the reduced mass: half its size times its spin is part
   of the motion (I = m a^2/6). */
VXE_INLINE vxe_vec3 rub(vxe_contact_end one, vxe_contact_end two, vxe_vec3 along, vxe_real normal,
                        vxe_real share, vxe_real inverse, vxe_real h)
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

/* h: s of the kick. */
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
    /* as an implicit step of the pair alone has it: no step is too long for it */
    const vxe_real dash = c * opening / vxe_fma(h * c, inverse, 1);
    const vxe_real limited = dash < pressed ? dash : pressed;
    const vxe_vec3 friction =
        rub(one, two, vec_add_scaled(rate, -opening, normal), pressed - limited, share, inverse, h);
    return (vxe_contact_push){R(0.5) * k * (first.energy + second.energy),
                              share,
                              on_first,
                              on_second,
                              vec_scaled(-limited, normal),
                              friction};
}

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

/* What a voxel of the pair feels. */
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
