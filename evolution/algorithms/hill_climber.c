/* SPDX-License-Identifier: MIT */
/* Parallel hill climbers: each keeps the better of itself and its child. */
#include "common/assert_internal.h"
#include "evolution/search_internal.h"

/* Breeds a child of each climber, and newcomers in place of those that failed. */
static vxe_status breed_of_each(vxe_search *search, vxe_error *error)
{
    VXE_ASSERT(search->living.count <= search->experiment->algorithm.population);
    vxe_status status = VXE_OK;
    for (uint32_t k = 0; k < search->living.count && !status; k++) {
        status = vxe_breed_child(search, &search->living.members[k], error);
    }
    return status ? status
                  : vxe_breed_newcomers(
                        search, search->experiment->algorithm.population - search->living.count,
                        error);
}

/* A child that is at least as good replaces its parent. */
static vxe_status select_of_each(vxe_search *search, vxe_error *error)
{
    vxe_population *children = &search->offspring;
    VXE_ASSERT(children->count >= search->living.count);
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

const vxe_algorithm vxe_algorithm_climber = {.breed = breed_of_each, .select = select_of_each};
