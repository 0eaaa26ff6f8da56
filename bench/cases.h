/* SPDX-License-Identifier: MIT */
/* What is measured: single robots and populations, all under gravity on the floor, damped and
   actuated. */
#ifndef VXE_BENCH_CASES_H
#define VXE_BENCH_CASES_H

#include <stdint.h>

#include "lattice/design.h"

/* Where a case's bodies come from. */
typedef enum bench_body {
    BENCH_CUBE,    /* a full cube, the phases of a robot of its own */
    BENCH_EVOLVED, /* see bodies.h */
    BENCH_FILE
} bench_body;

typedef enum bench_law {
    BENCH_PLAIN,
    BENCH_COLLIDES, /* voxels that touch push each other */
    BENCH_POISSON,  /* Poisson's ratio acts */
    BENCH_DIPOLES   /* voxels are magnets, and all pairs of them act */
} bench_law;

typedef struct bench_case {
    const char *name;
    bench_body body;
    int edge;         /* voxels of the edge of the cube or box */
    uint32_t robots;  /* 1: alone in a world; more: a population in a batch */
    const char *path; /* under assets/, of BENCH_FILE */
    bench_law law;    /* what acts beside */
} bench_case;

/* Case by index, null past the last. */
const bench_case *bench_case_at(unsigned index);
enum { BENCH_CASES = 15 };

/* The design of one of the case's robots. With ratio >= 0 every material's bond damping is that.
 * Null and error filled on failure. */
vxe_design *bench_case_design(const bench_case *which, uint32_t robot, double ratio,
                              vxe_error *error);

#endif
