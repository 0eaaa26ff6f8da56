/* SPDX-License-Identifier: MIT */
/* The encodings of a layer of cells in VXC files, and lists of numbers for each cell. */
#ifndef VXE_LATTICE_FORMATS_LAYER_CODEC_INTERNAL_H
#define VXE_LATTICE_FORMATS_LAYER_CODEC_INTERNAL_H

#include <stdint.h>

#include "common/status.h"

typedef enum vxe_layer_encoding {
    VXE_LAYER_ASCII,   /* one character per cell: id = code - 48 */
    VXE_LAYER_BASE64,  /* base64 of one byte per cell; used for unknown names, too */
    VXE_LAYER_ZLIB,    /* base64 of a zlib stream */
    VXE_LAYER_QT_ZLIB, /* base64 of a length and a zlib stream */
    VXE_LAYER_LONG,    /* decimal ids separated by commas */
    VXE_LAYER_RAW      /* bytes as they are */
} vxe_layer_encoding;

/* The encoding of the attribute Compression of a Structure (null: none). */
vxe_layer_encoding vxe_layer_encoding_of(const char *name);

/* Minimum of characters that the ids of `cells` cells need in an encoding, so that a text that is
   too short is refused before memory is allocated. zlib compresses by 1032 at most. */
uint64_t vxe_layer_min_length(vxe_layer_encoding encoding, uint64_t cells);

/* Decodes exactly `cells` ids; fails if the text has another number of them. Errors have a message
 * only. */
vxe_status vxe_layer_decode(vxe_layer_encoding encoding, const char *text, uint64_t length,
                            uint32_t *ids, uint64_t cells, vxe_error *error);

/* Reads numbers separated by a comma or by blanks; a comma may be at the end, too. At most count of
   them are stored in values; *found is how many there are. Fails at anything else, and where two
   commas have no number between them. The text ends with a zero byte. */
vxe_status vxe_numbers_decode(const char *text, uint64_t length, double *values, uint64_t count,
                              uint64_t *found, vxe_error *error);

#endif
