/* SPDX-License-Identifier: MIT */
/* Inner learning: it helps and never hurts, its bits follow from genome and experiment alone, it is
 * inherited or not as the experiment says, and what can not learn says so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/trial.h"
#include "evolution/learning/learning_internal.h"
#include "evolution/search_internal.h"
#include "support.h"

static const char *folder;

/* What differs between the experiments of this test; null: as usual. */
typedef struct recipe {
    const char *learn, *task, *encoding, *world, *algorithm, *more, *wave;
} recipe;

static char *text_of(const recipe *r)
{
    static char text[4000];
    snprintf(
        text, sizeof text,
        "{\"format\": \"voxelastic experiment\", \"version\": 1, \"seed\": 3, \"size\": [3, 2, 2],"
        " %s%s \"task\": %s, \"encoding\": %s, \"algorithm\": %s,"
        " \"constraints\": {\"least_voxels\": 6},"
        " \"world\": {\"voxel_size_m\": 0.01%s, \"actuation\": {\"enabled\": true, %s}, "
        "\"materials\": [{\"name\": \"soft\", "
        "\"static_friction\": 1, \"dynamic_friction\": 0.5, \"bond_damping\": 0.5}, {\"name\": "
        "\"muscle\", \"thermal_expansion_per_K\": 0.01, \"static_friction\": 1, "
        "\"dynamic_friction\": 0.5, \"bond_damping\": 0.5}]}}",
        r->learn ? r->learn : "", r->more ? r->more : "",
        r->task ? r->task
                : "{\"name\": \"walk\", \"direction\": \"x\", \"duration_s\": 0.25, "
                  "\"settle_time_s\": 0.05}",
        r->encoding ? r->encoding : "{\"name\": \"direct\", \"phase\": true, \"filled\": 0.8}",
        r->algorithm ? r->algorithm : "{\"name\": \"afpo\", \"population\": 7, \"generations\": 3}",
        r->world ? r->world : "", r->wave ? r->wave : "\"amplitude_K\": 14, \"period_s\": 0.1");
    return text;
}

static vxe_search *begin(const recipe *r, const char *name, uint32_t threads)
{
    char where[120];
    vxe_error error = {0};
    const char *text = text_of(r);
    snprintf(where, sizeof where, "%s/%s", folder, name);
    vxe_search *search =
        vxe_search_create_text(text, strlen(text), "test.json", where, threads, &error);
    if (!search) {
        fail_msg("%s", error.message);
    }
    return search;
}

static void advance(vxe_search *search, int generations)
{
    vxe_error error = {0};
    for (int i = 0; i < generations; i++) {
        if (vxe_search_advance(search, NULL, NULL, NULL, &error)) {
            fail_msg("%s", error.message);
        }
    }
}

/* The whole of a file of a search. */
static char *contents(const char *name, const char *file)
{
    static char text[2][1 << 17];
    static int turn;
    char path[200];
    char *into = text[turn = 1 - turn];
    snprintf(path, sizeof path, "%s/%s/%s", folder, name, file);
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        fail_msg("%s is missing", path);
        return into;
    }
    memset(into, 0, sizeof text[0]);
    assert_true(fread(into, 1, sizeof text[0] - 1, stream) > 0);
    fclose(stream);
    return into;
}

static void check_same_files(const char *a, const char *b)
{
    static const char *const files[] = {"individuals.csv", "generations.csv", "best/champion.json",
                                        "checkpoint.bin"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *one = contents(a, files[i]);
        const char *other = contents(b, files[i]);
        if (memcmp(one, other, 1 << 17) != 0) {
            fail_msg("%s and %s differ in %s", a, b, files[i]);
        }
    }
}

static const char *const baldwin = "\"learn\": {\"iterations\": 4, \"by\": [\"phase\"]},";
static const char *const lamarck =
    "\"learn\": {\"iterations\": 4, \"by\": [\"phase\"], \"inherit\": true},";

