/* SPDX-License-Identifier: MIT */
/* Writes comparisons: as a table for people, with what it says in words; as CSV, JSON, a picture of
   the paths seen from above, and a page with both and replays. */
#ifndef VXE_CLI_COMPARE_COMPARE_WRITE_H
#define VXE_CLI_COMPARE_COMPARE_WRITE_H

#include <stdio.h>

#include "cli/compare/compare_rows.h"

/* Prints the head of the table, a row of it, and what the rows say together. */
void compare_print_head(FILE *out);
void compare_print_row(FILE *out, const compare_row *row);
void compare_print_words(FILE *out, const comparison *c);

/* Writes count comparisons; the kind of file follows from the ending of its name. False, and error
   filled, on failure. */
bool compare_write(const comparison *c, uint32_t count, const char *path, vxe_error *error);

/* Writes a page that needs no other file: of each comparison the picture, the table, and replays of
   the main rows, in which some copies are ghosts of the first. */
bool compare_write_page(const comparison *c, uint32_t count, const char *path, vxe_error *error);

/* True where compare_write knows the ending. */
bool compare_knows(const char *path);

/* Whether a row has no copy that got to its end. */
bool compare_failed(const compare_row *row);

#define COMPARE_DEGREES 57.29577951308232 /* of a rad */

/* Draws the paths of a comparison as an svg element. */
void compare_draw(FILE *out, const comparison *c);

#endif
