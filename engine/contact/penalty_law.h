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
   of W pushes sideways. Where only one face of some axis is free, U1 fades to nothing from half an edge
   above the middle on, by the same W: the face across does not take over there.

   k = 2 k1 k2/(k1 + k2) of the springs k_i = E_i a: half a voxel of each in series, so that a contact
   is as stiff as a bond would be there. Dashpots likewise: c = sqrt(2) c1 c2/(c1 + c2) of c_i = 2 zeta_i
   sqrt(m_i k_i), so that zeta is the damping ratio of a pair of equal voxels. The dashpot is weighted by
   the shared part of a face, and limited so that the contact never pulls.

   Between voxels without bonds, or of such a one and a fixed one, the force of each face is its mean over
   the step (floor/impact_law.h), as long as an impact lasts: nothing else is as stiff there, and the step
   sees little of an impact. Where bonds, magnets or the floor push as well, and where a contact lasts
   longer, so that others press it, the mean would have to know of that: the force is that at the present
   place, a gradient.

   A contact begins to push at the overlap that a pair has when it is found in contact without having
   come there by its motion, as where a bond breaks within a pressed body: it would have energy from
   nothing. Where a bond opens a face of a voxel that is in contact, the contact pushes from where it has
   no more energy than with the faces of the step before. That overlap shrinks with the pair's own until
   they part.

   Friction (CundallStrack1979) acts in the middle between the voxels: a spring along the face, with a
   dashpot, is stretched by the way that one voxel goes along the other, turns with the pair, and is
   released when they part. It holds up to mu_s times the normal force, beyond that it gives way, and where
   the pair is fast it carries mu_d times the normal force. mu is
   the smaller value of both voxels. The spring is
   SHEAR_STIFFNESS times the contact's, so that it swings no faster: along a cube's surface its mass is
   that of its centre over AT_SURFACE, because the cube turns as well (I = m a^2/6, with an arm of half an
   edge). Where a pair comes to share more of a face the spring keeps its force, where less its length: its
   energy never grows by that.

   Spheres (the Voxelyze family): 2 k1 k2/(k1 + k2) times the overlap of two spheres of radius 0.625
   edges, along the line of centres, and the mean of the dashpots, which may pull. Source: Voxelyze's
   contact as it was measured (docs/accuracy.md, Compatibility presets). */
/* clang-format on */
#ifndef VXE_ENGINE_CONTACT_PENALTY_LAW_H
#define VXE_ENGINE_CONTACT_PENALTY_LAW_H

#include "engine/bonds/bond_law.h"
#include "engine/contact/contact_kernels.h"
#include "engine/floor/impact_law.h"

/* One voxel of a pair. */
typedef struct vxe_contact_end {
    vxe_quat q;
    vxe_vec3 v;          /* m/s */
    vxe_vec3 w;          /* rad/s */
    vxe_real_mask faces; /* free faces: +x -x +y -y +z -z, a bit each */
    vxe_real_mask were;  /* those of the step before; read where pairs may open */
    vxe_real z;          /* m; read where steps average */
    vxe_real inverse;    /* 1/kg, of its most mobile direction; 0 if all are fixed */
    vxe_real softness;   /* m/N: 1/k_i, infinite where there is no stiffness */
    vxe_real dashpot;    /* N s/m */
    vxe_real static_friction, dynamic_friction;
} vxe_contact_end;

/* The step of a pair. Its two choices are constants where this is compiled. */
typedef struct vxe_contact_when {
    vxe_real h;      /* s of the kick */
    vxe_real step;   /* s of the drift that led here */
    bool opens;      /* pairs may come into contact other than by moving */
    bool averages;   /* some voxels have no bonds */
    vxe_real ground; /* m: as vxe_contact_ground; read where steps average */
} vxe_contact_when;

