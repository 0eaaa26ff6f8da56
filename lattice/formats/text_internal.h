/* SPDX-License-Identifier: MIT */
/* The content of a file, as readers get it. */
#ifndef VXE_LATTICE_FORMATS_TEXT_INTERNAL_H
#define VXE_LATTICE_FORMATS_TEXT_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct vxe_text {
    const char *file; /* its path, for messages */
    const char *text; /* ended by a zero byte that size does not count */
    uint64_t size;
    bool lenient; /* voxels of materials that the palette lacks are left out */
} vxe_text;

#endif
