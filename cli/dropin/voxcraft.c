/* SPDX-License-Identifier: MIT */
/* Stands in for voxcraft-sim, which runs the robots (.vxd) of a folder over its base.vxa, and for
   vx3_node_worker, which runs those of a job file. Writes a report of all robots, and the histories
   of those that ask for it to standard output. The exit status is 0, 1 where nothing was run, or 5
   where memory ran out: then there is no report. */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/dropin/dropin.h"
#include "cli/dropin/voxcraft_report.h"
#include "cli/shared/design_list.h"

enum { DONE = 0, REFUSED = 1, STARVED = EXIT_SYSTEM, LONGEST_PATH = 4096 };

typedef struct request {
    const char *program;
    const char *input;
    const char *output; /* null: no report */
    bool force, locally, nodes;
} request;

/* The robots of a call. */
typedef struct crew {
    simulation *robots; /* (count) */
    char **paths;       /* (count) */
    uint32_t count;
} crew;

static const struct option long_options[] = {
    {"input", required_argument, NULL, 'i'},  {"output", required_argument, NULL, 'o'},
    {"worker", required_argument, NULL, 'w'}, {"nodes", required_argument, NULL, 'n'},
    {"force", no_argument, NULL, 'f'},        {"locally", no_argument, NULL, 'l'},
    {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};

static int refuse(const request *r, const char *what, const char *of)
{
    fprintf(stderr, "%s: error: %s%s\n", r->program, what, of);
    return REFUSED;
}

/* Says that there is no memory. What else goes wrong is a robot's own matter. */
static int starve(const request *r)
{
    refuse(r, "out of memory", "");
    return STARVED;
}

static void usage(const request *r)
{
    printf("usage: %s -i FOLDER [-o REPORT.xml] [-f] [-l] [-w WORKER] [-n NODES]\n"
           "       vx3_node_worker -i JOB.vxt -o REPORT.vxr [-f]\n\n"
           "Simulates the robots (.vxd) of FOLDER over its base.vxa as voxcraft-sim would, and\n"
           "writes a report; -f replaces one that is there. What is recorded goes to standard\n"
           "output. Everything runs here: -l, -w and -n change nothing. VOXELASTIC_PEER names\n"
           "other conventions: see voxelastic run --help.\n",
           r->program);
}

/* Reads the options. Returns false where they are wrong or ask for help. */
static bool parse(request *r, int count, char **words)
{
    opterr = 0;
    for (int option = 0;
         (option = getopt_long(count, words, "i:o:w:n:flh", long_options, NULL)) != -1;) {
        switch (option) {
        case 'i':
            r->input = optarg;
            break;
        case 'o':
            r->output = optarg;
            break;
        case 'f':
            r->force = true;
            break;
        case 'l':
            r->locally = true;
            break;
        case 'n':
            r->nodes = true;
            break;
        case 'w':
            break;
        case 'h':
            return false;
        default:
            refuse(r, "unknown option, or an option without its value: ", words[optind - 1]);
            return false;
        }
    }
    if (r->locally && r->nodes) {
        refuse(r, "-l and -n contradict each other", "");
    } else if (!r->input) {
        refuse(r, "no -i", "");
    }
    return r->input && !(r->locally && r->nodes);
}

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* Allocates memory for `count` robots. Returns false without memory. */
static bool take_crew(crew *c, uint32_t count)
{
    c->robots = calloc(count, sizeof *c->robots);
    c->paths = calloc(count, sizeof *c->paths);
    return c->robots && c->paths;
}

/* Adds the robot folder/name. `base` must live as long as the crew. */
static bool add_robot(crew *c, const char *folder, const char *name, const char *base)
{
    const size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    const size_t size = length + strlen(slash) + strlen(name) + 1;
    char *path = malloc(size);
    if (!path) {
        return false;
    }
    snprintf(path, size, "%s%s%s", folder, slash, name);
    c->paths[c->count] = path;
    const char *last = strrchr(path, '/');
    c->robots[c->count++] =
        (simulation){.base = base, .path = path, .name = last ? last + 1 : path};
    return true;
}

static void clear_crew(crew *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        simulation_clear(&c->robots[i]);
        free(c->paths[i]);
    }
    free(c->robots);
    free(c->paths);
}

