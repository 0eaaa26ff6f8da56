/* SPDX-License-Identifier: MIT */
/* voxelastic compare: one table that says how far a score can be trusted, and what makes the
   difference between a published score and ours. */
#include <stdatomic.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/compare/compare_write.h"
#include "cli/design_options.h"
#include "cli/shared/design_list.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/options.h"
#include "cli/shared/output_file.h"

static const char *const help =
    "usage: voxelastic compare DESIGN... [options]\n\n"
    "Runs each design as published, under our own rules, at shorter steps, and with each single\n"
    "choice in which both differ, each as an ensemble: copies whose starts differ by a millionth "
    "of a\n"
    "voxel and whose steps differ by a thousandth. Says how far they scatter, whether the default\n"
    "step is short enough, and which choices make the difference.\n\n"
    "  --copies N           copies in every row (default: 16, fewer where a row would take long)\n"
    "  --duration S         seconds to simulate (default: as the design says)\n"
    "  --steps N            steps to simulate\n"
    "  --native             rows under our own rules alone\n"
    "  --threads N|auto     threads (default: all processors)\n"
    "  --precision P        mixed (default) or double\n"
    "  -o, --output FILE    .csv, .json, .svg (paths from above, of one design) or .html (paths,\n"
    "                       table, and replays with copies as ghosts)\n"
    "  --quiet              nothing on standard output\n";

enum { OPTION_COPIES = OPTION_OWN, OPTION_DURATION, OPTION_STEPS, OPTION_NATIVE, OPTION_QUIET };

typedef struct compare_options {
    vxe_ensemble_def def;
    const char *output;
    uint64_t copies; /* 0: as many as a row can afford */
    bool own_rules;
    bool quiet;
} compare_options;

