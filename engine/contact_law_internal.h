/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* What two voxels that touch do to each other. One pair at a time: few touch, and each in its own
   way.

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

   Spheres (peer): 2 k1 k2/(k1 + k2) times the overlap of two spheres of 0.625 edges along the line
   of centres, and the mean of the dashpots, which may pull. Source: what the spec notes of Voxelyze.
   */
/* clang-format on */
#ifndef VXE_ENGINE_CONTACT_LAW_INTERNAL_H
#define VXE_ENGINE_CONTACT_LAW_INTERNAL_H

#include "engine/bond_law_internal.h"

/* One voxel of a pair. */
typedef struct vxe_contact_end {
    vxe_lane3 x; /* m */
#ifdef VXE_MIXED
    vxe_lane3 x_low; /* m, to be added */
#endif
    vxe_real swell; /* m */
    vxe_lane4 q;
    vxe_lane3 v;       /* m/s */
    vxe_lane3 w;       /* rad/s */
    uint32_t faces;    /* free ones: +x -x +y -y +z -z, a bit each */
    vxe_real inverse;  /* 1/kg, of its freest direction; 0 if all are fixed */
    vxe_real softness; /* m/N: 1/k_i, infinite where there is no stiffness */
    vxe_real dashpot;  /* N s/m */
    vxe_real static_friction, dynamic_friction;
} vxe_contact_end;

/* Forces on voxel 2, N; voxel 1 has the opposite. */
typedef struct vxe_contact_push {
    vxe_real energy;   /* J */
    vxe_lane3 first;   /* of voxel 1's faces: its moment is on voxel 1 */
    vxe_lane3 second;  /* of voxel 2's */
    vxe_lane3 dashpot; /* acts at the middle, as friction does */
    vxe_lane3 friction;
} vxe_contact_push;

/* No contact. */
#define NO_PUSH                                                                                    \
    {                                                                                              \
        0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0},                                                        \
        {                                                                                          \
            0, 0, 0                                                                                \
        }                                                                                          \
    }

/* Part of a voxel's stopping force that friction uses at most, so that a voxel with several
   contacts is not turned round. */
#define STOPPING_PART R(0.25)
/* A contact that carries less than its neighbours is stopped as they are, and still holds. */
#define HOLDING_BAND R(3)
#define ROOT_OF_2 R(1.41421356237309505)
/* The spheres' diameter in edges. */
#define SPHERE R(1.25)

/* W, and its derivative by the distance. */
typedef struct vxe_share {
    vxe_real value, slope;
} vxe_share;

VXE_INLINE vxe_share face_share(vxe_real aside, vxe_real by_length)
{
    const vxe_real t = (aside < 0 ? -aside : aside) * by_length;
    const vxe_real rest = 1 - t;
    const vxe_real slope = R(6) * by_length * (t * rest);
    return t < 1 ? (vxe_share){rest * rest * vxe_fma(2, t, 1), aside < 0 ? slope : -slope}
                 : (vxe_share){0, 0};
}

/* What one voxel's faces do to the other, per k: energy (m^2), force (m) in world axes, and the
   part of the face that is shared. */
typedef struct vxe_face_push {
    vxe_real energy;
    vxe_lane3 force;
    vxe_real share;
} vxe_face_push;

VXE_INLINE vxe_lane3 turned_by(vxe_lane4 q, vxe_real sign, vxe_lane3 a)
{
    const vxe_lane3 u = {q.x, q.y, q.z};
    const vxe_lane3 twice = lane_scaled(2 * sign, lane_cross(u, a));
    const vxe_lane3 part = lane_add_scaled(a, q.w, twice);
    return lane_add_scaled(part, sign, lane_cross(u, twice));
}

/* The axis of the free face above which rho is highest; 3 if it is above none. */
VXE_INLINE int highest_face(uint32_t faces, const vxe_real rho[3])
{
    int axis = 3;
    vxe_real highest = 0;
    for (int a = 0; a < 3; a++) {
        const vxe_real height = rho[a] < 0 ? -rho[a] : rho[a];
        const uint32_t face = 2 * (uint32_t)a + (rho[a] < 0 ? 1u : 0u);
        if ((faces >> face & 1) && height > highest) {
            axis = a;
            highest = height;
        }
    }
    return axis;
}

VXE_INLINE vxe_face_push push_of_faces(vxe_lane4 q, uint32_t faces, vxe_lane3 r, vxe_real length,
                                       vxe_real by_length)
{
    const vxe_lane3 own = turned_by(q, -1, r);
    const vxe_real rho[3] = {own.x, own.y, own.z};
    const int a = highest_face(faces, rho);
    vxe_face_push push = {0, {0, 0, 0}, 0};
    if (a == 3) {
        return push;
    }
    const vxe_real depth = length - (rho[a] < 0 ? -rho[a] : rho[a]);
    const int b = a == 2 ? 0 : a + 1;
    const int c = b == 2 ? 0 : b + 1;
    const vxe_share by_b = face_share(rho[b], by_length);
    const vxe_share by_c = face_share(rho[c], by_length);
    if (!(depth > 0 && by_b.value * by_c.value > 0)) { /* most that are near do not touch */
        return push;
    }
    const vxe_real square = R(0.5) * depth * depth;
    push.share = by_b.value * by_c.value;
    push.energy = square * push.share;
    vxe_real f[3];
    f[a] = depth * push.share;
    f[a] = rho[a] < 0 ? -f[a] : f[a];
    f[b] = -(square * by_b.slope * by_c.value);
    f[c] = -(square * by_b.value * by_c.slope);
    push.force = turned_by(q, 1, (vxe_lane3){f[0], f[1], f[2]});
    return push;
}

