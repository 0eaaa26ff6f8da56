/* SPDX-License-Identifier: MIT */
/* What reader and writer of EvoGym worlds share. */
#ifndef VXE_LATTICE_FORMATS_OTHERS_EVOGYM_INTERNAL_H
#define VXE_LATTICE_FORMATS_OTHERS_EVOGYM_INTERNAL_H

/* Cells of a grid along a side, and in all. */
#define VXE_EVOGYM_WIDEST 65536
#define VXE_EVOGYM_CELLS (1 << 24)

/* Types of cells; their numbers less one are those of the materials that are read. */
enum {
    VXE_EVOGYM_RIGID = 1,
    VXE_EVOGYM_SOFT,
    VXE_EVOGYM_HORIZONTAL,
    VXE_EVOGYM_VERTICAL,
    VXE_EVOGYM_FIXED,
    VXE_EVOGYM_TYPES
};

/* Names of those materials. */
extern const char *const vxe_evogym_types[VXE_EVOGYM_TYPES];

#endif
