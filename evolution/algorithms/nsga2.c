/* SPDX-License-Identifier: MIT */
/* NSGA-II (Deb2002) for fitness and a second objective, of which less is better. Whole Pareto
   fronts survive; of the last one, the least crowded members. */
#include <math.h>
#include <stdlib.h>

#include "common/assert_internal.h"
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

/* An individual with its front and crowding distance. */
typedef struct entry {
    uint32_t member, front;
    double crowding; /* crowding distance */
    uint64_t id;
} entry;

/* Order: by front, then the larger crowding distance first, then the younger first. */
static int compare_entries(const void *first, const void *second)
{
    const entry *a = first;
    const entry *b = second;
    if (a->front != b->front) {
        return a->front < b->front ? -1 : 1;
    }
    if (a->crowding > b->crowding || a->crowding < b->crowding) {
        return a->crowding > b->crowding ? -1 : 1;
    }
    return a->id > b->id ? -1 : a->id < b->id;
}

/* Computes crowding distances of one front, which is sorted by fitness and thus by the second
   objective: the sides of the box between the two neighbours, divided by those of the whole front.
   Both ends get infinity. */
static void compute_crowding(const vxe_population *population, vxe_measure *measure, entry *of,
                             uint32_t count)
{
    VXE_ASSERT(count > 0);
    const vxe_individual *members = population->members;
    const double wide =
        members[of[0].member].outcome.fitness - members[of[count - 1].member].outcome.fitness;
    const double high = measure(&members[of[0].member]) - measure(&members[of[count - 1].member]);
    for (uint32_t k = 0; k < count; k++) {
        if (k == 0 || k == count - 1) {
            of[k].crowding = HUGE_VAL;
            continue;
        }
        const vxe_individual *before = &members[of[k - 1].member];
        const vxe_individual *behind = &members[of[k + 1].member];
        of[k].crowding =
            (wide > 0 ? (before->outcome.fitness - behind->outcome.fitness) / wide : 0) +
            (high > 0 ? (measure(before) - measure(behind)) / high : 0);
    }
}

/* Sorts by front and crowding distance. */
static void order_by_crowding(const vxe_search *search, entry *entries, uint32_t count)
{
    for (uint32_t first = 0, last = 0; first < count; first = last) {
        while (last < count && entries[last].front == entries[first].front) {
            last++;
        }
        compute_crowding(&search->living, measure_of(search), entries + first, last - first);
    }
    qsort(entries, count, sizeof *entries, compare_entries);
}

static vxe_status rank_by_crowding(const vxe_search *search, uint32_t *order, vxe_error *error)
{
    const vxe_population *living = &search->living;
    const uint32_t count = living->count;
    uint32_t *front = vxe_memory_take(count, sizeof *front);
    entry *entries = vxe_memory_take(count, sizeof *entries);
    vxe_status status = front && entries
                            ? vxe_order_fronts(living, measure_of(search), order, front, error)
                            : vxe_error_memory(error, count * (sizeof *front + sizeof *entries));
    for (uint32_t k = 0; k < count && !status; k++) {
        entries[k] = (entry){order[k], front[k], 0, living->members[order[k]].id};
    }
    if (!status) {
        order_by_crowding(search, entries, count);
    }
    for (uint32_t k = 0; k < count && !status; k++) {
        order[k] = entries[k].member;
    }
    vxe_memory_release(front);
    vxe_memory_release(entries);
    return status;
}

static vxe_status breed(vxe_search *search, vxe_error *error)
{
    const vxe_algorithm_settings *settings = &search->experiment->algorithm;
    const uint32_t count = search->living.count;
    uint32_t *order = vxe_rank(search, rank_by_crowding, error);
    vxe_status status = order ? VXE_OK : VXE_ERROR_MEMORY;
    while (!status && search->offspring.count < settings->population) {
        vxe_stream stream = vxe_choice_stream(search);
        uint32_t best = count;
        for (uint64_t i = 0; i < settings->tournament && count > 0; i++) {
            const uint32_t rival = vxe_stream_below(&stream, count);
            best = rival < best ? rival : best; /* the survivors are sorted by rank */
        }
        status = count > 0 ? vxe_breed_child(search, &search->living.members[order[best]], error)
                           : vxe_breed_random(search, error);
    }
    vxe_memory_release(order);
    return status;
}

static vxe_status select_by_crowding(vxe_search *search, vxe_error *error)
{
    return vxe_select_ranked(search, rank_by_crowding, error);
}

const vxe_algorithm vxe_algorithm_nsga2 = {.breed = breed, .select = select_by_crowding};
