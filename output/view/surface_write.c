/* SPDX-License-Identifier: MIT */
/* Writes the surface of a frame as .obj with .mtl, or as binary .stl. */
#include "output/view/surface_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/bytes_internal.h"
#include "common/cell_list_internal.h"
#include "common/file_internal.h"
#include "common/matrix_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "output/view/colors.h"
#include "output/view/mesh.h"

#define STL_HEAD 80u
#define LONGEST 1024u

bool vxe_shape_is_one(const char *path)
{
    return vxe_file_has_ending(path, ".obj") || vxe_file_has_ending(path, ".stl");
}

/* Writes a triangle of binary STL: normal, three corners, two unused bytes. */
static void put_triangle(vxe_bytes *bytes, const double *a, const double *b, const double *c)
{
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    double n[3];
    vxe_cross3(u, v, n);
    const double length = sqrt(vxe_dot3(n, n));
    const double *const corners[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        vxe_bytes_put_float(bytes, length > 0 ? n[k] / length : 0);
    }
    for (int k = 0; k < 9; k++) {
        vxe_bytes_put_float(bytes, corners[k / 3][k % 3]);
    }
    vxe_bytes_put(bytes, "\0", 2);
}

static vxe_status write_stl(const vxe_mesh *mesh, const double *places, const char *path,
                            vxe_error *error)
{
    static const char head[STL_HEAD] = "Voxelastic, metres, z up"; /* binary files must not begin
                                                                      with "solid" */
    vxe_file_writer file;
    vxe_bytes bytes = {0};
    vxe_bytes_put(&bytes, head, sizeof head);
    uint32_t triangles = 0;
    for (uint32_t i = 0; i < mesh->quad_count; i++) {
        triangles += mesh->quads[i].vertex[3] == mesh->quads[i].vertex[2] ? 1 : 2;
    }
    vxe_bytes_put_u32(&bytes, triangles);
    for (uint32_t i = 0; i < mesh->quad_count; i++) {
        const double *corner[4];
        for (int k = 0; k < 4; k++) {
            corner[k] = places + 3 * (size_t)mesh->quads[i].vertex[k];
        }
        put_triangle(&bytes, corner[0], corner[1], corner[2]);
        if (corner[3] != corner[2]) {
            put_triangle(&bytes, corner[0], corner[2], corner[3]);
        }
    }
    VXE_ASSERT(bytes.bad || bytes.size == STL_HEAD + 4 + 50ull * triangles);
    vxe_status status =
        bytes.bad ? vxe_error_memory(error, bytes.size) : vxe_file_begin(&file, path, error);
    if (!status) {
        fwrite(bytes.data, 1, bytes.size, file.stream);
        status = vxe_file_commit(&file, error);
    }
    vxe_bytes_clear(&bytes);
    return status;
}

/* Writes a blank and a number. */
static void put_number(FILE *out, double value)
{
    char text[40];
    fprintf(out, " %s", vxe_number_print(text, sizeof text, value, 9));
}

/* Writes the colours of materials. They are named by number, since names of materials may hold any
   character. */
static void put_materials(const vxe_design *design, const float *colors, FILE *out)
{
    for (uint32_t i = 0; i < design->material_count + design->affine_count; i++) {
        const float *color = i < design->material_count
                                 ? colors + 3 * (size_t)i
                                 : vxe_body_color(i - design->material_count);
        fprintf(out, "newmtl material_%u\nKd", i);
        for (int c = 0; c < 3; c++) {
            put_number(out, (double)color[c]);
        }
        fputs("\nKa 0 0 0\nKs 0 0 0\nillum 1\n\n", out);
    }
}

