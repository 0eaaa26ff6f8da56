/* SPDX-License-Identifier: MIT */
/* Actions: tables of factors on the edges of groups of voxels over time, as controllers and
   learned policies give them, which become schedules of a design. */
#include <math.h>
#include <string.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "lattice/formats/format.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/others/npy_internal.h"

/* Rows of a period of a wave. */
#define WAVE_ROWS 48u
/* Rows of a wave, at most. */
#define MAX_WAVE_ROWS 100000u
/* Name of the column of times. */
#define TIME "t"

/* A table while it is read. */
typedef struct table {
    const char *path;
    uint64_t bytes; /* of the file */
    uint32_t columns;
    uint32_t *group; /* (columns) of each column; VXE_NONE: times, s */
    uint8_t *named;  /* (groups) 1 where a column has the name of the group; null without names */
    bool timed;      /* some column has times */
    double *numbers; /* (rows, columns) */
    uint64_t rows, capacity;
    uint32_t groups; /* of the design: the largest number, and one; 1 without a layer */
} table;

static void clear_table(table *t)
{
    vxe_memory_release(t->group);
    vxe_memory_release(t->named);
    vxe_memory_release(t->numbers);
}

static vxe_status wrong(const table *t, uint32_t line, const char *at, const char *start,
                        vxe_error *error, const char *what)
{
    return vxe_error_at(error, VXE_ERROR_INPUT, t->path, line, at ? (uint32_t)(at - start) + 1 : 0,
                        "%s", what);
}

static uint32_t groups_of(const vxe_design *design)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "Group");
    double largest = 0;
    for (uint32_t v = 0; layer && v < design->voxel_count; v++) {
        largest = fmax(largest, layer->values[v]);
    }
    return (uint32_t)largest + 1;
}

/* Columns without names are the groups from 1 on; a design without groups has one, of all
   voxels. */
static vxe_status name_columns(table *t, uint64_t columns, vxe_error *error)
{
    const uint32_t wanted = t->groups > 1 ? t->groups - 1 : 1;
    if (columns != wanted) {
        return vxe_error_at(error, VXE_ERROR_INPUT, t->path, 0, 0,
                            "%llu columns for a design that has %u group%s to move: a first line "
                            "such as t,1,3 names columns",
                            (unsigned long long)columns, wanted, wanted == 1 ? "" : "s");
    }
    t->columns = wanted;
    t->group = vxe_memory_take(wanted, sizeof *t->group);
    if (!t->group) {
        return vxe_error_memory(error, wanted * sizeof *t->group);
    }
    for (uint32_t i = 0; i < wanted; i++) {
        t->group[i] = t->groups > 1 ? i + 1 : 0;
    }
    return VXE_OK;
}

/* Makes room for another row. */
static vxe_status grow(table *t, vxe_error *error)
{
    vxe_error inner;
    if (t->rows < t->capacity) {
        return VXE_OK;
    }
    const uint64_t capacity = t->capacity ? 2 * t->capacity : 64;
    if (vxe_limit_check(VXE_LIMIT_NUMBERS, t->rows * t->columns, t->bytes, &inner)) {
        return vxe_error_at(error, VXE_ERROR_INPUT, t->path, 0, 0, "%s", inner.message);
    }
    double *numbers =
        vxe_memory_grow(t->numbers, t->rows * t->columns, capacity * t->columns, sizeof *numbers);
    if (!numbers) {
        return vxe_error_memory(error, capacity * t->columns * sizeof *numbers);
    }
    t->numbers = numbers;
    t->capacity = capacity;
    return VXE_OK;
}

/* Behind the blanks of a line. */
static const char *behind_blanks(const char *at)
{
    return at + strspn(at, " \t\r");
}

/* Reads the names of columns: t, or the number of a group. */
static vxe_status read_names(table *t, const char *text, uint32_t line, vxe_error *error)
{
    const char *at = text;
    uint32_t columns = 1;
    for (const char *c = text; *c && *c != '\n'; c++) {
        columns += *c == ',';
    }
    t->columns = columns;
    t->group = vxe_memory_take(columns, sizeof *t->group);
    t->named = vxe_memory_take(t->groups, sizeof *t->named);
    if (!t->group || !t->named) {
        return vxe_error_memory(error, columns * sizeof *t->group + t->groups);
    }
    for (uint32_t i = 0; i < columns; i++) {
        at = behind_blanks(at);
        const char *end = at;
        const double number = *at == '\n' ? 0 : vxe_number_scan(at, &end);
        if (strncmp(at, TIME, strlen(TIME)) == 0 && !t->timed) {
            t->timed = true;
            t->group[i] = VXE_NONE;
            end = at + strlen(TIME);
        } else if (end == at || !(number >= 0 && number < t->groups && number == floor(number))) {
            return wrong(t, line, at, text, error,
                         "a column is called t, or by the number of a group of the design");
        } else {
            t->group[i] = (uint32_t)number;
        }
        if (t->group[i] != VXE_NONE && t->named[t->group[i]]++) {
            return wrong(t, line, at, text, error, "two columns have this name");
        }
        at = behind_blanks(end);
        if (*at != (i + 1 < columns ? ',' : '\n') && !(i + 1 == columns && *at == '\0')) {
            return wrong(t, line, at, text, error, "expected a comma between names of columns");
        }
        at++;
    }
    return columns > t->timed ? VXE_OK
                              : wrong(t, line, text, text, error, "no column is that of a group");
}

