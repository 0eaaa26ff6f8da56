/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The penalty law backwards (docs/glossary.md, Adjoint): what the virtual work y.F of a contact's loads, and the
   adjoints of what it remembers, change with places, velocities, and what it remembered. One lane of a vector loop.

   With y1, y2 the virtual turns of both voxels and dr the virtual displacement of voxel 2 less that of voxel 1, the
   loads of penalty_law.h do the work
       F1.(dr - y1 x r) + F2.(dr - y2 x r) + (D + T).(dr - (y1 + y2)/2 x r),
   F1 and F2 the springs of both voxels' faces, D the dashpot and T the friction. From there the law is taken back,
   line by line. The springs' forces are gradients, so that their slopes by place are symmetric; they are homogeneous
   of degree one in all lengths, from which their slope by the edge follows (Euler).

   Derivatives are those of the branches that a step took: which face a voxel is above, whether the dashpot would
   pull, and whether friction holds or slides are not differentiated, nor is static friction. The age of a contact
   only chooses. Contacts that take a mean over a step, and those whose faces open, have no reverse here.
   Derived here; tests/unit_contact_adjoint.c has differences of the law itself. */
/* clang-format on */
#ifndef VXE_ENGINE_CONTACT_PENALTY_ADJOINT_LAW_H
#define VXE_ENGINE_CONTACT_PENALTY_ADJOINT_LAW_H

#include "engine/contact/penalty_law.h"

/* Adjoints of what a pair remembers. */
typedef struct vxe_touch_adjoint {
    vxe_real share, rest;
    vxe_vec3 shear;
} vxe_touch_adjoint;

/* What a contact gives back. */
typedef struct vxe_contact_adjoint {
    vxe_vec3 place;           /* of voxel 2; voxel 1 has its negative */
    vxe_vec3 v;               /* likewise */
    vxe_vec3 turn1, turn2;    /* of both, world axes */
    vxe_vec3 spin;            /* of each */
    vxe_real length;          /* of the mean edge */
    vxe_touch_adjoint before; /* of what the pair remembered of the step before */
    vxe_real k, c;            /* of the spring and the dashpot of a whole face */
    vxe_real inverse;         /* of the sum of both mobilities */
    vxe_real mu_d;            /* of the smaller dynamic friction */
} vxe_contact_adjoint;

/* A share with its second slope, 1/m^2. */
typedef struct vxe_share_curve {
    vxe_real value, slope, curve;
} vxe_share_curve;

VXE_INLINE vxe_share_curve share_curve(vxe_real aside, vxe_real by_length)
{
    const vxe_share share = face_share(aside, by_length);
    const vxe_real t = magnitude(aside) * by_length;
    const vxe_real curve = by_length * by_length * vxe_fma(12, t, -6);
    return (vxe_share_curve){share.value, share.slope, t < 1 ? curve : R(0)};
}

VXE_INLINE vxe_share_curve ramp_curve(vxe_real above, vxe_real by_length, vxe_real sided)
{
    const vxe_share ramp = ramp_of(above, by_length, sided);
    const vxe_real t = 2 * above * by_length;
    const vxe_real curve = 4 * by_length * by_length * vxe_fma(-12, t, 6);
    return (vxe_share_curve){ramp.value, ramp.slope, sided * (t < 1 ? curve : R(0))};
}

/* A vector of the world along the axes A, B and C of a face. */
VXE_INLINE vxe_vec3 along_face(vxe_quat q, const vxe_face_place *at, vxe_vec3 of)
{
    const vxe_vec3 own = turned_by(q, -1, of);
    const vxe_real a_xy = at->is_y > 0 ? own.y : own.x;
    const vxe_real b_xy = at->is_y > 0 ? own.z : own.y;
    const vxe_real c_xy = at->is_y > 0 ? own.x : own.z;
    return (vxe_vec3){at->is_z > 0 ? own.z : a_xy, at->is_z > 0 ? own.x : b_xy,
                      at->is_z > 0 ? own.y : c_xy};
}

/* What the push of a face gives back. */
typedef struct vxe_face_adjoint {
    vxe_vec3 place; /* of the other voxel's, along A, B and C */
    vxe_real length, rest;
} vxe_face_adjoint;

