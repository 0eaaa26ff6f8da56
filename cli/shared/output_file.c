/* SPDX-License-Identifier: MIT */
/* Whether output files can be written; CSV and JSON text. */
#define _POSIX_C_SOURCE 200809L
#include "cli/shared/output_file.h"

#include <string.h>
#include <sys/stat.h>

#include "common/file.h"

bool output_possible(const char *path, vxe_error *error)
{
    struct stat facts;
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) {
        return true; /* opening a pipe would wait for its reader */
    }
    vxe_file_writer file;
    if (vxe_file_begin(&file, path, error)) {
        return false;
    }
    vxe_file_abandon(&file);
    return true;
}

/* Whether a spreadsheet takes a text for a formula, which it would then compute. */
static bool is_formula(const char *text)
{
    const char first = text[strspn(text, " ")];
    return first != '\0' && strchr("=+-@\t\r", first);
}

/* Writes a text behind a mark that stands for nothing but that it is one. */
static void put_text(FILE *stream, const char *mark, const char *text)
{
    mark = is_formula(text) ? mark : "";
    /* quotes keep blanks, and tell programs which heed them that a number is a name */
    if (!strpbrk(text, ",\"\r\n") && !strspn(text, " 0123456789")) {
        fprintf(stream, "%s%s", mark, text);
        return;
    }
    fprintf(stream, "\"%s", mark);
    for (; *text; text++) {
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, stream);
    }
    putc('"', stream);
}

void csv_text(FILE *stream, const char *text)
{
    put_text(stream, "'", text);
}

void csv_path(FILE *stream, const char *path)
{
    put_text(stream, "./", path);
}

bool text_end(FILE *stream, char **text)
{
    const bool written = !ferror(stream);
    return fclose(stream) == 0 && written && *text;
}

json_t *json_text(const char *text)
{
    json_t *string = json_string(text);
    return string ? string : json_string("(not UTF-8)");
}
