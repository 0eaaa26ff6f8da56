/* SPDX-License-Identifier: MIT */
/* Age-fitness Pareto optimisation (SchmidtLipson2011). Each generation is as large as the
   population: a child of each of the living in turn, and newcomers at random, who need only be
   better than others of their age. Children are as old as their parents' line. */
#include <stddef.h>

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

static vxe_status rank_by_fronts(const vxe_search *search, uint32_t *order, vxe_error *error)
{
    return vxe_order_fronts(&search->living, age, order, NULL, error);
}

static vxe_status select_fronts(vxe_search *search, vxe_error *error)
{
    return vxe_select_ranked(search, rank_by_fronts, error);
}

const vxe_algorithm vxe_algorithm_afpo = {.breed = breed, .select = select_fronts};
