/* SPDX-License-Identifier: MIT */
/* Writes traces: at each call one row, or one for each body or voxel. */
#include "output/trace/trace.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "output/trace/npy_write.h"

/* Columns of the longest row. */
#define MAX_COLUMNS 20

/* Columns of each subject. */
static const char *const columns_of[][MAX_COLUMNS + 1] = {
    [VXE_TRACE_DESIGN] = {"t", "x", "y", "z", "vx", "vy", "vz", "kinetic_J", "elastic_J",
                          "max_strain", NULL},
    [VXE_TRACE_BODIES] = {"t", "body", "x", "y", "z", "vx", "vy", "vz", NULL},
    [VXE_TRACE_VOXELS] = {"t",  "voxel",  "x",        "y",        "z",        "vx", "vy",
                          "vz", "qw",     "qx",       "qy",       "qz",       "wx", "wy",
                          "wz", "edge_m", "strain_x", "strain_y", "strain_z", NULL}};

/* Place of the number of a body or voxel in its row. */
#define NUMBER 1

struct vxe_trace {
    vxe_file_writer writer; /* of a file; else its stream is null */
    FILE *stream;           /* what rows are written to */
    const char *const *names;
    int columns;
    vxe_trace_subject subject;
    uint32_t *voxels; /* (count) where the subject is voxels */
    uint32_t count;   /* of bodies or voxels; 1 for the design */
    bool array;       /* of numpy; else CSV */
    uint64_t rows;    /* calls so far */
    double *numbers;  /* (voxels of the world, 17) room for what it says of them */
    vxe_body *bodies; /* (bodies of voxels) */
    uint32_t bodies_of_voxels;
};

static void destroy(vxe_trace *trace)
{
    vxe_memory_release(trace->voxels);
    vxe_memory_release(trace->numbers);
    vxe_memory_release(trace->bodies);
    vxe_memory_release(trace);
}

static bool take_voxels(vxe_trace *trace, const vxe_trace_def *def, uint32_t voxels)
{
    trace->count = def->voxels ? def->voxel_count : voxels;
    trace->voxels = vxe_memory_take(trace->count, sizeof *trace->voxels);
    trace->numbers = vxe_memory_take(voxels, 17 * sizeof *trace->numbers);
    for (uint32_t i = 0; i < trace->count && trace->voxels; i++) {
        trace->voxels[i] = def->voxels ? def->voxels[i] : i;
    }
    return trace->voxels && trace->numbers;
}

/* Takes the memory for rows. */
static vxe_status take(vxe_trace *trace, const vxe_trace_def *def, const vxe_world *world,
                       vxe_error *error)
{
    const vxe_world_facts facts = vxe_world_describe(world);
    bool complete = true;
    trace->subject = def->subject;
    trace->names = columns_of[def->subject];
    while (trace->names[trace->columns]) {
        trace->columns++;
    }
    trace->count = 1;
    if (def->subject == VXE_TRACE_BODIES) {
        trace->bodies_of_voxels = facts.bodies;
        trace->count = facts.bodies + facts.affine;
        trace->bodies = vxe_memory_take(facts.bodies + 1, sizeof *trace->bodies);
        complete = trace->bodies;
    } else if (def->subject == VXE_TRACE_VOXELS) {
        for (uint32_t i = 0; i < def->voxel_count && def->voxels; i++) {
            if (def->voxels[i] >= facts.voxels) {
                return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                      "no trace of voxel %" PRIu32 ": the design has %" PRIu32
                                      ", counted from 0",
                                      def->voxels[i], facts.voxels);
            }
        }
        if (facts.voxels == 0 || (def->voxels && def->voxel_count == 0)) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "no trace of voxels: there are none");
        }
        complete = take_voxels(trace, def, facts.voxels);
    }
    return complete ? VXE_OK : vxe_error_memory(error, 140 * (uint64_t)facts.voxels);
}

static void write_head(const vxe_trace *trace)
{
    if (trace->array) {
        const bool several = trace->subject != VXE_TRACE_DESIGN;
        vxe_npy_write_head(trace->stream, trace->names, trace->columns, several ? NUMBER : -1,
                           trace->rows, several ? trace->count : 0);
        return;
    }
    for (int i = 0; i < trace->columns; i++) {
        fprintf(trace->stream, "%s%c", trace->names[i], i < trace->columns - 1 ? ',' : '\n');
    }
}

/* Makes a trace on a stream, or else in a file. */
static vxe_trace *create(FILE *stream, const char *path, const vxe_trace_def *def,
                         const vxe_world *world, vxe_error *error)
{
    vxe_trace *trace = vxe_memory_take(1, sizeof *trace);
    if (!trace) {
        vxe_error_memory(error, sizeof *trace);
        return NULL;
    }
    trace->stream = stream;
    const size_t length = path ? strlen(path) : 0;
    trace->array = length >= 4 && strcasecmp(path + length - 4, ".npy") == 0;
    if (take(trace, def, world, error) ||
        (!stream && vxe_file_begin(&trace->writer, path, error))) {
        destroy(trace);
        return NULL;
    }
    trace->stream = stream ? stream : trace->writer.stream;
    if (trace->array && fseek(trace->stream, 0, SEEK_SET)) {
        vxe_error_at(error, VXE_ERROR_ARGUMENT, path, 0, 0,
                     "a .npy can only be written to a file: its head has the number of rows");
        vxe_trace_abandon(trace);
        return NULL;
    }
    write_head(trace);
    return trace;
}

