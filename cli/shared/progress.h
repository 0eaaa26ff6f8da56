/* SPDX-License-Identifier: MIT */
/* How far a long command is, on standard error. A terminal has one line, drawn anew ten times a
   second and never wider than the terminal. Anything else, such as the log of a cluster's job, gets
   a line now and then. */
#ifndef VXE_CLI_SHARED_PROGRESS_H
#define VXE_CLI_SHARED_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Samples of the work that is done, from which its present rate follows. */
enum { PROGRESS_SAMPLES = 32, PROGRESS_TEXT = 48, PROGRESS_PARTS = 6 };

typedef struct progress {
    bool shown;                                            /* on a terminal */
    bool logged;                                           /* line by line */
    double started;                                        /* s */
    double drawn;                                          /* s: time of the last drawing */
    size_t width;                                          /* characters of the last drawing */
    double time[PROGRESS_SAMPLES], work[PROGRESS_SAMPLES]; /* s; a ring */
    unsigned samples;                                      /* taken so far */
} progress;

/* What a line says, most important part first; parts that do not fit are left out. */
typedef struct progress_line {
    char part[PROGRESS_PARTS][PROGRESS_TEXT];
    int parts;
} progress_line;

/* Seconds on a monotonic clock. */
double clock_seconds(void);

/* Writes a time as "3 h 25 min", "4 min 10 s" or "40 s". */
char *time_text(char *text, size_t size, double seconds);

void progress_begin(progress *bar, bool quiet);

/* Whether it is time for a drawing: ten times a second on a terminal, else once a minute. */
bool progress_due(const progress *bar);

/* Work per second of late, over some ten seconds; work: what is done so far. Call it at each
   drawing, for one kind of work. */
double progress_rate(progress *bar, double work);

/* Adds a part to a line. */
void progress_say(progress_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds what is left of the time, if done is a part from 0 to 1 of the work since the start. */
void progress_say_left(progress_line *line, const progress *bar, double done);

/* Draws a line: a bar, where done is a part from 0 to 1 and there is room for it, then the parts.
 */
void progress_draw(progress *bar, double done, const progress_line *line);

/* The same for a command that updates bonds: draws, if it is time, how much is done, what is left
   and the rate of updates. */
void progress_draw_updates(progress *bar, double done, double updates);

/* Erases the line of a terminal. */
void progress_end(progress *bar);

#endif
