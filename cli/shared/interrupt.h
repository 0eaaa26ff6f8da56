/* SPDX-License-Identifier: MIT */
/* Turns Ctrl-C and termination signals into a flag that long commands check, so that they can stop
   in order and write their results. */
#ifndef VXE_CLI_SHARED_INTERRUPT_H
#define VXE_CLI_SHARED_INTERRUPT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/status.h"

/* From now on, SIGINT, SIGTERM and SIGHUP only make interrupted() true; SIGHUP not where it is
   ignored, as under nohup. */
void interrupt_catch(void);

bool interrupted(void);

/* Standard output for many rows. Where nobody reads them, its writes wait until interrupted() is
   true, and then fail; those of stdout would wait on. With `alone`, what is printed to stdout
   from now on goes to standard error. To be closed by the caller. Null, and error filled, on
   failure. */
FILE *interruptible_output(bool alone, vxe_error *error);

/* VXE_ERROR_SYSTEM where interrupted() is true, for what is of no use in part: it is then given up,
   as after an error. */
vxe_status interrupted_status(vxe_error *error);

#endif
