/* SPDX-License-Identifier: MIT */
/* search_throughput: how fast searches evaluate their bodies. Runs the experiments of assets/ for
   some generations, then times the evaluation of the bodies that the next one asks for: a real,
   evolved population, all of different bodies. Beside them, in the same run, the case
   batch_cube_10, whose lanes hold one body. */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "engine/batch.h"
#include "evolution/search.h"
#include "measure.h"
#include "numbers.h"
#include "words.h"

#define MAX_REPEATS 1000u
#define MAX_GENERATIONS 100000u

static const char *const experiments[] = {"xenobot", "walk", "gait"};

/* What is left out of the bodies, to see what it costs: contacts, damping, or all steps but one. */
typedef enum variant { WHOLE, NO_CONTACT, NO_DAMPING, NO_RUN, VARIANTS } variant;

typedef struct options {
    uint32_t repeats, generations, threads;
    const char *only; /* one experiment; null: all */
    vxe_batch_schedule schedule;
    bool help;
} options;

/* The bodies of a generation. */
typedef struct population {
    vxe_design **designs[VARIANTS]; /* (count) */
    uint32_t count;
    double voxels, bonds; /* mean of a body */
    uint32_t in_lanes;
} population;

/* Times of a variant, by repeat. */
typedef struct times {
    double seconds[MAX_REPEATS];
    double by_update[MAX_REPEATS]; /* s of a bond update */
    double rate[MAX_REPEATS];      /* bond updates/s */
} times;

