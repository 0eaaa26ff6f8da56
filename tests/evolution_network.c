/* SPDX-License-Identifier: MIT */
/* Searches of the weights of controllers: what genomes become, the evolution strategy with mirrored
 * sampling, and champions that run as they were scored. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "engine/batch.h"
#include "evolution/genomes/development_internal.h"
#include "evolution/search_internal.h"
#include "lattice/formats/format.h"
#include "support.h"

#define WORLD                                                                                      \
    "\"voxel_size_m\": %g, \"materials\": [{\"youngs_modulus_Pa\": 1e5, "                          \
    "\"thermal_expansion_per_K\": 0.01}, {\"youngs_modulus_Pa\": 1e5}]"
#define BODY                                                                                       \
    ", \"voxels\": [[0,0,1,1],[1,0,1,1],[2,0,1,1],[3,0,1,1],[0,1,1,1],[1,1,1,1],[2,1,1,1],"        \
    "[3,1,1,1],[0,0,0,0],[0,1,0,0],[3,0,0,0],[3,1,0,0]]"
#define NETWORK                                                                                    \
    "\"network\": {\"sensors\": [\"clock\", \"group_place\", \"group_touch\"], \"hidden\": [3], "  \
    "\"groups\": [2, 2, 1], \"weight_deviation\": 0.5}"
enum { GROUPS_MOVED = 4, INPUTS = 3 + 4 * GROUPS_MOVED, HIDDEN = 3 };
enum { WEIGHTS = (INPUTS + 1) * HIDDEN + (HIDDEN + 1) * GROUPS_MOVED };

/* An experiment on a given body, or on bodies of a box; algorithm: its name. */
static const char *experiment_of(bool given, double edge, const char *algorithm)
{
    static char text[2000];
    char world[700];
    snprintf(world, sizeof world, WORLD, edge);
    snprintf(text, sizeof text,
             "{\"format\": \"voxelastic experiment\", \"version\": 1, \"seed\": 3, %s"
             "\"world\": {%s%s}, %s, \"encoding\": {\"name\": \"%s\"}, "
             "\"task\": {\"direction\": \"x\", \"duration_s\": 1, \"settle_time_s\": 0.1}, "
             "\"algorithm\": {\"name\": \"%s\", \"population\": 12, \"generations\": 8, "
             "\"first_bins\": 3, \"second_bins\": 3}}",
             given ? "" : "\"size\": [4, 3, 3], ", world, given ? BODY : "", NETWORK,
             given ? "controller" : "direct", algorithm);
    return text;
}

static vxe_experiment *parse(bool given, double edge)
{
    vxe_error error;
    const char *text = experiment_of(given, edge, "afpo");
    vxe_experiment *e = vxe_experiment_parse("test.json", text, strlen(text), &error);
    if (!e) {
        fail_msg("%s", error.message);
    }
    return e;
}

/* A search in a new folder of the present one. */
static vxe_search *begin(bool given, const char *algorithm, const char *folder)
{
    vxe_error error;
    char path[100];
    snprintf(path, sizeof path, "%s.json", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(experiment_of(given, 0.01, algorithm), stream);
    fclose(stream);
    vxe_search *search = vxe_search_create(path, folder, 2, &error);
    if (!search) {
        fail_msg("%s", error.message);
    }
    return search;
}

static void advance(vxe_search *search, int generations)
{
    vxe_error error;
    for (int i = 0; i < generations; i++) {
        if (vxe_search_advance(search, NULL, NULL, NULL, &error)) {
            fail_msg("%s", error.message);
        }
    }
}

static vxe_design *develop(const vxe_experiment *e, const vxe_genome *genome)
{
    vxe_phenotype phenotype;
    assert_true(vxe_encoding_of(e)->valid(e, genome));
    assert_int_equal(vxe_develop(e, genome, &phenotype, NULL), VXE_OK);
    return phenotype.design;
}

static void weights_count_in_edges(void **state)
{
    (void)state;
    vxe_design *design[2];
    for (int i = 0; i < 2; i++) {
        vxe_experiment *e = parse(true, i ? 0.1 : 0.01);
        vxe_stream stream = vxe_stream_open(1, 0, 0, 0);
        vxe_genome genome = {0};
        assert_int_equal(vxe_encoding_of(e)->make(e, &stream, &genome, NULL), VXE_OK);
        assert_int_equal(genome.count, WEIGHTS);
        design[i] = develop(e, &genome);
        vxe_genome_clear(&genome);
        vxe_experiment_destroy(e);
    }
    const float *small = design[0]->controller.weights;
    const float *large = design[1]->controller.weights;
    for (int i = 0; i < WEIGHTS; i++) {
        const int input = i / HIDDEN - 1; /* behind the biases */
        const bool place = input >= 3 && input < 3 + 3 * GROUPS_MOVED;
        check_relative("weight", (double)small[i], (double)large[i] * (place ? 10 : 1), 1e-6);
    }
    vxe_design_destroy(design[0]);
    vxe_design_destroy(design[1]);
}

static void muscles_have_the_group_of_their_place(void **state)
{
    (void)state;
    vxe_experiment *e = parse(true, 0.01);
    vxe_stream stream = vxe_stream_open(1, 0, 0, 0);
    vxe_genome genome = {0};
    assert_int_equal(vxe_encoding_of(e)->make(e, &stream, &genome, NULL), VXE_OK);
    vxe_design *design = develop(e, &genome);
    const vxe_layer *group = vxe_design_find_layer(design, "Group");
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const vxe_voxel *voxel = &design->voxels[v];
        const int place = (voxel->position[0] >= 2) + 2 * voxel->position[1];
        assert_true(group->values[v] == (voxel->material == 0 ? place : GROUPS_MOVED));
    }
    vxe_design_destroy(design);
    vxe_genome_clear(&genome);
    vxe_experiment_destroy(e);
}

