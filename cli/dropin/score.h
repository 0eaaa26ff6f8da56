/* SPDX-License-Identifier: MIT */
/* How evosoro, its land-water fork and reconfigurable_organisms score a run, and the file that
   their drivers read it from. */
#ifndef VXE_CLI_DROPIN_SCORE_H
#define VXE_CLI_DROPIN_SCORE_H

#include <voxelastic/voxelastic.h>

/* A sample of the trace. */
typedef struct score_sample {
    double time;      /* s */
    double center[3]; /* m, of mass */
    double volume;    /* voxels */
    uint32_t touching;
} score_sample;

/* Distances are in voxel lengths. */
typedef struct score {
    const char *voxelyze; /* conventions */
    bool diverged;
    uint32_t voxels;
    double start[3];                  /* m: centre of mass behind settling */
    double pushed[3];                 /* m: where the last needle voxel was then */
    bool has_afterlife;               /* its conventions know one */
    double lifetime;                  /* s */
    double moved[3], far, whole;      /* of the centre of mass: by axis, level, and in all */
    double farthest, nearest;         /* of voxels from the start, horizontally */
    double most_y, least_y;           /* of voxels that are no obstacles, in the file's frame */
    double end_of_life_least_y;       /* behind the stop value, where there is an afterlife */
    double first_volume, last_volume; /* voxels */
    double first_hull, last_hull;     /* voxels, of the convex hull */
    double push;                      /* of the last needle voxel */
    double block;                     /* mean root of x + y + z (m) of the block's voxels */
    uint32_t touching;                /* the floor, at the end */
    double by_volume;                 /* along y, by volume */
    score_sample *samples;            /* (sample_count) */
    uint32_t sample_count, sample_capacity;
} score;

/* What of a run a score reads. */
typedef struct score_view {
    const vxe_design *design;
    const vxe_world *world;
    const vxe_task *task;
} score_view;

/* Behind settling. False without memory. */
bool score_start(score *s, const score_view *view);

/* At the end of a life whose afterlife begins. */
bool score_end_of_life(score *s, const score_view *view);

/* A sample of the trace. */
bool score_add(score *s, const score_view *view);

/* At the end. */
bool score_finish(score *s, const score_view *view);

/* Of two runs, the means of their displacements, by axis and in length; all else stays. */
void score_average(score *s, const score *other);

void score_clear(score *s);

/* Writes the result file: whole or not at all, and under another name where nobody looks for it
 * before. False and error filled on failure, when nothing is left of it. */
bool score_write(const score *s, const score_view *view, const char *path, vxe_error *error);

#endif
