/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The force of a contact, a spring with a dashpot that never pulls, over the way of one step. One lane
   of a vector loop; floors (floor/floor_law.h) and voxels without bonds (contact/penalty_law.h) share it.

   A step that takes a force where it begins does not see where within the step a contact begins or
   ends: bodies then leave the floor faster than they came, or slower, by up to 12 % at the default
   step, and what rests on it shakes ever more. Here the force is the mean over the way that the step
   goes: from half a step before to half a step behind,

       a = p - h v/2   ->   b = p + h v'/2,       p: overlap, v and v': m/s of approach before and after,

       F = (U(b) - U(a))/(b - a)  +  c u (part of the way in contact),     U = k max(p, 0)^2/2, u = (v + v')/2.

   Where one step ends the next begins, so that the work of the spring adds up to its energy: nothing is
   gained or lost by it at any step (a discrete gradient: Gonzalez1996). v' depends on F, by which it is an equation.
   On the part in contact F is linear in v', so that each iteration finds a part and solves for F.

   On the way out the contact ends where the dashpot would pull, at k p = c |u|. The dashpot takes
   c u^2 h in a step and not the integral of c times the square of a changing speed, which is more by a
   part that grows as the squared step: c is made larger by it (fitted here; docs/accuracy.md has
   what is left of it). */
/* clang-format on */
#ifndef VXE_ENGINE_FLOOR_IMPACT_LAW_H
#define VXE_ENGINE_FLOOR_IMPACT_LAW_H

#include "engine/core/real.h"

/* Largest step, in 1/omega of a contact, at which restitution holds to 3 %. */
#define VXE_IMPACT_STEP 0.7

/* Corrections of the dashpot, of (h omega)^2 and of damping ratio times (h omega)^2. */
#define IMPACT_UNDAMPED R(0.15)
#define IMPACT_DAMPED R(0.1)
/* m: a way that counts as none. */
#define IMPACT_NO_WAY R(1e-20)

/* The mean force of a step, N, and its part by the spring alone. */
typedef struct vxe_impact {
    vxe_real force, spring;
} vxe_impact;

/* The part of a way that is deeper than `from`; the way has its middle at `middle` and is so long,
   in m. */
VXE_INLINE vxe_real impact_part(vxe_real middle, vxe_real from, vxe_real length)
{
    const vxe_real part = vxe_fma(middle - from, 1 / length, R(0.5));
    const vxe_real some = part > 0 ? part : R(0);
    return some < 1 ? some : R(1);
}

/* m: length of the way of a step, at a mean speed u. */
VXE_INLINE vxe_real impact_length(vxe_real u, vxe_real h)
{
    const vxe_real way = h * magnitude(u);
    return way > IMPACT_NO_WAY ? way : IMPACT_NO_WAY;
}

/* N s/m: the dashpot that takes from a changing speed what c does. step2: (h omega)^2. */
VXE_INLINE vxe_real impact_dashpot(vxe_real c, vxe_real give, vxe_real step2)
{
    const vxe_real damped = IMPACT_DAMPED * vxe_root(step2) * (R(0.5) * give * c);
    return c * (1 + vxe_fma(IMPACT_UNDAMPED, step2, damped));
}

/* N: the spring's mean force over a way of this length around its middle. */
VXE_INLINE vxe_real impact_spring(vxe_real middle, vxe_real length, vxe_real k)
{
    const vxe_real within = impact_part(middle, 0, length);
    return within * k * vxe_fma(R(0.5) * (1 - within), length, middle);
}

/* A contact in a step, as the equation for its force sees it. */
typedef struct vxe_impact_terms {
    vxe_real k, by_k;   /* N/m, m/N; the latter is for iterations, and 0 without them */
    vxe_real dashpot;   /* N s/m */
    vxe_real give;      /* m/s by a newton in the step */
    vxe_real h;         /* s */
    vxe_real middle, u; /* m and m/s: of the way, without the contact's force */
} vxe_impact_terms;

/* m/s and m: mean speed, and middle of the way, with the contact's force. */
VXE_INLINE vxe_real impact_speed(const vxe_impact_terms *of, vxe_real force)
{
    return vxe_fma(R(-0.5) * of->give, force, of->u);
}

VXE_INLINE vxe_real impact_middle(const vxe_impact_terms *of, vxe_real force)
{
    return vxe_fma(R(-0.25) * of->give * of->h, force, of->middle);
}

/* The part of the way in contact, from the force. */
VXE_INLINE vxe_real impact_found(const vxe_impact_terms *of, vxe_real force)
{
    const vxe_real u = impact_speed(of, force);
    const vxe_real ends = u < 0 ? -u * of->dashpot * of->by_k : R(0);
    return impact_part(impact_middle(of, force), ends, impact_length(u, of->h));
}

/* The force, from the part of the way in contact; the one before tells the direction of the way. */
VXE_INLINE vxe_real impact_solved(const vxe_impact_terms *of, vxe_real part, vxe_real before)
{
    const vxe_real half_way = R(0.5) * of->h * of->k * (1 - part);
    const vxe_real rate = of->dashpot + (impact_speed(of, before) < 0 ? -half_way : half_way);
    const vxe_real all = part * vxe_fma(of->k, of->middle, rate * of->u);
    const vxe_real less = part * of->give * vxe_fma(R(0.25) * of->h, of->k, R(0.5) * rate);
    const vxe_real force = all / (1 + less);
    return force > 0 ? force : R(0);
}

VXE_INLINE vxe_impact_terms impact_terms(vxe_real depth, vxe_real v, vxe_real others, vxe_real k,
                                         vxe_real c, vxe_real inverse, vxe_real h)
{
    const vxe_real give = h * inverse;
    return (vxe_impact_terms){k,
                              0,
                              impact_dashpot(c, give, give * h * k),
                              give,
                              h,
                              vxe_fma(R(0.25) * h, others, depth),
                              vxe_fma(R(0.5), others, v)};
}

/* depth: m, where the step's force acts, below 0 apart; v: m/s of approach before the kick of h
   seconds; others: m/s that it gains by all other forces; k, c: N/m and N s/m; inverse: 1/kg, 0
   where nothing gives way. Four iterations, the last halfway: where parts go to and fro, their mean
   is closer. */
VXE_INLINE vxe_impact impact_of_step(vxe_real depth, vxe_real v, vxe_real others, vxe_real k,
                                     vxe_real c, vxe_real inverse, vxe_real h)
{
    vxe_impact_terms of = impact_terms(depth, v, others, k, c, inverse, h);
    of.by_k = k > 0 ? 1 / k : R(0);
    const vxe_real first = impact_solved(&of, impact_found(&of, 0), 0);
    const vxe_real second = impact_solved(&of, impact_found(&of, first), first);
    const vxe_real part = impact_found(&of, second);
    const vxe_real third = impact_solved(&of, part, second);
    const vxe_real force = impact_solved(&of, R(0.5) * (part + impact_found(&of, third)), third);
    const vxe_real length = impact_length(impact_speed(&of, force), h);
    return (vxe_impact){force, impact_spring(impact_middle(&of, force), length, k)};
}

/* More than rounding can make of a part that is all or nothing. */
#define IMPACT_CLEARLY R(1e-5)

/* N: by how much the spring is clearly above what the dashpot pulls at both ends of a way, and
   clearly below it: above 0 where all of the way is in contact, and where none is. No divisions. */
typedef struct vxe_impact_sides {
    vxe_real all, none;
} vxe_impact_sides;

VXE_INLINE vxe_impact_sides impact_sides(const vxe_impact_terms *of, vxe_real u, vxe_real middle)
{
    const vxe_real half = R(0.5) * impact_length(u, of->h);
    const vxe_real pulled = (u < 0 ? -u : R(0)) * of->dashpot;
    const vxe_real rounding = IMPACT_CLEARLY * vxe_fma(of->k, magnitude(middle) + half, pulled);
    return (vxe_impact_sides){vxe_fma(of->k, middle - half, -pulled) - rounding,
                              -vxe_fma(of->k, middle + half, -pulled) - rounding};
}

/* Whether clearly all of the way is in contact, or none, with the force and without. Then `force`
   is what impact_of_step finds, to the bit: all its iterations are the first. Most of what rests or
   walks is so. */
typedef struct vxe_impact_try {
    vxe_real force; /* N */
    vxe_real sure;  /* above 0 where no more iterations are needed */
} vxe_impact_try;

VXE_INLINE vxe_impact_try impact_tried(vxe_real depth, vxe_real v, vxe_real others, vxe_real k,
                                       vxe_real c, vxe_real inverse, vxe_real h)
{
    const vxe_impact_terms of = impact_terms(depth, v, others, k, c, inverse, h);
    const vxe_impact_sides first = impact_sides(&of, of.u, of.middle);
    const vxe_real pushed = impact_solved(&of, 1, 0);
    const vxe_impact_sides again =
        impact_sides(&of, impact_speed(&of, pushed), impact_middle(&of, pushed));
    const vxe_real both = first.all < again.all ? first.all : again.all;
    return (vxe_impact_try){first.all > 0 ? pushed : R(0), first.none > both ? first.none : both};
}

/* The same where the speed after the kick is known. */
VXE_INLINE vxe_impact impact_of_way(vxe_real depth, vxe_real v, vxe_real after, vxe_real k,
                                    vxe_real c, vxe_real inverse, vxe_real h)
{
    const vxe_real give = h * inverse;
    const vxe_real dashpot = impact_dashpot(c, give, give * h * k);
    const vxe_real middle = vxe_fma(R(0.25) * h, after - v, depth);
    const vxe_real u = R(0.5) * (v + after);
    const vxe_real length = impact_length(u, h);
    const vxe_real ends = u < 0 && k > 0 ? -u * dashpot / k : R(0);
    const vxe_real part = impact_part(middle, ends, length);
    const vxe_real mean = vxe_fma(R(0.5) * (1 - part), length, middle);
    const vxe_real force = part * vxe_fma(k, mean, dashpot * u);
    return (vxe_impact){force > 0 ? force : R(0), impact_spring(middle, length, k)};
}

#endif
