/* SPDX-License-Identifier: MIT */
/* voxelastic tune: improves numbers of a design by gradients through its runs, into a folder. After
   Ctrl-C or a termination signal, --resume continues it. */
#include "cli/tune/tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/design_options.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/options.h"
#include "cli/shared/progress.h"

/* Iterations where nothing is said. */
#define ITERATIONS 100

/* s of wall time between two writings of the folder. */
#define BETWEEN_SAVES 10.0

/* e-folds of adjoints in a run above which a gradient without forgetting is of little worth. */
#define CHAOTIC 4.0

static const char *const help =
    "usage: voxelastic tune DESIGN --out FOLDER [options]\n"
    "       voxelastic tune --out FOLDER --resume [options]\n\n"
    "Improves phases, amplitudes, stiffness or occupancy of a design's voxels by gradients "
    "through\n"
    "whole runs (see docs/tune.md): some hundred runs' worth of work where a search takes "
    "thousands. FOLDER "
    "receives\n"
    "the best designs, the curve, and a page that shows before and after. At the end the best few "
    "are\n"
    "run longer, and both scores are shown. After Ctrl-C, --resume goes on, with the same result "
    "to\n"
    "the last bit.\n\n"
    "  -o, --out FOLDER     folder of the tuning; must not exist, except with --resume\n"
    "  --by LIST            what is tuned: phase (default), amplitude, stiffness, occupancy, or "
    "several\n"
    "                       with commas between\n"
    "  --for walk|FORMULA   what is made large: walk (default), the mean speed along x, or a "
    "formula\n"
    "                       of x, y, z (m, way of the centre of mass) and t (s, the end), such as\n"
    "                       'x - abs(y)'\n"
    "  --iterations N       in all (default 100)\n"
    "  --time S             seconds of a run (default: as the design says)\n"
    "  --longer S           seconds of the longer run at the end (default: four times as many)\n"
    "  --forget S           seconds that gradients look back (default: 3/4 of the actuation's "
    "period;\n"
    "                       0: to the start)\n"
    "  --copies N           runs beside each other, whose mean gradient counts (default 1)\n"
    "  --seed N             of the copies (default 0)\n"
    "  --no-self-collision  switches it off, which makes runs faster\n"
    "  --timestep S         seconds (default: 0.9 of what auto gives at the ends of the ranges)\n"
    "  --precision P        mixed (default) or double\n"
    "  --conventions NAME   native with switches, or auto (default)\n"
    "  --threads N|auto     threads (default auto: all processors)\n"
    "  --resume             go on with the tuning in FOLDER, by its own choices; --iterations "
    "may\n"
    "                       give it more\n"
    "  --quiet              no progress, no summary\n";

enum {
    OPTION_BY = OPTION_OWN,
    OPTION_FOR,
    OPTION_ITERATIONS,
    OPTION_TIME,
    OPTION_LONGER,
    OPTION_FORGET,
    OPTION_COPIES,
    OPTION_SEED,
    OPTION_NO_COLLISION,
    OPTION_RESUME,
    OPTION_QUIET
};

static const struct option rows[] = {{"out", required_argument, NULL, 'o'},
                                     {"by", required_argument, NULL, OPTION_BY},
                                     {"for", required_argument, NULL, OPTION_FOR},
                                     {"iterations", required_argument, NULL, OPTION_ITERATIONS},
                                     {"time", required_argument, NULL, OPTION_TIME},
                                     {"longer", required_argument, NULL, OPTION_LONGER},
                                     {"forget", required_argument, NULL, OPTION_FORGET},
                                     {"copies", required_argument, NULL, OPTION_COPIES},
                                     {"seed", required_argument, NULL, OPTION_SEED},
                                     {"no-self-collision", no_argument, NULL, OPTION_NO_COLLISION},
                                     {"timestep", required_argument, NULL, OPTION_TIMESTEP},
                                     {"precision", required_argument, NULL, OPTION_PRECISION},
                                     {"conventions", required_argument, NULL, OPTION_CONVENTIONS},
                                     {"threads", required_argument, NULL, OPTION_THREADS},
                                     {"resume", no_argument, NULL, OPTION_RESUME},
                                     {"quiet", no_argument, NULL, OPTION_QUIET},
                                     {"help", no_argument, NULL, 'h'},
                                     {NULL, 0, NULL, 0}};

typedef struct tune_options {
    tune_choices choices;
    const char *design;
    const char *folder;
    const char *chosen;  /* an option of what is tuned that was given, for --resume; null: none */
    uint64_t iterations; /* 0: not given */
    bool resume;
    bool quiet;
} tune_options;

