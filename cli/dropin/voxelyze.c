/* SPDX-License-Identifier: MIT */
/* Stands in for voxelyze of evosoro, of its land-water fork and of reconfigurable_organisms: one
   robot, one thread, a result file for a driver that waits for it. As in these programs, the exit
   status is 1 where the run finished and 0 where it did not; it is 5 where memory ran out. */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/dropin/dropin.h"
#include "cli/dropin/score.h"

enum { FAILED = 0, FINISHED = 1, PROGRESS_STEPS = 100 };

/* Longer runs are refused. */
#define MAX_STEPS 1e15

typedef struct request {
    const char *design;
    const char *result; /* replaces the name in the file; null: not given */
    bool progress;
    bool compound;    /* two runs, on flat ground and on the slope of the file */
    bool posix;       /* exit status 0 where the run finished, 1 where not */
    bool descriptors; /* shape descriptors were asked for */
} request;

/* A run from its start to its score. */
typedef struct life {
    score_view view;
    vxe_world *world;
    score *score;
    uint64_t start, end_of_life, end; /* steps; end_of_life is 0 without an afterlife */
    uint64_t between;                 /* steps between samples; 0: no samples */
    bool progress;
} life;

static void usage(void)
{
    puts("usage: voxelyze -f DESIGN.vxa [-of RESULT.xml] [-p [N]] "
         "[--compoundTerrestrialEnvironment] "
         "[--posix]\n\n"
         "Simulates a robot as evosoro (voxelyze), its land-water fork (voxelyze-land-water, or a\n"
         "file with FluidEnvironment 1) or reconfigurable_organisms (voxelyze-recorg) would, and\n"
         "writes its FitnessFileName. VOXELASTIC_PEER names other conventions: see voxelastic run\n"
         "--help. Exit status 1: finished, 0: not; --posix reverses that.");
}

/* Reads the options. Unknown words are ignored, as by the original programs. */
static request parse(int count, char **words)
{
    request r = {0};
    for (int i = 1; i < count && words[i]; i++) {
        const char *next = words[i + 1]; /* null after the last word */
        if (strcmp(words[i], "-f") == 0 && next) {
            r.design = words[++i];
        } else if (strcmp(words[i], "-of") == 0 && next) {
            r.result = words[++i];
        } else if (strcmp(words[i], "-p") == 0) {
            r.progress = true;
        } else if (strcmp(words[i], "--compoundTerrestrialEnvironment") == 0) {
            r.compound = true;
        } else if (strcmp(words[i], "--computeShapeDescriptors") == 0) {
            r.descriptors = true;
        } else if (strcmp(words[i], "--posix") == 0) {
            r.posix = true;
        }
    }
    return r;
}

/* Warns of what the file asks for and this program does not do, since that changes scores. */
static void warn_of(const request *r, const vxe_design *design, const vxe_task *task,
                    const char *conventions)
{
    if (strcmp(conventions, "evosoro") == 0 && strcmp(design->written_for, "land-water") == 0) {
        fprintf(stderr,
                "voxelyze: %s looks like the land-water fork's, and is scored as evosoro's: "
                "VOXELASTIC_PEER=land-water, or the name voxelyze-land-water, changes that\n",
                r->design);
    }
    if (task->falls) {
        fputs("voxelyze: FallingProhibited has no effect\n", stderr);
    }
    if (task->freezes) {
        fputs("voxelyze: MidLifeFreezeTime has no effect\n", stderr);
    }
    if (r->descriptors) {
        fputs("voxelyze: shape descriptors are not computed\n", stderr);
    }
}

static const char *conventions_of(const char *name, const vxe_design *design)
{
    const char *wanted = getenv("VOXELASTIC_PEER");
    if (wanted && *wanted) {
        return wanted;
    }
    if (strcmp(name, "voxelyze-recorg") == 0) {
        return "recorg";
    }
    return strcmp(name, "voxelyze-land-water") == 0 || design->fluid.enabled ? "land-water"
                                                                             : "evosoro";
}

/* The last step by the design's stop rule; UINT64_MAX where there is none or it is too far. Only
   evosoro has an afterlife. */
static uint64_t last_step(const life *l, double time_step)
{
    const vxe_design *design = l->view.design;
    const double duration = design->stop.duration;
    const double afterlife = l->score->has_afterlife ? 0 : l->view.task->afterlife;
    const vxe_run_limits limits =
        vxe_run_limits_of(design, duration > 0 ? fmax(duration - afterlife, DBL_MIN) : 0, 0);
    return vxe_run_last_step(&limits, time_step, VXE_ARRIVAL_PAST);
}

/* The first step past a time (s). */
static uint64_t step_past(double time, double time_step)
{
    return vxe_run_step_at(time, time_step, VXE_ARRIVAL_PAST);
}

/* Determines the steps of the run. Returns false where it would never end. */
static bool plan(life *l)
{
    const vxe_task *task = l->view.task;
    const double time_step = vxe_world_describe(l->world).time_step;
    l->start = step_past(l->view.design->stop.settle_time, time_step);
    l->end = last_step(l, time_step);
    l->end = l->end > l->start ? l->end : l->start;
    if ((double)l->end > MAX_STEPS) {
        return false;
    }
    if (l->score->has_afterlife && task->afterlife > 0) {
        l->end_of_life = step_past(task->stop_value, time_step);
    }
    if (task->traces || task->by_volume) {
        const double steps = ceil(task->trace_interval / time_step - 1e-9);
        l->between = !(steps > 1) ? 1 : steps < MAX_STEPS ? (uint64_t)steps : l->end;
    }
    return true;
}

