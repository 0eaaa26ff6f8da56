/* SPDX-License-Identifier: MIT */
/* Result files for which drivers wait: they appear whole or not at all. */
#ifndef VXE_CLI_DROPIN_WHOLE_FILE_H
#define VXE_CLI_DROPIN_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <voxelastic/voxelastic.h>

typedef void whole_file_put(FILE *out, const void *what);

/* Writes a file, first under another name that a listing of its folder does not show. Returns
   false, and fills error, on failure, and leaves nothing of the file. */
bool whole_file_write(const char *path, whole_file_put *put, const void *what, vxe_error *error);

#endif
