/* SPDX-License-Identifier: MIT */
/* Designs of one affine body, shared by the tests of affine bodies. */
#ifndef VXE_TESTS_AFFINE_H
#define VXE_TESTS_AFFINE_H

#include "support.h"

/* The cube of the affine cases of docs/accuracy.md: 0.1 m, 1000 kg/m^3, c1 = 8000 Pa, c2 = 2000 Pa,
 * incompressible. */
#define CUBE 0.1
#define CUBE_MASS 1.0

/* Design of a single body under gravity g (m/s^2) along -z, without a floor. */
vxe_design *affine_design(const vxe_affine_body *body, double g);

/* Adds one more body to a design. */
void add_body(vxe_design *design, const vxe_affine_body *body);

/* Makes a world from the design with a step (s), or with the step that the design asks for if step
 * is 0. Destroys the design. */
vxe_world *affine_world(vxe_design *design, double step);

void advance_steps(vxe_world *world, uint64_t steps);

vxe_affine_pose pose_of(const vxe_world *world);

/* Gives the body contact with the floor and walls, over the faces that point at them. */
void add_contact(vxe_affine_body *body, double alpha, double d0);

void set_body_formula(vxe_affine_body *body, int which, const char *text);

/* Advances so many steps. Returns the drift of the energy balance from its start, relative to the
 * largest energy exchanged. */
double balance_drift(vxe_world *world, uint64_t steps);

#endif
