/* SPDX-License-Identifier: MIT */
/* Options that determine how a design becomes a world; run, batch and info share them. */
#ifndef VXE_CLI_DESIGN_OPTIONS_H
#define VXE_CLI_DESIGN_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <voxelastic/voxelastic.h>

/* Values that getopt_long returns for the shared options. The options of a command start at
   OPTION_OWN. */
enum {
    OPTION_CONVENTIONS = 256,
    OPTION_THREADS,
    OPTION_PRECISION,
    OPTION_TIMESTEP,
    OPTION_ACCURACY,
    OPTION_STEP_SCALE,
    OPTION_DAMPING,
    OPTION_DAMPING_FORM,
    OPTION_TORSION,
    OPTION_COMPOSITE,
    OPTION_SHEAR,
    OPTION_BONDS,
    OPTION_LEDGER,
    OPTION_OWN
};

/* Rows for a command's table of long options. */
#define DESIGN_OPTIONS                                                                             \
    {"conventions", required_argument, NULL, OPTION_CONVENTIONS},                                  \
        {"threads", required_argument, NULL, OPTION_THREADS},                                      \
        {"precision", required_argument, NULL, OPTION_PRECISION},                                  \
        {"timestep", required_argument, NULL, OPTION_TIMESTEP},                                    \
        {"accuracy", required_argument, NULL, OPTION_ACCURACY},                                    \
        {"step-scale", required_argument, NULL, OPTION_STEP_SCALE},                                \
        {"damping", required_argument, NULL, OPTION_DAMPING},                                      \
        {"damping-form", required_argument, NULL, OPTION_DAMPING_FORM},                            \
        {"torsion", required_argument, NULL, OPTION_TORSION},                                      \
        {"composite", required_argument, NULL, OPTION_COMPOSITE},                                  \
        {"shear", required_argument, NULL, OPTION_SHEAR},                                          \
        {"bonds", required_argument, NULL, OPTION_BONDS},                                          \
    {                                                                                              \
        "ledger", no_argument, NULL, OPTION_LEDGER                                                 \
    }

/* Help for these options. */
extern const char *const design_options_help;

/* Stores one option in def. Returns 0; EXIT_USAGE after a message; -1 where the option is not a
   shared one. */
int design_option(const char *command, int option, const char *value, vxe_world_def *def);

/* Prints the rules that a run follows, why, what that costs, and how to get others, as one line. */
void print_conventions(FILE *out, const vxe_design *design, const vxe_world_def *def,
                       const vxe_world_facts *facts);

/* Prints a warning for each key of a design's file that no reader knows. Returns how many. */
uint32_t print_mistakes(FILE *out, const char *path, const vxe_design *design);

/* Reads a number above `low` and below 1e300. Returns false after a message otherwise. */
bool option_number(const char *command, const char *name, const char *value, double low,
                   double *number);

/* Reads a whole number from 1 to 1e15. Returns false after a message otherwise. */
bool option_whole(const char *command, const char *name, const char *value, uint64_t *number);

/* Returns the index of `value` among two or three words (c may be null); -1 after a message. */
int option_choice(const char *command, const char *name, const char *value, const char *a,
                  const char *b, const char *c);

#endif
