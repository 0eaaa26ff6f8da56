/* SPDX-License-Identifier: MIT */
/* CMA-ES (Hansen2016) over the numbers of controllers: a normal distribution that adapts to each
   generation. Only the last generation survives. */
#include <stdbool.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/algorithms/cma_internal.h"
#include "evolution/search_internal.h"

/* First distribution of phases: they are cycles, so any mean is as good as another. Weights of
   networks begin around 0. */
#define FIRST_PHASE 0.5
#define PHASE_DEVIATION 0.3

static vxe_status begin(const vxe_search *search, vxe_genome *memory, vxe_error *error)
{
    const vxe_experiment *e = search->experiment;
    const bool networks = e->network.sensor_count > 0;
    return vxe_cma_begin(memory, vxe_controller_size(e), networks ? 0 : FIRST_PHASE,
                         networks ? e->network.deviation : PHASE_DEVIATION, error);
}

static vxe_status breed(vxe_search *search, vxe_error *error)
{
    const uint64_t count = search->experiment->algorithm.population;
    const uint32_t n = vxe_controller_size(search->experiment);
    vxe_genome first = {0}; /* state of a search that has not begun; the search itself must not
                               change yet */
    const bool begun = search->memory.count > 0;
    VXE_ASSERT(!begun || vxe_cma_valid(&search->memory, n));
    vxe_status status = begun ? VXE_OK : begin(search, &first, error);
    double *workspace = vxe_memory_take(n, sizeof *workspace);
    status = status || workspace ? status : vxe_error_memory(error, n * sizeof *workspace);
    while (!status && search->offspring.count < count) {
        vxe_stream stream = vxe_choice_stream(search);
        vxe_genome point = {0};
        status = vxe_genome_take(&point, n, error);
        if (!status) {
            vxe_cma_sample(begun ? &search->memory : &first, &stream, point.genes, workspace);
            status = vxe_breed_sample(search, NULL, &point, error);
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

static bool remembers(const vxe_search *search)
{
    return vxe_cma_valid(&search->memory, vxe_controller_size(search->experiment));
}

const vxe_algorithm vxe_algorithm_cma_es = {
    .breed = breed, .select = select_last, .remembers = remembers, .starts = true};
