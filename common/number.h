/* SPDX-License-Identifier: MIT */
/* Numbers as files and users write them: decimal, with a point, and the same in every locale. */
#ifndef VXE_COMMON_NUMBER_H
#define VXE_COMMON_NUMBER_H

#include <stdint.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a text that is one number and nothing else but blanks around it: digits with a point at
   most, behind a sign or none, and an exponent or none, such as -12, .5 or 1e-3. A number that is
   too small for a double is 0. Returns null; or, where the text is anything else (empty, 1,000,
   0.9f, 1e-3 m, 0x10, inf, nan, True), words for what was expected, such as "expected a number",
   and leaves *value as it is. The words are constant. */
VXE_API const char *vxe_number_read(const char *text, double *value);

/* Writes value with the fewest of 15 to 17 digits that are read back as the same number. text has
   at least 25 bytes. Returns text. */
VXE_API char *vxe_number_shortest(char *text, uint64_t size, double value);

#ifdef __cplusplus
}
#endif

#endif
