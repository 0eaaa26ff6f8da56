/* SPDX-License-Identifier: MIT */
/* Result files, for which drivers wait: they appear whole or not at all. */
#ifndef VXE_CLI_DROPIN_WHOLE_FILE_H
#define VXE_CLI_DROPIN_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <voxelastic/voxelastic.h>

typedef void whole_file_put(FILE *out, const void *what);

/* Writes path: under another name first, where no list of its folder shows it. False and error
 * filled on failure, when nothing is left of it. */
bool whole_file_write(const char *path, whole_file_put *put, const void *what, vxe_error *error);

#endif