static vxe_status read_row(table *t, const char *text, uint32_t line, vxe_error *error)
{
    const char *at = text;
    vxe_status status = grow(t, error);
    for (uint32_t i = 0; i < t->columns && !status; i++) {
        at = behind_blanks(at);
        const char *end = at;
        const double number = *at == '\n' ? 0 : vxe_number_scan(at, &end); /* it skips lines */
        if (end == at) {
            return wrong(t, line, at, text, error, "expected a number");
        }
        t->numbers[t->rows * t->columns + i] = number;
        at = behind_blanks(end);
        const bool last = i + 1 == t->columns;
        if (last ? *at != '\n' && *at != '\0' : *at != ',') {
            return wrong(t, line, at, text, error,
                         last ? "more numbers than in the first row"
                              : "fewer numbers than in the first row, or no comma between them");
        }
        at++;
    }
    t->rows += !status;
    return status;
}

/* Whether a line gives names of columns. */
static bool has_names(const char *text)
{
    const char *at = behind_blanks(text);
    return strncmp(at, TIME, strlen(TIME)) == 0 ||
           (strcspn(at, "\n") > strcspn(at, TIME) && strchr("0123456789.+-", *at) != NULL);
}

static vxe_status read_lines(table *t, const char *text, vxe_error *error)
{
    uint32_t line = 1;
    vxe_status status = VXE_OK;
    for (const char *at = text; *at && !status; line++) {
        const char *start = behind_blanks(at);
        const char *end = at + strcspn(at, "\n");
        if (*start != '\n' && *start != '\0' && *start != '#') {
            const bool names = t->columns == 0 && has_names(at);
            if (names) {
                status = read_names(t, at, line, error);
            } else if (t->columns == 0) {
                uint64_t columns = 1;
                for (const char *c = at; c < end; c++) {
                    columns += *c == ',';
                }
                status = name_columns(t, columns, error);
            }
            status = status || names ? status : read_row(t, at, line, error);
        }
        at = *end ? end + 1 : end;
    }
    return status;
}

static vxe_status read_array(table *t, const char *bytes, vxe_error *error)
{
    vxe_npy array;
    vxe_error inner;
    const vxe_status parsed =
        vxe_npy_parse(&array, (const uint8_t *)bytes, t->bytes, "the file", &inner);
    if (parsed) {
        return vxe_error_at(error, parsed, t->path, 0, 0, "%s", inner.message);
    }
    vxe_status status = name_columns(t, array.columns, error);
    for (uint64_t row = 0; row < array.rows && !status; row++) {
        status = grow(t, error);
        for (uint32_t i = 0; i < t->columns && !status; i++) {
            t->numbers[row * t->columns + i] = vxe_npy_number(&array, row, i);
        }
        t->rows += !status;
    }
    return status;
}

/* Refuses factors out of range, and times that do not increase. */
static vxe_status check_numbers(const table *t, vxe_error *error)
{
    double before = -1;
    if (t->rows == 0) {
        return vxe_error_at(error, VXE_ERROR_INPUT, t->path, 0, 0, "no actions in this file");
    }
    for (uint64_t i = 0; i < t->rows * t->columns; i++) {
        const double number = t->numbers[i];
        const bool is_time = t->group[i % t->columns] == VXE_NONE;
        const unsigned long long row = i / t->columns + 1;
        if (is_time ? !(number > before) || !isfinite(number)
                    : !(number >= VXE_SMALLEST_SIZE && number <= VXE_LARGEST_SIZE)) {
            return vxe_error_at(error, VXE_ERROR_INPUT, t->path, 0, 0,
                                is_time ? "row %llu: time %g; times are 0 s or more, and increase"
                                        : "row %llu: action %g; actions are factors on edges, "
                                          "0.1 to 10",
                                row, number);
        }
        before = is_time ? number : before;
    }
    return VXE_OK;
}

