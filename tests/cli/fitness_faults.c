/* SPDX-License-Identifier: MIT */
/* Shared objects whose fitness must be refused, by FAULT: 0 has none, 1 is of another release, 2 is
   infinite, 3 is none for any body. */
#include <math.h>

#include "evolution/fitness.h"

#if FAULT != 0
static double fitness(const vxe_design *body)
{
    return body->voxel_count == 0 || FAULT == 3 ? (double)NAN : HUGE_VAL;
}
#endif

#if FAULT == 1
VXE_API extern const vxe_fitness_library vxe_fitness_entry;
const vxe_fitness_library vxe_fitness_entry = {VXE_FITNESS_COOKIE, sizeof(vxe_design) - 8, fitness};
#elif FAULT != 0
VXE_FITNESS(fitness)
#else
VXE_API extern const int another_name;
const int another_name = 0;
#endif