/* Individuals of a first generation: the same fitness before, to the bit, and never less after;
 * most learn something, by four gradients and a run or two each. */
static void learning_helps_and_never_hurts(void **state)
{
    (void)state;
    vxe_search *plain = begin(&(recipe){0}, "plain", 2);
    vxe_search *learns = begin(&(recipe){.learn = baldwin}, "learns", 2);
    double runs = 0;
    int better = 0;
    advance(plain, 1);
    advance(learns, 1);
    assert_int_equal(plain->living.count, learns->living.count);
    for (uint32_t k = 0; k < 7; k++) {
        const vxe_individual *a = &plain->living.members[k];
        for (uint32_t i = 0; i < 7; i++) {
            const vxe_individual *b = &learns->living.members[i];
            if (a->id != b->id) {
                continue;
            }
            print_message("  %.6f -> %.6f at %g runs\n", a->outcome.fitness, b->outcome.fitness,
                          b->outcome.learning_runs);
            assert_true(b->outcome.before == a->outcome.fitness);
            assert_true(b->outcome.fitness >= a->outcome.fitness);
            assert_true(b->outcome.learning_runs == 21 || b->outcome.learning_runs == 22);
            better += b->outcome.fitness > a->outcome.fitness + 1e-4;
            runs += b->outcome.learning_runs;
        }
    }
    assert_true(better >= 5);
    assert_true(vxe_search_describe(learns).learning_runs == runs);
    assert_int_equal(vxe_search_describe(learns).runs, 7);
    assert_int_equal(vxe_search_describe(learns).unable, 0);
    assert_true(vxe_search_describe(plain).learning_runs == 0);
    assert_non_null(
        strstr(contents("learns", "individuals.csv"), ",fitness_before_m,learning_runs\n"));
    assert_null(strstr(contents("plain", "individuals.csv"), "learning_runs"));
    vxe_search_destroy(plain);
    vxe_search_destroy(learns);
}

/* The fitness of a design by a batch of its own. */
static double play(const vxe_design *design)
{
    vxe_error error = {0};
    const vxe_batch_def def = vxe_batch_def_default();
    vxe_batch *batch = vxe_batch_create(&def, &error);
    assert_int_equal(vxe_batch_add(batch, design, &error), VXE_OK);
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
    const double fitness = vxe_batch_result_of(batch, 0).fitness;
    vxe_batch_destroy(batch);
    return fitness;
}

/* The best design of a search plays to its fitness. */
static void check_best(const vxe_search *search)
{
    vxe_error error = {0};
    vxe_design *best = NULL;
    assert_int_equal(vxe_search_best(search, &best, &error), VXE_OK);
    assert_true(play(best) == vxe_search_describe(search).best_fitness);
    vxe_design_destroy(best);
}

static void bits_do_not_depend_on_threads_or_resume(void **state)
{
    (void)state;
    vxe_error error = {0};
    const char *const kinds[] = {baldwin, lamarck};
    char names[3][20];
    char where[140];
    for (int kind = 0; kind < 2; kind++) {
        const recipe r = {.learn = kinds[kind]};
        for (int i = 0; i < 3; i++) {
            snprintf(names[i], sizeof names[i], "bits_%d_%d", kind, i);
            vxe_search *search = begin(&r, names[i], i == 1 ? 3 : 1);
            advance(search, i == 2 ? 1 : 3);
            vxe_search_destroy(search);
        }
        snprintf(where, sizeof where, "%s/%s", folder, names[2]);
        for (int i = 0; i < 2; i++) {
            vxe_search *search = vxe_search_resume(NULL, where, 2, &error);
            if (!search) {
                fail_msg("%s", error.message);
            }
            check_best(search);
            advance(search, 1);
            vxe_search_destroy(search);
        }
        check_same_files(names[0], names[1]);
        check_same_files(names[0], names[2]);
    }
}

