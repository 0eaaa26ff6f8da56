/* SPDX-License-Identifier: MIT */
/* The only place where threads start. A body runs once on each thread of a team and meets the
   others at barriers; everything else in the program is a plain function over a range. Without
   OpenMP the team has one thread. */
#ifndef VXE_COMMON_PARALLEL_INTERNAL_H
#define VXE_COMMON_PARALLEL_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef void (*vxe_parallel_body)(void *context, uint32_t thread, uint32_t threads);

/* Runs body on threads threads (at least 1) and returns when all are done. Each thread flushes
   denormals to zero meanwhile. Returns the number of threads that ran, which may be fewer when the
   system gives fewer. */
uint32_t vxe_parallel_run(uint32_t threads, vxe_parallel_body body, void *context);

/* Waits for the whole team of so many threads; called by each of them. One thread waits for nobody,
 * in whatever team of a caller it may be. */
void vxe_parallel_meet(uint32_t threads);

/* How far a thread is, for one that follows it instead of meeting it; and the end that one of them
 * may call for all. */
typedef struct vxe_parallel_mark {
    _Alignas(64) atomic_uint_least64_t at;
} vxe_parallel_mark;

typedef struct vxe_parallel_stop {
    atomic_bool called;
} vxe_parallel_stop;

/* Says that this thread is there, with all it has written before; */
void vxe_parallel_reach(vxe_parallel_mark *mark, uint64_t at);

/* and waits until another is there: where there is anything to wait for, until that one is at
 * further, no less. Returns false when the end was called. */
bool vxe_parallel_wait_for(const vxe_parallel_mark *mark, uint64_t at, uint64_t further,
                           const vxe_parallel_stop *stop);

void vxe_parallel_end(vxe_parallel_stop *stop);

/* The threads that the machine offers, at least 1. */
uint32_t vxe_parallel_available(void);

#endif
