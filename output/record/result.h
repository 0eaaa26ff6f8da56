/* SPDX-License-Identifier: MIT */
/* The result of a run: what happened from the end of settling to the end, and how. */
#ifndef VXE_OUTPUT_RECORD_RESULT_H
#define VXE_OUTPUT_RECORD_RESULT_H

#include "common/status.h"
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_result {
    const char *status;       /* "ok", "diverged", "interrupted" */
    const char *message;      /* where and when it diverged; empty otherwise */
    double start_time;        /* s: where displacement counts from (end of settling) */
    double start[3];          /* m: centre of mass then, design coordinates */
    double extent;            /* m: longest horizontal extent at the start */
    double max_strain;        /* largest |axial strain| at the sampled instants */
    double wall_seconds;      /* spent stepping */
    const double *fitness;    /* by the design's formula; null: it has none */
    const vxe_design *design; /* for its notes; may be null */
} vxe_result;

/* Horizontal displacement since start (m), and speed in body lengths per second; 0 before any time
 * has passed. */
VXE_API double vxe_result_displacement(const vxe_result *result, const vxe_world *world);
VXE_API double vxe_result_body_lengths_per_second(const vxe_result *result, const vxe_world *world);

/* Bond updates per second of wall time. */
VXE_API double vxe_result_bond_rate(const vxe_result *result, const vxe_world *world);

/* Name of the step rule and of the damping scheme, as results say them. */
VXE_API const char *vxe_step_rule_name(vxe_step_rule rule);
VXE_API const char *vxe_damping_scheme_name(vxe_damping_scheme scheme);

/* Writes the result as JSON. A run that diverged has no displacement and no speed: the keys are
 * there, null. */
VXE_API vxe_status vxe_result_write(const vxe_result *result, const vxe_world *world,
                                    const char *path, vxe_error *error);

#ifdef __cplusplus
}
#endif

#endif
