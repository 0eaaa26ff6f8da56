/* SPDX-License-Identifier: MIT */
/* Writes files under names of their own that are renamed at the end: the rename is atomic, so that
   a reader never sees half of a file. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/status_internal.h"

/* Names that are tried where others are taken, links that are followed, bytes of the longest name
   in a folder. */
enum { MAX_TRIES = 100, MAX_LINKS = 40, MAX_NAME = 255 };

#define ENDING ".partial"
#define DIGITS 8
_Static_assert(VXE_FILE_MORE == 1 + DIGITS + sizeof ENDING - 1, "the dot, the digits, the ending");
_Static_assert(sizeof(((vxe_file_writer *)0)->temporary) >
                   sizeof(((vxe_file_writer *)0)->target) + sizeof "../" + VXE_FILE_MORE,
               "names of files in the making fit");

/* Makes something with a name: a file or a folder. Returns a negative number where it can not be,
   with errno. */
typedef int maker(const char *name, mode_t mode);

static int make_file(const char *name, mode_t mode)
{
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

/* Makes something under a name that nothing has, beside path or in the folder above; that name goes
   to made. Returns what make did. */
static int make_beside(const char *path, bool above, maker *make, mode_t mode, char *made,
                       size_t size)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    int result = -1;
    errno = EEXIST;
    for (uint32_t i = 0; i < MAX_TRIES && result < 0 && errno == EEXIST; i++) {
        uint32_t digits = 0;
        if (getrandom(&digits, sizeof digits, GRND_NONBLOCK) != (ssize_t)sizeof digits) {
            digits = (uint32_t)getpid() * MAX_TRIES + i;
        }
        const int length = snprintf(made, size, "%.*s%s%.*s.%08x" ENDING, folder, path,
                                    above && slash ? "../" : "", (int)(MAX_NAME - VXE_FILE_MORE),
                                    path + folder, digits);
        errno = ENAMETOOLONG;
        result = length > 0 && (size_t)length < size ? make(made, mode) : -1;
    }
    return result;
}

/* Number of the open descriptor that a path such as /dev/fd/1 stands for; -1: none. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/proc/self/fd/", "/dev/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const size_t length = strlen(folders[i]);
        char *rest = NULL;
        if (strncmp(path, folders[i], length) == 0 && isdigit((unsigned char)path[length])) {
            const long number = strtol(path + length, &rest, 10);
            return *rest == '\0' && number <= INT16_MAX ? (int)number : -1;
        }
    }
    return -1;
}

/* Replaces a path that is a symbolic link by what it leads to, which need not exist. Stops at a
   descriptor of this process: what that leads to is open already. Returns false with errno where
   that is not possible. */
static bool follow(char target[VXE_FILE_PATH])
{
    char link[VXE_FILE_PATH];
    for (int links = 0; descriptor_of(target) < 0; links++) {
        const ssize_t length = readlink(target, link, sizeof link);
        if (length < 0) {
            return errno == EINVAL || errno == ENOENT; /* no link; a new file */
        }
        const char *slash = link[0] == '/' ? NULL : strrchr(target, '/');
        const size_t folder = slash ? (size_t)(slash + 1 - target) : 0;
        if (links == MAX_LINKS || folder + (size_t)length >= VXE_FILE_PATH) {
            errno = links == MAX_LINKS ? ELOOP : ENAMETOOLONG;
            return false;
        }
        memcpy(target + folder, link, (size_t)length);
        target[folder + (size_t)length] = '\0';
    }
    return true;
}

/* Gives a new file the mode and, where this user may, the owner of the file that it replaces.
   Without the same group, that group's rights are those of all others. File systems without modes
   refuse; the file is then for its owner alone. */
static void keep_mode(int descriptor, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    struct stat made;
    const bool same =
        fstat(descriptor, &made) == 0 && made.st_uid == old->st_uid && made.st_gid == old->st_gid;
    if (!same && fchown(descriptor, old->st_uid, old->st_gid) &&
        fchown(descriptor, (uid_t)-1, old->st_gid)) {
        mode = (mode & 0707) | (mode & 0007) << 3;
    }
    (void)fchmod(descriptor, mode);
}