static int remove_one(const char *path, const struct stat *unused, int kind, struct FTW *place)
{
    (void)unused;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Leaves something out of a design. */
static void change(vxe_design *design, variant which)
{
    design->self_collision = design->self_collision && which != NO_CONTACT;
    for (uint32_t m = 0; m < design->material_count && which == NO_DAMPING; m++) {
        design->materials[m].bond_damping = 0;
    }
    if (which == NO_RUN) {
        design->stop = (vxe_stop){.steps = 1};
    }
}

/* Copies what a search asks for. */
static bool take(population *p, const vxe_search *search, uint32_t count, vxe_error *error)
{
    for (int v = 0; v < VARIANTS; v++) {
        p->designs[v] = calloc(count, sizeof *p->designs[v]);
        for (uint32_t i = 0; i < count && p->designs[v]; i++) {
            p->designs[v][i] = vxe_design_copy(vxe_search_asked(search, i), error);
            if (!p->designs[v][i]) {
                return false;
            }
            change(p->designs[v][i], (variant)v);
        }
    }
    p->count = count;
    bool complete = count > 0;
    for (int v = 0; v < VARIANTS; v++) {
        complete = complete && p->designs[v];
    }
    return complete;
}

/* Carries out generations of an experiment, and takes the bodies of the next one. */
static bool evolve(population *p, const char *name, const options *o, vxe_error *error)
{
    char folder[] = P_tmpdir "/search_throughput.XXXXXX";
    char path[512];
    char into[sizeof folder + 8];
    uint32_t count = 0;
    if (!mkdtemp(folder)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/experiments/%s.json", VXE_ASSETS, name);
    snprintf(into, sizeof into, "%s/search", folder);
    vxe_search *search = vxe_search_create(path, into, o->threads, error);
    vxe_status status = search ? VXE_OK : error->status;
    for (uint32_t g = 0; g < o->generations && !status; g++) {
        status = vxe_search_advance(search, NULL, NULL, NULL, error);
    }
    status = status ? status : vxe_search_ask(search, &count, error);
    const bool good = !status && take(p, search, count, error);
    vxe_search_destroy(search);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return good;
}

static void release(population *p)
{
    for (int v = 0; v < VARIANTS; v++) {
        for (uint32_t i = 0; i < p->count && p->designs[v]; i++) {
            vxe_design_destroy(p->designs[v][i]);
        }
        free(p->designs[v]);
    }
}

/* Evaluates all bodies once, from design to fitness, as a search does. */
static bool evaluate(population *p, variant which, const options *o, times *t, uint32_t repeat,
                     vxe_error *error)
{
    vxe_batch_def def = vxe_batch_def_default();
    def.world.threads = o->threads;
    def.schedule = o->schedule;
    const double start = bench_seconds();
    vxe_batch *batch = vxe_batch_create(&def, error);
    for (uint32_t i = 0; i < p->count && batch; i++) {
        if (vxe_batch_add(batch, p->designs[which][i], error)) {
            return false;
        }
    }
    if (!batch || vxe_batch_run(batch, NULL, NULL, error)) {
        return false;
    }
    const vxe_batch_facts facts = vxe_batch_describe(batch);
    t->seconds[repeat] = bench_seconds() - start;
    t->rate[repeat] = facts.bond_updates / t->seconds[repeat];
    t->by_update[repeat] = 1 / t->rate[repeat];
    p->in_lanes = which == WHOLE ? facts.robots_in_lanes : p->in_lanes;
    p->voxels = p->bonds = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const vxe_batch_result result = vxe_batch_result_of(batch, i);
        p->voxels += (double)result.voxels / p->count;
        p->bonds += (double)result.bonds / p->count;
    }
    vxe_batch_destroy(batch);
    return true;
}

/* Times one experiment. Variants take turns, so that a change of the machine's speed affects all.
 */
static bool run(const char *name, const options *o, vxe_error *error)
{
    population p = {.count = 0};
    times *t = calloc(VARIANTS, sizeof *t);
    bool good = t && evolve(&p, name, o, error);
    for (uint32_t repeat = 0; repeat < o->repeats && good; repeat++) {
        for (int v = 0; v < VARIANTS && good; v++) {
            good = evaluate(&p, (variant)v, o, &t[v], repeat, error);
        }
    }
    if (good) {
        const int count = (int)o->repeats;
        const double median = bench_quantile(t[WHOLE].seconds, count, 0.5);
        const double update = bench_quantile(t[WHOLE].by_update, count, 0.5);
        printf("%-10s %6u %6.0f %6.0f %6u  %8.1f %8.1f  %8.1f %8.1f  %5.0f %% %5.0f %%  %8.2f\n",
               name, p.count, p.voxels, p.bonds, p.in_lanes,
               p.count / bench_quantile(t[WHOLE].seconds, count, 0), p.count / median,
               1e-6 * bench_quantile(t[WHOLE].rate, count, 1),
               1e-6 * bench_quantile(t[WHOLE].rate, count, 0.5),
               100 * (1 - bench_quantile(t[NO_CONTACT].by_update, count, 0.5) / update),
               100 * (1 - bench_quantile(t[NO_DAMPING].by_update, count, 0.5) / update),
               1e3 * bench_quantile(t[NO_RUN].seconds, count, 0.5) / p.count);
    }
    release(&p);
    free(t);
    return good;
}

/* What lanes of one body reach. */
static bool run_cube(const options *o, vxe_error *error)
{
    const bench_choice choice = {.threads = o->threads,
                                 .seconds = 2,
                                 .precision = VXE_PRECISION_MIXED,
                                 .damping = VXE_DAMPING_AUTO,
                                 .ratio = -1};
    bench_result result;
    const bench_case *cube = NULL;
    for (unsigned i = 0; i < BENCH_CASES; i++) {
        cube = strcmp(bench_case_at(i)->name, "batch_cube_10") == 0 ? bench_case_at(i) : cube;
    }
    if (!cube || !bench_measure(cube, &choice, &result, error)) {
        return false;
    }
    printf("%-10s %6u %6.0f %6.0f %6u  %8s %8s  %8.1f %8.1f\n", "cube_10", result.robots,
           result.voxels, result.bonds, result.robots_in_lanes, "", "", 1e-6 * result.best,
           1e-6 * result.median);
    return true;
}

static bool read_schedule(const char *word, vxe_batch_schedule *schedule)
{
    *schedule = strcmp(word, "lanes") == 0   ? VXE_BATCH_LANES
                : strcmp(word, "alone") == 0 ? VXE_BATCH_ALONE
                                             : VXE_BATCH_AUTO;
    return *schedule != VXE_BATCH_AUTO || strcmp(word, "auto") == 0;
}

static bool read_options(int count, char **words, options *o)
{
    static const struct option names[] = {{"repeats", required_argument, NULL, 'r'},
                                          {"generations", required_argument, NULL, 'g'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"only", required_argument, NULL, 'o'},
                                          {"schedule", required_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", names, NULL)) != -1;) {
        o->help = o->help || option == 'h';
        o->only = option == 'o' ? optarg : o->only;
        good = option == 'r'   ? bench_whole(optarg, 1, MAX_REPEATS, &o->repeats)
               : option == 'g' ? bench_whole(optarg, 1, MAX_GENERATIONS, &o->generations)
               : option == 't' ? bench_whole(optarg, 1, BENCH_MAX_THREADS, &o->threads)
               : option == 's' ? read_schedule(optarg, &o->schedule)
                               : option == 'h' || option == 'o';
    }
    bool known = !o->only;
    for (size_t i = 0; i < sizeof experiments / sizeof experiments[0]; i++) {
        known = known || strcmp(o->only, experiments[i]) == 0;
    }
    return good && known && optind == count;
}

int main(int count, char **words)
{
    options o = {.repeats = 5, .generations = 20, .threads = 1};
    const bool understood = read_options(count, words, &o);
    if (!understood || o.help) {
        fprintf(understood ? stdout : stderr,
                "usage: search_throughput [--repeats N] [--generations N] [--threads N] [--only "
                "NAME]\n"
                "                         [--schedule auto|lanes|alone]\n"
                "  --repeats      times that each generation is evaluated (5), at most %u\n"
                "  --generations  carried out before (20)\n"
                "  --threads      (1)\n"
                "  --only         xenobot, walk or gait\n"
                "  --schedule     lanes: of vectors; alone: one robot at a time; auto: as searches "
                "do\n",
                MAX_REPEATS);
        return understood ? 0 : 2;
    }
    vxe_error error = {0};
    printf("experiment bodies voxels  bonds  lanes  evaluations/s best, median; M bond updates/s "
           "best, median; share of contacts, of damping; ms from design to first step\n");
    for (size_t i = 0; i < sizeof experiments / sizeof experiments[0]; i++) {
        const bool wanted = !o.only || strcmp(o.only, experiments[i]) == 0;
        if (wanted && !run(experiments[i], &o, &error)) {
            fprintf(stderr, "search_throughput: %s\n",
                    error.message[0] ? error.message : "no memory");
            return 1;
        }
        fflush(stdout);
    }
    if (!run_cube(&o, &error)) {
        fprintf(stderr, "search_throughput: %s\n", error.message);
        return 1;
    }
    return 0;
}
