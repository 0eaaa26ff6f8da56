/* SPDX-License-Identifier: MIT */
/* The list of algorithms, and what several of them share: survivors join the population and are
   ranked, and the best are kept. Each algorithm has a file of its own in this folder. */
#include <stdlib.h>

#include "common/assert_internal.h"
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
    case VXE_ALGORITHM_ES:
        return &vxe_algorithm_es;
    case VXE_ALGORITHM_AFPO:
        break;
    }
    VXE_ASSERT(experiment->algorithm.name == VXE_ALGORITHM_AFPO);
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

/* Sorting key of an individual. */
typedef struct rank {
    double fitness;
    uint64_t id;
    uint32_t member;
} rank;

/* The same order as vxe_is_better. */
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

vxe_status vxe_select_best(vxe_search *search, vxe_error *error)
{
    return vxe_select_ranked(search, vxe_rank_by_fitness, error);
}
