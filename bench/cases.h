/* SPDX-License-Identifier: MIT */
/* The cases that are measured: single robots and populations, all with gravity, floor, damping and
   actuation. */
#ifndef VXE_BENCH_CASES_H
#define VXE_BENCH_CASES_H

#include <stdint.h>

#include "lattice/design.h"

/* Source of the bodies of a case. */
typedef enum bench_body {
    BENCH_CUBE,    /* a full cube, with different phases of actuation for each robot */
    BENCH_EVOLVED, /* random bodies, see bodies.h */
    BENCH_FILE     /* a design file */
} bench_body;

typedef enum bench_law {
    BENCH_PLAIN,
    BENCH_COLLIDES, /* self-collision */
    BENCH_POISSON,  /* volume effects by Poisson's ratio */
    BENCH_DIPOLES   /* each voxel is a magnet, and all pairs act on each other */
} bench_law;

typedef struct bench_case {
    const char *name;
    bench_body body;
    int edge;         /* voxels along the edge of the cube or box */
    uint32_t robots;  /* 1: alone in a world; more: a population in a batch */
    const char *path; /* in assets/, of BENCH_FILE */
    bench_law law;    /* what acts besides bonds, floor and gravity */
} bench_case;

/* The case of an index; null beyond the last. */
const bench_case *bench_case_at(unsigned index);
enum { BENCH_CASES = 15 };

/* The design of one of the robots of a case. A ratio >= 0 replaces the bond damping of all
 * materials. Null, and error filled, on failure. */
vxe_design *bench_case_design(const bench_case *which, uint32_t robot, double ratio,
                              vxe_error *error);

#endif
