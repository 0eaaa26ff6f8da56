/* SPDX-License-Identifier: MIT */
/* Streams of random numbers from Philox4x32-10 (Salmon2011): a block of four words is a function of
   a key and a counter, so that no state is shared between streams. */
#include "common/random_internal.h"

#include <Random123/philox.h>
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/trig_internal.h"

_Static_assert(sizeof(((vxe_stream *)0)->counter) == sizeof(((philox4x32_ctr_t *)0)->v) &&
                   sizeof(((vxe_stream *)0)->key) == sizeof(((philox4x32_key_t *)0)->v),
               "counter and key are copied as they are");

vxe_stream vxe_stream_open(uint64_t key, uint32_t a, uint32_t b, uint32_t c)
{
    return (vxe_stream){.key = {(uint32_t)key, (uint32_t)(key >> 32)}, .counter = {0, a, b, c}};
}

uint32_t vxe_stream_word(vxe_stream *stream)
{
    VXE_ASSERT(stream->left <= 4);
    if (stream->left == 0) {
        philox4x32_ctr_t counter;
        philox4x32_key_t key;
        memcpy(counter.v, stream->counter, sizeof stream->counter);
        memcpy(key.v, stream->key, sizeof stream->key);
        const philox4x32_ctr_t block = philox4x32_R(10, counter, key);
        memcpy(stream->words, block.v, sizeof stream->words);
        stream->counter[0]++;
        stream->left = 4;
    }
    return stream->words[4 - stream->left--];
}

double vxe_stream_unit(vxe_stream *stream)
{
    const uint64_t high = vxe_stream_word(stream) >> 5;
    const uint64_t low = vxe_stream_word(stream) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

double vxe_stream_around(vxe_stream *stream, double half)
{
    return half * (2 * vxe_stream_unit(stream) - 1);
}

uint32_t vxe_stream_below(vxe_stream *stream, uint32_t count)
{
    VXE_ASSERT(count > 0);
    /* The lowest 2^32 mod count words are not used: the number of the others is a multiple of
       count, so that each remainder is equally likely. */
    const uint32_t unused = (uint32_t)(0 - count) % count;
    uint32_t word = vxe_stream_word(stream);
    while (word < unused) {
        word = vxe_stream_word(stream);
    }
    return word % count;
}

double vxe_stream_normal(vxe_stream *stream)
{
    /* BoxMuller1958; 1 - unit is above 0 */
    double sine = 0;
    double cosine = 0;
    const double radius = sqrt(-2 * vxe_logarithm(1 - vxe_stream_unit(stream)));
    vxe_sincos_cycles(vxe_stream_unit(stream), &sine, &cosine);
    return radius * cosine;
}
