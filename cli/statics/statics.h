/* SPDX-License-Identifier: MIT */
/* What the files of the command `statics` share. */
#ifndef VXE_CLI_STATICS_STATICS_H
#define VXE_CLI_STATICS_STATICS_H

#include <voxelastic/voxelastic.h>

#include "cli/shared/design_settings.h"

/* Vibrations, at most. */
#define MAX_MODES 64

typedef struct statics_options {
    const char *design;
    vxe_world_def def;
    vxe_settle_def settle;
    design_settings settings;
    uint64_t modes;
    const char *result, *poses, *record, *picture; /* files, or null */
    bool quiet;
} statics_options;

/* What a region does at rest. */
typedef struct region_facts {
    uint32_t voxels;
    bool fixed;
    double moved[3];  /* m: of its voxels, in the mean */
    double force[3];  /* N: that hold it where it is fixed, in all */
    double moment[3]; /* N m: likewise, about the middle of its voxels at rest */
    double stiffness; /* N/m: its load over how far it moved along that; NaN without */
} region_facts;

typedef struct statics {
    const statics_options *options;
    vxe_design *design;
    vxe_world *world;
    vxe_settled settled;
    region_facts *regions;   /* (design->region_count) */
    double *rest;            /* (voxels, 3) places before */
    double *place, *turn;    /* (voxels, 3) and (voxels, 4) poses in equilibrium */
    uint32_t modes;          /* found */
    vxe_error without_modes; /* why none were, where they were asked for */
    double *frequencies;     /* (modes) Hz */
    double *shapes;          /* (modes, voxels, 6) */
    vxe_frame *at_rest;      /* before */
    vxe_frame *at_equilibrium;
} statics;

/* Write the files that were asked for. */
vxe_status statics_write_result(const statics *s, const char *path, vxe_error *error);
vxe_status statics_write_poses(const statics *s, const char *path, vxe_error *error);
vxe_status statics_write_record(statics *s, const char *path, vxe_error *error);
vxe_status statics_write_picture(statics *s, const char *path, vxe_error *error);

#endif
