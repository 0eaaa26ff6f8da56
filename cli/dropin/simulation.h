/* SPDX-License-Identifier: MIT */
/* One robot of a call of voxcraft-sim: a .vxd over a base, from its files to its fitness. */
#ifndef VXE_CLI_DROPIN_SIMULATION_H
#define VXE_CLI_DROPIN_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>
#include <voxelastic/voxelastic.h>

typedef struct simulation {
    const char *base, *path; /* files */
    const char *name;        /* of path without its folder */
    const char *conventions;
    vxe_design *design; /* null: it could not be read */
    vxe_task task;
    uint32_t threads; /* 0: as many as help */
    bool done;        /* its numbers count; else they are 0, and message says why */
    bool diverged;
    bool unrecorded; /* standard output took no more frames */
    char message[1400];
    double time; /* s, at the end */
    double fitness;
    vxe_trial_facts facts; /* in the file's frame */
    double *starts, *ends; /* (voxels, 3) m, likewise; where they are asked for */
} simulation;

/* Reads its files. */
void simulation_load(simulation *s);

/* Whether it is to be recorded, on standard output. */
bool simulation_records(const simulation *s);

/* Runs it to its end; *s says how that went. */
void simulation_run(simulation *s);

void simulation_clear(simulation *s);

#endif