/* push_at_present backwards. x: m, place of the other voxel along A, B and C; depth: of the face;
   by_force, by_share: adjoints of its force over k, and of its share. */
VXE_INLINE vxe_face_adjoint face_adjoint(vxe_vec3 x, vxe_real sided, vxe_real depth, vxe_real rest,
                                         vxe_real length, vxe_vec3 by_force, vxe_real by_share)
{
    const vxe_real by_length = 1 / length;
    const vxe_real up = x.x < 0 ? R(-1) : R(1);
    const vxe_real p = depth > rest ? depth - rest : R(0);
    const vxe_real acts = depth > rest ? R(1) : R(0);
    const vxe_real touches = depth > 0 ? by_share : R(0);
    const vxe_share_curve r = ramp_curve(magnitude(x.x), by_length, sided);
    const vxe_share_curve b = share_curve(x.y, by_length);
    const vxe_share_curve c = share_curve(x.z, by_length);
    const vxe_real both = b.value * c.value;
    const vxe_real square = R(0.5) * p * p;
    const vxe_real whole = square * r.value;
    const vxe_real push = up * (p * r.value - square * r.slope); /* of what shares all of a face */
    const vxe_real by_p = acts * (r.value - p * r.slope);
    const vxe_vec3 share = {up * r.slope * both, r.value * b.slope * c.value,
                            r.value * b.value * c.slope}; /* slopes of the share */
    const vxe_vec3 force = {push * both, -square * share.y, -square * share.z};
    const vxe_real aa = -both * (by_p - p * r.slope + square * r.curve);
    const vxe_real ab = push * b.slope * c.value;
    const vxe_real ac = push * b.value * c.slope;
    const vxe_real bb = -whole * b.curve * c.value;
    const vxe_real bc = -whole * b.slope * c.slope;
    const vxe_real cc = -whole * b.value * c.curve;
    const vxe_vec3 by_place = {vec_dot((vxe_vec3){aa, ab, ac}, by_force),
                               vec_dot((vxe_vec3){ab, bb, bc}, by_force),
                               vec_dot((vxe_vec3){ac, bc, cc}, by_force)};
    const vxe_real by_rest =
        vec_dot((vxe_vec3){-up * by_p * both, p * share.y, p * share.z}, by_force);
    const vxe_real by_scale = vec_dot(by_force, force) - vec_dot(by_place, x) - by_rest * rest -
                              touches * vec_dot(share, x);
    return (vxe_face_adjoint){vec_add_scaled(by_place, touches, share), by_scale * by_length,
                              by_rest};
}

/* What the loads of a pair follow from, forwards. */
typedef struct vxe_contact_terms {
    vxe_vec3 on_first, on_second; /* N: springs of both voxels' faces, on voxel 2 */
    vxe_vec3 normal, rate, along;
    vxe_vec3 stretched; /* m: the spring of friction before it gives way */
    vxe_vec3 wanted;    /* N: friction that gives no way */
    vxe_vec3 lost;      /* N: the sum of dashpot and friction */
    vxe_real share, pressed, opening, damped, limited;
    vxe_real hold, slows; /* N/m, N s/m: of friction */
    vxe_real mu, max;     /* N: mu in force, and what friction may reach */
    vxe_real mu_is_dynamic;
} vxe_contact_terms;

/* The dashpot of friction of a whole face, N s/m, and how it changes with k and the mobility. */
typedef struct vxe_slow_slopes {
    vxe_real swing, slow, k, inverse;
} vxe_slow_slopes;

VXE_INLINE vxe_slow_slopes slow_slopes(vxe_real k, vxe_real inverse, vxe_real h)
{
    const vxe_real mobile = AT_SURFACE * (inverse > 0 ? inverse : R(1));
    const vxe_real swing = vxe_root(SHEAR_STIFFNESS * k / mobile);
    const vxe_real rate = 2 * h / STOPPING_PART;
    const vxe_real part = 1 / vxe_fma(rate * swing, mobile, 1);
    const vxe_real by_swing = 2 * part * part;
    const vxe_real half = R(0.5) * swing * by_swing;
    return (vxe_slow_slopes){swing, 2 * swing * part, k > 0 ? half / k : R(0),
                             -AT_SURFACE * vxe_fma(rate * by_swing * swing, swing, half / mobile)};
}

