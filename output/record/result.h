/* SPDX-License-Identifier: MIT */
/* The result of a run as JSON: what the robot did from the end of settling to the end of the run,
   and how the run was computed. */
#ifndef VXE_OUTPUT_RECORD_RESULT_H
#define VXE_OUTPUT_RECORD_RESULT_H

#include <stdio.h>

#include "common/status.h"
#include "engine/step_error.h"
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_result {
    const char *status;    /* "ok", "diverged", "unphysical", "interrupted" */
    const char *message;   /* where and when the run diverged or became unphysical; empty
                             otherwise */
    double start_time;     /* s: end of settling, from which displacement counts */
    double start[3];       /* m: centre of mass at start_time, design coordinates */
    double extent;         /* m: longest horizontal extent at the start */
    double max_strain;     /* largest |axial strain| at the sampled instants */
    double wall_seconds;   /* s of wall time spent in steps */
    const double *fitness; /* value of the design's fitness formula; null where it has none */
    const vxe_step_error *step_error; /* what the run's shadow says; null where it had none */
    const vxe_design *design;         /* its notes become warnings; may be null */
} vxe_result;

/* Horizontal displacement since the start (m), and speed in body lengths per second; the speed is 0
   before any time has passed. */
VXE_API double vxe_result_displacement(const vxe_result *result, const vxe_world *world);
VXE_API double vxe_result_body_lengths_per_second(const vxe_result *result, const vxe_world *world);

/* Bond updates per second of wall time. */
VXE_API double vxe_result_bond_rate(const vxe_result *result, const vxe_world *world);

/* Names of step rules and damping schemes as they stand in results. */
VXE_API const char *vxe_step_rule_name(vxe_step_rule rule);
VXE_API const char *vxe_damping_scheme_name(vxe_damping_scheme scheme);

/* Whether the run diverged or became unphysical: no number of it is worth anything. */
VXE_API bool vxe_result_failed(const vxe_result *result);

/* Writes the result as JSON. Where a run failed, the keys of displacement and speed are null. */
VXE_API vxe_status vxe_result_write(const vxe_result *result, const vxe_world *world,
                                    const char *path, vxe_error *error);

/* The same to a stream of the caller's. */
VXE_API vxe_status vxe_result_print(const vxe_result *result, const vxe_world *world, FILE *stream,
                                    vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
