/* SPDX-License-Identifier: MIT */
/* The name that was probably meant, for messages about unknown words. */
#ifndef VXE_COMMON_CLOSEST_NAME_INTERNAL_H
#define VXE_COMMON_CLOSEST_NAME_INTERNAL_H

/* The name with the fewest letters to insert, remove, replace or exchange with their neighbour
   (Damerau1964) from a word; null where more than a third of the word would have to change.
   name_at(i) gives the names in turn, then null. */
const char *vxe_closest_name(const char *word, const char *(*name_at)(unsigned index));

#endif
