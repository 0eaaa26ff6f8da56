/* SPDX-License-Identifier: MIT */
/* Streams to a terminal that write control characters as text. */
#define _GNU_SOURCE
#include "cli/shared/terminal.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

enum { ROW = 512, LONGEST_ESCAPE = 8 };

void terminal_write(const char *text, size_t length)
{
    size_t done = 0;
    fflush(stderr);
    while (done < length) {
        const ssize_t written = write(STDERR_FILENO, text + done, length - done);
        if (written <= 0) {
            return;
        }
        done += (size_t)written;
    }
}

/* Whether a byte is a control character: of ASCII but for tab and newline, or the second byte of
   one of U+0080 to U+009F in UTF-8. */
static bool controls(unsigned char before, unsigned char byte)
{
    return (byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7f ||
           (before == 0xc2 && byte >= 0x80 && byte < 0xa0);
}

/* Writes bytes to the descriptor that the cookie points to. */
static ssize_t write_guarded(void *cookie, const char *text, size_t size)
{
    const int descriptor = *(const int *)cookie;
    char row[ROW];
    size_t length = 0;
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (controls(i > 0 ? (unsigned char)text[i - 1] : 0, byte)) {
            length -= byte >= 0x80 && length > 0; /* its first byte belongs to it */
            length += (size_t)snprintf(row + length, LONGEST_ESCAPE, "\\x%02x", byte);
        } else {
            row[length++] = text[i];
        }
        if (length + LONGEST_ESCAPE >= ROW || i + 1 == size) {
            for (size_t done = 0; done < length;) {
                const ssize_t written = write(descriptor, row + done, length - done);
                if (written <= 0) {
                    return 0;
                }
                done += (size_t)written;
            }
            length = 0;
        }
    }
    return (ssize_t)size;
}

/* A stream in the place of another, where that one goes to a terminal. */
static FILE *guarded(FILE *stream, int *descriptor, int buffering)
{
    const cookie_io_functions_t functions = {.write = write_guarded};
    if (!isatty(*descriptor)) {
        return stream;
    }
    FILE *guard = fopencookie(descriptor, "w", functions);
    if (!guard) {
        return stream;
    }
    setvbuf(guard, NULL, buffering, BUFSIZ);
    return guard;
}

void terminal_guard(void)
{
    static int descriptors[2] = {STDOUT_FILENO, STDERR_FILENO};
    stdout = guarded(stdout, &descriptors[0], _IOLBF);
    stderr = guarded(stderr, &descriptors[1], _IOLBF);
}