static void a_mutation_changes_body_or_weights(void **state)
{
    (void)state;
    vxe_experiment *e = parse(false, 0.01);
    vxe_stream stream = vxe_stream_open(4, 0, 0, 0);
    vxe_genome parent = {0};
    assert_int_equal(vxe_encoding_of(e)->make(e, &stream, &parent, NULL), VXE_OK);
    const uint32_t body = parent.count - WEIGHTS;
    int bodies = 0;
    const int children = 400;
    for (int i = 0; i < children; i++) {
        vxe_genome child = {0};
        assert_int_equal(vxe_encoding_of(e)->mutate(e, &stream, &parent, &child, NULL), VXE_OK);
        assert_true(vxe_encoding_of(e)->valid(e, &child));
        const bool same_body = memcmp(child.genes, parent.genes, body * sizeof(double)) == 0;
        const bool same_weights =
            memcmp(child.genes + body, parent.genes + body, WEIGHTS * sizeof(double)) == 0;
        assert_true(same_body || same_weights);
        bodies += same_weights;
        vxe_genome_clear(&child);
    }
    /* half of them; four standard deviations of a binomial distribution */
    assert_true(abs(bodies - children / 2) < 4 * 10);
    vxe_genome_clear(&parent);
    vxe_experiment_destroy(e);
}

static void pairs_stand_on_both_sides_of_the_parent(void **state)
{
    (void)state;
    vxe_search *search = begin(true, "es", "mirrored");
    for (int generation = 0; generation < 2; generation++) {
        vxe_genome parent = {0};
        if (generation == 0) {
            assert_int_equal(vxe_genome_take(&parent, WEIGHTS, NULL), VXE_OK);
        } else {
            advance(search, 1);
            assert_int_equal(search->living.count, 1);
            assert_int_equal(vxe_genome_copy(&parent, &search->living.members[0].genome, NULL),
                             VXE_OK);
        }
        assert_int_equal(vxe_algorithm_es.breed(search, NULL), VXE_OK);
        assert_int_equal(search->offspring.count, 12);
        double squares = 0;
        for (uint32_t k = 0; k < search->offspring.count; k += 2) {
            const double *one = search->offspring.members[k].genome.genes;
            const double *other = search->offspring.members[k + 1].genome.genes;
            for (int i = 0; i < WEIGHTS; i++) {
                assert_true(fabs(one[i] + other[i] - 2 * parent.genes[i]) < 1e-12);
                squares += (one[i] - parent.genes[i]) * (one[i] - parent.genes[i]);
            }
        }
        /* the deviation that is asked for; 6 x 70 draws spread by 3.5 % */
        const double wanted = generation == 0 ? 0.5 : search->memory.genes[0];
        check_relative("deviation", sqrt(squares / (6 * WEIGHTS)), wanted, 0.15);
        vxe_population_clear(&search->offspring);
        vxe_genome_clear(&parent);
    }
    vxe_search_destroy(search);
}

/* The deviation grows where more children than wanted are better than their parent, and shrinks
 * where none is; what is wanted is about a seventh of twelve. */
static void the_deviation_follows_success(void **state)
{
    (void)state;
    for (int good = 0; good < 2; good++) {
        vxe_search *search = begin(true, "es", good ? "good" : "bad");
        advance(search, 1);
        const uint64_t parent = search->living.members[0].id;
        const double bar = search->living.members[0].outcome.fitness;
        assert_int_equal(vxe_algorithm_es.breed(search, NULL), VXE_OK);
        for (uint32_t k = 0; k < search->offspring.count; k++) {
            vxe_individual *child = &search->offspring.members[k];
            assert_int_equal(child->parent, parent);
            child->outcome.verdict = VXE_VERDICT_DONE;
            child->outcome.fitness = bar + (good ? 1 : -1) * (1.0 + k);
        }
        assert_int_equal(vxe_algorithm_es.select(search, NULL), VXE_OK);
        /* Igel2007: exp((p - w)/(d (1 - w))), d = 1 + n/(2 x 12), p = w (1 - c) + c share, with
           w = 1/(5 + sqrt(12)/2) and c = 12 w/(2 + 12 w) */
        const double w = 1 / (5 + sqrt(12) / 2);
        const double c = 12 * w / (2 + 12 * w);
        const double p = w * (1 - c) + c * good;
        check_relative("deviation", search->memory.genes[0],
                       0.5 * exp((p - w) / ((1 + WEIGHTS / 24.0) * (1 - w))), 1e-9);
        vxe_search_destroy(search);
    }
}

