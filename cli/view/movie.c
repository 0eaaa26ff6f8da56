/* SPDX-License-Identifier: MIT */
/* Draws frame after frame into a pipe to ffmpeg. */
#define _GNU_SOURCE /* for pipe2 */
#include "cli/view/movie.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/shared/design_list.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/progress.h"

/* Frames per second that players show, at most. */
#define MAX_RATE 240.0
/* ns between looks whether it has ended. */
#define NAP 10000000
/* Status of a process whose program could not be run. */
#define NO_PROGRAM 127

/* What has become of a record's frames. */
typedef struct movie {
    const movie_def *def;
    frame_source *input;
    vxe_picture_bounds *own;  /* (input->count) of each frame; those of damaged ones have none */
    vxe_picture_bounds whole; /* of all frames */
    double radius;            /* m: of the box around the body, the largest */
    double begin, end;        /* s: of the first and the last frame */
    pid_t program;
    int pipe; /* to the program */
} movie;

extern char **environ;

bool movie_is_one(const char *path)
{
    return path_has_suffix(path, ".mp4") || path_has_suffix(path, ".webm") ||
           path_has_suffix(path, ".gif");
}

static vxe_status fail(vxe_error *error, vxe_status status, const char *path, const char *text)
{
    *error = (vxe_error){.status = status};
    snprintf(error->file, sizeof error->file, "%.500s", path);
    snprintf(error->message, sizeof error->message, "%s", text);
    return status;
}

/* Adds what is seen of one frame to what is seen of all. */
static void join(vxe_picture_bounds *whole, const vxe_picture_bounds *own)
{
    for (int c = 0; c < 3; c++) {
        whole->low[c] = whole->frames > 0 ? fmin(whole->low[c], own->low[c]) : own->low[c];
        whole->high[c] = whole->frames > 0 ? fmax(whole->high[c], own->high[c]) : own->high[c];
    }
    whole->strain = fmax(whole->strain, own->strain);
    whole->energy = fmax(whole->energy, own->energy);
    whole->contact = fmax(whole->contact, own->contact);
    whole->frames += own->frames;
}

/* Finds what the camera must see, and how long the motion lasts. */
static vxe_status look(movie *m, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint64_t i = 0; i < m->input->count && !status; i++) {
        status = interrupted_status(error);
        status = status ? status : frame_source_read(m->input, i, error);
        if (frame_source_skips(m->input, status, error)) {
            status = VXE_OK;
            continue;
        }
        const vxe_frame *frame = m->input->frame;
        status = status ? status : vxe_picture_look(m->input->design, frame, &m->own[i], error);
        m->begin = m->whole.frames == 0 ? frame->time : m->begin;
        m->end = frame->time;
        m->radius = fmax(m->radius, vxe_picture_radius(&m->own[i]));
        join(&m->whole, &m->own[i]);
    }
    return status;
}

