/* SPDX-License-Identifier: MIT */
/* Generations in two halves: asked for, and told their fitness. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "engine/batch.h"
#include "evolution/search.h"
#include "lattice/formats/format.h"
#include "support.h"

#define MAX_BODIES 64

static const char *folder;

/* A search of a few tiny bodies, with audits by ga, or a controller of a body of four muscles by
   cma-es. */
static void experiment_text(const char *algorithm, char *text, size_t size)
{
    const bool controls = strcmp(algorithm, "cma-es") == 0;
    snprintf(text, size,
             "{\"format\": \"voxelastic experiment\", \"version\": 1, \"seed\": 5, %s%s"
             "\"world\": {%s\"materials\": [{\"thermal_expansion_per_K\": 0.01}, {}], "
             "\"actuation\": {\"enabled\": true, \"amplitude_K\": 20, \"period_s\": 0.05}}, "
             "\"task\": {\"duration_s\": 0.05, \"settle_time_s\": 0}, \"encoding\": {\"name\": "
             "\"%s\"}, \"algorithm\": {\"name\": \"%s\", \"population\": 12, \"generations\": 6}}",
             strcmp(algorithm, "ga") == 0 ? "\"audit\": true, " : "",
             controls ? "" : "\"size\": [4, 4, 4], ",
             controls ? "\"voxels\": [[0,0,0,0],[1,0,0,0],[2,0,0,0],[3,0,0,0]], " : "",
             controls ? "controller" : "cppn", algorithm);
}

static vxe_search *begin(const char *algorithm, const char *where)
{
    char text[1024];
    char path[200];
    vxe_error error = {0};
    experiment_text(algorithm, text, sizeof text);
    snprintf(path, sizeof path, "%s/%s", folder, where);
    vxe_search *search = vxe_search_create_text(text, strlen(text), "the text", path, 2, &error);
    if (!search) {
        fail_msg("%s", error.message);
    }
    return search;
}

static uint32_t ask(vxe_search *search)
{
    vxe_error error = {0};
    uint32_t count = MAX_BODIES;
    if (vxe_search_ask(search, &count, &error)) {
        fail_msg("%s", error.message);
    }
    assert_true(count <= 12);
    assert_int_equal(vxe_search_describe(search).asked, count);
    assert_null(vxe_search_asked(search, count));
    return count;
}

/* The fitness that bodies have by a batch of our own. */
static void evaluate(const vxe_search *search, uint32_t count, double *fitness)
{
    vxe_error error = {0};
    const vxe_batch_def def = vxe_batch_def_default();
    vxe_batch *batch = vxe_batch_create(&def, &error);
    assert_non_null(batch);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(vxe_batch_add(batch, vxe_search_asked(search, i), &error), VXE_OK);
    }
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
    for (uint32_t i = 0; i < count; i++) {
        const vxe_batch_result result = vxe_batch_result_of(batch, i);
        assert_int_equal(result.status, VXE_ROBOT_DONE);
        fitness[i] = result.fitness;
    }
    vxe_batch_destroy(batch);
}

/* Reads a file of a search; release it with free. */
static char *file_of(const char *where, const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s/%s", folder, where, name);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, stream) > 0);
    fclose(stream);
    return text;
}