/* The next step at which something is due. */
static uint64_t next_step(const life *l, uint64_t now)
{
    uint64_t next = l->end;
    const uint64_t due[] = {l->start, l->end_of_life,
                            l->between ? now + l->between - (now - l->start) % l->between : 0,
                            l->progress ? now + PROGRESS_STEPS - now % PROGRESS_STEPS : 0};
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
        const bool sampling = i == 2;
        if (due[i] > now && due[i] < next && !(sampling && now < l->start)) {
            next = due[i];
        }
    }
    return next;
}

/* Does what is due at a step. Returns false without memory. */
static bool take_due(life *l, uint64_t now)
{
    bool done = true;
    if (now == l->start) {
        done = score_start(l->score, &l->view);
    }
    if (l->between && now >= l->start && (now - l->start) % l->between == 0) {
        done = done && score_add(l->score, &l->view);
    }
    if (now == l->end_of_life) {
        done = done && score_end_of_life(l->score, &l->view);
    }
    if (l->progress && now % PROGRESS_STEPS == 0) {
        double center[3];
        vxe_world_center_of_mass(l->world, center, NULL);
        printf("Time: %g CM: %g %g %g\n", vxe_world_time(l->world), center[0], center[1],
               center[2]);
    }
    if (now == l->end) {
        done = done && score_finish(l->score, &l->view);
    }
    return done;
}

/* Runs to the end. Divergence ends a run like any other end. */
static vxe_status live(life *l, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint64_t now = 0; now < l->end && !status;) {
        const uint64_t next = next_step(l, now);
        status = vxe_world_advance(l->world, next - now, error);
        now = next;
        if (!status && !take_due(l, now)) {
            error->status = status = VXE_ERROR_MEMORY;
            snprintf(error->message, sizeof error->message, "no memory for the score");
        }
    }
    if (vxe_status_is_failure(status)) {
        fprintf(stderr, "voxelyze: %s\n", error->message);
        l->score->diverged = true;
        l->score->voxels = l->view.design->voxel_count;
        l->score->lifetime = vxe_world_time(l->world);
        return VXE_OK;
    }
    return status;
}

static vxe_status run_once(const request *r, const char *conventions, const vxe_design *design,
                           const vxe_task *task, score *s, vxe_error *error)
{
    vxe_world_def def = vxe_world_def_default();
    def.conventions = conventions;
    def.threads = 1; /* drivers start a whole generation at once */
    life l = {.view = {.design = design, .task = task}, .score = s, .progress = r->progress};
    l.world = vxe_world_create(design, &def, error);
    if (!l.world) {
        return error->status;
    }
    l.view.world = l.world;
    s->conventions = conventions;
    s->has_afterlife = strcmp(s->conventions, "evosoro") == 0;
    vxe_status status = VXE_OK;
    if (plan(&l)) {
        status = live(&l, error);
    } else {
        *error = (vxe_error){.status = VXE_ERROR_INPUT};
        snprintf(error->message, sizeof error->message,
                 "%s: no stop condition ends this run: it would run for ever", r->design);
        status = VXE_ERROR_INPUT;
    }
    vxe_world_destroy(l.world);
    return status;
}

/* Runs once, or on both grounds and averages. */
static vxe_status run_all(const request *r, const char *conventions, vxe_design *design,
                          const vxe_task *task, score *s, vxe_error *error)
{
    const double slope = design->floor.slope[0];
    score other = {0};
    vxe_status status = VXE_OK;
    if (r->compound) {
        design->floor.slope[0] = 0;
        status = run_once(r, conventions, design, task, &other, error);
        design->floor.slope[0] = slope;
    }
    status = status ? status : run_once(r, conventions, design, task, s, error);
    if (!status && r->compound) {
        score_average(s, &other);
    }
    score_clear(&other);
    return status;
}

/* Runs the robot and writes the result. *diverged says whether it diverged. */
static vxe_status serve(const request *r, const char *name, vxe_design *design, bool *diverged,
                        vxe_error *error)
{
    vxe_task task;
    score s = {0};
    const uint64_t failures = vxe_memory_failures();
    vxe_status status = vxe_task_read(&task, NULL, r->design, error);
    const char *conventions = conventions_of(name, design);
    if (!status) {
        warn_of(r, design, &task, conventions);
        status = run_all(r, conventions, design, &task, &s, error);
    }
    status = status ? status : vxe_memory_check(failures, error); /* a score says nothing of it */
    if (!status) {
        const char *path = r->result ? r->result : task.result_file;
        const score_view view = {.design = design, .task = &task};
        if (!path[0]) {
            fprintf(stderr, "voxelyze: %s names no FitnessFileName: nothing is written\n",
                    r->design);
        } else if (!score_write(&s, &view, path, error)) {
            status = error->status;
        }
    }
    *diverged = s.diverged;
    score_clear(&s);
    vxe_task_clear(&task);
    return status;
}

int dropin_voxelyze(const char *name, int count, char **words)
{
    const request r = parse(count, words);
    signal(SIGPIPE, SIG_IGN); /* a reader that closes the pipe must not end the run */
    if (!r.design) {
        usage();
        return r.posix ? FINISHED : FAILED;
    }
    vxe_error error = {.status = VXE_OK};
    bool finished = false;
    vxe_design *design = vxe_design_read_leniently(r.design, &error);
    if (design) {
        bool diverged = false;
        finished = !serve(&r, name, design, &diverged, &error) && !diverged;
    }
    if (error.status && !vxe_status_is_failure(error.status)) {
        char text[VXE_ERROR_TEXT];
        fprintf(stderr, "voxelyze: error: %s\n", vxe_error_text(&error, text, sizeof text));
    }
    vxe_design_destroy(design);
    if (error.status == VXE_ERROR_MEMORY) {
        return EXIT_SYSTEM;
    }
    return finished == r.posix ? FAILED : FINISHED;
}