/* What individuals learn together, each learns alone: the pieces of a cluster do not matter. */
static void company_does_not_matter(void **state)
{
    (void)state;
    vxe_error error = {0};
    const char *text = text_of(&(recipe){.learn = baldwin});
    vxe_experiment *e = vxe_experiment_parse("test.json", text, strlen(text), &error);
    assert_non_null(e);
    const vxe_runner runner = {.experiment = e, .threads = 2, .step_scale = 1};
    vxe_individual members[11] = {{0}};
    const vxe_individual *asked[11];
    vxe_outcome outcomes[11] = {{0}};
    vxe_genome learned[11] = {{0}};
    vxe_effort effort = {0};
    bool stopped = false;
    uint32_t count = 0;
    vxe_stream stream = vxe_stream_open(5, 0, 0, 0);
    while (count < 11) {
        vxe_phenotype phenotype;
        vxe_genome *genome = &members[count].genome;
        assert_int_equal(vxe_encoding_of(e)->make(e, &stream, genome, &error), VXE_OK);
        assert_int_equal(vxe_develop(e, genome, &phenotype, &error), VXE_OK);
        members[count].body = phenotype.design;
        asked[count] = &members[count];
        if (phenotype.design) {
            count++;
        } else {
            vxe_individual_clear(&members[count]);
        }
    }
    assert_int_equal(vxe_run_here(&runner, asked, 11, outcomes, learned, &stopped, &effort, &error),
                     VXE_OK);
    for (uint32_t i = 0; i < 11; i++) {
        vxe_outcome alone = {0};
        vxe_genome own = {0};
        assert_int_equal(
            vxe_run_here(&runner, &asked[i], 1, &alone, &own, &stopped, &effort, &error), VXE_OK);
        assert_true(alone.fitness == outcomes[i].fitness && alone.before == outcomes[i].before);
        assert_true(alone.learning_runs == outcomes[i].learning_runs);
        assert_int_equal(own.count, learned[i].count);
        if (own.count > 0) {
            assert_memory_equal(own.genes, learned[i].genes, own.count * sizeof(double));
        }
        vxe_genome_clear(&own);
        vxe_genome_clear(&learned[i]);
        vxe_individual_clear(&members[i]);
    }
    vxe_experiment_destroy(e);
}

/* Genomes of a first generation, by id, with learning and without it. */
static void check_genomes(const vxe_search *plain, const vxe_search *learns, bool inherit)
{
    int changed = 0;
    for (uint32_t k = 0; k < plain->living.count; k++) {
        const vxe_individual *a = &plain->living.members[k];
        for (uint32_t i = 0; i < learns->living.count; i++) {
            const vxe_individual *b = &learns->living.members[i];
            if (a->id != b->id) {
                continue;
            }
            vxe_design *design = NULL;
            vxe_error error = {0};
            const size_t bytes = a->genome.count * sizeof(double);
            const bool learned = b->outcome.fitness > a->outcome.fitness;
            const bool same = memcmp(a->genome.genes, b->genome.genes, bytes) == 0;
            assert_int_equal(a->genome.count, b->genome.count);
            assert_int_equal(same, !(inherit && learned));
            assert_int_equal(a->outcome.hash == b->outcome.hash, same);
            assert_int_equal(b->learned.count > 0, !inherit && learned);
            assert_int_equal(vxe_individual_design(learns->experiment, b, &design, &error), VXE_OK);
            assert_true(play(design) == b->outcome.fitness);
            vxe_design_destroy(design);
            changed += learned;
        }
    }
    assert_true(changed >= 5);
}

/* Genomes change where what was learned is inherited, and do not where it is not; designs play to
 * the fitness either way. By phases and stiffness, whose genes are parts of a range. */
