/* SPDX-License-Identifier: MIT */
/* voxelastic analyze: fitness of searches over generations, statistics over their seeds, and the
   comparison of two sets of searches. */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#include "cli/command.h"
#include "cli/shared/curves_picture.h"
#include "cli/shared/design_list.h"
#include "cli/shared/options.h"

/* getopt_long returns this for a word that is not an option. */
#define FOLDER 1

typedef struct analyze_options {
    const char *table;   /* null: no table */
    const char *picture; /* null: no picture */
    bool against;
    uint32_t split;       /* number of folders in the first set */
    const char **folders; /* (count) folders of both sets */
    uint32_t count;
} analyze_options;

static const char *const help =
    "usage: voxelastic analyze FOLDER... [--against FOLDER...] [options]\n\n"
    "Summarises searches (folders of 'voxelastic evolve'): best and median fitness by generation, "
    "as\n"
    "medians over the searches with 95 % bootstrap bands, and the ancestors of the best champion.\n"
    "With --against: whether the best of the first set are better than those of the second (rank "
    "test\n"
    "of Mann and Whitney, two-sided; effect: how often one of the first beats one of the "
    "other).\n\n"
    "  -o, --output FILE.csv   the curves as a table\n"
    "  --picture FILE.svg      the curves as a picture\n";

/* Writes a band of a curve at one generation as three cells. */
static void print_band(FILE *stream, vxe_band band)
{
    const double cells[3] = {band.median, band.low, band.high};
    for (int i = 0; i < 3; i++) {
        if (isfinite(cells[i])) {
            fprintf(stream, ",%.17g", cells[i]);
        } else {
            putc(',', stream);
        }
    }
}

static bool write_table(const analyze_options *options, vxe_analysis *const sets[2],
                        vxe_error *error)
{
    vxe_file_writer file;
    const uint64_t failures = vxe_memory_failures(); /* without memory a band is empty */
    if (vxe_file_begin(&file, options->table, error)) {
        return false;
    }
    const char *unit = curves_unit(sets).suffix;
    fprintf(file.stream,
            "set,generation,searches,best_fitness%s,best_low%s,best_high%s,median_fitness%s,"
            "median_low%s,median_high%s,archive_cells,archive_low,archive_high,failed,failed_low,"
            "failed_high\n",
            unit, unit, unit, unit, unit, unit);
    for (int s = 0; s < 2 && sets[s]; s++) {
        for (uint32_t g = 0; g < vxe_analysis_generations(sets[s]); g++) {
            fprintf(file.stream, "%d,%" PRIu32 ",%" PRIu32, s + 1, g, vxe_analysis_runs(sets[s]));
            for (int curve = 0; curve < VXE_CURVES; curve++) {
                print_band(file.stream, vxe_analysis_band(sets[s], (vxe_curve)curve, g));
            }
            putc('\n', file.stream);
        }
    }
    if (vxe_memory_check(failures, error)) {
        vxe_file_abandon(&file);
        return false;
    }
    return vxe_file_commit(&file, error) == VXE_OK;
}

/* Returns the search with the best champion. */
static uint32_t best_run(const vxe_analysis *set)
{
    double max = -HUGE_VAL;
    uint32_t best = 0;
    for (uint32_t i = 0; i < vxe_analysis_runs(set); i++) {
        uint32_t count = 0;
        const vxe_ancestor *line = vxe_analysis_lineage(set, i, &count);
        if (line && line[count - 1].fitness > max) {
            max = line[count - 1].fitness;
            best = i;
        }
    }
    return best;
}

static void print_set(const vxe_analysis *set, const char *const *folders)
{
    const uint32_t generations = vxe_analysis_generations(set);
    const uint32_t runs = vxe_analysis_runs(set);
    printf("%" PRIu32 " search%s, %" PRIu32 " generations\n", runs, runs == 1 ? "" : "es",
           generations);
    const char *unit = vxe_analysis_unit(set).name;
    char heads[2][60];
    snprintf(heads[0], sizeof heads[0], "best fitness%s%s (95 %% of its median)",
             unit[0] ? ", " : "", unit);
    snprintf(heads[1], sizeof heads[1], "median fitness%s%s", unit[0] ? ", " : "", unit);
    printf("%12s  %-36s %-36s\n", "generation", heads[0], heads[1]);
    for (uint32_t k = 0; k <= 4; k++) {
        const uint32_t g = (uint32_t)((uint64_t)(generations - 1) * k / 4);
        const vxe_band best = vxe_analysis_band(set, VXE_CURVE_BEST, g);
        const vxe_band median = vxe_analysis_band(set, VXE_CURVE_MEDIAN, g);
        char text[2][60];
        snprintf(text[0], sizeof text[0], "%.5g (%.5g to %.5g)", best.median, best.low, best.high);
        snprintf(text[1], sizeof text[1], "%.5g (%.5g to %.5g)", median.median, median.low,
                 median.high);
        if (k == 0 || g > (uint64_t)(generations - 1) * (k - 1) / 4) {
            printf("%12" PRIu32 "  %-36s %-36s\n", g, text[0], text[1]);
        }
    }
    const vxe_band cells = vxe_analysis_band(set, VXE_CURVE_CELLS, generations - 1);
    if (isfinite(cells.median)) {
        printf("archive: %.5g cells filled (%.5g to %.5g)\n", cells.median, cells.low, cells.high);
    }
    uint32_t count = 0;
    const uint32_t best = best_run(set);
    const vxe_ancestor *line = vxe_analysis_lineage(set, best, &count);
    if (line) {
        printf("best: individual %" PRIu64 " of %s, the last of %" PRIu32 ":", line[count - 1].id,
               folders[best], count);
        for (uint32_t i = 0; i < count; i++) {
            const bool shown = count <= 12 || i < 6 || i + 6 >= count;
            if (shown) {
                printf("%s %" PRIu64 " (%.4g)", i ? " >" : "", line[i].id, line[i].fitness);
            } else if (i == 6) {
                fputs(" > ...", stdout);
            }
        }
        putchar('\n');
    }
}

