/* SPDX-License-Identifier: MIT */
/* Writers of designs write to a stream: of a file, or of memory. */
#define _POSIX_C_SOURCE 200809L
#include "lattice/formats/sink_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/status_internal.h"

vxe_status vxe_sink_begin(vxe_sink *sink, vxe_file_writer *writer, vxe_error *error)
{
    if (sink->path) {
        return vxe_file_begin(writer, sink->path, error);
    }
    *writer = (vxe_file_writer){.stream = open_memstream(&sink->bytes, &sink->size)};
    snprintf(writer->path, sizeof writer->path, "memory");
    return writer->stream ? VXE_OK : vxe_error_memory(error, 0);
}

void vxe_sink_abandon(vxe_sink *sink, vxe_file_writer *writer)
{
    vxe_file_abandon(writer);
    free(sink->bytes);
    sink->bytes = NULL;
}
