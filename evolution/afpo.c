/* SPDX-License-Identifier: MIT */
/* Age-fitness Pareto optimisation. Each generation is as large as the population: a child of each
   of the living in turn, and newcomers at random, who need only be better than others of their age.
   Children are as old as their parents' line. */
#include <stdlib.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/search_internal.h"

static vxe_status breed(vxe_search *search, vxe_error *error)
{
    const vxe_algorithm_settings *settings = &search->experiment->algorithm;
    const uint64_t children = settings->population - settings->newcomers;
    const vxe_population *living = &search->living;
    vxe_status status = VXE_OK;
    for (uint64_t i = 0; i < children && living->count > 0 && !status; i++) {
        status = vxe_breed_child(search, &living->members[i % living->count], error);
    }
    return status
               ? status
               : vxe_breed_newcomers(search, settings->population - search->offspring.count, error);
}

typedef struct rival {
    double fitness;
    uint64_t id;
    uint32_t origin, member, front;
} rival;

/* By fitness; of equals the younger, and then the later, ahead. */
static int compare_fitness(const void *first, const void *second)
{
    const rival *a = first;
    const rival *b = second;
    if (a->fitness > b->fitness || a->fitness < b->fitness) {
        return a->fitness > b->fitness ? -1 : 1;
    }
    if (a->origin != b->origin) {
        return a->origin > b->origin ? -1 : 1;
    }
    return a->id > b->id ? -1 : a->id < b->id;
}

static int compare_fronts(const void *first, const void *second)
{
    const rival *a = first;
    const rival *b = second;
    return a->front != b->front ? (a->front < b->front ? -1 : 1) : compare_fitness(first, second);
}

/* Of rivals in the order of fitness each is behind those ahead of it that are no older. The origin
   of a front's youngest so far is all that matters of it; these grow older from front to front. */
static void find_fronts(rival *rivals, uint32_t count, uint32_t *youngest)
{
    uint32_t fronts = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t low = 0;
        uint32_t high = fronts;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (youngest[middle] >= rivals[k].origin) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        fronts += low == fronts;
        youngest[low] = rivals[k].origin;
        rivals[k].front = low;
    }
}

vxe_status vxe_afpo_order(const vxe_population *population, uint32_t *order, vxe_error *error)
{
    const uint32_t count = population->count;
    rival *rivals = vxe_memory_take(count, sizeof *rivals);
    uint32_t *youngest = vxe_memory_take(count, sizeof *youngest);
    vxe_status status = VXE_OK;
    if (rivals && youngest) {
        for (uint32_t k = 0; k < count; k++) {
            const vxe_individual *member = &population->members[k];
            rivals[k] = (rival){member->outcome.fitness, member->id, member->origin, k, 0};
        }
        qsort(rivals, count, sizeof *rivals, compare_fitness);
        find_fronts(rivals, count, youngest);
        qsort(rivals, count, sizeof *rivals, compare_fronts);
        for (uint32_t k = 0; k < count; k++) {
            order[k] = rivals[k].member;
        }
    } else {
        status = vxe_error_memory(error, count * (sizeof *rivals + sizeof *youngest));
    }
    vxe_memory_release(rivals);
    vxe_memory_release(youngest);
    return status;
}

static vxe_status select_fronts(vxe_search *search, vxe_error *error)
{
    const uint64_t most = search->experiment->algorithm.population;
    vxe_status status = vxe_join(search, error);
    if (status) {
        return status;
    }
    const uint32_t count = search->living.count;
    uint32_t *order = vxe_memory_take(count, sizeof *order);
    status = order ? vxe_afpo_order(&search->living, order, error)
                   : vxe_error_memory(error, count * sizeof *order);
    if (!status) {
        vxe_population_keep(&search->living, order, most < count ? (uint32_t)most : count);
    }
    vxe_memory_release(order);
    return status;
}

const vxe_algorithm vxe_algorithm_afpo = {.breed = breed, .select = select_fronts};
