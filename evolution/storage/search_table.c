/* SPDX-License-Identifier: MIT */
/* Reads the CSV tables of a search. */
#include "common/assert_internal.h"
#include "evolution/storage/search_table_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"

#define MAX_BYTES (16ull << 30)

vxe_status vxe_table_damaged(const vxe_table *t, const char *what, vxe_error *error)
{
    return vxe_error_at(error, VXE_ERROR_INPUT, t->path, t->line, 1, "%s", what);
}

/* Reads the first line: how many columns there are, and which hold words. */
static void read_names(vxe_table *t)
{
    static const char *const words[] = {"operator", "status", "body_hash"};
    for (t->at = t->text; *t->at && *t->at != '\n';) {
        const size_t length = strcspn(t->at, ",\n");
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            const bool named = strlen(words[i]) == length && strncmp(t->at, words[i], length) == 0;
            t->words |= named && t->columns <= VXE_TABLE_COLUMNS ? 1u << (t->columns - 1) : 0;
        }
        t->at += length;
        t->columns += *t->at == ',';
        t->at += *t->at == ',';
    }
    t->at += *t->at == '\n';
}

vxe_status vxe_table_open(vxe_table *t, const char *folder, const char *name, const char *head,
                          vxe_error *error)
{
    uint64_t size = 0;
    *t = (vxe_table){.line = 1, .columns = 1};
    const int length = snprintf(t->path, sizeof t->path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof t->path) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "%.60s...: the path is too long", folder);
    }
    const vxe_status status = vxe_file_read(t->path, MAX_BYTES, &t->text, &size, error);
    if (status) {
        return status;
    }
    if (strncmp(t->text, head, strlen(head)) != 0) {
        return vxe_table_damaged(t, "is not a table of a search", error);
    }
    read_names(t);
    return t->columns <= VXE_TABLE_COLUMNS ? VXE_OK
                                           : vxe_table_damaged(t, "too many columns", error);
}

vxe_status vxe_table_row(vxe_table *t, double *cells, bool *more, vxe_error *error)
{
    VXE_ASSERT(t->at && t->columns <= VXE_TABLE_COLUMNS);
    const char *end = strchr(t->at, '\n');
    uint32_t column = 0;
    *more = end;
    t->line++;
    for (const char *p = t->at; end && p <= end; column++) {
        const char *stop = p;
        const size_t length = strcspn(p, ",\n");
        const double number = vxe_number_scan(p, &stop);
        const bool whole = stop > p && stop + strspn(stop, " \t\r") == p + length;
        if (!whole && length > 0 && column < t->columns && !(t->words >> column & 1)) {
            return vxe_error_at(error, VXE_ERROR_INPUT, t->path, t->line, (uint32_t)(p - t->at) + 1,
                                "column %" PRIu32 " holds \"%.*s\": expected a number", column + 1,
                                length < 40 ? (int)length : 40, p);
        }
        if (column < t->columns) {
            cells[column] = whole ? number : (double)NAN;
        }
        p += length + 1;
    }
    t->at = end ? end + 1 : t->at;
    return !end || column == t->columns
               ? VXE_OK
               : vxe_table_damaged(t, "a row has too few or too many cells", error);
}

bool vxe_is_whole(double cell, double max)
{
    return cell >= 0 && cell <= max && cell == floor(cell);
}

void vxe_table_close(vxe_table *t)
{
    vxe_memory_release(t->text);
    t->text = NULL;
}
