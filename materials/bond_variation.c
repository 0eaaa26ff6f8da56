/* SPDX-License-Identifier: MIT */
/* The derivatives of bond_constants.c, term by term. */
#include "materials/bond_variation.h"
#include "common/assert_internal.h"

/* The change of a spring of two halves in series, s = 2 x y/(x + y), whose stiffnesses x and y are
   so many times their moduli: ds = 2 (y^2 dx + x^2 dy)/(x + y)^2. */
static double series_change(double times1, double times2, const vxe_bond_numbers *at,
                            const vxe_bond_numbers *change)
{
    const double x = times1 * at->modulus[0];
    const double y = times2 * at->modulus[1];
    const double sum = x + y;
    return sum > 0
               ? 2 * (y * y * times1 * change->modulus[0] + x * x * times2 * change->modulus[1]) /
                     (sum * sum)
               : 0;
}

/* The change of a condensed pair; see condense. */
static void condense_change(vxe_bond_stiffness *change, double edge, const vxe_bond_numbers *at,
                            const vxe_bond_numbers *by)
{
    const double i = edge * edge * edge * edge / 12;
    const double l2 = edge * edge;
    const double sum = 1 / (at->modulus[0] * i) + 1 / (at->modulus[1] * i);
    const double difference = 1 / (at->modulus[1] * i) - 1 / (at->modulus[0] * i);
    const double lower = -by->modulus[0] / (at->modulus[0] * at->modulus[0] * i);
    const double upper = -by->modulus[1] / (at->modulus[1] * at->modulus[1] * i);
    const double d_sum = upper + lower;
    const double d_difference = upper - lower;
    const double determinant = l2 * l2 * (sum * sum / 48 - difference * difference / 64);
    const double d_determinant = l2 * l2 * (sum * d_sum / 24 - difference * d_difference / 32);
    const double of_sum = (d_sum - sum * d_determinant / determinant) / determinant;
    const double of_difference =
        (d_difference - difference * d_determinant / determinant) / determinant;
    change->shear = edge / 2 * of_sum;
    change->bending = l2 * edge / 24 * of_sum;
    change->couple = l2 / 8 * of_difference;
}

static vxe_bond_stiffness stiffness_change(const vxe_material *first, const vxe_material *second,
                                           const vxe_bond_rules *rules, const vxe_bond_numbers *at,
                                           const vxe_bond_numbers *by)
{
    const double a = rules->edge;
    const double nu1 = first->poissons_ratio;
    const double nu2 = second->poissons_ratio;
    const vxe_beam_constants b1 = vxe_beam_constants_of(1, nu1, a, rules->torsion);
    const vxe_beam_constants b2 = vxe_beam_constants_of(1, nu2, a, rules->torsion);
    vxe_bond_stiffness change = {.axial = series_change(b1.a1, b2.a1, at, by),
                                 .shear = series_change(b1.b1, b2.b1, at, by),
                                 .torsion = series_change(b1.a2, b2.a2, at, by),
                                 .bending = series_change(b1.b3, b2.b3, at, by) / 2};
    if (rules->composite == VXE_COMPOSITE_CONDENSED && at->modulus[0] > 0 && at->modulus[1] > 0) {
        condense_change(&change, a, at, by);
    }
    if (rules->shear == VXE_SHEAR_BULK) {
        change.shear = series_change(a / (1 + nu1), a / (1 + nu2), at, by);
    }
    return change;
}

/* The change of c = xi sqrt(m k), from c at xi = 1; `relative` is that of m. Without a spring there
   is no dashpot. */
static double dashpot_change(double unit, double spring, double spring_change, double relative,
                             double ratio, double ratio_change)
{
    return spring > 0 ? unit * (ratio * (spring_change / spring + relative) / 2 + ratio_change) : 0;
}

vxe_bond_constants vxe_bond_variation(const vxe_material *first, const vxe_material *second,
                                      const vxe_bond_rules *rules, const vxe_bond_numbers *at,
                                      const vxe_bond_numbers *change)
{
    VXE_ASSERT(at->modulus[0] >= 0 && at->modulus[1] >= 0 && at->mass[0] > 0 && at->mass[1] > 0);
    vxe_material ends[2] = {*first, *second};
    ends[0].youngs_modulus = at->modulus[0];
    ends[1].youngs_modulus = at->modulus[1];
    const vxe_bond_stiffness k = vxe_bond_stiffness_of(
        &ends[0], &ends[1], rules->edge, rules->torsion, rules->composite, rules->shear);
    const vxe_bond_dashpots c =
        vxe_bond_dashpots_of(&k, at->mass[0], at->mass[1], rules->edge, 1, rules->damping);
    const vxe_bond_stiffness dk = stiffness_change(first, second, rules, at, change);
    const double both = at->mass[0] + at->mass[1];
    const double of_mass = at->mass[1] / at->mass[0] * change->mass[0] / both +
                           at->mass[0] / at->mass[1] * change->mass[1] / both;
    const bool as_shear = rules->damping == VXE_DAMPING_VOXELYZE;
    const double r = at->ratio;
    const double dr = change->ratio;
    const vxe_bond_dashpots dc = {
        .axial = dashpot_change(c.axial, k.axial, dk.axial, of_mass, r, dr),
        .shear = dashpot_change(c.shear, k.shear, dk.shear, of_mass, r, dr),
        .torsion = dashpot_change(c.torsion, k.torsion, dk.torsion, of_mass, r, dr),
        .bending = dashpot_change(c.bending, as_shear ? k.shear : k.bending,
                                  as_shear ? dk.shear : dk.bending, of_mass, r, dr)};
    return (vxe_bond_constants){dk, dc};
}
