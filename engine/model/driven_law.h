/* SPDX-License-Identifier: MIT */
/* Prescribed motion: the rate of a freedom in a step, such that the drift ends on the motion
   (docs/physics.md, Order of a step). Single bodies and robots in lanes share it. */
#ifndef VXE_ENGINE_MODEL_DRIVEN_LAW_H
#define VXE_ENGINE_MODEL_DRIVEN_LAW_H

#include <stdbool.h>

#include "engine/model/time_table.h"

/* One degree of freedom whose motion is prescribed. */
typedef struct vxe_driven_freedom {
    uint32_t slot;
    uint32_t freedom; /* 0..5: x y z rx ry rz */
    uint32_t region;  /* index of the design's region, whose table applies */
    double amount;    /* m or rad at factor 1 */
    double rest;      /* m: position at factor 0 (translations) */
} vxe_driven_freedom;

/* What of a region's table acts in a step. */
typedef struct vxe_driven_factors {
    double before, after; /* at its start and at its end */
    double step;          /* s */
    bool first; /* the first step of all: bodies begin unturned, whatever the table says */
} vxe_driven_factors;

/* Those of the step of a number, from a time to its end (s). */
static inline vxe_driven_factors vxe_driven_factors_of(const vxe_time_table *table, uint64_t number,
                                                       double time, double end, double step)
{
    return (vxe_driven_factors){vxe_time_table_at(table, time), vxe_time_table_at(table, end), step,
                                number == 0};
}

/* m/s or rad/s; place: m, of a translation. */
static inline double vxe_driven_rate(const vxe_driven_freedom *driven,
                                     const vxe_driven_factors *factors, double place)
{
    const double after = factors->after * driven->amount;
    const double before = factors->first ? 0 : factors->before * driven->amount;
    return (driven->freedom < 3 ? driven->rest + after - place : after - before) / factors->step;
}

#endif
