/* SPDX-License-Identifier: MIT */
/* A fluid's drag on the mesh around a body, see peer_hull.c. This file is compiled once per
   instruction set, in double. */
#include <stddef.h>

#include "engine/peer/peer_law_internal.h"

/* One corner of every voxel where its own cube of nominal size has it, out from its middle: corner
 * k of slot i at k S + i. */
static void place_part(const vxe_kernel_arrays *s, uint32_t voxels, vxe_lane3 out,
                       vxe_real *const part[3])
{
    const vxe_real *restrict x[3] = {s->x[0], s->x[1], s->x[2]};
    const vxe_real *restrict q[4] = {s->q[0], s->q[1], s->q[2], s->q[3]};
    vxe_real *restrict to[3] = {part[0], part[1], part[2]};
#pragma omp simd
    for (ptrdiff_t i = 0; i < (ptrdiff_t)voxels; i++) {
        const vxe_columns axes =
            columns_of((vxe_lane4){q[0][i], q[1][i], q[2][i], q[3][i]}, (vxe_tilt){1, 0, 0});
        const vxe_lane3 at = along_columns(&axes, out);
        to[0][i] = x[0][i] + at.x;
        to[1][i] = x[1][i] + at.y;
        to[2][i] = x[2][i] + at.z;
    }
}

static void place_parts(const vxe_kernel_arrays *s, uint32_t voxels, const vxe_peer_flow *flow)
{
    const vxe_real half = R(0.5) * s->edge;
    for (uint64_t k = 0; k < 8; k++) {
        const vxe_lane3 out = {k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half};
        vxe_real *const part[3] = {flow->part[0] + k * flow->stride,
                                   flow->part[1] + k * flow->stride,
                                   flow->part[2] + k * flow->stride};
        place_part(s, voxels, out, part);
    }
}

/* Corners in the mean of their parts. */
static void place_corners(const vxe_peer_hull *hull, const vxe_peer_flow *flow)
{
    const ptrdiff_t count = (ptrdiff_t)hull->corner_count;
    const int32_t *restrict index = hull->part;
    const vxe_real *restrict share = hull->share;
    for (int c = 0; c < 3; c++) {
        const vxe_real *restrict part = flow->part[c];
        vxe_real *restrict corner = flow->corner[c];
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            vxe_real sum = 0;
            for (ptrdiff_t k = 0; k < VXE_PEER_PARTS; k++) {
                sum += part[index[k * count + i]];
            }
            corner[i] = sum * share[i];
        }
    }
}

VXE_INLINE vxe_lane3 corner_at(vxe_real *const corner[3], int32_t index)
{
    return (vxe_lane3){corner[0][index], corner[1][index], corner[2][index]};
}

/* Drag on a triangle whose voxel moves at v: against its normal where it moves ahead. */
VXE_INLINE vxe_lane3 triangle_drag(vxe_real drag, vxe_lane3 a, vxe_lane3 b, vxe_lane3 c,
                                   vxe_lane3 v)
{
    const vxe_lane3 n = lane_cross(lane_sub(b, a), lane_sub(c, a)); /* twice the area */
    const vxe_real n2 = lane_dot(n, n);
    const vxe_real towards = lane_dot(n, v);
    const vxe_real ahead = towards > 0 ? towards : R(0.0);
    const vxe_real safe = n2 > 0 ? n2 : R(1.0);
    return lane_scaled(R(-0.5) * drag * (ahead * ahead) / safe, n);
}

static void drag_facets(const vxe_kernel_arrays *s, const vxe_peer_hull *hull,
                        const vxe_peer_flow *flow, vxe_real drag)
{
    const ptrdiff_t count = (ptrdiff_t)hull->facet_count;
    const int32_t *restrict slot = hull->facet_slot;
    const int32_t *restrict around = hull->facet_corner;
    const vxe_real *v[3] = {s->v[0], s->v[1], s->v[2]};
    vxe_real *corner[3] = {flow->corner[0], flow->corner[1], flow->corner[2]};
    vxe_real *restrict force[3] = {flow->force[0], flow->force[1], flow->force[2]};
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_lane3 rate = {v[0][slot[i]], v[1][slot[i]], v[2][slot[i]]};
        const vxe_lane3 a = corner_at(corner, around[i]);
        const vxe_lane3 b = corner_at(corner, around[count + i]);
        const vxe_lane3 c = corner_at(corner, around[2 * count + i]);
        const vxe_lane3 d = corner_at(corner, around[3 * count + i]);
        const vxe_lane3 one = triangle_drag(drag, a, b, c, rate);
        const vxe_lane3 two = triangle_drag(drag, a, c, d, rate);
        force[0][i] = one.x + two.x;
        force[1][i] = one.y + two.y;
        force[2][i] = one.z + two.z;
    }
}

static void flow_past(const vxe_kernel_arrays *s, uint32_t voxels, const vxe_peer_hull *hull,
                      const vxe_peer_flow *flow, double drag)
{
    place_parts(s, voxels, flow);
    place_corners(hull, flow);
    drag_facets(s, hull, flow, drag);
    for (uint32_t i = 0; i < hull->facet_count; i++) { /* a voxel may have several */
        for (int c = 0; c < 3; c++) {
            s->peer->push[c][hull->facet_slot[i]] += flow->force[c][i];
        }
    }
}

extern const vxe_peer_hull_kernels VXE_VARIANT(vxe_peer_hull_kernels);

const vxe_peer_hull_kernels VXE_VARIANT(vxe_peer_hull_kernels) = {.flow = flow_past};
