/* SPDX-License-Identifier: MIT */
/* What formulas of stop and fitness read, and the centre that they use: the same numbers,
   to the last bit, for a trial and for a robot of a batch. */
#ifndef VXE_ENGINE_WORLD_FITNESS_VARIABLES_H
#define VXE_ENGINE_WORLD_FITNESS_VARIABLES_H

#include <math.h>

#include "common/expression_internal.h"
#include "lattice/design.h"

/* See trial.h. */
enum {
    VXE_READ_T,
    VXE_READ_X,
    VXE_READ_Y,
    VXE_READ_Z,
    VXE_READ_CENTER_X,
    VXE_READ_CENTER_Y,
    VXE_READ_CENTER_Z,
    VXE_READ_HIT,
    VXE_READ_ANGLE,
    VXE_READ_CLOSENESS,
    VXE_READ_PAIRS,
    VXE_READ_VOXELS,
    VXE_READ_TOP,
    VXE_READ_TURN,
    VXE_READ_UP,
    VXE_READ_PEAK,
    VXE_READ_VOLUME,
    VXE_FITNESS_VARIABLES
};

/* Parses a design's formula; into is left empty where there is none. */
vxe_status vxe_formula_parse(vxe_expression *into, const vxe_design *design, vxe_formula which,
                             vxe_error *error);

/* Its value for some variables; 0 where there is none. */
double vxe_formula_value(const vxe_expression *formula,
                         const double variables[VXE_FITNESS_VARIABLES]);

/* The variables of places: how far a centre has come from a start (m), and where it is. */
void vxe_fitness_read_places(double variables[VXE_FITNESS_VARIABLES], const double start[3],
                             const double center[3]);

/* Whether it reads what only a trial knows: hits, angles, pairs and volume. */
bool vxe_formula_watches(const vxe_expression *formula);

/* Whether it reads how the body stands: its top, how far it has turned, which way it is up. */
bool vxe_formula_sees_posture(const vxe_expression *formula);

/* How voxels stand, and stood at the reference time. */
typedef struct vxe_posture {
    uint32_t voxels;
    double *mass;        /* (voxels) kg; 0: not measured */
    double *place;       /* (voxels, 3) m */
    double *orientation; /* (voxels, 4) w x y z */
    double *start;       /* (voxels, 3) m */
} vxe_posture;

void vxe_fitness_read_posture(double variables[VXE_FITNESS_VARIABLES], const vxe_posture *posture,
                              const double start[3], const double center[3]);

/* The highest place of the centre is taken behind every step that is a multiple of this. */
#define VXE_PEAK_STEPS 16u

/* Seconds at which reference starts: the end of settling, or the design's later time. */
static inline double vxe_reference_time(const vxe_design *design)
{
    return fmax(design->stop.settle_time, design->stop.reference_time);
}

/* What a voxel weighs in the centre: kg, 0 where it is not measured. */
static inline double vxe_measured_mass(const vxe_design *design, uint32_t voxel)
{
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    const double volume = design->voxel_size * design->voxel_size * design->voxel_size;
    return m->unmeasured ? 0 : m->density * volume;
}

/* A centre of mass as it is summed up, voxel by voxel in design order. */
typedef struct vxe_center_sum {
    double total; /* kg */
    double sum[3];
} vxe_center_sum;

static inline void vxe_center_add(vxe_center_sum *center, double mass, const double place[3])
{
    center->total += mass;
    for (int c = 0; c < 3; c++) {
        center->sum[c] += mass * place[c];
    }
}

/* 0 where nothing is measured. */
static inline void vxe_center_of(const vxe_center_sum *center, double place[3])
{
    for (int c = 0; c < 3; c++) {
        place[c] = center->total > 0 ? center->sum[c] / center->total : 0;
    }
}

#endif
