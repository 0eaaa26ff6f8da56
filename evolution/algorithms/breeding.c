/* SPDX-License-Identifier: MIT */
/* Makes individuals: genomes at random or by mutation, developed into bodies. Random streams are
   named by seed, generation, index and purpose, so that results do not depend on the order of
   work. */
#include <stddef.h>

#include "common/assert_internal.h"
#include "evolution/search_internal.h"

/* Purposes of random streams. */
enum { PURPOSE_RANDOM, PURPOSE_MUTATION, PURPOSE_CHOICE, PURPOSE_PAIR };

static vxe_stream stream_for(const vxe_search *search, uint32_t purpose)
{
    return vxe_stream_open(search->experiment->seed, search->offspring.count, search->generation,
                           purpose);
}

vxe_stream vxe_choice_stream(const vxe_search *search)
{
    return stream_for(search, PURPOSE_CHOICE);
}

vxe_stream vxe_pair_stream(const vxe_search *search)
{
    return vxe_stream_open(search->experiment->seed, search->offspring.count / 2,
                           search->generation, PURPOSE_PAIR);
}

/* Develops the genome of an individual and stores body and shape. */
static vxe_status take_body(const vxe_experiment *e, vxe_individual *child, vxe_error *error)
{
    vxe_phenotype phenotype;
    const vxe_status status = vxe_develop(e, &child->genome, &phenotype, error);
    if (status) {
        return status;
    }
    child->body = phenotype.design;
    child->outcome = (vxe_outcome){
        .hash = phenotype.hash, .voxels = phenotype.voxels, .actuated = phenotype.actuated};
    for (int c = 0; c < 3; c++) {
        child->outcome.extent[c] = phenotype.extent[c];
    }
    return VXE_OK;
}

/* Makes genomes, at random or from a parent, until one gives a body that is allowed and differs
   from the parent's. After the last attempt, the last genome stays. */
static vxe_status try_genomes(vxe_search *search, const vxe_individual *parent,
                              vxe_individual *child, vxe_error *error)
{
    const vxe_experiment *e = search->experiment;
    const vxe_encoding *encoding = vxe_encoding_of(e);
    VXE_ASSERT(e->encoding.attempts > 0);
    vxe_stream stream = stream_for(search, parent ? PURPOSE_MUTATION : PURPOSE_RANDOM);
    vxe_status status = VXE_OK;
    bool found = false;
    for (uint64_t i = 0; i < e->encoding.attempts && !status && !found; i++) {
        vxe_individual_clear(child);
        status = parent ? encoding->mutate(e, &stream, &parent->genome, &child->genome, error)
                        : encoding->make(e, &stream, &child->genome, error);
        status = status ? status : take_body(e, child, error);
        found = child->body && !(parent && parent->outcome.hash == child->outcome.hash);
    }
    return status;
}

/* Adds a child to the offspring. */
static vxe_status enter(vxe_search *search, const vxe_individual *parent, vxe_individual *child,
                        vxe_operator made_by, vxe_error *error)
{
    VXE_ASSERT(!parent || parent->id < search->next_id);
    VXE_ASSERT(child->genome.genes);
    child->id = search->next_id + search->offspring.count;
    child->parent = parent ? parent->id : 0;
    child->made_by = made_by;
    child->generation = search->generation;
    child->origin = parent ? parent->origin : search->generation;
    return vxe_population_add(&search->offspring, child, error);
}

static vxe_status breed(vxe_search *search, const vxe_individual *parent, vxe_error *error)
{
    vxe_individual child = {0};
    const vxe_status status = try_genomes(search, parent, &child, error);
    if (status) {
        vxe_individual_clear(&child);
        return status;
    }
    return enter(search, parent, &child, parent ? VXE_OPERATOR_MUTATION : VXE_OPERATOR_RANDOM,
                 error);
}

vxe_status vxe_breed_sample(vxe_search *search, const vxe_individual *parent, vxe_genome *genome,
                            vxe_error *error)
{
    vxe_individual child = {.genome = *genome};
    *genome = (vxe_genome){0};
    const vxe_status status = take_body(search->experiment, &child, error);
    if (status) {
        vxe_individual_clear(&child);
        return status;
    }
    return enter(search, parent, &child, VXE_OPERATOR_SAMPLE, error);
}

vxe_status vxe_breed_random(vxe_search *search, vxe_error *error)
{
    return breed(search, NULL, error);
}

vxe_status vxe_breed_child(vxe_search *search, const vxe_individual *parent, vxe_error *error)
{
    return breed(search, parent, error);
}

vxe_status vxe_breed_newcomers(vxe_search *search, uint64_t count, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint64_t i = 0; i < count && !status; i++) {
        status = vxe_breed_random(search, error);
    }
    return status;
}
