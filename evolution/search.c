/* SPDX-License-Identifier: MIT */
/* Searches: create, resume, and the steps of a generation. A generation that is stopped during
   evaluation leaves the search unchanged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/cluster_internal.h"
#include "evolution/search_internal.h"

void vxe_search_destroy(vxe_search *search)
{
    if (search) {
        vxe_folder_close(&search->folder);
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
    if (vxe_memory_check(failures, error) || vxe_cluster_share(experiment, error)) {
        vxe_search_destroy(search);
        return NULL;
    }
    return search;
}

/* Reads an experiment by way of the text of config.json, so that a search is resumed with the same
   numbers that it began with. */
static vxe_experiment *read_resolved(const char *path, vxe_error *error)
{
    vxe_experiment *given = vxe_experiment_read(path, error);
    char *text = given ? vxe_experiment_text(given) : NULL;
    vxe_experiment *resolved = text ? vxe_experiment_parse(path, text, strlen(text), error) : NULL;
    if (given && !text) {
        (void)vxe_error_memory(error, sizeof *given);
    }
    vxe_experiment_destroy(given);
    free(text);
    return resolved;
}

vxe_search *vxe_search_create(const char *experiment, const char *folder, uint32_t threads,
                              vxe_error *error)
{
    vxe_experiment *e = read_resolved(experiment, error);
    vxe_search *search = e ? make_search(e, threads, error) : NULL;
    if (search && (vxe_folder_create(&search->folder, folder, e, error) ||
                   vxe_folder_open(&search->folder, error))) {
        vxe_search_destroy(search);
        return NULL;
    }
    return search;
}

/* Fails unless the file says the same as the folder's config.json. */
static vxe_status compare_experiments(const vxe_experiment *ours, const char *path,
                                      vxe_error *error)
{
    vxe_experiment *given = vxe_experiment_read(path, error);
    if (!given) {
        return error->status;
    }
    char *text = vxe_experiment_text(ours);
    char *other = vxe_experiment_text(given);
    const bool known = text && other;
    const bool same = known && strcmp(text, other) == 0;
    free(text);
    free(other);
    vxe_experiment_destroy(given);
    return same     ? VXE_OK
           : !known ? vxe_error_memory(error, sizeof *ours)
                    : vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0,
                                   "differs from the folder's config.json; --resume without "
                                   "this file continues with that");
}

vxe_search *vxe_search_resume(const char *experiment, const char *folder, uint32_t threads,
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
    vxe_search *search = e ? make_search(e, threads, error) : NULL;
    if (!search) {
        vxe_folder_close(&found);
        return NULL;
    }
    search->folder = found;
    search->folder.spreads = e->evaluation.copies > 1;
    vxe_status status = experiment ? compare_experiments(e, experiment, error) : VXE_OK;
    status = status ? status : vxe_checkpoint_read(search, &resumed, error);
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
                              .best = search->champion.id,
                              .best_fitness = search->champion.id ? search->champion.outcome.fitness
                                                                  : (double)NAN,
                              .unit = search->unit,
                              .population = search->living.count,
                              .failed = search->failed};
}

/* Data of watch_batch: the search, and the caller's watch function. */
typedef struct watching {
    vxe_search *search;
    vxe_search_watch watch;
    void *user;
} watching;

static bool watch_batch(const vxe_batch_progress *progress, void *user)
{
    const watching *w = user;
    vxe_search_facts facts = vxe_search_describe(w->search);
    facts.share = progress->bond_updates_expected > 0
                      ? progress->bond_updates / progress->bond_updates_expected
                      : 0;
    facts.bond_updates += progress->bond_updates;
    return !w->watch || w->watch(&facts, w->user);
}

static vxe_status breed(vxe_search *search, vxe_error *error)
{
    const vxe_algorithm *algorithm = vxe_algorithm_of(search->experiment);
    return search->generation > 0 || algorithm->starts
               ? algorithm->breed(search, error)
               : vxe_breed_newcomers(search, search->experiment->algorithm.population, error);
}

/* The best of the offspring that is better than the champion; null where none is. */
static const vxe_individual *best_offspring(const vxe_search *search)
{
    const vxe_individual *best = search->champion.id > 0 ? &search->champion : NULL;
    for (uint32_t k = 0; k < search->offspring.count; k++) {
        const vxe_individual *member = &search->offspring.members[k];
        if (vxe_is_fit(member) && (!best || member->outcome.fitness > best->outcome.fitness)) {
            best = member;
        }
    }
    return best != &search->champion ? best : NULL;
}

/* Weighs the best offspring until one is not unphysical: that will be the champion. The memo does
   not learn of it: a search that is resumed has forgotten the memo, and must not end otherwise. */
static vxe_status weigh(vxe_search *search, const vxe_runner *runner, bool *stopped,
                        vxe_error *error)
{
    const vxe_individual *best = best_offspring(search);
    vxe_status status = VXE_OK;
    for (bool holds = false; best && !holds && !status && !*stopped;) {
        status = vxe_weigh(runner, best, &holds, stopped, error);
        const uint64_t hash = best->outcome.hash;
        for (uint32_t k = 0; k < search->offspring.count && !status && !holds && !*stopped; k++) {
            vxe_outcome *outcome = &search->offspring.members[k].outcome;
            if (outcome->hash == hash && outcome->verdict == VXE_VERDICT_DONE) {
                outcome->verdict = VXE_VERDICT_UNPHYSICAL;
                outcome->fitness = (double)NAN;
            }
        }
        best = best_offspring(search);
    }
    return status;
}