/* What a pair remembers of the step before (vxe_kept_contact). */
typedef struct vxe_touch_memory {
    vxe_real known; /* 1 where they were in contact, else 0, and all else is 0 */
    vxe_real share;
    vxe_real rest;  /* m */
    vxe_real age;   /* s since the contact began */
    vxe_vec3 shear; /* m: way of voxel 2 along voxel 1 */
} vxe_touch_memory;

/* What a pair remembers by what its state has kept; null: nothing. */
VXE_INLINE vxe_touch_memory recalled(const vxe_kept_contact *touch)
{
    static const vxe_kept_contact nothing = {0};
    const vxe_kept_contact *from = touch ? touch : &nothing;
    return (vxe_touch_memory){
        touch ? R(1) : R(0),
        (vxe_real)from->share,
        (vxe_real)from->rest,
        (vxe_real)from->age,
        {(vxe_real)from->shear[0], (vxe_real)from->shear[1], (vxe_real)from->shear[2]}};
}

/* Forces on voxel 2, N; voxel 1 has the opposite ones. */
typedef struct vxe_contact_push {
    vxe_real energy;   /* J */
    vxe_real share;    /* part of a face that the voxels share */
    vxe_vec3 first;    /* spring of voxel 1's faces: its moment is on voxel 1 */
    vxe_vec3 second;   /* spring of voxel 2's faces: its moment is on voxel 2 */
    vxe_vec3 dashpot;  /* acts in the middle between the voxels */
    vxe_vec3 friction; /* acts in the middle too */
    vxe_touch_memory after;
} vxe_contact_push;

/* Largest part of the force that stops a voxel within one step that the dashpot of friction may
   use, so that a voxel with several contacts is not reversed. */
#define STOPPING_PART R(0.25)
/* The spring of friction, in springs of the contact. */
#define SHEAR_STIFFNESS R(0.4)
/* Friction holds up to mu_s while a pair slides no faster than this many times the speed at which
   its voxels alone would swing with that force: what starts at once against an unstretched spring
   swings beyond where it will rest. */
#define HOLDING_BAND R(2)
/* Mobility of a cube's surface along itself, in those of its centre. */
#define AT_SURFACE R(2.5)
/* An impact of a voxel on another ends within half a swing; what lasts half as long again is
   pressed by others. Squared, rad^2: (3 pi/2)^2. */
#define IMPACT_LASTS R(22.2)
#define ROOT_OF_2 R(1.41421356237309505)

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

/* Where a voxel stands to the faces of the other: height along the axis A of the face that it is
   above, and its shares along B and C. */
typedef struct vxe_face_place {
    vxe_real a;           /* m: along A */
    vxe_share by_b, by_c; /* by_b with the ramp */
    vxe_real ramp;        /* 1/m: slope of the ramp, times the share along B */
    vxe_real into;        /* m: overlap, below 0 apart; far below where no free face is there */
    vxe_real depth;       /* m: overlap; 0 where they do not touch */
    vxe_real is_y, is_z;  /* 1 where A is y, or z */
} vxe_face_place;

/* Push of one voxel's faces on the other, divided by k: energy (m^2), force (m) in world axes, the
   part of the face that is shared; and what the mean force is more than its spring (N, world axes).
 */
typedef struct vxe_face_push {
    vxe_real energy;
    vxe_vec3 force;
    vxe_real share;
    vxe_vec3 dash;
} vxe_face_push;

/* m: overlap of what is not above a free face. */
#define NO_FACE R(-1e30)
/* m: height of rho along an axis on the side of the face that it is above; 0 if that face is not
   free. faces: the two bits of the axis, and others above them. */
VXE_INLINE vxe_real height_above(vxe_real_mask faces, vxe_real rho)
{
    const vxe_real_mask bit = rho < 0 ? faces >> 1 : faces;
    return bit & 1 ? magnitude(rho) : R(0);
}

VXE_INLINE vxe_real smaller(vxe_real a, vxe_real b)
{
    return a < b ? a : b;
}

