/* SPDX-License-Identifier: MIT */
/* Drop-in programs: Voxelastic under the name of another simulator, with that program's options,
   result files and exit statuses. */
#ifndef VXE_CLI_DROPIN_DROPIN_H
#define VXE_CLI_DROPIN_DROPIN_H

#include <voxelastic/voxelastic.h>

/* Finds the program for the last part of a path: voxelyze, voxelyze-land-water, voxelyze-recorg,
   voxcraft-sim or vx3_node_worker. Returns null where there is none. */
typedef int dropin_program(const char *name, int count, char **words);
dropin_program *dropin_find(const char *path, const char **name);

/* voxelyze of evosoro, of its land-water fork and of reconfigurable_organisms. */
int dropin_voxelyze(const char *name, int count, char **words);

/* voxcraft-sim and vx3_node_worker. */
int dropin_voxcraft(const char *name, int count, char **words);

#endif
