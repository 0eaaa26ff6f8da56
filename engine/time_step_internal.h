/* SPDX-License-Identifier: MIT */
/* The time step and the damping scheme that goes with it.

   Explicit dashpots: symplectic Euler v' = v - dt M^-1 (K x + C v), x' = x + dt v' is stable where 4M - 2 dt C - dt^2 K is positive
   definite; by Weyl's inequality it suffices that dt < (sqrt(lambda_C^2 + 4 lambda_K) - lambda_C) / lambda_K, rule (TS).

   Damping sweeps: after the elastic kick the velocity is multiplied by D = P(dt M^-1 C) with P(z) = [T_n(a - b z) / T_n(a)]^2, T_n the
   Chebyshev polynomial, s = 2n. a is such that T_n(a)^2 = 3, b such that P'(0) = -1. So P(0) = 1, and on 0 <= z <= 2a/b (4 for s = 2, 12.6
   for s = 4, about 0.75 s^2 beyond) 0 <= P <= 1; beyond the first zero P stays below 1/3, so that stiff modes are damped well, and P is never
   negative. P is a product of s factors (1 - f_j z), sum f_j = 1, each of which is one explicit sweep of the dashpots over f_j dt: momentum
   and angular momentum are exact.
   Stability: in mass-weighted coordinates a mode mu of v' = D (v - dt A y), y' = y + dt v' satisfies
   e mu^2 - (1 + e - dt^2 a) mu + 1 = 0 with e = v*D^-1 v / v*v >= 1 and a = v*A v / v*v >= 0 real, so |mu| <= 1 whenever
   dt^2 a <= 2 (1 + e), for which dt < 2/w_max suffices whatever the dashpots are. Floor and global dashpots decay exactly by half a step
   before and behind, which keeps D symmetric, positive and at most 1. With two sweeps and z <= 2 the first, which leaves positions alone,
   may share the elastic pass and act on the velocity before the kick: p (p v - dt a y) with p = 1 - z/2 >= 0 is stable for
   dt^2 a <= 2 (p + 1/p), again at least 4. The number of sweeps grows as sqrt(dt lambda_C). */
#ifndef VXE_ENGINE_TIME_STEP_INTERNAL_H
#define VXE_ENGINE_TIME_STEP_INTERNAL_H

#include <stdbool.h>

#include "common/status.h"
#include "engine/conventions.h"

#define VXE_MOST_SWEEPS 24u /* even */

typedef struct vxe_step_plan {
    double time_step; /* s */
    vxe_step_rule rule;
    vxe_damping_scheme damping; /* EXPLICIT or SWEEP */
    uint32_t sweeps;            /* 0 with explicit damping */
    double fraction[VXE_MOST_SWEEPS]; /* of the step, one per sweep, in the order of use */
    bool joined;            /* the first sweep shares the elastic pass */
    double lambda_k;        /* 1/s^2: largest eigenvalue of M^-1 K at rest, floor springs included */
    double lambda_c;        /* 1/s: of M^-1 C, bonds alone */
    double lambda_c_all;    /* 1/s: with floor and global dashpots */
    double stable_step;     /* s: limit of the linear theory for the scheme chosen */
} vxe_step_plan;

struct vxe_model;
struct vxe_scratch;
struct vxe_state;

/* Largest eigenvalues by the Lanczos method through the force routine, iterations at most; borrows the scratch. */
vxe_status vxe_spectrum(struct vxe_scratch *scratch, uint32_t iterations, double *lambda_k, double *lambda_c,
                        double *lambda_c_all, vxe_error *error);

/* Chooses the step. seconds and scale as in vxe_world_def. */
vxe_status vxe_step_plan_make(vxe_step_plan *plan, struct vxe_scratch *scratch, vxe_step_rule rule, vxe_damping_scheme damping,
                              double seconds, double scale, vxe_error *error);

/* Rule (TS): limit of explicit dashpots. */
double vxe_explicit_limit(double lambda_k, double lambda_c);

/* The fractions of s sweeps (even), in an order that keeps partial products small; returns the reach: largest z = dt lambda_C at which
   the product is at most 1. */
double vxe_sweep_fractions(uint32_t sweeps, double *fraction);

#endif
