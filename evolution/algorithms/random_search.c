/* SPDX-License-Identifier: MIT */
/* Random search: every individual is new; the best are kept. */
#include "common/assert_internal.h"
#include "evolution/search_internal.h"

static vxe_status breed_at_random(vxe_search *search, vxe_error *error)
{
    VXE_ASSERT(search->offspring.count == 0);
    return vxe_breed_newcomers(search, search->experiment->algorithm.population, error);
}

const vxe_algorithm vxe_algorithm_random = {.breed = breed_at_random, .select = vxe_select_best};
