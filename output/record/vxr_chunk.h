/* SPDX-License-Identifier: MIT */
/* The parts of a record's file: kind, a count, the sizes before and after compression (zlib), the
   compressed bytes (as they are where both sizes are the same), and the CRC-32 of all of that. */
#ifndef VXE_OUTPUT_RECORD_VXR_CHUNK_H
#define VXE_OUTPUT_RECORD_VXR_CHUNK_H

#include <stdio.h>

#include "common/bytes_internal.h"
#include "common/status.h"

/* Bytes of a chunk but for the compressed ones. */
#define VXE_CHUNK_HEAD 24u
#define VXE_CHUNK_FRAME (VXE_CHUNK_HEAD + 4u)

typedef struct vxe_chunk {
    uint32_t kind, count;
    uint64_t raw, size; /* bytes before and after compression */
} vxe_chunk;

/* Writes a chunk of the bytes, compressed where that is wanted and makes them fewer; *written: the
   bytes that it takes. VXE_ERROR_MEMORY, or VXE_ERROR_SYSTEM where the file takes no more. */
vxe_status vxe_chunk_write(FILE *file, uint32_t kind, uint32_t count, const vxe_bytes *bytes,
                           bool compress, uint64_t *written);

/* The head of the chunk where the file stands, which moves behind it. False where there is none
   that could be: more bytes than left (from the head on) or than compression can have saved. */
bool vxe_chunk_head(FILE *file, uint64_t left, vxe_chunk *chunk);

/* The bytes of a chunk whose head was read: into.data is the caller's to clear. VXE_ERROR_INPUT
   where the checksum or the compression is wrong. */
vxe_status vxe_chunk_read(FILE *file, const vxe_chunk *chunk, vxe_bytes *into, vxe_error *error);

#endif
