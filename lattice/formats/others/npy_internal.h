/* SPDX-License-Identifier: MIT */
/* Arrays of numbers as numpy writes them (.npy, format versions 1.0 and 2.0), alone or in an
   archive
   (.npz, a zip file). */
#ifndef VXE_LATTICE_FORMATS_OTHERS_NPY_INTERNAL_H
#define VXE_LATTICE_FORMATS_OTHERS_NPY_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "lattice/design.h"
#include "lattice/formats/text_internal.h"

/* An array of two dimensions. */
typedef struct vxe_npy {
    uint64_t rows, columns;
    const uint8_t *data; /* (rows * columns) numbers, in the block from which it was parsed */
    uint64_t behind;     /* bytes behind them */
    char kind;           /* as numpy has it: 'i' and 'u' whole numbers, 'f' floats, 'b' truth */
    uint8_t bytes;       /* of a number */
    bool big_endian;
    bool by_columns; /* Fortran's order: a column's numbers are neighbours */
} vxe_npy;

/* Reads the head of an array; messages name it. What is not an array of two dimensions of numbers,
   or is cut short, is refused (VXE_ERROR_INPUT). */
vxe_status vxe_npy_parse(vxe_npy *array, const uint8_t *bytes, uint64_t size, const char *name,
                         vxe_error *error);

/* A number of an array; truth values are 0 and 1. */
double vxe_npy_number(const vxe_npy *array, uint64_t row, uint64_t column);

/* A file in an archive. */
typedef struct vxe_npz_member {
    char name[64];         /* without .npy; a longer one is cut */
    const uint8_t *packed; /* (packed_size) */
    uint64_t packed_size, size;
    uint32_t checksum;
    uint16_t method; /* 0: stored, 8: deflated */
    bool encrypted;
    bool is_array; /* its name ends with .npy */
} vxe_npz_member;

/* The directory of an archive. */
typedef struct vxe_npz {
    const uint8_t *bytes; /* (size) */
    uint64_t size;
    uint64_t at;   /* of the next entry */
    uint32_t left; /* entries */
} vxe_npz;

/* Finds the directory. */
vxe_status vxe_npz_open(vxe_npz *archive, const uint8_t *bytes, uint64_t size, vxe_error *error);

/* Reads the next entry, of which there are archive->left. */
vxe_status vxe_npz_next(vxe_npz *archive, vxe_npz_member *member, vxe_error *error);

/* Unpacks a file of an archive of file_bytes into a new block. */
vxe_status vxe_npz_unpack(const vxe_npz_member *member, uint64_t file_bytes, uint8_t **bytes,
                          vxe_error *error);

/* Reads a body of EvoGym: an array of types of cells, the first row on top (Bhatia2021). An archive
   may have connections beside it. */
vxe_design *vxe_npy_read(const vxe_text *source, vxe_error *error);
vxe_design *vxe_npz_read(const vxe_text *source, vxe_error *error);

#endif
