/* SPDX-License-Identifier: MIT */
/* Where a writer of designs puts what it writes: a file, or memory. */
#ifndef VXE_LATTICE_FORMATS_SINK_INTERNAL_H
#define VXE_LATTICE_FORMATS_SINK_INTERNAL_H

#include <stddef.h>

#include "common/file.h"

typedef struct vxe_sink {
    const char *path; /* null: memory */
    char *bytes;      /* (size) what was written to memory, once it is complete; free takes it */
    size_t size;
} vxe_sink;

/* Begins to write; then vxe_file_commit or vxe_sink_abandon ends it. */
vxe_status vxe_sink_begin(vxe_sink *sink, vxe_file_writer *writer, vxe_error *error);
void vxe_sink_abandon(vxe_sink *sink, vxe_file_writer *writer);

#endif
