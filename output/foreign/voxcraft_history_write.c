/* SPDX-License-Identifier: MIT */
/* Writes histories for voxcraft's viewer. voxcraft_history_read.c describes the lines. */
#include "output/foreign/voxcraft_history_write.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "lattice/topology_internal.h"

/* Metres per unit of the voxels' lengths in a frame. */
#define RESCALE 0.001

struct vxe_history {
    const vxe_design *design;
    FILE *out;
    bool voxels, bonds;   /* what frames list */
    uint8_t *outer;       /* (voxels) 1 where the voxel is on the surface */
    uint32_t *neighbours; /* (voxels, 6) bonded neighbours +x -x +y -y +z -z, or VXE_NONE */
    vxe_frame *frame;     /* filled from worlds */
};

static void put(FILE *out, double value, int decimals, const char *behind)
{
    char text[400]; /* the largest number has 309 digits */
    fprintf(out, "%s%s", vxe_number_fixed(text, sizeof text, value, decimals), behind);
}

static void put_settings(const vxe_history *h)
{
    static const char *const channels = "rgba";
    fprintf(h->out, "{{{setting}}}<rescale>");
    put(h->out, RESCALE, 3, "</rescale>\n");
    for (uint32_t i = 0; i < h->design->material_count; i++) {
        fprintf(h->out, "{{{setting}}}<matcolor><id>%" PRIu32 "</id>", i + 1);
        for (int c = 0; c < 4; c++) {
            fprintf(h->out, "<%c>", channels[c]);
            put(h->out, (double)h->design->materials[i].color[c], 2, "");
            fprintf(h->out, "</%c>", channels[c]);
        }
        fputs("</matcolor>\n", h->out);
    }
    fputs("{{{setting}}}<voxel_size>", h->out);
    put(h->out, h->design->voxel_size, 6, "</voxel_size>\n");
}

/* Finds bonded neighbours and surface voxels, in design order. */
static vxe_status fill(vxe_history *h, vxe_error *error)
{
    const uint64_t count = h->design->voxel_count;
    vxe_topology scan;
    const vxe_status status = vxe_topology_init(&scan, h->design, error);
    if (status) {
        return status;
    }
    uint32_t *beside = vxe_topology_neighbours(&scan);
    h->outer = vxe_memory_take(count, sizeof *h->outer);
    h->neighbours = vxe_memory_take(6 * count, sizeof *h->neighbours);
    h->frame = vxe_frame_create((uint32_t)count, 0, error);
    const bool whole = beside && h->outer && h->neighbours && h->frame;
    for (uint64_t i = 0; i < 6 * count && whole; i++) {
        const uint32_t v = scan.order[i / 6];
        const uint32_t other = beside[i];
        h->outer[v] = scan.faces[i / 6] != 0;
        h->neighbours[6 * (size_t)v + i % 6] = other == VXE_NONE ? VXE_NONE : scan.order[other];
    }
    vxe_memory_release(beside);
    vxe_topology_clear(&scan);
    return whole ? VXE_OK : vxe_error_memory(error, 153 * count);
}

vxe_history *vxe_history_create(const vxe_design *design, bool voxels, bool bonds, FILE *out,
                                vxe_error *error)
{
    vxe_history *h = vxe_memory_take(1, sizeof *h);
    if (!h) {
        (void)vxe_error_memory(error, sizeof *h);
        return NULL;
    }
    *h = (vxe_history){.design = design, .voxels = voxels, .bonds = bonds, .out = out};
    if (fill(h, error)) {
        vxe_history_destroy(h);
        return NULL;
    }
    put_settings(h);
    return h;
}

void vxe_history_destroy(vxe_history *h)
{
    if (h) {
        vxe_memory_release(h->outer);
        vxe_memory_release(h->neighbours);
        vxe_frame_destroy(h->frame);
        vxe_memory_release(h);
    }
}

/* Distance from the centre of a voxel to its face along one of its own axes, upwards (0) or
   downwards (1): half the distance to the neighbour on that side, or half the edge where there is
   none. */
