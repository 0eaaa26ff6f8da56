/* SPDX-License-Identifier: MIT */
/* Writes a result file under another name and renames it, since drivers read any file that they
   see. */
#define _XOPEN_SOURCE 700
#include "cli/dropin/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096, MAX_NAMES = 100 };

/* Opens a new file in the folder above that of the result, or beside the result, under a name that
   drivers do not look for. Returns null on failure; errno says why. */
static FILE *open_beside(const char *path, bool above, char name[LONGEST_PATH])
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    int file = -1;
    errno = ENAMETOOLONG;
    for (int i = 0; i < MAX_NAMES && file < 0 && (i == 0 || errno == EEXIST); i++) {
        const int length = snprintf(name, LONGEST_PATH, "%.*s%s.%s.%ld.%d", folder, path,
                                    above && slash ? "../" : "", path + folder, (long)getpid(), i);
        if (length > 0 && length < LONGEST_PATH) {
            file = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        }
    }
    return file < 0 ? NULL : fdopen(file, "wb");
}

static bool cannot(const char *path, vxe_error *error)
{
    *error = (vxe_error){.status = VXE_ERROR_SYSTEM};
    snprintf(error->message, sizeof error->message, "cannot write: %s", strerror(errno));
    snprintf(error->file, sizeof error->file, "%s", path);
    return false;
}

/* Writes and closes a file; errno says why that failed. */
static bool fill(FILE *out, whole_file_put *put, const void *what)
{
    put(out, what);
    const int failed = fflush(out) || ferror(out);
    const int why = errno;
    const int unclosed = fclose(out);
    errno = failed ? why : errno;
    return !failed && !unclosed;
}

/* Writes under another name and then renames the file; errno says why that failed. */
static bool write_beside(const char *path, bool above, whole_file_put *put, const void *what)
{
    char name[LONGEST_PATH];
    FILE *out = open_beside(path, above, name);
    if (!out) {
        return false;
    }
    if (!fill(out, put, what) || rename(name, path)) {
        const int why = errno;
        remove(name);
        errno = why;
        return false;
    }
    return true;
}

bool whole_file_write(const char *path, whole_file_put *put, const void *what, vxe_error *error)
{
    char resolved[LONGEST_PATH];
    struct stat facts;
    const bool exists = stat(path, &facts) == 0;
    if (exists && !S_ISREG(facts.st_mode)) { /* a device or a pipe is written in place */
        FILE *out = fopen(path, "wb");
        return (out && fill(out, put, what)) || cannot(path, error);
    }
    const char *target = exists && realpath(path, resolved) ? resolved : path;
    /* the folder above may not be writable, or may be on another disk */
    return write_beside(target, true, put, what) || write_beside(target, false, put, what) ||
           cannot(path, error);
}
