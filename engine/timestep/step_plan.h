/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* The time step, and the damping scheme that goes with it (docs/physics.md, Time step).

   Explicit dashpots: symplectic Euler v' = v - dt M^-1 (K x + C v), x' = x + dt v' is stable where
   4M - 2 dt C - dt^2 K is positive definite; by Weyl's inequality (Weyl1912) it suffices that
       dt < (sqrt(lambda_C^2 + 4 lambda_K) - lambda_C) / lambda_K,                          rule (TS).

   Polynomial damping iteration: dashpots act implicitly behind the springs, by a polynomial of a few
   evaluations of their forces (damping_polynomial.h). It is stable for any dashpots where dt <= 2/w_max.
   The number of iterations grows as the square root of dt lambda_C. Floor and global dashpots decay exactly
   by half a step before and half a step behind the iterations; with them stability is observed and not
   proven (case damping-iteration of docs/accuracy.md). */
/* clang-format on */
#ifndef VXE_ENGINE_TIMESTEP_STEP_PLAN_H
#define VXE_ENGINE_TIMESTEP_STEP_PLAN_H

#include <stdbool.h>

#include "common/status.h"
#include "engine/bonds/bonds.h"
#include "engine/conventions.h"

typedef struct vxe_step_plan {
    double time_step; /* s */
    vxe_step_rule rule;
    vxe_damping_scheme damping;                     /* EXPLICIT or SWEEP */
    uint32_t damping_iterations;                    /* 0 with explicit damping */
    double coefficient[VXE_MAX_DAMPING_ITERATIONS]; /* n1, n2, ... of the damping iterations; the
                                                       last one is used first */
    double bond_pull;    /* h c/(2 m) of the dashpots on a voxel of the floor (friction_law.h) */
    double lambda_k;     /* 1/s^2: largest eigenvalue of M^-1 K at rest, floor springs included */
    double lambda_c;     /* 1/s: largest eigenvalue of M^-1 C, bonds alone */
    double lambda_c_all; /* 1/s: the same with floor and global dashpots */
    double stable_step;  /* s: limit of the linear theory for the scheme chosen */
    double for_springs;  /* what h^2 lambda_k may be at that limit: 4, less what contacts may take
                            beside damping iterations */
} vxe_step_plan;

struct vxe_model;

/* What a definition says of the step (vxe_world_def). */
typedef struct vxe_step_choice {
    double seconds; /* s, with VXE_STEP_SECONDS */
    double scale;
    vxe_accuracy accuracy;
} vxe_step_choice;

/* Factor on the normal step of the rules. */
double vxe_step_factor(const vxe_step_choice *choice);

/* Chooses step and damping scheme by the model's compatibility preset. */
vxe_status vxe_step_plan_make(vxe_step_plan *plan, const struct vxe_model *model,
                              const vxe_step_choice *choice, vxe_error *error);

/* s: the limit of stability with explicit dashpots, rule (TS); infinite without stiffness and
   dashpots. */
double vxe_explicit_limit(double lambda_k, double lambda_c);

#endif
