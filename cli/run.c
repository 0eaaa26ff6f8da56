/* SPDX-License-Identifier: MIT */
/* voxelastic run: simulates one design from its start to its stop rule. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/design_options.h"
#include "cli/info_affine.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/output_file.h"
#include "cli/shared/progress.h"

typedef struct run_options {
    const char *design;
    const char *trace;
    const char *result;
    const char *record;
    double record_rate;    /* frames per simulated second */
    double trace_interval; /* s; 0: 1/200 of the run */
    double duration;       /* s; 0: as the design says */
    uint64_t steps;        /* 0: as the design says */
    bool quiet;
    bool no_step_error;
    vxe_world_def def;
} run_options;

/* s between samples where the length of the run is not known. */
#define SAMPLE_INTERVAL 0.01
/* Steps of the shadow in one of the run. */
#define SHADOW_STEPS 2
/* voxels: the step error of what moves by less is not shown. */
#define SHOWN_DISPLACEMENT 0.05
/* Part of the way from which a shorter step is worth trying. */
#define LARGE_STEP_ERROR 0.02
/* Default number of frames per simulated second. */
#define DEFAULT_RATE 30

typedef struct run {
    const run_options *options;
    vxe_design *design;
    vxe_world *world;
    vxe_step_shadow *shadow; /* runs some periods again at half the step; null: none */
    vxe_step_error step_error;
    vxe_trial *trial; /* evaluates stop and fitness formulas */
    vxe_trace *trace;
    vxe_recorder *recorder;
    vxe_frame *frame;     /* buffer for the recorder */
    uint64_t frames;      /* frames recorded */
    vxe_error unrecorded; /* why recording was given up */
    vxe_result result;
    double fitness;
    vxe_error divergence;
    vxe_run_limits limits;
    uint64_t last_step; /* step at which the run ends by them, or UINT64_MAX */
    uint64_t settled;   /* step at which settling ends */
    double interval;    /* s between rows of the trace */
    uint64_t rows;      /* rows written */
    double sample;      /* s between samples of the largest strain */
    uint64_t samples;   /* samples taken */
    bool started;       /* settling is over */
} run;

static const char *const help =
    "usage: voxelastic run DESIGN [options]\n\n"
    "Simulates DESIGN (.vxa, .vxc, .vxd, .json, .vox, .npy, .npz) until its stop rule, or as long "
    "as told.\n\n"
    "  --duration S         seconds to simulate\n"
    "  --steps N            steps to simulate\n"
    "  --trace FILE.csv     centre of mass, energies and strain over time\n"
    "  --trace-interval S   between rows (default: a two-hundredth of the run)\n"
    "  --result FILE.json   results of the run\n"
    "  --record FILE        the motion: .html (a page that replays it in any browser), .vxr (a\n"
    "                       record, which 'voxelastic view' reads), .pvd (ParaView; its\n"
    "                       frames lie in a folder beside it, FILE.frames), .glb (glTF,\n"
    "                       animated), .history (voxcraft)\n"
    "  --record-rate N      frames for each simulated second (30)\n"
    "  --no-step-error      does not run some periods again at half the step, to say what the "
    "step\n"
    "                       costs in accuracy\n"
    "  --quiet              no progress bar, no summary\n";

enum {
    OPTION_DURATION = OPTION_OWN,
    OPTION_STEPS,
    OPTION_TRACE,
    OPTION_TRACE_INTERVAL,
    OPTION_RESULT,
    OPTION_RECORD,
    OPTION_RECORD_RATE,
    OPTION_NO_STEP_ERROR,
    OPTION_QUIET
};

static const struct option long_options[] = {
    {"duration", required_argument, NULL, OPTION_DURATION},
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"trace", required_argument, NULL, OPTION_TRACE},
    {"trace-interval", required_argument, NULL, OPTION_TRACE_INTERVAL},
    {"result", required_argument, NULL, OPTION_RESULT},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"record-rate", required_argument, NULL, OPTION_RECORD_RATE},
    {"no-step-error", no_argument, NULL, OPTION_NO_STEP_ERROR},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, 'h'},
    DESIGN_OPTIONS,
    {NULL, 0, NULL, 0}};

