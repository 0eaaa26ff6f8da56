/* SPDX-License-Identifier: MIT */
/* voxelastic evolve: runs a search, generation by generation, into a folder. After Ctrl-C or a
   termination signal, --resume continues it. */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#include "cli/command.h"
#include "cli/design_options.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/options.h"
#include "cli/shared/progress.h"

#define MAX_THREADS 1024

typedef struct evolve_options {
    const char *experiment;
    const char *folder;
    uint64_t threads;     /* 0: all processors */
    uint64_t generations; /* limit for this call; 0: none */
    uint64_t more;        /* generations behind those that were planned */
    bool resume;
    bool quiet;
} evolve_options;

typedef struct evolve_job {
    const evolve_options *options;
    progress bar;
    uint64_t first_evaluations; /* evaluations of earlier calls */
    uint32_t first_generation;
} evolve_job;

static const char *const help =
    "usage: voxelastic evolve EXPERIMENT.json --out FOLDER [options]\n"
    "       voxelastic evolve --out FOLDER --resume [options]\n"
    "       voxelastic evolve --out FOLDER --extend N [options]\n\n"
    "Searches designs for a task that EXPERIMENT.json describes (see docs/evolving.md). FOLDER\n"
    "receives tables of all individuals and generations, and the best as designs that 'voxelastic\n"
    "run' simulates to the same fitness. After Ctrl-C, --resume continues the search. A search "
    "gives\n"
    "the same result, to the last bit, on any number of threads and however often it was "
    "killed.\n\n"
    "  --out FOLDER       folder of the search; must not exist, except with --resume\n"
    "  --resume           go on from the last checkpoint in FOLDER\n"
    "  --extend N         go on, for N generations more than were planned: the same as if they "
    "had\n"
    "                     been planned from the start\n"
    "  --generations N    stop after N generations of this call, as Ctrl-C does\n"
    "  --threads N|auto   threads (default auto: all processors); of each process under mpirun\n"
    "  --quiet            no progress, no summary\n";

