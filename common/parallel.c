/* SPDX-License-Identifier: MIT */
/* Thread teams over OpenMP, with barriers, flags to wait for, and a queue of work items. */
#define _POSIX_C_SOURCE 200809L
#include "common/parallel.h"

#include <pthread.h>
#include <sched.h>

#include "common/assert_internal.h"
#include "common/parallel_internal.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#if defined(__SSE2__)
#include <immintrin.h>
#endif

_Static_assert(sizeof(vxe_parallel_mark) == 64, "marks of two threads share no cache line");

/* An operation on denormal numbers costs about a hundred cycles. They are flushed to zero while a
 * body runs; the caller's mode is restored afterwards. */
static uint32_t flush_denormals(void)
{
#if defined(__SSE2__)
    uint32_t before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u); /* FTZ and DAZ */
    return before;
#else
    return 0;
#endif
}

static void restore_denormals(uint32_t before)
{
#if defined(__SSE2__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

#ifdef _OPENMP
/* Threads that wait for their next team do not come along into the child of a fork, but OpenMP
   would go on to count on them, for ever. A child of a process that had a team runs all on one
   thread: slower, with the same bits. */
static atomic_bool had_team;
static atomic_bool orphaned;

static void note_fork(void)
{
    atomic_store(&orphaned, true);
}

/* Whether this process may have a team; if so, it has one from now on. */
static bool may_have_team(void)
{
    if (!atomic_exchange(&had_team, true)) {
        pthread_atfork(NULL, NULL, note_fork);
    }
    return !atomic_load(&orphaned);
}
#endif

bool vxe_parallel_is_orphaned(void)
{
#ifdef _OPENMP
    return atomic_load(&orphaned);
#else
    return false;
#endif
}

uint32_t vxe_parallel_run(uint32_t threads, vxe_parallel_body body, void *context)
{
    uint32_t ran = 1;
    VXE_ASSERT(threads >= 1);
    VXE_ASSERT(body);
#ifdef _OPENMP
    if (threads > 1 && may_have_team()) {
#pragma omp parallel num_threads((int)threads)
        {
            uint32_t before = flush_denormals();
            uint32_t team = (uint32_t)omp_get_num_threads();
#pragma omp master
            ran = team;
            body(context, (uint32_t)omp_get_thread_num(), team);
            restore_denormals(before);
        }
        return ran;
    }
#endif
    (void)threads;
    uint32_t before = flush_denormals();
    body(context, 0, 1);
    restore_denormals(before);
    return ran;
}

void vxe_parallel_meet(uint32_t threads)
{
    if (threads > 1) {
#ifdef _OPENMP
#pragma omp barrier
#endif
    }
}

/* A waiting thread gives up its core each time it has read a mark that often. */
#define READS_BEFORE_YIELD 4096u

void vxe_parallel_reach(vxe_parallel_mark *mark, uint64_t at)
{
    atomic_store_explicit(&mark->at, at, memory_order_release);
}

bool vxe_parallel_wait_for(const vxe_parallel_mark *mark, uint64_t at, uint64_t further,
                           const vxe_parallel_stop *stop)
{
    uint32_t reads = 0;
    VXE_ASSERT(further >= at);
    uint64_t until = at;
    while (atomic_load_explicit(&mark->at, memory_order_acquire) < until) {
        until = further;
        if (atomic_load_explicit(&stop->called, memory_order_relaxed)) {
            return false;
        }
        if (++reads % READS_BEFORE_YIELD == 0) {
            sched_yield();
        }
#if defined(__SSE2__)
        _mm_pause();
#endif
    }
    return true;
}

void vxe_parallel_end(vxe_parallel_stop *stop)
{
    atomic_store_explicit(&stop->called, true, memory_order_relaxed);
}

uint32_t vxe_parallel_available(void)
{
#ifdef _OPENMP
    return (uint32_t)omp_get_num_procs();
#else
    return 1;
#endif
}

/* Work items that threads take one after the other. */
typedef struct queue {
    atomic_uint next;
    uint32_t count;
    void (*work)(void *user, uint32_t item);
    void *user;
} queue;

static void take_items(void *context, uint32_t thread, uint32_t threads)
{
    queue *q = context;
    (void)thread;
    (void)threads;
    for (uint32_t item = atomic_fetch_add(&q->next, 1); item < q->count;
         item = atomic_fetch_add(&q->next, 1)) {
        q->work(q->user, item);
    }
}

void vxe_parallel_each(uint32_t count, uint32_t threads, void (*work)(void *user, uint32_t item),
                       void *user)
{
    VXE_ASSERT(work || count == 0);
    queue q = {.count = count, .work = work, .user = user};
    const uint32_t max = threads ? threads : vxe_parallel_available();
    vxe_parallel_run(max < count ? max : count > 0 ? count : 1, take_items, &q);
}
