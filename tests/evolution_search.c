/* SPDX-License-Identifier: MIT */
/* Selection compared with its definitions, and a search through its public interface. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evolution/search_internal.h"
#include "support.h"

/* Individuals with few different values of fitness and age, so that many are equal. */
static void fill_population(vxe_population *population, uint32_t count, vxe_stream *stream)
{
    vxe_error error;
    for (uint32_t k = 0; k < count; k++) {
        vxe_individual member = {
            .id = 1 + k,
            .origin = vxe_stream_below(stream, 12),
            .outcome = {.verdict = VXE_VERDICT_DONE, .fitness = vxe_stream_below(stream, 12)}};
        assert_int_equal(vxe_population_add(population, &member, &error), VXE_OK);
    }
}

/* Dominance of SchmidtLipson2011: as fit or fitter and as young or younger; of equal individuals
 * the later one dominates. */
static bool dominates(const vxe_individual *a, const vxe_individual *b)
{
    const double fa = a->outcome.fitness;
    const double fb = b->outcome.fitness;
    return fa >= fb && a->origin >= b->origin &&
           (fa > fb || a->origin > b->origin || a->id > b->id);
}

/* The Pareto fronts by definition: first the individuals that nobody dominates, then those
 * dominated only by the first front, and so on. */
static void find_fronts(const vxe_population *population, uint32_t *front)
{
    uint32_t left = population->count;
    memset(front, 255, population->count * sizeof *front);
    for (uint32_t number = 0; left > 0; number++) {
        for (uint32_t k = 0; k < population->count; k++) {
            bool first = front[k] >= number;
            for (uint32_t i = 0; i < population->count && first; i++) {
                first = front[i] < number ||
                        !dominates(&population->members[i], &population->members[k]);
            }
            if (front[k] == UINT32_MAX && first) {
                front[k] = number;
                left--;
            }
        }
    }
}

static double age(const vxe_individual *individual)
{
    return -(double)individual->origin;
}

static void fronts_are_those_of_the_definition(void **state)
{
    (void)state;
    vxe_stream stream = vxe_stream_open(11, 0, 0, 0);
    for (uint32_t trial = 0; trial < 50; trial++) {
        vxe_population population = {0};
        uint32_t order[100];
        uint32_t front[100];
        vxe_error error;
        const uint32_t count = 1 + vxe_stream_below(&stream, 100);
        fill_population(&population, count, &stream);
        assert_int_equal(vxe_order_fronts(&population, age, order, NULL, &error), VXE_OK);
        find_fronts(&population, front);
        for (uint32_t k = 1; k < count; k++) {
            assert_true(front[order[k - 1]] <= front[order[k]]);
            if (front[order[k - 1]] == front[order[k]]) {
                assert_true(population.members[order[k - 1]].outcome.fitness >=
                            population.members[order[k]].outcome.fitness);
            }
        }
        vxe_population_clear(&population);
    }
}

/* In any order, the named individuals are kept in that order, and the others are removed. */
static void populations_keep_the_named_individuals(void **state)
{
    (void)state;
    vxe_stream stream = vxe_stream_open(12, 0, 0, 0);
    for (uint32_t trial = 0; trial < 100; trial++) {
        vxe_population population = {0};
        uint32_t order[40];
        uint64_t ids[40];
        const uint32_t count = 1 + vxe_stream_below(&stream, 40);
        fill_population(&population, count, &stream);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t other = vxe_stream_below(&stream, k + 1);
            order[k] = k;
            order[k] = order[other];
            order[other] = k;
        }
        const uint32_t kept = vxe_stream_below(&stream, count + 1);
        for (uint32_t k = 0; k < kept; k++) {
            ids[k] = 1 + order[k];
        }
        vxe_population_keep(&population, order, kept);
        assert_int_equal(population.count, kept);
        for (uint32_t k = 0; k < kept; k++) {
            assert_true(population.members[k].id == ids[k]);
        }
        vxe_population_clear(&population);
    }
}

static const char *folder;

/* A search by the text of an experiment, in a folder named after its algorithm. */
static vxe_search *begin_by(const char *text, const char *algorithm)
{
    char path[80];
    char where[80];
    vxe_error error = {0};
    snprintf(path, sizeof path, "%s/experiment.json", folder);
    snprintf(where, sizeof where, "%s/%.20s", folder, algorithm);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
    vxe_search *search = vxe_search_create(path, where, 2, &error);
    if (!search) {
        fail_msg("%s", error.message);
    }
    return search;
}

