/* SPDX-License-Identifier: MIT */
/* The gallery of a search, on one page: curves of fitness, champions that can be replayed, and the
   map of the best fitness of each kind of body. */
#ifndef VXE_CLI_SHARED_GALLERY_H
#define VXE_CLI_SHARED_GALLERY_H

#include <stdbool.h>
#include <voxelastic/voxelastic.h>

/* True where the path is the folder of a search. */
bool gallery_is_search(const char *path);

/* Runs at most `champions` of the champions, evenly spaced from the first to the last, and writes
   the page, with the studio or without. */
vxe_status gallery_write(const char *folder, uint32_t champions, bool studio, const char *path,
                         vxe_error *error);

#endif
