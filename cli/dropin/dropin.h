/* SPDX-License-Identifier: MIT */
/* Programs that stand in for others: called by a driver under the other's name, with its options,
   its result files and its exit statuses. */
#ifndef VXE_CLI_DROPIN_DROPIN_H
#define VXE_CLI_DROPIN_DROPIN_H

#include <voxelastic/voxelastic.h>

/* The program of that name (of a path), or null: voxelyze, voxelyze-land-water, voxelyze-recorg,
 * voxcraft-sim, vx3_node_worker. */
typedef int dropin_program(const char *name, int count, char **words);
dropin_program *dropin_find(const char *path, const char **name);

/* evosoro's voxelyze and its relatives. */
int dropin_voxelyze(const char *name, int count, char **words);

/* voxcraft's simulator and its worker. */
int dropin_voxcraft(const char *name, int count, char **words);

#endif