static double reach_of(const vxe_history *h, const vxe_frame *f, uint32_t v, int axis, int down)
{
    VXE_ASSERT(v < h->design->voxel_count && axis >= 0 && axis < 3 && (down == 0 || down == 1));
    const uint32_t other = h->neighbours[6 * (size_t)v + 2 * (size_t)axis + (size_t)down];
    if (other == VXE_NONE) {
        return 0.5 * f->edge[v];
    }
    const double *q = f->orientation + 4 * (size_t)v;
    const double columns[3][3] = {
        {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]),
         2 * (q[1] * q[3] - q[0] * q[2])},
        {2 * (q[1] * q[2] - q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
         2 * (q[2] * q[3] + q[0] * q[1])},
        {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
         1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
    double along = 0;
    for (size_t c = 0; c < 3; c++) {
        along += columns[axis][c] *
                 (f->position[3 * (size_t)other + c] - f->position[3 * (size_t)v + c]);
    }
    return 0.5 * (down ? -along : along);
}

/* Writes the fifteen numbers of a voxel: position, angle in degrees, vector part of the quaternion,
   two opposite corners, material, signal. */
static void put_voxel(const vxe_history *h, const vxe_frame *f, uint32_t v)
{
    const double *q = f->orientation + 4 * (size_t)v;
    const double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    VXE_ASSERT(h->design->voxels[v].material < h->design->material_count);
    for (size_t c = 0; c < 3; c++) {
        put(h->out, (f->position[3 * (size_t)v + c] - h->design->file_origin[c]) / RESCALE, 1, ",");
    }
    put(h->out, 360 / VXE_PI * atan2(sine, q[0]), 1, ",");
    for (int c = 1; c < 4; c++) {
        put(h->out, q[c], 2, ",");
    }
    for (int down = 1; down >= 0; down--) {
        for (int axis = 0; axis < 3; axis++) {
            const double reach = reach_of(h, f, v, axis, down) / RESCALE;
            put(h->out, down ? -reach : reach, 1, ",");
        }
    }
    fprintf(h->out, "%" PRIu32 ",0.0,;", h->design->voxels[v].material + 1);
}

static void put_bonds(const vxe_history *h, const vxe_frame *f, uint64_t number)
{
    fprintf(h->out, "|[[[%" PRIu64 "]]]", number);
    for (uint32_t v = 0; v < h->design->voxel_count; v++) {
        for (size_t axis = 0; axis < 3; axis++) {
            const uint32_t up = h->neighbours[6 * (size_t)v + 2 * axis];
            const uint32_t ends[2] = {v, up};
            for (int end = 0; end < 2 && up != VXE_NONE; end++) {
                for (size_t c = 0; c < 3; c++) {
                    put(h->out, f->position[3 * (size_t)ends[end] + c] - h->design->file_origin[c],
                        4, ",");
                }
            }
            fputs(up != VXE_NONE ? ";" : "", h->out);
        }
    }
    fputs("[[[]]]", h->out);
}

vxe_status vxe_history_add(vxe_history *h, const vxe_world *world, uint64_t number,
                           vxe_error *error)
{
    h->frame->time = vxe_world_time(world);
    vxe_world_poses(world, h->frame->position, h->frame->orientation);
    vxe_world_sense(world, &(vxe_sensors){.edge = h->frame->edge});
    return vxe_history_add_frame(h, h->frame, number, error);
}

vxe_status vxe_history_add_frame(vxe_history *h, const vxe_frame *f, uint64_t number,
                                 vxe_error *error)
{
    VXE_ASSERT(f->voxels == h->design->voxel_count);
    fprintf(h->out, "<<<Step%" PRIu64 " Time:", number);
    put(h->out, f->time, 6, ">>>");
    for (uint32_t v = 0; v < h->design->voxel_count && h->voxels; v++) {
        if (h->outer[v]) {
            put_voxel(h, f, v);
        }
    }
    fputs("<<<>>>", h->out);
    if (h->bonds) {
        put_bonds(h, f, number);
    }
    fputc('\n', h->out);
    return ferror(h->out) ? vxe_error_fill(error, VXE_ERROR_SYSTEM, "cannot write the history")
                          : VXE_OK;
}
