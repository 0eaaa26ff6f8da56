/* SPDX-License-Identifier: MIT */
/* Constants of the record format, and reading a record from a stream. */
#ifndef VXE_OUTPUT_RECORD_VXR_FORMAT_H
#define VXE_OUTPUT_RECORD_VXR_FORMAT_H

#include <stdio.h>

#include "output/record/vxr.h"

#define VXE_VXR_MAGIC "VXELREC1"
#define VXE_VXR_END "VXELEND1"
#define VXE_VXR_MARK 8u /* bytes of each of the two marks */
_Static_assert(sizeof VXE_VXR_MAGIC - 1 == VXE_VXR_MARK, "the first mark fills its place");
_Static_assert(sizeof VXE_VXR_END - 1 == VXE_VXR_MARK, "the last mark fills its place");
#define VXE_VXR_FORMAT "voxelastic record"
#define VXE_VXR_VERSION 1

/* Largest file, and largest header before compression (bytes), that is written. Readers have bounds
   of their own (lattice/formats/limits.h). */
#define VXE_VXR_MAX_BYTES (16ull << 30)
#define VXE_VXR_MAX_HEADER (512ull << 20)

/* Kinds of chunks: four letters, in the order in which they stand in the file. */
enum {
    VXE_VXR_HEADER = 0x44414548, /* HEAD: JSON; its count is that of voxels */
    VXE_VXR_BLOCK = 0x4b434c42,  /* BLCK: frames; its count is that of frames */
    VXE_VXR_INDEX = 0x58444e49   /* INDX: of each block its offset (8 bytes) and its frames (4) */
};

/* Like vxe_vxr_open, for a seekable stream of `size` bytes. The stream belongs to the record from
   now on, also on failure. Messages call the file `name`. */
vxe_vxr *vxe_vxr_open_stream(FILE *file, uint64_t size, const char *name, vxe_error *error);

#endif
