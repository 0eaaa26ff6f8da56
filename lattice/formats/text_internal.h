/* SPDX-License-Identifier: MIT */
/* The content of a file in memory, which all readers take: the same code reads files, and texts of
   callers and of fuzz tests. */
#ifndef VXE_LATTICE_FORMATS_TEXT_INTERNAL_H
#define VXE_LATTICE_FORMATS_TEXT_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct vxe_text {
    const char *file; /* its path, for messages */
    const char *text; /* ends with a zero byte, which size does not count */
    uint64_t size;
    bool lenient; /* leave out voxels whose material is not in the palette */
} vxe_text;

#endif
