/* SPDX-License-Identifier: MIT */
/* Evaluates a generation. Each body that is not known yet runs once, however many individuals
   share it; the memo remembers outcomes across generations. */
#include "common/assert_internal.h"
#include "evolution/experiment/evaluation_internal.h"

#include <math.h>
#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/cluster_internal.h"
#include "evolution/experiment/variation.h"
#include "evolution/external/external_internal.h"
#include "evolution/learning/learning_internal.h"

/* Largest size of the memo. Outcomes that are not stored are computed again, to the same bits. */
#define MAX_PLACES (1u << 21)
#define FIRST_PLACES 1024u

void vxe_memo_clear(vxe_memo *memo)
{
    vxe_memory_release(memo->outcomes);
    *memo = (vxe_memo){0};
}

/* Finds the entry of a body, or the free one where it would go. */
static vxe_outcome *find(vxe_outcome *outcomes, uint32_t places, uint64_t hash)
{
    VXE_ASSERT(places > 0 && (places & (places - 1)) == 0);
    uint32_t at = (uint32_t)hash & (places - 1);
    while (outcomes[at].verdict != VXE_VERDICT_NONE && outcomes[at].hash != hash) {
        at = (at + 1) & (places - 1);
    }
    return &outcomes[at];
}

static bool has_place(const vxe_memo *memo)
{
    return memo->places > 0 && 2 * (memo->count + 1) <= memo->places;
}

/* Doubles the table where more than half of it is used, up to its largest size. Fails without
   memory. */
static vxe_status ensure_capacity(vxe_memo *memo, vxe_error *error)
{
    const uint32_t places = memo->places ? 2 * memo->places : FIRST_PLACES;
    if (has_place(memo) || places > MAX_PLACES) {
        return VXE_OK;
    }
    vxe_outcome *outcomes = vxe_memory_take(places, sizeof *outcomes);
    if (!outcomes) {
        return vxe_error_memory(error, places * sizeof *outcomes);
    }
    for (uint32_t i = 0; i < memo->places; i++) {
        if (memo->outcomes[i].verdict != VXE_VERDICT_NONE) {
            *find(outcomes, places, memo->outcomes[i].hash) = memo->outcomes[i];
        }
    }
    vxe_memory_release(memo->outcomes);
    memo->outcomes = outcomes;
    memo->places = places;
    return VXE_OK;
}

static vxe_status remember(vxe_memo *memo, const vxe_outcome *outcome, vxe_error *error)
{
    const vxe_status status = ensure_capacity(memo, error);
    if (!status && has_place(memo)) {
        vxe_outcome *place = find(memo->outcomes, memo->places, outcome->hash);
        memo->count += place->verdict == VXE_VERDICT_NONE;
        VXE_ASSERT(memo->count < memo->places);
        *place = *outcome;
    }
    return status;
}

/* Looks up a body. Returns false where it is unknown. */
static bool recall(const vxe_memo *memo, vxe_outcome *outcome)
{
    const vxe_outcome *known =
        memo->places ? find(memo->outcomes, memo->places, outcome->hash) : NULL;
    if (!known || known->verdict == VXE_VERDICT_NONE) {
        return false;
    }
    outcome->verdict = known->verdict;
    outcome->fitness = known->fitness;
    outcome->spread = known->spread;
    return true;
}

static void judge(vxe_outcome *outcome, const vxe_batch_result *result)
{
    outcome->fitness = (double)NAN;
    outcome->spread = 0;
    switch (result->status) {
    case VXE_ROBOT_DONE:
        outcome->verdict = isfinite(result->fitness) ? VXE_VERDICT_DONE : VXE_VERDICT_UNDEFINED;
        outcome->fitness = isfinite(result->fitness) ? result->fitness : (double)NAN;
        break;
    case VXE_ROBOT_DIVERGED:
        outcome->verdict = VXE_VERDICT_DIVERGED;
        break;
    case VXE_ROBOT_UNPHYSICAL:
        outcome->verdict = VXE_VERDICT_UNPHYSICAL;
        break;
    case VXE_ROBOT_REFUSED:
    case VXE_ROBOT_WAITING:
        outcome->verdict = VXE_VERDICT_REFUSED;
        break;
    }
}

/* The copies that a body runs as; one: the body itself. */
typedef struct body_copies {
    uint32_t each;        /* copies of a body */
    vxe_design **designs; /* (count, each); null where there is one */
} body_copies;

