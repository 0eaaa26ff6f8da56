/* SPDX-License-Identifier: MIT */
/* What commands write: files that appear whole or not at all (written under FILE.partial, then
   renamed), and text as JSON. */
#ifndef VXE_CLI_SHARED_OUTPUT_H
#define VXE_CLI_SHARED_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/status.h"

typedef struct output_file {
    FILE *stream;
    const char *path;
    char temporary[4200]; /* equal to path for a device or a pipe: these are written in place */
} output_file;

/* Whether a file can be written at path: better known before a run than behind it. False and error
 * filled otherwise. */
bool output_possible(const char *path, vxe_error *error);

/* Opens; path must live until the file is committed or abandoned. False and error filled on
 * failure. */
bool output_begin(output_file *file, const char *path, vxe_error *error);

/* Closes and renames; the file is gone whatever the result. False and error filled on failure. */
bool output_commit(output_file *file, vxe_error *error);

/* Closes; nothing is left of it. */
void output_abandon(output_file *file);

/* A JSON string. Names, paths and notes may hold bytes that are not UTF-8, which JSON can not say.
 */
json_t *json_text(const char *text);

#endif
