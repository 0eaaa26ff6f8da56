/* SPDX-License-Identifier: MIT */
/* The steps of a generation: ask, run, tell. A generation that is withdrawn, or stopped during
   evaluation, leaves the search unchanged. */
#include <inttypes.h>
#include <math.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "evolution/external/external_internal.h"
#include "evolution/search_internal.h"

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
    const vxe_runner runner = {.experiment = search->experiment,
                               .threads = search->threads,
                               .step_scale = 0.5 * search->step_scale};
    vxe_individual twin = {0};
    const vxe_individual *asked = &twin;
    vxe_outcome outcome = {.fitness = (double)NAN};
    vxe_effort effort = {0};
    bool stopped = false;
    vxe_status status =
        vxe_individual_design(search->experiment, &search->champion, &twin.body, error);
    status = status || !twin.body
                 ? status
                 : vxe_run_bodies(&runner, &asked, 1, &outcome, &stopped, &effort, error);
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
    status = status ? status : vxe_folder_empty(&search->folder, "archive", error);
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

vxe_status vxe_search_extend(vxe_search *search, uint64_t generations, vxe_error *error)
{
    vxe_experiment *e = search->experiment;
    const uint64_t before = e->algorithm.generations;
    if (search->broken || search->is_asked) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              search->broken
                                  ? "the search has failed; it can be resumed from its folder"
                                  : "a generation was asked for: tell its fitness, or withdraw it, "
                                    "before the search is extended");
    }
    if (generations > VXE_MAX_GENERATIONS - before) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "%" PRIu64 " generations and %" PRIu64
                              " more; there can be %u in all",
                              before, generations, VXE_MAX_GENERATIONS);
    }
    vxe_status status = vxe_search_checkpoint(search, error); /* not of a build before this one */
    e->algorithm.generations += status ? 0 : generations;
    status = status ? status : vxe_folder_put_config(&search->folder, e, error);
    if (status) {
        e->algorithm.generations = before;
    }
    return status;
}

/* Fails where a search can not begin a generation. */
static vxe_status may_begin(const vxe_search *search, vxe_error *error)
{
    if (search->generation >= search->experiment->algorithm.generations) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "the search is complete");
    }
    if (search->broken) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the search has failed; it can be resumed from its folder");
    }
    return search->is_asked
               ? vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "a generation was asked for and waits for the fitness of its "
                                "bodies: tell it, or withdraw the generation, first")
               : VXE_OK;
}

/* Breeds a generation and lists the bodies whose fitness it needs. */
static vxe_status ask(vxe_search *search, vxe_error *error)
{
    vxe_status status = may_begin(search, error);
    if (status) {
        return status;
    }
    vxe_population_clear(&search->offspring);
    status = breed(search, error);
    status =
        status ? status
               : vxe_evaluation_ask(&search->evaluation, &search->offspring, &search->memo, error);
    search->is_asked = status == VXE_OK;
    return status;
}

/* Concludes a generation whose bodies have their outcomes; *stopped where the watch ends it before,
   which leaves the search as it was. */
static vxe_status tell(vxe_search *search, const vxe_runner *runner, bool *stopped,
                       vxe_error *error)
{
    VXE_ASSERT(search->is_asked);
    vxe_status status = vxe_evaluation_tell(&search->evaluation, search->experiment,
                                            &search->offspring, &search->memo, error);
    vxe_evaluation_clear(&search->evaluation);
    search->is_asked = false;
    if (!status && search->experiment->audit) {
        status = weigh(search, runner, stopped, error);
    }
    if (!status && !*stopped) {
        status = conclude(search, error);
        search->broken = status != VXE_OK; /* the generation may have been recorded in part */
    }
    return status;
}

vxe_status vxe_search_ask(vxe_search *search, uint32_t *count, vxe_error *error)
{
    const vxe_status status = ask(search, error);
    *count = status ? 0 : search->evaluation.count;
    return status;
}

const vxe_design *vxe_search_asked(const vxe_search *search, uint32_t body)
{
    return search->is_asked && body < search->evaluation.count
               ? search->evaluation.asked[body]->body
               : NULL;
}

/* Takes over the fitness of all bodies. Fails before anything has changed. */
static vxe_status take_fitness(vxe_search *search, const double *fitness, uint32_t count,
                               vxe_error *error)
{
    vxe_evaluation *ev = &search->evaluation;
    if (count != ev->count) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "%" PRIu32 " numbers for the %" PRIu32 " bodies that were asked for",
                              count, ev->count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (isinf(fitness[i])) {
            return vxe_error_fill(
                error, VXE_ERROR_ARGUMENT,
                "the fitness of body %" PRIu32 " is infinite; NaN stands for none", i);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        ev->outcomes[i] = vxe_external_outcome(fitness[i]);
    }
    return VXE_OK;
}

vxe_status vxe_search_tell(vxe_search *search, const double *fitness, uint32_t count,
                           vxe_error *error)
{
    const vxe_runner runner = {.experiment = search->experiment,
                               .threads = search->threads,
                               .step_scale = search->step_scale};
    bool stopped = false;
    if (!search->is_asked) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "no generation was asked for: ask first, then tell");
    }
    const vxe_status status = take_fitness(search, fitness, count, error);
    return status ? status : tell(search, &runner, &stopped, error);
}

void vxe_search_withdraw(vxe_search *search)
{
    vxe_evaluation_clear(&search->evaluation);
    vxe_population_clear(&search->offspring);
    search->is_asked = false;
}

vxe_status vxe_search_advance(vxe_search *search, vxe_search_watch watch, void *user, bool *stopped,
                              vxe_error *error)
{
    watching w = {search, watch, user};
    const vxe_runner runner = {
        search->experiment, search->threads, search->step_scale, watch_batch, &w, search->external};
    bool halted = false;
    vxe_status status = ask(search, error);
    if (!status) {
        status = vxe_evaluation_run(&runner, &search->evaluation, &halted, &search->effort, error);
        status = status || halted ? status : tell(search, &runner, &halted, error);
        if (search->is_asked) {
            vxe_search_withdraw(search);
        }
    }
    if (stopped) {
        *stopped = halted;
    }
    return status;
}
