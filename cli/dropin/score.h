/* SPDX-License-Identifier: MIT */
/* Scores a run as evosoro, its land-water fork and reconfigurable_organisms do, and writes the
   result file that their drivers read. */
#ifndef VXE_CLI_DROPIN_SCORE_H
#define VXE_CLI_DROPIN_SCORE_H

#include <voxelastic/voxelastic.h>

/* A sample of the trace. */
typedef struct score_sample {
    double time;      /* s */
    double center[3]; /* m, centre of mass */
    double volume;    /* voxels */
    uint32_t touching;
} score_sample;

/* Distances are in voxel edges unless a unit is given. */
typedef struct score {
    const char *conventions; /* name of the compatibility preset */
    bool diverged;
    uint32_t voxels;
    double start[3];                  /* m: centre of mass after settling */
    double pushed[3];                 /* m: position of the last needle voxel at that time */
    bool has_afterlife;               /* the preset has an afterlife */
    double lifetime;                  /* s */
    double moved[3], far, whole;      /* displacement of the centre of mass: by axis, horizontal,
                                         total */
    double farthest, nearest;         /* largest and smallest horizontal distance of a voxel from
                                         the start */
    double max_y, min_y;              /* y of voxels that are not obstacles, frame of the file */
    double end_of_life_min_y;         /* min_y after the stop value, where there is an afterlife */
    double first_volume, last_volume; /* voxels */
    double first_hull, last_hull;     /* volume of the convex hull, voxels */
    double push;                      /* displacement of the last needle voxel */
    double block;                     /* mean root of x + y + z (m) of the block's voxels */
    uint32_t touching;                /* voxels that touch the floor at the end */
    double by_volume;                 /* displacement along y over a power of the volume */
    score_sample *samples;            /* (sample_count) */
    uint32_t sample_count, sample_capacity;
} score;

/* The parts of a run that a score needs. */
typedef struct score_view {
    const vxe_design *design;
    const vxe_world *world;
    const vxe_task *task;
} score_view;

/* Call this after settling. Returns false without memory. */
bool score_start(score *s, const score_view *view);

/* Call this at the end of a life that has an afterlife. */
bool score_end_of_life(score *s, const score_view *view);

/* Takes a sample of the trace. */
bool score_add(score *s, const score_view *view);

/* Call this at the end of the run. */
bool score_finish(score *s, const score_view *view);

/* Averages the displacements of two runs, by axis and in length; all else stays. */
void score_average(score *s, const score *other);

void score_clear(score *s);

/* Writes the result file, which appears whole or not at all; until then it has another name that
   drivers do not look for. Returns false, and fills error, on failure, and leaves nothing of the
   file. */
bool score_write(const score *s, const score_view *view, const char *path, vxe_error *error);

#endif
