/* SPDX-License-Identifier: MIT */
/* voxelastic batch: simulates many designs and writes one row of results for each. A design that
   cannot be read or run gets a row with the reason; the others run all the same. Rows go to
   standard output or to a file, which appears whole or not at all; all other text goes to standard
   error. */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/batch/batch_rows.h"
#include "cli/batch/batch_worker.h"
#include "cli/command.h"
#include "cli/design_options.h"
#include "cli/shared/design_list.h"
#include "cli/shared/design_settings.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/options.h"
#include "cli/shared/output_file.h"
#include "cli/shared/progress.h"

/* Beyond this, a step is a thousandth of the first one, which no longer helps. */
#define MAX_RETRIES 10

typedef struct batch_options {
    vxe_batch_def def;
    design_settings settings;
    batch_sweep sweep;
    const char *output; /* null: CSV to standard output */
    bool quiet;
    uint64_t max_line; /* bytes, with --stdin */
    bool serves;       /* --stdin: designs and rows go line by line */
} batch_options;

typedef struct batch_job {
    const batch_options *options;
    design_list list;
    batch_entry *entries; /* (count) each design with each combination of the sweep */
    uint32_t count;
    vxe_batch *batch;
    progress bar;
    double wall_seconds;
} batch_job;

static const char *const help =
    "usage: voxelastic batch DESIGN... or FOLDER [options]\n"
    "       voxelastic batch --stdin [options]\n\n"
    "Simulates many designs, each until its own stop rule or for the given time, and writes a row "
    "of\n"
    "results per design. A folder stands for all designs in it (.vxa .vxc .vxd .json .vox .npy "
    ".npz), by "
    "name. A\n"
    "design that cannot run, or diverges, has a row that says so; the others run all the same. "
    "Where no\n"
    "design got to its end the exit status is 3, or 4 where one diverged.\n\n"
    "  --stdin              designs from standard input, one on each line, as a scene in JSON or "
    "the\n"
    "                       name of a file in quotes; a row in JSON on standard output for each, "
    "in\n"
    "                       their order, until the input ends: a worker for programs in any "
    "language\n"
    "  -o, --output FILE    rows into FILE.csv or FILE.json (default: CSV to standard output)\n"
    "  --duration S         seconds to simulate\n"
    "  --steps N            steps to simulate\n" DESIGN_SETTINGS_HELP
    "  --sweep KEY=A:B:N    each design with N values of a key, evenly spaced from A to B, or with "
    "those\n"
    "                       of a list, KEY=VALUE,VALUE,...; several sweeps: every combination; a "
    "column\n"
    "                       for each\n"
    "  --schedule S         auto (default), lanes (robots side by side in the lanes of vectors) "
    "or\n"
    "                       alone: same results to the last bit, different speed\n"
    "  --retries N          repeat a run that diverges up to N times, each time with half the "
    "step\n"
    "  --max-seconds S      refuse a design that would run for longer (simulated seconds)\n"
    "  --max-steps N        refuse a design that would run for more steps\n"
    "  --max-line N         with --stdin: refuse a line of more bytes (536870912)\n"
    "  --quiet              no progress bar, no summary\n\n"
    "For every robot, except that --threads auto means all processors and --ledger is for 'run':\n";

enum {
    OPTION_DURATION = OPTION_OWN,
    OPTION_STEPS,
    OPTION_SET,
    OPTION_SWEEP,
    OPTION_SCHEDULE,
    OPTION_RETRIES,
    OPTION_QUIET,
    OPTION_STDIN,
    OPTION_MAX_SECONDS,
    OPTION_MAX_STEPS,
    OPTION_MAX_LINE
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"duration", required_argument, NULL, OPTION_DURATION},
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"set", required_argument, NULL, OPTION_SET},
    {"sweep", required_argument, NULL, OPTION_SWEEP},
    {"schedule", required_argument, NULL, OPTION_SCHEDULE},
    {"retries", required_argument, NULL, OPTION_RETRIES},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"stdin", no_argument, NULL, OPTION_STDIN},
    {"max-seconds", required_argument, NULL, OPTION_MAX_SECONDS},
    {"max-steps", required_argument, NULL, OPTION_MAX_STEPS},
    {"max-line", required_argument, NULL, OPTION_MAX_LINE},
    {"help", no_argument, NULL, 'h'},
    DESIGN_OPTIONS,
    {NULL, 0, NULL, 0}};

