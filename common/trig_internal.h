/* SPDX-License-Identifier: MIT */
/* Sine, cosine, exponential and related functions, computed by basic arithmetic: the same bits with
   every C library, compiler and machine. */
#ifndef VXE_COMMON_TRIG_INTERNAL_H
#define VXE_COMMON_TRIG_INTERNAL_H

#include "common/export.h"

#define VXE_PI 3.14159265358979323846
#define VXE_TAU 6.28318530717958647693

/* sin and cos of 2 pi cycles, within 3e-16; cycles finite. */
void vxe_sincos_cycles(double cycles, double *sine, double *cosine);

/* e^x within 1e-15 relative, for x in [-700, 700]; 0 below, infinity above. */
double vxe_exponential(double x);

/* ln x within 1e-15 max(|ln x|, 1); minus infinity for 0, NaN below. */
double vxe_logarithm(double x);

/* The angle (rad) whose tangent is x, within 3e-16. */
double vxe_arc_tangent(double x);

/* The angle (rad) of the direction (x, y) from the x axis, -pi to pi; 0 if both are 0. */
double vxe_angle_of(double x, double y);

/* Cumulative standard normal distribution at x, within 1e-15. */
double vxe_normal_cdf(double x);

#endif
