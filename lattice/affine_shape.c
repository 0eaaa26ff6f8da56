/* SPDX-License-Identifier: MIT */
/* Converts shapes of affine bodies into polyhedra, and sums volume and moments over the tetrahedra
   from the origin to each triangle of the faces. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/matrix_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "lattice/affine.h"

/* Tolerance, relative to the size of the body: of corners from the plane of their face, and of the
   depth of dents. */
#define FLAT 1e-9

void vxe_affine_shape_release(vxe_affine_shape *shape)
{
    vxe_memory_release(shape->vertices);
    vxe_memory_release(shape->corners);
    vxe_memory_release(shape->face_sizes);
    *shape = (vxe_affine_shape){.kind = VXE_AFFINE_BOX};
}

/* Allocates the arrays of a polyhedron whose counts are set. */
static vxe_status take(vxe_affine_shape *shape, vxe_error *error)
{
    VXE_ASSERT(shape->vertex_count >= 4 && shape->face_count >= 4);
    VXE_ASSERT(shape->corner_count >= 3 * shape->face_count);
    shape->vertices = vxe_memory_take(3ull * shape->vertex_count, sizeof *shape->vertices);
    shape->corners = vxe_memory_take(shape->corner_count, sizeof *shape->corners);
    shape->face_sizes = vxe_memory_take(shape->face_count, sizeof *shape->face_sizes);
    if (shape->vertices && shape->corners && shape->face_sizes) {
        return VXE_OK;
    }
    vxe_affine_shape_release(shape);
    return vxe_error_memory(error, 32ull * shape->corner_count);
}

/* Fills a prism over a polygon of n corners (x, y), from -z to z. */
static void fill_prism(vxe_affine_shape *faces, const double (*polygon)[2], uint32_t n, double z)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t level = 0; level < 2; level++) {
            double *vertex = faces->vertices + 3 * (size_t)(i + level * n);
            vertex[0] = polygon[i][0];
            vertex[1] = polygon[i][1];
            vertex[2] = level ? z : -z;
        }
    }
    for (uint32_t i = 0; i < n; i++) { /* the bottom is reversed, since it is seen from below */
        faces->corners[at] = n - 1 - i;
        faces->corners[at + n] = n + i;
        at++;
    }
    at = 2 * n;
    faces->face_sizes[0] = faces->face_sizes[1] = n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t next = (i + 1) % n;
        const uint32_t side[4] = {i, next, next + n, i + n};
        memcpy(faces->corners + at, side, sizeof side);
        faces->face_sizes[i + 2] = 4;
        at += 4;
    }
    VXE_ASSERT(at == faces->corner_count && n + 2 == faces->face_count);
}

static vxe_status make_prism(const vxe_affine_shape *shape, vxe_affine_shape *faces,
                             vxe_error *error)
{
    double polygon[VXE_MAX_SIDES][2];
    const bool box = shape->kind == VXE_AFFINE_BOX;
    const uint32_t n = box ? 4 : shape->sides;
    VXE_ASSERT(box || shape->kind == VXE_AFFINE_CYLINDER);
    VXE_ASSERT(n >= 3 && n <= VXE_MAX_SIDES);
    for (uint32_t i = 0; i < n; i++) {
        if (box) {
            polygon[i][0] = (i == 0 || i == 3 ? -0.5 : 0.5) * shape->size[0];
            polygon[i][1] = (i < 2 ? -0.5 : 0.5) * shape->size[1];
        } else { /* the normal of one side is the x axis */
            vxe_sincos_cycles((i + 0.5) / n, &polygon[i][1], &polygon[i][0]);
            polygon[i][0] *= 0.5 * shape->size[0];
            polygon[i][1] *= 0.5 * shape->size[0];
        }
    }
    *faces = (vxe_affine_shape){.kind = VXE_AFFINE_POLYHEDRON,
                                .vertex_count = 2 * n,
                                .corner_count = 6 * n,
                                .face_count = n + 2};
    const vxe_status status = take(faces, error);
    if (!status) {
        fill_prism(faces, (const double(*)[2])polygon, n, 0.5 * shape->size[2]);
    }
    return status;
}

