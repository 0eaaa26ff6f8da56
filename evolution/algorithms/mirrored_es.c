/* SPDX-License-Identifier: MIT */
/* (1+lambda) evolution strategy with mirrored sampling (Brockhoff2010): children stand in pairs on
   both sides of the parent, and the best of them and the parent lives on. The deviation follows
   the part of children that are better than their parent (Igel2007, section 2.1, without its
   covariance). */
#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "evolution/search_internal.h"

/* The deviation stays above this part of the first one: below, children would be their parent. */
#define SMALLEST 1e-6

/* What the algorithm remembers. */
enum { DEVIATION, SUCCESS, NUMBERS };

/* Part of successful children at which the deviation stays. */
static double wanted_success(double children)
{
    return 1 / (5 + sqrt(children) / 2);
}

/* The memory of a search that begins. */
static vxe_status begin(const vxe_search *search, vxe_genome *memory, vxe_error *error)
{
    const vxe_experiment *e = search->experiment;
    const vxe_status status = vxe_genome_take(memory, NUMBERS, error);
    if (!status) {
        memory->genes[DEVIATION] = e->network.deviation;
        memory->genes[SUCCESS] = wanted_success((double)e->algorithm.population);
    }
    return status;
}

/* Adds a child beside the parent, or beside zeros: by the same random numbers as the one before,
   with the other sign, where it is the second of a pair. */
static vxe_status add_child(vxe_search *search, double deviation, vxe_error *error)
{
    const uint32_t n = vxe_controller_size(search->experiment);
    const uint32_t number = search->offspring.count;
    const vxe_individual *parent = search->living.count > 0 ? search->living.members : NULL;
    const double side = number % 2 ? -deviation : deviation;
    vxe_stream stream = vxe_pair_stream(search);
    vxe_genome point = {0};
    const vxe_status status = vxe_genome_take(&point, n, error);
    for (uint32_t i = 0; i < n && !status; i++) {
        const double from = parent ? parent->genome.genes[i] : 0;
        point.genes[i] = from + side * vxe_stream_normal(&stream);
    }
    return status ? status : vxe_breed_sample(search, parent, &point, error);
}

static vxe_status breed(vxe_search *search, vxe_error *error)
{
    const uint64_t count = search->experiment->algorithm.population;
    const double deviation = search->memory.count > 0 ? search->memory.genes[DEVIATION]
                                                      : search->experiment->network.deviation;
    VXE_ASSERT(search->memory.count == 0 || search->memory.count == NUMBERS);
    vxe_status status = VXE_OK;
    while (search->offspring.count < count && !status) {
        status = add_child(search, deviation, error);
    }
    return status;
}

/* Adapts the deviation to a generation of which a part was better than the parent. */
static void adapt(vxe_search *search, double better)
{
    const double children = (double)search->experiment->algorithm.population;
    const double n = vxe_controller_size(search->experiment);
    const double wanted = wanted_success(children);
    const double damping = 1 + n / (2 * children);
    const double rate = wanted * children / (2 + wanted * children);
    double *memory = search->memory.genes;
    memory[SUCCESS] = (1 - rate) * memory[SUCCESS] + rate * better;
    const double next =
        memory[DEVIATION] * vxe_exponential((memory[SUCCESS] - wanted) / (damping * (1 - wanted)));
    memory[DEVIATION] = fmax(next, SMALLEST * search->experiment->network.deviation);
}

static vxe_status select_best(vxe_search *search, vxe_error *error)
{
    const vxe_individual *parent = search->living.count > 0 ? search->living.members : NULL;
    const double bar = parent ? parent->outcome.fitness : (double)-INFINITY;
    uint32_t better = 0;
    for (uint32_t k = 0; k < search->offspring.count; k++) {
        const vxe_individual *child = &search->offspring.members[k];
        better += vxe_is_fit(child) && child->outcome.fitness > bar;
    }
    const double part = better / (double)search->experiment->algorithm.population;
    vxe_status status = search->memory.count > 0 ? VXE_OK : begin(search, &search->memory, error);
    if (!status && parent) { /* the first generation has no parent to be better than */
        adapt(search, part);
    }
    status = status ? status : vxe_join(search, error);
    uint32_t *order = status ? NULL : vxe_rank(search, vxe_rank_by_fitness, error);
    if (!order) {
        return status ? status : VXE_ERROR_MEMORY;
    }
    vxe_population_keep(&search->living, order, search->living.count > 0 ? 1 : 0);
    vxe_memory_release(order);
    return VXE_OK;
}

static bool remembers(const vxe_search *search)
{
    const double *memory = search->memory.genes;
    return search->memory.count == NUMBERS && memory[DEVIATION] > 0 &&
           isfinite(memory[DEVIATION]) && memory[SUCCESS] >= 0 && memory[SUCCESS] <= 1;
}

const vxe_algorithm vxe_algorithm_es = {
    .breed = breed, .select = select_best, .remembers = remembers, .starts = true};
