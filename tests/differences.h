/* SPDX-License-Identifier: MIT */
/* Slopes of the laws of a step, for the tests of their adjoints. */
#ifndef VXE_TESTS_DIFFERENCES_H
#define VXE_TESTS_DIFFERENCES_H

#include "engine/core/vec.h"
#include "support.h"

/* df/dx at 0 by the central difference of eighth order (Fornberg1988). */
double slope_of(double (*f)(const void *context, double x), const void *context, double step);

/* Three numbers between -scale and scale. */
vxe_vec3 random_vec(uint64_t *seed, double scale);

/* The orientation exp(turn) q. */
vxe_quat turned_quat(vxe_quat q, vxe_vec3 turn);

#endif
