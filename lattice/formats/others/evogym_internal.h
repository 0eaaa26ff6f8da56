/* SPDX-License-Identifier: MIT */
/* What the reader and the writer of EvoGym worlds have in common. */
#ifndef VXE_LATTICE_FORMATS_OTHERS_EVOGYM_INTERNAL_H
#define VXE_LATTICE_FORMATS_OTHERS_EVOGYM_INTERNAL_H

/* Maximum of cells along a side of a grid, and in all. */
#define VXE_EVOGYM_WIDEST 65536
#define VXE_EVOGYM_CELLS (1 << 24)

/* Types of cells; the material of a type is its number minus one. */
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
