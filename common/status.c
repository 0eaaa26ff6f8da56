/* SPDX-License-Identifier: MIT */
/* Fills and prints errors: a status, a message, and the place in a file if there is one. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"

const char *vxe_status_name(vxe_status status)
{
    switch (status) {
    case VXE_OK:
        return "ok";
    case VXE_ERROR_ARGUMENT:
        return "argument";
    case VXE_ERROR_INPUT:
        return "invalid";
    case VXE_ERROR_UNSUPPORTED:
        return "unsupported";
    case VXE_ERROR_DIVERGED:
        return "diverged";
    case VXE_ERROR_UNPHYSICAL:
        return "unphysical";
    case VXE_ERROR_SYSTEM:
        return "system";
    case VXE_ERROR_MEMORY:
        return "memory";
    }
    return "unknown";
}

char *vxe_error_text(const vxe_error *error, char *text, uint64_t size)
{
    char place[600] = "";
    _Static_assert(sizeof place > sizeof error->file + 2 * 10 + 4, "file:line:column: ");
    VXE_ASSERT(error && text && size > 0);
    if (error->file[0] && error->line) {
        snprintf(place, sizeof place, "%s:%" PRIu32 ":%" PRIu32 ": ", error->file, error->line,
                 error->column);
    } else if (error->file[0]) {
        snprintf(place, sizeof place, "%s: ", error->file);
    }
    snprintf(text, (size_t)size, "%s%s", place, error->message);
    return text;
}

void vxe_error_name_file(vxe_error *error, const char *file)
{
    VXE_ASSERT(file);
    if (error && !error->file[0] &&
        (error->status == VXE_ERROR_INPUT || error->status == VXE_ERROR_UNSUPPORTED)) {
        snprintf(error->file, sizeof error->file, "%s", file);
    }
}

/* Fills everything but the message; false if the caller wants no error. */
static int begin(vxe_error *error, vxe_status status, const char *file, uint32_t line,
                 uint32_t column)
{
    VXE_ASSERT(status != VXE_OK);
    if (!error) {
        return 0;
    }
    error->status = status;
    error->line = line;
    error->column = column;
    snprintf(error->file, sizeof error->file, "%s", file ? file : "");
    return 1;
}

vxe_status vxe_error_fill(vxe_error *error, vxe_status status, const char *format, ...)
{
    if (begin(error, status, NULL, 0, 0)) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

vxe_status vxe_error_at(vxe_error *error, vxe_status status, const char *file, uint32_t line,
                        uint32_t column, const char *format, ...)
{
    if (begin(error, status, file, line, column)) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}
