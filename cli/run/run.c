/* SPDX-License-Identifier: MIT */
/* voxelastic run: simulates one design from its start to its stop rule. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/design_options.h"
#include "cli/run/run.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/options.h"
#include "cli/shared/output_file.h"
#include "cli/shared/progress.h"
#include "cli/shared/studio_page.h"

/* s between samples where the length of the run is not known. */
#define SAMPLE_INTERVAL 0.01
/* Steps of the shadow in one of the run. */
#define SHADOW_STEPS 2
/* Default number of frames per simulated second. */
#define DEFAULT_RATE 30

static const char *const help =
    "usage: voxelastic run DESIGN [options]\n"
    "       voxelastic run --session FILE [options]\n\n"
    "Simulates DESIGN (.vxa, .vxc, .vxd, .json, .vox, .npy, .npz) until its stop rule, or as long "
    "as told.\n\n"
    "  --duration S         seconds to simulate\n"
    "  --steps N            steps to simulate\n" DESIGN_SETTINGS_HELP
    "  --actions FILE       moves the groups of voxels (EvoGym's actuators are groups) by a table "
    "of factors\n"
    "                       on their edges, .csv or .npy, a row for each interval; or by a wave: "
    "sine, or\n"
    "                       sine:PERIOD:AMPLITUDE (1 s, 0.2)\n"
    "  --action-interval S  between rows (0.1; a column t of times takes its place)\n"
    "  --trace FILE         centre of mass, energies and strain over time, as .csv or .npy "
    "(numpy); '-'\n"
    "                       is standard output (CSV), as for --result: all else then goes to "
    "standard\n"
    "                       error\n"
    "  --trace-of WHAT      rows of each body (bodies), of each voxel (voxels) or of some (0,5,17: "
    "in\n"
    "                       the order of the file, from 0)\n"
    "  --trace-interval S   between rows (default: a two-hundredth of the run)\n"
    "  --result FILE.json   results of the run\n"
    "  --record FILE        the motion: .html (a page that replays it in any browser), .vxr (a\n"
    "                       record, which 'voxelastic view' reads), .pvd (ParaView; its\n"
    "                       frames lie in a folder beside it, FILE.frames), .glb (glTF,\n"
    "                       animated), .history (voxcraft)\n"
    "  --record-rate N      frames for each simulated second (30)\n"
    "  --no-studio          no studio in the page, which is smaller by 0.9 MB then\n"
    "  --no-step-error      does not run some periods again at half the step, to say what the "
    "step\n"
    "                       costs in accuracy\n"
    "  --session FILE.json  replays a session of the studio, input by input, and compares the "
    "last\n"
    "                       state with that in the browser, to the last bit\n"
    "  --quiet              no progress bar, no summary\n";

enum {
    OPTION_DURATION = OPTION_OWN,
    OPTION_STEPS,
    OPTION_SET,
    OPTION_ACTIONS,
    OPTION_ACTION_INTERVAL,
    OPTION_TRACE,
    OPTION_TRACE_OF,
    OPTION_TRACE_INTERVAL,
    OPTION_RESULT,
    OPTION_RECORD,
    OPTION_RECORD_RATE,
    OPTION_NO_STUDIO,
    OPTION_NO_STEP_ERROR,
    OPTION_SESSION,
    OPTION_QUIET
};

static const struct option long_options[] = {
    {"duration", required_argument, NULL, OPTION_DURATION},
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"set", required_argument, NULL, OPTION_SET},
    {"actions", required_argument, NULL, OPTION_ACTIONS},
    {"action-interval", required_argument, NULL, OPTION_ACTION_INTERVAL},
    {"trace", required_argument, NULL, OPTION_TRACE},
    {"trace-of", required_argument, NULL, OPTION_TRACE_OF},
    {"trace-interval", required_argument, NULL, OPTION_TRACE_INTERVAL},
    {"result", required_argument, NULL, OPTION_RESULT},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"record-rate", required_argument, NULL, OPTION_RECORD_RATE},
    {"no-studio", no_argument, NULL, OPTION_NO_STUDIO},
    {"no-step-error", no_argument, NULL, OPTION_NO_STEP_ERROR},
    {"session", required_argument, NULL, OPTION_SESSION},
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
    case OPTION_SET:
        return design_settings_add(&options->settings, "run", "set", value);
    case OPTION_ACTIONS:
        options->actions = value;
        return 0;
    case OPTION_ACTION_INTERVAL:
        return option_number("run", "action-interval", value, 0, &options->action_interval)
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
    case OPTION_TRACE_OF:
        return run_take_traced(&options->traced, value);
    case OPTION_RESULT:
        options->result = value;
        return 0;
    case OPTION_NO_STEP_ERROR:
        options->no_step_error = true;
        return 0;
    case OPTION_NO_STUDIO:
        options->no_studio = true;
        return 0;
    case OPTION_SESSION:
        options->session = value;
        return 0;
    case OPTION_QUIET:
        options->quiet = true;
        return 0;
    default:
        return command_misused("run", "wrong option");
    }
}

