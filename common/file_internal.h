/* SPDX-License-Identifier: MIT */
/* Whole files: read at once up to a size limit, and written so that a reader never sees half of
   one. */
#ifndef VXE_COMMON_FILE_INTERNAL_H
#define VXE_COMMON_FILE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/status.h"

/* Reads a whole regular file of at most limit bytes. *text ends with a zero byte, which *size does
   not count. The caller releases *text with vxe_memory_release. */
vxe_status vxe_file_read(const char *path, uint64_t limit, char **text, uint64_t *size,
                         vxe_error *error);

/* A file that is written under a temporary name beside path and renamed to path by commit. */
typedef struct vxe_file_writer {
    FILE *stream;
    char path[1024];
    char temporary[1100];
} vxe_file_writer;

_Static_assert(sizeof(((vxe_file_writer *)0)->temporary) >
                   sizeof(((vxe_file_writer *)0)->path) + sizeof ".partial",
               "the temporary name is the path and an ending");

/* Opens the temporary file. */
vxe_status vxe_file_begin(vxe_file_writer *writer, const char *path, vxe_error *error);

/* Closes and renames. After any failure to write, the temporary file is removed and path is as it
 * was before. */
vxe_status vxe_file_commit(vxe_file_writer *writer, vxe_error *error);

/* VXE_ERROR_SYSTEM for a failed write to the file at path, with the text of errno. */
vxe_status vxe_file_cannot_write(const char *path, vxe_error *error);

/* Whether a path ends with an ending such as ".png" and is longer than it. */
bool vxe_file_has_ending(const char *path, const char *ending);

/* Waits until a written file, or the entries of a folder, are on the disk (fsync), where a power
   cut does not lose them. */
vxe_status vxe_file_settle(const char *path, vxe_error *error);

/* Closes and removes the temporary file. Does nothing after commit. */
void vxe_file_abandon(vxe_file_writer *writer);

#endif
