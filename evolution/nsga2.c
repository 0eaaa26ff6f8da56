/* SPDX-License-Identifier: MIT */
/* NSGA-II (Deb, Pratap, Agarwal and Meyarivan, IEEE Trans. Evol. Comput. 6 (2002) 182) for fitness
   and one thing of which less is better: the fronts survive, of the last one the least crowded. */
#include <math.h>
#include <stdlib.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/search_internal.h"

static double voxels_of(const vxe_individual *individual)
{
    return individual->outcome.voxels;
}

static double actuated_of(const vxe_individual *individual)
{
    return individual->outcome.actuated;
}

static vxe_measure *measure_of(const vxe_search *search)
{
    return search->experiment->algorithm.second_objective == VXE_OBJECTIVE_ACTUATED ? actuated_of
                                                                                    : voxels_of;
}

/* Where a member stands among the others. */
typedef struct standing {
    uint32_t member, front;
    double room; /* crowding distance */
    uint64_t id;
} standing;

/* The fronts in front, the roomier ahead in each, then the later. */
static int compare_standings(const void *first, const void *second)
{
    const standing *a = first;
    const standing *b = second;
    if (a->front != b->front) {
        return a->front < b->front ? -1 : 1;
    }
    if (a->room > b->room || a->room < b->room) {
        return a->room > b->room ? -1 : 1;
    }
    return a->id > b->id ? -1 : a->id < b->id;
}

/* Crowding distances of one front, which is ordered by fitness and so by the measure: sides of the
   box between the neighbours, by the front's own. Its ends have all the room. */
static void measure_room(const vxe_population *population, vxe_measure *measure, standing *of,
                         uint32_t count)
{
    const vxe_individual *members = population->members;
    const double wide =
        members[of[0].member].outcome.fitness - members[of[count - 1].member].outcome.fitness;
    const double high = measure(&members[of[0].member]) - measure(&members[of[count - 1].member]);
    for (uint32_t k = 0; k < count; k++) {
        if (k == 0 || k == count - 1) {
            of[k].room = HUGE_VAL;
            continue;
        }
        const vxe_individual *before = &members[of[k - 1].member];
        const vxe_individual *behind = &members[of[k + 1].member];
        of[k].room = (wide > 0 ? (before->outcome.fitness - behind->outcome.fitness) / wide : 0) +
                     (high > 0 ? (measure(before) - measure(behind)) / high : 0);
    }
}

/* Ranks the living; standings has room for all. */
static vxe_status rank_all(const vxe_search *search, standing *standings, vxe_error *error)
{
    const vxe_population *living = &search->living;
    const uint32_t count = living->count;
    vxe_measure *measure = measure_of(search);
    uint32_t *order = vxe_memory_take(2ull * count, sizeof *order);
    vxe_status status = order ? vxe_order_fronts(living, measure, order, order + count, error)
                              : vxe_error_memory(error, count * 8ull);
    for (uint32_t k = 0; k < count && !status; k++) {
        standings[k] = (standing){order[k], order[count + k], 0, living->members[order[k]].id};
    }
    for (uint32_t first = 0, last = 0; first < count && !status; first = last) {
        while (last < count && standings[last].front == standings[first].front) {
            last++;
        }
        measure_room(living, measure, standings + first, last - first);
    }
    if (!status) {
        qsort(standings, count, sizeof *standings, compare_standings);
    }
    vxe_memory_release(order);
    return status;
}

static vxe_status breed(vxe_search *search, vxe_error *error)
{
    const vxe_algorithm_settings *settings = &search->experiment->algorithm;
    const uint32_t count = search->living.count;
    standing *standings = vxe_memory_take(count, sizeof *standings);
    vxe_status status = standings ? rank_all(search, standings, error)
                                  : vxe_error_memory(error, count * sizeof *standings);
    while (search->offspring.count < settings->population && !status) {
        vxe_stream stream = vxe_choice_stream(search);
        uint32_t best = count;
        for (uint64_t i = 0; i < settings->tournament && count > 0; i++) {
            const uint32_t rival = vxe_stream_below(&stream, count);
            best = rival < best ? rival : best; /* they are ranked */
        }
        status = count > 0 ? vxe_breed_child(search,
                                             &search->living.members[standings[best].member], error)
                           : vxe_breed_random(search, error);
    }
    vxe_memory_release(standings);
    return status;
}

static vxe_status select_roomy(vxe_search *search, vxe_error *error)
{
    const uint64_t most = search->experiment->algorithm.population;
    vxe_status status = vxe_join(search, error);
    if (status) {
        return status;
    }
    const uint32_t count = search->living.count;
    standing *standings = vxe_memory_take(count, sizeof *standings);
    uint32_t *order = vxe_memory_take(count, sizeof *order);
    status = standings && order ? rank_all(search, standings, error)
                                : vxe_error_memory(error, count * sizeof *standings);
    for (uint32_t k = 0; k < count && !status; k++) {
        order[k] = standings[k].member;
    }
    if (!status) {
        vxe_population_keep(&search->living, order, most < count ? (uint32_t)most : count);
    }
    vxe_memory_release(standings);
    vxe_memory_release(order);
    return status;
}

const vxe_algorithm vxe_algorithm_nsga2 = {.breed = breed, .select = select_roomy};
