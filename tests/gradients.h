/* SPDX-License-Identifier: MIT */
/* Bodies and differences for the tests of gradients. */
#ifndef VXE_TESTS_GRADIENTS_H
#define VXE_TESTS_GRADIENTS_H

#include "engine/gradient/gradient_data.h"
#include "support.h"

/* J: the last sample's place and velocity, weighed. */
extern const double ask_place[3];
extern const double ask_velocity[3];
double objective(void *user, uint32_t robot, const vxe_gradient_sample *samples, uint32_t count,
                 vxe_gradient_sample *weights);

/* Choices of a gradient by all that there is, in double. h: s. */
vxe_gradient_def definition(uint64_t steps, double h);

/* A gradient of the objective, run; a failure is one of the test. */
vxe_gradient *gradient_of(const vxe_design *design, const vxe_gradient_def *def);

/* A body of 4 x 2 x 2 voxels that is thrown (m/s), lands and crawls: at rest on the floor it would
   be on the border between two branches, those of a voxel that sticks and of one that slips. */
vxe_design *crawler(double speed);

/* The crawler with a material for each voxel, of its own stiffness, density, friction and damping:
   bonds that are condensed pairs couple shear and bending then. even: they are all alike. */
vxe_design *patchwork(double speed, bool even);

/* A body in two parts whose groups a network moves by all that it can sense and be differentiated.
   number: of a choice of sensors. */
vxe_design *controlled(double speed, int number);
enum { MAX_WEIGHTS = 600 };

/* What of a design is moved for a difference. */
typedef struct moved_number {
    double *number[2]; /* moved together; the second may be null */
    double step;
} moved_number;

/* Central differences of the objective by numbers of a design, of robots that run side by side. */
void central_differences(const vxe_design *design, const moved_number *moved, uint32_t count,
                         const vxe_gradient_def *def, double *slopes);

/* Numbers against slopes: the largest error over the largest slope. */
double worst_of(const double *got, const double *slopes, uint32_t count);

/* The gradients of a crawler by phase, amplitude, and frequency where it has a layer of these,
   against central differences. Where a voxel
   stops a step sooner or later on one side the value jumps, and differences of two steps disagree:
   such are left out, one in eight at most. So is the largest amplitude with damping iterations, as
   the polynomial of these follows it, which counts as given. step: of amplitudes and cycles. */
void check_differences(vxe_design *design, const vxe_gradient_def *def, double step, double bound);

/* Those of a patchwork by numbers of materials, likewise. Static friction is moved along with the
   dynamic one, as it must not be below. step: part of a number, ten times as much of damping. */
void check_materials(vxe_design *design, const vxe_gradient_def *def, double step, double bound);

/* Usual steps. */
#define OF_CYCLES 2e-6
#define OF_MATERIALS 1e-5

/* The run forwards is that of a batch, to the bit; and the gradients of three robots have the same
   bits alone and side by side. In mixed precision they agree to 1e-4, as runs do. */
void check_bits(vxe_design *make(uint32_t i), const vxe_gradient_def *def);

/* Moves number c, of the 12 of a start, of a voxel of a robot in double. */
void move_start(vxe_gradient_robot *robot, uint32_t voxel, uint32_t c, double by);

/* Central differences of the objective by the start of a voxel, of robots that `add` adds. steps:
   of place (m), turn (rad), velocity (m/s) and spin (rad/s). */
void start_differences(const vxe_design *design, const vxe_gradient_def *def,
                       uint32_t add(vxe_gradient *gradient, const vxe_design *design),
                       const double steps[4], uint32_t voxel, double slopes[12]);

#endif