static void genomes_change_where_learning_is_inherited(void **state)
{
    (void)state;
    static const char *const encoding =
        "{\"name\": \"direct\", \"phase\": true, \"filled\": 0.8, \"least_stiffness_Pa\": 5e5, "
        "\"most_stiffness_Pa\": 2e6}";
    static const char *const learn[2] = {
        "\"learn\": {\"iterations\": 3, \"by\": [\"stiffness\", \"phase\"], \"forget_s\": 0.1},",
        "\"learn\": {\"iterations\": 3, \"by\": [\"stiffness\", \"phase\"], \"forget_s\": 0.1, "
        "\"inherit\": true},"};
    vxe_search *plain = begin(&(recipe){.encoding = encoding}, "stiff", 2);
    advance(plain, 1);
    for (int inherit = 0; inherit < 2; inherit++) {
        vxe_search *learns = begin(&(recipe){.encoding = encoding, .learn = learn[inherit]},
                                   inherit ? "stiff_lamarck" : "stiff_baldwin", 2);
        advance(learns, 1);
        check_genomes(plain, learns, inherit);
        vxe_search_destroy(learns);
    }
    vxe_search_destroy(plain);
}

/* A body that does not stand on the bottom of the box, by other numbers than its genome's: the
 * inherited genome has these, of the cells from which the voxels came. */
static void heirs_have_what_was_learned(void **state)
{
    (void)state;
    vxe_error error = {0};
    const char *text = text_of(&(recipe){
        .learn = "\"learn\": {\"iterations\": 1, \"by\": [\"phase\", \"stiffness\"], \"inherit\": "
                 "true},",
        .encoding = "{\"name\": \"direct\", \"phase\": true, \"least_stiffness_Pa\": 5e5, "
                    "\"most_stiffness_Pa\": 2e6}"});
    vxe_experiment *e = vxe_experiment_parse("test.json", text, strlen(text), &error);
    assert_non_null(e);
    vxe_genome genome = {0};
    vxe_genome heir = {0};
    vxe_genome learned = {0};
    vxe_phenotype before;
    vxe_phenotype after;
    assert_int_equal(vxe_genome_take(&genome, 36, &error), VXE_OK);
    for (uint32_t cell = 6; cell < 12; cell++) { /* the upper layer */
        genome.genes[3 * (size_t)cell] = 2;
    }
    assert_int_equal(vxe_develop(e, &genome, &before, &error), VXE_OK);
    assert_int_equal(before.voxels, 6);
    for (uint32_t v = 0; v < 6; v++) {
        vxe_design_layer(before.design, "PhaseOffset", 1)->values[v] = 0.1 + 0.15 * v;
        vxe_design_layer(before.design, "Stiffness", 1)->values[v] = 5e5 + 3e5 * v;
    }
    assert_int_equal(vxe_learned_read(e, before.design, &learned, &error), VXE_OK);
    assert_true(vxe_learned_fits(e, &learned, before.design));
    learned.count--;
    assert_false(vxe_learned_fits(e, &learned, before.design));
    learned.count++;
    assert_int_equal(vxe_learned_inherit(e, &genome, &learned, &heir, &error), VXE_OK);
    assert_true(vxe_encoding_of(e)->valid(e, &heir));
    assert_int_equal(vxe_develop(e, &heir, &after, &error), VXE_OK);
    for (uint32_t v = 0; v < 6; v++) {
        check_near("phase", vxe_design_layer(after.design, "PhaseOffset", 1)->values[v],
                   0.1 + 0.15 * v, 0);
        check_relative("stiffness", vxe_design_layer(after.design, "Stiffness", 1)->values[v],
                       5e5 + 3e5 * v, 1e-14);
    }
    vxe_phenotype_clear(&before);
    vxe_phenotype_clear(&after);
    vxe_genome_clear(&genome);
    vxe_genome_clear(&heir);
    vxe_genome_clear(&learned);
    vxe_experiment_destroy(e);
}

