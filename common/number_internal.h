/* SPDX-License-Identifier: MIT */
/* Numbers as text, independent of the locale: the decimal sign is always a point. */
#ifndef VXE_COMMON_NUMBER_INTERNAL_H
#define VXE_COMMON_NUMBER_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/number.h"

/* Blanks that may stand around a number. */
#define VXE_BLANKS " \t\r\n\f\v"

/* Reads the number that a text begins with, behind blanks if there are any: for lists and formulas,
 * which check themselves what follows. *end is the character behind it, or text if there is none,
 * or one too large for a double. Numbers are written as for vxe_number_read. */
double vxe_number_scan(const char *text, const char **end);

/* Writes value with at most that many significant digits (1 to 17). Returns text. */
char *vxe_number_print(char *text, uint64_t size, double value, int digits);

/* Writes value with that many decimals. Returns text. */
char *vxe_number_fixed(char *text, uint64_t size, double value, int decimals);

#endif