/* Opens what path names as it is. */
static int open_in_place(vxe_file_writer *writer)
{
    const int descriptor = descriptor_of(writer->target);
    writer->temporary[0] = '\0';
    return descriptor < 0 ? open(writer->path, O_WRONLY | O_TRUNC | O_CLOEXEC)
                          : fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

/* Opens the file in the making, or what is written in place. Returns false with errno. */
static bool open_file(vxe_file_writer *writer, bool above)
{
    struct stat facts;
    if (!follow(writer->target)) {
        return false;
    }
    const bool exists = stat(writer->target, &facts) == 0;
    int descriptor = -1;
    if (exists && S_ISDIR(facts.st_mode)) {
        errno = EISDIR;
    } else if (descriptor_of(writer->target) >= 0 || (exists && !S_ISREG(facts.st_mode))) {
        descriptor = open_in_place(writer);
    } else {
        descriptor = make_beside(writer->target, above, make_file, exists ? 0600 : 0666,
                                 writer->temporary, sizeof writer->temporary);
    }
    if (descriptor >= 0 && exists && writer->temporary[0]) {
        keep_mode(descriptor, &facts);
    }
    writer->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (descriptor >= 0 && !writer->stream) {
        const int why = errno;
        close(descriptor);
        if (writer->temporary[0]) {
            unlink(writer->temporary);
        }
        errno = why;
    }
    return writer->stream;
}

static vxe_status begin(vxe_file_writer *writer, const char *path, bool above, vxe_error *error)
{
    writer->stream = NULL;
    writer->temporary[0] = '\0';
    if (path[0] == '\0') {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "a file needs a name");
    }
    if (strlen(path) >= sizeof writer->path) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a path of %zu characters is too long; at most %zu are possible",
                              strlen(path), sizeof writer->path - 1);
    }
    snprintf(writer->path, sizeof writer->path, "%s", path);
    snprintf(writer->target, sizeof writer->target, "%s", path);
    return open_file(writer, above) ? VXE_OK : vxe_file_cannot_write(path, error);
}

vxe_status vxe_file_begin(vxe_file_writer *writer, const char *path, vxe_error *error)
{
    return begin(writer, path, false, error);
}

vxe_status vxe_file_begin_above(vxe_file_writer *writer, const char *path, vxe_error *error)
{
    return begin(writer, path, true, error);
}

/* Passes all that was written on to the system. Returns false with errno where that or an earlier
   write fails; the reason of an earlier one is found by a further byte, which nobody will read. */
static bool pass_on(const vxe_file_writer *writer)
{
    errno = 0;
    if (fflush(writer->stream) == 0 && ferror(writer->stream) && writer->temporary[0]) {
        fputc('\n', writer->stream);
        (void)fflush(writer->stream);
    }
    return !ferror(writer->stream);
}

vxe_status vxe_file_check(const vxe_file_writer *writer, vxe_error *error)
{
    return !ferror(writer->stream) || pass_on(writer) ? VXE_OK
                                                      : vxe_file_cannot_write(writer->path, error);
}

vxe_status vxe_file_commit(vxe_file_writer *writer, vxe_error *error)
{
    VXE_ASSERT(writer->stream);
    const bool written = pass_on(writer);
    const int why = errno;
    const bool closed = fclose(writer->stream) == 0;
    writer->stream = NULL;
    errno = written ? errno : why;
    if (written && closed &&
        (!writer->temporary[0] || rename(writer->temporary, writer->target) == 0)) {
        return VXE_OK;
    }
    const vxe_status status = vxe_file_cannot_write(writer->path, error);
    if (writer->temporary[0]) {
        unlink(writer->temporary);
    }
    return status;
}

void vxe_file_abandon(vxe_file_writer *writer)
{
    if (writer->stream) {
        fclose(writer->stream);
        writer->stream = NULL;
        if (writer->temporary[0]) {
            unlink(writer->temporary);
        }
    }
}

vxe_status vxe_file_make_folder(const char *path, char *made, size_t size, vxe_error *error)
{
    return make_beside(path, false, mkdir, 0777, made, size)
               ? vxe_error_at(error, VXE_ERROR_SYSTEM, path, 0, 0, "cannot make the folder: %s",
                              strerror(errno))
               : VXE_OK;
}

/* Whether a name is one that make_beside gives. */
static bool is_in_the_making(const char *name)
{
    const size_t length = strlen(name);
    if (length <= VXE_FILE_MORE || name[length - VXE_FILE_MORE] != '.') {
        return false;
    }
    const char *digits = name + length - VXE_FILE_MORE + 1;
    return strspn(digits, "0123456789abcdef") == DIGITS && strcmp(digits + DIGITS, ENDING) == 0;
}

void vxe_file_sweep(const char *folder)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry = NULL; entries && (entry = readdir(entries));) {
        struct stat facts;
        if (is_in_the_making(entry->d_name) &&
            fstatat(dirfd(entries), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(facts.st_mode)) {
            unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    if (entries) {
        closedir(entries);
    }
}
