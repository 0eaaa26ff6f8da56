/* SPDX-License-Identifier: MIT */
/* Whether jansson had the memory that it asked for. Its functions that build and print values can
   fail one by one, and a value that was not stored is missing without a word. */
#ifndef VXE_LATTICE_FORMATS_JSON_MEMORY_H
#define VXE_LATTICE_FORMATS_JSON_MEMORY_H

#include <stdint.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Begins to read, build or print values of jansson: from now on its failed allocations are counted
   (common/memory.h). Returns vxe_memory_failures(), for vxe_memory_check at the end. The first call
   of a process puts the counter around the function by which jansson then takes memory
   (json_set_alloc_funcs); a program that has one of its own sets it before. */
VXE_API uint64_t vxe_json_watch(void);

#ifdef __cplusplus
}
#endif

#endif
