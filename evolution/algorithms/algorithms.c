/* SPDX-License-Identifier: MIT */
/* Truncation: a (mu + lambda) genetic algorithm, climbers side by side, and search at random. */
#include <stdlib.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/search_internal.h"

const vxe_algorithm *vxe_algorithm_of(const vxe_experiment *experiment)
{
    switch ((vxe_algorithm_name)experiment->algorithm.name) {
    case VXE_ALGORITHM_GA:
        return &vxe_algorithm_ga;
    case VXE_ALGORITHM_CLIMBER:
        return &vxe_algorithm_climber;
    case VXE_ALGORITHM_RANDOM:
        return &vxe_algorithm_random;
    case VXE_ALGORITHM_MAP_ELITES:
        return &vxe_algorithm_map_elites;
    case VXE_ALGORITHM_NSGA2:
        return &vxe_algorithm_nsga2;
    case VXE_ALGORITHM_CMA_ES:
        return &vxe_algorithm_cma_es;
    case VXE_ALGORITHM_AFPO:
        break;
    }
    return &vxe_algorithm_afpo;
}

vxe_status vxe_join(vxe_search *search, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t k = 0; k < search->offspring.count && !status; k++) {
        vxe_individual *member = &search->offspring.members[k];
        if (vxe_is_fit(member)) {
            status = vxe_population_add(&search->living, member, error);
        }
    }
    vxe_population_clear(&search->offspring);
    return status;
}

/* What is sorted by. */
typedef struct rank {
    double fitness;
    uint64_t id;
    uint32_t member;
} rank;

/* As vxe_is_better. */
static int compare_ranks(const void *first, const void *second)
{
    const rank *a = first;
    const rank *b = second;
    if (a->fitness > b->fitness || a->fitness < b->fitness) {
        return a->fitness > b->fitness ? -1 : 1;
    }
    return a->id > b->id ? -1 : a->id < b->id;
}

vxe_status vxe_rank_by_fitness(const vxe_search *search, uint32_t *order, vxe_error *error)
{
    const vxe_population *living = &search->living;
    rank *ranks = vxe_memory_take(living->count, sizeof *ranks);
    if (!ranks) {
        return vxe_error_memory(error, living->count * sizeof *ranks);
    }
    for (uint32_t k = 0; k < living->count; k++) {
        const vxe_individual *member = &living->members[k];
        ranks[k] = (rank){member->outcome.fitness, member->id, k};
    }
    qsort(ranks, living->count, sizeof *ranks, compare_ranks);
    for (uint32_t k = 0; k < living->count; k++) {
        order[k] = ranks[k].member;
    }
    vxe_memory_release(ranks);
    return VXE_OK;
}

uint32_t *vxe_rank(const vxe_search *search, vxe_ranking *ranking, vxe_error *error)
{
    uint32_t *order = vxe_memory_take(search->living.count, sizeof *order);
    if (!order) {
        (void)vxe_error_memory(error, search->living.count * sizeof *order);
        return NULL;
    }
    if (ranking(search, order, error)) {
        vxe_memory_release(order);
        return NULL;
    }
    return order;
}

vxe_status vxe_select_ranked(vxe_search *search, vxe_ranking *ranking, vxe_error *error)
{
    const uint64_t max = search->experiment->algorithm.population;
    const vxe_status status = vxe_join(search, error);
    if (status) {
        return status;
    }
    const uint32_t count = search->living.count;
    uint32_t *order = vxe_rank(search, ranking, error);
    if (!order) {
        return VXE_ERROR_MEMORY;
    }
    vxe_population_keep(&search->living, order, max < count ? (uint32_t)max : count);
    vxe_memory_release(order);
    return VXE_OK;
}

static vxe_status select_best(vxe_search *search, vxe_error *error)
{
    return vxe_select_ranked(search, vxe_rank_by_fitness, error);
}

/* The best of some of the living, drawn with replacement. */
static const vxe_individual *hold_tournament(const vxe_search *search)
{
    vxe_stream stream = vxe_choice_stream(search);
    const vxe_individual *best = NULL;
    for (uint64_t i = 0; i < search->experiment->algorithm.tournament; i++) {
        const vxe_individual *member =
            &search->living.members[vxe_stream_below(&stream, search->living.count)];
        best = !best || vxe_is_better(member, best) ? member : best;
    }
    return best;
}

static vxe_status breed_by_tournament(vxe_search *search, vxe_error *error)
{
    const uint64_t count = search->experiment->algorithm.population;
    vxe_status status = VXE_OK;
    while (search->offspring.count < count && !status) {
        status = search->living.count > 0 ? vxe_breed_child(search, hold_tournament(search), error)
                                          : vxe_breed_random(search, error);
    }
    return status;
}

static vxe_status breed_at_random(vxe_search *search, vxe_error *error)
{
    return vxe_breed_newcomers(search, search->experiment->algorithm.population, error);
}

/* A child of each climber, and new ones in the place of those that failed. */
static vxe_status breed_of_each(vxe_search *search, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t k = 0; k < search->living.count && !status; k++) {
        status = vxe_breed_child(search, &search->living.members[k], error);
    }
    return status ? status
                  : vxe_breed_newcomers(
                        search, search->experiment->algorithm.population - search->living.count,
                        error);
}

/* A child that is as good takes its parent's place. */
static vxe_status select_of_each(vxe_search *search, vxe_error *error)
{
    vxe_population *children = &search->offspring;
    for (uint32_t k = 0; k < search->living.count; k++) {
        vxe_individual *parent = &search->living.members[k];
        vxe_individual *child = &children->members[k];
        if (vxe_is_fit(child) && vxe_is_better(child, parent)) {
            vxe_individual_clear(parent);
            *parent = *child;
            *child = (vxe_individual){0};
        } else {
            vxe_individual_clear(child);
        }
    }
    return vxe_join(search, error);
}

const vxe_algorithm vxe_algorithm_ga = {.breed = breed_by_tournament, .select = select_best};
const vxe_algorithm vxe_algorithm_random = {.breed = breed_at_random, .select = select_best};
const vxe_algorithm vxe_algorithm_climber = {.breed = breed_of_each, .select = select_of_each};
