/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* Poisson's ratio by an energy. A voxel is eight octants; each sees the strain of the bond on its own
   side of each axis. Where there is none, that direction is free of stress if the face is open; and
   there is no octant if a grip holds the face along its normal: it cuts the voxels at their centres, so
   that a bar between grips is strained alike all along. Between unlike materials i and j, i takes the
   part 2 Ej/(Ei + Ej) of a bond's strain: exact along the bond; across it a hard voxel among soft ones
   is confined by them more than it should be. With n_A bonds of the voxel on axis A and o_A open
   faces, f_A = n_A/2, g_A = o_A/2, s_A half the sum of the bonds' strains, M = lambda + 2G,
   E' = E/(1 - nu^2) and (A, B, C) the axes, the energy of a voxel of edge a is
       W = a^3 [ 1/4 sum_A D_A sum_{bonds on A} e^2 + sum_{A<B} C_AB s_A s_B ],
       D_A = f_B f_C M + (f_B g_C + f_C g_B) E' + g_B g_C E,   C_AB = f_C lambda + g_C nu E'.
   A single column has E, a plate in plane stress E', the bulk lambda and G. */
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
    double couple[3]; /* Pa: C of the two other axes than x, y, z */
    double bound[3];  /* Pa: in place of D_A, and without products of strains, W is no smaller */
} vxe_poisson_law;

/* Of a voxel with so many bonds and open faces (together 0 to 2) on each axis. -1 < nu < 0.5. */
VXE_API vxe_poisson_law vxe_poisson_law_of(double youngs_modulus, double poissons_ratio,
                                           const uint32_t bonds[3], const uint32_t open[3]);

#ifdef __cplusplus
}
#endif

#endif
