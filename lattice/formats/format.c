/* SPDX-License-Identifier: MIT */
/* Chooses the reader or writer of a design file by the ending of its name, loads the file, and
   checks a design before it is written. */
#include "lattice/formats/format.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/others/npy_internal.h"
#include "lattice/formats/others/vox_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"
#include "lattice/topology_internal.h"

typedef vxe_design *reader(const vxe_text *source, vxe_error *error);

/* Whether path ends with suffix, in upper or lower case; suffix is in lower case. */
static bool ends_in(const char *path, const char *suffix)
{
    VXE_ASSERT(path && suffix);
    const size_t length = strlen(path);
    const size_t tail = strlen(suffix);
    for (size_t i = 0; i < tail; i++) {
        if (length < tail || tolower((unsigned char)path[length - tail + i]) != suffix[i]) {
            return false;
        }
    }
    return true;
}

/* Names a design after its file, without folders and ending. */
static void name_after(vxe_design *design, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const int length = (int)(dot ? (size_t)(dot - name) : strlen(name));
    snprintf(design->name, sizeof design->name, "%.*s", length, name);
}

/* The reader for a file of that name, or null. */
static reader *reader_of(const char *path)
{
    static const struct {
        const char *suffix;
        reader *read;
    } formats[] = {{".vxa", vxe_vxa_read}, {".vxc", vxe_vxa_read}, {".json", vxe_json_read},
                   {".vox", vxe_vox_read}, {".npy", vxe_npy_read}, {".npz", vxe_npz_read}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (ends_in(path, formats[i].suffix)) {
            return formats[i].read;
        }
    }
    return NULL;
}

/* Whether a file is an overlay, which replaces parts of another one. */
static bool is_overlay(const char *path)
{
    return ends_in(path, ".vxd");
}

bool vxe_design_is_readable(const char *path)
{
    return is_overlay(path) || reader_of(path) != NULL;
}

/* Reads a file into memory, which the caller releases with release_text. */
static vxe_status take_text(const char *path, bool lenient, vxe_text *taken, vxe_error *error)
{
    char *text = NULL;
    *taken = (vxe_text){.file = path, .lenient = lenient};
    const vxe_status status =
        vxe_file_read(path, vxe_limit_for(VXE_LIMIT_DESIGN_BYTES, 0), &text, &taken->size, error);
    taken->text = text;
    return status;
}

static void release_text(vxe_text *taken)
{
    vxe_memory_release((char *)(uintptr_t)taken->text);
}

/* The design that was read, unless an allocation has failed since vxe_memory_failures returned
   `failures`: it may then lack what a reader passes over, such as a note, or have been refused for
   what could not be stored. */
static vxe_design *take_whole(vxe_design *design, uint64_t failures, vxe_error *error)
{
    if (vxe_memory_check(failures, error)) {
        vxe_design_destroy(design);
        return NULL;
    }
    return design;
}

/* Reads an overlay and its base. */
static vxe_design *read_over(const char *base, const char *path, bool lenient, vxe_error *error)
{
    vxe_text below;
    vxe_text above;
    vxe_design *design = NULL;
    if (take_text(path, lenient, &above, error)) {
        return NULL;
    }
    if (!take_text(base, lenient, &below, error)) {
        design = vxe_vxd_read(&below, &above, error);
        release_text(&below);
    }
    release_text(&above);
    if (design && !design->name[0]) {
        name_after(design, path);
    }
    return design;
}

/* Reads an overlay over base.vxa in its folder. */
static vxe_design *read_overlay(const char *path, bool lenient, vxe_error *error)
{
    char base[1024];
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    const int length = snprintf(base, sizeof base, "%.*sbase.vxa", folder, path);
    if (length < 0 || (size_t)length >= sizeof base) {
        vxe_error_fill(error, VXE_ERROR_ARGUMENT, "%.60s...: the path is too long", path);
        return NULL;
    }
    return read_over(base, path, lenient, error);
}

vxe_design *vxe_design_read_over(const char *base, const char *path, bool lenient, vxe_error *error)
{
    vxe_error unwanted; /* readers extend errors by places, so they need one */
    const uint64_t failures = vxe_memory_failures();
    vxe_design *design = read_over(base, path, lenient, error ? error : &unwanted);
    return take_whole(design, failures, error);
}

/* Reads a design by the kind of its name, and names it after that where it has no name. */
static vxe_design *read_source(const vxe_text *source, vxe_error *error)
{
    reader *read = reader_of(source->file);
    vxe_design *design = NULL;
    if (!read) {
        vxe_error_at(
            error, VXE_ERROR_INPUT, source->file, 0, 0,
            "unknown kind of file; .vxa, .vxc, .vxd, .json, .vox, .npy and .npz can be read");
    } else {
        design = read(source, error);
    }
    if (design && !design->name[0]) {
        name_after(design, source->file);
    }
    return design;
}

static vxe_design *read_one(const char *path, bool lenient, vxe_error *error)
{
    vxe_text source;
    if (is_overlay(path)) {
        return read_overlay(path, lenient, error);
    }
    if (take_text(path, lenient, &source, error)) {
        return NULL;
    }
    vxe_design *design = read_source(&source, error);
    release_text(&source);
    return design;
}

static vxe_design *read_any(const char *path, bool lenient, vxe_error *error)
{
    vxe_error unwanted;
    const uint64_t failures = vxe_memory_failures();
    vxe_design *design = read_one(path, lenient, error ? error : &unwanted);
    return take_whole(design, failures, error);
}

vxe_design *vxe_design_read(const char *path, vxe_error *error)
{
    return read_any(path, false, error);
}

