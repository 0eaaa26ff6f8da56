/* SPDX-License-Identifier: MIT */
/* Writes a result file in the folder above and renames it, since drivers read any file that they
   see. */
#include "cli/dropin/whole_file.h"

bool whole_file_write(const char *path, whole_file_put *put, const void *what, vxe_error *error)
{
    vxe_file_writer file;
    if (!vxe_file_begin_above(&file, path, error)) {
        put(file.stream, what);
        if (!vxe_file_commit(&file, error)) {
            return true;
        }
        if (!file.temporary[0]) { /* a device or a pipe has taken a part of it */
            return false;
        }
    }
    /* the folder above may not be writable, or may be on another disk */
    if (vxe_file_begin(&file, path, error)) {
        return false;
    }
    put(file.stream, what);
    return vxe_file_commit(&file, error) == VXE_OK;
}