static void assert_same_file(const char *a, const char *b, const char *name)
{
    char *first = file_of(a, name);
    char *second = file_of(b, name);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

/* Told what they would have found, searches write what they would have written. */
static void told_searches_are_those_that_ran(void **state)
{
    (void)state;
    static const char *const names[] = {"afpo", "ga", "map-elites", "nsga2", "cma-es"};
    for (int i = 0; i < 5; i++) {
        vxe_error error = {0};
        double fitness[MAX_BODIES];
        vxe_search *ran = begin(names[i], "ran");
        vxe_search *told = begin(names[i], "told");
        for (int k = 0; k < 6; k++) {
            assert_int_equal(vxe_search_advance(ran, NULL, NULL, NULL, &error), VXE_OK);
            const uint32_t count = ask(told);
            evaluate(told, count, fitness);
            assert_int_equal(vxe_search_tell(told, fitness, count, &error), VXE_OK);
            assert_int_equal(vxe_search_describe(told).asked, 0);
        }
        assert_int_equal(vxe_search_ask(told, &(uint32_t){0}, &error), VXE_ERROR_ARGUMENT);
        assert_string_equal(error.message, "the search is complete");
        assert_true(vxe_search_describe(ran).best == vxe_search_describe(told).best);
        assert_true(vxe_search_describe(ran).runs > 0 && vxe_search_describe(told).runs == 0);
        vxe_search_destroy(ran);
        vxe_search_destroy(told);
        assert_same_file("ran", "told", "individuals.csv");
        assert_same_file("ran", "told", "generations.csv");
        assert_same_file("ran", "told", "config.json");
        assert_same_file("ran", "told", "best/champion.json");
        folder = make_folder("evolution_ask");
    }
}

/* Calls in a wrong order, or with wrong numbers, are refused, and change nothing. */
static void wrong_calls_are_refused(void **state)
{
    (void)state;
    vxe_error error = {0};
    uint32_t more = 0;
    double fitness[MAX_BODIES] = {0};
    vxe_search *search = begin("afpo", "order");
    vxe_design *best = NULL;
    assert_int_equal(vxe_search_best(search, &best, &error), VXE_OK);
    assert_null(best);
    assert_null(vxe_search_asked(search, 0));
    assert_int_equal(vxe_search_tell(search, fitness, 0, &error), VXE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "ask first"));
    const uint32_t count = ask(search);
    assert_true(count > 2);
    assert_int_equal(vxe_search_ask(search, &more, &error), VXE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "waits for the fitness"));
    assert_int_equal(vxe_search_advance(search, NULL, NULL, NULL, &error), VXE_ERROR_ARGUMENT);
    assert_int_equal(vxe_search_describe(search).asked, count);
    assert_int_equal(vxe_search_tell(search, fitness, count + 1, &error), VXE_ERROR_ARGUMENT);
    assert_int_equal(vxe_search_tell(search, fitness, 0, &error), VXE_ERROR_ARGUMENT);
    fitness[1] = -HUGE_VAL;
    assert_int_equal(vxe_search_tell(search, fitness, count, &error), VXE_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the fitness of body 1 is infinite; NaN stands for none");
    assert_int_equal(vxe_search_checkpoint(search, &error), VXE_OK);
    fitness[1] = (double)NAN;
    fitness[2] = 7.5;
    assert_int_equal(vxe_search_tell(search, fitness, count, &error), VXE_OK);
    vxe_search_facts facts = vxe_search_describe(search);
    assert_true(facts.generation == 1 && facts.best_fitness == 7.5 && facts.failed > 0);
    assert_int_equal(vxe_search_best(search, &best, &error), VXE_OK);
    assert_non_null(best);
    vxe_design_destroy(best);
    vxe_search_destroy(search);
    char *rows = file_of("order", "individuals.csv");
    assert_non_null(strstr(rows, ",undefined,"));
    assert_non_null(strstr(rows, ",done,7.5,"));
    free(rows);
}

/* The texts of all bodies that are asked for, one behind the other; vxe_memory_release takes them.
 */
static char *bodies_of(const vxe_search *search, uint32_t count)
{
    vxe_error error = {0};
    char *all = vxe_memory_take(1 << 20, 1);
    assert_non_null(all);
    for (uint32_t i = 0; i < count; i++) {
        char *text = vxe_design_text(vxe_search_asked(search, i), NULL, &error);
        assert_non_null(text);
        assert_true(strlen(all) + strlen(text) < 1 << 20);
        strcat(all, text);
        vxe_memory_release(text);
    }
    return all;
}

/* A generation that was asked for and then withdrawn, or lost with its search, is asked for again
 * with the same bodies. */