/* Whether a file is standard output. */
static bool is_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(run_options *options, int count, char **words)
{
    options->def = vxe_world_def_default();
    for (int option = 0; (option = options_next("run", count, words, "h", long_options)) != -1;) {
        if (option == 'h') {
            printf("%s%s", help, design_options_help);
            return -1;
        }
        if (option == '?') {
            return EXIT_USAGE;
        }
        int status = design_option("run", option, optarg, &options->def);
        status = status < 0 ? own_option(options, option, optarg) : status;
        if (status) {
            return status;
        }
    }
    if (optind + !options->session != count) {
        return command_misused("run", options->session ? "a session has a design of its own"
                                      : optind < count ? "one design at a time"
                                                       : "which design?");
    }
    if (options->session && (options->duration > 0 || options->steps > 0)) {
        return command_misused("run", "a session lasts as long as it says: --duration and --steps "
                                      "are for designs");
    }
    if (options->session && (options->settings.count > 0 || options->actions)) {
        return command_misused("run", "a session has a design of its own: %s is for designs",
                               options->actions ? "--actions" : "--set");
    }
    if (options->action_interval > 0 && !options->actions) {
        return command_misused("run", "--action-interval without --actions");
    }
    if (is_output(options->trace) && is_output(options->result)) {
        return command_misused("run", "only one of --trace and --result can be standard output");
    }
    if (options->traced.subject != VXE_TRACE_DESIGN && !options->trace) {
        return command_misused("run", "--trace-of without --trace");
    }
    if (options->record_rate > 0 && !options->record) {
        return command_misused("run", "--record-rate without --record");
    }
    options->record_rate = options->record_rate > 0 ? options->record_rate : DEFAULT_RATE;
    options->design = options->session ? options->session : words[optind];
    return 0;
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
        r->places = vxe_memory_take(r->design->voxel_count, 6 * sizeof *r->places);
        if (!r->places) {
            return vxe_memory_check(r->failures, error);
        }
        vxe_world_poses(r->world, r->places, NULL);
    }
    if (r->session && vxe_session_act(r->session, r->world, error)) {
        return error->status;
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
    const uint64_t input = r->session ? vxe_session_next(r->session) : UINT64_MAX;
    end = shadowed < end ? shadowed : end;
    end = input < end ? input : end;
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
    const double total = run_expected_time(r);
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
        progress_draw_updates(&bar, fmin(vxe_world_time(r->world) / total, 1), /* ends past it */
                              vxe_result_bond_rate(&r->result, r->world) * r->result.wall_seconds);
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
    status = vxe_status_is_failure(status) ? VXE_OK : status;
    return status ? status
                  : vxe_memory_check(r->failures, error); /* a fitness says nothing of it */
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
        vxe_error *where = status ? &later : error;
        const vxe_status third =
            is_output(r->options->result)
                ? vxe_result_print(&r->result, r->world, r->output, where)
                : vxe_result_write(&r->result, r->world, r->options->result, where);
        status = status ? status : third;
    }
    return status;
}

static bool start_recording(run *r, vxe_error *error)
{
    r->frame = vxe_frame_create(r->design->voxel_count, r->design->affine_count, error);
    r->recorder = r->frame ? vxe_recorder_create(r->design, r->options->record, error) : NULL;
    const bool studio = !r->options->no_studio && vxe_recorder_is_page(r->options->record);
    return r->recorder && (!studio || !studio_page_give_recorder(r->recorder, error));
}

/* Opens what the run writes to as it goes. */
static vxe_status open_files(run *r, vxe_error *error)
{
    const run_options *options = r->options;
    const bool traces = is_output(options->trace);
    if ((traces || is_output(options->result)) &&
        !(r->output = interruptible_output(true, error))) {
        return error->status;
    }
    if (options->result && !is_output(options->result) &&
        !output_possible(options->result, error)) {
        return error->status;
    }
    if (options->trace) {
        r->trace = traces ? vxe_trace_create_on(r->output, &options->traced, r->world, error)
                          : vxe_trace_create(options->trace, &options->traced, r->world, error);
    }
    if ((options->trace && !r->trace) || (options->record && !start_recording(r, error))) {
        return error->status;
    }
    return VXE_OK;
}