/* Adds the copies of all bodies to a batch, one body after the other. */
static vxe_status add_copies(const vxe_runner *runner, vxe_batch *batch, body_copies *copies,
                             const vxe_individual *const *individuals, uint32_t count,
                             vxe_error *error)
{
    const uint64_t all = (uint64_t)count * copies->each;
    vxe_status status = VXE_OK;
    copies->designs = copies->each > 1 ? vxe_memory_take(all, sizeof *copies->designs) : NULL;
    if (copies->each > 1 && !copies->designs) {
        return vxe_error_memory(error, all * sizeof *copies->designs);
    }
    for (uint64_t i = 0; i < all && !status; i++) {
        const vxe_design *body = individuals[i / copies->each]->body;
        vxe_batch_variant variant = {.step = 1};
        if (copies->designs) {
            body = copies->designs[i] =
                vxe_vary(runner->experiment, body, (uint32_t)(i % copies->each), &variant, error);
        }
        status = body ? vxe_batch_add_variant(batch, body, &variant, error) : error->status;
    }
    return status;
}

static void clear_copies(body_copies *copies, uint32_t count)
{
    for (uint64_t i = 0; copies->designs && i < (uint64_t)count * copies->each; i++) {
        vxe_design_destroy(copies->designs[i]);
    }
    vxe_memory_release(copies->designs);
}

/* The outcome of a body by those of its copies, from `first` on. A copy that has no fitness decides
   for all: nothing is averaged over what failed. */
static void judge_copies(const vxe_runner *runner, const vxe_batch *batch, uint32_t first,
                         uint32_t each, vxe_outcome *outcome)
{
    double values[VXE_MAX_EVALUATION_COPIES];
    VXE_ASSERT(each <= VXE_MAX_EVALUATION_COPIES);
    for (uint32_t k = 0; k < each; k++) {
        const vxe_batch_result result = vxe_batch_result_of(batch, first + k);
        judge(outcome, &result);
        values[k] = outcome->fitness;
        if (outcome->verdict != VXE_VERDICT_DONE) {
            return;
        }
    }
    if (each > 1) {
        outcome->fitness =
            vxe_score_of(&runner->experiment->evaluation, values, each, &outcome->spread);
    }
}

vxe_status vxe_run_bodies(const vxe_runner *runner, const vxe_individual *const *individuals,
                          uint32_t count, vxe_outcome *outcomes, bool *stopped, vxe_effort *effort,
                          vxe_error *error)
{
    vxe_batch_def def = vxe_batch_def_default();
    def.world.threads = runner->threads;
    def.world.step_scale = runner->step_scale;
    vxe_batch *batch = vxe_batch_create(&def, error);
    vxe_status status = batch ? VXE_OK : error->status;
    body_copies copies = {.each = (uint32_t)runner->experiment->evaluation.copies};
    *stopped = false;
    status = status ? status : add_copies(runner, batch, &copies, individuals, count, error);
    status = status ? status : vxe_batch_run(batch, runner->watch, runner->user, error);
    for (uint32_t i = 0; i < count * copies.each && !status; i++) {
        *stopped = *stopped || vxe_batch_result_of(batch, i).status == VXE_ROBOT_WAITING;
    }
    for (uint32_t i = 0; i < count && !status; i++) {
        judge_copies(runner, batch, i * copies.each, copies.each, &outcomes[i]);
    }
    if (!status) {
        effort->bond_updates += vxe_batch_describe(batch).bond_updates;
        effort->runs += (uint64_t)count * copies.each;
    }
    vxe_batch_destroy(batch);
    clear_copies(&copies, count);
    return status;
}

vxe_status vxe_run_here(const vxe_runner *runner, const vxe_individual *const *individuals,
                        uint32_t count, vxe_outcome *outcomes, vxe_genome *learned, bool *stopped,
                        vxe_effort *effort, vxe_error *error)
{
    if (vxe_task_is_external(&runner->experiment->task)) {
        return vxe_external_run(runner, individuals, count, outcomes, stopped, effort, error);
    }
    return runner->experiment->learning.iterations > 0
               ? vxe_learn_and_run(runner, individuals, count, outcomes, learned, stopped, effort,
                                   error)
               : vxe_run_bodies(runner, individuals, count, outcomes, stopped, effort, error);
}

/* Finds out who has the same body: a hash table of the first member with each. */
typedef struct bodies_seen {
    uint32_t *first; /* (places) index plus one of the first member with a body; 0: free */
    uint32_t places;
} bodies_seen;

/* Returns the first member with the same body, usually the member itself. */
static uint32_t first_alike(const bodies_seen *seen, const vxe_population *population,
                            uint32_t member)
{
    const uint64_t hash = population->members[member].outcome.hash;
    uint32_t at = (uint32_t)hash & (seen->places - 1);
    while (seen->first[at] && population->members[seen->first[at] - 1].outcome.hash != hash) {
        at = (at + 1) & (seen->places - 1);
    }
    seen->first[at] = seen->first[at] ? seen->first[at] : member + 1;
    return seen->first[at] - 1;
}

