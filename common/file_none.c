/* SPDX-License-Identifier: MIT */
/* Stands in for file_write.c where there is no file system, as in a browser's page: files are
   refused, streams into memory are closed. */
#include "common/file_internal.h"
#include "common/status_internal.h"

vxe_status vxe_file_begin(vxe_file_writer *writer, const char *path, vxe_error *error)
{
    writer->stream = NULL;
    return vxe_error_at(error, VXE_ERROR_UNSUPPORTED, path, 0, 0,
                        "cannot be written: there are no files here");
}

vxe_status vxe_file_check(const vxe_file_writer *writer, vxe_error *error)
{
    return ferror(writer->stream) ? vxe_error_fill(error, VXE_ERROR_MEMORY, "out of memory")
                                  : VXE_OK;
}

vxe_status vxe_file_commit(vxe_file_writer *writer, vxe_error *error)
{
    const vxe_status status = vxe_file_check(writer, error);
    vxe_file_abandon(writer);
    return status;
}

void vxe_file_abandon(vxe_file_writer *writer)
{
    if (writer->stream) {
        fclose(writer->stream);
        writer->stream = NULL;
    }
}
