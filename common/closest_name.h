/* SPDX-License-Identifier: MIT */
/* The name that was probably meant, for messages about unknown words. */
#ifndef VXE_COMMON_CLOSEST_NAME_H
#define VXE_COMMON_CLOSEST_NAME_H

#include <stddef.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the names of a set in turn, for index 0, 1, ..., then null. */
typedef const char *vxe_name_at(const void *names, unsigned index);

/* The name with the fewest letters to insert, remove, replace or exchange with their neighbour
   (Damerau1964) from a word; null where more than a third of the word would have to change. Where
   no name is that close: the only one that begins with the word and `_`, since units are at the end
   of names. */
VXE_API const char *vxe_closest_name(const char *word, vxe_name_at *name_at, const void *names);

/* A vxe_name_at: names is an array of texts, const char *const[], that ends with null. */
VXE_API const char *vxe_name_in_list(const void *names, unsigned index);

/* Writes `unknown key "WORD"`, and `; did you mean NAME?` where a name is close, into text, so that
   all commands say the same of a key. Returns that name, or null. */
VXE_API const char *vxe_unknown_key(char *text, size_t size, const char *word, vxe_name_at *name_at,
                                    const void *names);

#ifdef __cplusplus
}
#endif

#endif
