/* SPDX-License-Identifier: MIT */
/* Writes traces: one CSV row per call. */
#include "output/record/trace.h"

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"

struct vxe_trace {
    vxe_file_writer writer; /* of a file; else its stream is null */
    FILE *stream;           /* what rows are written to */
};

/* Makes a trace on a stream, or else in a file. */
static vxe_trace *create(FILE *stream, const char *path, vxe_error *error)
{
    vxe_trace *trace = vxe_memory_take(1, sizeof *trace);
    if (!trace) {
        vxe_error_memory(error, sizeof *trace);
        return NULL;
    }
    trace->stream = stream;
    if (!stream) {
        if (vxe_file_begin(&trace->writer, path, error)) {
            vxe_memory_release(trace);
            return NULL;
        }
        trace->stream = trace->writer.stream;
    }
    fputs("t,x,y,z,vx,vy,vz,kinetic_J,elastic_J,max_strain\n", trace->stream);
    return trace;
}

vxe_trace *vxe_trace_create(const char *path, vxe_error *error)
{
    return create(NULL, path, error);
}

vxe_trace *vxe_trace_create_on(FILE *stream, vxe_error *error)
{
    return create(stream, NULL, error);
}

/* Sends rows on to the stream of the caller's. */
static vxe_status flush(const vxe_trace *trace, vxe_error *error)
{
    return fflush(trace->stream) || ferror(trace->stream)
               ? vxe_error_fill(error, VXE_ERROR_SYSTEM, "cannot write the trace")
               : VXE_OK;
}

vxe_status vxe_trace_add(vxe_trace *trace, const vxe_world *world, vxe_error *error)
{
    double row[10] = {vxe_world_time(world)};
    vxe_world_center_of_mass(world, row + 1, row + 4);
    const vxe_energy energy = vxe_world_energy(world);
    row[7] = energy.kinetic;
    row[8] = energy.elastic;
    row[9] = vxe_world_max_strain(world);
    for (int i = 0; i < 10; i++) {
        char text[40];
        fprintf(trace->stream, "%s%c", vxe_number_print(text, sizeof text, row[i], 9),
                i < 9 ? ',' : '\n');
    }
    return trace->writer.stream ? vxe_file_check(&trace->writer, error) : flush(trace, error);
}

vxe_status vxe_trace_close(vxe_trace *trace, vxe_error *error)
{
    const vxe_status status =
        trace->writer.stream ? vxe_file_commit(&trace->writer, error) : flush(trace, error);
    vxe_memory_release(trace);
    return status;
}

void vxe_trace_abandon(vxe_trace *trace)
{
    if (trace) {
        vxe_file_abandon(&trace->writer);
        vxe_memory_release(trace);
    }
}