/* A search of a few tiny bodies. */
static vxe_search *begin(const char *algorithm, bool audited)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"format\": \"voxelastic experiment\", \"version\": 1, \"size\": [4, 4, 4], "
             "\"seed\": 5, \"audit\": %s, \"world\": {\"materials\": "
             "[{\"thermal_expansion_per_K\": 0.01}, {}], "
             "\"actuation\": {\"enabled\": true, \"amplitude_K\": 20, \"period_s\": 0.05}}, "
             "\"task\": {\"duration_s\": 0.05, \"settle_time_s\": 0}, \"algorithm\": {\"name\": "
             "\"%s\", \"population\": 12, \"generations\": 8, \"first_bins\": 4, \"second_bins\": "
             "3}}",
             audited ? "true" : "false", algorithm);
    return begin_by(text, algorithm);
}

/* Runs all generations; after the last there are no more. */
static void run_to_end(vxe_search *search)
{
    vxe_error error = {0};
    for (vxe_search_facts facts = vxe_search_describe(search); facts.generation < facts.generations;
         facts = vxe_search_describe(search)) {
        if (vxe_search_advance(search, NULL, NULL, NULL, &error)) {
            fail_msg("%s", error.message);
        }
    }
    assert_int_equal(vxe_search_advance(search, NULL, NULL, NULL, &error), VXE_ERROR_ARGUMENT);
}

/* For each cell the archive contains the best individual ever evaluated, according to the table of
 * individuals. */
static void elites_are_the_best_of_their_cells(void **state)
{
    (void)state;
    vxe_search *search = begin("map-elites", false);
    double best[12];
    char path[100];
    char line[256];
    run_to_end(search);
    for (int i = 0; i < 12; i++) {
        best[i] = -HUGE_VAL;
    }
    snprintf(path, sizeof path, "%s/map-elites/individuals.csv", folder);
    FILE *stream = fopen(path, "r");
    int rows = 0;
    assert_non_null(stream);
    for (; fgets(line, sizeof line, stream); rows++) {
        double fitness = 0;
        unsigned voxels = 0;
        unsigned actuated = 0;
        const char *status = strstr(line, ",done,");
        if (status && sscanf(status, ",done,%lf,%u,%u", &fitness, &voxels, &actuated) == 3) {
            const vxe_outcome outcome = {.voxels = voxels, .actuated = actuated};
            const uint32_t cell = vxe_cell_of(search->experiment, &outcome);
            /* bins of voxels / 64 and actuated / voxels */
            assert_int_equal(cell, (voxels == 64 ? 3u : voxels / 16) +
                                       4 * (actuated == voxels ? 2u : 3 * actuated / voxels));
            best[cell] = fmax(best[cell], fitness);
        }
    }
    fclose(stream);
    assert_int_equal(rows, 1 + 8 * 12);
    uint32_t filled = 0;
    for (int i = 0; i < 12; i++) {
        filled += isfinite(best[i]) ? 1 : 0;
    }
    assert_int_equal(search->living.count, filled);
    for (uint32_t k = 0; k < search->living.count; k++) {
        const vxe_outcome *outcome = &search->living.members[k].outcome;
        assert_true(outcome->fitness == best[vxe_cell_of(search->experiment, outcome)]);
    }
    assert_true(filled > 2);
    vxe_search_destroy(search);
}

/* Survivors are taken front after front in fitness and number of voxels; the fittest survives. */
static void the_front_is_kept(void **state)
{
    (void)state;
    vxe_search *search = begin("nsga2", false);
    run_to_end(search);
    const vxe_population *living = &search->living;
    uint32_t smallest = UINT32_MAX;
    double fittest = -HUGE_VAL;
    for (uint32_t k = 0; k < living->count; k++) {
        const vxe_outcome *outcome = &living->members[k].outcome;
        smallest = outcome->voxels < smallest ? outcome->voxels : smallest;
        fittest = fmax(fittest, outcome->fitness);
    }
    assert_true(fittest == search->champion.outcome.fitness);
    /* the smallest of all that ever had a fitness, by the table */
    char path[100];
    char line[256];
    uint32_t min = UINT32_MAX;
    snprintf(path, sizeof path, "%s/nsga2/individuals.csv", folder);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        unsigned voxels = 0;
        const char *status = strstr(line, ",done,");
        if (status && sscanf(status, ",done,%*[^,],%u", &voxels) == 1 && voxels < min) {
            min = voxels;
        }
    }
    fclose(stream);
    assert_int_equal(smallest, min);
    vxe_search_destroy(search);
}

typedef struct patience {
    int calls, max;
} patience;

static bool lose_patience(const vxe_search_facts *facts, void *user)
{
    patience *p = user;
    assert_true(facts->share >= 0 && facts->share <= 1);
    return ++p->calls < p->max;
}

/* A generation that is stopped leaves no trace: repeating it gives the same result as an
 * uninterrupted search. */