/* Gives each column's group its schedule; *end (s) is when the last row is reached. */
static vxe_status give_schedules(const table *t, vxe_design *design, double interval, double *end,
                                 vxe_error *error)
{
    const uint64_t rows = t->rows + !t->timed; /* from 1 at the start */
    uint32_t clock = 0;
    double *given = vxe_memory_take(2 * rows, sizeof *given);
    if (!given || rows > UINT32_MAX) {
        vxe_memory_release(given);
        return vxe_error_memory(error, 2 * rows * sizeof *given);
    }
    while (t->timed && t->group[clock] != VXE_NONE) {
        clock++;
    }
    vxe_status status = VXE_OK;
    for (uint32_t column = 0; column < t->columns && !status; column++) {
        given[0] = 0;
        given[1] = 1;
        for (uint64_t row = 0; row < t->rows; row++) {
            double *point = given + 2 * (row + !t->timed);
            point[0] =
                t->timed ? t->numbers[row * t->columns + clock] : (double)(row + 1) * interval;
            point[1] = t->numbers[row * t->columns + column];
        }
        *end = given[2 * (rows - 1)];
        const vxe_group_schedule schedule = {t->group[column], given, (uint32_t)rows};
        status = t->group[column] == VXE_NONE ? VXE_OK
                                              : vxe_design_set_schedule(design, &schedule, error);
    }
    vxe_memory_release(given);
    return status;
}

vxe_status vxe_design_read_actions(vxe_design *design, const char *path, double interval,
                                   double *end, vxe_error *error)
{
    char *text = NULL;
    const vxe_status checked = vxe_design_check(design, error); /* groups are whole numbers then */
    if (checked) {
        return checked;
    }
    table t = {.path = path, .groups = groups_of(design)};
    if (!(interval > 0 && interval < 1e9)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "%g s between actions: it is above 0 and below 1e9", interval);
    }
    vxe_status status =
        vxe_file_read(path, vxe_limit_for(VXE_LIMIT_DESIGN_BYTES, 0), &text, &t.bytes, error);
    if (!status) {
        status = vxe_file_has_ending(path, ".npy") ? read_array(&t, text, error)
                                                   : read_lines(&t, text, error);
        status = status ? status : check_numbers(&t, error);
        status = status ? status : give_schedules(&t, design, interval, end, error);
    }
    vxe_memory_release(text);
    clear_table(&t);
    return status;
}

/* Marks the groups that have voxels; present: (groups), zero. */
static void mark_groups(const vxe_design *design, uint8_t *present)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "Group");
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        present[layer ? (uint32_t)layer->values[v] : 0] = 1;
    }
}

vxe_status vxe_design_swing(vxe_design *design, double period, double amplitude, double duration,
                            vxe_error *error)
{
    const vxe_status checked = vxe_design_check(design, error);
    if (checked) {
        return checked;
    }
    const uint32_t groups = groups_of(design);
    const uint32_t first = groups > 1 ? 1 : 0;
    const double rows = ceil(duration / period * WAVE_ROWS) + 1;
    if (!(period > 0 && amplitude > 0 && amplitude <= 0.9 && rows <= MAX_WAVE_ROWS)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a wave of %g s and amplitude %g over %g s: periods are above 0, at "
                              "most %u in a run, amplitudes at most 0.9",
                              period, amplitude, duration, MAX_WAVE_ROWS / WAVE_ROWS);
    }
    const uint32_t count = (uint32_t)rows;
    double *given = vxe_memory_take(2ull * count, sizeof *given);
    uint8_t *present = vxe_memory_take(groups, sizeof *present);
    vxe_status status = given && present ? VXE_OK : vxe_error_memory(error, 16ull * count + groups);
    if (!status) {
        mark_groups(design, present);
    }
    for (uint32_t group = first; group < groups && !status; group++) {
        if (!present[group]) {
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            double sine = 0;
            double cosine = 0;
            const double cycles = (double)i / WAVE_ROWS;
            const double phase = (double)(group - first) / (groups - first);
            vxe_sincos_cycles(cycles - phase, &sine, &cosine);
            given[2 * i] = cycles * period;
            /* grows from 1 within the first quarter, so that no edge jumps */
            given[2 * i + 1] = 1 + amplitude * sine * fmin(4 * cycles, 1);
        }
        const vxe_group_schedule schedule = {group, given, count};
        status = vxe_design_set_schedule(design, &schedule, error);
    }
    vxe_memory_release(present);
    vxe_memory_release(given);
    return status;
}
