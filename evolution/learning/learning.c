/* SPDX-License-Identifier: MIT */
/* The learning of individuals: a tuner each, and those of one time step in one gradient, so that
   many designs fill its vectors. What one learns does not depend on who is beside it. */
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel.h"
#include "common/status_internal.h"
#include "evolution/learning/learning_internal.h"
#include "evolution/tuning/tuning_internal.h"

/* An individual that learns. */
typedef struct learner {
    const vxe_individual *individual;
    vxe_lesson *lesson;
    vxe_tuner *tuner; /* null: its design can not be tuned */
    vxe_error error;  /* why not */
    bool in_class;    /* has learned, or does at present */
    bool lost;        /* none of its runs got to an end: it learns nothing */
} learner;

/* All that learn, and those that do at present. */
typedef struct school {
    const vxe_runner *runner;
    learner *learners; /* (count) */
    uint32_t count;
    learner **members; /* (present) by the robot of the gradient */
    uint32_t present;
    bool stopped;
} school;

static void make_tuner(void *user, uint32_t i)
{
    const school *s = user;
    learner *one = &s->learners[i];
    vxe_tuner_def def = vxe_learning_tuner(s->runner->experiment);
    def.world.step_scale = s->runner->step_scale;
    one->tuner = vxe_tuner_create_sharing(one->individual->body, &def, &one->error);
}

/* Makes the tuners. Fails without memory alone: a design that can not be tuned learns nothing. */
static vxe_status make_tuners(school *s, vxe_error *error)
{
    vxe_status status = VXE_OK;
    vxe_parallel_each(s->count, s->runner->threads, make_tuner, s);
    for (uint32_t i = 0; i < s->count && !status; i++) {
        const learner *one = &s->learners[i];
        if (!one->tuner && one->error.status == VXE_ERROR_MEMORY) {
            status = vxe_error_fill(error, VXE_ERROR_MEMORY, "%s", one->error.message);
        }
    }
    return status;
}

/* Puts all learners with the clock of the first that has not learned yet into a class; false where
   there is none. */
static bool call_class(school *s)
{
    const vxe_tuner *first = NULL;
    s->present = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        learner *one = &s->learners[i];
        const bool waits = one->tuner && !one->in_class;
        if (waits && (!first || vxe_tuner_same_clock(first, one->tuner))) {
            first = first ? first : one->tuner;
            one->in_class = true;
            s->members[s->present++] = one;
        }
    }
    return first;
}

/* Gives all of a class a robot in a gradient; who is refused leaves. */
static vxe_status enter(school *s, vxe_gradient *gradient, vxe_error *error)
{
    uint32_t entered = 0;
    for (uint32_t i = 0; i < s->present; i++) {
        learner *one = s->members[i];
        const vxe_status status = vxe_tuner_enter(one->tuner, gradient, error);
        if (status == VXE_ERROR_MEMORY) {
            return status;
        }
        one->lost = status != VXE_OK;
        VXE_ASSERT(one->lost || one->tuner->robot == entered);
        if (!one->lost) {
            s->members[entered++] = one;
        }
    }
    s->present = entered;
    return VXE_OK;
}

static double objective_of(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                           uint32_t count, vxe_gradient_sample *weights)
{
    const school *s = user;
    return vxe_tuner_objective(s->members[robot]->tuner, 0, samples, count, weights);
}

static bool goes_on(void *user)
{
    school *s = user;
    const vxe_batch_progress progress = {.robots = s->count};
    s->stopped = s->stopped || (s->runner->watch && !s->runner->watch(&progress, s->runner->user));
    return !s->stopped;
}

/* An iteration of all that are not lost. */
static vxe_status iterate(school *s, vxe_gradient *gradient, vxe_error *error)
{
    const double cost = vxe_tuned_cost(s->runner->experiment->learning.by);
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < s->present && !status; i++) {
        learner *one = s->members[i];
        status = one->lost ? VXE_OK : vxe_tuner_put(one->tuner, error);
        one->lesson->runs += one->lost ? 0 : cost;
    }
    status = status ? status : vxe_gradient_run_watched(gradient, objective_of, goes_on, s, error);
    for (uint32_t i = 0; i < s->present && !status && !s->stopped; i++) {
        learner *one = s->members[i];
        status = one->lost ? VXE_OK : vxe_tuner_take(one->tuner, error);
        one->lost = one->lost || status == VXE_ERROR_DIVERGED;
        status = status == VXE_ERROR_DIVERGED ? VXE_OK : status;
    }
    return status;
}

