/* SPDX-License-Identifier: MIT */
/* The worker behind `voxelastic batch --stdin`: reads a design from each line and answers with a
   row of JSON, in the order of the lines. Lines that are waiting run together. */
#ifndef VXE_CLI_BATCH_BATCH_WORKER_H
#define VXE_CLI_BATCH_BATCH_WORKER_H

#include <voxelastic/voxelastic.h>

/* Longest line (bytes) where none is asked for: the largest design file. */
#define BATCH_LINE (512ull << 20)

/* Serves until the input ends. A line of more than max_line bytes is refused like a wrong design.
   Returns an exit status. */
int batch_serve(const vxe_batch_def *def, uint64_t max_line);

#endif