/* Whether a text is XML, where it may be JSON as well: it begins with a tag. */
static bool is_xml(const char *text, uint64_t size)
{
    uint64_t at = 0;
    while (at < size && isspace((unsigned char)text[at])) {
        at++;
    }
    return at < size && text[at] == '<';
}

vxe_design *vxe_design_read_text(const char *text, uint64_t size, const char *name,
                                 vxe_error *error)
{
    vxe_error unwanted;
    const vxe_text source = {.file = name, .text = text, .size = size};
    const uint64_t failures = vxe_memory_failures();
    reader *read = is_xml(text, size) ? vxe_vxa_read : vxe_json_read;
    vxe_design *design = read(&source, error ? error : &unwanted);
    return take_whole(design, failures, error);
}

vxe_design *vxe_design_read_bytes(const void *bytes, uint64_t size, const char *name,
                                  vxe_error *error)
{
    vxe_error unwanted;
    error = error ? error : &unwanted;
    const uint64_t failures = vxe_memory_failures();
    const uint64_t most = vxe_limit_for(VXE_LIMIT_DESIGN_BYTES, 0);
    if (size > most) {
        vxe_error_at(error, VXE_ERROR_INPUT, name, 0, 0,
                     "is %" PRIu64 " bytes long; at most %" PRIu64 " are read", size, most);
        return NULL;
    }
    if (is_overlay(name)) {
        vxe_error_at(error, VXE_ERROR_UNSUPPORTED, name, 0, 0,
                     "a .vxd is read from a file, beside its base.vxa");
        return NULL;
    }
    char *text = vxe_memory_take(size + 1, 1); /* readers need a zero byte at the end */
    if (!text) {
        vxe_error_memory(error, size + 1);
        return NULL;
    }
    if (size > 0) {
        memcpy(text, bytes, size);
    }
    const vxe_text source = {.file = name, .text = text, .size = size};
    vxe_design *design = read_source(&source, error);
    vxe_memory_release(text);
    return take_whole(design, failures, error);
}

vxe_design *vxe_design_read_leniently(const char *path, vxe_error *error)
{
    return read_any(path, true, error);
}

vxe_status vxe_design_read_materials(vxe_design *design, const char *path, vxe_error *error)
{
    vxe_text source;
    vxe_error unwanted;
    error = error ? error : &unwanted;
    const uint64_t failures = vxe_memory_failures();
    vxe_status status = take_text(path, false, &source, error);
    if (!status) {
        status = vxe_materials_read(design, &source, error);
        release_text(&source);
    }
    return vxe_memory_check(failures, error) ? VXE_ERROR_MEMORY : status;
}

typedef vxe_status writer(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                          vxe_error *error);

/* Checks a design before it is written, so that it can be read again: its numbers are in their
   ranges, and no two voxels share a cell. */
static vxe_status check_before_writing(const vxe_design *design, vxe_topology *scan,
                                       vxe_error *error)
{
    const vxe_status status = vxe_design_check(design, error);
    return status || design->voxel_count == 0 ? status : vxe_topology_init(scan, design, error);
}

/* Writes a design after checking it. Errors name the file where its format is the reason. */
static vxe_status write_checked(const vxe_design *design, writer *write, const char *name,
                                vxe_sink *sink, vxe_error *error)
{
    vxe_topology scan = {0};
    vxe_status status = check_before_writing(design, &scan, error);
    if (!status && design->voxel_count == 0 && write != vxe_scene_write) {
        return vxe_error_at(error, VXE_ERROR_INPUT, name, 0, 0,
                            "no voxels, and scenes (.json) alone hold affine bodies");
    }
    if (!status && (status = write(design, &scan, sink, error))) {
        vxe_error_name_file(error, name);
    }
    vxe_topology_clear(&scan);
    return status;
}

char *vxe_design_text(const vxe_design *design, uint64_t *size, vxe_error *error)
{
    vxe_topology scan = {0};
    char *text = NULL;
    if (!check_before_writing(design, &scan, error)) {
        const uint64_t failures = vxe_json_watch();
        text = vxe_json_text(vxe_scene_object(design), failures, size, error);
    }
    vxe_topology_clear(&scan);
    return text;
}

/* The writer for a file of that name, or null and an error. */
static writer *writer_of(const char *name, vxe_error *error)
{
    static const struct {
        const char *suffix;
        writer *write;
    } formats[] = {{".vxl.json", vxe_vxl_write}, {".evogym.json", vxe_evogym_write},
                   {".json", vxe_scene_write},   {".vxa", vxe_vxa_write},
                   {".vxc", vxe_vxc_write},      {".vox", vxe_vox_write}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (ends_in(name, formats[i].suffix)) {
            return formats[i].write;
        }
    }
    vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                   "%s: designs are written as .json (scenes), .vxa, .vxc, .vxl.json, "
                   ".evogym.json and .vox",
                   name);
    return NULL;
}

vxe_status vxe_design_write(const vxe_design *design, const char *path, vxe_error *error)
{
    vxe_sink sink = {.path = path};
    writer *write = writer_of(path, error);
    return write ? write_checked(design, write, path, &sink, error) : VXE_ERROR_ARGUMENT;
}

vxe_status vxe_design_write_bytes(const vxe_design *design, const char *name, char **bytes,
                                  uint64_t *size, vxe_error *error)
{
    vxe_sink sink = {.path = NULL};
    writer *write = writer_of(name, error);
    vxe_status status =
        write ? write_checked(design, write, name, &sink, error) : VXE_ERROR_ARGUMENT;
    *bytes = status ? NULL : vxe_memory_take(sink.size + 1, 1);
    if (*bytes) {
        memcpy(*bytes, sink.bytes, sink.size);
        *size = sink.size;
    } else if (!status) {
        status = vxe_error_memory(error, sink.size + 1);
    }
    free(sink.bytes);
    return status;
}
