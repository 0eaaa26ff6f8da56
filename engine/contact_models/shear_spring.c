/* SPDX-License-Identifier: MIT */
/* The force along the surfaces, which all contact models but the power law share. */
#include "common/assert_internal.h"
#include "common/trig_internal.h"
#include "engine/contact_models/model_interface.h"

/* Rotates the old force into the present tangent plane with its length, and about n. */
static void turn(const vxe_contact_geometry *m, const vxe_contact_memory *before, double turned[3])
{
    const double *n = m->n;
    const double *old = before->shear;
    const double length = sqrt(vxe_dot3(old, old));
    const double out = vxe_dot3(old, n);
    const double angle = m->spin * m->h;
    double square = 0;
    double across[3];
    vxe_cross3(n, old, across);
    for (int c = 0; c < 3; c++) {
        turned[c] = old[c] - out * n[c] + angle * across[c];
        square += turned[c] * turned[c];
    }
    const double keep = square > 0 ? length / sqrt(square) : 0;
    for (int c = 0; c < 3; c++) {
        turned[c] *= keep;
    }
}

/* Coulomb's law of a remembered shear spring (the rules of others: floor/friction_law.h). */
void vxe_contact_slide(const vxe_contact_geometry *m, const vxe_contact_memory *before,
                       double stiffness, double limit, double part, double scale,
                       vxe_contact_force *force)
{
    const double opening = vxe_dot3(m->rate, m->n);
    double old[3] = {0, 0, 0};
    double way[3];
    double square = 0;
    VXE_ASSERT(m->h >= 0 && part >= 0 && part <= 1);
    VXE_ASSERT(!(fabs(vxe_dot3(m->n, m->n) - 1) > 1e-3)); /* not a number in a diverging run */
    VXE_ASSERT(!(stiffness < 0));
    force->shear_stiffness = stiffness;
    if (before) {
        turn(m, before, old);
    }
    for (int c = 0; c < 3; c++) {
        way[c] = part * m->h * (m->rate[c] - opening * m->n[c]);
        old[c] *= scale;
        force->shear[c] = old[c] - stiffness * way[c];
        square += force->shear[c] * force->shear[c];
    }
    force->slips = square > limit * limit;
    const double keep = force->slips ? limit / sqrt(square) : 1;
    for (int c = 0; c < 3 && stiffness > 0; c++) {
        force->shear[c] *= keep;
        const double slipped = way[c] + (force->shear[c] - old[c]) / stiffness;
        force->lost -= 0.5 * (old[c] + force->shear[c]) * slipped;
        force->energy += 0.5 * force->shear[c] * force->shear[c] / stiffness;
    }
}

double vxe_contact_root(double x, int n)
{
    return x > 0 ? vxe_exponential(vxe_logarithm(x) / n) : 0;
}
