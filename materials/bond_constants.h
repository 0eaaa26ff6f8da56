/* SPDX-License-Identifier: MIT */
/* Stiffness and dashpots of a bond between two voxels, from their materials: the beam lattice of
   Hiller2014 and MetaVoxels. Derivations: docs/physics.md, Beam bonds. */
#ifndef VXE_MATERIALS_BOND_CONSTANTS_H
#define VXE_MATERIALS_BOND_CONSTANTS_H

#include "materials/material.h"

#ifdef __cplusplus
extern "C" {
#endif

/* St-Venant torsion constant of a unit square (TimoshenkoGoodier1970, section 109). */
#define VXE_STVENANT_SQUARE 0.1405770

/* Torsion constant J of the square section: St-Venant 0.140577 a^4 (right for a single column), or
   the polar second moment a^4/6 of Hiller2014, which is 18.6 % too stiff there. */
typedef enum vxe_torsion { VXE_TORSION_STVENANT = 0, VXE_TORSION_POLAR = 1 } vxe_torsion;

/* Two materials in one bond: harmonic means of the two halves in series, which are exact in tension
   and torsion, or the statically condensed pair, which is exact in bending too. */
typedef enum vxe_composite {
    VXE_COMPOSITE_HARMONIC = 0,
    VXE_COMPOSITE_CONDENSED = 1
} vxe_composite;

/* Shear spring: 12EI/l^3 of the beam, which gives a bulk the shear modulus E/2 whatever nu is, or
 * E a/(1+nu), which gives it E/(2(1+nu)). */
typedef enum vxe_shear { VXE_SHEAR_BEAM = 0, VXE_SHEAR_BULK = 1 } vxe_shear;

/* How a dashpot follows from the damping ratio: c = xi sqrt(m k) on the relative rate as in
   MetaVoxels (SOURCE); the true ratio of the pair, c = 2 zeta sqrt(m_r k) (PAIR); or as the
   Voxelyze family does, with the same axial and shear dashpots, bending (zeta/2)(a^2/12) sqrt(b1 m)
   and torsion (zeta/2) sqrt(a2 I) (the moment of the shear dashpot is halved elsewhere). */
typedef enum vxe_damping_form {
    VXE_DAMPING_SOURCE = 0,
    VXE_DAMPING_PAIR = 1,
    VXE_DAMPING_VOXELYZE = 2
} vxe_damping_form;

/* The beam constants of Hiller2014 for a square section: a1 = EA/l (N/m), a2 = GJ/l (N m/rad), b1 =
   12EI/l^3 (N/m), b2 = 6EI/l^2 (N), b3 = 2EI/l (N m/rad). */
typedef struct vxe_beam_constants {
    double a1, a2, b1, b2, b3;
} vxe_beam_constants;

/* Stiffness of the four deformations in the bond law (in the frame half way between the voxels),
 * and the coupling of shear and bending in a condensed pair. */
typedef struct vxe_bond_stiffness {
    double axial;   /* k_a, N/m */
    double shear;   /* k_s, N/m */
    double torsion; /* k_t, N m/rad */
    double bending; /* k_b, N m/rad */
    double couple;  /* k_c, N/rad: zero except in condensed bonds of different materials */
} vxe_bond_stiffness;

/* Dashpots of the same deformations: N s/m and N m s/rad. */
typedef struct vxe_bond_dashpots {
    double axial, shear, torsion, bending;
} vxe_bond_dashpots;

/* Beam of length and section edge a (m), Young's modulus (Pa) and Poisson's ratio. */
VXE_API vxe_beam_constants vxe_beam_constants_of(double youngs_modulus, double poissons_ratio,
                                                 double edge, vxe_torsion torsion);

/* Bond from a voxel of material first to its neighbour of material second in the positive
 * direction. */
VXE_API vxe_bond_stiffness vxe_bond_stiffness_of(const vxe_material *first,
                                                 const vxe_material *second, double edge,
                                                 vxe_torsion torsion, vxe_composite composite,
                                                 vxe_shear shear);

/* Dashpots of a bond between voxels of masses m1, m2 (kg) and edge (m) at a damping ratio. The
   velocity V21 of MetaVoxels is relative to the mean velocity of the pair, so that the coefficient
   on the relative velocity is xi sqrt(m k), m = 2 m1 m2/(m1+m2). */
VXE_API vxe_bond_dashpots vxe_bond_dashpots_of(const vxe_bond_stiffness *stiffness, double m1,
                                               double m2, double edge, double ratio,
                                               vxe_damping_form form);

#ifdef __cplusplus
}
#endif

#endif