static const char *kind_at(const void *names, unsigned index)
{
    (void)names;
    return vxe_tuned_name(index);
}

/* Takes one word of --by. */
static int take_kind(vxe_tuner_def *def, const char *word, size_t length)
{
    char text[64];
    char known[128] = "";
    snprintf(text, sizeof text, "%.*s", (int)(length < 60 ? length : 60), word);
    for (uint32_t kind = 0; vxe_tuned_name(kind); kind++) {
        if (strcmp(text, vxe_tuned_name(kind)) == 0) {
            def->by |= 1u << kind;
            return 0;
        }
        const size_t at = strlen(known);
        snprintf(known + at, sizeof known - at, "%s%s", at > 0 ? ", " : "", vxe_tuned_name(kind));
    }
    const char *meant = vxe_closest_name(text, kind_at, NULL);
    return command_misused("tune", "--by '%s': there are %s%s%s%s", text, known,
                           meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

static int take_kinds(vxe_tuner_def *def, const char *value)
{
    int status = 0;
    def->by = 0;
    for (const char *word = value; !status; word++) {
        const size_t length = strcspn(word, ",");
        status = take_kind(def, word, length);
        word += length;
        if (*word == '\0') {
            break;
        }
    }
    return status;
}

static int take_formula(tune_choices *choices, const char *value)
{
    if (strlen(value) >= sizeof choices->formula) {
        return command_misused("tune", "--for: a formula has at most %zu characters",
                               sizeof choices->formula - 1);
    }
    snprintf(choices->formula, sizeof choices->formula, "%s",
             strcmp(value, "walk") == 0 ? "" : value);
    return 0;
}

/* Reads a number from 0 on. */
static int take_number(const char *name, const char *value, double *number)
{
    if (vxe_number_read(value, number) || !(*number >= 0 && *number < 1e300)) {
        return command_misused("tune", "--%s '%s': expected a number of seconds, 0 or above", name,
                               value);
    }
    return 0;
}

static int take_count(const char *name, const char *value, double low, double high,
                      uint64_t *number)
{
    double real = 0;
    if (vxe_number_read(value, &real) || !(real >= low && real <= high) || real != floor(real)) {
        return command_misused("tune", "--%s '%s': expected a whole number from %g to %g", name,
                               value, low, high);
    }
    *number = (uint64_t)real;
    return 0;
}

/* Takes an option that says what is tuned and how. */
static int take_choice(tune_options *options, int option, const char *value)
{
    tune_choices *choices = &options->choices;
    vxe_tuner_def *def = &choices->def;
    uint64_t number = 0;
    int status = 0;
    switch (option) {
    case OPTION_BY:
        return take_kinds(def, value);
    case OPTION_FOR:
        return take_formula(choices, value);
    case OPTION_TIME:
        return option_number("tune", "time", value, 0, &def->seconds) ? 0 : EXIT_USAGE;
    case OPTION_LONGER:
        return option_number("tune", "longer", value, 0, &choices->longer) ? 0 : EXIT_USAGE;
    case OPTION_FORGET:
        return take_number("forget", value, &def->forget);
    case OPTION_COPIES:
        status = take_count("copies", value, 1, 1024, &number);
        def->copies = (uint32_t)number;
        return status;
    case OPTION_SEED:
        return take_count("seed", value, 0, 9007199254740992.0, &def->seed);
    case OPTION_NO_COLLISION:
        choices->no_collision = true;
        return 0;
    case OPTION_CONVENTIONS:
        if (strlen(value) >= sizeof choices->conventions) {
            return command_misused("tune", "--conventions: too long");
        }
        status = design_option("tune", option, value, &def->world);
        snprintf(choices->conventions, sizeof choices->conventions, "%s", value);
        return status;
    default:
        return design_option("tune", option, value, &def->world);
    }
}

/* Takes one option. Returns 0 or an exit status. */
static int take_option(tune_options *options, int option, int row, const char *value)
{
    switch (option) {
    case 'o':
        options->folder = value;
        return 0;
    case OPTION_ITERATIONS:
        return take_count("iterations", value, 1, 1e9, &options->iterations);
    case OPTION_RESUME:
        options->resume = true;
        return 0;
    case OPTION_QUIET:
        options->quiet = true;
        return 0;
    case OPTION_THREADS:
        return design_option("tune", option, value, &options->choices.def.world);
    case '?':
        return EXIT_USAGE;
    default:
        options->chosen = rows[row].name;
        return take_choice(options, option, value);
    }
}

/* The row of an option's number. */
static int row_of(int option)
{
    int row = 0;
    while (rows[row].name && rows[row].val != option) {
        row++;
    }
    return row;
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(tune_options *options, int count, char **words)
{
    options->choices.def = vxe_tuner_def_default();
    for (int option = 0; (option = options_next("tune", count, words, "ho:", rows)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return -1;
        }
        const int status = take_option(options, option, row_of(option), optarg);
        if (status) {
            return status;
        }
    }
    if (count - optind > 1) {
        return command_misused("tune", "one design at a time");
    }
    options->design = optind < count ? words[optind] : NULL;
    if (!options->folder) {
        return command_misused("tune", "no folder for the tuning: give --out FOLDER");
    }
    if (!options->design && !options->resume) {
        return command_misused("tune", "which design?");
    }
    if (options->resume && (options->design || options->chosen)) {
        return command_misused("tune", "--resume goes on with what is in the folder: no %s%s",
                               options->design ? "DESIGN" : "--",
                               options->design ? "" : options->chosen);
    }
    options->choices.iterations = options->iterations > 0 ? options->iterations : ITERATIONS;
    return 0;
}

typedef struct tune_job {
    const tune_options *options;
    tune_choices choices;
    tune_folder folder;
    vxe_tuner *tuner;
    vxe_unit unit; /* of scores */
    progress bar;
    uint32_t first_iteration;
} tune_job;

/* Says how far the tuning is. */
static void draw(tune_job *job)
{
    const vxe_tuner_facts facts = vxe_tuner_describe(job->tuner);
    const double all = (double)job->choices.iterations - job->first_iteration;
    progress_line line = {.parts = 0};
    progress_say(&line, "iteration %" PRIu32 " of %" PRIu64, facts.iterations,
                 job->choices.iterations);
    if (facts.iterations > 0) {
        const vxe_tuner_row row = vxe_tuner_row_of(job->tuner, facts.iterations);
        progress_say(&line, "score %.4g, best %.4g%s", row.score, row.best, job->unit.behind);
        progress_say(&line, "growth %.2g/s", row.growth);
        progress_say(&line, "%.0f branch changes", row.branch_changes);
        progress_say(&line, "cost %.0f runs", row.runs);
    }
    progress_say_left(&line, &job->bar,
                      all > 0 ? (facts.iterations - job->first_iteration) / all : 0);
    progress_draw(&job->bar, -1, &line);
}

/* Iterates until all are done, or a signal comes. */
static vxe_status iterate(tune_job *job, vxe_error *error)
{
    vxe_status status = VXE_OK;
    double saved = clock_seconds();
    job->first_iteration = vxe_tuner_describe(job->tuner).iterations;
    uint32_t done = job->first_iteration;
    progress_begin(&job->bar, job->options->quiet);
    while (done < job->choices.iterations && !interrupted() && !status) {
        status = vxe_tuner_step(job->tuner, error);
        done += !status;
        if (!status && clock_seconds() - saved > BETWEEN_SAVES) {
            status = tune_folder_save(&job->folder, job->tuner, error);
            saved = clock_seconds();
        }
        if (!status &&
            (progress_due(&job->bar) || (job->bar.logged && done == job->first_iteration + 1))) {
            draw(job);
        }
    }
    progress_end(&job->bar);
    return status ? status : tune_folder_save(&job->folder, job->tuner, error);
}

static void print_checks(const tune_job *job, const tune_checks *checks)
{
    const vxe_tuner_facts facts = vxe_tuner_describe(job->tuner);
    printf("%-14s %9s  %14s  %14s\n", "design", "iteration", "score", "longer");
    printf("%-14s %9s  %12g s  %12g s\n", "", "", checks->seconds[0], checks->seconds[1]);
    for (uint32_t k = 0; k < checks->count; k++) {
        const tune_check *c = &checks->list[k];
        char text[2][32];
        for (int i = 0; i < 2; i++) {
            snprintf(text[i], sizeof text[i], "%.5g", c->score[i]);
        }
        printf("%-14s %9" PRIu32 "  %14s  %14s%s\n", c->file, c->iteration,
               isnan(c->score[0]) ? "diverged" : text[0], isnan(c->score[1]) ? "diverged" : text[1],
               k > 0 && k == checks->chosen ? "  <- best.json" : "");
    }
    printf("scores%s%s; %s/page.html shows before and after; as tuned: voxelastic run "
           "%s/best.json --timestep %.17g --damping explicit\n",
           job->unit.name[0] ? " in " : "", job->unit.name, job->folder.path, job->folder.path,
           facts.time_step);
}

/* Warns of what makes the result worth less. */
static void print_doubts(const tune_job *job)
{
    const vxe_tuner_facts facts = vxe_tuner_describe(job->tuner);
    double growth = 0;
    for (uint32_t i = 1; i <= facts.iterations; i++) {
        growth = fmax(growth, vxe_tuner_row_of(job->tuner, i).growth);
    }
    if (facts.forget == 0 && growth * facts.seconds > CHAOTIC) {
        fprintf(stderr,
                "warning: adjoints grew by up to e^%.0f in a run, so that gradients say little: "
                "--forget S lets them look back a part of it\n",
                growth * facts.seconds);
    }
    if (facts.diverged > 0) {
        fprintf(stderr, "%" PRIu64 " runs diverged and were left out\n", facts.diverged);
    }
}

/* Runs the best few longer, and says what came of it. */
static vxe_status conclude(tune_job *job, vxe_error *error)
{
    tune_checks checks;
    vxe_status status = tune_check_run(&checks, job->tuner, job->choices.longer, error);
    status = status ? status : tune_check_write(&checks, job->tuner, &job->folder, error);
    status = status ? status : tune_page_write(&checks, job->tuner, &job->folder, error);
    if (!status && !job->options->quiet) {
        print_doubts(job);
        print_checks(job, &checks);
    }
    return status;
}

static int suspended(const tune_job *job)
{
    fprintf(stderr,
            "suspended after iteration %" PRIu32 " of %" PRIu64 "; go on with: voxelastic tune "
            "--resume --out %s\n",
            vxe_tuner_describe(job->tuner).iterations, job->choices.iterations, job->folder.path);
    return EXIT_SUSPENDED;
}

/* Says once what follows from the choices. */
static void print_start(const tune_job *job)
{
    const vxe_tuner_facts facts = vxe_tuner_describe(job->tuner);
    fprintf(stderr,
            "%" PRIu32 " numbers; runs of %g s, %" PRIu64
            " steps of %.4g s with explicit dashpots; "
            "gradients look back %g s%s%s\n",
            facts.numbers, facts.seconds, facts.steps, facts.time_step,
            facts.forget > 0 ? facts.forget : facts.seconds,
            job->choices.def.copies > 1 ? "; the mean of several copies" : "",
            job->choices.no_collision ? "; without self-collision" : "");
}

/* Makes the tuner, and its folder or what is in it. */
static vxe_status begin(tune_job *job, vxe_error *error)
{
    const tune_options *options = job->options;
    vxe_design *design = NULL;
    vxe_status status = VXE_OK;
    if (options->resume) {
        status = tune_folder_open(&job->folder, options->folder, &design, &job->choices, error);
        if (!status && options->iterations > 0) {
            job->choices.iterations = options->iterations;
            status = tune_folder_put_choices(&job->folder, &job->choices, error);
        }
    } else {
        design = vxe_design_read(options->design, error);
        status = design ? VXE_OK : error->status;
    }
    vxe_tuner_def *def = &job->choices.def;
    def->formula = job->choices.formula[0] ? job->choices.formula : NULL;
    def->world.conventions = job->choices.conventions[0] ? job->choices.conventions : NULL;
    if (design && job->choices.no_collision) {
        design->self_collision = false;
    }
    job->tuner = status ? NULL : vxe_tuner_create(design, def, error);
    status = status ? status : job->tuner ? VXE_OK : error->status;
    if (!status && options->resume) {
        status = tune_folder_restore(&job->folder, job->tuner, error);
    } else if (!status) {
        status = tune_folder_create(&job->folder, options->folder, design, &job->choices, error);
    }
    job->unit = status ? (vxe_unit){"", "", ""} : vxe_tuner_unit(job->tuner);
    vxe_design_destroy(design);
    return status;
}

int command_tune(int count, char **words)
{
    tune_options options = {0};
    vxe_error error;
    const int parsed = parse(&options, count, words);
    if (parsed) {
        return parsed < 0 ? EXIT_OK : parsed;
    }
    interrupt_catch();
    tune_job job = {.options = &options, .choices = options.choices, .folder = {.lock = -1}};
    vxe_status status = begin(&job, &error);
    int result = status ? command_fail_of(options.design ? options.design : options.folder, &error)
                        : EXIT_OK;
    if (!status) {
        if (!options.quiet) {
            print_start(&job);
        }
        status = iterate(&job, &error);
        const bool whole =
            !status && vxe_tuner_describe(job.tuner).iterations >= job.choices.iterations;
        status = status || !whole ? status : conclude(&job, &error);
        result = (!status && !whole) || (status && interrupted()) ? suspended(&job)
                 : status                                         ? command_fail(&error)
                                                                  : EXIT_OK;
    }
    vxe_tuner_destroy(job.tuner);
    tune_folder_close(&job.folder);
    return result;
}
