/* SPDX-License-Identifier: MIT */
/* The rows of a comparison: one design under several rules and time steps, an ensemble each. */
#ifndef VXE_CLI_COMPARE_COMPARE_ROWS_H
#define VXE_CLI_COMPARE_COMPARE_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <voxelastic/voxelastic.h>

/* What a row is compared with. */
typedef enum compare_kind {
    COMPARE_PUBLISHED, /* the rules that the file was written for */
    COMPARE_NATIVE,
    COMPARE_STEP,        /* native, with another step or damping scheme */
    COMPARE_TO_NATIVE,   /* published, with one choice of ours */
    COMPARE_TO_PUBLISHED /* native, with one choice of the published rules */
} compare_kind;

typedef struct compare_row {
    compare_kind kind;
    char conventions[VXE_CONVENTIONS_NAME];
    char what[VXE_CONVENTIONS_NAME + 40]; /* the row in words */
    double scale;                         /* factor on the step */
    vxe_damping_scheme damping;
    vxe_ensemble *ensemble; /* null where it was refused */
    vxe_ensemble_facts facts;
    vxe_error error;
} compare_row;

enum { COMPARE_MAX_ROWS = 64 };

/* A comparison of one design. */
typedef struct comparison {
    const char *path;
    vxe_design *design;
    vxe_ensemble_def def;
    bool all_copies; /* every row has all of them */
    bool own_rules;  /* native rows alone */
    compare_row rows[COMPARE_MAX_ROWS];
    uint32_t count;
} comparison;

/* Lists the rows, without running them. False, and error filled, where the design's rules are not
   known or memory ran out. */
bool compare_list(comparison *c, vxe_error *error);

/* Runs a row: as many copies as its work allows. False, and error filled, where it was interrupted
   or memory ran out; what a row is refused for is in the row. */
bool compare_run(const comparison *c, compare_row *row, vxe_error *error);

void compare_clear(comparison *c);

/* The first row of a kind, or null. */
const compare_row *compare_find(const comparison *c, compare_kind kind);

/* The native row of the shortest step, or null. */
const compare_row *compare_finest(const comparison *c);

/* The row that the difference of another is told from: published or native; null for these. */
const compare_row *compare_base(const comparison *c, const compare_row *row);

#endif
