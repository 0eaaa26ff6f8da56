/* SPDX-License-Identifier: MIT */
/* The worker behind `voxelastic batch --stdin`: reads a design from each line and answers with a
   row of JSON, in the order of the lines. Lines that are waiting run together. */
#ifndef VXE_CLI_SHARED_BATCH_WORKER_H
#define VXE_CLI_SHARED_BATCH_WORKER_H

#include <voxelastic/voxelastic.h>

/* Serves until the input ends. Returns an exit status. */
int batch_serve(const vxe_batch_def *def);

#endif
