/* SPDX-License-Identifier: MIT */
/* CMA-ES over the numbers of controllers: a normal distribution that learns from each generation.
   What lives on is the last generation. */
#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/algorithms/cma_internal.h"
#include "evolution/search_internal.h"

/* Where it begins: phases are cycles, and any is as likely as another. */
#define FIRST_MEAN 0.5
#define FIRST_DEVIATION 0.3

static vxe_status begin(const vxe_search *search, vxe_genome *memory, vxe_error *error)
{
    return vxe_cma_begin(memory, vxe_controller_size(search->experiment), FIRST_MEAN,
                         FIRST_DEVIATION, error);
}

static vxe_status breed(vxe_search *search, vxe_error *error)
{
    const uint64_t count = search->experiment->algorithm.population;
    const uint32_t n = vxe_controller_size(search->experiment);
    vxe_genome first = {0}; /* of a search that has not begun: it must leave no trace */
    const bool begun = search->memory.count > 0;
    vxe_status status = begun ? VXE_OK : begin(search, &first, error);
    double *workspace = vxe_memory_take(n, sizeof *workspace);
    status = status || workspace ? status : vxe_error_memory(error, n * sizeof *workspace);
    while (!status && search->offspring.count < count) {
        vxe_stream stream = vxe_choice_stream(search);
        vxe_genome point = {0};
        status = vxe_genome_take(&point, n, error);
        if (!status) {
            vxe_cma_sample(begun ? &search->memory : &first, &stream, point.genes, workspace);
            status = vxe_breed_sample(search, &point, error);
        }
    }
    vxe_memory_release(workspace);
    vxe_genome_clear(&first);
    return status;
}

static vxe_status learn(vxe_search *search, vxe_error *error)
{
    const vxe_population *living = &search->living;
    const double **points = vxe_memory_take(living->count, sizeof *points);
    if (!points) {
        return vxe_error_memory(error, living->count * sizeof *points);
    }
    for (uint32_t k = 0; k < living->count; k++) {
        points[k] = living->members[k].genome.genes;
    }
    vxe_status status = search->memory.count > 0 ? VXE_OK : begin(search, &search->memory, error);
    status =
        status ? status
               : vxe_cma_update(&search->memory, (uint32_t)search->experiment->algorithm.population,
                                points, living->count, error);
    vxe_memory_release(points);
    return status;
}

static vxe_status select_last(vxe_search *search, vxe_error *error)
{
    vxe_population_clear(&search->living);
    const vxe_status status = vxe_select_ranked(search, vxe_rank_by_fitness, error);
    return status ? status : learn(search, error);
}

const vxe_algorithm vxe_algorithm_cma_es = {.breed = breed, .select = select_last, .starts = true};