/* Prepares the estimate of the step's error, where somebody will see it and the run can have one.
 */
static vxe_status start_shadow(run *r, vxe_error *error)
{
    const run_options *options = r->options;
    if (!r->session && !options->no_step_error && (options->result || !options->quiet)) {
        r->shadow =
            vxe_step_shadow_create(r->world, r->design, &r->def, &r->limits, SHADOW_STEPS, error);
    }
    return vxe_memory_check(r->failures, error);
}

/* Reads the design, or the session, and finds when the run ends. */
static vxe_status open_design(run *r, vxe_error *error)
{
    const run_options *options = r->options;
    r->def = options->def;
    if (options->session) {
        return run_open_session(r, error);
    }
    r->design = vxe_design_read(options->design, error);
    if (!r->design || design_settings_apply(&options->settings, "--set", r->design, error)) {
        return error->status;
    }
    if (options->actions && run_take_actions(r, error)) {
        return error->status;
    }
    if (options->duration > 0 || options->steps > 0) { /* options replace the design's stop
                                                          formula */
        (void)vxe_design_set_formula(r->design, VXE_FORMULA_STOP, NULL, error);
    }
    r->limits = vxe_run_limits_of(r->design, options->duration, options->steps);
    return VXE_OK;
}

/* Carries out the command. Returns 0 or an exit status. */
static int execute(run *r)
{
    vxe_error error;
    const run_options *options = r->options;
    if (open_design(r, &error)) {
        return command_fail_of(options->design, &error);
    }
    if (!vxe_run_limits_end(&r->limits, r->design)) {
        return command_misused("run", "%s has no stop rule; give --duration or --steps",
                               options->design);
    }
    r->world = vxe_world_create(r->design, &r->def, &error);
    r->trial = r->world ? vxe_trial_create(r->design, r->world, &error) : NULL;
    if (!r->trial) {
        return command_fail_of(options->design, &error);
    }
    const vxe_world_facts facts = vxe_world_describe(r->world);
    r->last_step = vxe_run_last_step(&r->limits, facts.time_step, VXE_ARRIVAL_AT);
    vxe_world_ends_at(r->world, r->last_step);
    if (start_shadow(r, &error)) {
        return command_fail(&error);
    }
    r->settled = vxe_run_step_at(r->design->stop.settle_time, facts.time_step, VXE_ARRIVAL_AT);
    r->result = (vxe_result){.status = "ok",
                             .message = "",
                             .extent = fmax(facts.extent[0], facts.extent[1]),
                             .design = r->design};
    if (r->design->formulas[VXE_FORMULA_FITNESS]) {
        r->result.fitness = &r->fitness;
    }
    vxe_world_center_of_mass(r->world, r->result.start, NULL);
    if (open_files(r, &error)) {
        return command_fail(&error);
    }
    if (!options->quiet) {
        run_print_setup(r);
        fflush(stdout);
    }
    if (simulate(r, &error)) {
        return interrupted() ? EXIT_INTERRUPTED : command_fail(&error);
    }
    if (!options->quiet) {
        run_print_summary(r);
        fflush(stdout);
    }
    if (write_files(r, &error)) {
        return command_fail(&error);
    }
    if (r->session && run_check_session(r, &error)) {
        return command_fail_of(options->session, &error);
    }
    if (vxe_result_failed(&r->result)) {
        return command_fail(&r->divergence);
    }
    return interrupted() ? EXIT_INTERRUPTED : EXIT_OK;
}

static int carry_out(const run_options *options)
{
    interrupt_catch();
    run r = {.options = options, .failures = vxe_memory_failures()};
    const int status = execute(&r);
    vxe_memory_release(r.places);
    vxe_trace_abandon(r.trace);
    if (r.output) {
        fclose(r.output);
    }
    vxe_recorder_abandon(r.recorder);
    vxe_frame_destroy(r.frame);
    vxe_trial_destroy(r.trial);
    vxe_step_shadow_destroy(r.shadow);
    vxe_world_destroy(r.world);
    vxe_session_destroy(r.session);
    vxe_design_destroy(r.design);
    return status;
}

int command_run(int count, char **words)
{
    run_options options = {0};
    int status = parse(&options, count, words);
    status = status < 0 ? EXIT_OK : status ? status : carry_out(&options);
    design_settings_clear(&options.settings);
    run_clear_traced(&options.traced);
    return status;
}
