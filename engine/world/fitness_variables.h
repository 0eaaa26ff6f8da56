/* SPDX-License-Identifier: MIT */
/* The variables of the formulas of stop and fitness, and the centre of mass that they use. Trials
   and batches share this code, so that both get the same numbers to the last bit. */
#ifndef VXE_ENGINE_WORLD_FITNESS_VARIABLES_H
#define VXE_ENGINE_WORLD_FITNESS_VARIABLES_H

#include <math.h>

#include "common/expression_internal.h"
#include "engine/model/model.h"
#include "lattice/design.h"

/* The variables, in the order of their names; trial.h says what each one is. */
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

/* Parses a formula of a design; into is left empty where the design has none. */
vxe_status vxe_formula_parse(vxe_expression *into, const vxe_design *design, vxe_formula which,
                             vxe_error *error);

/* The value of a formula; 0 of an empty one. */
double vxe_formula_value(const vxe_expression *formula,
                         const double variables[VXE_FITNESS_VARIABLES]);

/* Fills the variables of places: displacement of the centre from start (m), and the centre (m). */
void vxe_fitness_read_places(double variables[VXE_FITNESS_VARIABLES], const double start[3],
                             const double center[3]);

/* Whether a formula reads what only a trial can tell: hits, angles, pairs or volume. */
bool vxe_formula_watches(const vxe_expression *formula);

/* Whether a formula reads the posture of the body: top, turn or up. */
bool vxe_formula_sees_posture(const vxe_expression *formula);

/* Poses of the voxels now, and their places at the reference time. */
typedef struct vxe_posture {
    uint32_t voxels;
    double *mass;        /* (voxels) kg; 0: not measured */
    double *place;       /* (voxels, 3) m */
    double *orientation; /* (voxels, 4) w x y z */
    double *start;       /* (voxels, 3) m, at the reference time */
} vxe_posture;

/* Fills the variables top, turn and up. start and center: of mass, at the reference time and now.
 */
void vxe_fitness_read_posture(double variables[VXE_FITNESS_VARIABLES], const vxe_posture *posture,
                              const double start[3], const double center[3]);

/* The height of the centre is sampled after every step whose number is a multiple of this. */
#define VXE_PEAK_STEPS 16u

/* s: the reference time, from which displacement counts: the end of settling, or the design's own
   reference time if that is later. */
static inline double vxe_reference_time(const vxe_design *design)
{
    return fmax(design->stop.settle_time, design->stop.reference_time);
}

/* kg: the weight of a voxel in the centre; 0 where its material is not measured. */
static inline double vxe_measured_mass(const vxe_densities *densities, uint32_t voxel)
{
    const vxe_design *design = densities->design;
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    const double volume = design->voxel_size * design->voxel_size * design->voxel_size;
    return m->unmeasured ? 0 : vxe_voxel_density(densities, voxel) * volume;
}

/* The sums of a centre of mass, voxel by voxel in design order. */
typedef struct vxe_center_sum {
    double total;  /* kg */
    double sum[3]; /* kg m */
} vxe_center_sum;

static inline void vxe_center_add(vxe_center_sum *center, double mass, const double place[3])
{
    center->total += mass;
    for (int c = 0; c < 3; c++) {
        center->sum[c] += mass * place[c];
    }
}

/* m: the centre of mass; 0 where nothing is measured. */
static inline void vxe_center_of(const vxe_center_sum *center, double place[3])
{
    for (int c = 0; c < 3; c++) {
        place[c] = center->total > 0 ? center->sum[c] / center->total : 0;
    }
}

#endif