/* Teaches a class. */
static vxe_status teach(school *s, vxe_error *error)
{
    vxe_gradient_def def = vxe_tuner_gradient_def(s->members[0]->tuner);
    def.world.threads = s->runner->threads;
    vxe_gradient *gradient = vxe_gradient_create(&def, error);
    vxe_status status = gradient ? enter(s, gradient, error) : error->status;
    const uint64_t iterations = s->present > 0 ? s->runner->experiment->learning.iterations : 0;
    for (uint64_t i = 0; i < iterations && !status && !s->stopped; i++) {
        status = iterate(s, gradient, error);
    }
    vxe_gradient_destroy(gradient);
    return status;
}

/* Makes what an individual is, or would have been born as, by a tuned design of its body, which is
   taken over. */
static vxe_status note_lesson(const vxe_experiment *e, const learner *one, vxe_design *tuned, int k,
                              vxe_error *error)
{
    vxe_genome *learned = &one->lesson->learned[k];
    vxe_genome numbers = {0};
    vxe_phenotype phenotype = {0};
    vxe_status status = vxe_learned_read(e, tuned, &numbers, error);
    vxe_design_destroy(tuned);
    if (!status && e->learning.inherit) {
        status = vxe_learned_inherit(e, &one->individual->genome, &numbers, learned, error);
        status = status ? status : vxe_develop(e, learned, &phenotype, error);
        vxe_genome_clear(&numbers);
    } else if (!status) {
        *learned = numbers;
        phenotype.design = vxe_design_copy(one->individual->body, error);
        status = phenotype.design ? vxe_learned_apply(e, learned, phenotype.design, error)
                                  : VXE_ERROR_MEMORY;
    }
    one->lesson->bodies[k] = phenotype.design;
    return status;
}

/* Takes from a tuner the best that it has seen, unless that is what it began with, and where it got
   to, which it has not seen run. */
static vxe_status take_lessons(const vxe_experiment *e, const learner *one, vxe_error *error)
{
    const vxe_tuner_facts facts = vxe_tuner_describe(one->tuner);
    vxe_design *tuned = NULL;
    vxe_status status = VXE_OK;
    if (facts.best_at > 1) {
        status = vxe_tuner_design(one->tuner, 0, &tuned, NULL, NULL, error);
        status = status ? status : note_lesson(e, one, tuned, 0, error);
    }
    tuned = status ? NULL : vxe_tuned_design(one->tuner, one->tuner->numbers.value, error);
    return tuned ? note_lesson(e, one, tuned, 1, error) : VXE_ERROR_MEMORY;
}

static vxe_status learn(school *s, vxe_error *error)
{
    vxe_status status = make_tuners(s, error);
    while (!status && !s->stopped && call_class(s)) {
        status = teach(s, error);
    }
    for (uint32_t i = 0; i < s->count && !status && !s->stopped; i++) {
        const learner *one = &s->learners[i];
        if (one->tuner && !one->lost) {
            status = take_lessons(s->runner->experiment, one, error);
        }
    }
    return status;
}

vxe_status vxe_learn(const vxe_runner *runner, const vxe_individual *const *individuals,
                     uint32_t count, vxe_lesson *lessons, bool *stopped, vxe_error *error)
{
    school s = {.runner = runner,
                .count = count,
                .learners = vxe_memory_take(count, sizeof *s.learners),
                .members = vxe_memory_take(count, sizeof(learner *))};
    vxe_status status =
        s.learners && s.members ? VXE_OK : vxe_error_memory(error, count * sizeof *s.learners);
    for (uint32_t i = 0; i < count && !status; i++) {
        s.learners[i] = (learner){.individual = individuals[i], .lesson = &lessons[i]};
    }
    status = status ? status : learn(&s, error);
    *stopped = s.stopped;
    for (uint32_t i = 0; s.learners && i < count; i++) {
        vxe_tuner_destroy(s.learners[i].tuner);
    }
    vxe_memory_release(s.learners);
    vxe_memory_release(s.members);
    return status;
}

void vxe_lessons_clear(vxe_lesson *lessons, uint32_t count)
{
    for (uint32_t i = 0; lessons && i < count; i++) {
        for (int k = 0; k < 2; k++) {
            vxe_design_destroy(lessons[i].bodies[k]);
            vxe_genome_clear(&lessons[i].learned[k]);
        }
        lessons[i] = (vxe_lesson){.runs = 0};
    }
}
