/* SPDX-License-Identifier: MIT */
/* What the files of the command tune share. */
#ifndef VXE_CLI_TUNE_TUNE_H
#define VXE_CLI_TUNE_TUNE_H

#include <stdbool.h>
#include <voxelastic/voxelastic.h>

/* Bytes of the longest path of a file in the folder. */
#define TUNE_PATH 4608

/* Conventions and formulas of a folder, at most so long. */
#define TUNE_TEXT 1024

/* What is tuned, and how: the options, or what a folder says of them. */
typedef struct tune_choices {
    vxe_tuner_def def;
    char formula[TUNE_TEXT]; /* empty: the mean speed along x */
    char conventions[VXE_CONVENTIONS_NAME];
    uint64_t iterations; /* in all */
    double longer;       /* s, of the longer run; 0: four times as long */
    bool no_collision;   /* self-collision is switched off */
} tune_choices;

/* The folder of a tuning. */
typedef struct tune_folder {
    const char *path;
    int lock; /* a descriptor; below 0: none */
} tune_folder;

/* Makes the folder, with the design as it was and the choices, and locks it. It must not exist. */
vxe_status tune_folder_create(tune_folder *folder, const char *path, const vxe_design *design,
                              const tune_choices *choices, vxe_error *error);

/* Locks an existing folder, and reads its choices and its design. */
vxe_status tune_folder_open(tune_folder *folder, const char *path, vxe_design **design,
                            tune_choices *choices, vxe_error *error);

/* Lets go of the folder, also where it was not opened. */
void tune_folder_close(tune_folder *folder);

/* Writes the choices again: more iterations. */
vxe_status tune_folder_put_choices(const tune_folder *folder, const tune_choices *choices,
                                   vxe_error *error);

/* Reads the state of a tuner, where there is one yet. */
vxe_status tune_folder_restore(const tune_folder *folder, vxe_tuner *tuner, vxe_error *error);

/* Writes all that a tuner has found: its state, curve.csv, curve.svg and the best designs. */
vxe_status tune_folder_save(const tune_folder *folder, const vxe_tuner *tuner, vxe_error *error);

/* The path of a file in the folder, in text; returns text. */
char *tune_folder_name(const tune_folder *folder, const char *name, char text[TUNE_PATH]);

/* A design that was run again, for as long as it was tuned for and longer. */
typedef struct tune_check {
    char file[32];      /* in the folder */
    uint32_t iteration; /* 0: the design before */
    double score[2];    /* NaN: that run diverged */
} tune_check;

/* The checks of a tuning: first the design before, then those that were kept. */
typedef struct tune_checks {
    tune_check list[1 + VXE_TUNER_KEPT];
    uint32_t count;
    uint32_t chosen;   /* the one that did best over the longer run */
    double seconds[2]; /* s */
    vxe_unit unit;     /* of scores */
} tune_checks;

/* Runs the design before and the best few, for both times. */
vxe_status tune_check_run(tune_checks *checks, const vxe_tuner *tuner, double longer,
                          vxe_error *error);

/* Writes checks.csv, and the chosen design as best.json. */
vxe_status tune_check_write(const tune_checks *checks, const vxe_tuner *tuner,
                            const tune_folder *folder, vxe_error *error);

/* The design of a check, for vxe_design_destroy. */
vxe_status tune_check_design(const vxe_tuner *tuner, uint32_t check, vxe_design **design,
                             vxe_error *error);

/* Draws scores over the cost as an svg element. */
void tune_picture_draw(FILE *stream, const vxe_tuner *tuner, const char *unit);

/* Writes the page: before and after side by side, over the longer run. */
vxe_status tune_page_write(const tune_checks *checks, const vxe_tuner *tuner,
                           const tune_folder *folder, vxe_error *error);

#endif