/* A given body, whose genome are the phases of its muscles. */
static void controllers_learn_too(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_search *search[2];
    for (int learns = 0; learns < 2; learns++) {
        char text[4000];
        snprintf(text, sizeof text, "%s",
                 text_of(&(recipe){.encoding = "{\"name\": \"controller\"}",
                                   .learn = learns ? lamarck : NULL,
                                   .world = ", \"voxels\": [[0,0,0,1], [1,0,0,0], [2,0,0,1], "
                                            "[0,0,1,0], [2,0,1,1], [1,0,1,1]]"}));
        char *size = strstr(text, "\"size\": [3, 2, 2],");
        memset(size, ' ', strlen("\"size\": [3, 2, 2],"));
        char where[120];
        snprintf(where, sizeof where, "%s/controller_%d", folder, learns);
        search[learns] = vxe_search_create_text(text, strlen(text), "test.json", where, 1, &error);
        if (!search[learns]) {
            fail_msg("%s", error.message);
        }
        advance(search[learns], 1);
    }
    check_genomes(search[0], search[1], true);
    vxe_search_destroy(search[0]);
    vxe_search_destroy(search[1]);
}

/* Bodies without muscles are evaluated as they are, and counted. */
static void who_can_not_learn_is_counted(void **state)
{
    (void)state;
    vxe_search *search =
        begin(&(recipe){.learn = baldwin,
                        .encoding = "{\"name\": \"direct\", \"phase\": true, \"filled\": 0.55}",
                        .algorithm = "{\"name\": \"random\", \"population\": 200, "
                                     "\"generations\": 1}",
                        .task = "{\"name\": \"walk\", \"direction\": \"x\", \"duration_s\": "
                                "0.03, \"settle_time_s\": 0.01}"},
              "unable", 2);
    advance(search, 1);
    uint32_t still = 0;
    const char *row = strchr(contents("unable", "individuals.csv"), '\n') + 1;
    for (; *row; row = strchr(row, '\n') + 1) {
        char status[20];
        double fitness;
        double before;
        double runs;
        unsigned voxels;
        unsigned actuated;
        assert_int_equal(sscanf(row,
                                "%*u,%*u,,random,%*u,%19[a-z],%lg,%u,%u,%*u,%*u,%*u,%*[0-9a-f],"
                                "%lg,%lg",
                                status, &fitness, &voxels, &actuated, &before, &runs),
                         6);
        still += actuated == 0;
        assert_true(actuated > 0 ? fitness >= before : fitness == before && runs == 0);
    }
    print_message("  %u of 200 without muscles\n", still);
    assert_true(still > 0);
    assert_true(vxe_search_describe(search).unable > 0 &&
                vxe_search_describe(search).unable <= still);
    vxe_search_destroy(search);
}

/* A wave so fast and large that runs diverge by a tuner's step: who lost all of them keeps what it
 * was born with, pays for the first gradient, and is counted. */
static void who_diverges_is_evaluated_as_it_is(void **state)
{
    (void)state;
    vxe_search *search = begin(
        &(recipe){.learn = baldwin,
                  .wave = "\"amplitude_K\": 88, \"period_s\": 0.004",
                  .algorithm = "{\"name\": \"afpo\", \"population\": 40, \"generations\": 1}"},
        "wild", 2);
    advance(search, 1);
    uint32_t lost = 0;
    for (uint32_t k = 0; k < search->living.count; k++) {
        const vxe_outcome *outcome = &search->living.members[k].outcome;
        assert_true(outcome->fitness >= outcome->before);
        if (outcome->learning_runs < 20) {
            assert_true(outcome->learning_runs == 5 && outcome->fitness == outcome->before);
            assert_int_equal(search->living.members[k].learned.count, 0);
            lost++;
        }
    }
    print_message("  %u of 40 diverged\n", lost);
    assert_true(lost > 0 && lost < 40);
    uint32_t unable = 0; /* of these some have no fitness: the task's runs diverged, too */
    for (const char *row = contents("wild", "individuals.csv"); *row; row = strchr(row, '\n') + 1) {
        const char *end = strchr(row, '\n');
        unable += end[-2] == ',' && (end[-1] == '5' || end[-1] == '0');
    }
    assert_int_equal(vxe_search_describe(search).unable, unable);
    vxe_search_destroy(search);
}