/* Takes one option. Returns 0 or an exit status. */
static int take_option(batch_options *options, int option, const char *value)
{
    vxe_batch_def *def = &options->def;
    uint64_t retries = 0;
    int index = 0;
    switch (option) {
    case 'o':
        options->output = value;
        return path_has_suffix(value, ".csv") || path_has_suffix(value, ".json")
                   ? 0
                   : command_misused("batch", "--output '%s': expected a name in .csv or .json",
                                     value);
    case OPTION_DURATION:
        return option_number("batch", "duration", value, 0, &def->duration) ? 0 : EXIT_USAGE;
    case OPTION_STEPS:
        return option_whole("batch", "steps", value, &def->steps) ? 0 : EXIT_USAGE;
    case OPTION_SET:
        return design_settings_add(&options->settings, "batch", "set", value);
    case OPTION_SWEEP:
        return batch_sweep_add(&options->sweep, value);
    case OPTION_SCHEDULE:
        index = option_choice("batch", "schedule", value, "auto", "lanes", "alone");
        def->schedule = (vxe_batch_schedule)(index < 0 ? 0 : index);
        return index < 0 ? EXIT_USAGE : 0;
    case OPTION_RETRIES:
        if (!option_whole("batch", "retries", value, &retries)) {
            return EXIT_USAGE;
        }
        if (retries > MAX_RETRIES) {
            return command_misused("batch", "--retries %s: expected 1 to %d", value, MAX_RETRIES);
        }
        def->retries = (uint32_t)retries;
        return 0;
    case OPTION_MAX_SECONDS:
        return option_number("batch", "max-seconds", value, 0, &def->max_duration) ? 0 : EXIT_USAGE;
    case OPTION_MAX_STEPS:
        return option_whole("batch", "max-steps", value, &def->max_steps) ? 0 : EXIT_USAGE;
    case OPTION_MAX_LINE:
        return option_whole("batch", "max-line", value, &options->max_line) ? 0 : EXIT_USAGE;
    case OPTION_QUIET:
        options->quiet = true;
        return 0;
    case OPTION_STDIN:
        options->serves = true;
        return 0;
    case OPTION_LEDGER:
        return command_misused("batch", "--ledger works with 'voxelastic run' only");
    default:
        return design_option("batch", option, value, &def->world);
    }
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(batch_options *options, int count, char **words)
{
    options->def = vxe_batch_def_default();
    options->max_line = BATCH_LINE;
    for (int option = 0;
         (option = options_next("batch", count, words, "ho:", long_options)) != -1;) {
        if (option == 'h') {
            printf("%s%s", help, design_options_help);
            return -1;
        }
        if (option == '?') {
            return EXIT_USAGE;
        }
        const int status = take_option(options, option, optarg);
        if (status) {
            return status;
        }
    }
    if (options->serves && (options->settings.count || options->sweep.count)) {
        return command_misused("batch", "--stdin takes no --set and no --sweep: a line is all of "
                                        "its design");
    }
    if (options->serves && (optind < count || options->output)) {
        return command_misused(
            "batch", "--stdin takes no designs and no --output: designs and rows are lines");
    }
    return optind < count || options->serves ? 0 : command_misused("batch", "which designs?");
}

/* Changes a design by the settings and by the values of a combination. */
static vxe_status set_values(const batch_options *options, uint32_t combination, vxe_design *design,
                             vxe_error *error)
{
    const batch_sweep *sweep = &options->sweep;
    const uint32_t set = options->settings.count;
    design_settings all = {.count = set};
    all.list = calloc(set + sweep->count + 1, sizeof *all.list);
    if (!all.list) {
        return command_no_memory(error);
    }
    if (options->settings.list) {
        memcpy(all.list, options->settings.list, set * sizeof *all.list);
    }
    for (uint32_t axis = 0; axis < sweep->count; axis++) {
        all.list[all.count++] = (vxe_setting){.key = sweep->axes[axis].key,
                                              .value = batch_sweep_value(sweep, axis, combination)};
    }
    const vxe_status status =
        design_settings_apply(&all, sweep->count ? "--set, --sweep" : "--set", design, error);
    free(all.list);
    return status;
}

/* Adds a combination to the batch of a design, which the entry takes over, or notes why it cannot
   be simulated; null, and error filled: it could not be read. Returns false where memory is
   lacking. */
static bool add_entry(batch_job *job, vxe_design *design, vxe_error error, batch_entry *entry)
{
    char text[VXE_ERROR_TEXT];
    entry->robot = vxe_batch_count(job->batch);
    entry->design = design;
    if (design && (set_values(job->options, entry->combination, design, &error) ||
                   vxe_batch_add(job->batch, design, &error))) {
        vxe_design_destroy(design);
        entry->design = NULL;
    }
    if (entry->design || error.status == VXE_ERROR_MEMORY) { /* no fault of the design */
        return entry->design;
    }
    vxe_error_name_file(&error, entry->path);
    entry->refusal = strdup(vxe_error_text(&error, text, sizeof text));
    return entry->refusal;
}

/* Reads a design, and adds it in all combinations; copies of it, but for the last. Returns false
   where memory is lacking. */
static bool read_design(batch_job *job, const char *path, batch_entry *entries,
                        uint32_t combinations)
{
    vxe_error error = {0};
    vxe_design *design = vxe_design_read(path, &error);
    bool good = true;
    for (uint32_t i = 0; i < combinations && good; i++) {
        entries[i].path = path;
        entries[i].combination = i;
        if (interrupted()) {
            continue;
        }
        const bool copies = design && i < combinations - 1;
        vxe_design *own = copies ? vxe_design_copy(design, &error) : design;
        design = copies ? design : NULL;
        good = add_entry(job, own, error, &entries[i]);
    }
    vxe_design_destroy(design);
    for (uint32_t i = 0; i < combinations && !job->options->quiet; i++) {
        if (entries[i].design) {
            print_mistakes(stderr, path, entries[i].design);
            break;
        }
    }
    return good;
}

/* Reads the designs, until interrupted. */
static bool read_designs(batch_job *job, vxe_error *error)
{
    const uint32_t combinations = batch_sweep_combinations(&job->options->sweep);
    job->entries = calloc(job->count, sizeof *job->entries);
    bool good = job->entries;
    for (uint32_t i = 0; good && i < job->list.count; i++) {
        good = read_design(job, job->list.paths[i], job->entries + (size_t)i * combinations,
                           combinations);
    }
    if (!good) {
        (void)command_no_memory(error);
    }
    return good;
}

static bool watch(const vxe_batch_progress *so_far, void *user)
{
    batch_job *job = user;
    progress_draw_updates(&job->bar, so_far->bond_updates / so_far->bond_updates_expected,
                          so_far->bond_updates);
    return !interrupted();
}

static bool simulate(batch_job *job, vxe_error *error)
{
    progress_begin(&job->bar, job->options->quiet);
    const vxe_status status = vxe_batch_run(job->batch, watch, job, error);
    job->wall_seconds = clock_seconds() - job->bar.started;
    progress_end(&job->bar);
    return !status;
}

/* Writes the rows to standard output. */
static bool print_rows(const batch_table *table, vxe_error *error)
{
    FILE *out = interruptible_output(false, error);
    if (!out) {
        return false;
    }
    const bool made = batch_table_write_csv(table, out);
    bool good = made && !fflush(out) && !ferror(out);
    good = !fclose(out) && good;
    if (!made) {
        (void)command_no_memory(error);
    } else if (!good) {
        *error = (vxe_error){.status = VXE_ERROR_SYSTEM, .message = "cannot write rows"};
    }
    return good;
}

/* Writes the rows to the file that was asked for, or to standard output. */
static bool write_rows(const batch_table *table, const char *path, vxe_error *error)
{
    vxe_file_writer file;
    if (!path) {
        return print_rows(table, error);
    }
    if (vxe_file_begin(&file, path, error)) {
        return false;
    }
    const bool made = path_has_suffix(path, ".csv") ? batch_table_write_csv(table, file.stream)
                                                    : batch_table_write_json(table, file.stream);
    if (!made && !ferror(file.stream)) {
        vxe_file_abandon(&file);
        (void)command_no_memory(error);
        return false;
    }
    return vxe_file_commit(&file, error) == VXE_OK;
}

/* Prints how many robots ran as published, and how to get others. */
static void print_batch_conventions(const batch_table *table)
{
    uint32_t native = 0;
    uint32_t published = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        const char *rules = batch_table_conventions(table, i);
        const bool own = strncmp(rules, "native", strlen("native")) == 0;
        native += own;
        published += rules[0] && !own;
    }
    fprintf(stderr, "conventions: %u native, %u as published%s\n", native, published,
            published ? " (some 3 times the time; '--conventions native' is our own)" : "");
}

