/* SPDX-License-Identifier: MIT */
/* A 64-bit hash of a sequence of words, for comparing designs and states. It is the same on every
   machine, and not meant for security. */
#ifndef VXE_COMMON_HASH_INTERNAL_H
#define VXE_COMMON_HASH_INTERNAL_H

#include <stdint.h>
#include <string.h>

typedef struct vxe_hash {
    uint64_t value;
    uint64_t words; /* words added so far */
} vxe_hash;

_Static_assert(sizeof(double) == sizeof(uint64_t), "a double is hashed as one word");

/* The finaliser of MurmurHash3 (Appleby, public domain): every input bit reaches every output bit.
 */
static inline uint64_t vxe_hash_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    x ^= x >> 33;
    return x;
}

static inline void vxe_hash_word(vxe_hash *hash, uint64_t word)
{
    hash->words++;
    hash->value = vxe_hash_mix(hash->value + 0x9e3779b97f4a7c15ULL * hash->words) ^ word;
}

/* Adds a double; -0 has the hash of +0, and all NaNs have the same. */
static inline void vxe_hash_double(vxe_hash *hash, double number)
{
    uint64_t word = number != number ? 0x7ff8000000000000ULL : 0;
    if (number != 0 && number == number) {
        memcpy(&word, &number, sizeof word);
    }
    vxe_hash_word(hash, word);
}

static inline uint64_t vxe_hash_end(const vxe_hash *hash)
{
    return vxe_hash_mix(hash->value ^ hash->words);
}

#endif
