/* SPDX-License-Identifier: MIT */
/* Finds files that come with the program: see installed.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/shared/installed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_in(const char *folder, const char *name, char path[INSTALLED_PATH])
{
    const int length = snprintf(path, INSTALLED_PATH, "%s/%s", folder, name);
    return length > 0 && length < INSTALLED_PATH ? fopen(path, "r") : NULL;
}

FILE *installed_open(const installed_file *file, char path[INSTALLED_PATH])
{
    char folder[INSTALLED_PATH - 512];
    const char *wanted = getenv(file->variable);
    errno = 0; /* a path that is too long leaves it as it is */
    if (wanted) {
        return open_in(wanted, file->name, path);
    }
    const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) {
        snprintf(slash, sizeof folder - (size_t)(slash - folder), "/%s", file->from_program);
    }
    FILE *stream = slash ? open_in(folder, file->name, path) : NULL;
    return stream || errno == ENOMEM ? stream : open_in(file->of_build, file->name, path);
}