/* Vertex of one corner of a face. */
static const double *corner(const vxe_affine_shape *shape, uint32_t at)
{
    return shape->vertices + 3 * (size_t)shape->corners[at];
}

static double triple(const double a[3], const double b[3], const double c[3])
{
    double across[3];
    vxe_cross3(b, c, across);
    return vxe_dot3(a, across);
}

/* Volume of a polyhedron (m^3), with its first (m^4) and second (m^5) moments about the origin. */
static double sum_moments(const vxe_affine_shape *shape, double first[3], double second[9])
{
    double volume = 0;
    uint32_t at = 0;
    memset(first, 0, 3 * sizeof *first);
    memset(second, 0, 9 * sizeof *second);
    for (uint32_t face = 0; face < shape->face_count; face++) {
        for (uint32_t i = 1; i + 1 < shape->face_sizes[face]; i++) {
            const double *p[3] = {corner(shape, at), corner(shape, at + i),
                                  corner(shape, at + i + 1)};
            const double part = triple(p[0], p[1], p[2]) / 6;
            volume += part;
            for (int a = 0; a < 3; a++) {
                const double sum_a = p[0][a] + p[1][a] + p[2][a];
                first[a] += part * sum_a / 4;
                for (int b = 0; b < 3; b++) {
                    const double sum_b = p[0][b] + p[1][b] + p[2][b];
                    second[3 * a + b] +=
                        part / 20 *
                        (p[0][a] * p[0][b] + p[1][a] * p[1][b] + p[2][a] * p[2][b] + sum_a * sum_b);
                }
            }
        }
        at += shape->face_sizes[face];
    }
    return volume;
}

/* Reverses the order of the corners of all faces. */
static void reverse_faces(vxe_affine_shape *faces)
{
    uint32_t at = 0;
    for (uint32_t face = 0; face < faces->face_count; face++) {
        const uint32_t n = faces->face_sizes[face];
        for (uint32_t i = 0; i < n / 2; i++) {
            const uint32_t other = faces->corners[at + i];
            faces->corners[at + i] = faces->corners[at + n - 1 - i];
            faces->corners[at + n - 1 - i] = other;
        }
        at += n;
    }
}

/* Whether a polyhedron is closed: each of its edges occurs once in each direction. */
static bool is_closed(const vxe_affine_shape *faces)
{
    uint32_t at = 0;
    for (uint32_t face = 0; face < faces->face_count; face++) {
        const uint32_t n = faces->face_sizes[face];
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t from = faces->corners[at + i];
            const uint32_t to = faces->corners[at + (i + 1) % n];
            uint32_t back = 0;
            uint32_t again = 0;
            uint32_t other = 0;
            for (uint32_t f = 0; f < faces->face_count; f++) {
                const uint32_t m = faces->face_sizes[f];
                for (uint32_t k = 0; k < m; k++) {
                    const uint32_t a = faces->corners[other + k];
                    const uint32_t b = faces->corners[other + (k + 1) % m];
                    back += a == to && b == from;
                    again += a == from && b == to;
                }
                other += m;
            }
            if (back != 1 || again != 1) {
                return false;
            }
        }
        at += n;
    }
    return true;
}

/* Whether no vertex is outside the plane of a face, and the corners of each face are on its plane.
 */
static bool is_convex(const vxe_affine_shape *faces, double size)
{
    uint32_t at = 0;
    for (uint32_t face = 0; face < faces->face_count; face++) {
        const uint32_t n = faces->face_sizes[face];
        double normal[3] = {0, 0, 0}; /* twice as long as the area */
        for (uint32_t i = 1; i + 1 < n; i++) {
            const double *a = corner(faces, at);
            const double *b = corner(faces, at + i);
            const double *c = corner(faces, at + i + 1);
            for (int k = 0; k < 3; k++) {
                const int l = (k + 1) % 3;
                const int m = (k + 2) % 3;
                normal[k] += (b[l] - a[l]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[l] - a[l]);
            }
        }
        const double length = hypot(hypot(normal[0], normal[1]), normal[2]);
        for (uint32_t v = 0; v < faces->vertex_count; v++) {
            const double *a = corner(faces, at);
            const double *b = faces->vertices + 3 * (size_t)v;
            double beyond = 0;
            bool is_corner = false;
            for (int k = 0; k < 3; k++) {
                beyond += normal[k] * (b[k] - a[k]) / length;
            }
            for (uint32_t i = 0; i < n; i++) {
                is_corner = is_corner || faces->corners[at + i] == v;
            }
            if (!(beyond <= FLAT * size) || (is_corner && !(beyond >= -FLAT * size))) {
                return false;
            }
        }
        at += n;
    }
    return true;
}