/* k, c: of a whole face. */
VXE_INLINE vxe_contact_terms contact_terms(vxe_vec3 r, vxe_contact_end one, vxe_contact_end two,
                                           vxe_face_push first, vxe_face_push second, vxe_real k,
                                           vxe_real c, vxe_slow_slopes slow, vxe_real h,
                                           vxe_touch_memory before)
{
    const vxe_real inverse = one.inverse + two.inverse;
    const vxe_real share = R(0.5) * (first.share + second.share);
    const vxe_vec3 on_first = vec_scaled(R(0.5) * k, first.force);
    const vxe_vec3 on_second = vec_scaled(R(-0.5) * k, second.force);
    const vxe_vec3 spring = vec_add(on_first, on_second);
    const vxe_real pressed = vxe_root(vec_dot(spring, spring));
    const vxe_vec3 normal = vec_scaled(pressed > 0 ? 1 / pressed : R(0), spring);
    const vxe_vec3 rate = rate_between(r, one, two);
    const vxe_real opening = vec_dot(rate, normal);
    const vxe_real damped = share * c / vxe_fma(h * share * c, inverse, 1); /* N s/m */
    const vxe_real limited = damped * opening < pressed ? damped * opening : pressed;
    const vxe_vec3 along = vec_add_scaled(rate, -opening, normal);
    const vxe_vec3 turned = turned_shear(before, vec_add(one.w, two.w), normal, share, h);
    const vxe_vec3 stretched = vec_add_scaled(turned, before.known * h, along);
    const vxe_real hold = inverse > 0 ? SHEAR_STIFFNESS * share * k : R(0);
    const vxe_real slows = inverse > 0 ? share * slow.slow : R(0);
    const vxe_real mu_d = smaller(one.dynamic_friction, two.dynamic_friction);
    const vxe_real pushed = larger(pressed - limited, 0);
    const vxe_real speed = vxe_root(vec_dot(along, along));
    const vxe_real swing = inverse > 0 ? share * slow.swing : R(0);
    const vxe_real mu = friction_in_force(one, two, pushed, swing, speed);
    const vxe_vec3 friction =
        friction_of(one, two, stretched, along, pushed, hold, slows, swing).force;
    const vxe_vec3 wanted = vec_add_scaled(vec_scaled(-hold, stretched), -slows, along);
    return (vxe_contact_terms){on_first,    on_second,
                               normal,      rate,
                               along,       stretched,
                               wanted,      vec_add_scaled(friction, -limited, normal),
                               share,       pressed,
                               opening,     damped,
                               limited,     hold,
                               slows,       mu,
                               mu * pushed, mu > mu_d ? R(0) : R(1)};
}

/* What friction gives back. */
typedef struct vxe_friction_adjoint {
    vxe_vec3 stretched, along;
    vxe_real hold, slows, max;
} vxe_friction_adjoint;

/* friction_of backwards, from the adjoints of its force and of the spring. */
VXE_INLINE vxe_friction_adjoint pair_friction_adjoint(vxe_contact_terms of, vxe_vec3 by_force,
                                                      vxe_vec3 by_shear)
{
    const vxe_real size = vxe_root(vec_dot(of.wanted, of.wanted));
    const vxe_vec3 to = vec_scaled(size > of.max ? 1 / size : R(0), of.wanted);
    const vxe_real whole = of.max > 0 ? R(1) : R(0); /* else it holds nothing, at rest either */
    const vxe_real less = size > of.max ? of.max / size : whole;
    const vxe_real by_max = vec_dot(to, by_force);
    const vxe_vec3 by_wanted = vec_scaled(less, vec_add_scaled(by_force, -by_max, to));
    const vxe_real length = vxe_root(vec_dot(of.stretched, of.stretched));
    const vxe_real longest = of.hold > 0 ? of.max / of.hold : R(0);
    const vxe_vec3 tip = vec_scaled(length > longest ? 1 / length : R(0), of.stretched);
    const vxe_real stays = longest > 0 ? R(1) : R(0);
    const vxe_real shorter = length > longest ? longest / length : stays;
    const vxe_real by_longest = vec_dot(tip, by_shear);
    const vxe_vec3 by_kept = vec_scaled(shorter, vec_add_scaled(by_shear, -by_longest, tip));
    const vxe_real by_hold = of.hold > 0 ? 1 / of.hold : R(0);
    return (vxe_friction_adjoint){
        vec_add_scaled(by_kept, -of.hold, by_wanted), vec_scaled(-of.slows, by_wanted),
        -vec_dot(of.stretched, by_wanted) - by_longest * longest * by_hold,
        -vec_dot(of.along, by_wanted), vxe_fma(by_longest, by_hold, by_max)};
}

