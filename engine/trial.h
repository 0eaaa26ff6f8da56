/* SPDX-License-Identifier: MIT */
/* A trial: a world run for what its design calls fitness, until its formula of the stop says so.

   Variables of both formulas: t (s); x, y, z (m), how far the centre of mass has come since the
   reference time (end of settling, or the design's reference time); center_x, center_y,
   center_z (m, design frame), where it is; angle (rad) between its last two displacements, taken
   once each period of the actuation; hit, how often a target and another voxel have touched, summed
   over pairs and steps; targetCloseness (1/m), the sum of 1/distance over pairs of targets;
   numClosePairs, such pairs nearer than the design's pair_distance, where it is above 0; num_voxel;
   top (m, design frame), the highest centre of a voxel; turn (rad, -pi to pi), how far the body has
   turned about z since the reference time: the rotation that brings places then nearest to
   those now, seen from above; up, the mean upward part of the voxels' own z axes, 1 at rest and -1
   upside down; peak (m), how far the centre has risen at most, behind steps that are multiples
   of 16; volume (m^3), that of their convex hull. All five, and the centre, are of voxels that are
   measured. Two voxels touch as spheres of 0.625 edges, if they lie on the surface and are not
   neighbours. Source: docs/from-voxcraft.md. */
#ifndef VXE_ENGINE_TRIAL_H
#define VXE_ENGINE_TRIAL_H

#include <stdbool.h>

#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_trial vxe_trial;

/* Starts at the world's present. The world is the caller's, and is advanced by the trial alone from
   now on; the design may be destroyed. Null and error filled on failure: a formula is wrong. */
VXE_API vxe_trial *vxe_trial_create(const vxe_design *design, vxe_world *world, vxe_error *error);
VXE_API void vxe_trial_destroy(vxe_trial *trial);

/* Advances by so many steps, or to the first behind which the formula of the stop is above 0. Fails
 * as vxe_world_advance. */
VXE_API vxe_status vxe_trial_advance(vxe_trial *trial, uint64_t steps, vxe_error *error);

/* Whether the formula of the stop has ended it. */
VXE_API bool vxe_trial_ended(const vxe_trial *trial);

/* What formulas read, now; lengths in m. */
typedef struct vxe_trial_facts {
    double start[3], center[3]; /* of mass of what is measured, design frame */
    double angle;               /* rad */
    double hits;
    double closeness; /* 1/m */
    double close_pairs;
    double distance;        /* that measured voxels have come, summed over them */
    uint32_t measured;      /* voxels */
    uint32_t angle_samples; /* of the centre */
} vxe_trial_facts;

VXE_API vxe_trial_facts vxe_trial_describe(vxe_trial *trial);

/* The design's formula of fitness, now; 0 where it has none. */
VXE_API double vxe_trial_fitness(vxe_trial *trial);

/* Where each voxel was at the reference time: (voxels, 3) m, design order and frame; the
 * trial's. */
VXE_API const double *vxe_trial_starts(const vxe_trial *trial);

/* Whether a design's formula of a kind can be read by a trial: what is wrong with it, before
   anything runs. A design without one is fine. */
VXE_API vxe_status vxe_design_formula_check(const vxe_design *design, vxe_formula which,
                                            vxe_error *error);

/* When a run ends, but for a formula of the stop: where the first of these is reached. */
typedef struct vxe_run_limits {
    double time;    /* s; infinity: no such limit */
    uint64_t steps; /* UINT64_MAX: no such limit */
} vxe_run_limits;

/* The limits that are given (duration in s, steps; 0: not given), or else those of the design's own
   rule: its duration, or its periods of the actuation, and its steps. */
VXE_API vxe_run_limits vxe_run_limits_of(const vxe_design *design, double duration, uint64_t steps);

/* Whether anything ends a run: one of the limits, or the design's formula of the stop. */
VXE_API bool vxe_run_limits_end(const vxe_run_limits *limits, const vxe_design *design);

/* Which step ends a run that has a limit. */
typedef enum vxe_run_arrival {
    VXE_ARRIVAL_AT = 0,  /* the first at the limit or past it; a millionth of a step is rounding */
    VXE_ARRIVAL_PAST = 1 /* the first past it, as in simulators of the Voxelyze family */
} vxe_run_arrival;

/* The number of steps after which a time (s) is reached; UINT64_MAX: more than 10^18. */
VXE_API uint64_t vxe_run_step_at(double time, double time_step, vxe_run_arrival arrival);

/* The number of steps after which a run has ended; UINT64_MAX: no limit ends it. */
VXE_API uint64_t vxe_run_last_step(const vxe_run_limits *limits, double time_step,
                                   vxe_run_arrival arrival);

#ifdef __cplusplus
}
#endif

#endif
