/* SPDX-License-Identifier: MIT */
/* The contact model `hertz` (docs/contact-models.md, hertz): Hertz1882 with the damping of
   Tsuji1992, and Mindlin's force along the surfaces (Mindlin1949). */
#include "common/assert_internal.h"
#include "engine/contact_models/model_interface.h"

/* m: effective radius of two spheres, or of one at the floor. */
static double radius_of(const double radius[2])
{
    return radius[1] > 0 ? radius[0] * radius[1] / (radius[0] + radius[1]) : radius[0];
}

/* Stiffnesses and dashpots at a contact radius (m) of (R d)^1/2. */
static vxe_contact_bounds at_width(const vxe_particle_pair *pair, double mass, double width)
{
    const double *numbers = pair->numbers.number;
    vxe_contact_bounds now;
    now.stiffness[0] = 2 * pair->modulus * width;
    now.stiffness[1] = 8 * pair->shear * width;
    now.dashpot[0] = numbers[VXE_HERTZ_C_N] * sqrt(3 * mass * now.stiffness[0]);
    now.dashpot[1] = 2 * numbers[VXE_HERTZ_DP_SRATIO] * sqrt(mass * now.stiffness[1]);
    return now;
}

static void act(const vxe_particle_pair *pair, const vxe_contact_geometry *m,
                const vxe_contact_memory *before, vxe_contact_force *force)
{
    const double *numbers = pair->numbers.number;
    const double depth = -m->gap;
    VXE_ASSERT(pair->numbers.kind == VXE_CONTACT_HERTZ && pair->modulus > 0);
    VXE_ASSERT(m->mass > 0 && !(m->radius[0] <= 0));
    *force = (vxe_contact_force){.active = depth >= 0};
    if (!force->active) {
        return;
    }
    const double width = sqrt(radius_of(m->radius) * depth);
    const vxe_contact_bounds now = at_width(pair, m->mass, width);
    force->normal = -(4.0 / 3) * pair->modulus * width * depth;
    force->tangent = now.stiffness[0];
    force->energy = (8.0 / 15) * pair->modulus * width * depth * depth;
    /* Thornton2015: while the spheres separate, the force along the surfaces scales with its
       stiffness, so that no energy appears. The rest of the spring's energy by a change of
       stiffness counts as lost. */
    const double k = before ? before->stiffness : 0;
    const double scale = before && now.stiffness[1] < k ? now.stiffness[1] / k : 1;
    if (before && k > 0 && now.stiffness[1] > 0) {
        const double square = vxe_dot3(before->shear, before->shear);
        force->lost = 0.5 * square * (1 / k - scale * scale / now.stiffness[1]);
    }
    vxe_contact_slide(m, before, now.stiffness[1], -numbers[VXE_HERTZ_FRIC] * force->normal,
                      vxe_contact_part(m, m->gap, !before), scale, force);
    vxe_contact_dashpots(m, now.dashpot, (int)numbers[VXE_HERTZ_DP_MODE], force);
}

/* Bounds at the depth that the whole energy of a collision reaches, plus that of the load; at most
 * one radius. */
static vxe_contact_bounds bounds(const vxe_particle_pair *pair, const double radius[2], double mass,
                                 double speed, double load)
{
    const double r = radius_of(radius);
    const double modulus = fmax(pair->modulus, 1e-300);
    const double by_speed = 15 * mass * speed * speed / (16 * modulus * sqrt(r));
    const double by_load = 3 * load / (4 * modulus * sqrt(r));
    const double fifth = vxe_contact_root(by_speed, 5);
    const double third = vxe_contact_root(by_load, 3);
    const double depth = fifth * fifth + third * third;
    return at_width(pair, mass, sqrt(r * fmin(depth, r)));
}

const vxe_contact_force_model vxe_contact_model_hertz = {
    .name = "hertz", .act = act, .bounds = bounds};