static void print_summary(const batch_table *table)
{
    const batch_counts counts = batch_table_count(table);
    const vxe_batch_facts facts = vxe_batch_describe(table->batch);
    char unphysical[32] = "";
    char stopped[32] = "";
    if (counts.unphysical) {
        snprintf(unphysical, sizeof unphysical, ", %u unphysical", counts.unphysical);
    }
    if (counts.stopped) {
        snprintf(stopped, sizeof stopped, ", %u stopped", counts.stopped);
    }
    fprintf(stderr, "%u robot%s: %u done, %u diverged%s, %u refused%s; %u in lanes\n", table->count,
            table->count == 1 ? "" : "s", counts.done, counts.diverged, unphysical, counts.refused,
            stopped, facts.robots_in_lanes);
    print_batch_conventions(table);
    fprintf(stderr, "%s precision, %u thread%s, %s, %.3g s of wall time: %.1f M bond updates/s\n",
            facts.precision, facts.threads, facts.threads == 1 ? "" : "s", facts.isa,
            table->wall_seconds, 1e-6 * batch_table_bond_rate(table));
}

/* Carries out the command. Returns 0 or an exit status. */
static int execute(batch_job *job, int count, char **words)
{
    vxe_error error;
    const batch_options *options = job->options;
    const int status = design_list_collect(&job->list, "batch", count, words, options->output);
    if (status) {
        return status;
    }
    const uint64_t rows = (uint64_t)job->list.count * batch_sweep_combinations(&options->sweep);
    if (options->sweep.count > 0 && rows > BATCH_SWEEP_ROWS) {
        return command_misused("batch", "--sweep: %" PRIu64 " rows; at most %u", rows,
                               BATCH_SWEEP_ROWS);
    }
    job->count = (uint32_t)rows;
    if (options->output && !output_possible(options->output, &error)) {
        return command_fail(&error);
    }
    job->batch = vxe_batch_create(&options->def, &error);
    if (!job->batch || !read_designs(job, &error) || !simulate(job, &error)) {
        return command_fail(&error);
    }
    const batch_table table = {.batch = job->batch,
                               .entries = job->entries,
                               .count = job->count,
                               .sweep = &options->sweep,
                               .wall_seconds = job->wall_seconds};
    if (!write_rows(&table, options->output, &error)) {
        return interrupted() ? EXIT_INTERRUPTED : command_fail(&error);
    }
    if (!options->quiet) {
        print_summary(&table);
    }
    const batch_counts counts = batch_table_count(&table);
    return interrupted()                             ? EXIT_INTERRUPTED
           : counts.done > 0                         ? EXIT_OK
           : counts.diverged + counts.unphysical > 0 ? EXIT_DIVERGED
                                                     : EXIT_INPUT;
}

static void clear(batch_job *job)
{
    vxe_batch_destroy(job->batch);
    for (uint32_t i = 0; job->entries && i < job->count; i++) {
        vxe_design_destroy(job->entries[i].design);
        free(job->entries[i].refusal);
    }
    free(job->entries);
    design_list_clear(&job->list);
}

static int carry_out(const batch_options *options, int count, char **words)
{
    interrupt_catch();
    if (options->serves) {
        return batch_serve(&options->def, options->max_line);
    }
    batch_job job = {.options = options};
    const int status = execute(&job, count - optind, words + optind);
    clear(&job);
    return status;
}

int command_batch(int count, char **words)
{
    batch_options options = {0};
    int status = parse(&options, count, words);
    status = status < 0 ? EXIT_OK : status ? status : carry_out(&options, count, words);
    design_settings_clear(&options.settings);
    batch_sweep_clear(&options.sweep);
    return status;
}