static void stopped_generations_leave_no_trace(void **state)
{
    (void)state;
    static const char *const names[] = {"afpo", "ga", "climber", "random", "nsga2"};
    for (int i = 0; i < 5; i++) {
        vxe_search *search = begin(names[i], i == 1);
        vxe_error error = {0};
        bool stopped = false;
        uint64_t evaluations = 0;
        int stops = 0;
        for (int call = 0; evaluations < 96 && call < 10000; call++) {
            patience p = {0, 1 + call % 3};
            assert_int_equal(vxe_search_advance(search, lose_patience, &p, &stopped, &error),
                             VXE_OK);
            const vxe_search_facts facts = vxe_search_describe(search);
            assert_int_equal(facts.evaluations, evaluations + (stopped ? 0 : 12));
            evaluations = facts.evaluations;
            stops += stopped;
            if (call % 3 == 2 && stopped) {
                assert_int_equal(vxe_search_advance(search, NULL, NULL, &stopped, &error), VXE_OK);
                evaluations += 12;
            }
        }
        const vxe_search_facts facts = vxe_search_describe(search);
        assert_int_equal(facts.generation, 8);
        assert_true(stops > 0);
        vxe_search_destroy(search);
        folder = make_folder("evolution_search");
        search = begin(names[i], i == 1);
        run_to_end(search);
        const vxe_search_facts again = vxe_search_describe(search);
        assert_true(again.best == facts.best && again.best_fitness == facts.best_fitness);
        vxe_search_destroy(search);
    }
}

/* Undamped muscles of 20 % in a hundredth of a second. At 2.7 times the step, near the limit of
 * stability, several bodies gain energy that the guard lets pass. */
#define TREMBLING                                                                                  \
    "{\"format\": \"voxelastic experiment\", \"version\": 1, \"size\": [3, 3, 2], \"seed\": %d, "  \
    "\"audit\": %s, \"world\": {\"self_collision\": true, \"materials\": [{\"name\": "             \
    "\"muscle\", " MATTER "\"thermal_expansion_per_K\": 0.01}, {\"name\": \"antagonist\", " MATTER \
    "\"thermal_expansion_per_K\": -0.01}], \"actuation\": {\"enabled\": true, \"amplitude_K\": "   \
    "20, "                                                                                         \
    "\"period_s\": 0.02}}, \"task\": {\"duration_s\": 0.5, \"settle_time_s\": 0}, \"algorithm\": " \
    "{\"name\": \"ga\", \"population\": 16, \"generations\": 4}}"
#define MATTER                                                                                     \
    "\"youngs_modulus_Pa\": 1e5, \"density_kg_per_m3\": 1000, \"bond_damping\": 0, "               \
    "\"collision_damping\": 0, \"static_friction\": 0.5, \"dynamic_friction\": 0.5, "

/* How many individuals of a search ended as unphysical, and whether its champion holds. */
static int tremble(int seed, const char *audit, bool *holds)
{
    char text[2048];
    char line[256];
    vxe_error error = {0};
    bool stopped = false;
    int unphysical = 0;
    snprintf(text, sizeof text, TREMBLING, seed, audit);
    vxe_search *search = begin_by(text, "ga");
    search->step_scale = 2.7;
    run_to_end(search);
    assert_true(search->champion.id > 0);
    const vxe_runner runner = {.experiment = search->experiment, .threads = 1, .step_scale = 2.7};
    assert_int_equal(vxe_weigh(&runner, &search->champion, holds, &stopped, &error), VXE_OK);
    vxe_search_destroy(search);
    snprintf(text, sizeof text, "%s/ga/individuals.csv", folder);
    FILE *stream = fopen(text, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        unphysical += strstr(line, ",unphysical,") != NULL;
    }
    fclose(stream);
    folder = make_folder("evolution_search");
    return unphysical;
}

/* A search with audits ends with a champion that holds its energy; of those without, some do not (3
 * of 12 with x86-64-v3). */
static void champions_hold_their_energy(void **state)
{
    (void)state;
    int fallen = 0;
    for (int seed = 1; seed <= 12; seed++) {
        bool lets = false;
        bool holds = false;
        assert_int_equal(tremble(seed, "false", &lets), 0);
        const int found = tremble(seed, "true", &holds);
        assert_true(holds && (lets || found > 0));
        fallen += !lets;
    }
    assert_true(fallen > 0);
}

int main(void)
{
    folder = make_folder("evolution_search");
    const struct CMUnitTest tests[] = {cmocka_unit_test(fronts_are_those_of_the_definition),
                                       cmocka_unit_test(populations_keep_the_named_individuals),
                                       cmocka_unit_test(elites_are_the_best_of_their_cells),
                                       cmocka_unit_test(the_front_is_kept),
                                       cmocka_unit_test(champions_hold_their_energy),
                                       cmocka_unit_test(stopped_generations_leave_no_trace)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_folder();
    return failed;
}
