/* SPDX-License-Identifier: MIT */
/* NSGA-II (Deb2002) for fitness
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
static void measure_capacity(const vxe_population *population, vxe_measure *measure, standing *of,
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

/* Puts those of a front with more room ahead. */
static void order_by_room(const vxe_search *search, standing *standings, uint32_t count)
{
    for (uint32_t first = 0, last = 0; first < count; first = last) {
        while (last < count && standings[last].front == standings[first].front) {
            last++;
        }
        measure_capacity(&search->living, measure_of(search), standings + first, last - first);
    }
    qsort(standings, count, sizeof *standings, compare_standings);
}

static vxe_status rank_by_room(const vxe_search *search, uint32_t *order, vxe_error *error)
{
    const vxe_population *living = &search->living;
    const uint32_t count = living->count;
    uint32_t *front = vxe_memory_take(count, sizeof *front);
    standing *standings = vxe_memory_take(count, sizeof *standings);
    vxe_status status = front && standings
                            ? vxe_order_fronts(living, measure_of(search), order, front, error)
                            : vxe_error_memory(error, count * (sizeof *front + sizeof *standings));
    for (uint32_t k = 0; k < count && !status; k++) {
        standings[k] = (standing){order[k], front[k], 0, living->members[order[k]].id};
    }
    if (!status) {
        order_by_room(search, standings, count);
    }
    for (uint32_t k = 0; k < count && !status; k++) {
        order[k] = standings[k].member;
    }
    vxe_memory_release(front);
    vxe_memory_release(standings);
    return status;
}

static vxe_status breed(vxe_search *search, vxe_error *error)
{
    const vxe_algorithm_settings *settings = &search->experiment->algorithm;
    const uint32_t count = search->living.count;
    uint32_t *order = vxe_rank(search, rank_by_room, error);
    vxe_status status = order ? VXE_OK : VXE_ERROR_MEMORY;
    while (!status && search->offspring.count < settings->population) {
        vxe_stream stream = vxe_choice_stream(search);
        uint32_t best = count;
        for (uint64_t i = 0; i < settings->tournament && count > 0; i++) {
            const uint32_t rival = vxe_stream_below(&stream, count);
            best = rival < best ? rival : best; /* they are ranked */
        }
        status = count > 0 ? vxe_breed_child(search, &search->living.members[order[best]], error)
                           : vxe_breed_random(search, error);
    }
    vxe_memory_release(order);
    return status;
}

static vxe_status select_roomy(vxe_search *search, vxe_error *error)
{
    return vxe_select_ranked(search, rank_by_room, error);
}

const vxe_algorithm vxe_algorithm_nsga2 = {.breed = breed, .select = select_roomy};
