/* SPDX-License-Identifier: MIT */
/* Field and force of a magnetic dipole at another one, as one lane of a vector loop: no branches,
   explicit fma, one root and one division. Lengths are in edges of the lattice and moments relative
   to the largest one, so that floats neither overflow nor underflow.

   With r the vector from dipole 2 to dipole 1 and n its direction (Thomaszewski2008, Griffiths2017;
   F is the force on 1):
       B(1) = k/r^3 (3 (m2.n) n - m2),
       F(1) = 3 k/r^4 ((m1.m2 - 5 (m1.n)(m2.n)) n + (m2.n) m1 + (m1.n) m2),   k = mu0/(4 pi).
   Nearer than the cap, powers of r are those of the cap (LinearDipole, dipole_cap): that law has no
   potential, and its moments do not balance the couple of its forces. Softened by e, r becomes
   (r^2 + e^2)^1/2 everywhere and n the vector divided by that: this law is the gradient of one
   potential, so it keeps energy and angular momentum. */
#ifndef VXE_ENGINE_MAGNETS_DIPOLE_LAW_H
#define VXE_ENGINE_MAGNETS_DIPOLE_LAW_H

#include "engine/bonds/bond_law.h"

/* Minimum squared distance that is divided by, in edges squared. */
#define VXE_DIPOLE_TINY 1e-18

/* Force and field of a dipole at another one; units: 3 k/edge^4 and k/edge^3. */
typedef struct vxe_dipole_push {
    vxe_vec3 force;
    vxe_vec3 field;
    vxe_real steepness; /* squared product of the moments and r^-5: of the gradient of the force */
} vxe_dipole_push;

/* r: from dipole 2 to dipole 1, in edges. cap2 is the squared cap and by_cap 1 divided by the cap;
   both are 0 without a cap. soft2: e^2, at least VXE_DIPOLE_TINY. keep: all bits for a pair that
   interacts, none for one that does not. */
VXE_INLINE vxe_dipole_push dipole_push(vxe_vec3 r, vxe_vec3 m1, vxe_vec3 m2, vxe_real cap2,
                                       vxe_real by_cap, vxe_real soft2, vxe_real_mask keep)
{
    const vxe_real r2 = vec_dot(r, r) + soft2;
    const vxe_real by_r = 1 / vxe_root(r2);
    const vxe_vec3 n = vec_scaled(by_r, r);
    const vxe_real by = keep_bits(r2 > cap2 ? by_r : by_cap, keep);
    const vxe_real by3 = by * by * by;
    const vxe_real by4 = by3 * by;
    const vxe_real along1 = vec_dot(m1, n);
    const vxe_real along2 = vec_dot(m2, n);
    const vxe_real both = vec_dot(m1, m2);
    const vxe_real by_n = by4 * vxe_fma(R(-5) * along1, along2, both);
    const vxe_vec3 field = vec_add_scaled(vec_scaled(-by3, m2), R(3) * by3 * along2, n);
    const vxe_vec3 turned = vec_add_scaled(vec_scaled(by4 * along2, m1), by4 * along1, m2);
    const vxe_real by5 = by4 * by;
    const vxe_real steepness = (by5 * by5) * (vec_dot(m1, m1) * vec_dot(m2, m2));
    return (vxe_dipole_push){vec_add_scaled(turned, by_n, n), field, steepness};
}

#endif