/* Lists the bodies to run: the first of each group of equal bodies that are not known yet. */
static void list_unknown(vxe_evaluation *ev, const bodies_seen *seen, vxe_population *population,
                         const vxe_memo *memo)
{
    for (uint32_t k = 0; k < population->count; k++) {
        vxe_individual *member = &population->members[k];
        ev->answer[k] = UINT32_MAX;
        if (!member->body) {
            member->outcome.verdict = VXE_VERDICT_REJECTED;
            member->outcome.fitness = (double)NAN;
        } else if (!recall(memo, &member->outcome)) {
            const uint32_t first = first_alike(seen, population, k);
            ev->answer[k] = first < k ? ev->answer[first] : ev->count;
            VXE_ASSERT(first <= k && ev->answer[k] <= ev->count);
            if (first == k) {
                ev->asked[ev->count++] = member;
            }
        }
    }
}

vxe_status vxe_evaluation_ask(vxe_evaluation *ev, vxe_population *population, const vxe_memo *memo,
                              vxe_error *error)
{
    const uint64_t count = population->count;
    bodies_seen seen = {.places = FIRST_PLACES};
    while (seen.places < 2 * count) {
        seen.places *= 2;
    }
    seen.first = vxe_memory_take(seen.places, sizeof *seen.first);
    *ev = (vxe_evaluation){.asked = vxe_memory_take(count, sizeof(vxe_individual *)),
                           .outcomes = vxe_memory_take(count, sizeof *ev->outcomes),
                           .learned = vxe_memory_take(count, sizeof *ev->learned),
                           .answer = vxe_memory_take(count, sizeof *ev->answer)};
    const bool has_memory = ev->asked && ev->outcomes && ev->learned && ev->answer && seen.first;
    if (has_memory) {
        list_unknown(ev, &seen, population, memo);
    } else {
        vxe_evaluation_clear(ev);
    }
    vxe_memory_release(seen.first);
    return has_memory ? VXE_OK : vxe_error_memory(error, count * (sizeof *ev->outcomes + 12));
}

vxe_status vxe_evaluation_run(const vxe_runner *runner, vxe_evaluation *ev, bool *stopped,
                              vxe_effort *effort, vxe_error *error)
{
    return (vxe_cluster_workers() > 0 ? vxe_cluster_run : vxe_run_here)(
        runner, ev->asked, ev->count, ev->outcomes, ev->learned, stopped, effort, error);
}

/* Gives a member that had the body of question `answer` what was learned with it. Who has the same
   body as another learns at no cost. */
static vxe_status take_over(const vxe_evaluation *ev, const vxe_experiment *e, uint32_t answer,
                            vxe_individual *member, vxe_error *error)
{
    const vxe_genome *learned = &ev->learned[answer];
    member->outcome.before = ev->outcomes[answer].before;
    member->outcome.learning_runs =
        ev->asked[answer] == member ? ev->outcomes[answer].learning_runs : 0;
    if (learned->count == 0) {
        return VXE_OK;
    }
    if (!e->learning.inherit) {
        return vxe_genome_copy(&member->learned, learned, error);
    }
    vxe_phenotype phenotype = {0};
    vxe_genome_clear(&member->genome);
    vxe_status status = vxe_genome_copy(&member->genome, learned, error);
    status = status ? status : vxe_develop(e, &member->genome, &phenotype, error);
    member->outcome.hash = phenotype.hash;
    vxe_phenotype_clear(&phenotype);
    return status;
}

vxe_status vxe_evaluation_tell(const vxe_evaluation *ev, const vxe_experiment *e,
                               vxe_population *population, vxe_memo *memo, vxe_error *error)
{
    const bool learns = e->learning.iterations > 0;
    vxe_status status = VXE_OK;
    for (uint32_t k = 0; k < population->count; k++) {
        vxe_individual *member = &population->members[k];
        member->outcome.before = (double)NAN;
        if (ev->answer[k] != UINT32_MAX) {
            VXE_ASSERT(ev->answer[k] < ev->count);
            member->outcome.verdict = ev->outcomes[ev->answer[k]].verdict;
            member->outcome.fitness = ev->outcomes[ev->answer[k]].fitness;
            member->outcome.spread = ev->outcomes[ev->answer[k]].spread;
            status = status   ? status
                     : learns ? take_over(ev, e, ev->answer[k], member, error)
                              : remember(memo, &member->outcome, error);
        }
        vxe_design_destroy(member->body);
        member->body = NULL;
    }
    return status;
}

void vxe_evaluation_clear(vxe_evaluation *ev)
{
    for (uint32_t i = 0; ev->learned && i < ev->count; i++) {
        vxe_genome_clear(&ev->learned[i]);
    }
    vxe_memory_release(ev->learned);
    vxe_memory_release(ev->asked);
    vxe_memory_release(ev->outcomes);
    vxe_memory_release(ev->answer);
    *ev = (vxe_evaluation){0};
}
