/* SPDX-License-Identifier: MIT */
/* voxcraft's report of a call: the best robot, then all of them, the fittest first. */
#ifndef VXE_CLI_DROPIN_REPORT_H
#define VXE_CLI_DROPIN_REPORT_H

#include "cli/dropin/simulation.h"

/* Puts robots in the order of a report: by falling fitness, those without a number behind them,
 * those that failed last. */
void report_sort(simulation *robots, uint32_t count);

/* Writes the report of sorted robots (at least one) from that folder, whole or not at all. False
 * and error filled on failure. */
bool report_write(const char *path, const char *folder, const simulation *robots, uint32_t count,
                  vxe_error *error);

#endif