/* What the turning of friction's spring gives back. */
typedef struct vxe_shear_adjoint {
    vxe_vec3 shear, spin, normal;
    vxe_real share, share_before;
} vxe_shear_adjoint;

/* turned_shear backwards, from the adjoint of what it returns. */
VXE_INLINE vxe_shear_adjoint turned_shear_adjoint(vxe_touch_memory before, vxe_vec3 spin,
                                                  vxe_vec3 normal, vxe_real share, vxe_real h,
                                                  vxe_vec3 by)
{
    const vxe_vec3 turned = vec_add_scaled(before.shear, R(0.5) * h, vec_cross(spin, before.shear));
    const vxe_real off = vec_dot(turned, normal);
    const vxe_vec3 flat = vec_add_scaled(turned, -off, normal);
    const vxe_real was = vec_dot(before.shear, before.shear);
    const vxe_real is = vec_dot(flat, flat);
    const vxe_real keep = vxe_root(is > was ? was / is : R(1));
    const vxe_real part = share > before.share ? before.share / share : R(1);
    /* where it turns without getting longer, along(flat) times the length before */
    const vxe_real longer = is > was ? vxe_root(is) : R(0);
    const vxe_vec3 to = vec_scaled(longer > 0 ? 1 / longer : R(0), flat);
    const vxe_real length = longer > 0 ? vxe_root(was) : R(0);
    const vxe_vec3 from = vec_scaled(length > 0 ? 1 / length : R(0), before.shear);
    const vxe_real by_size = part * vec_dot(to, by);
    const vxe_vec3 by_flat = vec_scaled(keep, vec_add_scaled(vec_scaled(part, by), -by_size, to));
    const vxe_real into = vec_dot(by_flat, normal);
    const vxe_vec3 by_turned = vec_add_scaled(by_flat, -into, normal);
    const vxe_real by_part = keep * vec_dot(by, flat);
    const vxe_real over = share > before.share ? by_part / share : R(0);
    return (vxe_shear_adjoint){
        vec_add_scaled(vec_add_scaled(by_turned, R(0.5) * h, vec_cross(by_turned, spin)), by_size,
                       from),
        vec_scaled(R(0.5) * h, vec_cross(before.shear, by_turned)),
        vec_add_scaled(vec_scaled(-into, turned), -off, by_flat), -over * part, over};
}

/* What normal and rate, and the numbers of a pair, get by friction and the dashpot. */
typedef struct vxe_loss_adjoint {
    vxe_vec3 normal, rate, shear, spin;
    vxe_real pressed, share, share_before;
    vxe_real k, c, slow, inverse, mu_d;
} vxe_loss_adjoint;

