/* SPDX-License-Identifier: MIT */
/* Evaluates individuals that learn (HintonNowlan1987): each as it was bred, and as it is after
   learning, by the task of the experiment. The best counts, so that learning never makes a fitness
   worse. */
#include <math.h>
#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/learning/learning_internal.h"

/* Bodies after learning, which run together. */
typedef struct trained {
    vxe_individual *individuals;  /* (count) of which only the body is set, not its own */
    const vxe_individual **asked; /* (count) */
    vxe_outcome *outcomes;        /* (count) */
    uint32_t count;
} trained;

static vxe_status list_trained(trained *t, const vxe_lesson *lessons, uint32_t count,
                               vxe_error *error)
{
    const uint64_t most = 2ull * count;
    *t = (trained){.individuals = vxe_memory_take(most, sizeof *t->individuals),
                   .asked = vxe_memory_take(most, sizeof(vxe_individual *)),
                   .outcomes = vxe_memory_take(most, sizeof *t->outcomes)};
    if (!t->individuals || !t->asked || !t->outcomes) {
        return vxe_error_memory(error, most * sizeof *t->individuals);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) {
            if (lessons[i].bodies[k]) {
                t->individuals[t->count].body = lessons[i].bodies[k];
                t->asked[t->count] = &t->individuals[t->count];
                t->count++;
            }
        }
    }
    return VXE_OK;
}

static void clear_trained(trained *t)
{
    vxe_memory_release(t->individuals);
    vxe_memory_release(t->asked);
    vxe_memory_release(t->outcomes);
}

/* Whether a fitness after learning counts more than one before. */
static bool is_better(const vxe_outcome *after, const vxe_outcome *before)
{
    return after->verdict == VXE_VERDICT_DONE &&
           (before->verdict != VXE_VERDICT_DONE || after->fitness > before->fitness);
}

/* Gives each individual the best of its outcomes, and what it learned for that. */
static void choose(const trained *t, vxe_lesson *lessons, uint32_t count, vxe_outcome *outcomes,
                   vxe_genome *learned)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double before = outcomes[i].fitness;
        int best = -1;
        for (int k = 0; k < 2; k++) {
            if (lessons[i].bodies[k] && is_better(&t->outcomes[next], &outcomes[i])) {
                outcomes[i] = t->outcomes[next];
                best = k;
            }
            next += lessons[i].bodies[k] != NULL;
        }
        outcomes[i].before = before;
        outcomes[i].learning_runs = lessons[i].runs;
        if (best >= 0) {
            learned[i] = lessons[i].learned[best];
            lessons[i].learned[best] = (vxe_genome){0};
        }
    }
}

/* Runs what has learned, and chooses. */
static vxe_status run_trained(const vxe_runner *runner, vxe_lesson *lessons, uint32_t count,
                              vxe_outcome *outcomes, vxe_genome *learned, bool *stopped,
                              vxe_effort *effort, vxe_error *error)
{
    const double copies = (double)runner->experiment->evaluation.copies;
    vxe_effort spent = {0};
    trained t;
    vxe_status status = list_trained(&t, lessons, count, error);
    if (!status && t.count > 0) {
        status = vxe_run_bodies(runner, t.asked, t.count, t.outcomes, stopped, &spent, error);
    }
    for (uint32_t i = 0; i < count && !status && !*stopped; i++) {
        const double bodies = (lessons[i].bodies[0] != NULL) + (lessons[i].bodies[1] != NULL);
        lessons[i].runs += copies * bodies;
        effort->learning_runs += lessons[i].runs;
        effort->unable += bodies == 0;
    }
    if (!status && !*stopped) {
        effort->bond_updates += spent.bond_updates;
        choose(&t, lessons, count, outcomes, learned);
    }
    clear_trained(&t);
    return status;
}

vxe_status vxe_learn_and_run(const vxe_runner *runner, const vxe_individual *const *individuals,
                             uint32_t count, vxe_outcome *outcomes, vxe_genome *learned,
                             bool *stopped, vxe_effort *effort, vxe_error *error)
{
    vxe_lesson *lessons = vxe_memory_take(count, sizeof *lessons);
    vxe_status status =
        lessons ? vxe_run_bodies(runner, individuals, count, outcomes, stopped, effort, error)
                : vxe_error_memory(error, count * sizeof *lessons);
    if (!status && !*stopped) {
        status = vxe_learn(runner, individuals, count, lessons, stopped, error);
    }
    if (!status && !*stopped) {
        status = run_trained(runner, lessons, count, outcomes, learned, stopped, effort, error);
    }
    vxe_lessons_clear(lessons, count);
    vxe_memory_release(lessons);
    return status;
}
