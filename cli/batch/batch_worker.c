/* SPDX-License-Identifier: MIT */
/* The worker behind `voxelastic batch --stdin`. It collects lines that arrive close together,
   runs them as one batch and answers them in order. */
#define _DEFAULT_SOURCE
#include "cli/batch/batch_worker.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/batch/batch_rows.h"
#include "cli/command.h"
#include "cli/shared/interrupt.h"
#include "cli/shared/output_file.h"
#include "cli/shared/progress.h"

/* Largest number of lines that run together. */
#define MAX_LINES 4096u
#define CHUNK (1u << 16)
/* Bytes that are read before a batch starts, except that one line may be longer. */
#define MAX_TOGETHER (16u << 20)
/* A batch waits for further lines, since programs write more slowly than it reads: PATIENCE ms for
   each, MAX_PATIENCE s from the first line on. */
#define PATIENCE 2
#define MAX_PATIENCE 0.05
/* Bytes of "line 12345678901234567890", which names a design without a name. */
#define NAME_CAPACITY 32
/* ms between checks for Ctrl-C. */
#define NAP 200

/* Input that was read and not yet run. */
typedef struct inlet {
    char *bytes; /* (size) */
    size_t size, capacity;
    size_t lines;    /* complete lines in bytes */
    size_t open;     /* bytes of the line behind them that has not ended */
    size_t max_line; /* of a longer line only max_line + 1 bytes are kept, which tell that it is */
    bool ended;
} inlet;

/* Keeps what was read behind the present bytes, without the ends of lines that are too long. */
static void keep(inlet *in, size_t got)
{
    const char *from = in->bytes + in->size;
    for (size_t i = 0; i < got; i++) {
        const bool ends = from[i] == '\n';
        if (ends || in->open <= in->max_line) {
            in->bytes[in->size++] = from[i];
            in->open++;
        }
        in->lines += ends;
        in->open = ends ? 0 : in->open;
    }
}

/* Reads what is available, or waits for it. Returns false on failure. */
static bool read_more(inlet *in, vxe_error *error)
{
    if (in->capacity - in->size < CHUNK + 1) { /* with the end that the last line may lack */
        const size_t capacity = 2 * in->capacity + 2 * CHUNK;
        char *bytes = realloc(in->bytes, capacity);
        if (!bytes) {
            (void)command_no_memory(error);
            return false;
        }
        in->bytes = bytes;
        in->capacity = capacity;
    }
    const ssize_t got = read(STDIN_FILENO, in->bytes + in->size, CHUNK);
    if (got < 0) {
        *error = (vxe_error){.status = VXE_ERROR_SYSTEM, .file = "standard input"};
        snprintf(error->message, sizeof error->message, "cannot read: %s", strerror(errno));
        return errno == EINTR || errno == EAGAIN;
    }
    keep(in, (size_t)got);
    in->ended = got == 0;
    if (in->ended && in->open > 0) {
        in->bytes[in->size++] = '\n';
        in->lines++;
        in->open = 0;
    }
    return true;
}

/* True where input, or its end, is available within `patience` ms. */
static bool can_read(int patience)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, patience) > 0;
}

/* Waits for a line, and shortly for those that come with it. */
static bool gather(inlet *in, vxe_error *error)
{
    bool good = true;
    double since = clock_seconds(); /* arrival of the first line */
    while (good && !in->ended && !interrupted()) {
        if (in->lines == 0) {
            good = !can_read(NAP) || read_more(in, error);
            since = clock_seconds();
        } else if (in->lines < MAX_LINES && in->size < MAX_TOGETHER &&
                   clock_seconds() - since < MAX_PATIENCE && can_read(PATIENCE)) {
            good = read_more(in, error);
        } else {
            break;
        }
    }
    return good;
}

static bool watch(const vxe_batch_progress *so_far, void *user)
{
    (void)so_far;
    (void)user;
    return !interrupted();
}

/* Reads the design of a line, which is a file name in quotes or the design itself. */
static vxe_design *read_line(const char *line, size_t length, const char *place, vxe_error *error)
{
    json_t *name = NULL;
    const uint64_t failures = vxe_json_watch();
    if (line[strspn(line, " \t")] == '"') {
        name = json_loadb(line, length, JSON_DECODE_ANY, NULL);
    }
    if (vxe_memory_check(failures, error)) {
        json_decref(name);
        return NULL;
    }
    vxe_design *design = json_is_string(name) ? vxe_design_read(json_string_value(name), error)
                                              : vxe_design_read_text(line, length, place, error);
    json_decref(name);
    return design;
}

