/* SPDX-License-Identifier: MIT */
/* Writes frames as VTK unstructured grids with appended, zlib-compressed arrays, and the .pvd
   list of them (VTKFormats). Until a recording is complete its frames are in a folder of their own,
   so that one that fails leaves an earlier one of the same name as it was. */
#define _POSIX_C_SOURCE 200809L
#include "output/view/paraview.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "common/assert_internal.h"
#include "common/bytes_internal.h"
#include "common/file_internal.h"
#include "common/markup.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "output/view/mesh.h"

/* Bytes of the longest path of a folder, and what it may have more than the name of the list. */
#define LONGEST 1024u
#define MORE 64u
/* VTK's cell types: a hexahedron for a voxel, a polyhedron, given by its faces, for an affine body;
   and VTK's order of the corners of a hexahedron (VTKFormats). */
#define HEXAHEDRON 12
#define POLYHEDRON 42
static const uint8_t corner_order[8] = {0, 1, 3, 2, 4, 5, 7, 6};

struct vxe_paraview {
    const vxe_design *design;
    vxe_mesh mesh;
    double *places; /* (vertices, 3) m */
    char path[LONGEST];
    char folder[LONGEST]; /* where the frames are at the end */
    char making[LONGEST]; /* where they are until then, a folder in that one; empty: none */
    double *times;        /* (count) s */
    uint64_t count, capacity;
    vxe_bytes data;  /* array that is being built */
    vxe_bytes block; /* appended data: all arrays of a file, compressed */
};

static vxe_status make_folders(vxe_paraview *p, vxe_error *error)
{
    char inner[LONGEST + 8];
    if (mkdir(p->folder, 0777) && errno != EEXIST) {
        return vxe_file_cannot_write(p->folder, error);
    }
    snprintf(inner, sizeof inner, "%s/frames", p->folder);
    const vxe_status status = vxe_file_make_folder(inner, p->making, sizeof p->making, error);
    if (status) {
        p->making[0] = '\0';
    }
    return status;
}

static vxe_status begin(vxe_paraview *p, const vxe_design *design, const char *path,
                        vxe_error *error)
{
    const size_t length = strlen(path);
    p->design = design;
    if (length + MORE > LONGEST || length < 5) {
        return vxe_error_at(error, VXE_ERROR_ARGUMENT, path, 0, 0,
                            "expected a name of at most %u characters", LONGEST - MORE);
    }
    snprintf(p->path, sizeof p->path, "%s", path);
    snprintf(p->folder, sizeof p->folder, "%.*s.frames", (int)(length - 4), path);
    vxe_status status = vxe_mesh_init(&p->mesh, design, true, error);
    status = status ? status : vxe_mesh_add_bodies(&p->mesh, design, error);
    if (!status) {
        p->places = vxe_memory_take(3ull * p->mesh.vertex_count, sizeof *p->places);
        status = p->places ? make_folders(p, error)
                           : vxe_error_memory(error, 24ull * p->mesh.vertex_count);
    }
    return status;
}

vxe_paraview *vxe_paraview_create(const vxe_design *design, const char *path, vxe_error *error)
{
    vxe_paraview *p = vxe_memory_take(1, sizeof *p);
    if (!p) {
        (void)vxe_error_memory(error, sizeof *p);
        return NULL;
    }
    if (begin(p, design, path, error)) {
        vxe_paraview_abandon(p);
        return NULL;
    }
    return p;
}

/* Appends the array, compressed as one block behind the header that VTK expects. */
static void end_array(vxe_paraview *p)
{
    uLongf size = compressBound((uLong)p->data.size);
    vxe_bytes_put_u64(&p->block, 1); /* number of blocks */
    vxe_bytes_put_u64(&p->block, p->data.size);
    vxe_bytes_put_u64(&p->block, 0); /* size of a partial last block: none */
    const uint64_t at = p->block.size;
    vxe_bytes_put_u64(&p->block, 0);
    if (!p->data.bad && vxe_bytes_reserve(&p->block, size) &&
        compress2(p->block.data + p->block.size, &size, p->data.data, (uLong)p->data.size,
                  Z_BEST_SPEED) == Z_OK) {
        const uint64_t end = p->block.size + size;
        p->block.size = at;
        vxe_bytes_put_u64(&p->block, size);
        p->block.size = end;
    } else {
        p->block.bad = true;
    }
    p->data.size = 0;
}

/* Declares an array and its offset. The caller then adds its bytes. */
static void begin_array(vxe_paraview *p, FILE *out, const char *type, const char *name, int numbers)
{
    VXE_ASSERT(p->data.size == 0); /* the array before is ended */
    fprintf(out,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%" PRIu64 "\"/>\n",
            type, name, numbers, p->block.size);
}

