/* SPDX-License-Identifier: MIT */
/* How the constants of a bond change with the numbers of its two voxels. */
#ifndef VXE_MATERIALS_BOND_VARIATION_H
#define VXE_MATERIALS_BOND_VARIATION_H

#include "materials/bond_constants.h"

/* What the constants of a bond follow from, next to materials. */
typedef struct vxe_bond_rules {
    double edge; /* m */
    vxe_torsion torsion;
    vxe_composite composite;
    vxe_shear shear;
    vxe_damping_form damping;
} vxe_bond_rules;

/* Numbers of a bond's voxels, lower first, or a change of them. */
typedef struct vxe_bond_numbers {
    double modulus[2]; /* Pa */
    double mass[2];    /* kg */
    double ratio;      /* of damping, of the bond */
} vxe_bond_numbers;

/* Constants of a bond, or a change of them. */
typedef struct vxe_bond_constants {
    vxe_bond_stiffness stiffness;
    vxe_bond_dashpots dashpots;
} vxe_bond_constants;

/* The change of the constants of a bond, to first order, in a small change of its numbers. Of
   materials, Poisson's ratios alone are read: moduli and masses are those of `at`. A voxel without
   stiffness gains springs with it, but not the dashpots, which are roots of it. */
vxe_bond_constants vxe_bond_variation(const vxe_material *first, const vxe_material *second,
                                      const vxe_bond_rules *rules, const vxe_bond_numbers *at,
                                      const vxe_bond_numbers *change);

#endif
