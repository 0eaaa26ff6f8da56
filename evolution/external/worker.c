/* SPDX-License-Identifier: MIT */
/* Worker processes by posix_spawn, without a shell. What they hold of ours is their own two ends of
   pipes, and the standard error. */
#define _GNU_SOURCE /* for pipe2 and posix_spawn_file_actions_addchdir_np */
#include "evolution/external/worker_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* s that a worker has to end by itself. */
#define PATIENCE 1.0

double vxe_worker_clock(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void close_pipe(int ends[2])
{
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0) {
            close(ends[i]);
        }
        ends[i] = -1;
    }
}

/* Makes a pipe none of whose ends is a standard stream, even where those are closed. */
static bool make_pipe(int ends[2])
{
    int made[2];
    if (pipe2(made, O_CLOEXEC)) {
        ends[0] = ends[1] = -1;
        return false;
    }
    ends[0] = fcntl(made[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ends[1] = fcntl(made[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close_pipe(made);
    return ends[0] >= 0 && ends[1] >= 0;
}

/* What a child must not inherit: our mask, and signals that are ignored or caught. */
static int set_signals(posix_spawnattr_t *how)
{
    sigset_t none;
    sigset_t plain;
    sigemptyset(&none);
    sigemptyset(&plain);
    sigaddset(&plain, SIGPIPE);
    sigaddset(&plain, SIGINT);
    sigaddset(&plain, SIGTERM);
    sigaddset(&plain, SIGHUP);
    int failed = posix_spawnattr_setsigmask(how, &none);
    failed = failed ? failed : posix_spawnattr_setsigdefault(how, &plain);
    failed = failed ? failed : posix_spawnattr_setpgroup(how, 0);
    return failed ? failed
                  : posix_spawnattr_setflags(how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                      POSIX_SPAWN_SETPGROUP);
}

/* Starts the process between two pipes. Returns 0, or an error of the system. */
static int spawn(pid_t *pid, char *const *words, const char *folder, const int input[2],
                 const int output[2])
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed) {
        return failed;
    }
    failed = posix_spawnattr_init(&how);
    if (!failed) {
        failed = set_signals(&how);
        failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, input[0], STDIN_FILENO);
        failed =
            failed ? failed : posix_spawn_file_actions_adddup2(&files, output[1], STDOUT_FILENO);
        failed = failed ? failed : posix_spawn_file_actions_addchdir_np(&files, folder);
        failed = failed ? failed : posix_spawnp(pid, words[0], &files, &how, words, environ);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

static bool set_unblocking(int file)
{
    const int flags = fcntl(file, F_GETFL);
    return flags >= 0 && fcntl(file, F_SETFL, flags | O_NONBLOCK) == 0;
}

vxe_status vxe_worker_start(vxe_worker *worker, char *const *words, const char *folder,
                            vxe_error *error)
{
    int input[2];
    int output[2] = {-1, -1};
    struct stat facts;
    VXE_ASSERT(worker->pid == 0);
    if (stat(folder, &facts) || !S_ISDIR(facts.st_mode)) {
        return vxe_error_fill(error, VXE_ERROR_SYSTEM,
                              "cannot start %.200s: there is no folder %.400s", words[0], folder);
    }
    errno = 0;
    int failed = make_pipe(input) && make_pipe(output) && set_unblocking(input[1]) &&
                         set_unblocking(output[0])
                     ? 0
                     : errno;
    failed = failed ? failed : spawn(&worker->pid, words, folder, input, output);
    if (failed) {
        worker->pid = 0;
        close_pipe(input);
        close_pipe(output);
        return vxe_error_fill(error, failed == ENOMEM ? VXE_ERROR_MEMORY : VXE_ERROR_SYSTEM,
                              "cannot start %.200s in %.400s: %s", words[0], folder,
                              strerror(failed));
    }
    close(input[0]);
    close(output[1]);
    worker->input = input[1];
    worker->output = output[0];
    return VXE_OK;
}

/* As write, but a reader that is gone is EPIPE alone, without the signal, which would end us. */
static ssize_t write_quietly(int file, const char *bytes, size_t size)
{
    sigset_t broken;
    sigset_t before;
    sigset_t waiting;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigemptyset(&waiting);
    sigpending(&waiting);
    const bool was_waiting = sigismember(&waiting, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    const ssize_t written = write(file, bytes, size);
    const int why = errno;
    if (written < 0 && why == EPIPE && !was_waiting) {
        const struct timespec now = {0};
        while (sigtimedwait(&broken, NULL, &now) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return written;
}

void vxe_worker_write(vxe_worker *worker)
{
    while (worker->input >= 0 && worker->sent < worker->size) {
        const ssize_t written =
            write_quietly(worker->input, worker->line + worker->sent, worker->size - worker->sent);
        if (written > 0) {
            worker->sent += (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            return;
        } else if (!(written < 0 && errno == EINTR)) { /* it reads no more; its output says why */
            close(worker->input);
            worker->input = -1;
        }
    }
}

vxe_worker_news vxe_worker_read(vxe_worker *worker)
{
    while (worker->got < VXE_ANSWER_BYTES) {
        const ssize_t got =
            read(worker->output, worker->answer + worker->got, VXE_ANSWER_BYTES - worker->got);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        worker->got += got > 0 ? (size_t)got : 0;
        worker->answer[worker->got] = '\0';
        char *end = memchr(worker->answer, '\n', worker->got);
        if (end) {
            const bool is_last = end + 1 == worker->answer + worker->got;
            *end = is_last ? '\0' : *end;
            return is_last ? VXE_WORKER_ANSWERED : VXE_WORKER_TOO_LONG;
        }
        if (got <= 0) {
            return got < 0 && errno == EAGAIN ? VXE_WORKER_SILENT : VXE_WORKER_GONE;
        }
    }
    return VXE_WORKER_TOO_LONG;
}

/* Closes our ends, and forgets the line. */
static void let_go(vxe_worker *worker)
{
    if (worker->input >= 0) {
        close(worker->input);
    }
    close(worker->output);
    vxe_memory_release(worker->line);
    *worker = (vxe_worker){.pid = 0};
}

/* Whether a process has ended; it stays to be waited for. */
static bool has_ended(pid_t pid)
{
    siginfo_t facts = {0};
    return waitid(P_PID, (id_t)pid, &facts, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           facts.si_pid == pid;
}

/* Waits until a process has ended, or until a time. */
static void wait_until(pid_t pid, double end)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    while (!has_ended(pid) && vxe_worker_clock() < end) {
        nanosleep(&moment, NULL);
    }
}

/* Kills what there is of a worker and its own processes. Returns the status of its end; -1: not
   known. */
static int finish(vxe_worker *worker)
{
    int status = -1;
    pid_t waited = 0;
    kill(-worker->pid, SIGKILL);
    do {
        waited = waitpid(worker->pid, &status, 0);
    } while (waited < 0 && errno == EINTR);
    let_go(worker);
    return waited < 0 ? -1 : status;
}

void vxe_worker_bury(vxe_worker *worker, char *text, size_t size)
{
    wait_until(worker->pid, vxe_worker_clock() + PATIENCE);
    const bool ended = has_ended(worker->pid);
    const int status = finish(worker);
    if (!ended) {
        snprintf(text, size, "closed its output");
    } else if (status != -1 && WIFSIGNALED(status)) {
        snprintf(text, size, "was ended by signal %d", WTERMSIG(status));
    } else if (status != -1 && WIFEXITED(status)) {
        snprintf(text, size, "ended with status %d", WEXITSTATUS(status));
    } else {
        snprintf(text, size, "ended");
    }
}

void vxe_worker_kill(vxe_worker *worker)
{
    if (worker->pid) {
        (void)finish(worker);
    }
}

void vxe_workers_end(vxe_worker *workers, uint32_t count)
{
    const double end = vxe_worker_clock() + PATIENCE;
    for (uint32_t i = 0; i < count; i++) {
        if (workers[i].pid && workers[i].input >= 0) {
            close(workers[i].input);
            workers[i].input = -1;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (workers[i].pid && !workers[i].line) {
            wait_until(workers[i].pid, end);
        }
        vxe_worker_kill(&workers[i]);
    }
}
