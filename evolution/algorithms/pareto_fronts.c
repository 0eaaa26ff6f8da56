/* SPDX-License-Identifier: MIT */
/* Pareto fronts of fitness, of which more is better, and of something of which less is. */
#include <stdlib.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/search_internal.h"

typedef struct rival {
    double fitness;
    uint64_t id;
    double measure;
    uint32_t member, front;
} rival;

/* By fitness; of equals the one with less, and then the later, ahead. */
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

/* Of rivals in the order of fitness each is behind those ahead of it that have no more. The least
   of a front so far is all that matters of it, and grows from front to front. */
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
