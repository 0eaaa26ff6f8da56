/* SPDX-License-Identifier: MIT */
/* voxcraft's report of a call: the best robot, then all robots by falling fitness. */
#ifndef VXE_CLI_DROPIN_VOXCRAFT_REPORT_H
#define VXE_CLI_DROPIN_VOXCRAFT_REPORT_H

#include "cli/dropin/voxcraft_robot.h"

/* Sorts robots for a report: by falling fitness, then those whose fitness is not a number, then
   those that failed. */
void report_sort(simulation *robots, uint32_t count);

/* Writes the report of sorted robots (at least one) of a folder; the file appears whole or not at
   all. Returns false, and fills error, on failure. */
bool report_write(const char *path, const char *folder, const simulation *robots, uint32_t count,
                  vxe_error *error);

#endif