static const struct option long_options[] = {
    {"out", required_argument, NULL, 'o'},     {"resume", no_argument, NULL, 'r'},
    {"extend", required_argument, NULL, 'e'},  {"generations", required_argument, NULL, 'g'},
    {"threads", required_argument, NULL, 't'}, {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};

/* Takes one option. Returns 0 or an exit status. */
static int take_option(evolve_options *options, int option, const char *value)
{
    switch (option) {
    case 'o':
        options->folder = value;
        return 0;
    case 'r':
        options->resume = true;
        return 0;
    case 'e':
        options->resume = true;
        return option_whole("evolve", "extend", value, &options->more) ? 0 : EXIT_USAGE;
    case 'g':
        return option_whole("evolve", "generations", value, &options->generations) ? 0 : EXIT_USAGE;
    case 'q':
        options->quiet = true;
        return 0;
    case 't':
        if (strcmp(value, "auto") == 0) {
            return 0;
        }
        if (!option_whole("evolve", "threads", value, &options->threads)) {
            return EXIT_USAGE;
        }
        return options->threads <= MAX_THREADS
                   ? 0
                   : command_misused("evolve", "--threads %s: at most %d", value, MAX_THREADS);
    default:
        return EXIT_USAGE;
    }
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(evolve_options *options, int count, char **words)
{
    for (int option = 0;
         (option = options_next("evolve", count, words, "ho:", long_options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return -1;
        }
        const int status = take_option(options, option, optarg);
        if (status) {
            return status;
        }
    }
    if (count - optind > 1) {
        return command_misused("evolve", "one experiment at a time");
    }
    options->experiment = optind < count ? words[optind] : NULL;
    if (!options->folder) {
        return command_misused("evolve", "no folder for the search: give --out FOLDER");
    }
    if (!options->experiment && !options->resume) {
        return command_misused("evolve", "which experiment?");
    }
    return 0;
}

/* Says how far the search is. */
static void draw(evolve_job *job, const vxe_search_facts *facts)
{
    const double generations = facts->generations - job->first_generation;
    const double done = facts->generation - job->first_generation + facts->share;
    const double each = facts->generation > 0 ? (double)facts->evaluations / facts->generation : 0;
    progress_line line = {.parts = 0};
    progress_say(&line, "generation %" PRIu32 " of %" PRIu32, facts->generation,
                 facts->generations);
    if (facts->best) {
        progress_say(&line, "best %.5g%s", facts->best_fitness, facts->unit.behind);
    }
    progress_say_left(&line, &job->bar, generations > 0 ? done / generations : 0);
    if (each > 0) {
        const double rate = progress_rate(
            &job->bar, (double)(facts->evaluations - job->first_evaluations) + each * facts->share);
        progress_say(&line, "%.*f evaluations/s", rate < 10 ? 1 : 0, rate);
    }
    progress_draw(&job->bar, -1, &line);
}

static bool watch(const vxe_search_facts *facts, void *user)
{
    evolve_job *job = user;
    if (progress_due(&job->bar)) {
        draw(job, facts);
    }
    return !interrupted();
}

static void print_summary(const evolve_job *job, const vxe_search_facts *facts)
{
    const double spent = clock_seconds() - job->bar.started;
    const uint64_t evaluations = facts->evaluations - job->first_evaluations;
    char took[40];
    fprintf(stderr,
            "%" PRIu64 " evaluations in %s (%" PRIu64 " simulated, the others known before): %.1f "
            "evaluations/s, %.1f M bond updates/s\n",
            evaluations, time_text(took, sizeof took, spent), facts->runs,
            (double)evaluations / spent, 1e-6 * facts->bond_updates / spent);
    if (facts->learning_runs > 0) {
        fprintf(stderr,
                "inner learning cost %.0f runs beside these; %" PRIu64 " bodies could not learn\n",
                facts->learning_runs, facts->unable);
    }
    if (facts->best) {
        printf("best fitness %.9g%s: individual %" PRIu64 ", %s/best/champion.json\n",
               facts->best_fitness, facts->unit.behind, facts->best, job->options->folder);
    } else {
        printf("no individual has a fitness\n");
    }
}

/* Runs generation after generation. Returns 0 or an exit status. */
static int go_on(evolve_job *job, vxe_search *search)
{
    const evolve_options *options = job->options;
    vxe_error error;
    vxe_search_facts facts = vxe_search_describe(search);
    bool stopped = false;
    job->first_evaluations = facts.evaluations;
    job->first_generation = facts.generation;
    progress_begin(&job->bar, options->quiet);
    while (facts.generation < facts.generations && !stopped) {
        if (vxe_search_advance(search, watch, job, &stopped, &error)) {
            progress_end(&job->bar);
            return command_fail(&error);
        }
        facts = vxe_search_describe(search);
        if (job->bar.logged && facts.generation == job->first_generation + 1) {
            draw(job, &facts); /* a log shows early that something happens */
        }
        stopped = stopped || interrupted() ||
                  (options->generations > 0 &&
                   facts.generation - job->first_generation >= options->generations);
    }
    progress_end(&job->bar);
    if (!options->quiet) {
        print_summary(job, &facts);
    }
    if (facts.generation == facts.generations) {
        if (!options->quiet && facts.generation == job->first_generation) {
            fprintf(stderr,
                    "this search is complete: it has all its %" PRIu32
                    " generations; --extend N adds some\n",
                    facts.generations);
        }
        return EXIT_OK;
    }
    if (vxe_search_checkpoint(search, &error)) {
        return command_fail(&error);
    }
    fprintf(stderr,
            "suspended after generation %" PRIu32 " of %" PRIu32 "; go on with: voxelastic evolve "
            "--resume --out %s\n",
            facts.generation, facts.generations, options->folder);
    return EXIT_SUSPENDED;
}

static int search_for(const evolve_options *options)
{
    vxe_error error;
    evolve_job job = {.options = options};
    const uint32_t threads = (uint32_t)options->threads;
    vxe_search *search =
        options->resume ? vxe_search_resume(options->experiment, options->folder, threads, &error)
                        : vxe_search_create(options->experiment, options->folder, threads, &error);
    if (!search) {
        return command_fail_of(options->experiment ? options->experiment : options->folder, &error);
    }
    char doubt[240];
    if (!options->quiet && vxe_search_doubt(search, doubt, sizeof doubt)) {
        fprintf(stderr, "warning: %s\n", doubt);
    }
    const bool extended = options->more == 0 || !vxe_search_extend(search, options->more, &error);
    if (extended && options->more > 0 && !options->quiet) {
        fprintf(stderr, "now %" PRIu32 " generations in all; --resume goes on after a stop\n",
                vxe_search_describe(search).generations);
    }
    const int result = extended ? go_on(&job, search) : command_fail_of(options->folder, &error);
    vxe_search_destroy(search);
    return result;
}

/* Runs a worker: any process of mpirun but the first. */
static int serve(const evolve_options *options)
{
    vxe_error error;
    const bool failed = vxe_cluster_serve((uint32_t)options->threads, &error);
    const int status = failed ? command_fail(&error) : EXIT_OK;
    if (failed) {
        vxe_cluster_abort(status); /* otherwise the manager would wait for this process */
    }
    return status;
}

int command_evolve(int count, char **words)
{
    evolve_options options = {0};
    const int status = parse(&options, count, words);
    if (status) {
        return status < 0 ? EXIT_OK : status;
    }
    interrupt_catch();
    const bool manages = vxe_cluster_join();
    const int result = manages ? search_for(&options) : serve(&options);
    vxe_cluster_leave();
    return result;
}
