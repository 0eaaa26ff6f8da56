/* SPDX-License-Identifier: MIT */
/* A worker process: lines go in, lines come out, by pipes that never block us. */
#ifndef VXE_EVOLUTION_EXTERNAL_WORKER_INTERNAL_H
#define VXE_EVOLUTION_EXTERNAL_WORKER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/status.h"

/* Longest line that a worker may answer, its end included. */
#define VXE_ANSWER_BYTES 1024u

typedef struct vxe_worker {
    pid_t pid;  /* 0: does not run */
    int input;  /* we write; -1: closed */
    int output; /* we read */
    char *line; /* (size) what is being written; null: it waits for work */
    size_t size, sent;
    char answer[VXE_ANSWER_BYTES + 1]; /* what was read of its answer, ended by a zero */
    size_t got;
    double started; /* s: when it was asked */
    uint32_t body;  /* that it was asked for */
} vxe_worker;

/* Starts a program in a folder: words ends with null. Its group of processes is its own, so that
   Ctrl-C of a terminal reaches us alone. */
vxe_status vxe_worker_start(vxe_worker *worker, char *const *words, const char *folder,
                            vxe_error *error);

/* Writes as much of the line as the pipe takes. */
void vxe_worker_write(vxe_worker *worker);

typedef enum vxe_worker_news {
    VXE_WORKER_SILENT, /* no whole line yet */
    VXE_WORKER_ANSWERED,
    VXE_WORKER_TOO_LONG, /* more than a line, or a longer one */
    VXE_WORKER_GONE      /* it has closed its output, as it does where it ends */
} vxe_worker_news;

/* Reads what is there. Once it has answered, its line is in `answer`, without its end. */
vxe_worker_news vxe_worker_read(vxe_worker *worker);

/* Ends a worker that is gone, and says how it ended: "ended with status 1". */
void vxe_worker_bury(vxe_worker *worker, char *text, size_t size);

/* Ends workers: those that wait for work are told by the end of their input, and have a moment;
   others, and what they have started, are killed. */
void vxe_workers_end(vxe_worker *workers, uint32_t count);

/* Kills one at once. */
void vxe_worker_kill(vxe_worker *worker);

/* s, of a clock that only goes forwards. */
double vxe_worker_clock(void);

#endif
