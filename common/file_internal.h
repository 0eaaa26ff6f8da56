/* SPDX-License-Identifier: MIT */
/* Reading whole files up to a size limit, and what writers of files share beside file.h. */
#ifndef VXE_COMMON_FILE_INTERNAL_H
#define VXE_COMMON_FILE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/file.h"

/* Bytes that the name of something in the making has more than what it becomes. */
#define VXE_FILE_MORE (sizeof ".01234567.partial" - 1)

/* Reads a whole regular file of at most limit bytes. *text ends with a zero byte, which *size does
   not count. The caller releases *text with vxe_memory_release. */
vxe_status vxe_file_read(const char *path, uint64_t limit, char **text, uint64_t *size,
                         vxe_error *error);

/* What the system refused, with the text of errno: VXE_ERROR_SYSTEM, or VXE_ERROR_MEMORY where it
   had no memory, as for a stream. */
vxe_status vxe_file_refused(const char *path, const char *what, vxe_error *error);

/* The same for a failed write to the file at path. */
vxe_status vxe_file_cannot_write(const char *path, vxe_error *error);

/* Fails where a write to the file has failed, with the reason; it tries again for that, since errno
   may have changed since. */
vxe_status vxe_file_check(const vxe_file_writer *writer, vxe_error *error);

/* Whether a path ends with an ending such as ".png" and is longer than it. */
bool vxe_file_has_ending(const char *path, const char *ending);

/* Waits until a written file, or the entries of a folder, are on the disk (fsync), where a power
   cut does not lose them. */
vxe_status vxe_file_settle(const char *path, vxe_error *error);

/* Makes a folder in the making beside path, named as files in the making are; its name goes to
   made (size bytes). */
vxe_status vxe_file_make_folder(const char *path, char *made, size_t size, vxe_error *error);

/* Removes the files in the making that are in a folder. Nobody else may be writing to it. */
void vxe_file_sweep(const char *folder);

#endif