/* Writes an array of numbers of voxels; affine bodies get 0. */
static void put_array(vxe_paraview *p, FILE *out, const char *name, const double *values,
                      int numbers)
{
    begin_array(p, out, "Float32", name, numbers);
    for (size_t i = 0; i < (size_t)numbers * p->design->voxel_count; i++) {
        vxe_bytes_put_float(&p->data, values[i]);
    }
    for (size_t i = 0; i < (size_t)numbers * p->design->affine_count; i++) {
        vxe_bytes_put_float(&p->data, 0);
    }
    end_array(p);
}

static void put_points(vxe_paraview *p, FILE *out, const vxe_frame *frame)
{
    vxe_mesh_place(&p->mesh, frame, p->places);
    fputs("<Points>\n", out);
    begin_array(p, out, "Float64", "Points", 3);
    for (size_t i = 0; i < 3 * (size_t)p->mesh.vertex_count; i++) {
        vxe_bytes_put_double(&p->data, p->places[i]);
    }
    end_array(p);
    fputs("</Points>\n", out);
}

/* Writes the faces of affine bodies: number of faces, then number of corners and vertices of each
   face. */
static void put_faces(vxe_paraview *p, FILE *out)
{
    const uint32_t voxels = p->design->voxel_count;
    const vxe_quad *quads = p->mesh.quads;
    uint32_t first = 0;
    uint32_t at = 0;
    vxe_bytes ends = {0};
    for (uint32_t v = 0; v < voxels; v++) {
        vxe_bytes_put_u32(&ends, UINT32_MAX); /* -1: no faces, a voxel */
    }
    while (first < p->mesh.quad_count && quads[first].voxel < voxels) {
        first++;
    }
    begin_array(p, out, "Int32", "faces", 1);
    while (first < p->mesh.quad_count) {
        uint32_t end = first;
        while (end < p->mesh.quad_count && quads[end].voxel == quads[first].voxel) {
            end++;
        }
        vxe_bytes_put_u32(&p->data, end - first);
        VXE_ASSERT(quads[first].voxel < voxels + p->design->affine_count);
        at++;
        for (; first < end; first++) {
            const uint32_t *vertex = quads[first].vertex;
            const uint32_t count = vertex[3] == vertex[2] ? 3 : 4;
            vxe_bytes_put_u32(&p->data, count);
            for (uint32_t k = 0; k < count; k++) {
                vxe_bytes_put_u32(&p->data, vertex[k]);
            }
            at += 1 + count;
        }
        vxe_bytes_put_u32(&ends, at);
    }
    end_array(p);
    begin_array(p, out, "Int32", "faceoffsets", 1);
    vxe_bytes_put(&p->data, ends.data, ends.size);
    p->data.bad = p->data.bad || ends.bad;
    end_array(p);
    vxe_bytes_clear(&ends);
}

static void put_cells(vxe_paraview *p, FILE *out)
{
    const uint32_t voxels = p->design->voxel_count;
    fputs("<Cells>\n", out);
    begin_array(p, out, "Int32", "connectivity", 1);
    for (size_t v = 0; v < voxels; v++) {
        for (int k = 0; k < 8; k++) {
            vxe_bytes_put_u32(&p->data, p->mesh.vertex_of[8 * v + corner_order[k]]);
        }
    }
    for (uint32_t i = p->mesh.body_vertex_count; i > 0; i--) {
        vxe_bytes_put_u32(&p->data, p->mesh.vertex_count - i);
    }
    end_array(p);
    begin_array(p, out, "Int32", "offsets", 1);
    for (uint32_t v = 0; v < voxels; v++) {
        vxe_bytes_put_u32(&p->data, 8 * (v + 1));
    }
    for (uint32_t i = 0; i < p->mesh.body_vertex_count; i++) {
        if (i + 1 == p->mesh.body_vertex_count ||
            p->mesh.body_vertices[i + 1].body != p->mesh.body_vertices[i].body) {
            vxe_bytes_put_u32(&p->data, 8 * voxels + i + 1);
        }
    }
    end_array(p);
    begin_array(p, out, "UInt8", "types", 1);
    for (uint32_t v = 0; v < voxels; v++) {
        const uint8_t type = HEXAHEDRON;
        vxe_bytes_put(&p->data, &type, 1);
    }
    for (uint32_t b = 0; b < p->design->affine_count; b++) {
        const uint8_t type = POLYHEDRON;
        vxe_bytes_put(&p->data, &type, 1);
    }
    end_array(p);
    if (p->design->affine_count > 0) {
        put_faces(p, out);
    }
    fputs("</Cells>\n", out);
}

static void put_values(vxe_paraview *p, FILE *out, const vxe_frame *frame)
{
    fputs("<CellData>\n", out);
    begin_array(p, out, "Int32", "material", 1);
    for (uint32_t v = 0; v < p->design->voxel_count; v++) {
        vxe_bytes_put_u32(&p->data, p->design->voxels[v].material);
    }
    for (uint32_t b = 0; b < p->design->affine_count; b++) { /* materials of affine bodies are
                                                                counted behind those of voxels */
        vxe_bytes_put_u32(&p->data, p->design->material_count + b);
    }
    end_array(p);
    put_array(p, out, "strain", frame->strain, 3);
    put_array(p, out, "stress", frame->stress, 3);
    put_array(p, out, "energy", frame->energy, 1);
    put_array(p, out, "contact", frame->contact, 1);
    put_array(p, out, "edge", frame->edge, 1);
    fputs("</CellData>\n", out);
}

