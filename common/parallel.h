/* SPDX-License-Identifier: MIT */
/* Runs independent work items, such as worlds of one thread each, on several threads. */
#ifndef VXE_COMMON_PARALLEL_H
#define VXE_COMMON_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Calls work once for each of count items, on that many threads (0: all that the machine has). A
   thread that has finished an item takes the next one. Returns when all items are done. work may
   not start threads. */
VXE_API void vxe_parallel_each(uint32_t count, uint32_t threads,
                               void (*work)(void *user, uint32_t item), void *user);

/* Whether this process is the child of a fork whose parent had started threads by then. All that it
   runs, runs on one thread, whatever was asked for: slower, with the same bits. */
VXE_API bool vxe_parallel_is_orphaned(void);

#ifdef __cplusplus
}
#endif

#endif