/* Adds the design of a line to the batch, or notes why that is impossible. Returns false without
   memory. `name` has NAME_CAPACITY bytes for a design without a name. */
static bool take_line(vxe_batch *batch, const char *line, size_t length, size_t max_line,
                      uint64_t number, batch_entry *entry, char *name)
{
    vxe_error error = {0};
    char text[VXE_ERROR_TEXT];
    char place[NAME_CAPACITY];
    snprintf(place, sizeof place, "line %" PRIu64, number);
    entry->robot = vxe_batch_count(batch);
    if (length > max_line) {
        error = (vxe_error){.status = VXE_ERROR_INPUT};
        snprintf(error.file, sizeof error.file, "%s", place);
        snprintf(error.message, sizeof error.message,
                 "is longer than %zu bytes; --max-line allows more", max_line);
    } else {
        entry->design = read_line(line, length, place, &error);
    }
    if (entry->design ? vxe_batch_add(batch, entry->design, &error) != VXE_OK
                      : error.status == VXE_ERROR_MEMORY) {
        return false;
    }
    if (entry->design && entry->design->name[0]) {
        entry->path = entry->design->name;
    } else {
        snprintf(name, NAME_CAPACITY, "%s", place);
        entry->path = name;
    }
    entry->refusal = entry->design ? NULL : strdup(vxe_error_text(&error, text, sizeof text));
    return entry->design || entry->refusal;
}

/* Runs the first `count` lines and writes their rows to out. *used: bytes of these lines. */
static bool answer(const inlet *in, const vxe_batch_def *def, uint32_t count, uint64_t first,
                   FILE *out, size_t *used, vxe_error *error)
{
    vxe_batch *batch = vxe_batch_create(def, error);
    batch_entry *entries = calloc(count, sizeof *entries);
    char(*names)[NAME_CAPACITY] = calloc(count, sizeof *names);
    bool good = batch && entries && names;
    *used = 0;
    for (uint32_t i = 0; i < count && good; i++) {
        const char *line = in->bytes + *used;
        const size_t length = (size_t)((char *)memchr(line, '\n', in->size - *used) - line);
        good = take_line(batch, line, length, in->max_line, first + i, &entries[i], names[i]);
        *used += length + 1;
    }
    if (batch && !good) {
        (void)command_no_memory(error);
    }
    good = good && !vxe_batch_run(batch, watch, NULL, error);
    const batch_table table = {.batch = batch, .entries = entries, .count = count};
    for (uint32_t i = 0; i < count && good; i++) {
        good = batch_row_write_json(&table, &entries[i], out);
        if (good) {
            putc('\n', out);
        } else {
            (void)command_no_memory(error);
        }
    }
    for (uint32_t i = 0; i < count && entries; i++) {
        vxe_design_destroy(entries[i].design);
        free(entries[i].refusal);
    }
    free(entries);
    free(names);
    vxe_batch_destroy(batch);
    return good;
}

int batch_serve(const vxe_batch_def *def, uint64_t max_line)
{
    inlet in = {.max_line = max_line};
    vxe_error error;
    FILE *out = interruptible_output(false, &error);
    uint64_t number = 1; /* number of the next line */
    bool good = out;
    while (good && !interrupted() && !(in.ended && in.lines == 0)) {
        size_t used = 0;
        good = gather(&in, &error);
        const uint32_t count = in.lines < MAX_LINES ? (uint32_t)in.lines : MAX_LINES;
        if (good && count > 0 && !interrupted()) {
            good = answer(&in, def, count, number, out, &used, &error);
            memmove(in.bytes, in.bytes + used, in.size - used);
            in.size -= used;
            in.lines -= count;
            number += count;
            if (good && fflush(out)) {
                good = false;
                error = (vxe_error){.status = VXE_ERROR_SYSTEM, .message = "cannot write rows"};
            }
        }
    }
    free(in.bytes);
    if (out) {
        fclose(out);
    }
    return interrupted() ? EXIT_INTERRUPTED : good ? EXIT_OK : command_fail(&error);
}
