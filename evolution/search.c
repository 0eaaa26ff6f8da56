/* SPDX-License-Identifier: MIT */
/* Searches: create, resume, and what they say of themselves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/cluster_internal.h"
#include "evolution/external/external_internal.h"
#include "evolution/search_internal.h"

void vxe_search_destroy(vxe_search *search)
{
    if (search) {
        vxe_folder_close(&search->folder);
        vxe_search_withdraw(search);
        vxe_external_destroy(search->external);
        vxe_population_clear(&search->living);
        vxe_population_clear(&search->offspring);
        vxe_individual_clear(&search->champion);
        vxe_genome_clear(&search->memory);
        vxe_memo_clear(&search->memo);
        vxe_cluster_dismiss();
        vxe_experiment_destroy(search->experiment);
        vxe_memory_release(search);
    }
}

static vxe_search *make_search(vxe_experiment *experiment, uint32_t threads, vxe_error *error)
{
    vxe_search *search = vxe_memory_take(1, sizeof *search);
    if (!search) {
        (void)vxe_error_memory(error, sizeof *search);
        vxe_experiment_destroy(experiment);
        return NULL;
    }
    const uint64_t failures = vxe_memory_failures();
    search->experiment = experiment;
    search->unit = vxe_design_fitness_unit(experiment->ground);
    search->threads = threads;
    search->step_scale = 1;
    search->next_id = 1;
    search->champion_at_half = (double)NAN;
    /* in a cluster the workers evaluate */
    if (vxe_memory_check(failures, error) || vxe_cluster_share(experiment, error) ||
        (vxe_cluster_workers() == 0 &&
         vxe_external_create(experiment, threads, &search->external, error))) {
        vxe_search_destroy(search);
        return NULL;
    }
    return search;
}

/* Where an experiment is read from: a file, or a text that messages call by the path. */
typedef struct source {
    const char *path;
    const char *text; /* null: the file */
    uint64_t size;
} source;

static vxe_experiment *read_source(const source *from, vxe_error *error)
{
    return from->text ? vxe_experiment_parse(from->path, from->text, from->size, error)
                      : vxe_experiment_read(from->path, error);
}

/* Reads an experiment by way of the text of config.json, so that a search is resumed with the same
   numbers that it began with. */
static vxe_experiment *read_resolved(const source *from, vxe_error *error)
{
    vxe_experiment *given = read_source(from, error);
    char *text = given ? vxe_experiment_text(given) : NULL;
    vxe_experiment *resolved =
        text ? vxe_experiment_parse(from->path, text, strlen(text), error) : NULL;
    if (given && !text) {
        (void)vxe_error_memory(error, sizeof *given);
    }
    vxe_experiment_destroy(given);
    free(text);
    return resolved;
}

static vxe_search *create(const source *from, const char *folder, uint32_t threads,
                          vxe_error *error)
{
    vxe_experiment *e = read_resolved(from, error);
    vxe_search *search = e ? make_search(e, threads, error) : NULL;
    if (search && (vxe_folder_create(&search->folder, folder, e, error) ||
                   vxe_folder_open(&search->folder, error))) {
        vxe_search_destroy(search);
        return NULL;
    }
    return search;
}

vxe_search *vxe_search_create(const char *experiment, const char *folder, uint32_t threads,
                              vxe_error *error)
{
    return create(&(source){.path = experiment}, folder, threads, error);
}

vxe_search *vxe_search_create_text(const char *text, uint64_t size, const char *name,
                                   const char *folder, uint32_t threads, vxe_error *error)
{
    return create(&(source){name, text, size}, folder, threads, error);
}

/* Fails unless the file says the same as the folder's config.json. It may be at another place by
   now, from where its own paths count. */
static vxe_status compare_experiments(vxe_experiment *ours, const source *from, vxe_error *error)
{
    vxe_experiment *given = read_source(from, error);
    if (!given) {
        return error->status;
    }
    char *text = vxe_experiment_identity(ours);
    char *other = vxe_experiment_identity(given);
    const bool known = text && other;
    const bool same = known && strcmp(text, other) == 0;
    if (same) {
        memcpy(ours->task.folder, given->task.folder, sizeof ours->task.folder);
    }
    free(text);
    free(other);
    vxe_experiment_destroy(given);
    return same     ? VXE_OK
           : !known ? vxe_error_memory(error, sizeof *ours)
                    : vxe_error_at(error, VXE_ERROR_INPUT, from->path, 0, 0,
                                   "differs from the folder's config.json; --resume without "
                                   "this file continues with that");
}

static vxe_search *resume(const source *from, const char *folder, uint32_t threads,
                          vxe_error *error)
{
    vxe_folder found;
    char path[1024];
    bool resumed = false;
    if (vxe_folder_find(&found, folder, error)) {
        vxe_folder_close(&found);
        return NULL;
    }
    vxe_experiment *e =
        vxe_experiment_read(vxe_folder_name(&found, "config.json", path, sizeof path), error);
    if (e && from && compare_experiments(e, from, error)) {
        vxe_experiment_destroy(e);
        e = NULL;
    }
    vxe_search *search = e ? make_search(e, threads, error) : NULL;
    if (!search) {
        vxe_folder_close(&found);
        return NULL;
    }
    search->folder = found;
    vxe_folder_expect(&search->folder, e);
    vxe_status status = vxe_checkpoint_read(search, &resumed, error);
    if (!status && !resumed) { /* killed before the first checkpoint */
        status = vxe_folder_is_new(&search->folder, e->checkpoint_interval, error);
        status = status ? status : vxe_folder_open(&search->folder, error);
    }
    if (status) {
        vxe_search_destroy(search);
        return NULL;
    }
    return search;
}

vxe_search *vxe_search_resume(const char *experiment, const char *folder, uint32_t threads,
                              vxe_error *error)
{
    const source from = {.path = experiment};
    return resume(experiment ? &from : NULL, folder, threads, error);
}

vxe_search *vxe_search_resume_text(const char *text, uint64_t size, const char *name,
                                   const char *folder, uint32_t threads, vxe_error *error)
{
    return resume(&(source){name, text, size}, folder, threads, error);
}

bool vxe_search_doubt(const vxe_search *search, char *text, uint64_t size)
{
    return vxe_design_doubt(search->experiment->ground, text, size);
}

vxe_search_facts vxe_search_describe(const vxe_search *search)
{
    return (vxe_search_facts){.name = search->experiment->name,
                              .generation = search->generation,
                              .generations = (uint32_t)search->experiment->algorithm.generations,
                              .evaluations = search->evaluations,
                              .runs = search->effort.runs,
                              .bond_updates = search->effort.bond_updates,
                              .learning_runs = search->effort.learning_runs,
                              .unable = search->effort.unable,
                              .best = search->champion.id,
                              .best_fitness = search->champion.id ? search->champion.outcome.fitness
                                                                  : (double)NAN,
                              .unit = search->unit,
                              .population = search->living.count,
                              .failed = search->failed,
                              .asked = search->is_asked ? search->evaluation.count : 0};
}

vxe_status vxe_search_best(const vxe_search *search, vxe_design **best, vxe_error *error)
{
    *best = NULL;
    return search->champion.id > 0
               ? vxe_individual_design(search->experiment, &search->champion, best, error)
               : VXE_OK;
}
