/* SPDX-License-Identifier: MIT */
/* Points and weights of Gauss-Legendre's rule (AbramowitzStegun1964, chapter 25), computed by
   Newton's method on the Legendre polynomials in 40 digits. */
#include <stdbool.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/contact_models/power_law.h"

static const double points_2[1][2] = {{0.57735026918962576, 1}};
static const double points_4[2][2] = {{0.86113631159405257, 0.34785484513745385},
                                      {0.33998104358485626, 0.65214515486254609}};
static const double points_8[4][2] = {{0.96028985649753629, 0.10122853629037626},
                                      {0.79666647741362673, 0.22238103445337448},
                                      {0.52553240991632899, 0.31370664587788727},
                                      {0.18343464249564981, 0.36268378337836199}};
static const double points_16[8][2] = {
    {0.98940093499164994, 0.027152459411754096}, {0.9445750230732326, 0.062253523938647894},
    {0.86563120238783176, 0.095158511682492786}, {0.755404408355003, 0.12462897125553388},
    {0.61787624440264377, 0.14959598881657674},  {0.45801677765722737, 0.16915651939500254},
    {0.28160355077925892, 0.18260341504492358},  {0.095012509837637441, 0.1894506104550685}};

const double (*vxe_gauss_points(int n))[2]
{
    switch (n) {
    case 2:
        return points_2;
    case 4:
        return points_4;
    case 8:
        return points_8;
    case 16:
        return points_16;
    default:
        VXE_ASSERT(false);
        return NULL;
    }
}
