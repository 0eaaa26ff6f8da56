/* SPDX-License-Identifier: MIT */
/* Output files: written under a temporary name, renamed when they are complete. */
#define _POSIX_C_SOURCE 200809L
#include "cli/shared/output_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Fills error from errno. Returns false. */
static bool cannot_write(const char *path, vxe_error *error)
{
    *error = (vxe_error){.status = VXE_ERROR_SYSTEM};
    snprintf(error->message, sizeof error->message, "cannot write: %s", strerror(errno));
    snprintf(error->file, sizeof error->file, "%s", path);
    return false;
}

static bool is_in_place(const output_file *file)
{
    return strcmp(file->temporary, file->path) == 0;
}

bool output_possible(const char *path, vxe_error *error)
{
    struct stat facts;
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) {
        return true; /* opening a pipe would wait for its reader */
    }
    output_file file;
    if (!output_begin(&file, path, error)) {
        return false;
    }
    output_abandon(&file);
    return true;
}

bool output_begin(output_file *file, const char *path, vxe_error *error)
{
    struct stat facts;
    const bool in_place = stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
    const int length =
        snprintf(file->temporary, sizeof file->temporary, "%s%s", path, in_place ? "" : ".partial");
    file->path = path;
    file->stream = NULL;
    if (length < 0 || (size_t)length >= sizeof file->temporary) {
        errno = ENAMETOOLONG;
        return cannot_write(path, error);
    }
    file->stream = fopen(file->temporary, "wb");
    return file->stream ? true : cannot_write(path, error);
}

bool output_commit(output_file *file, vxe_error *error)
{
    int failed = fflush(file->stream) || ferror(file->stream);
    failed = fclose(file->stream) || failed;
    file->stream = NULL;
    if (failed || (!is_in_place(file) && rename(file->temporary, file->path))) {
        cannot_write(file->path, error);
        if (!is_in_place(file)) {
            remove(file->temporary);
        }
        return false;
    }
    return true;
}

void output_abandon(output_file *file)
{
    fclose(file->stream);
    file->stream = NULL;
    if (!is_in_place(file)) {
        remove(file->temporary);
    }
}

void csv_text(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    putc('"', stream);
    for (; *text; text++) {
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, stream);
    }
    putc('"', stream);
}

json_t *json_text(const char *text)
{
    json_t *string = json_string(text);
    return string ? string : json_string("(not UTF-8)");
}