VXE_INLINE vxe_real larger(vxe_real a, vxe_real b)
{
    return a > b ? a : b;
}

/* 1 where a face is free and the one across is not. */
VXE_INLINE vxe_real one_sided(vxe_real_mask faces)
{
    return (faces ^ (faces >> 1)) & VXE_FIRST_FACES ? R(1) : R(0);
}

/* Whatever is less than half an edge above the middle of a voxel is pushed by one face, or by the
   one across. Where a bond covers that one, the push fades towards the middle: else it would begin
   at once, with the energy of half a voxel. */
VXE_INLINE vxe_share ramp_of(vxe_real above, vxe_real by_length, vxe_real sided)
{
    const vxe_real t = 2 * above * by_length;
    const vxe_real value = t * t * vxe_fma(-2, t, 3);
    const vxe_real slope = R(12) * by_length * (t * (1 - t));
    const bool fades = (int)(t < 1) & (int)(sided > 0);
    return (vxe_share){fades ? value : R(1), fades ? slope : R(0)};
}

/* Choices are made by selecting values, without branches, so that the loop over pairs is compiled
   into vectors. */
VXE_INLINE vxe_face_place place_at_faces(vxe_quat q, vxe_real_mask faces, vxe_vec3 r,
                                         vxe_real length, vxe_real by_length)
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
    const vxe_real b = above_z > above_xy ? rho.x : b_xy;
    const vxe_real c = above_z > above_xy ? rho.y : c_xy;
    const vxe_real into = length - above;
    const vxe_real deep = into > 0 ? into : R(0);
    const vxe_real depth = above > 0 ? deep : R(0);
    const vxe_share ramp = ramp_of(above, by_length, one_sided(faces));
    const vxe_share along_b = face_share(b, by_length);
    return (vxe_face_place){
        above_z > above_xy ? rho.z : a_xy, {ramp.value * along_b.value, ramp.value * along_b.slope},
        face_share(c, by_length),          ramp.slope * along_b.value,
        above > 0 ? into : NO_FACE,        depth,
        above_y > above_x ? R(1) : R(0),   above_z > above_xy ? R(1) : R(0)};
}

/* A vector by its components along the axes of a face, in world axes. */
VXE_INLINE vxe_vec3 off_face(vxe_quat q, const vxe_face_place *at, vxe_real on_a, vxe_real on_b,
                             vxe_real on_c)
{
    const vxe_real x_xy = at->is_y > 0 ? on_c : on_a;
    const vxe_real y_xy = at->is_y > 0 ? on_a : on_b;
    const vxe_real z_xy = at->is_y > 0 ? on_b : on_c;
    const vxe_vec3 along = {at->is_z > 0 ? on_b : x_xy, at->is_z > 0 ? on_c : y_xy,
                            at->is_z > 0 ? on_a : z_xy};
    return turned_by(q, 1, along);
}

/* m/s: a velocity of the other voxel (world axes) towards the face. */
VXE_INLINE vxe_real towards_face(vxe_quat q, const vxe_face_place *at, vxe_vec3 v)
{
    const vxe_vec3 own = turned_by(q, -1, v);
    const vxe_real along_xy = at->is_y > 0 ? own.y : own.x;
    const vxe_real along = at->is_z > 0 ? own.z : along_xy;
    return at->a < 0 ? along : -along;
}

/* Energy and force of one voxel's faces. rest: m, the overlap at which they begin to push; mean: m,
   the overlap that the force has; dash: N, towards the other voxel. */
