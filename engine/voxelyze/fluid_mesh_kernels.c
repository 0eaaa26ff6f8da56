/* SPDX-License-Identifier: MIT */
/* Drag of a fluid on the surface mesh of a body; see fluid_mesh.c. This file is compiled once per
   instruction set, in double. Scattered numbers are read one by one, which is faster than gather
   instructions (measured on Zen 5), and stored in blocks that vector loops read. */
#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/voxelyze/voxelyze_law.h"

/* Facets per block. */
enum { BLOCK = 32 };

/* Keeps compilers from vectorising the loop that computes this index. */
#define BY_SCALARS(index) __asm__("" : "+r"(index))

/* Computes the corners of all voxels as cubes of nominal size. Opposite corners are mirror images,
 * so four rotations serve eight corners. */
static void place_parts(const vxe_kernel_arrays *s, uint32_t voxels, ptrdiff_t stride,
                        vxe_real *restrict part)
{
    const vxe_real *restrict x[3] = REALS_3(s->x);
    const vxe_real *restrict q[4] = REALS_4(s->q);
    const vxe_real half = R(0.5) * s->edge;
#pragma omp simd
    for (ptrdiff_t i = 0; i < (ptrdiff_t)voxels; i++) {
        const vxe_columns axes =
            columns_of((vxe_quat){q[0][i], q[1][i], q[2][i], q[3][i]}, (vxe_tilt){1, 0, 0});
        for (ptrdiff_t k = 0; k < 4; k++) {
            const vxe_vec3 out =
                along_columns(&axes, (vxe_vec3){k & 1 ? half : -half, k & 2 ? half : -half, -half});
            vxe_real *lower = part + k * stride;
            vxe_real *upper = part + (7 - k) * stride;
            lower[i] = x[0][i] + out.x;
            lower[8 * stride + i] = x[1][i] + out.y;
            lower[16 * stride + i] = x[2][i] + out.z;
            upper[i] = x[0][i] - out.x;
            upper[8 * stride + i] = x[1][i] - out.y;
            upper[16 * stride + i] = x[2][i] - out.z;
        }
    }
}

/* Computes the mesh's corners as means of their parts. */
static void place_corners(const vxe_fluid_mesh *mesh, const vxe_real *part, uint64_t stride,
                          vxe_real *restrict corner)
{
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        vxe_real sum[3] = {0, 0, 0};
        for (uint32_t p = mesh->part_first[i]; p < mesh->part_first[i + 1]; p++) {
            uint32_t at = mesh->part[p];
            BY_SCALARS(at);
            sum[0] += part[at];
            sum[1] += part[8 * stride + at];
            sum[2] += part[16 * stride + at];
        }
        for (uint64_t c = 0; c < 3; c++) {
            corner[3ull * i + c] = sum[c] * mesh->share[i];
        }
    }
}

/* A block of facets: their corners, the velocities of their voxels, and the forces on them. */
typedef struct facets {
    vxe_real corner[4][3][BLOCK];
    vxe_real rate[3][BLOCK];
    vxe_real force[3][BLOCK];
} facets;

/* Loads count facets from first on into a block; lanes after the last keep old numbers. */
static void bring_facets(const vxe_kernel_arrays *s, const vxe_fluid_mesh *mesh,
                         const vxe_real *corner, uint32_t first, uint32_t count, facets *into)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *around = mesh->facet_corner + 4ull * (first + i);
        uint32_t slot = mesh->facet_slot[first + i];
        BY_SCALARS(slot);
        for (uint64_t c = 0; c < 3; c++) {
            for (int k = 0; k < 4; k++) {
                into->corner[k][c][i] = corner[3ull * around[k] + c];
            }
            into->rate[c][i] = reals_const(s->v[c])[slot];
        }
    }
}

/* Drag on a triangle whose voxel moves at v: against its outward normal if it moves along it, else
 * 0. */
VXE_INLINE vxe_vec3 triangle_drag(vxe_real drag, vxe_vec3 a, vxe_vec3 b, vxe_vec3 c, vxe_vec3 v)
{
    const vxe_vec3 n = vec_cross(vec_sub(b, a), vec_sub(c, a)); /* twice the area */
    const vxe_real n2 = vec_dot(n, n);
    const vxe_real towards = vec_dot(n, v);
    const vxe_real ahead = towards > 0 ? towards : R(0.0);
    const vxe_real safe = n2 > 0 ? n2 : R(1.0);
    return vec_scaled(R(-0.5) * drag * (ahead * ahead) / safe, n);
}

/* The vector of a lane. */
VXE_INLINE vxe_vec3 lane_of(vxe_real (*numbers)[BLOCK], ptrdiff_t i)
{
    return (vxe_vec3){numbers[0][i], numbers[1][i], numbers[2][i]};
}

/* Computes the drag on a block of facets, two triangles each. */
static void drag_facets(vxe_real drag, facets *of)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < BLOCK; i++) {
        const vxe_vec3 rate = lane_of(of->rate, i);
        const vxe_vec3 a = lane_of(of->corner[0], i);
        const vxe_vec3 c = lane_of(of->corner[2], i);
        const vxe_vec3 one = triangle_drag(drag, a, lane_of(of->corner[1], i), c, rate);
        const vxe_vec3 two = triangle_drag(drag, a, c, lane_of(of->corner[3], i), rate);
        of->force[0][i] = one.x + two.x;
        of->force[1][i] = one.y + two.y;
        of->force[2][i] = one.z + two.z;
    }
}

/* Adds the drag of all facets to the push of their voxels. */
static void flow_past(const vxe_kernel_arrays *s, uint32_t voxels, const vxe_fluid_mesh *mesh,
                      const vxe_voxelyze_flow *flow, double drag)
{
    VXE_ASSERT(flow->part && flow->corner && voxels <= flow->stride);
    facets block = {0};
    place_parts(s, voxels, (ptrdiff_t)flow->stride, flow->part);
    place_corners(mesh, flow->part, flow->stride, flow->corner);
    for (uint32_t first = 0; first < mesh->facet_count; first += BLOCK) {
        const uint32_t left = mesh->facet_count - first;
        const uint32_t count = left < BLOCK ? left : BLOCK;
        bring_facets(s, mesh, flow->corner, first, count, &block);
        drag_facets(drag, &block);
        for (uint32_t i = 0; i < count; i++) { /* one by one: a voxel may have several facets */
            for (int c = 0; c < 3; c++) {
                s->voxelyze->push[c][mesh->facet_slot[first + i]] += block.force[c][i];
            }
        }
    }
}

extern const vxe_fluid_mesh_kernels VXE_VARIANT(vxe_fluid_mesh_kernels);

const vxe_fluid_mesh_kernels VXE_VARIANT(vxe_fluid_mesh_kernels) = {.flow = flow_past};