/* by_loss: adjoint of dashpot and friction, which act at one place. */
VXE_INLINE vxe_loss_adjoint contact_loss_adjoint(vxe_contact_terms of, vxe_vec3 spin, vxe_real k,
                                                 vxe_real c, vxe_real slow, vxe_real inverse,
                                                 vxe_real h, vxe_touch_memory before,
                                                 vxe_vec3 by_loss, vxe_vec3 by_shear)
{
    const vxe_friction_adjoint friction = pair_friction_adjoint(of, by_loss, by_shear);
    const vxe_vec3 by_along = vec_add_scaled(friction.along, before.known * h, friction.stretched);
    const vxe_shear_adjoint turned =
        turned_shear_adjoint(before, spin, of.normal, of.share, h, friction.stretched);
    const vxe_real by_pushed = of.pressed > of.limited ? of.mu * friction.max : R(0);
    const vxe_real by_limited = -by_pushed - vec_dot(of.normal, by_loss);
    const vxe_real by_dash = of.damped * of.opening < of.pressed ? by_limited : R(0);
    const vxe_real by_opening = vxe_fma(by_dash, of.damped, -vec_dot(of.normal, by_along));
    const vxe_real part = 1 / vxe_fma(h * of.share * c, inverse, 1);
    const vxe_real by_dashpot = by_dash * of.opening * (part * part); /* of share times c */
    const vxe_vec3 normal =
        vec_add_scaled(vec_add_scaled(turned.normal, -of.limited, by_loss), -of.opening, by_along);
    const vxe_real mobile = inverse > 0 ? R(1) : R(0);
    const vxe_real by_hold = mobile * SHEAR_STIFFNESS * friction.hold;
    const vxe_real by_slows = mobile * friction.slows;
    const vxe_real pushed = larger(of.pressed - of.limited, 0);
    return (vxe_loss_adjoint){
        vec_add_scaled(normal, by_opening, of.rate),
        vec_add_scaled(by_along, by_opening, of.normal),
        turned.shear,
        turned.spin,
        by_pushed + (by_limited - by_dash),
        vxe_fma(by_hold, k, vxe_fma(by_slows, slow, vxe_fma(by_dashpot, c, turned.share))),
        turned.share_before,
        by_hold * of.share,
        by_dashpot * of.share,
        by_slows * of.share,
        -by_dash * of.opening * h * (of.damped * of.damped),
        of.mu_is_dynamic * pushed * friction.max};
}

/* 1 where a face of a voxel is free and the one across is not: one_sided of both. */
typedef struct vxe_pair_sides {
    vxe_real first, second;
} vxe_pair_sides;

/* Adjoints of what both faces give a pair: of the springs' forces, of the share, and of the overlap
   at which it begins to push. */
typedef struct vxe_push_adjoint {
    vxe_vec3 first, second;
    vxe_real share, rest;
} vxe_push_adjoint;

/* Virtual displacement of a pair: of voxel 2 less that of voxel 1, and turns of both. */
typedef struct vxe_pair_moves {
    vxe_vec3 dr, y1, y2;
} vxe_pair_moves;

/* What both faces give back of a spring (N) on voxel 2, and of the share of a pair. */
typedef struct vxe_faces_adjoint {
    vxe_vec3 first, second; /* of the place of voxel 2, by the faces of voxel 1, and the negative of
                               the other, world axes */
    vxe_real length, rest_before;
} vxe_faces_adjoint;

VXE_INLINE vxe_faces_adjoint faces_adjoint(vxe_vec3 r, vxe_real length, vxe_contact_end one,
                                           vxe_contact_end two, const vxe_face_place *at_first,
                                           const vxe_face_place *at_second, vxe_pair_sides sided,
                                           vxe_real rest_before, vxe_real k, vxe_push_adjoint by)
{
    const vxe_real depth = larger(at_first->depth, at_second->depth);
    const vxe_real rest = smaller(rest_before, depth);
    const vxe_face_adjoint first =
        face_adjoint(along_face(one.q, at_first, r), sided.first, at_first->depth, rest, length,
                     vec_scaled(R(0.5) * k, along_face(one.q, at_first, by.first)), by.share);
    const vxe_face_adjoint second = face_adjoint(
        along_face(two.q, at_second, vec_scaled(-1, r)), sided.second, at_second->depth, rest,
        length, vec_scaled(R(-0.5) * k, along_face(two.q, at_second, by.second)), by.share);
    const vxe_real by_rest = first.rest + second.rest + by.rest;
    const vxe_real by_depth = rest_before < depth ? R(0) : by_rest;
    const vxe_real deeper = at_first->depth > at_second->depth ? R(1) : R(0);
    const vxe_real down1 = at_first->a < 0 ? deeper : -deeper;
    const vxe_real down2 = at_second->a < 0 ? 1 - deeper : deeper - 1;
    return (vxe_faces_adjoint){off_face(one.q, at_first, vxe_fma(by_depth, down1, first.place.x),
                                        first.place.y, first.place.z),
                               off_face(two.q, at_second, vxe_fma(by_depth, down2, second.place.x),
                                        second.place.y, second.place.z),
                               first.length + second.length + by_depth, by_rest - by_depth};
}

