/* SPDX-License-Identifier: MIT */
/* A fitness in a shared object. */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel.h"
#include "common/status_internal.h"
#include "evolution/external/external_internal.h"
#include "evolution/fitness.h"

struct vxe_loaded {
    void *handle;
    vxe_fitness_function fitness;
    char path[2 * VXE_PATH_BYTES];
};

void vxe_loaded_destroy(vxe_loaded *loaded)
{
    if (loaded) {
        if (loaded->handle) {
            dlclose(loaded->handle);
        }
        vxe_memory_release(loaded);
    }
}

/* Finds the entry of a library that was loaded, and checks that it is one of ours. */
static vxe_status find_entry(vxe_loaded *loaded, vxe_error *error)
{
    const vxe_fitness_library *entry = dlsym(loaded->handle, VXE_FITNESS_ENTRY);
    if (!entry) {
        return vxe_error_at(error, VXE_ERROR_INPUT, loaded->path, 0, 0,
                            "has no fitness: VXE_FITNESS(function) is missing "
                            "(evolution/fitness.h)");
    }
    if (entry->cookie != VXE_FITNESS_COOKIE || entry->design_bytes != sizeof(vxe_design) ||
        !entry->fitness) {
        return vxe_error_at(error, VXE_ERROR_UNSUPPORTED, loaded->path, 0, 0,
                            "was compiled by the headers of another release: compile it anew");
    }
    loaded->fitness = entry->fitness;
    return VXE_OK;
}

vxe_loaded *vxe_loaded_create(const vxe_task_settings *task, vxe_error *error)
{
    vxe_loaded *loaded = vxe_memory_take(1, sizeof *loaded);
    if (!loaded) {
        (void)vxe_error_memory(error, sizeof *loaded);
        return NULL;
    }
    const bool absolute = task->library[0] == '/';
    snprintf(loaded->path, sizeof loaded->path, "%s%s%s", absolute ? "" : task->folder,
             absolute ? "" : "/", task->library);
    loaded->handle = dlopen(loaded->path, RTLD_NOW | RTLD_LOCAL);
    const char *why = loaded->handle ? NULL : dlerror();
    if (loaded->handle ? find_entry(loaded, error)
                       : vxe_error_fill(error, VXE_ERROR_SYSTEM, "cannot load the fitness: %s",
                                        why ? why : loaded->path)) {
        vxe_loaded_destroy(loaded);
        return NULL;
    }
    return loaded;
}

/* Bodies that threads evaluate one after the other. */
typedef struct bodies {
    const vxe_loaded *loaded;
    const vxe_runner *runner;
    const vxe_individual *const *individuals;
    vxe_outcome *outcomes;
    pthread_t caller; /* the thread that asks the watch */
    uint32_t count;
    atomic_uint done;
    atomic_uint infinite; /* index plus one of a body whose fitness is infinite; 0: none */
    atomic_bool stopped;
} bodies;

static void evaluate_one(void *user, uint32_t i)
{
    bodies *b = user;
    if (atomic_load(&b->stopped)) {
        return;
    }
    const double fitness = b->loaded->fitness(b->individuals[i]->body);
    if (isinf(fitness)) {
        atomic_store(&b->infinite, i + 1);
    }
    b->outcomes[i] = vxe_external_outcome(fitness);
    const uint32_t done = atomic_fetch_add(&b->done, 1) + 1;
    const vxe_batch_progress progress = {done, b->count, done, b->count};
    if (b->runner->watch && pthread_equal(b->caller, pthread_self()) && !atomic_load(&b->stopped) &&
        !b->runner->watch(&progress, b->runner->user)) {
        atomic_store(&b->stopped, true);
    }
}

vxe_status vxe_loaded_run(const vxe_loaded *loaded, const vxe_runner *runner,
                          const vxe_individual *const *individuals, uint32_t count,
                          vxe_outcome *outcomes, bool *stopped, vxe_error *error)
{
    bodies b = {.loaded = loaded,
                .runner = runner,
                .individuals = individuals,
                .outcomes = outcomes,
                .caller = pthread_self(),
                .count = count};
    vxe_parallel_each(count, runner->threads, evaluate_one, &b);
    const uint32_t infinite = atomic_load(&b.infinite);
    *stopped = atomic_load(&b.stopped);
    VXE_ASSERT(*stopped || atomic_load(&b.done) == count);
    return infinite > 0 && !*stopped ? vxe_error_at(error, VXE_ERROR_INPUT, loaded->path, 0, 0,
                                                    "gave an infinite fitness; NaN stands for none")
                                     : VXE_OK;
}