/* Rate at which the middle between the voxels opens there. */
VXE_INLINE vxe_lane3 rate_between(vxe_lane3 r, const vxe_contact_end *one,
                                  const vxe_contact_end *two)
{
    const vxe_lane3 spin = lane_add_scaled(one->w, 1, two->w);
    return lane_add_scaled(lane_sub(two->v, one->v), R(-0.5), lane_cross(spin, r));
}

/* Coulomb's law without memory. A cube's surface answers to a push along it with a fifth of the
   reduced mass: half its size times its spin is part of the motion (I = m a^2/6). */
VXE_INLINE vxe_lane3 rub(const vxe_contact_end *one, const vxe_contact_end *two, vxe_lane3 along,
                         vxe_real normal, vxe_real share, vxe_real inverse, vxe_real h)
{
    const vxe_real mu_s =
        one->static_friction < two->static_friction ? one->static_friction : two->static_friction;
    const vxe_real mu_d = one->dynamic_friction < two->dynamic_friction ? one->dynamic_friction
                                                                        : two->dynamic_friction;
    const vxe_real speed = vxe_root(lane_dot(along, along));
    const vxe_real stops = inverse > 0 ? STOPPING_PART * share / (R(2.5) * inverse * h) : R(0);
    const vxe_real wanted = stops * speed;
    const vxe_real slides = mu_d * normal;
    const vxe_real holds = mu_s > mu_d ? mu_s * normal : slides;
    const vxe_real most = wanted < HOLDING_BAND * holds ? holds : slides;
    return lane_scaled(wanted <= most ? -stops : -(most / speed), along);
}

/* h: s of the kick. */
VXE_INLINE vxe_contact_push contact_by_faces(vxe_lane3 r, vxe_real length,
                                             const vxe_contact_end *one, const vxe_contact_end *two,
                                             vxe_real h)
{
    vxe_contact_push push = NO_PUSH;
    const vxe_real by_length = 1 / length;
    const vxe_face_push first = push_of_faces(one->q, one->faces, r, length, by_length);
    const vxe_face_push second =
        push_of_faces(two->q, two->faces, lane_scaled(-1, r), length, by_length);
    const vxe_real share = R(0.5) * (first.share + second.share);
    const vxe_real inverse = one->inverse + two->inverse;
    if (!(share > 0)) {
        return push;
    }
    const vxe_real k = 2 / (one->softness + two->softness);
    push.energy = R(0.5) * k * (first.energy + second.energy);
    push.first = lane_scaled(R(0.5) * k, first.force);
    push.second = lane_scaled(R(-0.5) * k, second.force);
    const vxe_lane3 spring = lane_add_scaled(push.first, 1, push.second);
    const vxe_real pressed = vxe_root(lane_dot(spring, spring));
    if (!(pressed > 0)) {
        return push;
    }
    const vxe_lane3 normal = lane_scaled(1 / pressed, spring);
    const vxe_lane3 rate = rate_between(r, one, two);
    const vxe_real opening = lane_dot(rate, normal);
    const vxe_real dashes = one->dashpot + two->dashpot;
    const vxe_real c =
        dashes > 0 ? ROOT_OF_2 * share * (one->dashpot * two->dashpot / dashes) : R(0);
    /* as an implicit step of the pair alone has it: no step is too long for it */
    const vxe_real dash = c * opening / vxe_fma(h * c, inverse, 1);
    const vxe_real limited = dash < pressed ? dash : pressed;
    push.dashpot = lane_scaled(-limited, normal);
    push.friction = rub(one, two, lane_add_scaled(rate, -opening, normal), pressed - limited, share,
                        inverse, h);
    return push;
}

VXE_INLINE vxe_contact_push contact_by_spheres(vxe_lane3 r, vxe_real length,
                                               const vxe_contact_end *one,
                                               const vxe_contact_end *two)
{
    vxe_contact_push push = NO_PUSH;
    const vxe_real distance = vxe_root(lane_dot(r, r));
    const vxe_real overlap = SPHERE * length - distance;
    if (!(overlap > 0 && distance > 0)) {
        return push;
    }
    const vxe_real k = 2 / (one->softness + two->softness);
    const vxe_lane3 normal = lane_scaled(1 / distance, r);
    const vxe_real opening = lane_dot(lane_sub(two->v, one->v), normal);
    push.energy = R(0.5) * k * overlap * overlap;
    push.first = lane_scaled(R(0.5) * (k * overlap), normal);
    push.second = push.first;
    push.dashpot = lane_scaled(R(-0.5) * (one->dashpot + two->dashpot) * opening, normal);
    return push;
}

/* What a voxel of the pair feels. */
typedef struct vxe_contact_load {
    vxe_lane3 force, moment;
} vxe_contact_load;

VXE_INLINE vxe_contact_load load_on_first(vxe_lane3 r, const vxe_contact_push *push)
{
    const vxe_lane3 loss = lane_add_scaled(push->dashpot, 1, push->friction);
    const vxe_lane3 spring = lane_add_scaled(push->first, 1, push->second);
    return (vxe_contact_load){
        lane_scaled(-1, lane_add_scaled(spring, 1, loss)),
        lane_scaled(-1, lane_cross(r, lane_add_scaled(push->first, R(0.5), loss)))};
}

VXE_INLINE vxe_contact_load load_on_second(vxe_lane3 r, const vxe_contact_push *push)
{
    const vxe_lane3 loss = lane_add_scaled(push->dashpot, 1, push->friction);
    const vxe_lane3 spring = lane_add_scaled(push->first, 1, push->second);
    return (vxe_contact_load){
        lane_add_scaled(spring, 1, loss),
        lane_scaled(-1, lane_cross(r, lane_add_scaled(push->second, R(0.5), loss)))};
}

#endif