/* Takes one option of this command. Returns 0 or an exit status. */
static int own_option(run_options *options, int option, const char *value)
{
    switch (option) {
    case OPTION_DURATION:
        return option_number("run", "duration", value, 0, &options->duration) ? 0 : EXIT_USAGE;
    case OPTION_STEPS:
        return option_whole("run", "steps", value, &options->steps) ? 0 : EXIT_USAGE;
    case OPTION_TRACE_INTERVAL:
        return option_number("run", "trace-interval", value, 0, &options->trace_interval)
                   ? 0
                   : EXIT_USAGE;
    case OPTION_RECORD_RATE:
        return option_number("run", "record-rate", value, 0, &options->record_rate) ? 0
                                                                                    : EXIT_USAGE;
    case OPTION_RECORD:
        if (options->record) {
            return command_misused("run", "only one --record; 'voxelastic view' converts a .vxr");
        }
        options->record = value;
        return vxe_recorder_knows(value)
                   ? 0
                   : command_misused(
                         "run",
                         "--record '%s': expected a name in .html, .vxr, .pvd, .glb or .history",
                         value);
    case OPTION_TRACE:
        options->trace = value;
        return 0;
    case OPTION_RESULT:
        options->result = value;
        return 0;
    case OPTION_NO_STEP_ERROR:
        options->no_step_error = true;
        return 0;
    case OPTION_QUIET:
        options->quiet = true;
        return 0;
    default:
        return command_misused("run", "wrong option");
    }
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(run_options *options, int count, char **words)
{
    options->def = vxe_world_def_default();
    for (int option = 0; (option = getopt_long(count, words, "h", long_options, NULL)) != -1;) {
        if (option == 'h') {
            printf("%s%s", help, design_options_help);
            return -1;
        }
        if (option == '?') {
            return command_misused("run", "see the message above");
        }
        int status = design_option("run", option, optarg, &options->def);
        status = status < 0 ? own_option(options, option, optarg) : status;
        if (status) {
            return status;
        }
    }
    if (optind + 1 != count) {
        return command_misused("run", optind < count ? "one design at a time" : "which design?");
    }
    if (options->record_rate > 0 && !options->record) {
        return command_misused("run", "--record-rate without --record");
    }
    options->record_rate = options->record_rate > 0 ? options->record_rate : DEFAULT_RATE;
    options->design = words[optind];
    return 0;
}

static double expected_time(const run *r)
{
    const double by_steps = r->limits.steps == UINT64_MAX
                                ? HUGE_VAL
                                : (double)r->limits.steps * vxe_world_describe(r->world).time_step;
    return fmin(r->limits.time, by_steps);
}

/* Time (s) at which the next frame is due. */
static double next_frame(const run *r)
{
    return r->recorder ? (double)r->frames / r->options->record_rate : HUGE_VAL;
}

/* Records a frame. A recording that fails does not end the run. */
static void take_frame(run *r)
{
    vxe_frame_take(r->frame, r->world);
    r->frames++;
    if (vxe_recorder_add(r->recorder, r->frame, &r->unrecorded)) {
        vxe_recorder_abandon(r->recorder);
        r->recorder = NULL;
    }
}

/* Does what is due at the present step: marks the start of the displacement, records a frame, takes
   a sample, writes a row. */
static vxe_status take_due(run *r, vxe_error *error)
{
    const double time = vxe_world_time(r->world);
    const double slack = 1e-6 * vxe_world_describe(r->world).time_step;
    if (!r->started && vxe_world_steps(r->world) >= r->settled) {
        r->started = true;
        r->result.start_time = time;
        vxe_world_center_of_mass(r->world, r->result.start, NULL);
    }
    if (time + slack >= (double)r->samples * r->sample) {
        r->samples++;
        r->result.max_strain = fmax(r->result.max_strain, vxe_world_max_strain(r->world));
    }
    if (time + slack >= next_frame(r)) {
        take_frame(r);
    }
    if (r->shadow) {
        vxe_step_shadow_follow(r->shadow, r->world);
    }
    if (!r->trace || time + slack < (double)r->rows * r->interval) {
        return VXE_OK;
    }
    r->rows++;
    return vxe_trace_add(r->trace, r->world, error);
}

/* Number of steps until something is due, at most `max`. */
static uint64_t steps_to_next(const run *r, uint64_t max)
{
    const double step = vxe_world_describe(r->world).time_step;
    const double time = vxe_world_time(r->world);
    const uint64_t done = vxe_world_steps(r->world);
    uint64_t end = !r->started && r->settled < r->last_step ? r->settled : r->last_step;
    const uint64_t shadowed = r->shadow ? vxe_step_shadow_next(r->shadow) : UINT64_MAX;
    end = shadowed < end ? shadowed : end;
    double next = fmin((double)r->samples * r->sample, next_frame(r));
    next = r->trace ? fmin(next, (double)r->rows * r->interval) : next;
    const double steps = ceil((next - time) / step - 1e-6);
    const uint64_t left = end - done;
    const uint64_t due = steps < 1 ? 1 : steps < 1e18 ? (uint64_t)steps : max;
    const uint64_t bounded = due < max ? due : max;
    return bounded < left ? bounded : left;
}

static bool finished(const run *r)
{
    return interrupted() || vxe_world_steps(r->world) >= r->last_step || vxe_trial_ended(r->trial);
}

/* Advances to the end. Divergence and interruption count as results, not as errors. */
static vxe_status simulate(run *r, vxe_error *error)
{
    progress bar;
    progress_begin(&bar, r->options->quiet);
    const double total = expected_time(r);
    r->sample = isfinite(total) ? total / 200 : SAMPLE_INTERVAL;
    r->interval = r->options->trace_interval > 0 ? r->options->trace_interval : r->sample;
    uint64_t batch = 64;
    vxe_status status = take_due(r, error);
    while (!status && !finished(r)) {
        const double before = clock_seconds();
        status = vxe_trial_advance(r->trial, steps_to_next(r, batch), &r->divergence);
        const double spent = clock_seconds() - before;
        r->result.wall_seconds += spent;
        batch = spent < 0.05 && batch < 1u << 20 ? 2 * batch
                : spent > 0.2 && batch > 1       ? batch / 2
                                                 : batch;
        if (vxe_status_is_failure(status)) {
            r->result.status = vxe_status_name(status);
            r->result.message = r->divergence.message;
        } else {
            status = status ? status : take_due(r, error);
        }
        progress_draw(&bar, vxe_world_time(r->world) / total,
                      vxe_result_bond_rate(&r->result, r->world));
    }
    progress_end(&bar);
    if (r->shadow && !status) {
        r->step_error = vxe_step_shadow_describe(r->shadow);
        r->result.step_error = &r->step_error;
    }
    if (!status) {
        r->fitness = vxe_trial_fitness(r->trial);
        r->result.max_strain = fmax(r->result.max_strain, vxe_world_max_strain(r->world));
        if (r->recorder && r->frame->step < vxe_world_steps(r->world)) {
            take_frame(r); /* the last state */
        }
    }
    if (!status && !interrupted() && vxe_world_judge(r->world, &r->divergence)) {
        r->result.status = vxe_status_name(r->divergence.status);
        r->result.message = r->divergence.message;
    }
    if (interrupted() && !status) {
        r->result.status = "interrupted";
        status = r->trace ? vxe_trace_add(r->trace, r->world, error) : VXE_OK;
    }
    return vxe_status_is_failure(status) ? VXE_OK : status;
}

/* Warns of unknown keys in full, and counts what else was ignored or assumed. */
static void print_notes(const run *r)
{
    const uint32_t mistakes = print_mistakes(stdout, r->options->design, r->design);
    const uint32_t others = vxe_design_note_count(r->design) - mistakes;
    if (others > 0) {
        printf("%u note%s on the file; 'voxelastic info' lists %s\n", others,
               others == 1 ? "" : "s", others == 1 ? "it" : "them");
    }
}

static void print_setup(const run *r)
{
    const vxe_world_facts f = vxe_world_describe(r->world);
    char iterations[48] = "";
    if (f.damping_sweeps) {
        snprintf(iterations, sizeof iterations, ", %u damping iterations", f.damping_sweeps);
    }
    print_conventions(stdout, r->design, &r->options->def, &f);
    printf("%s: ", r->design->name);
    if (f.voxels > 0) {
        printf("%u voxels, %llu bonds, %u bod%s, ", f.voxels, (unsigned long long)f.bonds, f.bodies,
               f.bodies == 1 ? "y" : "ies");
    }
    if (f.affine > 0) {
        printf("%u affine bod%s, ", f.affine, f.affine == 1 ? "y" : "ies");
    }
    printf("%.4g kg\n", f.mass);
    printf("time step %.6g s (%s, %s damping%s), w_max %.4g rad/s, %s precision, %u thread%s, "
           "%s\n",
           f.time_step, vxe_step_rule_name(f.step_rule), vxe_damping_scheme_name(f.damping),
           iterations, f.highest_frequency, f.precision, f.threads, f.threads == 1 ? "" : "s",
           f.isa);
    for (uint32_t i = 0; i < vxe_world_warning_count(r->world); i++) {
        printf("warning: %s\n", vxe_world_warning(r->world, i));
    }
    if (f.actuation_full > expected_time(r)) {
        printf("warning: actuation acts in full from %g s on, but the run ends at %g s\n",
               f.actuation_full, expected_time(r));
    }
    if (r->recorder && f.affine > 0 && !vxe_recorder_holds_bodies(r->options->record)) {
        printf("warning: this record holds voxels only; affine bodies are in .html, .vxr and "
               ".pvd\n");
    }
    print_notes(r);
}

/* What the energy audit says of the whole run. */
static void print_audit(const run *r)
{
    const vxe_energy energy = vxe_world_energy(r->world);
    const double gain = vxe_energy_gain(&energy);
    printf("energy audit: the balance %s by %.2g of what was put in%s\n",
           gain < 0 ? "fell" : "rose", fabs(gain),
           vxe_result_failed(&r->result) ? "; try --step-scale 0.5" : "");
}

/* Decimals that show two digits of a part as a percentage, at most two. */
static int decimals(double part)
{
    return part < 0.01 ? 2 : part < 0.1 ? 1 : 0;
}

/* What the shadow says, of a robot that gets anywhere. displacement: voxels. */
static void print_step_error(const run *r, double displacement)
{
    const vxe_step_error *e = &r->step_error;
    if (e->periods < 2 || displacement < SHOWN_DISPLACEMENT) {
        return;
    }
    const bool large = e->part - e->deviation > LARGE_STEP_ERROR;
    const bool finer =
        r->options->def.step_rule == VXE_STEP_AUTO && r->options->def.accuracy != VXE_ACCURACY_FINE;
    printf("step error: about %.*f +- %.*f %% of the way, by %u periods run again at half the "
           "step%s\n",
           decimals(e->part), 100 * e->part, decimals(e->deviation), 100 * e->deviation, e->periods,
           large && finer ? "; try --accuracy fine" : "");
}

static void print_summary(const run *r)
{
    const vxe_world_facts f = vxe_world_describe(r->world);
    const vxe_result *result = &r->result;
    printf("%s %.6g s in %llu steps, %.3g s of wall time",
           strcmp(result->status, "ok") == 0 ? "simulated" : result->status,
           vxe_world_time(r->world), (unsigned long long)vxe_world_steps(r->world),
           result->wall_seconds);
    if (f.voxels > 0) {
        printf(": %.1f M bond updates/s", 1e-6 * vxe_result_bond_rate(result, r->world));
    }
    printf("\n");
    print_observations(r->world);
    if (r->options->def.audit && strcmp(result->status, "diverged") != 0) {
        print_audit(r);
    }
    if (!vxe_result_failed(result) && f.voxels > 0) {
        const double moved = vxe_result_displacement(result, r->world);
        printf("horizontal displacement %.6g m = %.4g voxels, speed %.4g body lengths/s, largest "
               "axial strain %.3g\n",
               moved, moved / f.voxel_size, vxe_result_body_lengths_per_second(result, r->world),
               result->max_strain);
        if (result->fitness) {
            printf("fitness %.9g\n", *result->fitness);
        }
        print_step_error(r, moved / f.voxel_size);
    }
}

/* Writes the files that were asked for. */
static vxe_status write_files(run *r, vxe_error *error)
{
    vxe_status status = VXE_OK;
    vxe_error later;
    if (r->unrecorded.status) {
        *error = r->unrecorded;
        status = error->status;
    } else if (r->recorder) {
        if (strcmp(r->result.status, "ok") != 0) {
            vxe_recorder_note(r->recorder, r->result.status);
        }
        status = vxe_recorder_close(r->recorder, error);
        r->recorder = NULL;
        if (!status && !r->options->quiet) {
            printf("%s: %llu frames\n", r->options->record, (unsigned long long)r->frames);
        }
    }
    if (r->trace) {
        const vxe_status second = vxe_trace_close(r->trace, status ? &later : error);
        r->trace = NULL;
        status = status ? status : second;
    }
    if (r->options->result) {
        const vxe_status third =
            vxe_result_write(&r->result, r->world, r->options->result, status ? &later : error);
        status = status ? status : third;
    }
    return status;
}

static bool start_recording(run *r, vxe_error *error)
{
    r->frame = vxe_frame_create(r->design->voxel_count, r->design->affine_count, error);
    r->recorder = r->frame ? vxe_recorder_create(r->design, r->options->record, error) : NULL;
    return r->recorder != NULL;
}

/* Prepares the estimate of the step's error, where somebody will see it and the run can have one.
 */
static void start_shadow(run *r)
{
    const run_options *options = r->options;
    vxe_error unwanted;
    if (!options->no_step_error && (options->result || !options->quiet)) {
        r->shadow =
            vxe_step_shadow_create(r->design, &options->def, &r->limits, SHADOW_STEPS, &unwanted);
    }
}

/* Carries out the command. Returns 0 or an exit status. */
static int execute(run *r)
{
    vxe_error error;
    const run_options *options = r->options;
    r->design = vxe_design_read(options->design, &error);
    if (!r->design) {
        return command_fail(&error);
    }
    if (options->duration > 0 || options->steps > 0) { /* options replace the design's stop
                                                          formula */
        (void)vxe_design_set_formula(r->design, VXE_FORMULA_STOP, NULL, &error);
    }
    r->limits = vxe_run_limits_of(r->design, options->duration, options->steps);
    if (!vxe_run_limits_end(&r->limits, r->design)) {
        return command_misused("run", "%s has no stop rule; give --duration or --steps",
                               options->design);
    }
    r->world = vxe_world_create(r->design, &options->def, &error);
    r->trial = r->world ? vxe_trial_create(r->design, r->world, &error) : NULL;
    if (!r->trial) {
        return command_fail_of(options->design, &error);
    }
    const vxe_world_facts facts = vxe_world_describe(r->world);
    r->last_step = vxe_run_last_step(&r->limits, facts.time_step, VXE_ARRIVAL_AT);
    vxe_world_ends_at(r->world, r->last_step);
    start_shadow(r);
    r->settled = vxe_run_step_at(r->design->stop.settle_time, facts.time_step, VXE_ARRIVAL_AT);
    r->result = (vxe_result){.status = "ok",
                             .message = "",
                             .extent = fmax(facts.extent[0], facts.extent[1]),
                             .design = r->design};
    if (r->design->formulas[VXE_FORMULA_FITNESS]) {
        r->result.fitness = &r->fitness;
    }
    vxe_world_center_of_mass(r->world, r->result.start, NULL);
    if (options->result && !output_possible(options->result, &error)) {
        return command_fail(&error);
    }
    if (options->trace && !(r->trace = vxe_trace_create(options->trace, &error))) {
        return command_fail(&error);
    }
    if (options->record && !start_recording(r, &error)) {
        return command_fail(&error);
    }
    if (!options->quiet) {
        print_setup(r);
        fflush(stdout);
    }
    if (simulate(r, &error)) {
        return command_fail(&error);
    }
    if (!options->quiet) {
        print_summary(r);
        fflush(stdout);
    }
    if (write_files(r, &error)) {
        return command_fail(&error);
    }
    if (vxe_result_failed(&r->result)) {
        return command_fail(&r->divergence);
    }
    return interrupted() ? EXIT_INTERRUPTED : EXIT_OK;
}

int command_run(int count, char **words)
{
    run_options options = {0};
    int status = parse(&options, count, words);
    if (status) {
        return status < 0 ? EXIT_OK : status;
    }
    interrupt_catch();
    run r = {.options = &options};
    status = execute(&r);
    vxe_trace_abandon(r.trace);
    vxe_recorder_abandon(r.recorder);
    vxe_frame_destroy(r.frame);
    vxe_trial_destroy(r.trial);
    vxe_step_shadow_destroy(r.shadow);
    vxe_world_destroy(r.world);
    vxe_design_destroy(r.design);
    return status;
}
