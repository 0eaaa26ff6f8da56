/* SPDX-License-Identifier: MIT */
/* The gallery of a search: its curves, the best of each kind of body, its champions, which replay
   where they are chosen; one page. */
#ifndef VXE_CLI_SHARED_GALLERY_H
#define VXE_CLI_SHARED_GALLERY_H

#include <stdbool.h>
#include <voxelastic/voxelastic.h>

/* Whether a path is a folder of a search. */
bool gallery_is_search(const char *path);

/* Runs so many of the champions at most, from the first to the last, and writes the page. */
vxe_status gallery_write(const char *folder, uint32_t champions, const char *path,
                         vxe_error *error);

#endif
