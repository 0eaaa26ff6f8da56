/* SPDX-License-Identifier: MIT */
/* A batch that lives as long as its standard input: a design on each line, a row of JSON back for
   each, in the order of the lines. Lines that wait together run together. */
#ifndef VXE_CLI_SHARED_BATCH_WORKER_H
#define VXE_CLI_SHARED_BATCH_WORKER_H

#include <voxelastic/voxelastic.h>

/* Returns the exit status. */
int batch_serve(const vxe_batch_def *def);

#endif
