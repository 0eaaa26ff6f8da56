/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* Poisson's ratio, as an energy of each voxel. A voxel consists of eight octants. Each octant has the
   strain of the bond on its side of each axis. If there is no bond and the face is open, that direction
   is free of stress. If a boundary condition fixes the face along its normal, there is no octant: the
   clamp cuts its voxels at their centres, so that the strain of a bar between two clamps is uniform.
   Between different materials i and j, i takes the part 2 Ej/(Ei + Ej) of a bond's strain; this is
   exact along the bond, but hard voxels between soft ones are laterally confined too much. With n_A
   bonds and o_A open faces of the voxel on axis A, f_A = n_A/2, g_A = o_A/2, s_A half the sum of the
   strains of the bonds, M = lambda + 2G, E' = E/(1 - nu^2) and axes (A, B, C), the energy of a voxel
   of edge a is
       W = a^3 [ 1/4 sum_A D_A sum_{bonds on A} e^2 + sum_{A<B} C_AB s_A s_B ],
       D_A = f_B f_C M + (f_B g_C + f_C g_B) E' + g_B g_C E,   C_AB = f_C lambda + g_C nu E'.
   So a single column has the modulus E, a plate in plane stress E', and a bulk lambda and G. */
/* clang-format on */
#ifndef VXE_MATERIALS_POISSON_LAW_H
#define VXE_MATERIALS_POISSON_LAW_H

#include <stdint.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_poisson_law {
    double along[3];  /* D_A, Pa */
    double couple[3]; /* C_AB, Pa: index x, y, z for the pair of the two other axes */
    double bound[3];  /* Pa: with these in place of D_A and without products of strains, W is not
                         smaller, which bounds the time step */
} vxe_poisson_law;

/* Coefficients for a voxel with that many bonds and open faces (together 0 to 2) on each axis;
 * -1 < nu < 0.5. */
VXE_API vxe_poisson_law vxe_poisson_law_of(double youngs_modulus, double poissons_ratio,
                                           const uint32_t bonds[3], const uint32_t open[3]);

#ifdef __cplusplus
}
#endif

#endif