static void what_was_not_told_is_asked_again(void **state)
{
    (void)state;
    vxe_error error = {0};
    double fitness[MAX_BODIES];
    char path[200];
    vxe_search *search = begin("afpo", "lost");
    for (int k = 0; k < 3; k++) {
        const uint32_t count = ask(search);
        char *bodies = bodies_of(search, count);
        vxe_search_withdraw(search);
        assert_int_equal(vxe_search_describe(search).asked, 0);
        assert_null(vxe_search_asked(search, 0));
        assert_int_equal(ask(search), count);
        char *again = bodies_of(search, count);
        assert_string_equal(bodies, again);
        vxe_memory_release(again);
        if (k > 0) { /* the memo is lost with the search, so more may be asked for */
            vxe_search_destroy(search);
            snprintf(path, sizeof path, "%s/lost", folder);
            search = vxe_search_resume(NULL, path, 1, &error);
            assert_non_null(search);
            assert_int_equal(vxe_search_describe(search).generation, k);
            assert_true(ask(search) >= count);
        }
        vxe_memory_release(bodies);
        const uint32_t asked = vxe_search_describe(search).asked;
        for (uint32_t i = 0; i < asked; i++) {
            fitness[i] = vxe_search_asked(search, i)->voxel_count;
        }
        assert_int_equal(vxe_search_tell(search, fitness, asked, &error), VXE_OK);
    }
    vxe_search_destroy(search);
    vxe_search *whole = begin("afpo", "whole");
    for (int k = 0; k < 3; k++) {
        const uint32_t asked = ask(whole);
        for (uint32_t i = 0; i < asked; i++) {
            fitness[i] = vxe_search_asked(whole, i)->voxel_count;
        }
        assert_int_equal(vxe_search_tell(whole, fitness, asked, &error), VXE_OK);
    }
    vxe_search_destroy(whole);
    assert_same_file("lost", "whole", "individuals.csv");
    assert_same_file("lost", "whole", "generations.csv");
}

/* Of equal bodies one is asked for, in a generation and in the whole search, though hardly anybody
 * differs in a box of four cells. */
static void bodies_are_asked_for_once(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\": \"voxelastic experiment\", \"version\": 1, \"size\": [2, 2, 1], \"world\": "
        "{\"materials\": [{}]}, \"encoding\": {\"name\": \"direct\"}, \"algorithm\": {\"name\": "
        "\"random\", \"population\": 12, \"generations\": 4}}";
    char path[200];
    vxe_error error = {0};
    uint64_t seen[MAX_BODIES];
    double fitness[MAX_BODIES] = {0};
    uint32_t known = 0;
    snprintf(path, sizeof path, "%s/once", folder);
    vxe_search *search = vxe_search_create_text(text, strlen(text), "text", path, 1, &error);
    assert_non_null(search);
    for (int k = 0; k < 4; k++) {
        const uint32_t count = ask(search);
        for (uint32_t i = 0; i < count; i++) {
            seen[known] = vxe_design_hash(vxe_search_asked(search, i));
            for (uint32_t other = 0; other < known; other++) {
                assert_true(seen[other] != seen[known]);
            }
            known++;
        }
        assert_int_equal(vxe_search_tell(search, fitness, count, &error), VXE_OK);
    }
    assert_true(known > 2 && known < 12);
    vxe_search_destroy(search);
}

/* A search of a text is resumed by the same text, and by no other. */
static void texts_are_compared(void **state)
{
    (void)state;
    vxe_error error = {0};
    char text[1024];
    char path[200];
    vxe_search_destroy(begin("afpo", "text"));
    snprintf(path, sizeof path, "%s/text", folder);
    experiment_text("afpo", text, sizeof text);
    vxe_search *search = vxe_search_resume_text(text, strlen(text), "mine", path, 1, &error);
    assert_non_null(search);
    vxe_search_destroy(search);
    experiment_text("ga", text, sizeof text);
    assert_null(vxe_search_resume_text(text, strlen(text), "mine", path, 1, &error));
    assert_string_equal(error.file, "mine");
    assert_null(vxe_search_create_text("[", 1, "mine", "nowhere", 1, &error));
    assert_int_equal(error.status, VXE_ERROR_INPUT);
}

int main(void)
{
    folder = make_folder("evolution_ask");
    const struct CMUnitTest tests[] = {cmocka_unit_test(told_searches_are_those_that_ran),
                                       cmocka_unit_test(wrong_calls_are_refused),
                                       cmocka_unit_test(what_was_not_told_is_asked_again),
                                       cmocka_unit_test(bodies_are_asked_for_once),
                                       cmocka_unit_test(texts_are_compared)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_folder();
    return failed;
}
