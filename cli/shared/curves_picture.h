/* SPDX-License-Identifier: MIT */
/* Fitness over generations with bands, as an SVG that needs no other file. */
#ifndef VXE_CLI_SHARED_CURVES_PICTURE_H
#define VXE_CLI_SHARED_CURVES_PICTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <voxelastic/voxelastic.h>

/* The unit of the fitness of one or two sets of searches; empty where they differ. */
vxe_unit curves_unit(vxe_analysis *const sets[2]);

/* Draws one or two sets of searches as an svg element; sets[1] may be null. */
void curves_picture_draw(FILE *stream, vxe_analysis *const sets[2]);

/* Writes the picture to a file. Returns false, and fills error, on failure. */
bool curves_picture_write(const char *path, vxe_analysis *const sets[2], vxe_error *error);

#endif
