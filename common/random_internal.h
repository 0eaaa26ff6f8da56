/* SPDX-License-Identifier: MIT */
/* Random numbers that depend only on their purpose: a stream is identified by a key and three
   numbers, so that results do not depend on threads, workers or the order of results. Philox4x32-10
   of the library Random123 (Salmon2011). */
#ifndef VXE_COMMON_RANDOM_INTERNAL_H
#define VXE_COMMON_RANDOM_INTERNAL_H

#include <stdint.h>

typedef struct vxe_stream {
    uint32_t key[2];
    uint32_t counter[4]; /* index of the next block, and the three numbers of the stream */
    uint32_t words[4];   /* the current block */
    uint32_t left;       /* words of the block that were not used yet */
} vxe_stream;

/* Returns a stream at its beginning. */
vxe_stream vxe_stream_open(uint64_t key, uint32_t a, uint32_t b, uint32_t c);

/* Uniform over all 32-bit numbers. */
uint32_t vxe_stream_word(vxe_stream *stream);

/* Uniform in [0, 1), a multiple of 2^-53. */
double vxe_stream_unit(vxe_stream *stream);

/* Uniform in [-half, half). */
double vxe_stream_around(vxe_stream *stream, double half);

/* Uniform over 0 ... count - 1; count above 0. */
uint32_t vxe_stream_below(vxe_stream *stream, uint32_t count);

/* Normal of mean 0 and variance 1, computed without the C library's functions. */
double vxe_stream_normal(vxe_stream *stream);

#endif
