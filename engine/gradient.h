/* SPDX-License-Identifier: MIT */
/* Gradients: how a number that is told of a run changes with the numbers of its design, exactly, by
   one run and its reverse (docs/glossary.md, Adjoint). Robots run side by side in lanes. The
   gradient is that of the branches that a run took: where a voxel begins to touch, stick or slip,
   the number may jump, and the gradient does not see that.

   A gradient may be used by one thread at a time. */
#ifndef VXE_ENGINE_GRADIENT_H
#define VXE_ENGINE_GRADIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_gradient vxe_gradient;

/* What a gradient is by. All but weights are of voxels, in the order of the design. */
typedef enum vxe_gradient_by {
    VXE_BY_AMPLITUDE, /* (voxels) layer Amplitude */
    VXE_BY_PHASE,     /* (voxels) layer PhaseOffset, cycles */
    VXE_BY_LOAD,      /* (voxels, 3) N, constant, world axes */
    VXE_BY_START, /* (voxels, 12) at the start: place (m), small turn about the world's axes (rad),
                     velocity (m/s), spin (rad/s) */
    VXE_BY_STIFFNESS,     /* (voxels) layer Stiffness, Pa, with the dashpots that follow from it */
    VXE_BY_DENSITY,       /* (voxels) layer Density, kg/m^3, likewise */
    VXE_BY_FRICTION,      /* (voxels) dynamic friction of the floor. Static friction only chooses
                             whether a voxel sticks, and has no derivative */
    VXE_BY_BOND_DAMPING,  /* (voxels) of materials: the damping ratio of bonds */
    VXE_BY_FLOOR_DAMPING, /* (voxels) of materials: that of collisions */
    VXE_BY_FREQUENCY,     /* (voxels) layer Frequency, in those of the actuation */
    VXE_BY_WEIGHTS,       /* (weights) of the network of the design's controller, in its order;
                             none without one */
    VXE_GRADIENT_BYS
} vxe_gradient_by;

/* The robot at a time: its centre of mass (m) and the velocity of that (m/s), design coordinates.
 */
typedef struct vxe_gradient_sample {
    double time; /* s */
    double center[3], velocity[3];
} vxe_gradient_sample;

/* The number that a run is judged by. Returns it, and writes into weights, which are zero, what it
   changes with each number of the samples; times are left alone. robot: as returned by
   vxe_gradient_add. */
typedef double (*vxe_objective)(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                                uint32_t count, vxe_gradient_sample *weights);

/* Choices of a gradient. Take one from vxe_gradient_def_default and change what you need. */
typedef struct vxe_gradient_def {
    uint32_t cookie;     /* set by vxe_gradient_def_default, checked by vxe_gradient_create */
    vxe_world_def world; /* of every robot; step_rule must be VXE_STEP_SECONDS, since other steps
                            follow the numbers that are changed, and the energy audit off. Its
                            threads run robots, each as many as a vector has lanes at a time */
    uint64_t steps;      /* of every robot */
    uint32_t by; /* what gradients are by: 1u << vxe_gradient_by, or'ed. By default all up to
                    VXE_BY_START, which cost next to nothing; with those of materials a gradient
                    costs five to six runs instead of four to five, whichever are asked for */
    uint64_t sample_every; /* steps between samples; 0: at the start and the end alone */
    double forget;         /* s: adjoints fall by e in that time, so that the gradient looks back so
                              far; 0: never. Then ask for velocities and not for places: of a place
                              at the end, what came long before is true */
    uint64_t memory;       /* bytes for the states of each group of robots that fill a vector; 0: 1
                              GiB. Where more would be kept, fewer are, with the same bits; a run of
                              N steps keeps 2 sqrt(N) at least. What pairs of voxels in contact
                              remember comes on top: 100 to 200 bytes a pair in each of them */
} vxe_gradient_def;

VXE_API vxe_gradient_def vxe_gradient_def_default(void);

/* Null and error filled on failure. */
VXE_API vxe_gradient *vxe_gradient_create(const vxe_gradient_def *def, vxe_error *error);
VXE_API void vxe_gradient_destroy(vxe_gradient *gradient);

/* Adds a robot: a copy of a design. Refuses what has no reverse so far, by name. */
VXE_API vxe_status vxe_gradient_add(vxe_gradient *gradient, const vxe_design *design,
                                    uint32_t *robot, vxe_error *error);

/* Gives a robot other numbers for its next run: vxe_gradient_width of them, in the order and the
   units of its gradient, into the layer of that name, or the network. Only amplitudes, phases,
   frequencies, stiffness and density have a layer; the others are refused. So are numbers that a
   design may not have; the robot keeps those from before. */