/* Takes the best fitness of each search up to a generation; minus infinity where a search has
   none. */
static uint32_t take_bests(const vxe_analysis *set, uint32_t generation, double *values)
{
    const uint32_t count = vxe_analysis_runs(set);
    for (uint32_t i = 0; i < count; i++) {
        const double value = vxe_analysis_value(set, VXE_CURVE_BEST, i, generation);
        values[i] = value == value ? value : -HUGE_VAL;
    }
    return count;
}

static vxe_status print_comparison(const vxe_analysis *first, const vxe_analysis *second,
                                   vxe_error *error)
{
    const uint64_t failures = vxe_memory_failures();
    double *values = vxe_memory_take((uint64_t)vxe_analysis_runs(first) + vxe_analysis_runs(second),
                                     sizeof *values);
    if (!values) {
        return vxe_memory_check(failures, error);
    }
    const uint32_t ends[2] = {vxe_analysis_generations(first), vxe_analysis_generations(second)};
    const uint32_t last =
        (ends[0] < ends[1] ? ends[0] : ends[1]) - 1; /* the last generation that both sets have */
    const uint32_t m = take_bests(first, last, values);
    const uint32_t n = take_bests(second, last, values + m);
    const vxe_comparison c = vxe_compare(values, m, values + m, n);
    printf("best fitness at generation %" PRIu32 ", first set against second: U = %g of %" PRIu64
           " pairs, effect %.3f, p = %.3g\n",
           last, c.u, (uint64_t)m * n, c.effect, c.p);
    vxe_memory_release(values);
    return VXE_OK;
}

/* Takes one option or folder. Returns 0 or an exit status. */
static int take_word(analyze_options *options, int option, const char *value)
{
    switch (option) {
    case FOLDER:
        options->folders[options->count++] = value;
        return 0;
    case 'a':
        if (options->against) {
            return command_misused("analyze", "--against once");
        }
        options->against = true;
        options->split = options->count;
        return 0;
    case 'o':
        options->table = value;
        return path_has_suffix(value, ".csv")
                   ? 0
                   : command_misused("analyze", "--output '%s': expected a name in .csv", value);
    case 'p':
        options->picture = value;
        return path_has_suffix(value, ".svg")
                   ? 0
                   : command_misused("analyze", "--picture '%s': expected a name in .svg", value);
    default:
        return EXIT_USAGE;
    }
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(analyze_options *options, int count, char **words)
{
    static const struct option long_options[] = {{"against", no_argument, NULL, 'a'},
                                                 {"output", required_argument, NULL, 'o'},
                                                 {"picture", required_argument, NULL, 'p'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    vxe_error error;
    const uint64_t failures = vxe_memory_failures();
    options->folders = vxe_memory_take((uint64_t)count, sizeof *options->folders);
    if (vxe_memory_check(failures, &error)) {
        return command_fail(&error);
    }
    /* "-" makes getopt_long return folders in order, among the options */
    for (int option = 0;
         (option = options_next("analyze", count, words, "-ho:", long_options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return -1;
        }
        const int status = take_word(options, option, optarg);
        if (status) {
            return status;
        }
    }
    for (; optind < count; optind++) { /* folders behind "--" */
        options->folders[options->count++] = words[optind];
    }
    options->split = options->against ? options->split : options->count;
    if (options->split == 0) {
        return command_misused("analyze", "which folders?");
    }
    return options->against && options->split == options->count
               ? command_misused("analyze", "--against which folders?")
               : 0;
}

/* Prints and writes the analysis. Returns 0 or an exit status. */
static int tell(const analyze_options *options, vxe_analysis *const sets[2])
{
    vxe_error error;
    print_set(sets[0], options->folders);
    if (sets[1]) {
        puts("against");
        print_set(sets[1], options->folders + options->split);
        if (print_comparison(sets[0], sets[1], &error)) {
            return command_fail(&error);
        }
    }
    if ((options->table && !write_table(options, sets, &error)) ||
        (options->picture && !curves_picture_write(options->picture, sets, &error))) {
        return command_fail(&error);
    }
    return EXIT_OK;
}

int command_analyze(int count, char **words)
{
    analyze_options options = {0};
    vxe_analysis *sets[2] = {NULL, NULL};
    vxe_error error;
    int status = parse(&options, count, words);
    if (!status) {
        const uint32_t others = options.count - options.split;
        sets[0] = vxe_analysis_open(options.folders, options.split, &error);
        sets[1] = sets[0] && others > 0
                      ? vxe_analysis_open(options.folders + options.split, others, &error)
                      : NULL;
        status = sets[0] && (sets[1] || others == 0) ? tell(&options, sets) : command_fail(&error);
    }
    vxe_analysis_close(sets[0]);
    vxe_analysis_close(sets[1]);
    vxe_memory_release(options.folders);
    return status < 0 ? EXIT_OK : status;
}
