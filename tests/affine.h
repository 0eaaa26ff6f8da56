/* SPDX-License-Identifier: MIT */
/* Designs of one affine body, for the tests of those. */
#ifndef VXE_TESTS_AFFINE_H
#define VXE_TESTS_AFFINE_H

#include "support.h"

/* The cube of the affine cases of docs/accuracy.md: 0.1 m, 1000 kg/m^3, c1 = 8000 Pa, c2 = 2000 Pa,
 * incompressible. */
#define CUBE 0.1
#define CUBE_MASS 1.0

/* A body alone, gravity g (m/s^2) down, no floor. */
vxe_design *affine_design(const vxe_affine_body *body, double g);

/* Another one. */
void add_body(vxe_design *design, const vxe_affine_body *body);

/* The world of such a design, which is let go, with a step (s); step 0: its own. */
vxe_world *affine_world(vxe_design *design, double step);

void advance_steps(vxe_world *world, uint64_t steps);

vxe_affine_pose pose_of(const vxe_world *world);

/* The body's contact with the floor and walls, over the faces that look at them. */
void let_touch(vxe_affine_body *body, double alpha, double d0);

void set_body_formula(vxe_affine_body *body, int which, const char *text);

/* What its balance strayed by from the start, of the largest energy exchanged, over so many steps.
 */
double stray_of_balance(vxe_world *world, uint64_t steps);

#endif
