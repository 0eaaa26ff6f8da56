/* SPDX-License-Identifier: MIT */
/* The line that says how far a command is: see progress.h. */
#define _DEFAULT_SOURCE
#include "cli/shared/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/shared/terminal.h"

/* Cells of the bar, in a wide and in a narrow terminal. */
enum { WIDE_BAR = 30, NARROW_BAR = 10, MAX_LINE = 512 };
/* Columns of a terminal that does not tell. */
#define USUAL_COLUMNS 80
/* s between drawings on a terminal, between lines elsewhere, and between samples of the rate. */
#define REDRAW 0.1
#define LOG_EVERY 60.0
#define SAMPLE_EVERY 0.4
#define SECONDS_PER_MINUTE 60.0

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

char *time_text(char *text, size_t size, double seconds)
{
    const double minutes = floor(seconds / SECONDS_PER_MINUTE);
    if (minutes >= 60) {
        snprintf(text, size, "%.0f h %.0f min", floor(minutes / 60), fmod(minutes, 60));
    } else if (minutes >= 1) {
        snprintf(text, size, "%.0f min %.0f s", minutes,
                 floor(seconds - SECONDS_PER_MINUTE * minutes));
    } else {
        snprintf(text, size, "%.0f s", floor(seconds));
    }
    return text;
}

void progress_begin(progress *bar, bool quiet)
{
    const char *kind = getenv("TERM");
    const bool redraws = isatty(STDERR_FILENO) && !(kind && strcmp(kind, "dumb") == 0);
    *bar = (progress){.shown = !quiet && redraws, .logged = !quiet && !redraws};
    bar->started = bar->drawn = clock_seconds();
}

bool progress_due(const progress *bar)
{
    return (bar->shown || bar->logged) &&
           clock_seconds() - bar->drawn >= (bar->shown ? REDRAW : LOG_EVERY);
}

double progress_rate(progress *bar, double work)
{
    const double now = clock_seconds();
    const unsigned kept = bar->samples < PROGRESS_SAMPLES ? bar->samples : PROGRESS_SAMPLES;
    const unsigned oldest = (bar->samples - kept) % PROGRESS_SAMPLES;
    const unsigned newest = (bar->samples + PROGRESS_SAMPLES - 1) % PROGRESS_SAMPLES;
    const double since = kept > 0 ? bar->time[oldest] : bar->started;
    const double before = kept > 0 ? bar->work[oldest] : 0;
    if (kept == 0 || now - bar->time[newest] >= SAMPLE_EVERY) {
        bar->time[bar->samples % PROGRESS_SAMPLES] = now;
        bar->work[bar->samples % PROGRESS_SAMPLES] = work;
        bar->samples++;
    }
    return now > since ? (work - before) / (now - since) : 0;
}

void progress_say(progress_line *line, const char *format, ...)
{
    va_list values;
    if (line->parts < PROGRESS_PARTS) {
        va_start(values, format);
        vsnprintf(line->part[line->parts++], PROGRESS_TEXT, format, values);
        va_end(values);
    }
}

void progress_say_left(progress_line *line, const progress *bar, double done)
{
    char text[PROGRESS_TEXT / 2];
    if (done > 0 && done <= 1) {
        const double spent = clock_seconds() - bar->started;
        progress_say(line, "%s left", time_text(text, sizeof text, spent * (1 - done) / done));
    }
}

/* Columns of the terminal now. */
static size_t columns(void)
{
    struct winsize size;
    const char *given = getenv("COLUMNS");
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    const int told = given ? atoi(given) : 0;
    return told > 0 ? (size_t)told : USUAL_COLUMNS;
}

/* Length of the first so many parts, with two blanks between them. */
static size_t length_of(const progress_line *line, int parts)
{
    size_t length = 0;
    for (int i = 0; i < parts; i++) {
        length += strlen(line->part[i]) + (i > 0 ? 2 : 0);
    }
    return length;
}

/* Writes the bar and as many parts as fit into a width; a first part that is too long is cut. */
static void compose(char text[MAX_LINE], double done, const progress_line *line, size_t width)
{
    const size_t all = length_of(line, line->parts);
    const bool known = done >= 0 && done <= 1;
    const size_t cells = !known                          ? 0
                         : all + WIDE_BAR + 4 <= width   ? WIDE_BAR
                         : all + NARROW_BAR + 4 <= width ? NARROW_BAR
                                                         : 0;
    size_t at = 0;
    if (cells > 0) {
        text[at++] = '[';
        for (size_t i = 0; i < cells; i++) {
            text[at++] = (double)i < done * (double)cells ? '#' : '.';
        }
        text[at++] = ']';
        text[at++] = ' ';
        text[at++] = ' ';
    }
    text[at] = '\0';
    for (int i = 0; i < line->parts; i++) {
        const size_t needs = strlen(line->part[i]) + (i > 0 ? 2 : 0);
        if (i > 0 && at + needs > width) {
            continue; /* a later part may be shorter */
        }
        at += (size_t)snprintf(text + at, MAX_LINE - at, "%s%s", i > 0 ? "  " : "", line->part[i]);
    }
    text[at < width ? at : width] = '\0';
}

void progress_draw(progress *bar, double done, const progress_line *line)
{
    char text[MAX_LINE];
    bar->drawn = clock_seconds();
    if (bar->logged) {
        for (int i = 0; i < line->parts; i++) {
            fprintf(stderr, "%s%s", i > 0 ? ", " : "", line->part[i]);
        }
        fputs("\n", stderr);
        fflush(stderr);
    } else if (bar->shown) {
        const size_t wide = columns();
        const size_t room = wide - 1 < MAX_LINE - 1 ? wide - 1 : MAX_LINE - 1;
        compose(text, done, line, room); /* the last column would wrap */
        const size_t length = strlen(text);
        const size_t rest = bar->width > length ? bar->width - length : 0;
        char drawn[MAX_LINE + 1];
        const int blanks = (int)(length + rest > room ? room - length : rest);
        terminal_write(drawn, (size_t)snprintf(drawn, sizeof drawn, "\r%s%*s", text, blanks, ""));
        bar->width = length;
    }
}

void progress_draw_updates(progress *bar, double done, double updates)
{
    if (!progress_due(bar)) {
        return;
    }
    progress_line line = {.parts = 0};
    if (done >= 0 && done <= 1) {
        progress_say(&line, "%.0f %%", floor(100 * done));
    }
    progress_say_left(&line, bar, done);
    progress_say(&line, "%.1f M bond updates/s", 1e-6 * progress_rate(bar, updates));
    progress_draw(bar, done, &line);
}

void progress_end(progress *bar)
{
    if (bar->shown && bar->width > 0) {
        const size_t wide = columns();
        char blank[MAX_LINE + 2];
        const int blanks = (int)(bar->width < wide ? bar->width : wide - 1);
        terminal_write(blank, (size_t)snprintf(blank, sizeof blank, "\r%*s\r", blanks, ""));
        bar->width = 0;
    }
}
