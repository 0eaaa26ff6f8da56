/* SPDX-License-Identifier: MIT */
/* A fitness by a program: as many workers as threads, each of which reads a scene on a line and
   answers with a number on a line. A worker has one body at a time, so that neither side waits for
   the other with full pipes. Workers live until the search ends, or until a generation is given up.
 */
#include <ctype.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "evolution/external/external_internal.h"
#include "evolution/external/worker_internal.h"
#include "lattice/formats/scene/scene_internal.h"

/* ms between two looks of the watch where nothing happens. */
#define LOOK_MS 20

/* Bytes of what a program wrote that a message shows. */
#define SHOWN 120

/* The fault of a worker that writes before it was given a body, or while it is given one. */
#define TOO_EARLY "answered before it had read its line"

struct vxe_program {
    const vxe_task_settings *task;
    char *words[VXE_COMMAND_BYTES / 2 + 1]; /* of the command, ended by null */
    vxe_worker *workers;                    /* (count) */
    struct pollfd *polled;                  /* (2 count) */
    uint32_t count;
};

/* Bodies that are being evaluated. */
typedef struct work {
    vxe_program *program;
    const vxe_individual *const *individuals;
    vxe_outcome *outcomes;
    uint32_t count, next, answered;
} work;

static void blank_controls(char *text)
{
    for (; *text; text++) {
        *text = iscntrl((unsigned char)*text) ? ' ' : *text;
    }
}

/* Fails with what a program did wrong, and what it wrote. */
static vxe_status blame(const vxe_program *program, const char *wrote, vxe_status status,
                        const char *what, vxe_error *error)
{
    char command[200] = "";
    char shown[SHOWN + 1];
    for (uint32_t i = 0; program->words[i]; i++) {
        const size_t length = strlen(command);
        snprintf(command + length, sizeof command - length, "%s%s", i ? " " : "",
                 program->words[i]);
    }
    snprintf(shown, sizeof shown, "%s", wrote ? wrote : "");
    blank_controls(command);
    blank_controls(shown);
    return vxe_error_fill(error, status, "the fitness program \"%s\" %s%s%s%s", command, what,
                          shown[0] ? "; it wrote \"" : "", shown,
                          !shown[0]                          ? ""
                          : strlen(wrote) > sizeof shown - 1 ? "...\""
                                                             : "\"");
}

/* Fails for a worker that is gone, and buries it. */
static vxe_status blame_gone(const vxe_program *program, vxe_worker *worker, vxe_error *error)
{
    char how[100];
    char what[160];
    char wrote[VXE_ANSWER_BYTES + 1];
    memcpy(wrote, worker->answer, sizeof wrote);
    wrote[worker->got] = '\0';
    vxe_worker_bury(worker, how, sizeof how);
    snprintf(what, sizeof what, "%s before it had answered", how);
    return blame(program, wrote, VXE_ERROR_SYSTEM, what, error);
}

vxe_program *vxe_program_create(const vxe_task_settings *task, uint32_t threads, vxe_error *error)
{
    vxe_program *program = vxe_memory_take(1, sizeof *program);
    if (!program) {
        (void)vxe_error_memory(error, sizeof *program);
        return NULL;
    }
    uint32_t count = 0;
    for (const char *word = task->command; *word; word += strlen(word) + 1) {
        VXE_ASSERT(count < VXE_COMMAND_BYTES / 2);
        memcpy(&program->words[count++], &word,
               sizeof word); /* which posix_spawn does not change */
    }
    program->task = task;
    program->count = threads ? threads : vxe_parallel_available();
    program->workers = vxe_memory_take(program->count, sizeof *program->workers);
    program->polled = vxe_memory_take(2ull * program->count, sizeof *program->polled);
    const vxe_status status =
        program->workers && program->polled
            ? vxe_worker_start(&program->workers[0], program->words, task->folder, error)
            : vxe_error_memory(error, program->count * sizeof *program->workers);
    if (status) {
        vxe_program_destroy(program);
        return NULL;
    }
    return program;
}

void vxe_program_destroy(vxe_program *program)
{
    if (program) {
        if (program->workers) {
            vxe_workers_end(program->workers, program->count);
        }
        vxe_memory_release(program->workers);
        vxe_memory_release(program->polled);
        vxe_memory_release(program);
    }
}

/* The scene of a body on a line. */
static vxe_status take_line(vxe_worker *worker, const vxe_design *body, vxe_error *error)
{
    const uint64_t failures = vxe_json_watch();
    uint64_t size = 0;
    worker->line = vxe_json_text(vxe_scene_object(body), failures, &size, error);
    if (!worker->line) {
        return VXE_ERROR_MEMORY;
    }
    worker->line[size] = '\n'; /* in the place of the zero at its end */
    worker->size = size + 1;
    worker->sent = 0;
    return VXE_OK;
}

