/* SPDX-License-Identifier: MIT */
/* A run of one design, and what it tells its user. */
#ifndef VXE_CLI_RUN_RUN_H
#define VXE_CLI_RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <voxelastic/voxelastic.h>

#include "cli/shared/design_settings.h"

typedef struct run_options {
    const char *design;
    design_settings settings;
    const char *actions;    /* a file of actions, or sine with its numbers; or null */
    double action_interval; /* s; 0: not given */
    const char *session;    /* replays it; null: none */
    const char *trace;      /* "-": standard output */
    vxe_trace_def traced;
    const char *result; /* the same */
    const char *record;
    double record_rate;    /* frames per simulated second */
    double trace_interval; /* s; 0: 1/200 of the run */
    double duration;       /* s; 0: as the design says */
    uint64_t steps;        /* 0: as the design says */
    bool quiet;
    bool no_step_error;
    bool no_studio; /* none in the page */
    vxe_world_def def;
} run_options;

typedef struct run {
    const run_options *options;
    vxe_world_def def;    /* that of the options, as a session changes it */
    vxe_session *session; /* null: none */
    vxe_design *design;
    vxe_world *world;
    vxe_step_shadow *shadow; /* runs some periods again at half the step; null: none */
    vxe_step_error step_error;
    vxe_trial *trial; /* evaluates stop and fitness formulas */
    vxe_trace *trace;
    FILE *output; /* standard output, where a trace or result goes there; else null */
    vxe_recorder *recorder;
    vxe_frame *frame;     /* buffer for the recorder */
    uint64_t frames;      /* frames recorded */
    vxe_error unrecorded; /* why recording was given up */
    vxe_result result;
    double fitness;
    vxe_error divergence;
    vxe_run_limits limits;
    uint64_t last_step; /* step at which the run ends by them, or UINT64_MAX */
    uint64_t settled;   /* step at which settling ends */
    double interval;    /* s between rows of the trace */
    uint64_t rows;      /* rows written */
    double sample;      /* s between samples of the largest strain */
    uint64_t samples;   /* samples taken */
    bool started;       /* settling is over */
    double *places;     /* (2, voxels, 3) m: of voxels when it was, and room for those at the end */
    uint64_t failures;  /* allocations that had failed before */
} run;

/* s that the run will last as far as its limits say, or infinity. */
double run_expected_time(const run *r);

/* Reads the session of the options: its robot, limits and rules. */
vxe_status run_open_session(run *r, vxe_error *error);

/* Fails where the last state of a session that was played to its end is not the one that it says.
 */
vxe_status run_check_session(const run *r, vxe_error *error);

/* Takes the option --trace-of. Returns 0, or an exit status after a message. And frees what that
   took. */
int run_take_traced(vxe_trace_def *traced, const char *text);
void run_clear_traced(vxe_trace_def *traced);

/* Moves the groups of the design as the option --actions says. Where nothing else ends the run, it
   ends with the last action. */
vxe_status run_take_actions(run *r, vxe_error *error);

/* Prints what will run and how, and behind the run what came of it. */
void run_print_setup(const run *r);
void run_print_summary(const run *r);

#endif
