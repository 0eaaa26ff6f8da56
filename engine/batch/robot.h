/* SPDX-License-Identifier: MIT */
/* A robot of a batch: its simulation, and what the batch asks of it. */
#ifndef VXE_ENGINE_BATCH_ROBOT_H
#define VXE_ENGINE_BATCH_ROBOT_H

#include "engine/solver/solver.h"
#include "engine/world/world_data.h"

typedef struct vxe_robot {
    vxe_simulation simulation;
    uint64_t last_step;  /* where it shall end */
    uint64_t start_step; /* where displacement counts from: the end of settling */
    double start_time;   /* s, and the centre of mass (m) then, once it is past */
    double start_center[3];
    vxe_expression fitness;  /* of its design; empty where it has none, or is watched */
    uint64_t reference_step; /* where that counts from, and what is measured there: m */
    double reference_center[3];
    vxe_posture posture; /* with its arrays where the fitness sees it */
    bool peaks;          /* the fitness reads how high the centre has been, */
    double highest;      /* which is here: m */
    bool watched;        /* a batch runs it as a world with a trial: its formulas are asked on the
                            way, or it has affine bodies */
    bool bodies;         /* it is of affine bodies that go alone, and nothing else */
    uint32_t index;      /* in its batch */
} vxe_robot;

void vxe_robot_clear(vxe_robot *robot);

#endif
