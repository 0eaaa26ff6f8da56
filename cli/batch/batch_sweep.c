/* SPDX-License-Identifier: MIT */
/* Values of keys of a scene, in all combinations. */
#define _POSIX_C_SOURCE 200809L
#include "cli/batch/batch_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/batch/batch_rows.h"
#include "cli/command.h"

/* Adds a value, which the axis takes over; null without memory. Returns false then. */
static bool add_value(batch_axis *axis, char *value)
{
    char **values = value ? realloc(axis->values, (axis->count + 1) * sizeof *values) : NULL;
    axis->values = values ? values : axis->values;
    if (!values) {
        free(value);
        return false;
    }
    axis->values[axis->count++] = value;
    return true;
}

/* Reads A:B:N. Returns false where a text is no such range. */
static bool read_range(const char *text, double ends[2], double *count)
{
    char part[64];
    double *const into[3] = {&ends[0], &ends[1], count};
    for (int i = 0; i < 3; i++) {
        const size_t length = strcspn(text, ":");
        if (length == 0 || length >= sizeof part || (text[length] == ':') != (i < 2)) {
            return false;
        }
        memcpy(part, text, length);
        part[length] = '\0';
        if (vxe_number_read(part, into[i])) {
            return false;
        }
        text += length + 1;
    }
    return true;
}

/* Fills an axis with a range. Returns 0 or an exit status. */
static int fill_range(batch_axis *axis, const double ends[2], double count, const char *text)
{
    if (!(count >= 2 && count <= BATCH_SWEEP_ROWS) || count != floor(count) ||
        !(fabs(ends[0]) < 1e300) || !(fabs(ends[1]) < 1e300)) {
        return command_misused("batch",
                               "--sweep '%s': expected KEY=A:B:N, two numbers and how many values "
                               "from the one to the other: a whole number from 2 to %u",
                               text, BATCH_SWEEP_ROWS);
    }
    const uint32_t last = (uint32_t)count - 1;
    for (uint32_t i = 0; i <= last; i++) {
        char value[32];
        if (i == 0 || i == last) {
            vxe_number_shortest(value, sizeof value, i == 0 ? ends[0] : ends[1]);
        } else { /* so that 0.1 is no 0.10000000000000001 */
            const double part = (double)i / last;
            snprintf(value, sizeof value, "%.15g", ends[0] * (1 - part) + ends[1] * part);
        }
        if (!add_value(axis, strdup(value))) {
            return command_starved();
        }
    }
    return 0;
}

/* Length of the first value of a list: to a comma outside brackets and quotes, or to the end. */
static size_t length_of_value(const char *text)
{
    size_t length = 0;
    int within = 0;
    bool quoted = false;
    for (; text[length]; length++) {
        const char c = text[length];
        if (c == ',' && within <= 0 && !quoted) {
            break;
        }
        quoted = c == '"' ? !quoted : quoted;
        within += quoted ? 0 : (c == '[' || c == '{') - (c == ']' || c == '}');
    }
    return length;
}

/* Fills an axis with a list. */
static int fill_list(batch_axis *axis, const char *text)
{
    for (const char *value = text;; value++) {
        const size_t length = length_of_value(value);
        if (length == 0) {
            return command_misused("batch", "--sweep '%s=%s': a value is empty", axis->key, text);
        }
        if (!add_value(axis, strndup(value, length))) {
            return command_starved();
        }
        value += length;
        if (!value[0]) {
            return 0;
        }
    }
}

/* Whether two keys may mean the same value, or one a part of the other's; a name and a number of
   one item can not be told. */
static bool overlap(const char *one, const char *other)
{
    while (*one && *other) {
        const size_t length = strcspn(one, ".");
        const size_t with = strcspn(other, ".");
        const bool same = length == with && strncmp(one, other, length) == 0;
        const bool all = (length == 1 && *one == '*') || (with == 1 && *other == '*');
        if (!same && !all) {
            return false;
        }
        one += length + (one[length] == '.');
        other += with + (other[with] == '.');
    }
    return true;
}

/* Fails for a key whose column or value is that of another one. Returns 0 or an exit status. */
static int check_key(const batch_sweep *sweep, const char *key)
{
    if (batch_table_has_column(key)) {
        return command_misused("batch", "--sweep '%s': there is a column '%s' already; use --set",
                               key, key);
    }
    for (uint32_t i = 0; i + 1 < sweep->count; i++) {
        if (overlap(sweep->axes[i].key, key)) {
            return command_misused("batch", "--sweep '%s': it is swept already, by '%s'", key,
                                   sweep->axes[i].key);
        }
    }
    return 0;
}

/* Whether a text was meant as a range: two colons behind a number, and no list. */
static bool is_like_range(const char *text)
{
    double number = 0;
    char part[64];
    const size_t length = strcspn(text, ":");
    const char *second = text[length] ? strchr(text + length + 1, ':') : NULL;
    snprintf(part, sizeof part, "%.*s", (int)(length < 63 ? length : 63), text);
    return second && text[length_of_value(text)] == '\0' && !vxe_number_read(part, &number);
}

int batch_sweep_add(batch_sweep *sweep, const char *text)
{
    double ends[2] = {0};
    double count = 0;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        return command_misused("batch",
                               "--sweep '%s': expected KEY=A:B:N or KEY=VALUE,VALUE,..., with a "
                               "key of a scene",
                               text);
    }
    batch_axis *axes = realloc(sweep->axes, (sweep->count + 1) * sizeof *axes);
    sweep->axes = axes ? axes : sweep->axes;
    char *key = strndup(text, (size_t)(equals - text));
    if (!axes || !key) {
        free(key);
        return command_starved();
    }
    batch_axis *axis = &sweep->axes[sweep->count++];
    *axis = (batch_axis){.key = key};
    int status = check_key(sweep, key);
    if (status) {
        return status;
    }
    const bool range = read_range(equals + 1, ends, &count) || is_like_range(equals + 1);
    status = range ? fill_range(axis, ends, count, text) : fill_list(axis, equals + 1);
    if (!status && batch_sweep_combinations(sweep) > BATCH_SWEEP_ROWS) {
        return command_misused("batch", "--sweep '%s': more than %u combinations", text,
                               BATCH_SWEEP_ROWS);
    }
    return status;
}

void batch_sweep_clear(batch_sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->count; i++) {
        for (uint32_t k = 0; k < sweep->axes[i].count; k++) {
            free(sweep->axes[i].values[k]);
        }
        free(sweep->axes[i].values);
        free(sweep->axes[i].key);
    }
    free(sweep->axes);
    *sweep = (batch_sweep){0};
}

uint32_t batch_sweep_combinations(const batch_sweep *sweep)
{
    uint64_t combinations = 1;
    for (uint32_t i = 0; i < sweep->count; i++) {
        combinations *= sweep->axes[i].count;
        combinations = combinations > BATCH_SWEEP_ROWS ? BATCH_SWEEP_ROWS + 1ull : combinations;
    }
    return (uint32_t)combinations;
}

const char *batch_sweep_value(const batch_sweep *sweep, uint32_t axis, uint32_t combination)
{
    for (uint32_t i = sweep->count - 1; i > axis; i--) {
        combination /= sweep->axes[i].count;
    }
    return sweep->axes[axis].values[combination % sweep->axes[axis].count];
}
