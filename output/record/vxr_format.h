/* SPDX-License-Identifier: MIT */
/* Marks of a record's file, and a record that is no file. */
#ifndef VXE_OUTPUT_RECORD_VXR_FORMAT_H
#define VXE_OUTPUT_RECORD_VXR_FORMAT_H

#include <stdio.h>

#include "output/record/vxr.h"

#define VXE_VXR_MAGIC "VXELREC1"
#define VXE_VXR_END "VXELEND1"
#define VXE_VXR_MARK 8u /* bytes of each */
#define VXE_VXR_FORMAT "voxelastic record"
#define VXE_VXR_VERSION 1

/* What is written and read at most: of a file, of its header before compression. */
#define VXE_VXR_MAX_BYTES (16ull << 30)
#define VXE_VXR_MAX_HEADER (512ull << 20)

/* Kinds of chunks: their four letters, as they stand in the file. */
enum {
    VXE_VXR_HEADER = 0x44414548, /* HEAD: JSON; counts voxels */
    VXE_VXR_BLOCK = 0x4b434c42,  /* BLCK: frames */
    VXE_VXR_INDEX = 0x58444e49   /* INDX: of each block its offset (8 bytes) and frames (4) */
};

/* As vxe_vxr_open, of a stream of so many bytes that can be sought in, which becomes the record's
   whatever the result; name stands for the file in messages. */
vxe_vxr *vxe_vxr_open_stream(FILE *file, uint64_t size, const char *name, vxe_error *error);

#endif
