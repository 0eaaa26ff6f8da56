/* SPDX-License-Identifier: MIT */
/* Counts the failed allocations of jansson. It has one pair of functions for all of its memory, so
   that the counter is put around that pair, once for the process. */
#define _POSIX_C_SOURCE 200809L
#include "lattice/formats/json_memory.h"

#include <jansson.h>
#include <pthread.h>

#include "common/memory.h"

static json_malloc_t take;

static void *take_counted(size_t size)
{
    return vxe_memory_counted(take(size));
}

static void begin_to_count(void)
{
    json_free_t release = NULL;
    json_get_alloc_funcs(&take, &release);
    json_set_alloc_funcs(take_counted, release);
}

uint64_t vxe_json_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, begin_to_count);
    return vxe_memory_failures();
}