VXE_INLINE vxe_face_push push_of_faces(vxe_quat q, const vxe_face_place *at, vxe_real rest,
                                       vxe_real mean, vxe_real dash)
{
    const vxe_real beyond = at->depth - rest;
    const vxe_real depth = beyond > 0 ? beyond : R(0);
    const vxe_real share = at->by_b.value * at->by_c.value;
    const vxe_real square = R(0.5) * mean * mean;
    const vxe_real push = mean * share - square * (at->ramp * at->by_c.value);
    const vxe_vec3 force =
        off_face(q, at, at->a < 0 ? -push : push, -(square * at->by_b.slope * at->by_c.value),
                 -(square * at->by_b.value * at->by_c.slope));
    const vxe_real touches = larger(at->depth, mean);
    return (vxe_face_push){R(0.5) * depth * depth * share, force, touches > 0 ? share : R(0),
                           off_face(q, at, at->a < 0 ? -dash : dash, 0, 0)};
}

/* The push of faces at the present overlap. */
VXE_INLINE vxe_face_push push_at_present(vxe_quat q, const vxe_face_place *at, vxe_real rest)
{
    const vxe_real beyond = at->depth - rest;
    return push_of_faces(q, at, rest, beyond > 0 ? beyond : R(0), 0);
}

/* The push of faces as its mean over a step of h seconds. rate: velocity of the other voxel as the
   first one sees it (m/s, world axes); k, c: of a whole face. */
