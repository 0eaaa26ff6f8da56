/* SPDX-License-Identifier: MIT */
/* Age-fitness Pareto optimisation. Each generation is as large as the population: a child of each
   of the living in turn, and newcomers at random, who need only be better than others of their age.
   Children are as old as their parents' line. */
#include <stddef.h>

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

static double age(const vxe_individual *individual)
{
    return -(double)individual->origin; /* from some time on; it is the order that matters */
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
    status = order ? vxe_order_fronts(&search->living, age, order, NULL, error)
                   : vxe_error_memory(error, count * sizeof *order);
    if (!status) {
        vxe_population_keep(&search->living, order, most < count ? (uint32_t)most : count);
    }
    vxe_memory_release(order);
    return status;
}

const vxe_algorithm vxe_algorithm_afpo = {.breed = breed, .select = select_fronts};