/* contact_by_faces backwards, where it takes no means over a step, and faces that were open stay
   so. sided: is given, as compilers make vectors of that choice once and not twice; h: s of the
   step and its kick; y: virtual displacement; behind: adjoints of what the pair remembers. At the
   start, when pairs begin to push where they are, before.rest is larger than any overlap. */
VXE_INLINE vxe_contact_adjoint contact_adjoint(vxe_vec3 r, vxe_real length, vxe_contact_end one,
                                               vxe_contact_end two, vxe_pair_sides sided,
                                               vxe_real h, vxe_touch_memory before,
                                               vxe_pair_moves y, vxe_touch_adjoint behind)
{
    const vxe_real by_length = 1 / length;
    const vxe_face_place at_first = place_at_faces(one.q, one.faces, r, length, by_length);
    const vxe_face_place at_second =
        place_at_faces(two.q, two.faces, vec_scaled(-1, r), length, by_length);
    const vxe_real rest = smaller(before.rest, larger(at_first.depth, at_second.depth));
    const vxe_face_push first = push_at_present(one.q, &at_first, rest);
    const vxe_face_push second = push_at_present(two.q, &at_second, rest);
    const vxe_real k = pair_spring(one.softness, two.softness);
    const vxe_real c = pair_dashpot(1, one.dashpot, two.dashpot);
    const vxe_real inverse = one.inverse + two.inverse;
    const vxe_slow_slopes slow = slow_slopes(k, inverse, h);
    const vxe_contact_terms of = contact_terms(r, one, two, first, second, k, c, slow, h, before);
    const vxe_vec3 spin = vec_add(one.w, two.w);
    const vxe_vec3 turns = vec_add(y.y1, y.y2);
    const vxe_vec3 by_lost = vec_add_scaled(y.dr, R(-0.5), vec_cross(turns, r));
    const vxe_loss_adjoint loss =
        contact_loss_adjoint(of, spin, k, c, slow.slow, inverse, h, before, by_lost, behind.shear);
    /* the springs' sum is its size times the normal */
    const vxe_real off = vec_dot(of.normal, loss.normal);
    const vxe_vec3 aside = vec_add_scaled(loss.normal, -off, of.normal);
    const vxe_vec3 by_spring = vec_add_scaled(
        vec_scaled(of.pressed > 0 ? 1 / of.pressed : R(0), aside), loss.pressed, of.normal);
    const vxe_vec3 by_first = vec_add(vec_sub(y.dr, vec_cross(y.y1, r)), by_spring);
    const vxe_vec3 by_second = vec_add(vec_sub(y.dr, vec_cross(y.y2, r)), by_spring);
    const vxe_push_adjoint by = {by_first, by_second, R(0.5) * (loss.share + behind.share),
                                 behind.rest};
    const vxe_faces_adjoint faces =
        faces_adjoint(r, length, one, two, &at_first, &at_second, sided, before.rest, k, by);
    const vxe_vec3 levers = vec_add(vec_cross(of.on_first, y.y1), vec_cross(of.on_second, y.y2));
    const vxe_vec3 arms = vec_add(vec_cross(of.lost, turns), vec_cross(loss.rate, spin));
    const vxe_vec3 place = vec_sub(vec_sub(faces.first, faces.second), levers);
    const vxe_real by_springs = vec_dot(by_first, of.on_first) + vec_dot(by_second, of.on_second);
    return (vxe_contact_adjoint){
        vec_add_scaled(place, R(-0.5), arms),
        loss.rate,
        vec_sub(vec_cross(of.on_first, by_first), vec_cross(r, faces.first)),
        vec_add(vec_cross(of.on_second, by_second), vec_cross(r, faces.second)),
        vec_add_scaled(loss.spin, R(-0.5), vec_cross(r, loss.rate)),
        faces.length,
        {loss.share_before, faces.rest_before, loss.shear},
        vxe_fma(loss.slow, slow.k, loss.k) + (k > 0 ? by_springs / k : R(0)),
        loss.c,
        vxe_fma(loss.slow, slow.inverse, loss.inverse),
        loss.mu_d};
}

#endif
