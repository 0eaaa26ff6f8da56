/* SPDX-License-Identifier: MIT */
/* Random numbers that depend on what they are for, and on nothing else: a stream is named by a key
   and three numbers, so that threads, workers and the order of arrival do not matter. Philox4x32-10
   of Random123 (Salmon2011). */
#ifndef VXE_COMMON_RANDOM_INTERNAL_H
#define VXE_COMMON_RANDOM_INTERNAL_H

#include <stdint.h>

typedef struct vxe_stream {
    uint32_t key[2];
    uint32_t counter[4]; /* the block to come, and the stream's three numbers */
    uint32_t words[4];   /* of the present block */
    uint32_t left;       /* words that have not been given out */
} vxe_stream;

/* The beginning of a stream. */
vxe_stream vxe_stream_open(uint64_t key, uint32_t a, uint32_t b, uint32_t c);

/* Uniform over all 32-bit numbers. */
uint32_t vxe_stream_word(vxe_stream *stream);

/* Uniform in [0, 1), a multiple of 2^-53. */
double vxe_stream_unit(vxe_stream *stream);

/* Uniform over 0 ... count - 1; count above 0. */
uint32_t vxe_stream_below(vxe_stream *stream, uint32_t count);

/* Normal of mean 0 and variance 1, by arithmetic alone. */
double vxe_stream_normal(vxe_stream *stream);

#endif
