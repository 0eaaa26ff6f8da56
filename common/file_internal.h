/* SPDX-License-Identifier: MIT */
/* Whole files: read at once under a bound, written so that a reader never sees half of one. */
#ifndef VXE_COMMON_FILE_INTERNAL_H
#define VXE_COMMON_FILE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/status.h"

/* Reads a whole regular file of at most limit bytes; *text is ended by a zero byte that *size does
   not count. The caller releases *text with vxe_memory_release. */
vxe_status vxe_file_read(const char *path, uint64_t limit, char **text, uint64_t *size,
                         vxe_error *error);

/* A file that is written under a temporary name beside path and takes its place on commit. */
typedef struct vxe_file_writer {
    FILE *stream;
    char path[1024];
    char temporary[1100];
} vxe_file_writer;

vxe_status vxe_file_begin(vxe_file_writer *writer, const char *path, vxe_error *error);

/* Closes and renames; on any failure to write the temporary file is removed and path stays as it
 * was. */
vxe_status vxe_file_commit(vxe_file_writer *writer, vxe_error *error);

/* What writing to a stream has met with, of a file at path: VXE_ERROR_SYSTEM. */
vxe_status vxe_file_cannot_write(const char *path, vxe_error *error);

/* Whether a path has something in front of an ending such as ".png". */
bool vxe_file_has_ending(const char *path, const char *ending);

/* Sees a file that was written, or the names in a folder, on the disk: a power cut can not take
   them then. */
vxe_status vxe_file_settle(const char *path, vxe_error *error);

/* Gives up: removes the temporary file. Harmless after commit. */
void vxe_file_abandon(vxe_file_writer *writer);

#endif