VXE_API vxe_status vxe_gradient_put(vxe_gradient *gradient, uint32_t robot, vxe_gradient_by by,
                                    const double *values, vxe_error *error);

/* Robots that run side by side, whose ticks come at the same step and whose controllers have as
   many inputs and outputs, one in each row: at most as many as a vector has lanes. */
typedef struct vxe_gradient_ticks {
    uint32_t count;
    uint32_t inputs, outputs;
    const uint32_t *robots; /* (count) rising */
    const uint32_t *ticks;  /* (count) number of the tick of each, from 0 */
    const float *sensed;    /* (count, inputs) */
} vxe_gradient_ticks;

/* A policy of the caller that makes what controllers put out, in place of their networks. Both are
   called on the calling thread, and false gives the run up. */
typedef struct vxe_gradient_policy {
    /* Writes outputs, (count, outputs) from -1 to 1, which come as zeros; beyond counts as these.
     */
    bool (*act)(void *user, const vxe_gradient_ticks *ticks, float *outputs);
    /* The way back, of all ticks from the last to the first: by_outputs, (count, outputs), is what
       the numbers of the robots' runs change with their outputs; 0 where these were -1, 1 or
       beyond, and of a robot that has left, which diverged say. Rows are as they were forwards.
       Adds to by_sensed, (count, inputs) and zero, what they change with what was sensed; and where
       it likes, what they change with parameters of the policy. */
    bool (*back)(void *user, const vxe_gradient_ticks *ticks, const double *by_outputs,
                 double *by_sensed);
    void *user;
} vxe_gradient_policy;

/* Gives the next runs a policy, which is copied; both functions are needed, and `user` must outlive
   the runs. Null: networks again. Robots of a vector go forwards and back before those of the next
   one, so that what a policy keeps of a tick is best found by the first robot and its tick. The
   networks of designs say then how many numbers are sensed and put out, and their weights have zero
   gradients. A robot to which the policy says what is no number has no gradient. With a policy
   robots run on one thread. */
VXE_API void vxe_gradient_set_policy(vxe_gradient *gradient, const vxe_gradient_policy *policy);

/* Runs all robots from their starts and backwards. Asks the objective for each one that got to its
   end, one after another on the calling thread; user is passed on. */
VXE_API vxe_status vxe_gradient_run(vxe_gradient *gradient, vxe_objective objective, void *user,
                                    vxe_error *error);

/* Called many times in a run, from the calling thread; false gives the run up. */
typedef bool (*vxe_gradient_watch)(void *user);

/* The same. Where the watch, which may be null, gives the run up, that is no failure, but no robot
   has a value or a gradient until the next run. user is passed on to both. */
VXE_API vxe_status vxe_gradient_run_watched(vxe_gradient *gradient, vxe_objective objective,
                                            vxe_gradient_watch watch, void *user, vxe_error *error);

/* What the objective said of a robot. Fails where the robot has not run or diverged, where the
   objective's number or one of its weights is not finite, or where adjoints grew beyond all
   numbers, and says so. */
VXE_API vxe_status vxe_gradient_value(const vxe_gradient *gradient, uint32_t robot, double *value,
                                      vxe_error *error);

/* Numbers of a gradient. */
VXE_API uint32_t vxe_gradient_width(const vxe_gradient *gradient, uint32_t robot,
                                    vxe_gradient_by by);

/* Writes the gradient of a robot, vxe_gradient_width numbers. Fails as vxe_gradient_value does, and
   where the definition did not ask for it. */
VXE_API vxe_status vxe_gradient_of(const vxe_gradient *gradient, uint32_t robot, vxe_gradient_by by,
                                   double *into, vxe_error *error);

/* What a run was like, and what its gradient is worth. */
typedef struct vxe_gradient_facts {
    double growth; /* 1/s: how fast the adjoints of velocities grew from the end to the start, a fit
                      of their logarithm. Above some e-folds in a run, what a small change does is
                      chaotic and the gradient of little worth: forget */
    uint64_t branch_changes; /* how often a voxel began or ceased to stick to the floor; where
                                static friction is above the dynamic one the gradient misses those
                                jumps. What voxels do against each other is not counted */
} vxe_gradient_facts;

/* Of the last run; zeros where vxe_gradient_value fails. */
VXE_API vxe_gradient_facts vxe_gradient_describe(const vxe_gradient *gradient, uint32_t robot);

#ifdef __cplusplus
}
#endif

#endif
