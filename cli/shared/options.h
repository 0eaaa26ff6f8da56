/* SPDX-License-Identifier: MIT */
/* Options of a command line, with messages that say which one was probably meant. */
#ifndef VXE_CLI_SHARED_OPTIONS_H
#define VXE_CLI_SHARED_OPTIONS_H

#include <getopt.h>

/* Reads the next option of a command as getopt_long does: its value, or -1 behind the last one.
   What is wrong with a word is said, and '?' returned. letters: without a colon in front. */
int options_next(const char *command, int count, char **words, const char *letters,
                 const struct option *rows);

#endif
