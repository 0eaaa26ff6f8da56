/* SPDX-License-Identifier: MIT */
/* Fitness of your own in C, for experiments with the task "library" (docs/evolving.md). A shared
   object has a function, and a line that says by which headers it was compiled:

       static double fitness(const vxe_design *body) { return body->voxel_count; }
       VXE_FITNESS(fitness)

   It may be called by several threads at once, and must not start threads. Its answer, the larger
   the better, must follow from the body alone; NaN stands for no fitness. */
#ifndef VXE_EVOLUTION_FITNESS_H
#define VXE_EVOLUTION_FITNESS_H

#include "lattice/design.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef double (*vxe_fitness_function)(const vxe_design *body);

/* What a shared object must have under the name vxe_fitness_entry. */
typedef struct vxe_fitness_library {
    uint32_t cookie;       /* VXE_FITNESS_COOKIE */
    uint32_t design_bytes; /* sizeof(vxe_design): another layout is refused */
    vxe_fitness_function fitness;
} vxe_fitness_library;

#define VXE_FITNESS_COOKIE 0x56584631u
#define VXE_FITNESS_ENTRY "vxe_fitness_entry"

#ifdef __cplusplus
#define VXE_FITNESS_LINKAGE extern "C"
#else
#define VXE_FITNESS_LINKAGE extern
#endif

#define VXE_FITNESS(function)                                                                      \
    VXE_FITNESS_LINKAGE VXE_API const vxe_fitness_library vxe_fitness_entry;                       \
    const vxe_fitness_library vxe_fitness_entry = {VXE_FITNESS_COOKIE,                             \
                                                   (uint32_t)sizeof(vxe_design), function};

#ifdef __cplusplus
}
#endif

#endif
