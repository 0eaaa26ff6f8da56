/* SPDX-License-Identifier: MIT */
/* Writes the voxels of a design and their colours as one model of MagicaVoxel; .vox files hold
   nothing else of a design. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/others/vox_internal.h"

/* Maximum of voxels of a model along an axis, and of colours of a palette. */
#define MAX 256
#define COLORS 255u

/* Writes a number of 32 bits, the lowest byte first. */
static void put_number(FILE *out, uint64_t number)
{
    for (int i = 0; i < 4; i++) {
        fputc((int)(number >> 8 * i & 255), out);
    }
}

/* Writes the head of a chunk. */
static void put_head(FILE *out, const char *name, uint64_t bytes, uint64_t children)
{
    fwrite(name, 1, 4, out);
    put_number(out, bytes);
    put_number(out, children);
}

static void put_palette(FILE *out, const vxe_design *design)
{
    put_head(out, "RGBA", 4 * (COLORS + 1ull), 0);
    for (uint32_t i = 0; i <= COLORS; i++) {
        for (int c = 0; c < 4; c++) {
            const double part =
                i < design->material_count ? (double)design->materials[i].color[c] : 0;
            fputc(part <= 0 ? 0 : part >= 1 ? 255 : (int)(255 * part + 0.5), out);
        }
    }
}

static vxe_status check_size(const vxe_design *design, const vxe_topology *scan, vxe_error *error)
{
    for (int c = 0; c < 3; c++) {
        const int64_t size = (int64_t)scan->high[c] - scan->low[c] + 1;
        if (size > MAX) {
            return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                                  "%" PRId64 " voxels along an axis; a .vox holds at most %d", size,
                                  MAX);
        }
    }
    return design->material_count <= COLORS
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                                "%u materials; a .vox holds at most %u colours",
                                design->material_count, COLORS);
}

vxe_status vxe_vox_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                         vxe_error *error)
{
    vxe_file_writer writer;
    const uint64_t voxels = 4 + 4ull * design->voxel_count;
    vxe_status status = check_size(design, scan, error);
    status = status ? status : vxe_sink_begin(sink, &writer, error);
    if (status) {
        return status;
    }
    FILE *out = writer.stream;
    fwrite("VOX ", 1, 4, out);
    put_number(out, 150);
    put_head(out, "MAIN", 0, 12 + 12 + 12 + voxels + 12 + 4 * (COLORS + 1ull));
    put_head(out, "SIZE", 12, 0);
    for (int c = 0; c < 3; c++) {
        put_number(out, (uint64_t)(scan->high[c] - scan->low[c]) + 1);
    }
    put_head(out, "XYZI", voxels, 0);
    put_number(out, design->voxel_count);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        for (int c = 0; c < 3; c++) {
            VXE_ASSERT(design->voxels[v].position[c] >= scan->low[c] &&
                       design->voxels[v].position[c] - scan->low[c] < MAX);
            fputc(design->voxels[v].position[c] - scan->low[c], out);
        }
        fputc((int)design->voxels[v].material + 1, out);
    }
    put_palette(out, design);
    return vxe_file_commit(&writer, error);
}
