/* SPDX-License-Identifier: MIT */
/* Points are added one by one: the faces that a point outside sees are replaced by a fan from it to
   their rim (Kallay1984). Corners of voxels
   lie in common planes by the thousand; each is moved at random by 1e-8 of the extent, so that no
   four do. */
#include "common/convex_hull_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/matrix_internal.h"
#include "common/memory.h"
#include "common/random_internal.h"

#define MOVED 1e-8
/* Least part of the extent by which the first tetrahedron's corners lie apart. */
#define FLAT 1e-12
#define FIRST_ROOM 256u

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
    face *faces; /* (room) */
    uint32_t face_count, capacity;
    edge *rim; /* (3 * room) of faces taken away: edges, those between two of them twice */
    uint32_t rim_count;
} hull;

static void subtract(const double a[3], const double b[3], double into[3])
{
    for (int c = 0; c < 3; c++) {
        into[c] = a[c] - b[c];
    }
}

/* Area vector of a triangle, times 2. */
static void normal_of(const hull *h, uint32_t a, uint32_t b, uint32_t c, double into[3])
{
    double u[3];
    double v[3];
    subtract(h->points[b], h->points[a], u);
    subtract(h->points[c], h->points[a], v);
    vxe_cross3(u, v, into);
}

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

/* Takes the points over, from the first one and in parts of their extent. */
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

/* Makes room for so many faces more. */
static bool make_room(hull *h, uint32_t more)
{
    uint32_t capacity = h->capacity ? h->capacity : FIRST_ROOM;
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
    face *f = &h->faces[h->face_count++];
    *f = (face){.corner = {a, b, c}};
    normal_of(h, a, b, c, f->normal);
    f->offset = vxe_dot3(f->normal, h->points[a]);
}

/* The four corners of a tetrahedron, each as far as can be from those before; false where all
   points are in a plane. */
static bool find_first(const hull *h, uint32_t corner[4])
{
    double max[4] = {-HUGE_VAL, FLAT, FLAT, FLAT};
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

/* Takes away the faces that a point sees, and keeps their edges. */
static void take_away(hull *h, uint32_t point)
{
    uint32_t kept = 0;
    h->rim_count = 0;
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
    h->face_count = kept;
}

/* Whether the other side of an edge is still a face of the hull. */
static bool is_outer(const hull *h, edge e)
{
    for (uint32_t i = 0; i < h->rim_count; i++) {
        if (h->rim[i].from == e.to && h->rim[i].to == e.from) {
            return false;
        }
    }
    return true;
}

/* A fan from the rim to the point. */
static bool fan_out(hull *h, uint32_t point)
{
    if (!make_room(h, h->rim_count)) {
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
    if (!make_room(h, 4)) {
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
        take_away(h, i);
        if (!fan_out(h, i)) {
            return false;
        }
    }
    return true;
}

static double volume_of(const hull *h)
{
    double volume = 0; /* of tetrahedra to the origin, which is a corner but for its move */
    for (uint32_t i = 0; i < h->face_count; i++) {
        volume += h->faces[i].offset / 6;
    }
    return volume;
}

double vxe_hull_volume(const double *points, uint32_t count)
{
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