static void put_file(vxe_paraview *p, FILE *out, const vxe_frame *frame)
{
    p->block.size = 0;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\" "
            "compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n"
            "<Piece NumberOfPoints=\"%" PRIu32 "\" NumberOfCells=\"%" PRIu32 "\">\n",
            p->mesh.vertex_count, p->design->voxel_count + p->design->affine_count);
    put_points(p, out, frame);
    put_cells(p, out);
    put_values(p, out, frame);
    fputs("</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_", out);
    fwrite(p->block.data, 1, p->block.size, out);
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

static void name_of(const char *folder, uint64_t number, char *path, size_t size)
{
    snprintf(path, size, "%s/%06" PRIu64 ".vtu", folder, number);
}

static vxe_status note_time(vxe_paraview *p, double time, vxe_error *error)
{
    VXE_ASSERT(p->count <= p->capacity);
    if (p->count == p->capacity) {
        const uint64_t capacity = p->capacity ? 2 * p->capacity : 256;
        double *times = vxe_memory_grow(p->times, p->count, capacity, sizeof *times);
        if (!times) {
            return vxe_error_memory(error, capacity * sizeof *times);
        }
        p->times = times;
        p->capacity = capacity;
    }
    p->times[p->count++] = time;
    return VXE_OK;
}

vxe_status vxe_paraview_add(vxe_paraview *p, const vxe_frame *frame, vxe_error *error)
{
    char path[LONGEST + 40];
    vxe_file_writer file;
    const vxe_status wrong =
        vxe_frame_fits(frame, p->design->voxel_count, p->design->affine_count, error);
    if (wrong) {
        return wrong;
    }
    name_of(p->making, p->count, path, sizeof path);
    vxe_status status = vxe_file_begin(&file, path, error);
    if (status) {
        return status;
    }
    put_file(p, file.stream, frame);
    if (p->block.bad || p->data.bad) {
        vxe_file_abandon(&file);
        return vxe_error_memory(error, p->block.size + p->data.size);
    }
    status = vxe_file_commit(&file, error);
    return status ? status : note_time(p, frame->time, error);
}

/* Writes the list of frames. */
static void put_list(const vxe_paraview *p, FILE *out)
{
    const char *slash = strrchr(p->folder, '/');
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          out);
    for (uint64_t i = 0; i < p->count; i++) {
        char text[40];
        fprintf(out, "<DataSet timestep=\"%s\" part=\"0\" file=\"",
                vxe_number_print(text, sizeof text, p->times[i], 17));
        vxe_markup_put(out, slash ? slash + 1 : p->folder);
        fprintf(out, "/%06" PRIu64 ".vtu\"/>\n", i);
    }
    fputs("</Collection>\n</VTKFile>\n", out);
}

/* Moves all frames to where they belong, and removes what a longer recording of the same name has
   left behind them. */
static vxe_status move_frames(const vxe_paraview *p, vxe_error *error)
{
    char from[LONGEST + 40];
    char to[LONGEST + 40];
    for (uint64_t i = 0; i < p->count; i++) {
        name_of(p->making, i, from, sizeof from);
        name_of(p->folder, i, to, sizeof to);
        if (rename(from, to)) {
            return vxe_file_cannot_write(to, error);
        }
    }
    uint64_t further = p->count;
    do {
        name_of(p->folder, further++, to, sizeof to);
    } while (unlink(to) == 0);
    return VXE_OK;
}

vxe_status vxe_paraview_close(vxe_paraview *p, vxe_error *error)
{
    vxe_file_writer file;
    vxe_status status = vxe_file_begin(&file, p->path, error);
    if (!status) {
        put_list(p, file.stream);
        status = fflush(file.stream) ? vxe_file_cannot_write(p->path, error) : VXE_OK;
        status = status ? status : move_frames(p, error);
        if (status) {
            vxe_file_abandon(&file);
        } else {
            status = vxe_file_commit(&file, error);
        }
    }
    vxe_paraview_abandon(p);
    return status;
}

void vxe_paraview_abandon(vxe_paraview *p)
{
    if (!p) {
        return;
    }
    if (p->making[0]) {
        for (uint64_t i = 0; i < p->count; i++) {
            char path[LONGEST + 40];
            name_of(p->making, i, path, sizeof path);
            unlink(path);
        }
        (void)rmdir(p->making);
    }
    if (p->folder[0]) {
        (void)rmdir(p->folder); /* fails, and should, where the folder holds files */
    }
    vxe_mesh_clear(&p->mesh);
    vxe_memory_release(p->places);
    vxe_memory_release(p->times);
    vxe_bytes_clear(&p->data);
    vxe_bytes_clear(&p->block);
    vxe_memory_release(p);
}
