/* SPDX-License-Identifier: MIT */
/* A simulation: a compiled design, its step and its state. A world has one; each robot of a
   batch has one. */
#ifndef VXE_ENGINE_SOLVER_SIMULATION_H
#define VXE_ENGINE_SOLVER_SIMULATION_H

#include "engine/solver/step.h"

typedef struct vxe_simulation {
    const vxe_design *design; /* owned by the caller */
    vxe_model model;
    vxe_step_plan plan;
    vxe_step_choice choice; /* from the definition, for plans to come */
    vxe_state state;
    vxe_failure failure; /* what failed in the last step, if anything */
    bool controlled;     /* it will be moved by the controller of its design */
    uint32_t tick;       /* steps of a tick of that; 0 without one */
} vxe_simulation;

/* Plans the step and makes the state, for a model that is compiled. Where it is controlled, the
   step is planned for the controller's targets, and a whole number of steps makes a tick. */
vxe_status vxe_simulation_start(vxe_simulation *simulation, const vxe_world_def *def,
                                vxe_error *error);
void vxe_simulation_clear(vxe_simulation *simulation);

/* Plans the step anew for edges up to `widest` times the lattice's and a period (s) of actuation
   that is that short, from the next step on. The damping scheme stays, since memory was taken for
   it. */
vxe_status vxe_simulation_plan_for(vxe_simulation *simulation, double widest,
                                   double shortest_period, vxe_error *error);

/* Sets a group's factor on the edges of its voxels; the step is planned anew where they become
   wider than ever before. */
vxe_status vxe_simulation_set_target(vxe_simulation *simulation, uint32_t group, double factor,
                                     vxe_error *error);

/* Plans the step for targets between two bounds, and so that a whole number of steps makes an
   interval (s): from now on it is given in seconds. Before the first step. */
vxe_status vxe_simulation_divide(vxe_simulation *simulation, double min_target, double max_target,
                                 double interval, uint32_t *steps, vxe_error *error);

/* Turns the bodies about their centre of mass by a rotation vector (rad), and shifts them (m);
   velocities stay. */
void vxe_simulation_displace(vxe_simulation *simulation, const double turn[3],
                             const double shift[3]);

/* Position of a voxel of the design (m, design coordinates), and its orientation (w x y z). */
static inline void vxe_simulation_place(const vxe_simulation *simulation, uint32_t voxel,
                                        double place[3])
{
    for (int c = 0; c < 3; c++) {
        place[c] =
            vxe_state_position(&simulation->state, c, simulation->model.topology.place[voxel]) +
            simulation->model.origin[c];
    }
}

static inline void vxe_simulation_orientation(const vxe_simulation *simulation, uint32_t voxel,
                                              double q[4])
{
    for (int c = 0; c < 4; c++) {
        q[c] =
            vxe_state_orientation(&simulation->state, c, simulation->model.topology.place[voxel]);
    }
}

/* Centre of mass (m) and its velocity (m/s) in design coordinates. velocity may be null. */
void vxe_simulation_center(const vxe_simulation *simulation, double position[3],
                           double velocity[3]);

/* Reports where and when the simulation diverged, by its failure or by a number that is not
   finite; or that it became unphysical. */
vxe_status vxe_simulation_diverged(const vxe_simulation *simulation, vxe_error *error);

#endif
