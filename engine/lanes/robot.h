/* SPDX-License-Identifier: MIT */
/* A robot that shares lanes or runs alone: its simulation, and the energy guard that looks at it.
   Both belong to the caller: a run of a batch, or a world. */
#ifndef VXE_ENGINE_LANES_ROBOT_H
#define VXE_ENGINE_LANES_ROBOT_H

#include "engine/guard/guard.h"
#include "engine/solver/solver.h"

typedef struct vxe_robot {
    vxe_simulation *simulation;
    vxe_energy_guard *guard;
    vxe_workspace *look; /* for looks while the robot is in lanes; null before the first one */
    struct vxe_run *run; /* in a batch: when it ends, and what is measured on the way; else null */
} vxe_robot;

/* Takes a workspace of its own for looks at a robot in lanes, bound to its state, if it has none.
 */
vxe_status vxe_robot_look(vxe_robot *robot, vxe_error *error);

/* Releases the workspace that vxe_robot_look has taken. */
void vxe_robot_stop_looking(vxe_robot *robot);

#endif