static int is_overlay(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && path_has_suffix(entry->d_name, ".vxd");
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Collects the robots of a folder and fills `base`. */
static int collect_folder(const request *r, crew *c, char base[LONGEST_PATH])
{
    struct dirent **entries = NULL;
    if (!is_folder(r->input)) {
        return refuse(r, "no such folder: ", r->input);
    }
    if (access(r->input, R_OK | X_OK) != 0) {
        return refuse(r, "this folder may not be read: ", r->input);
    }
    const int length = snprintf(base, LONGEST_PATH, "%s/base.vxa", r->input);
    if (length >= LONGEST_PATH || access(base, F_OK) != 0) {
        return refuse(r, "no base.vxa in ", r->input);
    }
    const int found = scandir(r->input, &entries, is_overlay, by_bytes);
    int status = DONE;
    if (found < 0 && errno == ENOMEM) {
        status = starve(r);
    } else if (found <= 0) {
        status =
            refuse(r, "no .vxd (an empty one, <VXD></VXD>, runs the base as it is) in ", r->input);
    } else if (!take_crew(c, (uint32_t)found)) {
        status = starve(r);
    }
    for (int i = 0; i < found; i++) {
        if (!status && !add_robot(c, r->input, entries[i]->d_name, base)) {
            status = starve(r);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* Collects the robots of a job and fills `base`. */
static int collect_job(const request *r, crew *c, char base[LONGEST_PATH])
{
    vxe_job job;
    vxe_error error;
    char text[VXE_ERROR_TEXT];
    if (vxe_job_read(&job, r->input, &error)) {
        return error.status == VXE_ERROR_MEMORY
                   ? starve(r)
                   : refuse(r, vxe_error_text(&error, text, sizeof text), "");
    }
    int length = snprintf(base, LONGEST_PATH, "%s", job.base);
    if (access(base, F_OK) != 0) {
        length = snprintf(base, LONGEST_PATH, "%s/%s", job.folder, job.base);
    }
    int status = DONE;
    if (length >= LONGEST_PATH || access(base, F_OK) != 0) {
        status = refuse(r, "no such base: ", job.base);
    } else if (!take_crew(c, job.overlay_count)) {
        status = starve(r);
    }
    for (uint32_t i = 0; i < job.overlay_count && !status; i++) {
        if (!add_robot(c, job.folder, job.overlays[i], base)) {
            status = starve(r);
        }
    }
    vxe_job_clear(&job);
    return status;
}

static void load_one(void *user, uint32_t i)
{
    simulation_load(&((simulation *)user)[i]);
}

static void run_one(void *user, uint32_t i)
{
    simulation *s = &((simulation *)user)[i];
    if (s->design && !simulation_records(s)) {
        simulation_run(s);
    }
}

static void run_recorded(void *user, uint32_t i)
{
    simulation_run(&((simulation *)user)[i]);
}

/* Prints notes that change the robot or its fitness, and for the first robot how many tags have no
   effect. */
static void warn_of(const request *r, const simulation *s, bool first)
{
    const uint32_t notes = vxe_design_note_count(s->design);
    for (uint32_t i = 0; i < notes; i++) {
        const char *note = vxe_design_note(s->design, i);
        if (strstr(note, "left out")) {
            fprintf(stderr, "%s: %s: %s\n", r->program, s->name, note);
        }
    }
    if (first && notes > 0) {
        fprintf(stderr, "%s: %u tags of %s have no effect; 'voxelastic info' lists them\n",
                r->program, notes, s->path);
    }
}

/* Warns of what files ask for and this program does not do. */
static void warn(const request *r, const crew *c)
{
    bool signals = false;
    uint32_t fit = 0;
    uint32_t loaded = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const simulation *s = &c->robots[i];
        if (s->design) {
            warn_of(r, s, loaded == 0);
            signals = signals || s->task.signals;
            fit += s->design->formulas[VXE_FORMULA_FITNESS] != NULL;
            loaded++;
        }
    }
    if (signals) {
        fprintf(stderr,
                "%s: EnableSignals has no effect: signals between cells are not simulated\n",
                r->program);
    }
    if (fit < loaded) {
        fprintf(stderr, "%s: %u of %u robots have no FitnessFunction: their fitness is 0\n",
                r->program, loaded - fit, loaded);
    }
}

/* Prints how a run ended, in voxcraft's words. */
static void tell_end(const request *r, const simulation *s, uint32_t i)
{
    if (!s->done) {
        fprintf(stderr, "%s: %s: %s\n", r->program, s->name, s->message);
    }
    if (s->cut) {
        fprintf(stderr, "%s: %s: cut off after %u steps (%g s), before its end: so does voxcraft\n",
                r->program, s->name, VOXCRAFT_STEPS, s->time);
    }
    if (s->unrecorded) {
        fprintf(stderr, "%s: %s: cannot write frames to standard output; the run went on without\n",
                r->program, s->name);
        clearerr(stdout);
    }
    printf("%u) Simulation %u ends: %s Time: %f, angleSampleTimes: %u.\n", i, i, s->name, s->time,
           s->facts.angle_samples);
}

/* Runs all robots. Those that are recorded run one after the other, so that their frames do not
   mix. All run inside vxe_parallel_each, so that each has the same floating-point rounding. */
static void run_all(const request *r, crew *c, const char *conventions)
{
    for (uint32_t i = 0; i < c->count; i++) {
        c->robots[i].conventions = conventions;
        c->robots[i].threads = c->count > 1 ? 1 : 0;
    }
    vxe_parallel_each(c->count, 0, load_one, c->robots);
    warn(r, c);
    for (uint32_t i = 0; i < c->count; i++) {
        simulation *s = &c->robots[i];
        if (s->design) {
            printf("%u) Simulation %u runs: %s.\n", i, i, s->name);
        }
        if (s->task.raw_print) {
            printf("%s\n", s->task.raw_print);
        }
        if (simulation_records(s)) {
            s->threads = 0;
            vxe_parallel_each(1, 1, run_recorded, s);
        }
    }
    fflush(stdout);
    vxe_parallel_each(c->count, c->count > 1 ? 0 : 1, run_one, c->robots);
    for (uint32_t i = 0; i < c->count; i++) {
        tell_end(r, &c->robots[i], i);
    }
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "%s: cannot write to standard output\n", r->program);
    }
}

static bool has_starved(const crew *c)
{
    bool starved = false;
    for (uint32_t i = 0; i < c->count; i++) {
        starved = starved || c->robots[i].starved;
    }
    return starved;
}

/* Where the output is a folder, the report is report.xml in it, as callers of the fork by iffiX
   expect. */
static const char *report_path(const request *r, char path[LONGEST_PATH])
{
    if (!r->output || !is_folder(r->output)) {
        return r->output;
    }
    snprintf(path, LONGEST_PATH, "%s/report.xml", r->output);
    return path;
}

/* True where the folder of a file exists; errno says why not. */
static bool has_folder(const char *path)
{
    char folder[LONGEST_PATH];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1,
             slash ? path : ".");
    return access(folder, F_OK) == 0;
}

