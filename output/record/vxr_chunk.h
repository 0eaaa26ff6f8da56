/* SPDX-License-Identifier: MIT */
/* Chunks, of which a record file consists: kind, count, sizes before and after compression (zlib),
   the bytes (uncompressed where both sizes are equal), and the CRC-32 of all of these. */
#ifndef VXE_OUTPUT_RECORD_VXR_CHUNK_H
#define VXE_OUTPUT_RECORD_VXR_CHUNK_H

#include <stdio.h>

#include "common/bytes_internal.h"
#include "common/status.h"

/* Bytes of a chunk before its data, and of a chunk without its data. */
#define VXE_CHUNK_HEAD 24u
#define VXE_CHUNK_FRAME (VXE_CHUNK_HEAD + 4u)

typedef struct vxe_chunk {
    uint32_t kind, count;
    uint64_t raw, size; /* bytes before and after compression */
} vxe_chunk;

/* Writes the bytes as a chunk; with `compress`, compressed where that makes them fewer. *written:
   bytes that the chunk takes in the file. Returns VXE_ERROR_MEMORY, or VXE_ERROR_SYSTEM where the
   file cannot be written. */
vxe_status vxe_chunk_write(FILE *file, uint32_t kind, uint32_t count, const vxe_bytes *bytes,
                           bool compress, uint64_t *written);

/* Reads the head of the chunk at the present position of the file and moves behind the head.
   Returns false where the head cannot be true: it claims more bytes than `left` (counted from the
   head on), or a better compression than zlib has. */
bool vxe_chunk_head(FILE *file, uint64_t left, vxe_chunk *chunk);

/* Reads the data of a chunk whose head was read. The caller clears `into`. Returns VXE_ERROR_INPUT
   where the checksum or the compressed data are wrong. */
vxe_status vxe_chunk_read(FILE *file, const vxe_chunk *chunk, vxe_bytes *into, vxe_error *error);

#endif
