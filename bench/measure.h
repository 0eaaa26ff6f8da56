/* SPDX-License-Identifier: MIT */
/* How fast a case runs: several windows of equal work, timed one by one. */
#ifndef VXE_BENCH_MEASURE_H
#define VXE_BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cases.h"
#include "engine/world.h"

typedef struct bench_choice {
    unsigned threads;
    double seconds; /* about what a case may take */
    vxe_precision precision;
    vxe_damping_scheme damping;
    double ratio; /* of every material's bond damping; negative: the design's own */
} bench_choice;

/* What a case did. Robots of a batch differ: their numbers are means. */
typedef struct bench_result {
    const bench_case *which;
    uint32_t robots; /* of a window */
    uint64_t steps;  /* of each robot in a window */
    double voxels;   /* of a robot */
    double bonds;    /* of a robot, those that exist */
    unsigned threads;
    const char *precision;
    const char *isa;
    double best;            /* bond updates/s, of the fastest window */
    double median;          /* bond updates/s */
    double voxel_steps;     /* 1/s, of the fastest window, as all below */
    double robot_steps;     /* 1/s */
    double dipole_pairs;    /* 1/s, both directions counted as one; 0 without magnets */
    double simulated;       /* s of all robots per s */
    double time_step;       /* s */
    double damping_sweeps;  /* per step; 0 with explicit damping */
    double setup_share;     /* of the fastest window, spent on compiling designs; 0 for a world,
                               whose windows begin behind it. An estimate */
    double compile_seconds; /* of a world, ahead of its windows; 0 for a batch */
    uint32_t robots_in_lanes;
} bench_result;

/* False and error filled on failure; a robot that diverges is one. */
bool bench_measure(const bench_case *which, const bench_choice *choice, bench_result *result,
                   vxe_error *error);

#endif
