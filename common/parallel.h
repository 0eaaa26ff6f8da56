/* SPDX-License-Identifier: MIT */
/* Many independent pieces of work over the machine's threads: worlds of one thread each, say. */
#ifndef VXE_COMMON_PARALLEL_H
#define VXE_COMMON_PARALLEL_H

#include <stdint.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls work once for each of count items, on so many threads (0: as many as the machine has), each
   of which takes the next item when it is done with one. Returns when all are done. Work may not
   start threads of its own. */
VXE_API void vxe_parallel_each(uint32_t count, uint32_t threads,
                               void (*work)(void *user, uint32_t item), void *user);

#ifdef __cplusplus
}
#endif

#endif
