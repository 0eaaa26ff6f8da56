/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The time step and the damping scheme that goes with it.

   Explicit dashpots: symplectic Euler v' = v - dt M^-1 (K x + C v), x' = x + dt v' is stable where
   4M - 2 dt C - dt^2 K is positive definite; by Weyl's inequality it suffices that
       dt < (sqrt(lambda_C^2 + 4 lambda_K) - lambda_C) / lambda_K,                          rule (TS).

   Damping sweeps: half of the dashpots act as forces on the velocity before the kick, half
   implicitly behind it. With Y = dt M^-1 C / 2,
       v' = Q(Y) [ (1 - Y) v - dt M^-1 K x ],   x' = x + dt v',
   Q a polynomial with Q(0) = 1, Q'(0) = -1 and c/(1+y) <= Q(y) <= 1/(1+y) on 0 <= y <= reach.
   (1 + Y)^-1 itself would be the trapezoidal rule: second order, and exact for the creep of
   overdamped modes. With T_m the Chebyshev polynomial and m = s + 1,
       Q = (1 - R)/(1 + y),   R = A (1 + T_m(x0 - k y))/2,
   x0 = cos(pi/m) its outermost minimum, k = (1 + x0)/reach, A such that R(-1) = 1; then c = 1 - A.
   In the nested form Q(Y) v = v - n1 Y (v - n2 Y (v - ...)) each of the s sweeps is one evaluation
   of the dashpots, so that momentum and angular momentum are exact, with no colours and no order of
   bonds.

   Stability for any dashpots, masses and fixed freedoms (linearised, mass-weighted coordinates,
   A = M^-1/2 K M^-1/2): a mode mu with velocity v, v*v = 1, satisfies
       e mu^2 - (e + 1 - eta - dt^2 a) mu + (1 - eta) = 0,
       e = v*Q^-1 v >= v*(1+Y)v = 1 + eta,   eta = v*Yv,   a = v*A v,
   all real, so |mu| <= 1 where |1 - eta| <= e, which holds, and 0 <= dt^2 a <= 2 (e + 1 - eta),
   which dt <= 2/w_max ensures since the right side is at least 4.
   Floor and global dashpots decay exactly by half a step before and behind the sweeps. The number
   of sweeps grows as the square root of dt lambda_C. */
/* clang-format on */
#ifndef VXE_ENGINE_TIME_STEP_INTERNAL_H
#define VXE_ENGINE_TIME_STEP_INTERNAL_H

#include <stdbool.h>

#include "common/status.h"
#include "engine/conventions.h"

#define VXE_MOST_SWEEPS 8u /* beyond, the powers of y lose their digits */

typedef struct vxe_step_plan {
    double time_step; /* s */
    vxe_step_rule rule;
    vxe_damping_scheme damping;     /* EXPLICIT or SWEEP */
    uint32_t sweeps;                /* 0 with explicit damping */
    double nested[VXE_MOST_SWEEPS]; /* n1, n2, ... of the sweeps; the last acts first */
    double lambda_k;     /* 1/s^2: largest eigenvalue of M^-1 K at rest, floor springs included */
    double lambda_c;     /* 1/s: of M^-1 C, bonds alone */
    double lambda_c_all; /* 1/s: with floor and global dashpots */
    double stable_step;  /* s: limit of the linear theory for the scheme chosen */
} vxe_step_plan;

struct vxe_model;

/* Chooses the step by the model's conventions. seconds and scale as in vxe_world_def. */
vxe_status vxe_step_plan_make(vxe_step_plan *plan, const struct vxe_model *model, double seconds,
                              double scale, vxe_error *error);

/* Rule (TS): limit of explicit dashpots. */
double vxe_explicit_limit(double lambda_k, double lambda_c);

/* The nested coefficients of s sweeps (1 or even) for a reach; returns A, the largest relative
   shortfall of Q below 1/(1+y), or a number above 1 where s sweeps can not reach so far. */
double vxe_sweep_polynomial(uint32_t sweeps, double reach, double *nested);

#endif
