/* SPDX-License-Identifier: MIT */
/* Populations: arrays of individuals that grow, and are reordered in place. */
#include "common/assert_internal.h"
#include "evolution/algorithms/population_internal.h"

#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"

vxe_status vxe_population_add(vxe_population *population, vxe_individual *individual,
                              vxe_error *error)
{
    if (population->count == population->capacity) {
        const uint64_t capacity = population->capacity ? 2ull * population->capacity : 64;
        vxe_individual *members =
            vxe_memory_grow(population->members, population->count, capacity, sizeof *members);
        if (!members) {
            vxe_individual_clear(individual);
            return vxe_error_memory(error, capacity * sizeof *members);
        }
        population->members = members;
        population->capacity = (uint32_t)capacity;
    }
    population->members[population->count++] = *individual;
    *individual = (vxe_individual){0};
    return VXE_OK;
}

void vxe_population_keep(vxe_population *population, uint32_t *order, uint32_t count)
{
    VXE_ASSERT(count <= population->count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t from = order[k];
        while (from < k) { /* it was swapped to another place */
            from = order[from];
        }
        VXE_ASSERT(from < population->count);
        const vxe_individual here = population->members[k];
        population->members[k] = population->members[from];
        population->members[from] = here;
        order[k] = from;
    }
    for (uint32_t k = count; k < population->count; k++) {
        vxe_individual_clear(&population->members[k]);
    }
    population->count = count;
}

void vxe_population_clear(vxe_population *population)
{
    for (uint32_t k = 0; k < population->count; k++) {
        vxe_individual_clear(&population->members[k]);
    }
    vxe_memory_release(population->members);
    *population = (vxe_population){0};
}

vxe_status vxe_individual_copy(vxe_individual *copy, const vxe_individual *individual,
                               vxe_error *error)
{
    *copy = *individual;
    copy->body = NULL;
    copy->learned = (vxe_genome){0};
    const vxe_status status = vxe_genome_copy(&copy->genome, &individual->genome, error);
    return status || individual->learned.count == 0
               ? status
               : vxe_genome_copy(&copy->learned, &individual->learned, error);
}

void vxe_individual_clear(vxe_individual *individual)
{
    vxe_genome_clear(&individual->genome);
    vxe_genome_clear(&individual->learned);
    vxe_design_destroy(individual->body);
    *individual = (vxe_individual){0};
}

const char *vxe_verdict_name(vxe_verdict verdict)
{
    static const char *const names[] = {"waiting",  "done",      "diverged",  "refused",
                                        "rejected", "undefined", "unphysical"};
    _Static_assert(sizeof names / sizeof names[0] == VXE_VERDICT_UNPHYSICAL + 1, "one name each");
    VXE_ASSERT((unsigned)verdict <= VXE_VERDICT_UNPHYSICAL);
    return names[verdict];
}

const char *vxe_operator_name(vxe_operator made_by)
{
    static const char *const names[] = {"random", "mutation", "sample"};
    _Static_assert(sizeof names / sizeof names[0] == VXE_OPERATOR_SAMPLE + 1, "one name each");
    VXE_ASSERT((unsigned)made_by <= VXE_OPERATOR_SAMPLE);
    return names[made_by];
}