/* Copies a polyhedron, moves its centroid to the origin and lets its faces point outwards. */
static vxe_status copy_polyhedron(const vxe_affine_shape *shape, vxe_affine_shape *faces,
                                  vxe_error *error)
{
    double first[3];
    double second[9];
    double size = 0;
    VXE_ASSERT(shape->vertices && shape->corners && shape->face_sizes);
    *faces = *shape;
    const vxe_status status = take(faces, error);
    if (status) {
        return status;
    }
    memcpy(faces->vertices, shape->vertices, 3ull * shape->vertex_count * sizeof *shape->vertices);
    memcpy(faces->corners, shape->corners, shape->corner_count * sizeof *shape->corners);
    memcpy(faces->face_sizes, shape->face_sizes, shape->face_count * sizeof *shape->face_sizes);
    /* about the first vertex, since moments about a far point would lose digits */
    for (uint32_t i = 3; i < 3 * shape->vertex_count; i++) {
        faces->vertices[i] -= faces->vertices[i % 3];
        size = fmax(size, fabs(faces->vertices[i]));
    }
    memset(faces->vertices, 0, 3 * sizeof *faces->vertices);
    double volume = sum_moments(faces, first, second);
    if (volume < 0) {
        reverse_faces(faces);
        volume = sum_moments(faces, first, second);
    }
    const bool solid = volume > FLAT * size * size * size;
    for (uint32_t i = 0; i < 3 * shape->vertex_count && solid; i++) {
        faces->vertices[i] -= first[i % 3] / volume;
    }
    const bool closed = is_closed(faces);
    if (!closed || !solid || !is_convex(faces, size)) {
        const char *what = !closed ? "is not closed: every edge must belong to two faces, which go "
                                     "along it in opposite directions"
                           : !solid ? "has no volume"
                                    : "is not convex, or a face is not plane";
        vxe_affine_shape_release(faces);
        return vxe_error_fill(error, VXE_ERROR_INPUT, "the polyhedron %s", what);
    }
    return VXE_OK;
}

vxe_status vxe_affine_shape_faces(const vxe_affine_shape *shape, vxe_affine_shape *faces,
                                  vxe_error *error)
{
    return shape->kind == VXE_AFFINE_POLYHEDRON ? copy_polyhedron(shape, faces, error)
                                                : make_prism(shape, faces, error);
}

vxe_status vxe_affine_shape_moments(const vxe_affine_shape *shape, double *volume,
                                    double moments[9], vxe_error *error)
{
    const double *size = shape->size;
    memset(moments, 0, 9 * sizeof *moments);
    if (shape->kind == VXE_AFFINE_POLYHEDRON) {
        double first[3];
        vxe_affine_shape faces;
        const vxe_status status = vxe_affine_shape_faces(shape, &faces, error);
        if (!status) {
            *volume = sum_moments(&faces, first, moments);
            vxe_affine_shape_release(&faces);
        }
        return status;
    }
    const bool round = shape->kind == VXE_AFFINE_CYLINDER;
    *volume = round ? VXE_PI / 4 * size[0] * size[0] * size[2] : size[0] * size[1] * size[2];
    for (int c = 0; c < 3; c++) {
        const double lateral = round ? size[0] * size[0] / 16 : size[c] * size[c] / 12;
        moments[4 * c] = *volume * (c < 2 ? lateral : size[2] * size[2] / 12);
    }
    return VXE_OK;
}
