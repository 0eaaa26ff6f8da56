/* SPDX-License-Identifier: MIT */
/* Threads. This is the only file that starts any. A body runs once on each thread of a team, and
   the threads wait for each other at barriers or by marks. All other code is plain functions over a
   range. Without OpenMP a team has one thread. */
#ifndef VXE_COMMON_PARALLEL_INTERNAL_H
#define VXE_COMMON_PARALLEL_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef void (*vxe_parallel_body)(void *context, uint32_t thread, uint32_t threads);

/* Runs body on `threads` threads (at least 1) and returns when all are done. Each thread flushes
   denormals to zero while it runs. Returns the number of threads that ran; the system may give
   fewer. */
uint32_t vxe_parallel_run(uint32_t threads, vxe_parallel_body body, void *context);

/* Barrier of a team of that many threads; each of them calls it. With one thread it does nothing,
 * even if the caller is part of another team. */
void vxe_parallel_meet(uint32_t threads);

/* Progress of a thread, for another thread that waits for it without a barrier. Each mark has a
 * cache line of its own. */
typedef struct vxe_parallel_mark {
    _Alignas(64) atomic_uint_least64_t at;
} vxe_parallel_mark;

/* A request to all threads to stop waiting. */
typedef struct vxe_parallel_stop {
    atomic_bool called;
} vxe_parallel_stop;

/* Sets the progress of this thread (release: what it has written before is visible to threads that
 * see the mark). */
void vxe_parallel_reach(vxe_parallel_mark *mark, uint64_t at);

/* Waits until the progress of another thread is `at`. If it is not there yet, waits until it is
 * `further` (no less than at), so that the next waits need not stop. Returns false if a stop was
 * requested. */
bool vxe_parallel_wait_for(const vxe_parallel_mark *mark, uint64_t at, uint64_t further,
                           const vxe_parallel_stop *stop);

/* Requests a stop. */
void vxe_parallel_end(vxe_parallel_stop *stop);

/* Number of threads that the machine offers, at least 1. */
uint32_t vxe_parallel_available(void);

#endif
