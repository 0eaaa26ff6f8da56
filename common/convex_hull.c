/* SPDX-License-Identifier: MIT */
/* The volume of a convex hull, which the fitness of some robots needs. Points are added one by one:
   the faces that are visible from a point outside the hull are replaced by triangles from that
   point to their rim (Kallay1984). Thousands of voxel corners lie in common planes, which would be
   degenerate; each point is moved at random by up to 0.5e-8 of the extent, so that no four points
   share a plane. */
#include "common/convex_hull_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/matrix_internal.h"
#include "common/memory.h"
#include "common/random_internal.h"

/* Width of the random move, as a part of the extent. */
#define MOVED 1e-8
/* Minimum distance (and twice the area, six times the volume) of the first tetrahedron, in powers
   of the extent. */
#define FLAT 1e-12
#define FIRST_CAPACITY 256u

typedef struct face {
    double normal[3], offset; /* outside: normal . p > offset */
    uint32_t corner[3];       /* counter-clockwise from outside */
} face;

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct hull {
    double (*points)[3]; /* (count) */
    uint32_t count;
    face *faces; /* (capacity) */
    uint32_t face_count, capacity;
    edge *rim; /* (3 * capacity) edges of the removed faces; an edge between two of them is there
                  once in each direction */
    uint32_t rim_count;
} hull;

static void subtract(const double a[3], const double b[3], double into[3])
{
    for (int c = 0; c < 3; c++) {
        into[c] = a[c] - b[c];
    }
}

/* Normal of a triangle, twice as long as its area. */
static void normal_of(const hull *h, uint32_t a, uint32_t b, uint32_t c, double into[3])
{
    double u[3];
    double v[3];
    subtract(h->points[b], h->points[a], u);
    subtract(h->points[c], h->points[a], v);
    vxe_cross3(u, v, into);
}

/* Largest edge of the points' bounding box. */
static double extent_of(const double *points, uint32_t count)
{
    double extent = 0;
    for (int c = 0; c < 3; c++) {
        double min = points[c];
        double max = points[c];
        for (size_t i = 1; i < count; i++) {
            min = fmin(min, points[3 * i + (size_t)c]);
            max = fmax(max, points[3 * i + (size_t)c]);
        }
        extent = fmax(extent, max - min);
    }
    return extent;
}

/* Copies the points relative to the first one, divided by the extent, each moved at random. */
static void take_points(hull *h, const double *points, double extent)
{
    vxe_stream stream = vxe_stream_open(0, 0, 0, 0);
    for (size_t i = 0; i < h->count; i++) {
        for (size_t c = 0; c < 3; c++) {
            const double moved = MOVED * (vxe_stream_unit(&stream) - 0.5);
            h->points[i][c] = (points[3 * i + c] - points[c]) / extent + moved;
        }
    }
}

/* Makes sure that more faces can be added; false without memory. */
static bool reserve_faces(hull *h, uint32_t more)
{
    uint32_t capacity = h->capacity ? h->capacity : FIRST_CAPACITY;
    while (capacity < h->face_count + more) {
        capacity *= 2;
    }
    if (capacity > h->capacity) {
        face *faces = vxe_memory_grow(h->faces, h->capacity, capacity, sizeof *faces);
        edge *rim = vxe_memory_grow(h->rim, 3ull * h->capacity, 3ull * capacity, sizeof *rim);
        h->faces = faces ? faces : h->faces;
        h->rim = rim ? rim : h->rim;
        if (!faces || !rim) {
            return false;
        }
        h->capacity = capacity;
    }
    return true;
}

static void add_face(hull *h, uint32_t a, uint32_t b, uint32_t c)
{
    VXE_ASSERT(h->face_count < h->capacity);
    VXE_ASSERT(a < h->count && b < h->count && c < h->count);
    face *f = &h->faces[h->face_count++];
    *f = (face){.corner = {a, b, c}};
    normal_of(h, a, b, c, f->normal);
    f->offset = vxe_dot3(f->normal, h->points[a]);
}

/* Chooses the four corners of the first tetrahedron, each as far as possible from those before;
   false if all points are in one plane. */
