/* SPDX-License-Identifier: MIT */
/* Pareto fronts of fitness, of which more is better, and a second objective, of which less is
   better. */
#include <stdlib.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/search_internal.h"

typedef struct rival {
    double fitness;
    uint64_t id;
    double measure;
    uint32_t member, front;
} rival;

/* Order: fitness, then the smaller second objective, then the younger first. */
static int compare_fitness(const void *first, const void *second)
{
    const rival *a = first;
    const rival *b = second;
    if (a->fitness > b->fitness || a->fitness < b->fitness) {
        return a->fitness > b->fitness ? -1 : 1;
    }
    if (a->measure > b->measure || a->measure < b->measure) {
        return a->measure < b->measure ? -1 : 1;
    }
    return a->id > b->id ? -1 : a->id < b->id;
}

static int compare_fronts(const void *first, const void *second)
{
    const rival *a = first;
    const rival *b = second;
    return a->front != b->front ? (a->front < b->front ? -1 : 1) : compare_fitness(first, second);
}

/* Assigns fronts to individuals that are sorted by fitness. An individual is dominated by earlier
   ones whose second objective is not larger. Of each front only the smallest value so far matters;
   these values grow from front to front, so a binary search finds the front. */
static void find_fronts(rival *rivals, uint32_t count, double *min)
{
    uint32_t fronts = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t low = 0;
        uint32_t high = fronts;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (min[middle] <= rivals[k].measure) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        fronts += low == fronts;
        min[low] = rivals[k].measure;
        rivals[k].front = low;
        VXE_ASSERT(fronts <= k + 1 && low < fronts);
    }
}

vxe_status vxe_order_fronts(const vxe_population *population, vxe_measure *measure, uint32_t *order,
                            uint32_t *front, vxe_error *error)
{
    const uint32_t count = population->count;
    rival *rivals = vxe_memory_take(count, sizeof *rivals);
    double *min = vxe_memory_take(count, sizeof *min);
    vxe_status status = VXE_OK;
    if (rivals && min) {
        for (uint32_t k = 0; k < count; k++) {
            const vxe_individual *member = &population->members[k];
            rivals[k] = (rival){member->outcome.fitness, member->id, measure(member), k, 0};
        }
        qsort(rivals, count, sizeof *rivals, compare_fitness);
        find_fronts(rivals, count, min);
        qsort(rivals, count, sizeof *rivals, compare_fronts);
        for (uint32_t k = 0; k < count; k++) {
            order[k] = rivals[k].member;
            if (front) {
                front[k] = rivals[k].front;
            }
        }
    } else {
        status = vxe_error_memory(error, count * (sizeof *rivals + sizeof *min));
    }
    vxe_memory_release(rivals);
    vxe_memory_release(min);
    return status;
}
