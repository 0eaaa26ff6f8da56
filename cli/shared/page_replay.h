/* SPDX-License-Identifier: MIT */
/* Runs a world for a replay page. */
#ifndef VXE_CLI_SHARED_PAGE_REPLAY_H
#define VXE_CLI_SHARED_PAGE_REPLAY_H

#include <voxelastic/voxelastic.h>

/* How a world is run for a page. */
typedef struct page_replay_def {
    double end;         /* s: it ends there, or where the design's formula of the stop says */
    double interval;    /* s between frames */
    bool (*stop)(void); /* asked before each frame; null: never */
} page_replay_def;

/* Runs a world of a design and adds its frames to the robot that the page has begun. fitness, which
   may be null, gets the value of the design's formula at the end, or NaN where the run failed.
   Returns the failure of the run, or of the page. */
vxe_status page_replay(vxe_page *page, const vxe_design *design, vxe_world *world,
                       const page_replay_def *def, double *fitness, vxe_error *error);

#endif
