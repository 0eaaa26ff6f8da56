/* SPDX-License-Identifier: MIT */
/* Measures the speed of a case: several windows of equal work are timed one after the other, and
   the fastest and the median are reported. */
#ifndef VXE_BENCH_MEASURE_H
#define VXE_BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cases.h"
#include "engine/world.h"

typedef struct bench_choice {
    unsigned threads;
    double seconds; /* approximate duration of a case */
    vxe_precision precision;
    vxe_damping_scheme damping;
    double ratio; /* bond damping of all materials; negative: that of the design */
} bench_choice;

/* Result of a case. Robots of a batch differ, so that their numbers are means. */
typedef struct bench_result {
    const bench_case *which;
    uint32_t robots; /* in a window */
    uint64_t steps;  /* of each robot in a window */
    double voxels;   /* of a robot */
    double bonds;    /* existing bonds of a robot */
    unsigned threads;
    const char *precision;
    const char *isa;
    double best;            /* bond updates/s, of the fastest window */
    double median;          /* bond updates/s */
    double voxel_steps;     /* 1/s, of the fastest window, as all below */
    double robot_steps;     /* 1/s */
    double dipole_pairs;    /* 1/s, each pair counted once; 0 without magnets */
    double simulated;       /* simulated time of all robots, s, per second */
    double time_step;       /* s */
    double damping_sweeps;  /* damping iterations per step; 0 with explicit damping */
    double setup_share;     /* estimated part of the fastest window in which designs are compiled; 0
                               for a world, which is compiled before its windows */
    double compile_seconds; /* time in which a world is compiled; 0 for a batch */
    uint32_t robots_in_lanes;
} bench_result;

/* Measures a case. False, and error filled, on failure; a robot that diverges is a failure. */
bool bench_measure(const bench_case *which, const bench_choice *choice, bench_result *result,
                   vxe_error *error);

#endif
