/* SPDX-License-Identifier: MIT */
/* One robot of a batch: a model, its step, and where it stands. Either schedule advances it. */
#ifndef VXE_ENGINE_SOLVER_SIMULATION_H
#define VXE_ENGINE_SOLVER_SIMULATION_H

#include "engine/solver/step.h"
#include "engine/world/fitness_variables.h"

typedef struct vxe_simulation {
    const vxe_design *design; /* the caller's */
    vxe_model model;
    vxe_step_plan plan;
    double step_seconds; /* of the definition, for plans to come */
    double step_scale;
    vxe_state state;
    uint64_t last_step;  /* where it shall end */
    uint64_t start_step; /* where displacement counts from: the end of settling */
    double start_time;   /* s, and the centre of mass (m) then, once it is past */
    double start_center[3];
    vxe_expression fitness;  /* of its design; empty where it has none, or is watched */
    uint64_t reference_step; /* where that reckons from, and what is measured there: m */
    double reference_center[3];
    vxe_posture posture; /* with its arrays where the fitness sees it */
    bool peaks;          /* the fitness reads how high the centre has been, */
    double highest;      /* which is here: m */
    bool watched;        /* a batch runs it as a world with a trial: its formulas are asked on the
                            way, or it has affine bodies */
    bool bodies;         /* it is of affine bodies that go alone, and nothing else */
    uint32_t index;      /* in its batch */
    vxe_failure failure; /* the bond that failed in the last step, if one did */
} vxe_simulation;

/* Everything behind the model: step and state. */
vxe_status vxe_simulation_start(vxe_simulation *simulation, const vxe_world_def *def,
                                vxe_error *error);
void vxe_simulation_clear(vxe_simulation *simulation);

/* A group's factor on the edges of its voxels; the step is planned anew where they become wider
 * than any before. */
vxe_status vxe_simulation_set_target(vxe_simulation *simulation, uint32_t group, double factor,
                                     vxe_error *error);

/* Where a voxel of the design is (m, design coordinates), and how it is turned (w x y z). */
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

/* Mass-weighted centre (m) and its velocity (m/s) in design coordinates. velocity may be null. */
void vxe_simulation_center(const vxe_simulation *simulation, double position[3],
                           double velocity[3]);

/* Says where and when the robot diverged: by its failure, or by a number that is not finite. */
vxe_status vxe_simulation_diverged(const vxe_simulation *simulation, vxe_error *error);

#endif