/* Writes the faces of a material. */
static void put_faces(const vxe_material_faces *sorted, const vxe_mesh *mesh, uint32_t material,
                      FILE *out)
{
    if (sorted->first[material] < sorted->first[material + 1]) {
        fprintf(out, "usemtl material_%u\n", material);
    }
    for (uint32_t i = sorted->first[material]; i < sorted->first[material + 1]; i++) {
        const vxe_quad *quad = &mesh->quads[sorted->face[i]];
        fprintf(out, "f %u %u %u", quad->vertex[0] + 1, quad->vertex[1] + 1, quad->vertex[2] + 1);
        if (quad->vertex[3] != quad->vertex[2]) {
            fprintf(out, " %u", quad->vertex[3] + 1);
        }
        fputc('\n', out);
    }
}

/* Writes the surface. paint: path of the file with its colours. */
static void put_obj(const vxe_material_faces *sorted, const vxe_mesh *mesh, const double *places,
                    const char *paint, FILE *out)
{
    const char *slash = strrchr(paint, '/');
    fprintf(out, "# Voxelastic: metres, z up\nmtllib %s\n", slash ? slash + 1 : paint);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        fputc('v', out);
        for (size_t c = 0; c < 3; c++) {
            put_number(out, places[3 * (size_t)i + c]);
        }
        fputc('\n', out);
    }
    for (uint32_t m = 0; m < sorted->materials; m++) {
        put_faces(sorted, mesh, m, out);
    }
}

/* Writes both files before either gets its name, so that a full disk leaves both as they were. */
static vxe_status write_obj(const vxe_design *design, const vxe_mesh *mesh, const double *places,
                            const char *path, vxe_error *error)
{
    char paint[LONGEST];
    vxe_file_writer file = {0};
    vxe_file_writer other = {0};
    const size_t length = strlen(path);
    if (length + 1 > sizeof paint) {
        return vxe_error_at(error, VXE_ERROR_ARGUMENT, path, 0, 0, "the name is too long");
    }
    snprintf(paint, sizeof paint, "%.*s.mtl", (int)(length - 4), path);
    vxe_material_faces sorted;
    float *colors = NULL;
    vxe_status status = vxe_mesh_sort_faces(mesh, design, &sorted, error);
    status = status ? status : vxe_material_colors(design, &colors, error);
    status = status ? status : vxe_file_begin(&file, path, error);
    status = status ? status : vxe_file_begin(&other, paint, error);
    if (!status) {
        put_obj(&sorted, mesh, places, paint, file.stream);
        put_materials(design, colors, other.stream);
        status = fflush(file.stream) ? vxe_file_cannot_write(path, error) : VXE_OK;
        status = status ? status : vxe_file_commit(&other, error);
        status = status ? status : vxe_file_commit(&file, error);
    }
    vxe_memory_release(colors);
    vxe_mesh_clear_faces(&sorted);
    vxe_file_abandon(&other);
    vxe_file_abandon(&file);
    return status;
}

vxe_status vxe_shape_write(const vxe_design *design, const vxe_frame *frame, const char *path,
                           vxe_error *error)
{
    vxe_mesh mesh;
    if (!vxe_shape_is_one(path)) {
        return vxe_error_at(error, VXE_ERROR_ARGUMENT, path, 0, 0,
                            "expected a name in .obj or .stl");
    }
    const vxe_status wrong =
        vxe_frame_fits(frame, design->voxel_count, design->affine_count, error);
    if (wrong) {
        return wrong;
    }
    vxe_status status = vxe_mesh_init(&mesh, design, false, error);
    status = status ? status : vxe_mesh_add_bodies(&mesh, design, error);
    if (status) {
        vxe_mesh_clear(&mesh);
        return status;
    }
    double *places = vxe_memory_take(3ull * mesh.vertex_count, sizeof *places);
    if (places) {
        vxe_mesh_place(&mesh, frame, places);
        status = vxe_file_has_ending(path, ".stl") ? write_stl(&mesh, places, path, error)
                                                   : write_obj(design, &mesh, places, path, error);
    } else {
        status = vxe_error_memory(error, 24ull * mesh.vertex_count);
    }
    vxe_memory_release(places);
    vxe_mesh_clear(&mesh);
    return status;
}