VXE_INLINE vxe_face_push push_over_step(vxe_quat q, const vxe_face_place *at, vxe_real rest,
                                        vxe_vec3 rate, vxe_real k, vxe_real c, vxe_real inverse,
                                        vxe_real h)
{
    const vxe_real share = at->by_b.value * at->by_c.value;
    const vxe_real stiffness = k * share;
    const vxe_impact whole = impact_of_step(at->into - rest, towards_face(q, at, rate), 0,
                                            stiffness, c * share, inverse, h);
    const vxe_real mean = stiffness > 0 ? whole.spring / stiffness : R(0);
    return push_of_faces(q, at, rest, mean, whole.force - whole.spring);
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

/* m: the overlap at which a pair begins to push in a step in which pairs may come into contact
   other than by moving. What is new then begins where it is. Where a face has opened, the pair
   begins to push where it has no more energy than it had with the faces of the step before. */
VXE_INLINE vxe_real rest_of_opening(vxe_vec3 r, vxe_real length, vxe_contact_end one,
                                    vxe_contact_end two, const vxe_face_place *at_first,
                                    const vxe_face_place *at_second, vxe_touch_memory before)
{
    const vxe_real by_length = 1 / length;
    const vxe_face_place was_first = place_at_faces(one.q, one.were, r, length, by_length);
    const vxe_face_place was_second =
        place_at_faces(two.q, two.were, vec_scaled(-1, r), length, by_length);
    const vxe_real depth = larger(at_first->depth, at_second->depth);
    const vxe_real kept = smaller(before.rest, depth);
    const vxe_real was = push_at_present(one.q, &was_first, before.rest).energy +
                         push_at_present(two.q, &was_second, before.rest).energy;
    const vxe_face_push first = push_at_present(one.q, at_first, kept);
    const vxe_face_push second = push_at_present(two.q, at_second, kept);
    const vxe_real share = first.share + second.share;
    const vxe_real no_more = depth - vxe_root(share > 0 ? 2 * was / share : R(0));
    const bool gains = first.energy + second.energy > was;
    const vxe_real rest = gains ? larger(no_more, kept) : kept;
    return before.known > 0 ? rest : depth;
}

/* m: the spring of friction, turned with the pair in a step of h seconds and laid into the present
   face, with the part of its length that it keeps where the pair shares more of a face. */
VXE_INLINE vxe_vec3 turned_shear(vxe_touch_memory before, vxe_vec3 spin, vxe_vec3 normal,
                                 vxe_real share, vxe_real h)
{
    const vxe_vec3 turned = vec_add_scaled(before.shear, R(0.5) * h, vec_cross(spin, before.shear));
    const vxe_vec3 flat = vec_add_scaled(turned, -vec_dot(turned, normal), normal);
    const vxe_real was = vec_dot(before.shear, before.shear);
    const vxe_real is = vec_dot(flat, flat);
    const vxe_real longer = larger(is, was);
    const vxe_real keep = vxe_root(longer > 0 ? was / longer : R(1)); /* turning adds no length */
    const vxe_real part = share > before.share ? before.share / share : R(1);
    return vec_scaled(keep * part, flat);
}

/* The force of friction (N) on voxel 2, and what the pair remembers of it. */
typedef struct vxe_pair_friction {
    vxe_vec3 force, shear;
} vxe_pair_friction;

/* The coefficient of friction in force at a normal force (N): swing, as of friction_of, and speed
   (m/s) along the face say whether the pair holds or slides. */
VXE_INLINE vxe_real friction_in_force(vxe_contact_end one, vxe_contact_end two,
                                      vxe_real normal_force, vxe_real swing, vxe_real speed)
{
    const vxe_real mu_s = smaller(one.static_friction, two.static_friction);
    const vxe_real mu_d = smaller(one.dynamic_friction, two.dynamic_friction);
    const vxe_real holding = mu_s > mu_d ? mu_s : mu_d;
    return swing * speed < HOLDING_BAND * (holding * normal_force) ? holding : mu_d;
}

/* Coulomb's law with a remembered spring (other friction rules: floor/friction_law.h). stretched:
   m, the spring after the way of this step; hold, dash, swing: N/m, N s/m and N s/m of the pair. */
VXE_INLINE vxe_pair_friction friction_of(vxe_contact_end one, vxe_contact_end two,
                                         vxe_vec3 stretched, vxe_vec3 along, vxe_real normal_force,
                                         vxe_real hold, vxe_real dash, vxe_real swing)
{
    const vxe_real speed = vxe_root(vec_dot(along, along));
    const vxe_real max = normal_force * friction_in_force(one, two, normal_force, swing, speed);
    const vxe_vec3 wanted = vec_add_scaled(vec_scaled(-hold, stretched), -dash, along);
    const vxe_real size = vxe_root(vec_dot(wanted, wanted));
    const vxe_real less = size > max ? max / size : R(1);
    const vxe_real length = vxe_root(vec_dot(stretched, stretched));
    const vxe_real longest = hold > 0 ? max / hold : R(0);
    const vxe_real shorter = length > longest ? longest / length : R(1);
    return (vxe_pair_friction){vec_scaled(less, wanted), vec_scaled(shorter, stretched)};
}

/* One of two pushes. */
VXE_INLINE vxe_face_push either(bool first, vxe_face_push a, vxe_face_push b)
{
    return (vxe_face_push){
        first ? a.energy : b.energy,
        {first ? a.force.x : b.force.x, first ? a.force.y : b.force.y,
         first ? a.force.z : b.force.z},
        first ? a.share : b.share,
        {first ? a.dash.x : b.dash.x, first ? a.dash.y : b.dash.y, first ? a.dash.z : b.dash.z}};
}

/* Pushes of both voxels' faces. */
typedef struct vxe_both_pushes {
    vxe_face_push first, second;
} vxe_both_pushes;

/* Whether nothing else that is as stiff as a contact pushes a voxel: it has no bonds and no floor,
   or is fixed. */
VXE_INLINE int is_loose(vxe_contact_end end, vxe_real ground)
{
    return ((end.faces == VXE_ALL_FACES) & (end.z > ground)) | !(end.inverse > 0);
}

/* k, c: N/m and N s/m of a whole face. */
VXE_INLINE vxe_both_pushes pushes_of(vxe_vec3 r, vxe_contact_end one, vxe_contact_end two,
                                     const vxe_face_place *at_first,
                                     const vxe_face_place *at_second, vxe_real rest, vxe_real k,
                                     vxe_real c, bool averaged, vxe_contact_when when)
{
    const vxe_both_pushes now = {push_at_present(one.q, at_first, rest),
                                 push_at_present(two.q, at_second, rest)};
    if (!when.averages) {
        return now;
    }
    const vxe_real inverse = one.inverse + two.inverse;
    const vxe_vec3 apart = vec_sub(two.v, one.v);
    const vxe_vec3 by_first = vec_sub(apart, vec_cross(one.w, r));
    const vxe_vec3 by_second = vec_sub(vec_cross(two.w, r), apart);
    const vxe_face_push first =
        push_over_step(one.q, at_first, rest, by_first, k, c, inverse, when.h);
    const vxe_face_push second =
        push_over_step(two.q, at_second, rest, by_second, k, c, inverse, when.h);
    return (vxe_both_pushes){either(averaged, first, now.first),
                             either(averaged, second, now.second)};
}

/* The native law of a pair. */
VXE_INLINE vxe_contact_push contact_by_faces(vxe_vec3 r, vxe_real length, vxe_contact_end one,
                                             vxe_contact_end two, vxe_contact_when when,
                                             vxe_touch_memory before)
{
    const vxe_real h = when.h;
    const vxe_real by_length = 1 / length;
    const vxe_face_place at_first = place_at_faces(one.q, one.faces, r, length, by_length);
    const vxe_face_place at_second =
        place_at_faces(two.q, two.faces, vec_scaled(-1, r), length, by_length);
    const vxe_vec3 spin = vec_add(one.w, two.w);
    const vxe_real rest = when.opens
                              ? rest_of_opening(r, length, one, two, &at_first, &at_second, before)
                              : smaller(before.rest, larger(at_first.depth, at_second.depth));
    const vxe_real inverse = one.inverse + two.inverse;
    const vxe_real k = pair_spring(one.softness, two.softness);
    const vxe_real age = before.known * (before.age + when.step);
    const int fresh = age * age * k * inverse < IMPACT_LASTS;
    const bool averaged =
        (int)when.averages & fresh & is_loose(one, when.ground) & is_loose(two, when.ground);
    const vxe_both_pushes pushes =
        pushes_of(r, one, two, &at_first, &at_second, rest, k,
                  pair_dashpot(1, one.dashpot, two.dashpot), averaged, when);
    const vxe_face_push first = pushes.first;
    const vxe_face_push second = pushes.second;
    const vxe_real share = R(0.5) * (first.share + second.share);
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
    const vxe_vec3 of_mean = vec_scaled(R(0.5), vec_sub(first.dash, second.dash));
    const vxe_vec3 dashpot = {averaged ? of_mean.x : -limited * normal.x,
                              averaged ? of_mean.y : -limited * normal.y,
                              averaged ? of_mean.z : -limited * normal.z};
    const vxe_real pushed = averaged ? pressed + vec_dot(of_mean, normal) : pressed - limited;
    const vxe_vec3 along = vec_add_scaled(rate, -opening, normal);
    const vxe_real mobile = AT_SURFACE * inverse; /* 1/kg */
    const vxe_real hold = inverse > 0 ? SHEAR_STIFFNESS * share * k : R(0);
    /* critical for the spring of a whole face, weaker where the step is long */
    const vxe_real swing = vxe_root(SHEAR_STIFFNESS * k / mobile);
    const vxe_real slows = 2 * share * swing / vxe_fma(2 * h * swing / STOPPING_PART, mobile, 1);
    const vxe_vec3 turned = turned_shear(before, spin, normal, share, when.step);
    const vxe_vec3 stretched = vec_add_scaled(turned, before.known * when.step, along);
    const vxe_pair_friction friction =
        friction_of(one, two, stretched, along, larger(pushed, 0), hold, inverse > 0 ? slows : R(0),
                    inverse > 0 ? share * swing : R(0));
    return (vxe_contact_push){
        R(0.5) * k * (first.energy + second.energy),
        share,
        on_first,
        on_second,
        dashpot,
        friction.force,
        {share > 0 ? R(1) : R(0), share, rest, share > 0 ? age : R(0), friction.shear}};
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
                              {0, 0, 0},
                              {0, 0, 0, 0, {0, 0, 0}}};
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
