/* SPDX-License-Identifier: MIT */
/* pack OUT PAGE MODULE BOOT FOLDER...: makes one file of a page and its parts. Of PAGE, each
   <link rel="stylesheet" href="..."> becomes a style, and each <script src="..."></script> a part:
   what lies under that name in the first FOLDER that has it, deflated and in base 64. The module is
   a part, too; BOOT, as it is, goes behind them, and starts the parts in their order (boot.js). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MAX_PATH = 4096 };

typedef struct text {
    char *bytes;
    size_t size;
} text;

static void fail(const char *what, const char *about)
{
    fprintf(stderr, "pack: %s: %s\n", about, what);
    exit(1);
}

static void *take(size_t size)
{
    void *block = malloc(size ? size : 1);
    if (!block) {
        fail("out of memory", "here");
    }
    return block;
}

/* Reads a whole file, with a zero byte behind it. */
static text read_file(const char *path)
{
    FILE *stream = fopen(path, "rb");
    text file = {NULL, 0};
    if (!stream || fseek(stream, 0, SEEK_END)) {
        fail("cannot be read", path);
    }
    const long size = ftell(stream);
    rewind(stream);
    file.size = size > 0 ? (size_t)size : 0;
    file.bytes = take(file.size + 1);
    if (fread(file.bytes, 1, file.size, stream) != file.size) {
        fail("cannot be read", path);
    }
    file.bytes[file.size] = '\0';
    fclose(stream);
    return file;
}

/* Reads a file of a name from the first folder that has it. */
static text find_file(const char *name, char **folders)
{
    char path[MAX_PATH];
    for (; *folders; folders++) {
        snprintf(path, sizeof path, "%s/%s", *folders, name);
        FILE *stream = fopen(path, "rb");
        if (stream) {
            fclose(stream);
            return read_file(path);
        }
    }
    fail("is in none of the folders", name);
    return (text){NULL, 0};
}

static void put_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) |
                              (left > 2 ? bytes[i + 2] : 0);
        fputc(letters[word >> 18], out);
        fputc(letters[word >> 12 & 63], out);
        fputc(left > 1 ? letters[word >> 6 & 63] : '=', out);
        fputc(left > 2 ? letters[word & 63] : '=', out);
    }
}

/* Writes a part: an element with these attributes. */
static void put_part(FILE *out, const char *attributes, const text *file)
{
    uLongf size = compressBound((uLong)file->size);
    unsigned char *packed = take(size);
    if (compress2(packed, &size, (const Bytef *)file->bytes, (uLong)file->size, 9) != Z_OK) {
        fail("cannot be deflated", attributes);
    }
    fprintf(out, "<script type=\"text/plain\" %s>", attributes);
    put_base64(out, packed, size);
    fputs("</script>\n", out);
    free(packed);
}

/* The name in a line between `before` and a quotation mark; false where the line has none. */
static bool name_in(const char *line, const char *before, char name[256])
{
    const char *at = strstr(line, before);
    const size_t length = at ? strcspn(at + strlen(before), "\"") : 0;
    if (!at || length >= 256) {
        return false;
    }
    memcpy(name, at + strlen(before), length);
    name[length] = '\0';
    return true;
}

/* Writes a line of the page, or what it stands for. */
static void put_line(FILE *out, const char *line, char **folders)
{
    char name[256];
    char attributes[300];
    if (name_in(line, "<link rel=\"stylesheet\" href=\"", name)) {
        const text file = find_file(name, folders);
        fprintf(out, "<style>\n%s</style>\n", file.bytes);
        free(file.bytes);
    } else if (name_in(line, "<script src=\"", name)) {
        const text file = find_file(name, folders);
        const char *slash = strrchr(name, '/');
        snprintf(attributes, sizeof attributes, "class=\"part\" data-file=\"%s\"",
                 slash ? slash + 1 : name);
        put_part(out, attributes, &file);
        free(file.bytes);
    } else {
        fputs(line, out);
    }
}

int main(int count, char **words)
{
    if (count < 6) {
        fail("expected OUT PAGE MODULE BOOT FOLDER...", "usage");
    }
    const text page = read_file(words[2]);
    const text module = read_file(words[3]);
    const text boot = read_file(words[4]);
    FILE *out = fopen(words[1], "wb");
    if (!out) {
        fail("cannot be written", words[1]);
    }
    char *line = page.bytes;
    for (char *end = NULL; *line; line = end) {
        char copy[4096];
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if ((size_t)(end - line) >= sizeof copy) {
            fail("has a line of more than 4095 bytes", words[2]);
        }
        memcpy(copy, line, (size_t)(end - line));
        copy[end - line] = '\0';
        if (strncmp(copy, "</body>", 7) == 0) {
            put_part(out, "id=\"module\"", &module);
            fprintf(out, "<script>\n%s</script>\n", boot.bytes);
        }
        put_line(out, copy, words + 5);
    }
    free(page.bytes);
    free(module.bytes);
    free(boot.bytes);
    if (fclose(out)) {
        fail("cannot be written", words[1]);
    }
    return 0;
}
