/* SPDX-License-Identifier: MIT */
/* MAP-Elites (MouretClune2015): an
   archive of the best body for each pair of what bodies look like. */
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/search_internal.h"

static vxe_status breed(vxe_search *search, vxe_error *error)
{
    const uint64_t count = search->experiment->algorithm.population;
    vxe_status status = VXE_OK;
    while (search->offspring.count < count && !status) {
        vxe_stream stream = vxe_choice_stream(search);
        const vxe_population *living = &search->living;
        status =
            living->count > 0
                ? vxe_breed_child(search,
                                  &living->members[vxe_stream_below(&stream, living->count)], error)
                : vxe_breed_random(search, error);
    }
    return status;
}

/* 0 to 1. */
static double describe(const vxe_experiment *e, uint32_t descriptor, const vxe_outcome *outcome)
{
    switch (descriptor) {
    case VXE_DESCRIPTOR_VOXELS:
        return (double)outcome->voxels / vxe_cell_count(e);
    case VXE_DESCRIPTOR_ACTUATED:
        return (double)outcome->actuated / outcome->voxels;
    case VXE_DESCRIPTOR_LENGTH:
        return (double)outcome->extent[0] / e->size[0];
    case VXE_DESCRIPTOR_WIDTH:
        return (double)outcome->extent[1] / e->size[1];
    default:
        return (double)outcome->extent[2] / e->size[2];
    }
}

static uint32_t bin_of(double part, uint64_t bins)
{
    const uint32_t bin = (uint32_t)(part * (double)bins);
    return bin < bins ? bin : (uint32_t)bins - 1;
}

uint32_t vxe_cell_of(const vxe_experiment *e, const vxe_outcome *outcome)
{
    const vxe_algorithm_settings *settings = &e->algorithm;
    const double first = describe(e, settings->first_descriptor, outcome);
    const double second = describe(e, settings->second_descriptor, outcome);
    return bin_of(first, settings->first_bins) +
           (uint32_t)settings->first_bins * bin_of(second, settings->second_bins);
}

/* The best of each cell, in the order of cells. */
static vxe_status select_elites(vxe_search *search, vxe_error *error)
{
    const vxe_experiment *e = search->experiment;
    const uint64_t cells = e->algorithm.first_bins * e->algorithm.second_bins;
    vxe_status status = vxe_join(search, error);
    uint32_t *elite = vxe_memory_take(cells, sizeof *elite); /* one more than its place */
    vxe_population *living = &search->living;
    if (!status && !elite) {
        status = vxe_error_memory(error, cells * sizeof *elite);
    }
    for (uint32_t k = 0; k < living->count && !status; k++) {
        const uint32_t cell = vxe_cell_of(e, &living->members[k].outcome);
        const uint32_t holder = elite[cell];
        if (holder == 0 || vxe_is_better(&living->members[k], &living->members[holder - 1])) {
            elite[cell] = k + 1;
        }
    }
    uint32_t count = 0;
    for (uint64_t i = 0; i < cells && !status; i++) {
        if (elite[i] > 0) {
            elite[count++] = elite[i] - 1; /* what it overwrites has been read */
        }
    }
    if (!status) {
        vxe_population_keep(living, elite, count);
    }
    vxe_memory_release(elite);
    return status;
}

const vxe_algorithm vxe_algorithm_map_elites = {.breed = breed, .select = select_elites};