static int take_option(compare_options *options, int option, const char *value)
{
    switch (option) {
    case 'o':
        options->output = value;
        return compare_knows(value)
                   ? 0
                   : command_misused("compare",
                                     "--output '%s': expected a name in .csv, .json, .svg or .html",
                                     value);
    case OPTION_COPIES:
        if (!option_whole("compare", "copies", value, &options->copies)) {
            return EXIT_USAGE;
        }
        return options->copies <= VXE_MAX_COPIES
                   ? 0
                   : command_misused("compare", "--copies %s: at most %u", value, VXE_MAX_COPIES);
    case OPTION_DURATION:
        return option_number("compare", "duration", value, 0, &options->def.batch.duration)
                   ? 0
                   : EXIT_USAGE;
    case OPTION_STEPS:
        return option_whole("compare", "steps", value, &options->def.batch.steps) ? 0 : EXIT_USAGE;
    case OPTION_NATIVE:
        options->own_rules = true;
        return 0;
    case OPTION_QUIET:
        options->quiet = true;
        return 0;
    default:
        return design_option("compare", option, value, &options->def.batch.world);
    }
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(compare_options *options, int count, char **words)
{
    static const struct option rows[] = {{"copies", required_argument, NULL, OPTION_COPIES},
                                         {"duration", required_argument, NULL, OPTION_DURATION},
                                         {"steps", required_argument, NULL, OPTION_STEPS},
                                         {"native", no_argument, NULL, OPTION_NATIVE},
                                         {"threads", required_argument, NULL, OPTION_THREADS},
                                         {"precision", required_argument, NULL, OPTION_PRECISION},
                                         {"output", required_argument, NULL, 'o'},
                                         {"quiet", no_argument, NULL, OPTION_QUIET},
                                         {"help", no_argument, NULL, 'h'},
                                         {NULL, 0, NULL, 0}};
    options->def = vxe_ensemble_def_default();
    for (int option = 0; (option = options_next("compare", count, words, "ho:", rows)) != -1;) {
        if (option == 'h') {
            printf("%s", help);
            return -1;
        }
        const int status = option == '?' ? EXIT_USAGE : take_option(options, option, optarg);
        if (status) {
            return status;
        }
    }
    options->def.copies = options->copies ? (uint32_t)options->copies : options->def.copies;
    return optind < count ? 0 : command_misused("compare", "which designs?");
}

/* Rows that run on several threads, and are printed in their order. */
typedef struct row_work {
    comparison *comparison;
    bool quiet;
    atomic_bool done[COMPARE_MAX_ROWS];
    uint32_t printed; /* the first so many rows; belongs to who has `printing` */
    atomic_flag printing;
    atomic_bool stopped; /* a row could not run: out of memory, or interrupted */
    vxe_error error;     /* of the first such row */
} row_work;

/* Prints rows that are done and come next, unless another thread does. */
static void print_rows(row_work *work)
{
    const comparison *c = work->comparison;
    if (work->quiet || atomic_flag_test_and_set(&work->printing)) {
        return;
    }
    while (work->printed < c->count && atomic_load(&work->done[work->printed])) {
        compare_print_row(stdout, &c->rows[work->printed++]);
    }
    fflush(stdout);
    atomic_flag_clear(&work->printing);
}

static void run_row(void *user, uint32_t item)
{
    row_work *work = user;
    vxe_error error;
    if (atomic_load(&work->stopped)) {
        return;
    }
    if (!compare_run(work->comparison, &work->comparison->rows[item], &error)) {
        if (!atomic_exchange(&work->stopped, true)) {
            work->error = error;
        }
        return;
    }
    atomic_store(&work->done[item], true);
    print_rows(work);
}

/* Compares one design, with a line on standard output for each row. */
static int compare_one(comparison *c, const compare_options *options)
{
    vxe_error error;
    vxe_design *design = vxe_design_read(c->path, &error);
    c->design = design;
    c->def = options->def;
    c->all_copies = options->copies > 0;
    c->own_rules = options->own_rules;
    if (!design || !compare_list(c, &error)) {
        return command_fail_of(c->path, &error);
    }
    const vxe_run_limits limits =
        vxe_run_limits_of(design, c->def.batch.duration, c->def.batch.steps);
    if (!vxe_run_limits_end(&limits, design)) {
        return command_misused("compare", "%s has no stop rule: give --duration or --steps",
                               c->path);
    }
    if (!options->quiet) {
        printf("%s%s: written for %s (%s)\n", c->path,
               design->written_for_guessed ? ", likely" : "", design->written_for,
               design->written_for_by[0] ? design->written_for_by : "nothing says so");
        compare_print_head(stdout);
    }
    row_work work = {.comparison = c, .quiet = options->quiet, .printing = ATOMIC_FLAG_INIT};
    const uint32_t threads = c->def.batch.world.threads;
    c->def.batch.world.threads = 1; /* rows run side by side: many have a single copy */
    vxe_parallel_each(c->count, threads, run_row, &work);
    print_rows(&work); /* what two threads left to each other */
    if (atomic_load(&work.stopped)) {
        return interrupted() ? EXIT_INTERRUPTED : command_fail_of(c->path, &work.error);
    }
    if (!options->quiet) {
        compare_print_words(stdout, c);
    }
    return EXIT_OK;
}

static void clear(comparison *c, uint32_t count)
{
    for (uint32_t i = 0; c && i < count; i++) {
        compare_clear(&c[i]);
        vxe_design_destroy(c[i].design);
    }
    vxe_memory_release(c);
}

int command_compare(int count, char **words)
{
    compare_options options = {0};
    vxe_error error;
    design_list list = {0};
    int status = parse(&options, count, words);
    if (status) {
        return status < 0 ? EXIT_OK : status;
    }
    interrupt_catch();
    status = design_list_collect(&list, "compare", count - optind, words + optind, options.output);
    if (!status && options.output && !output_possible(options.output, &error)) {
        status = command_fail(&error);
    }
    if (!status && list.count > 1 && options.output && path_has_suffix(options.output, ".svg")) {
        status = command_misused("compare", "a picture is of one design; .html holds several");
    }
    comparison *all = status ? NULL : vxe_memory_take(list.count, sizeof *all);
    if (!status && !all) {
        (void)command_no_memory(&error);
        status = command_fail(&error);
    }
    for (uint32_t i = 0; all && i < list.count && !status; i++) {
        all[i].path = list.paths[i];
        status = compare_one(&all[i], &options);
    }
    if (all && !status && options.output &&
        !compare_write(all, list.count, options.output, &error)) {
        status = command_fail(&error);
    }
    clear(all, list.count);
    design_list_clear(&list);
    return status;
}
