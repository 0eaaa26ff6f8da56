/* SPDX-License-Identifier: MIT */
/* The current faces of a body and distances of points from them; see affine_hull.h. P carries the
   faces along, its cofactors carry their normals (Nanson's formula, GurtinFriedAnand2010). */
#include "engine/affine/affine_hull.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/affine/affine_group.h"

vxe_status vxe_hull_init(vxe_affine_hull *hull, const vxe_affine *body, vxe_error *error)
{
    const uint32_t count = body->patch_count;
    *hull = (vxe_affine_hull){.count = count, .face = body->face_of};
    hull->patches = vxe_memory_take(count, sizeof *hull->patches);
    hull->corner = vxe_memory_take(count, sizeof *hull->corner);
    hull->normal = vxe_memory_take(count, sizeof *hull->normal);
    hull->level = vxe_memory_take(count, sizeof *hull->level);
    return hull->patches && hull->corner && hull->normal && hull->level
               ? VXE_OK
               : vxe_error_memory(error, count * (uint64_t)sizeof *hull->corner);
}

void vxe_hull_clear(vxe_affine_hull *hull)
{
    vxe_memory_release(hull->patches);
    vxe_memory_release(hull->corner);
    vxe_memory_release(hull->normal);
    vxe_memory_release(hull->level);
    *hull = (vxe_affine_hull){.count = 0};
}

void vxe_hull_put(vxe_affine_hull *hull, const vxe_affine *body, const vxe_affine_state *state)
{
    static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const double *p = state->deformation;
    double turned[9]; /* carries normals along (Nanson) */
    double farthest = 0;
    VXE_ASSERT(hull->count == body->patch_count && hull->face == body->face_of);
    vxe_affine_frame_of(state, &hull->frame);
    vxe_m3_cofactors(p, turned);
    for (uint32_t i = 0; i < hull->count; i++) {
        double *n = hull->normal[i];
        vxe_affine_deform(p, &body->patches[i], &hull->patches[i]);
        vxe_m3_apply(turned, body->normals + 3 * (size_t)i, n);
        const double length = sqrt(vxe_dot3(n, n));
        for (int c = 0; c < 3; c++) {
            n[c] /= length;
        }
        hull->level[i] = vxe_dot3(n, hull->patches[i].middle);
        for (int k = 0; k < 4; k++) {
            double *corner = hull->corner[i][k];
            vxe_power_place(&hull->patches[i], sign[k][0], sign[k][1], corner);
            farthest = fmax(farthest, vxe_dot3(corner, corner));
        }
    }
    hull->radius = sqrt(farthest);
}

static void less(const double a[3], const double b[3], double into[3])
{
    for (int c = 0; c < 3; c++) {
        into[c] = a[c] - b[c];
    }
}

void vxe_hull_velocity(const vxe_affine_hull *hull, const double x[3], double v[3])
{
    double arm[3];
    less(x, hull->frame.place, arm);
    vxe_power_velocity(&hull->frame, arm, v);
}

/* Whether a point is above a patch, that is, its foot on the plane lies within the patch. If it is
   not, and an edge of the patch is nearer than the best distance so far, way (m, from the nearest
   point of the edge to x) and its square are replaced. x is measured from the hull's place. */
static bool is_above(const vxe_affine_hull *hull, uint32_t patch, const double x[3], double way[3],
                     double *square)
{
    const double *n = hull->normal[patch];
    bool above = true;
    for (int k = 0; k < 4; k++) {
        const double *from = hull->corner[patch][k];
        double edge[3];
        double arm[3];
        double out[3];
        less(hull->corner[patch][(k + 1) % 4], from, edge);
        less(x, from, arm);
        vxe_cross3(edge, n, out);
        const double length = vxe_dot3(edge, edge);
        if (!(vxe_dot3(arm, out) > 0) || !(length > 0)) {
            continue;
        }
        above = false;
        const double along = fmin(fmax(vxe_dot3(arm, edge) / length, 0), 1);
        double gap[3];
        for (int c = 0; c < 3; c++) {
            gap[c] = arm[c] - along * edge[c];
        }
        if (vxe_dot3(gap, gap) < *square) {
            *square = vxe_dot3(gap, gap);
            memcpy(way, gap, 3 * sizeof *way);
        }
    }
    return above;
}

/* Inside, the distance is that to the nearest face plane. Outside, it is the height above a plane
   if the point is above that patch, else the distance to the nearest edge. A plane that is farther
   below the point than the best distance so far cannot improve it and is skipped. */
void vxe_hull_nearest(const vxe_affine_hull *hull, const double x[3], vxe_hull_point *nearest)
{
    double from[3];
    double way[3] = {0, 0, 0};
    double square = HUGE_VAL;
    double highest = -HUGE_VAL;
    uint32_t top = 0;
    VXE_ASSERT(hull->count > 0);
    less(x, hull->frame.place, from);
    for (uint32_t i = 0; i < hull->count; i++) {
        const double height = vxe_dot3(hull->normal[i], from) - hull->level[i];
        top = height > highest ? i : top;
        highest = height > highest ? height : highest;
    }
    uint32_t under = highest <= 0 || is_above(hull, top, from, way, &square) ? top : VXE_NONE;
    for (uint32_t i = 0; i < hull->count && under == VXE_NONE; i++) {
        const double height = vxe_dot3(hull->normal[i], from) - hull->level[i];
        if (i != top && height > 0 && height * height < square &&
            is_above(hull, i, from, way, &square)) {
            under = i;
            highest = height;
        }
    }
    under = square > 0 ? under : top; /* a point on an edge has no direction to it */
    nearest->distance = highest;
    if (under != VXE_NONE) {
        memcpy(nearest->n, hull->normal[under], sizeof nearest->n);
        return;
    }
    nearest->distance = sqrt(square);
    for (int c = 0; c < 3; c++) {
        nearest->n[c] = way[c] / nearest->distance;
    }
}
