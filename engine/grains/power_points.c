/* SPDX-License-Identifier: MIT */
/* See power_law_internal.h: the law at a distance. */
#include <math.h>

#include "engine/grains/power_law_internal.h"
#include "engine/grains/power_point_internal.h"

/* Parts of a face that feel no more than so much of what is felt are left out. */
#define NOTHING 1e-9

double vxe_inverse_power(double x, double nu)
{
    return vxe_power_of(1 / x, nu);
}

bool vxe_power_is_idle(const double *numbers, double least, double area, const vxe_power_sum *sum)
{
    const vxe_power_pressures p = vxe_power_at(numbers, least);
    double pushed = 0;
    for (int c = 0; c < 3; c++) {
        pushed = fmax(pushed, fabs(sum->push[c]));
    }
    /* adhesion may have the better of repulsion farther away */
    const double pulls = numbers[VXE_POWER_BETA_A] > 0 ? p.steep * least : 0;
    return area * (fabs(p.push) + pulls) < NOTHING * pushed &&
           area * (p.damping + p.friction) <= NOTHING * sum->dashpot &&
           area * p.steep < NOTHING * sum->stiffness;
}
