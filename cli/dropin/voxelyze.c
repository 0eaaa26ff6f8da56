/* SPDX-License-Identifier: MIT */
/* In the place of evosoro's voxelyze, of its land-water fork and of reconfigurable_organisms': one
   robot, one thread, a result file for a driver that waits for it. Exit status 1 where it has
   finished and 0 where it has not, as there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dropin/dropin.h"
#include "cli/dropin/score.h"

enum { FAILED = 0, FINISHED = 1, PROGRESS_STEPS = 100 };

typedef struct request {
    const char *design;
    const char *result; /* instead of the file's own; null: none */
    bool progress;
    bool compound; /* twice, on flat ground and on the file's slope */
    bool posix;    /* 0 where it has finished, 1 where not */
} request;

/* A run from its start to its score. */
typedef struct life {
    score_view view;
    vxe_world *world;
    score *score;
    uint64_t start, end_of_life, end; /* steps; end_of_life 0: no afterlife */
    uint64_t between;                 /* steps from sample to sample; 0: none are taken */
    bool progress;
} life;

static int usage(void)
{
    puts("usage: voxelyze -f DESIGN.vxa [-of RESULT.xml] [-p [N]] "
         "[--compoundTerrestrialEnvironment] "
         "[--posix]\n\n"
         "Simulates a robot as evosoro (voxelyze), its land-water fork (voxelyze-land-water, or a\n"
         "file with FluidEnvironment 1) or reconfigurable_organisms (voxelyze-recorg) would, and\n"
         "writes its FitnessFileName. VOXELASTIC_PEER names other conventions: see voxelastic run\n"
         "--help. Exit status 1: finished, 0: not; --posix turns that round.");
    return FAILED;
}

/* Words that nobody knows are left alone, as there. */
static request parse(int count, char **words)
{
    request r = {0};
    for (int i = 1; i < count && words[i]; i++) {
        const char *next = words[i + 1]; /* null behind the last */
        if (strcmp(words[i], "-f") == 0 && next) {
            r.design = words[++i];
        } else if (strcmp(words[i], "-of") == 0 && next) {
            r.result = words[++i];
        } else if (strcmp(words[i], "-p") == 0) {
            r.progress = true;
        } else if (strcmp(words[i], "--compoundTerrestrialEnvironment") == 0) {
            r.compound = true;
        } else if (strcmp(words[i], "--posix") == 0) {
            r.posix = true;
        }
    }
    return r;
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

/* The first step behind a time. */
static uint64_t step_behind(double time, double time_step)
{
    return (uint64_t)floor(time / time_step) + 1;
}

/* Steps of a life; false where it never ends. */
static bool plan(life *l)
{
    const vxe_design *design = l->view.design;
    const vxe_task *task = l->view.task;
    const double time_step = vxe_world_describe(l->world).time_step;
    const vxe_stop *stop = &design->stop;
    l->start = step_behind(stop->settle_time, time_step);
    if (stop->duration > 0 && stop->duration / time_step < 1e15) {
        l->end = step_behind(stop->duration, time_step);
    } else if (stop->periods > 0 && design->actuation.period > 0) {
        l->end = step_behind(stop->periods * design->actuation.period, time_step);
    } else if (stop->steps > 0) {
        l->end = stop->steps + 1;
    } else {
        return false;
    }
    l->end = l->end > l->start ? l->end : l->start;
    if (task->afterlife > 0) {
        l->end_of_life = step_behind(task->stop_value, time_step);
    }
    if (task->traces || task->by_volume) {
        const double steps = task->trace_interval / time_step;
        l->between = steps > 1 && steps < 1e15 ? (uint64_t)steps : 1;
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

/* What is due at a step; false without memory. */
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

/* Lives it; divergence is an end as any other. */
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
    if (status == VXE_ERROR_DIVERGED) {
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
    s->peer = vxe_world_describe(l.world).conventions;
    vxe_status status = VXE_OK;
    if (plan(&l)) {
        status = live(&l, error);
    } else {
        *error = (vxe_error){.status = VXE_ERROR_INPUT};
        snprintf(error->message, sizeof error->message,
                 "%s: it has no stop condition, and would run for ever", r->design);
        status = VXE_ERROR_INPUT;
    }
    vxe_world_destroy(l.world);
    return status;
}

/* Both grounds, or the file's own. */
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

/* Runs and writes; *diverged says how it went. */
static vxe_status serve(const request *r, const char *name, vxe_design *design, bool *diverged,
                        vxe_error *error)
{
    vxe_task task;
    score s = {0};
    vxe_status status = vxe_task_read(&task, r->design, error);
    status = status ? status : run_all(r, conventions_of(name, design), design, &task, &s, error);
    if (!status) {
        const char *path = r->result ? r->result : task.result_file;
        const score_view view = {.design = design, .task = &task};
        if (!path[0]) {
            fprintf(stderr, "voxelyze: %s names no FitnessFileName: nothing is written\n",
                    r->design);
        } else if (!score_write(&s, &view, path, error)) {
            status = VXE_ERROR_SYSTEM;
        }
    }
    *diverged = s.diverged;
    score_clear(&s);
    return status;
}

int dropin_voxelyze(const char *name, int count, char **words)
{
    const request r = parse(count, words);
    if (!r.design) {
        return usage();
    }
    vxe_error error = {.status = VXE_OK};
    bool finished = false;
    vxe_design *design = vxe_design_read_leniently(r.design, &error);
    if (design) {
        bool diverged = false;
        finished = !serve(&r, name, design, &diverged, &error) && !diverged;
    }
    if (error.status && error.status != VXE_ERROR_DIVERGED) {
        char text[1400];
        fprintf(stderr, "voxelyze: error: %s\n", vxe_error_text(&error, text, sizeof text));
    }
    vxe_design_destroy(design);
    return finished == r.posix ? FAILED : FINISHED;
}
