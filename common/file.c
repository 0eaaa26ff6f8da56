/* SPDX-License-Identifier: MIT */
/* Reads whole files, and writes files under a temporary name that is renamed at the end: the rename
   is atomic, so that a reader never sees half of a file. */
#define _GNU_SOURCE
#include "common/file_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* VXE_ERROR_SYSTEM with the text of errno. */
static vxe_status system_error(vxe_error *error, const char *path, const char *what)
{
    VXE_ASSERT(path && what);
    return vxe_error_at(error, VXE_ERROR_SYSTEM, path, 0, 0, "%s: %s", what, strerror(errno));
}

vxe_status vxe_file_cannot_write(const char *path, vxe_error *error)
{
    return system_error(error, path, "cannot write");
}

bool vxe_file_has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path);
    const size_t tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

vxe_status vxe_file_read(const char *path, uint64_t limit, char **text, uint64_t *size,
                         vxe_error *error)
{
    VXE_ASSERT(path && text && size && limit < UINT64_MAX);
    /* O_NONBLOCK, because opening a pipe would wait for a writer */
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    struct stat facts;
    if (!stream || fstat(descriptor, &facts)) {
        vxe_status status = system_error(error, path, "cannot open");
        if (stream) {
            fclose(stream);
        }
        return status;
    }
    vxe_status status = VXE_OK;
    char *bytes = NULL;
    if (S_ISDIR(facts.st_mode)) {
        status = vxe_error_at(error, VXE_ERROR_SYSTEM, path, 0, 0, "is a directory, not a file");
    } else if (!S_ISREG(facts.st_mode)) {
        status = vxe_error_at(error, VXE_ERROR_SYSTEM, path, 0, 0, "is not a regular file");
    } else if ((uint64_t)facts.st_size > limit) {
        status = vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0,
                              "is %" PRIu64 " bytes long; at most %" PRIu64 " are read",
                              (uint64_t)facts.st_size, limit);
    } else {
        uint64_t length = (uint64_t)facts.st_size;
        bytes = vxe_memory_take(length + 1, 1);
        if (!bytes) {
            status = vxe_error_memory(error, length + 1);
        } else if (fread(bytes, 1, (size_t)length, stream) != length) {
            status = system_error(error, path, "cannot read");
        } else {
            *text = bytes;
            *size = length;
        }
    }
    fclose(stream);
    if (status) {
        vxe_memory_release(bytes);
    }
    return status;
}

vxe_status vxe_file_begin(vxe_file_writer *writer, const char *path, vxe_error *error)
{
    writer->stream = NULL;
    struct stat facts;
    if (strlen(path) >= sizeof writer->path) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a path of %zu characters is too long; at most %zu are possible",
                              strlen(path), sizeof writer->path - 1);
    }
    if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        return vxe_error_at(error, VXE_ERROR_SYSTEM, path, 0, 0, "cannot write: is a directory");
    }
    snprintf(writer->path, sizeof writer->path, "%s", path);
    /* A device such as /dev/stdout, or a pipe, is written in place: renaming would replace it. */
    int in_place = stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
    snprintf(writer->temporary, sizeof writer->temporary, "%s%s", path, in_place ? "" : ".partial");
    writer->stream = fopen(writer->temporary, "wb");
    if (!writer->stream) {
        return system_error(error, path, "cannot write");
    }
    return VXE_OK;
}

vxe_status vxe_file_commit(vxe_file_writer *writer, vxe_error *error)
{
    VXE_ASSERT(writer->stream);
    int failed = fflush(writer->stream) || ferror(writer->stream);
    failed = fclose(writer->stream) || failed;
    writer->stream = NULL;
    int in_place = strcmp(writer->path, writer->temporary) == 0;
    if (failed || (!in_place && rename(writer->temporary, writer->path))) {
        vxe_status status = system_error(error, writer->path, "cannot write");
        if (!in_place) {
            unlink(writer->temporary);
        }
        return status;
    }
    return VXE_OK;
}

vxe_status vxe_file_settle(const char *path, vxe_error *error)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    const int failed = descriptor < 0 || fsync(descriptor);
    const vxe_status status = failed ? system_error(error, path, "cannot write") : VXE_OK;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return status;
}

void vxe_file_abandon(vxe_file_writer *writer)
{
    if (writer->stream) {
        fclose(writer->stream);
        writer->stream = NULL;
        if (strcmp(writer->path, writer->temporary) != 0) {
            unlink(writer->temporary);
        }
    }
}