/* Runs the champion at half the time step. Its fitness is then NaN where it has none. */
static vxe_status audit(vxe_search *search, vxe_error *error)
{
    const vxe_runner runner = {search->experiment, search->threads, 0.5 * search->step_scale, NULL,
                               NULL};
    vxe_individual twin = {0};
    const vxe_individual *asked = &twin;
    vxe_phenotype phenotype;
    vxe_outcome outcome = {.fitness = (double)NAN};
    vxe_effort effort = {0};
    bool stopped = false;
    vxe_status status =
        vxe_develop(search->experiment, &search->champion.genome, &phenotype, error);
    twin.body = phenotype.design;
    status = status || !twin.body
                 ? status
                 : vxe_run_here(&runner, &asked, 1, &outcome, &stopped, &effort, error);
    search->champion_at_half = outcome.fitness;
    vxe_individual_clear(&twin);
    return status;
}

/* Makes the best of the offspring the champion, where it is better than the present one. */
static vxe_status crown(vxe_search *search, vxe_error *error)
{
    const vxe_individual *best = best_offspring(search);
    vxe_status status = VXE_OK;
    search->failed = 0;
    for (uint32_t k = 0; k < search->offspring.count; k++) {
        search->failed += !vxe_is_fit(&search->offspring.members[k]);
    }
    if (best) {
        vxe_individual_clear(&search->champion);
        status = vxe_individual_copy(&search->champion, best, error);
        status = status || !search->experiment->audit ? status : audit(search, error);
        status = status ? status
                        : vxe_folder_put_design(&search->folder, "best", NULL, search->experiment,
                                                &search->champion, error);
        status = status ? status
                        : vxe_folder_put_design(&search->folder, "best", "champion",
                                                search->experiment, &search->champion, error);
    }
    return status;
}

/* Writes all survivors as designs. */
static vxe_status write_archive(vxe_search *search, vxe_error *error)
{
    vxe_status status = vxe_folder_make(&search->folder, "archive", error);
    for (uint32_t k = 0; k < search->living.count && !status; k++) {
        status = vxe_folder_put_design(&search->folder, "archive", NULL, search->experiment,
                                       &search->living.members[k], error);
    }
    return status;
}

/* Completes a generation: records it, selects, and writes a checkpoint where one is due. */
static vxe_status conclude(vxe_search *search, vxe_error *error)
{
    VXE_ASSERT(search->generation < search->experiment->algorithm.generations);
    VXE_ASSERT(!search->broken);
    const vxe_experiment *e = search->experiment;
    search->next_id += search->offspring.count;
    search->evaluations += search->offspring.count;
    vxe_folder_add_individuals(&search->folder, &search->offspring, search->generation);
    vxe_status status = crown(search, error);
    status = status ? status : vxe_algorithm_of(e)->select(search, error);
    if (status) {
        return status;
    }
    VXE_ASSERT(search->offspring.count == 0);
    VXE_ASSERT(search->champion.id < search->next_id);
    const bool maps = e->algorithm.name == VXE_ALGORITHM_MAP_ELITES;
    const vxe_generation_row row = {.generation = search->generation,
                                    .evaluations = search->evaluations,
                                    .champion = &search->champion,
                                    .living = &search->living,
                                    .failed = search->failed,
                                    .at_half = search->champion_at_half,
                                    .filled = maps ? search->living.count : 0};
    status = vxe_folder_add_generation(&search->folder, &row, error);
    search->generation++;
    const bool ended = search->generation == e->algorithm.generations;
    status = status || !ended ? status : write_archive(search, error);
    return !status && (ended || search->generation % e->checkpoint_interval == 0)
               ? vxe_checkpoint_write(search, error)
               : status;
}

vxe_status vxe_search_checkpoint(vxe_search *search, vxe_error *error)
{
    return search->broken || search->generation == 0 ? VXE_OK : vxe_checkpoint_write(search, error);
}

vxe_status vxe_search_advance(vxe_search *search, vxe_search_watch watch, void *user, bool *stopped,
                              vxe_error *error)
{
    watching w = {search, watch, user};
    bool halted = false;
    if (stopped) {
        *stopped = false;
    }
    if (search->generation >= search->experiment->algorithm.generations) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "the search is complete");
    }
    if (search->broken) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the search has failed; it can be resumed from its folder");
    }
    vxe_population_clear(&search->offspring);
    vxe_status status = breed(search, error);
    const vxe_runner runner = {search->experiment, search->threads, search->step_scale, watch_batch,
                               &w};
    status = status ? status
                    : vxe_evaluate(&runner, &search->offspring, &search->memo, &halted,
                                   &search->effort, error);
    if (!status && !halted && search->experiment->audit) {
        status = weigh(search, &runner, &halted, error);
    }
    if (!status && !halted) {
        status = conclude(search, error);
        search->broken = status != VXE_OK; /* the generation may have been recorded in part */
    }
    if (stopped) {
        *stopped = halted;
    }
    return status;
}
