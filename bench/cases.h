/* SPDX-License-Identifier: MIT */
#ifndef VXE_BENCH_CASES_H
#define VXE_BENCH_CASES_H

#include "lattice/design.h"

typedef struct bench_case {
    const char *name;
    int edge;           /* voxels of a cube's edge; 0: from a file */
    const char *design; /* under assets/ */
} bench_case;

/* Case by index, null past the last. */
const bench_case *bench_case_at(unsigned index);

/* The case's design: gravity, floor, friction, damping and actuation on. With ratio >= 0 every
 * material's bond damping is that. */
vxe_design *bench_case_design(const bench_case *which, double ratio, vxe_error *error);

#endif