/* Gives the next body to a worker that waits, which is started where it does not run. */
static vxe_status give(work *w, vxe_worker *worker, vxe_error *error)
{
    vxe_program *program = w->program;
    vxe_status status = VXE_OK;
    if (worker->pid && vxe_worker_read(worker) == VXE_WORKER_GONE) {
        return blame_gone(program, worker, error);
    }
    if (worker->pid && worker->got > 0) {
        status = blame(program, worker->answer, VXE_ERROR_INPUT,
                       worker->size == 0 ? TOO_EARLY : "wrote more than its answer", error);
        vxe_worker_kill(worker);
        return status;
    }
    if (!worker->pid) {
        status = vxe_worker_start(worker, program->words, program->task->folder, error);
    }
    status = status ? status : take_line(worker, w->individuals[w->next]->body, error);
    if (!status) {
        worker->body = w->next++;
        worker->started = vxe_worker_clock();
        vxe_worker_write(worker);
    }
    return status;
}

/* Reads an answer: a finite number, or nan. */
static bool read_answer(const char *text, double *fitness)
{
    const char *word = text + strspn(text, VXE_BLANKS);
    if (strncasecmp(word, "nan", 3) == 0 && word[3 + strspn(word + 3, VXE_BLANKS)] == '\0') {
        *fitness = (double)NAN;
        return true;
    }
    return !vxe_number_read(text, fitness) && isfinite(*fitness);
}

/* Takes what a worker has written. */
static vxe_status take(work *w, vxe_worker *worker, vxe_error *error)
{
    double fitness = 0;
    switch (vxe_worker_read(worker)) {
    case VXE_WORKER_SILENT:
        return VXE_OK;
    case VXE_WORKER_TOO_LONG:
        return blame(w->program, worker->answer, VXE_ERROR_INPUT,
                     "wrote more than a line with a number", error);
    case VXE_WORKER_GONE:
        return blame_gone(w->program, worker, error);
    case VXE_WORKER_ANSWERED:
        break;
    }
    if (!read_answer(worker->answer, &fitness)) {
        return blame(w->program, worker->answer[0] ? worker->answer : "an empty line",
                     VXE_ERROR_INPUT, "did not answer with a finite number, or nan", error);
    }
    if (worker->sent < worker->size) {
        return blame(w->program, worker->answer, VXE_ERROR_INPUT, TOO_EARLY, error);
    }
    VXE_ASSERT(worker->body < w->count && w->answered < w->count);
    w->outcomes[worker->body] = vxe_external_outcome(fitness);
    w->answered++;
    vxe_memory_release(worker->line);
    worker->line = NULL;
    worker->got = 0;
    return VXE_OK;
}

/* Waits for news of the workers, for a moment at most. */
static void wait_for_news(const vxe_program *program)
{
    nfds_t count = 0;
    for (uint32_t i = 0; i < program->count; i++) {
        const vxe_worker *worker = &program->workers[i];
        if (worker->line) {
            program->polled[count++] = (struct pollfd){.fd = worker->output, .events = POLLIN};
        }
        if (worker->line && worker->input >= 0 && worker->sent < worker->size) {
            program->polled[count++] = (struct pollfd){.fd = worker->input, .events = POLLOUT};
        }
    }
    (void)poll(program->polled, count, LOOK_MS);
}

/* One turn: gives bodies to those that wait, and takes what others have answered. */
static vxe_status turn(work *w, vxe_error *error)
{
    vxe_program *program = w->program;
    const double limit = program->task->time_limit;
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < program->count && !status; i++) {
        vxe_worker *worker = &program->workers[i];
        if (worker->line) {
            vxe_worker_write(worker);
            status = take(w, worker, error);
        }
        if (!status && !worker->line && w->next < w->count) {
            status = give(w, worker, error);
        }
        if (!status && worker->line && limit > 0 && vxe_worker_clock() - worker->started > limit) {
            status = blame(program, worker->answer, VXE_ERROR_SYSTEM,
                           "has not answered within \"time_limit_s\"", error);
        }
    }
    return status;
}

vxe_status vxe_program_run(vxe_program *program, const vxe_runner *runner,
                           const vxe_individual *const *individuals, uint32_t count,
                           vxe_outcome *outcomes, bool *stopped, vxe_error *error)
{
    work w = {.program = program, .individuals = individuals, .outcomes = outcomes, .count = count};
    vxe_status status = VXE_OK;
    while (!status && w.answered < count && !*stopped) {
        const vxe_batch_progress progress = {w.answered, count, w.answered, count};
        status = turn(&w, error);
        if (!status && w.answered < count) {
            wait_for_news(program);
            *stopped = runner->watch && !runner->watch(&progress, runner->user);
        }
    }
    for (uint32_t i = 0; i < program->count; i++) {
        if (program->workers[i].line) { /* its answer would come too late */
            vxe_worker_kill(&program->workers[i]);
        }
    }
    return status;
}
