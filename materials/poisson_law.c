/* SPDX-License-Identifier: MIT */
/* Coefficients of the energy that gives a lattice its lateral strains; the energy is written in
   materials/poisson_law.h and derived in docs/physics.md, Poisson's ratio. */
#include "materials/poisson_law.h"

#include <math.h>

#include "common/assert_internal.h"

vxe_poisson_law vxe_poisson_law_of(double youngs_modulus, double poissons_ratio,
                                   const uint32_t bonds[3], const uint32_t open[3])
{
    VXE_ASSERT(poissons_ratio > -1 && poissons_ratio < 0.5);
    VXE_ASSERT(bonds[0] + open[0] <= 2 && bonds[1] + open[1] <= 2 && bonds[2] + open[2] <= 2);
    const double nu = poissons_ratio;
    const double lambda = youngs_modulus * nu / ((1 + nu) * (1 - 2 * nu));
    const double bulk = lambda + youngs_modulus / (1 + nu);
    const double plate = youngs_modulus / (1 - nu * nu);
    const double f[3] = {0.5 * bonds[0], 0.5 * bonds[1], 0.5 * bonds[2]};
    const double g[3] = {0.5 * open[0], 0.5 * open[1], 0.5 * open[2]};
    vxe_poisson_law law;
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        law.along[a] =
            f[b] * f[c] * bulk + (f[b] * g[c] + f[c] * g[b]) * plate + g[b] * g[c] * youngs_modulus;
        law.couple[a] = f[a] * lambda + g[a] * nu * plate;
    }
    for (int a = 0; a < 3; a++) {
        law.bound[a] =
            law.along[a] + f[a] * (fabs(law.couple[(a + 1) % 3]) + fabs(law.couple[(a + 2) % 3]));
    }
    return law;
}
