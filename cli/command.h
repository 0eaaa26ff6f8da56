/* SPDX-License-Identifier: MIT */
/* What all commands share: exit statuses, error messages, and one function per command. */
#ifndef VXE_CLI_COMMAND_H
#define VXE_CLI_COMMAND_H

#include "common/status.h"

enum {
    EXIT_OK = 0,
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,
    EXIT_DIVERGED = 4,
    EXIT_SYSTEM = 5,
    EXIT_SUSPENDED = 75,
    EXIT_INTERRUPTED = 130
};

int command_run(int count, char **words);
int command_batch(int count, char **words);
int command_evolve(int count, char **words);
int command_analyze(int count, char **words);
int command_info(int count, char **words);
int command_check(int count, char **words);
int command_compare(int count, char **words);
int command_conventions(int count, char **words);
int command_examples(int count, char **words);
int command_view(int count, char **words);
int command_convert(int count, char **words);
int command_statics(int count, char **words);
int command_studio(int count, char **words);
int command_surrogate(int count, char **words);
int command_tune(int count, char **words);

/* Prints "voxelastic: error: ..." and returns the exit status for the error. */
int command_fail(const vxe_error *error);

/* The same for an error of a design from that file, which may not name it. */
int command_fail_of(const char *path, vxe_error *error);

/* Fills error for memory that is lacking, and returns its status. */
vxe_status command_no_memory(vxe_error *error);

/* Prints that memory is lacking, and returns the exit status for that. */
int command_starved(void);

/* Prints what is wrong with the options and how to get help. Returns EXIT_USAGE. */
int command_misused(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
