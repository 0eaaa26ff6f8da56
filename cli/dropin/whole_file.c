/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli/dropin/whole_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A name beside the folder of the result, or in it, where a list of the folder hides it. */
static bool name_beside(const char *path, bool above, char *name, size_t room)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    const char *base = slash ? slash + 1 : path;
    const int length = snprintf(name, room, "%.*s%s.%s.%ld", folder, path,
                                above && slash ? "../" : "", base, (long)getpid());
    return length > 0 && (size_t)length < room;
}

static bool cannot(const char *path, vxe_error *error)
{
    *error = (vxe_error){.status = VXE_ERROR_SYSTEM};
    snprintf(error->message, sizeof error->message, "cannot write: %s", strerror(errno));
    snprintf(error->file, sizeof error->file, "%s", path);
    return false;
}

/* Writes under a name, then moves it to its place; errno says why not. */
static bool write_as(const char *name, const char *path, whole_file_put *put, const void *what)
{
    FILE *out = fopen(name, "wb");
    if (!out) {
        return false;
    }
    put(out, what);
    int failed = fflush(out) || ferror(out);
    failed = fclose(out) || failed;
    if (failed || rename(name, path)) {
        const int why = errno;
        remove(name);
        errno = why;
        return false;
    }
    return true;
}

bool whole_file_write(const char *path, whole_file_put *put, const void *what, vxe_error *error)
{
    char name[2048];
    bool written = false;
    /* the folder above may be another's, or on another disk */
    for (int above = 1; above >= 0 && !written; above--) {
        errno = ENAMETOOLONG;
        written = name_beside(path, above, name, sizeof name) && write_as(name, path, put, what);
    }
    return written || cannot(path, error);
}
