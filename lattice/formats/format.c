/* SPDX-License-Identifier: MIT */
#include "lattice/formats/format.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/scene_internal.h"
#include "lattice/formats/vxc_internal.h"

#define LARGEST_FILE (512ull << 20)

typedef vxe_design *reader(const char *file, const char *text, uint64_t size, vxe_error *error);

/* Whether path ends in suffix, in any case of letters. */
static bool ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path);
    const size_t tail = strlen(suffix);
    for (size_t i = 0; i < tail; i++) {
        if (length < tail || tolower((unsigned char)path[length - tail + i]) != suffix[i]) {
            return false;
        }
    }
    return true;
}

/* Name of the design where the file gives none: the file's, without folders and suffix. */
static void name_after(vxe_design *design, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const int length = (int)(dot ? (size_t)(dot - name) : strlen(name));
    snprintf(design->name, sizeof design->name, "%.*s", length, name);
}

/* The reader for a file's name, or null. */
static reader *reader_of(const char *path)
{
    static const struct {
        const char *suffix;
        reader *read;
    } formats[] = {{".vxa", vxe_vxa_read}, {".vxc", vxe_vxa_read}, {".json", vxe_scene_read}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (ends_in(path, formats[i].suffix)) {
            return formats[i].read;
        }
    }
    return NULL;
}

bool vxe_design_is_readable(const char *path)
{
    return reader_of(path) != NULL;
}

vxe_design *vxe_design_read(const char *path, vxe_error *error)
{
    vxe_error unwanted; /* readers add places to errors, so they need one to write in */
    error = error ? error : &unwanted;
    reader *read = reader_of(path);
    char *text = NULL;
    uint64_t size = 0;
    if (vxe_file_read(path, LARGEST_FILE, &text, &size, error)) {
        return NULL;
    }
    vxe_design *design = NULL;
    if (!read) {
        vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0,
                     "unknown kind of file; .vxa, .vxc and .json are read");
    } else {
        design = read(path, text, size, error);
    }
    vxe_memory_release(text);
    if (design && !design->name[0]) {
        name_after(design, path);
    }
    return design;
}

vxe_status vxe_design_write(const vxe_design *design, const char *path, vxe_error *error)
{
    if (!ends_in(path, ".json")) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "%s: designs are written as scenes; the name must end in .json",
                              path);
    }
    vxe_status status = vxe_design_check(design, error);
    return status ? status : vxe_scene_write(design, path, error);
}