/* Checks what would otherwise fail after the run. Returns 0 or an exit status. */
static int check(const request *r, const char *output, const char *conventions)
{
    if (!vxe_conventions_find(conventions)) {
        return refuse(r, "VOXELASTIC_PEER names no conventions: ", conventions);
    }
    if (output && !has_folder(output)) {
        return refuse(r, "no folder for the report ", output);
    }
    if (output && !r->force && access(output, F_OK) == 0) {
        return refuse(r, "the report is there already; -f replaces it: ", output);
    }
    return DONE;
}

int dropin_voxcraft(const char *name, int count, char **words)
{
    request r = {.program = name};
    signal(SIGPIPE, SIG_IGN); /* a reader that closes the pipe must not end the run */
    if (!parse(&r, count, words)) {
        usage(&r);
        return REFUSED;
    }
    char base[LONGEST_PATH];
    char folded[LONGEST_PATH];
    crew c = {0};
    const char *wanted = getenv("VOXELASTIC_PEER");
    const char *conventions = wanted && *wanted ? wanted : "voxcraft";
    const char *output = report_path(&r, folded);
    const bool is_worker = strcmp(name, "vx3_node_worker") == 0;
    int status = check(&r, output, conventions);
    if (!status) {
        status = is_worker ? collect_job(&r, &c, base) : collect_folder(&r, &c, base);
    }
    if (!status) {
        puts("Running simulation locally by default.");
        run_all(&r, &c, conventions);
        status = has_starved(&c) ? starve(&r) : DONE;
    }
    if (!status && output) {
        vxe_error error;
        char text[VXE_ERROR_TEXT];
        report_sort(c.robots, c.count);
        if (!report_write(output, r.input, c.robots, c.count, &error)) {
            refuse(&r, vxe_error_text(&error, text, sizeof text), "");
            status = error.status == VXE_ERROR_MEMORY ? STARVED : DONE;
        }
    }
    clear_crew(&c);
    return status;
}
