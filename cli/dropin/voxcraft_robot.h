/* SPDX-License-Identifier: MIT */
/* One robot of a call of voxcraft-sim: a .vxd over its base, from reading its files to its
   fitness. */
#ifndef VXE_CLI_DROPIN_VOXCRAFT_ROBOT_H
#define VXE_CLI_DROPIN_VOXCRAFT_ROBOT_H

#include <stdbool.h>
#include <stdint.h>
#include <voxelastic/voxelastic.h>

/* No run has more steps, as there. */
#define VOXCRAFT_STEPS 1000000u

typedef struct simulation {
    const char *base, *path; /* files of the base and of the robot */
    const char *name;        /* path without its folder */
    const char *conventions;
    vxe_design *design; /* null: could not be read */
    vxe_task task;
    uint32_t threads; /* 0: automatic */
    bool done;        /* the numbers are valid; otherwise they are 0, and message says why */
    bool diverged;
    bool starved;    /* there was no memory for it */
    bool cut;        /* after VOXCRAFT_STEPS it was not at its end */
    bool unrecorded; /* standard output failed; the run went on without frames */
    char message[VXE_ERROR_TEXT];
    double time; /* s at the end */
    double fitness;
    vxe_trial_facts facts; /* in the frame of the file */
    double *starts, *ends; /* (voxels, 3) m, frame of the file; null unless asked for */
} simulation;

/* Reads the files. */
void simulation_load(simulation *s);

/* True where the run is to be recorded on standard output. */
bool simulation_records(const simulation *s);

/* Runs the robot to its end and stores the outcome. */
void simulation_run(simulation *s);

void simulation_clear(simulation *s);

#endif