vxe_trace *vxe_trace_create(const char *path, const vxe_trace_def *def, const vxe_world *world,
                            vxe_error *error)
{
    return create(NULL, path, def, world, error);
}

vxe_trace *vxe_trace_create_on(FILE *stream, const vxe_trace_def *def, const vxe_world *world,
                               vxe_error *error)
{
    return create(stream, NULL, def, world, error);
}

static void write_row(const vxe_trace *trace, const double *row)
{
    const int number = trace->subject == VXE_TRACE_DESIGN ? -1 : NUMBER;
    for (int i = 0; i < trace->columns; i++) {
        const int64_t whole = i == number ? (int64_t)row[i] : 0;
        char text[40];
        if (trace->array) {
            fwrite(i == number ? (const void *)&whole : (const void *)&row[i], 8, 1, trace->stream);
            continue;
        }
        if (i == number) {
            fprintf(trace->stream, "%" PRId64, whole);
        } else {
            fputs(vxe_number_print(text, sizeof text, row[i], 9), trace->stream);
        }
        putc(i < trace->columns - 1 ? ',' : '\n', trace->stream);
    }
}

static void add_design(const vxe_trace *trace, const vxe_world *world)
{
    double row[MAX_COLUMNS] = {vxe_world_time(world)};
    vxe_world_center_of_mass(world, row + 1, row + 4);
    const vxe_energy energy = vxe_world_energy(world);
    row[7] = energy.kinetic;
    row[8] = energy.elastic;
    row[9] = vxe_world_max_strain(world);
    write_row(trace, row);
}

static void add_bodies(const vxe_trace *trace, const vxe_world *world)
{
    vxe_world_bodies(world, trace->bodies);
    for (uint32_t i = 0; i < trace->count; i++) {
        double row[MAX_COLUMNS] = {vxe_world_time(world), i};
        if (i < trace->bodies_of_voxels) {
            memcpy(row + 2, trace->bodies[i].center, 3 * sizeof *row);
            memcpy(row + 5, trace->bodies[i].velocity, 3 * sizeof *row);
        } else {
            vxe_affine_pose pose;
            vxe_world_affine(world, i - trace->bodies_of_voxels, &pose);
            memcpy(row + 2, pose.center, 3 * sizeof *row);
            memcpy(row + 5, pose.velocity, 3 * sizeof *row);
        }
        write_row(trace, row);
    }
}

static void add_voxels(const vxe_trace *trace, const vxe_world *world)
{
    const size_t all = vxe_world_describe(world).voxels;
    double *place = trace->numbers;
    double *turn = place + 3 * all;
    double *linear = turn + 4 * all;
    double *angular = linear + 3 * all;
    double *edge = angular + 3 * all;
    double *strain = edge + all;
    const vxe_sensors sensors = {.edge = edge, .strain = strain};
    vxe_world_poses(world, place, turn);
    vxe_world_velocities(world, linear, angular);
    vxe_world_sense(world, &sensors);
    for (uint32_t i = 0; i < trace->count; i++) {
        const size_t v = trace->voxels[i];
        double row[MAX_COLUMNS] = {vxe_world_time(world), trace->voxels[i]};
        memcpy(row + 2, place + 3 * v, 3 * sizeof *row);
        memcpy(row + 5, linear + 3 * v, 3 * sizeof *row);
        memcpy(row + 8, turn + 4 * v, 4 * sizeof *row);
        memcpy(row + 12, angular + 3 * v, 3 * sizeof *row);
        row[15] = edge[v];
        memcpy(row + 16, strain + 3 * v, 3 * sizeof *row);
        write_row(trace, row);
    }
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
    trace->rows++;
    switch (trace->subject) {
    case VXE_TRACE_DESIGN:
        add_design(trace, world);
        break;
    case VXE_TRACE_BODIES:
        add_bodies(trace, world);
        break;
    case VXE_TRACE_VOXELS:
        add_voxels(trace, world);
        break;
    }
    return trace->writer.stream ? vxe_file_check(&trace->writer, error) : flush(trace, error);
}

vxe_status vxe_trace_close(vxe_trace *trace, vxe_error *error)
{
    if (trace->array && fseek(trace->stream, 0, SEEK_SET) == 0) {
        write_head(trace); /* with the number of rows */
    }
    const vxe_status status =
        trace->writer.stream ? vxe_file_commit(&trace->writer, error) : flush(trace, error);
    destroy(trace);
    return status;
}

void vxe_trace_abandon(vxe_trace *trace)
{
    if (trace) {
        vxe_file_abandon(&trace->writer);
        destroy(trace);
    }
}
