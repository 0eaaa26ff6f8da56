/* SPDX-License-Identifier: MIT */
/* Curves of fitness over generations, with their bands, as a picture that needs nothing else. */
#ifndef VXE_CLI_SHARED_CURVES_PICTURE_H
#define VXE_CLI_SHARED_CURVES_PICTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <voxelastic/voxelastic.h>

/* sets: one or two; the second may be null. An element of a page, or a file. */
void curves_picture_draw(FILE *stream, vxe_analysis *const sets[2]);

/* False and error filled on failure. */
bool curves_picture_write(const char *path, vxe_analysis *const sets[2], vxe_error *error);

#endif
