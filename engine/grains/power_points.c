/* SPDX-License-Identifier: MIT */
/* See power_law_internal.h: the law at a point. */
#include <math.h>

#include "common/trig_internal.h"
#include "engine/grains/grain_law_internal.h"

/* Parts of a face that feel no more than so much of what is felt are left out. */
#define NOTHING 1e-9

double vxe_inverse_power(double x, double nu)
{
    if (nu != floor(nu)) {
        return vxe_exponential(-nu * vxe_logarithm(x));
    }
    const double by = 1 / x;
    double square = by;
    double product = 1;
    for (uint32_t n = (uint32_t)nu; n > 0; n /= 2) {
        product *= n % 2 ? square : 1;
        square *= square;
    }
    return product;
}

/* D^(1 - nu)/(nu - 1), which ends in -ln D. power: D^-nu */
static double potential(double d, double nu, double power)
{
    return nu == 1 ? -vxe_logarithm(d) : power * d / (nu - 1);
}

/* Pressures at a distance, Pa and Pa s/m. */
typedef struct pressures {
    double push;   /* of repulsion, and adhesion below 0 */
    double repels; /* of repulsion alone */
    double damping;
    double friction;
    double steep;  /* Pa/m: sum of the sizes of nu q/d */
    double energy; /* J/m^2 */
} pressures;

static pressures at_distance(const double *numbers, double distance)
{
    const double d0 = numbers[VXE_POWER_D0];
    const double d = distance / d0;
    pressures p = {0};
    double known = 0; /* a power that others share */
    double of_known = 1;
    if (numbers[VXE_POWER_ALPHA_R] > 0) {
        const double nu = numbers[VXE_POWER_NU_R];
        known = nu;
        of_known = vxe_inverse_power(d, nu);
        p.repels = numbers[VXE_POWER_ALPHA_R] * of_known;
        p.push = p.repels;
        p.steep = nu * p.repels / distance;
        p.energy = numbers[VXE_POWER_ALPHA_R] * d0 * potential(d, nu, of_known);
    }
    if (numbers[VXE_POWER_BETA_A] > 0) {
        const double far = numbers[VXE_POWER_NU_AA];
        const double near = numbers[VXE_POWER_NU_AR];
        const double at_far = vxe_inverse_power(d, far);
        const double at_near = vxe_inverse_power(d, near);
        const double pulls = numbers[VXE_POWER_BETA_A] * at_far;
        const double parts = numbers[VXE_POWER_BETA_A] * at_near;
        p.push += parts - pulls;
        p.steep += (far * pulls + near * parts) / distance;
        p.energy -= numbers[VXE_POWER_BETA_A] * d0 *
                    (potential(d, far, at_far) - potential(d, near, at_near));
    }
    if (numbers[VXE_POWER_BETA_D] > 0) {
        const double nu = numbers[VXE_POWER_NU_D];
        const double power = nu == known ? of_known : vxe_inverse_power(d, nu);
        p.damping = numbers[VXE_POWER_BETA_D] * power;
    }
    if (numbers[VXE_POWER_BETA_F] > 0) {
        const double nu = numbers[VXE_POWER_NU_F];
        const double power = nu == known ? of_known : vxe_inverse_power(d, nu);
        p.friction = numbers[VXE_POWER_BETA_F] * power;
    }
    return p;
}

/* What damping and friction take of a point that moves with v, and away with rise. */
static void add_losses(const double *numbers, const vxe_power_point *at, const pressures *p,
                       double rise, vxe_power_sum *sum)
{
    const double area = at->area;
    double along[3];
    for (int c = 0; c < 3; c++) {
        along[c] = at->v[c] - rise * at->n[c];
    }
    const double slide = sqrt(vxe_dot3(along, along));
    const double mu = numbers[VXE_POWER_FRIC];
    const double bound = slide > 0 ? mu * p->repels / slide : p->friction;
    const double friction = mu > 0 ? fmin(p->friction, bound) : p->friction;
    for (int c = 0; c < 3; c++) {
        const double loss = -area * (p->damping * rise * at->n[c] + friction * along[c]);
        sum->loss[c] += loss;
        for (int d = 0; d < 3; d++) {
            sum->loss_by_arm[3 * c + d] += loss * at->arm[d];
        }
    }
    sum->damped += area * p->damping * rise * rise;
    sum->rubbed += area * friction * slide * slide;
    sum->dashpot += area * (p->damping + p->friction);
}

void vxe_power_add_point(const double *numbers, const vxe_power_point *at, vxe_power_sum *sum)
{
    const pressures p = at_distance(numbers, at->distance);
    const double rise = vxe_dot3(at->v, at->n);
    for (int c = 0; c < 3; c++) {
        const double push = at->area * p.push * at->n[c];
        sum->push[c] += push;
        for (int d = 0; d < 3; d++) {
            sum->push_by_arm[3 * c + d] += push * at->arm[d];
        }
    }
    sum->energy += at->area * p.energy;
    sum->stiffness += at->area * p.steep;
    sum->fastest = fabs(rise) > sum->fastest ? fabs(rise) : sum->fastest;
    if (p.damping > 0 || p.friction > 0) {
        add_losses(numbers, at, &p, rise, sum);
    }
}

bool vxe_power_is_idle(const double *numbers, double least, double area, const vxe_power_sum *sum)
{
    const pressures p = at_distance(numbers, least);
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