/* Starts ffmpeg, which reads pixels and writes to path. */
static vxe_status start(movie *m, const char *path, const char *format, double rate,
                        vxe_error *error)
{
    char size[32];
    char per_second[32];
    int ends[2];
    snprintf(size, sizeof size, "%ux%u", m->def->picture.width, m->def->picture.height);
    snprintf(per_second, sizeof per_second, "%.6g", rate);
    const bool gif = strcmp(format, "gif") == 0; /* its 256 colours are chosen for all frames */
    const char *filter = gif ? "split[a][b];[a]palettegen[p];[b][p]paletteuse"
                             : "crop=trunc(iw/2)*2:trunc(ih/2)*2,format=yuv420p";
    const char *const words[] = {"ffmpeg",   "-loglevel", "error", "-y",   "-f",  "rawvideo",
                                 "-pix_fmt", "rgb24",     "-s",    size,   "-r",  per_second,
                                 "-i",       "pipe:0",    "-vf",   filter, "-an", "-f",
                                 format,     path,        NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t plain;
    if (pipe2(ends, O_CLOEXEC)) {
        return fail(error, VXE_ERROR_SYSTEM, path, "cannot make a pipe to ffmpeg");
    }
    sigemptyset(&plain);
    sigaddset(&plain, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_setsigdefault(&how, &plain);
    posix_spawnattr_setpgroup(&how, 0); /* Ctrl-C is ours */
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    const int failed =
        posix_spawnp(&m->program, "ffmpeg", &files, &how, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    close(ends[0]);
    m->pipe = ends[1];
    return !failed ? VXE_OK
                   : fail(error, VXE_ERROR_SYSTEM, "ffmpeg",
                          failed == ENOENT ? "not found: movies need it; .html needs nothing"
                                           : strerror(failed));
}

/* Writes all bytes. Returns false where the program reads no more. */
static bool write_all(int pipe, const uint8_t *bytes, size_t size)
{
    while (size > 0 && !interrupted()) {
        const ssize_t written = write(pipe, bytes, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Draws a frame into the pipe. */
static vxe_status draw_frame(const movie *m, uint64_t index, vxe_picture_def *picture,
                             uint8_t *pixels, vxe_error *error)
{
    vxe_status status = interrupted_status(error);
    status = status ? status : frame_source_read(m->input, index, error);
    if (m->def->follows) {
        vxe_picture_hold(&m->own[index], m->radius, picture);
    }
    status = status ? status
                    : vxe_picture_draw(m->input->design, m->input->frame, picture, pixels, error);
    return !status && !write_all(m->pipe, pixels, 3 * (size_t)picture->width * picture->height)
               ? fail(error, VXE_ERROR_SYSTEM, "ffmpeg", "ended before the movie")
               : status;
}

/* Draws all frames that are not damaged. */
static vxe_status draw(const movie *m, uint8_t *pixels, vxe_error *error)
{
    vxe_picture_def picture = m->def->picture;
    progress bar;
    vxe_status status = VXE_OK;
    vxe_picture_hold(&m->whole, vxe_picture_radius(&m->whole), &picture);
    progress_begin(&bar, false);
    for (uint64_t i = 0; i < m->input->count && !status; i++) {
        if (m->own[i].frames > 0) {
            status = draw_frame(m, i, &picture, pixels, error);
        }
        if (progress_due(&bar)) {
            progress_line line = {.parts = 0};
            progress_say(&line, "frame %llu of %llu", (unsigned long long)i,
                         (unsigned long long)m->input->count);
            progress_draw(&bar, (double)i / (double)m->input->count, &line);
        }
    }
    progress_end(&bar);
    return status;
}

/* Ends the program, by force where there is no use for the movie, be it that Ctrl-C comes while it
   ends. */
static vxe_status end(const movie *m, bool useless, vxe_error *error)
{
    const struct timespec nap = {.tv_nsec = NAP};
    int result = 0;
    close(m->pipe);
    for (pid_t ended = 0; ended == 0 || (ended < 0 && errno == EINTR);) {
        useless = useless || interrupted();
        if (useless) {
            kill(-m->program, SIGKILL); /* with whatever it runs */
        } else {
            nanosleep(&nap, NULL);
        }
        ended = waitpid(m->program, &result, useless ? 0 : WNOHANG);
    }
    return useless || (WIFEXITED(result) && WEXITSTATUS(result) == 0) ? VXE_OK
           : WIFEXITED(result) && WEXITSTATUS(result) == NO_PROGRAM
               ? fail(error, VXE_ERROR_SYSTEM, "ffmpeg", "cannot be run")
               : fail(error, VXE_ERROR_SYSTEM, "ffmpeg", "failed; what it says stands above");
}

/* Makes the movie under the name of a file in the making. */
static vxe_status make(movie *m, const char *path, const char *format, vxe_error *error)
{
    const double seconds = (m->end - m->begin) / m->def->speed;
    const double rate = (double)(m->whole.frames - 1) / seconds;
    const vxe_picture_def *picture = &m->def->picture;
    uint8_t *pixels = vxe_memory_take((uint64_t)picture->width * picture->height, 3);
    if (!pixels) {
        return command_no_memory(error);
    }
    vxe_status status = start(m, path, format, fmin(rate, MAX_RATE), error);
    if (!status) {
        vxe_error later;
        void (*before)(int) = signal(SIGPIPE, SIG_IGN);
        status = draw(m, pixels, error);
        signal(SIGPIPE, before);
        const vxe_status ended = end(m, status != VXE_OK || interrupted(), &later);
        if (!status && ended) {
            *error = later;
            status = ended;
        }
    }
    vxe_memory_release(pixels);
    return status ? status : interrupted_status(error);
}

/* Writes the movie, whose bounds have room. */
static vxe_status write_file(movie *m, const char *path, vxe_error *error)
{
    vxe_file_writer writer;
    vxe_status status = look(m, error);
    if (!status && (m->whole.frames < 2 || !(m->end > m->begin))) {
        return fail(error, VXE_ERROR_INPUT, m->input->path,
                    "no motion in it: a movie needs the record of a run (run --record FILE.vxr)");
    }
    status = status ? status : vxe_file_begin(&writer, path, error);
    if (status) {
        return status;
    }
    if (!writer.temporary[0]) {
        vxe_file_abandon(&writer);
        return fail(error, VXE_ERROR_ARGUMENT, path, "a movie can only be written to a file");
    }
    status = make(m, writer.temporary, strrchr(path, '.') + 1, error);
    if (status) {
        vxe_file_abandon(&writer);
        return status;
    }
    return vxe_file_commit(&writer, error);
}

vxe_status movie_write(const char *path, frame_source *input, const movie_def *def,
                       vxe_error *error)
{
    movie m = {.def = def, .input = input};
    m.own = vxe_memory_take(input->count, sizeof *m.own);
    const vxe_status status = m.own ? write_file(&m, path, error) : command_no_memory(error);
    vxe_memory_release(m.own);
    return status;
}
