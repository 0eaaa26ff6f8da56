/* SPDX-License-Identifier: MIT */
/* The contact model `linear` (LinearDipole; docs/contact-models.md, linear): springs, Coulomb
 * friction, dashpots. */
#include "common/assert_internal.h"
#include "engine/contact_models/model_interface.h"

/* Dashpots (N s/m) from damping ratios. */
static void find_dashpots(const double *numbers, const double stiffness[2], double mass,
                          double dashpot[2])
{
    dashpot[0] = 2 * numbers[VXE_LINEAR_DP_NRATIO] * sqrt(mass * stiffness[0]);
    dashpot[1] = 2 * numbers[VXE_LINEAR_DP_SRATIO] * sqrt(mass * stiffness[1]);
}

static void act(const vxe_particle_pair *pair, const vxe_contact_geometry *m,
                const vxe_contact_memory *before, vxe_contact_force *force)
{
    VXE_ASSERT(pair->numbers.kind == VXE_CONTACT_LINEAR && m->mass > 0);
    const double *numbers = pair->numbers.number;
    const double gap = m->gap - numbers[VXE_LINEAR_RGAP];
    *force = (vxe_contact_force){.active = gap <= 0};
    if (!force->active) {
        return;
    }
    double stiffness[2];
    double dashpot[2];
    vxe_linear_stiffness(&pair->numbers, m->radius, stiffness);
    find_dashpots(numbers, stiffness, m->mass, dashpot);
    const double part = vxe_contact_part(m, gap, !before);
    const double before_now = before ? before->normal : 0;
    force->normal = numbers[VXE_LINEAR_MODE] > 0
                        ? fmin(before_now + stiffness[0] * part * m->h * vxe_dot3(m->rate, m->n), 0)
                        : stiffness[0] * gap;
    force->tangent = stiffness[0];
    force->energy = stiffness[0] > 0 ? 0.5 * force->normal * force->normal / stiffness[0] : 0;
    vxe_contact_slide(m, before, stiffness[1], -numbers[VXE_LINEAR_FRIC] * force->normal, part, 1,
                      force);
    vxe_contact_dashpots(m, dashpot, (int)numbers[VXE_LINEAR_DP_MODE], force);
}

static vxe_contact_bounds bounds(const vxe_particle_pair *pair, const double radius[2], double mass,
                                 double speed, double load)
{
    (void)speed;
    (void)load;
    vxe_contact_bounds max;
    vxe_linear_stiffness(&pair->numbers, radius, max.stiffness);
    find_dashpots(pair->numbers.number, max.stiffness, mass, max.dashpot);
    return max;
}

const vxe_contact_force_model vxe_contact_model_linear = {
    .name = "linear", .act = act, .bounds = bounds};
