/* SPDX-License-Identifier: MIT */
/* The name that was probably meant, for messages about unknown words. */
#ifndef VXE_COMMON_CLOSEST_NAME_H
#define VXE_COMMON_CLOSEST_NAME_H

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name with the fewest letters to insert, remove, replace or exchange with their neighbour
   (Damerau1964) from a word; null where more than a third of the word would have to change.
   name_at(i) gives the names in turn, then null. */
VXE_API const char *vxe_closest_name(const char *word, const char *(*name_at)(unsigned index));

#ifdef __cplusplus
}
#endif

#endif
