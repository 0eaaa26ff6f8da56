/* SPDX-License-Identifier: MIT */
/* Whether output files can be written, and text as CSV and JSON. */
#ifndef VXE_CLI_SHARED_OUTPUT_FILE_H
#define VXE_CLI_SHARED_OUTPUT_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/status.h"

/* Tests whether a file can be written, so that a long run does not fail at its end. Returns false,
   and fills error, where it cannot. */
bool output_possible(const char *path, vxe_error *error);

/* Write a cell of CSV (RFC 4180). A text that a spreadsheet would compute, since it begins as a
   formula does, gets an apostrophe before it; a path gets ./ before it and still names its file.
   What begins with a digit or a blank is quoted. */
void csv_text(FILE *stream, const char *text);
void csv_path(FILE *stream, const char *path);

/* Makes a JSON string. Names, paths and notes may hold bytes that are not UTF-8, which JSON cannot
   hold. */
json_t *json_text(const char *text);

/* Closes a stream of open_memstream. Returns false where there was no memory for all of the text;
   the caller frees *text in any case. */
bool text_end(FILE *stream, char **text);

#endif
