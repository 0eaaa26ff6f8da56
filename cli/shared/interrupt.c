/* SPDX-License-Identifier: MIT */
/* A flag that SIGINT, SIGTERM and SIGHUP set, and output that looks at it. */
#define _GNU_SOURCE /* for fopencookie */
#include "cli/shared/interrupt.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "cli/command.h"

/* ms between looks at the flag while a write waits. */
#define NAP 100

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    (void)number;
    signalled = 1;
}

void interrupt_catch(void)
{
    const struct sigaction action = {.sa_handler = on_signal};
    struct sigaction hangup;
    sigaction(SIGINT, &action, NULL); /* shells ignore it for what they run in the background */
    sigaction(SIGTERM, &action, NULL);
    if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
}

bool interrupted(void)
{
    return signalled;
}

/* Writes all bytes, by pieces that a pipe takes whole once it takes any. cookie: the descriptor. */
static ssize_t write_waiting(void *cookie, const char *bytes, size_t size)
{
    const int descriptor = (int)(intptr_t)cookie;
    struct pollfd output = {.fd = descriptor, .events = POLLOUT};
    size_t done = 0;
    while (done < size) {
        const size_t piece = size - done < PIPE_BUF ? size - done : PIPE_BUF;
        if (poll(&output, 1, NAP) <= 0) {
            if (signalled) {
                return 0; /* an error */
            }
            continue;
        }
        const ssize_t written = write(descriptor, bytes + done, piece);
        if (written < 0 && errno != EINTR && errno != EAGAIN) {
            return 0;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return (ssize_t)size;
}

static int close_output(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

FILE *interruptible_output(bool alone, vxe_error *error)
{
    const cookie_io_functions_t functions = {.write = write_waiting, .close = close_output};
    const int descriptor = dup(STDOUT_FILENO);
    FILE *stream =
        descriptor >= 0 ? fopencookie((void *)(intptr_t)descriptor, "w", functions) : NULL;
    if (stream && (!alone || (!fflush(stdout) && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0))) {
        return stream;
    }
    if (errno == ENOMEM) {
        (void)command_no_memory(error);
    } else {
        *error = (vxe_error){.status = VXE_ERROR_SYSTEM, .message = "cannot write the output"};
    }
    if (stream) {
        fclose(stream);
    } else if (descriptor >= 0) {
        close(descriptor);
    }
    return NULL;
}

vxe_status interrupted_status(vxe_error *error)
{
    if (signalled) {
        *error = (vxe_error){.status = VXE_ERROR_SYSTEM, .message = "interrupted"};
    }
    return signalled ? VXE_ERROR_SYSTEM : VXE_OK;
}
