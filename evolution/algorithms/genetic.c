/* SPDX-License-Identifier: MIT */
/* A (mu + lambda) genetic algorithm: parents by tournament, truncation selection. */
#include "common/assert_internal.h"
#include "evolution/search_internal.h"

/* Returns the best of some survivors, drawn with replacement. */
static const vxe_individual *hold_tournament(const vxe_search *search)
{
    VXE_ASSERT(search->living.count > 0 && search->experiment->algorithm.tournament > 0);
    vxe_stream stream = vxe_choice_stream(search);
    const vxe_individual *best = NULL;
    for (uint64_t i = 0; i < search->experiment->algorithm.tournament; i++) {
        const vxe_individual *member =
            &search->living.members[vxe_stream_below(&stream, search->living.count)];
        best = !best || vxe_is_better(member, best) ? member : best;
    }
    return best;
}

static vxe_status breed_by_tournament(vxe_search *search, vxe_error *error)
{
    const uint64_t count = search->experiment->algorithm.population;
    vxe_status status = VXE_OK;
    while (search->offspring.count < count && !status) {
        status = search->living.count > 0 ? vxe_breed_child(search, hold_tournament(search), error)
                                          : vxe_breed_random(search, error);
    }
    return status;
}

const vxe_algorithm vxe_algorithm_ga = {.breed = breed_by_tournament, .select = vxe_select_best};
