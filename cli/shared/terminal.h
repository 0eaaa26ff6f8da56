/* SPDX-License-Identifier: MIT */
/* What a terminal may be told. Names come from files, and a file must not move the cursor, change
   colours or give orders to the terminal of who looks at it. */
#ifndef VXE_CLI_SHARED_TERMINAL_H
#define VXE_CLI_SHARED_TERMINAL_H

#include <stddef.h>

/* From now on all that is printed to a terminal has control characters as text, such as \x1b; other
   outputs get every byte. Call it once, before anything is printed. */
void terminal_guard(void);

/* Writes to standard error as it is. */
void terminal_write(const char *text, size_t length);

#endif
