/* SPDX-License-Identifier: MIT */
/* Reads whole files; file_write.c writes them. */
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

vxe_status vxe_file_refused(const char *path, const char *what, vxe_error *error)
{
    VXE_ASSERT(path && what);
    return vxe_error_at(error, errno == ENOMEM ? VXE_ERROR_MEMORY : VXE_ERROR_SYSTEM, path, 0, 0,
                        "%s: %s", what, errno ? strerror(errno) : "an earlier write failed");
}

vxe_status vxe_file_cannot_write(const char *path, vxe_error *error)
{
    return vxe_file_refused(path, "cannot write", error);
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
        vxe_status status = vxe_file_refused(path, "cannot open", error);
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
            status = vxe_file_refused(path, "cannot read", error);
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

vxe_status vxe_file_settle(const char *path, vxe_error *error)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    const int failed = descriptor < 0 || fsync(descriptor);
    const vxe_status status = failed ? vxe_file_refused(path, "cannot write", error) : VXE_OK;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return status;
}
