/* SPDX-License-Identifier: MIT */
/* A trial: a world that is run until the design's formula of the stop ends it, and judged by its
   formula of fitness. See docs/from-voxcraft.md for where these formulas come from.

   Variables of both formulas:
     t                             s: time
     x, y, z                       m: displacement of the centre of mass since the reference time
   (end of settling, or the design's own reference time if that is later) center_x, center_y,
   center_z  m, design frame: the centre of mass angle                         rad: between the last
   two displacements of the centre, which are taken once in each period of the actuation hit
   contacts of a target with another voxel, summed over pairs and steps. Two voxels touch as spheres
   of radius 0.625 edges, if both are on the surface and are not neighbours targetCloseness 1/m: sum
   of 1/distance over pairs of targets numClosePairs                 pairs of targets nearer than
   the design's pair_distance; both are 0 where that is 0 num_voxel                     number of
   voxels top                           m, design frame: the highest centre of a voxel turn rad, -pi
   to pi: rotation about z since the reference time; the one that brings the places then closest to
   those now, seen from above up                            mean upward component of the voxels' own
   z axes: 1 at rest, -1 upside down peak                          m: largest rise of the centre,
   taken after steps that are multiples of 16 volume                        m^3: of the convex hull
   top, turn, up, peak, volume and the centre count only voxels whose material is measured. */
#ifndef VXE_ENGINE_TRIAL_H
#define VXE_ENGINE_TRIAL_H

#include <stdbool.h>

#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_trial vxe_trial;

/* Starts a trial at the present state of a world. The world stays the caller's, but only the trial
   may advance it from now on; the design may be destroyed. Null and error filled where a formula is
   wrong or memory is missing. */
VXE_API vxe_trial *vxe_trial_create(const vxe_design *design, vxe_world *world, vxe_error *error);
VXE_API void vxe_trial_destroy(vxe_trial *trial);

/* Advances by so many steps, or to the first step after which the formula of the stop is above 0.
   Fails as vxe_world_advance does. */
VXE_API vxe_status vxe_trial_advance(vxe_trial *trial, uint64_t steps, vxe_error *error);

/* Whether the formula of the stop has ended the trial. */
VXE_API bool vxe_trial_ended(const vxe_trial *trial);

/* Variables of formulas at a time. */
typedef struct vxe_trial_facts {
    double start[3], center[3]; /* m: centre of mass at the reference time and now, design frame */
    double angle;               /* rad */
    double hits;
    double closeness; /* 1/m */
    double close_pairs;
    double distance;   /* m: distances of measured voxels from their start, summed over voxels */
    uint32_t measured; /* voxels that are measured */
    uint32_t angle_samples; /* samples of the centre so far */
} vxe_trial_facts;

/* The variables now. */
VXE_API vxe_trial_facts vxe_trial_describe(vxe_trial *trial);

/* The value of the design's formula of fitness now; 0 where it has none. */
VXE_API double vxe_trial_fitness(vxe_trial *trial);

/* A unit: its name, such as "m/s"; what stands behind a number, such as " m/s"; and how the names
   of columns end, such as "_m_per_s". All are empty for a pure number, and where the unit is not
   known. */
typedef struct vxe_unit {
    const char *name, *behind, *suffix;
} vxe_unit;

/* The unit of what has either of two: that of both, or none where they differ. */
VXE_API vxe_unit vxe_unit_of_both(vxe_unit a, vxe_unit b);

/* The unit of a design's fitness, as far as its formula tells: numbers in it may stand for
   anything. What is divided by the edge of the lattice is in voxels. */
VXE_API vxe_unit vxe_design_fitness_unit(const vxe_design *design);

/* Places of all voxels at the reference time: (voxels, 3) m, design order and frame. The array
   belongs to the trial. */
VXE_API const double *vxe_trial_starts(const vxe_trial *trial);

/* Checks whether a trial can read a formula of a design, before anything runs; error says what is
   wrong. A design without the formula passes. */
VXE_API vxe_status vxe_design_formula_check(const vxe_design *design, vxe_formula which,
                                            vxe_error *error);

/* Limits of a run; it ends at the first that it reaches. A stop formula may end it earlier. */
typedef struct vxe_run_limits {
    double time;    /* s; infinity: no such limit */
    uint64_t steps; /* UINT64_MAX: no such limit */
} vxe_run_limits;

/* The given limits (duration in s, steps; 0: not given) or, if none is given, those of the design's
   stop rule: its duration or else its number of actuation periods, and its steps. */
VXE_API vxe_run_limits vxe_run_limits_of(const vxe_design *design, double duration, uint64_t steps);

/* Whether a run ends at all: by one of the limits or by the stop formula of the design. */
VXE_API bool vxe_run_limits_end(const vxe_run_limits *limits, const vxe_design *design);

/* Which step a limit in time ends at. */
typedef enum vxe_run_arrival {
    VXE_ARRIVAL_AT = 0,  /* the first at or past the limit, rounded by a millionth of a step */
    VXE_ARRIVAL_PAST = 1 /* the first past the limit, as in simulators of the Voxelyze family */
} vxe_run_arrival;

/* The number of steps after which a time (s) is reached; UINT64_MAX: 10^18 or more, or not a
 * number. */
VXE_API uint64_t vxe_run_step_at(double time, double time_step, vxe_run_arrival arrival);

/* The number of steps after which a run has ended; UINT64_MAX: no limit ends it within 10^18 steps.
 */
VXE_API uint64_t vxe_run_last_step(const vxe_run_limits *limits, double time_step,
                                   vxe_run_arrival arrival);

#ifdef __cplusplus
}
#endif

#endif