/* Fitness of a design of a search's folder, run by itself. */
static double fitness_of(const char *path)
{
    vxe_error error;
    vxe_design *design = vxe_design_read(path, &error);
    if (!design) {
        fail_msg("%s", error.message);
    }
    vxe_batch_def def = vxe_batch_def_default();
    vxe_batch *batch = vxe_batch_create(&def, &error);
    assert_int_equal(vxe_batch_add(batch, design, NULL), VXE_OK);
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, NULL), VXE_OK);
    const double fitness = vxe_batch_result_of(batch, 0).fitness;
    vxe_batch_destroy(batch);
    vxe_design_destroy(design);
    return fitness;
}

static void searches_improve_and_champions_run_as_scored(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm;
        bool given;
    } searches[] = {{"es", true}, {"cma-es", true}, {"afpo", false}, {"map-elites", false}};
    for (size_t i = 0; i < sizeof searches / sizeof searches[0]; i++) {
        char folder[40];
        char path[80];
        snprintf(folder, sizeof folder, "improves-%s", searches[i].algorithm);
        vxe_search *search = begin(searches[i].given, searches[i].algorithm, folder);
        advance(search, 1);
        const double first = vxe_search_describe(search).best_fitness;
        advance(search, 7);
        const double last = vxe_search_describe(search).best_fitness;
        printf("  %-10s %.4f m, then %.4f m\n", searches[i].algorithm, first, last);
        assert_true(last > 1.2 * first);
        vxe_search_destroy(search);
        snprintf(path, sizeof path, "%s/best/champion.json", folder);
        assert_true(fitness_of(path) == last);
    }
}

static void a_resumed_search_goes_on_alike(void **state)
{
    (void)state;
    vxe_error error;
    vxe_search *whole = begin(true, "es", "whole");
    vxe_search *part = begin(true, "es", "part");
    advance(whole, 6);
    advance(part, 3);
    vxe_search_destroy(part);
    part = vxe_search_resume(NULL, "part", 1, &error);
    if (!part) {
        fail_msg("%s", error.message);
    }
    advance(part, 3);
    assert_true(part->memory.genes[0] == whole->memory.genes[0]);
    assert_true(vxe_search_describe(part).best_fitness == vxe_search_describe(whole).best_fitness);
    assert_int_equal(part->living.members[0].outcome.hash, whole->living.members[0].outcome.hash);
    vxe_search_destroy(part);
    vxe_search_destroy(whole);
}

/* An experiment with one text in the place of another is refused with these words. */
static void refuse(bool given, const char *algorithm, const char *old, const char *other,
                   const char *words)
{
    vxe_error error = {0};
    char text[3000];
    const char *good = experiment_of(given, 0.01, algorithm);
    const char *at = strstr(good, old);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, other, at + strlen(old));
    vxe_experiment *e = vxe_experiment_parse("test.json", text, strlen(text), &error);
    if (e || !strstr(error.message, words)) {
        fail_msg("%s: %s", words, e ? "not refused" : error.message);
    }
}

static void what_cannot_be_searched_is_refused(void **state)
{
    (void)state;
    refuse(true, "afpo", "\"clock\"", "\"clocks\"", "no sensor \"clocks\"");
    refuse(true, "afpo", "[\"clock\", \"group_place\", \"group_touch\"]", "[]", "1 to 20 names");
    refuse(true, "afpo", "\"thermal_expansion_per_K\": 0.01", "\"density_kg_per_m3\": 1000",
           "nothing of the body moves");
    refuse(true, "afpo", "[3]", "[0]", "\"hidden\" must be a list");
    refuse(true, "afpo", "[2, 2, 1]", "[2, 2]", "\"groups\" must be a list of 3 whole");
    refuse(true, "afpo", "\"weight_deviation\": 0.5", "\"weight\": 1", "weight");
    refuse(false, "afpo", "\"clock\"", "\"voxel_place\"", "bodies that are searched");
    refuse(false, "es", "es", "es", "\"es\" is for the encoding");
    refuse(true, "cma-es", "[3]", "[60]", "at most 400 numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_count_in_edges),
        cmocka_unit_test(muscles_have_the_group_of_their_place),
        cmocka_unit_test(a_mutation_changes_body_or_weights),
        cmocka_unit_test(pairs_stand_on_both_sides_of_the_parent),
        cmocka_unit_test(the_deviation_follows_success),
        cmocka_unit_test(searches_improve_and_champions_run_as_scored),
        cmocka_unit_test(a_resumed_search_goes_on_alike),
        cmocka_unit_test(what_cannot_be_searched_is_refused)};
    if (chdir(make_folder("evolution_network"))) {
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_folder();
    return failed;
}