static bool find_first(const hull *h, uint32_t corner[4])
{
    double max[4] = {-HUGE_VAL, FLAT, FLAT, FLAT};
    VXE_ASSERT(h->count >= 4);
    corner[0] = 0;
    for (int found = 1; found < 4; found++) {
        double n[3] = {0};
        corner[found] = UINT32_MAX;
        if (found == 3) {
            normal_of(h, corner[0], corner[1], corner[2], n);
        }
        for (uint32_t i = 0; i < h->count; i++) {
            double way[3];
            subtract(h->points[i], h->points[corner[0]], way);
            if (found == 2) {
                normal_of(h, corner[0], corner[1], i, n);
            }
            const double far = found == 3
                                   ? fabs(vxe_dot3(n, way))
                                   : sqrt(vxe_dot3(found == 2 ? n : way, found == 2 ? n : way));
            if (far > max[found]) {
                max[found] = far;
                corner[found] = i;
            }
        }
        if (corner[found] == UINT32_MAX) {
            return false;
        }
    }
    return true;
}

/* Adds the four faces of the first tetrahedron, their corners counter-clockwise from outside. */
static void build_first(hull *h, const uint32_t corner[4])
{
    double n[3];
    double way[3];
    normal_of(h, corner[0], corner[1], corner[2], n);
    subtract(h->points[corner[3]], h->points[corner[0]], way);
    const bool above = vxe_dot3(n, way) > 0;
    const uint32_t a = corner[0];
    const uint32_t b = above ? corner[2] : corner[1];
    const uint32_t c = above ? corner[1] : corner[2];
    const uint32_t d = corner[3];
    add_face(h, a, b, c);
    add_face(h, a, d, b);
    add_face(h, b, d, c);
    add_face(h, c, d, a);
}

/* Removes the faces that are visible from a point, and stores their edges in rim. */
static void remove_visible(hull *h, uint32_t point)
{
    uint32_t kept = 0;
    h->rim_count = 0;
    VXE_ASSERT(point < h->count && h->face_count <= h->capacity);
    for (uint32_t i = 0; i < h->face_count; i++) {
        const face f = h->faces[i];
        if (vxe_dot3(f.normal, h->points[point]) > f.offset) {
            for (int c = 0; c < 3; c++) {
                h->rim[h->rim_count++] = (edge){f.corner[c], f.corner[(c + 1) % 3]};
            }
        } else {
            h->faces[kept++] = f;
        }
    }
    VXE_ASSERT(kept <= h->face_count && h->rim_count <= 3 * h->capacity);
    h->face_count = kept;
}

/* Whether an edge of the rim still has a face of the hull on its other side. */
static bool is_outer(const hull *h, edge e)
{
    for (uint32_t i = 0; i < h->rim_count; i++) {
        if (h->rim[i].from == e.to && h->rim[i].to == e.from) {
            return false;
        }
    }
    return true;
}

/* Adds the triangles between the rim and the point; false without memory. */
static bool add_fan(hull *h, uint32_t point)
{
    if (!reserve_faces(h, h->rim_count)) {
        return false;
    }
    for (uint32_t i = 0; i < h->rim_count; i++) {
        if (is_outer(h, h->rim[i])) {
            add_face(h, h->rim[i].from, h->rim[i].to, point);
        }
    }
    return true;
}

static bool build(hull *h)
{
    uint32_t corner[4] = {0};
    if (!reserve_faces(h, 4)) {
        return false;
    }
    if (find_first(h, corner)) {
        build_first(h, corner);
    }
    for (uint32_t i = 0; i < h->count && h->face_count > 0; i++) {
        const bool first = i == corner[0] || i == corner[1] || i == corner[2] || i == corner[3];
        if (first) {
            continue;
        }
        remove_visible(h, i);
        if (!add_fan(h, i)) {
            return false;
        }
    }
    return true;
}

static double volume_of(const hull *h)
{
    double volume = 0; /* sum of the tetrahedra from the origin, which is the first point, to the
                          faces */
    for (uint32_t i = 0; i < h->face_count; i++) {
        volume += h->faces[i].offset / 6;
    }
    return volume;
}

double vxe_hull_volume(const double *points, uint32_t count)
{
    VXE_ASSERT(points || count == 0);
    const double extent = count < 4 ? 0 : extent_of(points, count);
    hull h = {.count = count};
    double volume = 0;
    if (!(extent > 0)) {
        return 0;
    }
    h.points = vxe_memory_take(count, sizeof *h.points);
    if (h.points) {
        take_points(&h, points, extent);
    }
    volume = h.points && build(&h) ? volume_of(&h) * extent * extent * extent : (double)NAN;
    vxe_memory_release(h.points);
    vxe_memory_release(h.faces);
    vxe_memory_release(h.rim);
    return volume;
}
