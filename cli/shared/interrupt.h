/* SPDX-License-Identifier: MIT */
/* Ctrl-C and termination as a question that a long command asks now and then, so that it can stop
   in order and write what it has. */
#ifndef VXE_CLI_SHARED_INTERRUPT_H
#define VXE_CLI_SHARED_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM do no more than make interrupted() true. */
void interrupt_catch(void);

bool interrupted(void);

#endif
