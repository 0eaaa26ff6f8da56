/* SPDX-License-Identifier: MIT */
/* The power law at a point, or at several points in lanes (wide_internal.h); Contento2009 with
   distances relative to d0, so that units agree. numbers: as VXE_POWER_*. */
#ifndef VXE_ENGINE_CONTACT_MODELS_POWER_LAW_POINT_H
#define VXE_ENGINE_CONTACT_MODELS_POWER_LAW_POINT_H

#include "common/matrix_internal.h"
#include "common/trig_internal.h"
#include "materials/contact_law.h"

/* x^-nu from 1/x (by): by products where nu is whole, else by our own exponential and logarithm, so
   that the bits do not depend on the C library. */
VXE_NUMBER_INLINE vxe_number vxe_power_of(vxe_number by, double nu)
{
    vxe_number product = vxe_number_of(1);
    if (nu != floor(nu)) {
        for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
            *vxe_lane(&product, lane) = vxe_exponential(nu * vxe_logarithm(*vxe_lane(&by, lane)));
        }
        return product;
    }
    vxe_number square = by;
    for (uint32_t n = (uint32_t)nu; n > 0; n /= 2) {
        if (n % 2) {
            product *= square;
        }
        square *= square;
    }
    return product;
}

/* Potential of D^-nu: D^(1 - nu)/(nu - 1), or -ln D for nu = 1. power: D^-nu. */
VXE_NUMBER_INLINE vxe_number vxe_power_potential(vxe_number d, double nu, vxe_number power)
{
    if (nu != 1) {
        return power * d * (1 / (nu - 1));
    }
    for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
        *vxe_lane(&d, lane) = -vxe_logarithm(*vxe_lane(&d, lane));
    }
    return d;
}

/* Pressures at a distance. */
typedef struct vxe_power_pressures {
    vxe_number push;     /* Pa: repulsion minus adhesion */
    vxe_number repels;   /* Pa: repulsion alone */
    vxe_number damping;  /* Pa s/m */
    vxe_number friction; /* Pa s/m */
    vxe_number steep;    /* Pa/m: sum of the sizes of nu q/d */
    vxe_number energy;   /* J/m^2 */
} vxe_power_pressures;

/* Pressures at a distance (m). Terms with equal exponents share one power. */
VXE_NUMBER_INLINE vxe_power_pressures vxe_power_at(const double *numbers, vxe_number distance)
{
    const double d0 = numbers[VXE_POWER_D0];
    const vxe_number zero = vxe_number_of(0);
    const vxe_number d = distance * (1 / d0);
    const vxe_number by = 1.0 / d;
    vxe_power_pressures p = {zero, zero, zero, zero, zero, zero};
    double known = 0; /* exponent of the power that other terms may share */
    vxe_number of_known = zero;
    if (numbers[VXE_POWER_ALPHA_R] > 0) {
        const double nu = numbers[VXE_POWER_NU_R];
        known = nu;
        of_known = vxe_power_of(by, nu);
        p.repels = numbers[VXE_POWER_ALPHA_R] * of_known;
        p.push = p.repels;
        p.steep = (nu / d0) * p.repels * by;
        p.energy = numbers[VXE_POWER_ALPHA_R] * d0 * vxe_power_potential(d, nu, of_known);
    }
    if (numbers[VXE_POWER_BETA_A] > 0) {
        const double far = numbers[VXE_POWER_NU_AA];
        const double near = numbers[VXE_POWER_NU_AR];
        const vxe_number at_far = vxe_power_of(by, far);
        const vxe_number at_near = vxe_power_of(by, near);
        const vxe_number pulls = numbers[VXE_POWER_BETA_A] * at_far;
        const vxe_number parts = numbers[VXE_POWER_BETA_A] * at_near;
        p.push += parts - pulls;
        p.steep += (far * pulls + near * parts) * by * (1 / d0);
        p.energy -= numbers[VXE_POWER_BETA_A] * d0 *
                    (vxe_power_potential(d, far, at_far) - vxe_power_potential(d, near, at_near));
    }
    if (numbers[VXE_POWER_BETA_D] > 0) {
        const double nu = numbers[VXE_POWER_NU_D];
        p.damping = numbers[VXE_POWER_BETA_D] * (nu == known ? of_known : vxe_power_of(by, nu));
    }
    if (numbers[VXE_POWER_BETA_F] > 0) {
        const double nu = numbers[VXE_POWER_NU_F];
        p.friction = numbers[VXE_POWER_BETA_F] * (nu == known ? of_known : vxe_power_of(by, nu));
    }
    return p;
}

#endif
