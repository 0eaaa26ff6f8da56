/* SPDX-License-Identifier: MIT */
/* Numbers as text, the same in every locale: the decimal sign is always a point. */
#ifndef VXE_COMMON_NUMBER_INTERNAL_H
#define VXE_COMMON_NUMBER_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a number at the start of text (leading blanks allowed); *end is set behind it, or to text
 * where there is none. */
double vxe_number_scan(const char *text, const char **end);

/* Writes value with as few digits as are read back as the same number. Returns text. */
char *vxe_number_shortest(char *text, uint64_t size, double value);

/* Writes value with that many significant digits (1 to 17). Returns text. */
char *vxe_number_print(char *text, uint64_t size, double value, int digits);

/* Writes value with so many decimals. Returns text. */
char *vxe_number_fixed(char *text, uint64_t size, double value, int decimals);

#endif
