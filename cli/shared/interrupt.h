/* SPDX-License-Identifier: MIT */
/* Turns Ctrl-C and termination signals into a flag that long commands check, so that they can stop
   in order and write their results. */
#ifndef VXE_CLI_SHARED_INTERRUPT_H
#define VXE_CLI_SHARED_INTERRUPT_H

#include <stdbool.h>

#include "common/status.h"

/* From now on, SIGINT and SIGTERM only make interrupted() true. */
void interrupt_catch(void);

bool interrupted(void);

/* VXE_ERROR_SYSTEM where interrupted() is true, for what is of no use in part: it is then given up,
   as after an error. */
vxe_status interrupted_status(vxe_error *error);

#endif
