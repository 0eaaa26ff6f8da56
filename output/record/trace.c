/* SPDX-License-Identifier: MIT */
/* Writes traces: one CSV row per call. */
#include "output/record/trace.h"

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"

struct vxe_trace {
    vxe_file_writer writer;
};

vxe_trace *vxe_trace_create(const char *path, vxe_error *error)
{
    vxe_trace *trace = vxe_memory_take(1, sizeof *trace);
    if (!trace) {
        vxe_error_memory(error, sizeof *trace);
        return NULL;
    }
    if (vxe_file_begin(&trace->writer, path, error)) {
        vxe_memory_release(trace);
        return NULL;
    }
    fputs("t,x,y,z,vx,vy,vz,kinetic_J,elastic_J,max_strain\n", trace->writer.stream);
    return trace;
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
        fprintf(trace->writer.stream, "%s%c", vxe_number_print(text, sizeof text, row[i], 9),
                i < 9 ? ',' : '\n');
    }
    return vxe_file_check(&trace->writer, error);
}

vxe_status vxe_trace_close(vxe_trace *trace, vxe_error *error)
{
    const vxe_status status = vxe_file_commit(&trace->writer, error);
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
