/* SPDX-License-Identifier: MIT */
/* Stiffness and damping of a bond from the materials of its two voxels: a bond is a beam of two
   halves, from centre to centre (Hiller2014; docs/physics.md, Beam bonds and Dashpots). */
#include "materials/bond_constants.h"

#include <math.h>

#include "common/assert_internal.h"

static double torsion_constant(double edge, vxe_torsion torsion)
{
    VXE_ASSERT(torsion == VXE_TORSION_STVENANT || torsion == VXE_TORSION_POLAR);
    double a4 = edge * edge * edge * edge;
    return torsion == VXE_TORSION_POLAR ? a4 / 6 : VXE_STVENANT_SQUARE * a4;
}

vxe_beam_constants vxe_beam_constants_of(double youngs_modulus, double poissons_ratio, double edge,
                                         vxe_torsion torsion)
{
    VXE_ASSERT(edge > 0);
    VXE_ASSERT(youngs_modulus >= 0 && poissons_ratio > -1);
    const double section = edge * edge;
    const double second_moment = section * section / 12;
    const double shear_modulus = youngs_modulus / (2 * (1 + poissons_ratio));
    return (vxe_beam_constants){.a1 = youngs_modulus * section / edge,
                                .a2 = shear_modulus * torsion_constant(edge, torsion) / edge,
                                .b1 = 12 * youngs_modulus * second_moment / (edge * edge * edge),
                                .b2 = 6 * youngs_modulus * second_moment / (edge * edge),
                                .b3 = 2 * youngs_modulus * second_moment / edge};
}

/* Two halves in series; zero if one of them has no stiffness. */
static double series(double first, double second)
{
    return first > 0 && second > 0 ? 2 / (1 / first + 1 / second) : 0;
}

/* Shear, bending and coupling of two beam halves, without a node between them (static
   condensation, Przemieniecki1968): the inverse of the compliance of the pair about its middle,
   with sum = 1/EI1 + 1/EI2 and difference = 1/EI2 - 1/EI1. */
static void condense(vxe_bond_stiffness *k, double e1, double e2, double edge)
{
    const double second_moment = edge * edge * edge * edge / 12;
    VXE_ASSERT(e1 > 0 && e2 > 0);
    const double sum = 1 / (e1 * second_moment) + 1 / (e2 * second_moment);
    const double difference = 1 / (e2 * second_moment) - 1 / (e1 * second_moment);
    const double l2 = edge * edge;
    const double determinant = l2 * l2 * (sum * sum / 48 - difference * difference / 64);
    k->shear = edge / 2 * sum / determinant;
    k->bending = l2 * edge / 24 * sum / determinant;
    k->couple = l2 / 8 * difference / determinant;
}

vxe_bond_stiffness vxe_bond_stiffness_of(const vxe_material *first, const vxe_material *second,
                                         double edge, vxe_torsion torsion, vxe_composite composite,
                                         vxe_shear shear)
{
    VXE_ASSERT(composite == VXE_COMPOSITE_HARMONIC || composite == VXE_COMPOSITE_CONDENSED);
    VXE_ASSERT(shear == VXE_SHEAR_BEAM || shear == VXE_SHEAR_BULK);
    const double e1 = first->youngs_modulus;
    const double e2 = second->youngs_modulus;
    const vxe_beam_constants b1 = vxe_beam_constants_of(e1, first->poissons_ratio, edge, torsion);
    const vxe_beam_constants b2 = vxe_beam_constants_of(e2, second->poissons_ratio, edge, torsion);
    vxe_bond_stiffness k = {.axial = series(b1.a1, b2.a1),
                            .shear = series(b1.b1, b2.b1),
                            .torsion = series(b1.a2, b2.a2),
                            .bending = series(b1.b3, b2.b3) / 2}; /* EI/l = b3/2 */
    if (composite == VXE_COMPOSITE_CONDENSED && e1 > 0 && e2 > 0 && e1 != e2) {
        condense(&k, e1, e2, edge);
    }
    if (shear == VXE_SHEAR_BULK) {
        k.shear = series(e1 * edge / (1 + first->poissons_ratio),
                         e2 * edge / (1 + second->poissons_ratio));
    }
    return k;
}

vxe_bond_dashpots vxe_bond_dashpots_of(const vxe_bond_stiffness *stiffness, double m1, double m2,
                                       double edge, double ratio, vxe_damping_form form)
{
    VXE_ASSERT(form == VXE_DAMPING_SOURCE || form == VXE_DAMPING_PAIR ||
               form == VXE_DAMPING_VOXELYZE);
    VXE_ASSERT(m1 > 0 && m2 > 0 && edge > 0);
    const double reduced = m1 * m2 / (m1 + m2);
    const double inertia = reduced * edge * edge / 6;
    const double factor = form == VXE_DAMPING_PAIR ? 2 * ratio : ratio * sqrt(2.0);
    vxe_bond_dashpots c = {.axial = factor * sqrt(reduced * stiffness->axial),
                           .shear = factor * sqrt(reduced * stiffness->shear),
                           .torsion = factor * sqrt(inertia * stiffness->torsion),
                           .bending = factor * sqrt(inertia * stiffness->bending)};
    if (form == VXE_DAMPING_VOXELYZE) {
        c.torsion *= 0.5;
        c.bending = c.shear * edge * edge / 24;
    }
    return c;
}
