/* SPDX-License-Identifier: MIT */
/* Output files that appear whole or not at all (written as FILE.partial, then renamed), and text as
   CSV and JSON. */
#ifndef VXE_CLI_SHARED_OUTPUT_FILE_H
#define VXE_CLI_SHARED_OUTPUT_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/status.h"

typedef struct output_file {
    FILE *stream;
    const char *path;
    char temporary[4200]; /* equals path for devices and pipes, which are written in place */
} output_file;

/* Tests whether a file can be written, so that a long run does not fail at its end. Returns false,
   and fills error, where it cannot. */
bool output_possible(const char *path, vxe_error *error);

/* Opens a file. `path` must live until the file is committed or abandoned. Returns false, and fills
   error, on failure. */
bool output_begin(output_file *file, const char *path, vxe_error *error);

/* Closes and renames the file, which is released even on failure. Returns false, and fills error,
   on failure. */
bool output_commit(output_file *file, vxe_error *error);

/* Closes the file and leaves nothing of it. */
void output_abandon(output_file *file);

/* Writes a field of CSV, in quotes where RFC 4180 requires them. */
void csv_text(FILE *stream, const char *text);

/* Makes a JSON string. Names, paths and notes may hold bytes that are not UTF-8, which JSON cannot
   hold. */
json_t *json_text(const char *text);

#endif