static void check_refusal(const recipe *r, const char *says)
{
    vxe_error error = {0};
    const char *text = text_of(r);
    vxe_experiment *e = vxe_experiment_parse("test.json", text, strlen(text), &error);
    if (e || !strstr(error.message, says) || strcmp(error.file, "test.json") != 0) {
        fail_msg("\"%s\", where \"%s\" was expected", error.message, says);
    }
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    check_refusal(&(recipe){.learn = "\"learn\": 5,"}, "learn: must be an object");
    check_refusal(&(recipe){.learn = "\"learn\": {},"}, "\"iterations\" are missing");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 0},"}, "from 1 to 1000");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 1001},"}, "from 1 to 1000");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 1, \"inherits\": true},"},
                  "did you mean inherit?");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 1, \"by\": []},"},
                  "names nothing");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 1, \"by\": \"phase\"},"},
                  "list of texts");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 1, \"by\": [\"phases\"]},"},
                  "did you mean \"phase\"?");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 1, \"by\": [\"density\"]},"},
                  "expected phase, amplitude, stiffness");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 1, \"by\": [\"occupancy\"]},"},
                  "\"occupancy\" can not be learned");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 1, \"forget_s\": -1},"},
                  "\"forget_s\" must be a number");
    check_refusal(&(recipe){.learn = baldwin, .task = "{\"name\": \"jump\"}"},
                  "no gradient of the task \"jump\"");
    check_refusal(&(recipe){.learn = baldwin, .task = "{\"name\": \"told\"}"},
                  "no gradient of the task \"told\"");
    check_refusal(
        &(recipe){.learn = baldwin, .task = "{\"name\": \"formula\", \"fitness\": \"peak + x\"}"},
        "learn: the formula \"peak + x\" (of x, y, z and t)");
    check_refusal(&(recipe){.learn = baldwin, .more = "\"network\": {\"sensors\": [\"clock\"]},"},
                  "network");
    check_refusal(&(recipe){.learn = baldwin, .world = ", \"volume_effects\": true"},
                  "learn: there is no gradient through Poisson's ratio");
}

static void wrong_heirs_are_refused(void **state)
{
    (void)state;
    static const char *const stiff =
        "\"learn\": {\"iterations\": 2, \"by\": [\"stiffness\"], \"inherit\": true},";
    check_refusal(&(recipe){.learn = lamarck, .encoding = "{\"name\": \"cppn\", \"phase\": true}"},
                  "\"cppn\" has no numbers of voxels");
    check_refusal(&(recipe){.learn = lamarck, .encoding = "{\"name\": \"direct\"}"},
                  "\"phase\": true");
    check_refusal(&(recipe){.learn = lamarck,
                            .encoding = "{\"name\": \"direct\", \"phase\": true, \"symmetry\": "
                                        "\"y\"}"},
                  "\"symmetry\"");
    check_refusal(&(recipe){.learn = stiff}, "\"least_stiffness_Pa\"");
    check_refusal(&(recipe){.learn = "\"learn\": {\"iterations\": 2, \"by\": [\"amplitude\"], "
                                     "\"inherit\": true},"},
                  "no genome has an amplitude");
}

int main(void)
{
    folder = make_folder("evolution_learning");
    const struct CMUnitTest tests[] = {cmocka_unit_test(learning_helps_and_never_hurts),
                                       cmocka_unit_test(bits_do_not_depend_on_threads_or_resume),
                                       cmocka_unit_test(company_does_not_matter),
                                       cmocka_unit_test(genomes_change_where_learning_is_inherited),
                                       cmocka_unit_test(heirs_have_what_was_learned),
                                       cmocka_unit_test(controllers_learn_too),
                                       cmocka_unit_test(who_can_not_learn_is_counted),
                                       cmocka_unit_test(who_diverges_is_evaluated_as_it_is),
                                       cmocka_unit_test(wrong_settings_are_refused),
                                       cmocka_unit_test(wrong_heirs_are_refused)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_folder();
    return failed;
}
