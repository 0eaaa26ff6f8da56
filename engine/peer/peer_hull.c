/* SPDX-License-Identifier: MIT */
/* What a fluid sees of a body: its free faces, each between four corners that all voxels around a
   corner share, where their cubes of nominal size put it in the mean. A face is two triangles; one
   that its voxel moves ahead of is held back by C A v_n^2 against its normal. Source: land-water's
   surface mesh, as full_cross of the oracle was reproduced. */
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/step_internal.h"

/* Corners of a cube, bit c set on the side of +c, around its face +x, -x, +y, ... seen from
 * outside, counter-clockwise. */
static const uint8_t around[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                     {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};

/* The slot at a lattice place beside a voxel's, or VXE_NONE: by walking its bonds is not enough
   where voxels touch at an edge alone, so cells are searched in scan order. */
static uint32_t slot_at(const int32_t (*cells)[3], uint32_t count, const int32_t at[3])
{
    uint32_t low = 0;
    uint32_t high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int32_t *cell = cells[middle];
        const bool ahead = cell[2] != at[2]   ? cell[2] < at[2]
                           : cell[1] != at[1] ? cell[1] < at[1]
                                              : cell[0] < at[0];
        if (ahead) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && memcmp(cells[low], at, sizeof cells[low]) == 0 ? low : VXE_NONE;
}

/* Numbers the corners of all voxels, (S, 8): one that several share has one number. Returns how
 * many there are. */
static uint32_t number_corners(const int32_t (*cells)[3], uint32_t count, uint32_t *corner)
{
    uint32_t corners = 0;
    for (uint32_t slot = 0; slot < count; slot++) {
        for (uint32_t own = 0; own < 8; own++) {
            uint32_t number = VXE_NONE;
            for (uint32_t beside = 1; beside < 8 && number == VXE_NONE; beside++) {
                int32_t at[3];
                for (int c = 0; c < 3; c++) {
                    const int32_t step = own >> c & 1 ? 1 : -1;
                    at[c] = cells[slot][c] + (beside >> c & 1 ? step : 0);
                }
                const uint32_t other = slot_at(cells, count, at);
                if (other < slot) {
                    number = corner[8ull * other + (own ^ beside)];
                }
            }
            corner[8ull * slot + own] = number == VXE_NONE ? corners++ : number;
        }
    }
    return corners;
}

/* Lists the parts that voxels have in each corner. */
static void list_parts(vxe_peer_hull *hull, const uint32_t *corner, uint32_t count)
{
    for (uint64_t i = 0; i < 8ull * count; i++) {
        hull->part_first[corner[i] + 1]++;
    }
    for (uint32_t c = 0; c < hull->corner_count; c++) {
        hull->part_first[c + 1] += hull->part_first[c];
    }
    for (uint64_t i = 8ull * count; i-- > 0;) { /* from behind: the ends become the beginnings */
        hull->part[--hull->part_first[corner[i] + 1]] = (uint32_t)(i / 8) << 3 | (uint32_t)(i % 8);
    }
    memmove(hull->part_first, hull->part_first + 1, hull->corner_count * sizeof *hull->part_first);
    hull->part_first[hull->corner_count] = 8 * count;
}

static void list_facets(vxe_peer_hull *hull, const vxe_topology *topology, const uint32_t *corner)
{
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        for (int face = 0; face < 6; face++) {
            if (topology->faces[slot] >> face & 1) {
                uint32_t *facet = hull->facet + 5ull * hull->facet_count++;
                facet[0] = slot;
                for (int c = 0; c < 4; c++) {
                    facet[c + 1] = corner[8ull * slot + around[face][c]];
                }
            }
        }
    }
}

vxe_status vxe_peer_hull_init(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const vxe_topology *topology = &model->topology;
    const uint32_t count = topology->voxel_count;
    vxe_peer_hull *hull = &model->peer->hull;
    int32_t(*cells)[3] = vxe_memory_take(count, sizeof *cells);
    uint32_t *corner = vxe_memory_take(8ull * count, sizeof *corner);
    vxe_status status = VXE_OK;
    if (cells && corner) {
        for (uint32_t slot = 0; slot < count; slot++) {
            memcpy(cells[slot], design->voxels[topology->order[slot]].position, sizeof cells[slot]);
        }
        hull->corner_count = number_corners((const int32_t(*)[3])cells, count, corner);
        hull->part_first = vxe_memory_take(hull->corner_count + 2ull, sizeof *hull->part_first);
        hull->part = vxe_memory_take(8ull * count, sizeof *hull->part);
        hull->facet = vxe_memory_take(30ull * count, sizeof *hull->facet);
    }
    if (cells && corner && hull->part_first && hull->part && hull->facet) {
        list_parts(hull, corner, count);
        list_facets(hull, topology, corner);
    } else {
        status = vxe_error_memory(error, 40ull * count * sizeof *corner);
    }
    vxe_memory_release(cells);
    vxe_memory_release(corner);
    return status;
}

/* Half axes (m) of every voxel. */
static void turn_frames(const vxe_scratch *scratch)
{
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    const double half = 0.5 * arrays->edge;
    for (uint32_t i = 0; i < scratch->model->topology.voxel_count; i++) {
        const double w = ((const double *)arrays->q[0])[i];
        const double x = ((const double *)arrays->q[1])[i];
        const double y = ((const double *)arrays->q[2])[i];
        const double z = ((const double *)arrays->q[3])[i];
        double *f = scratch->peer->frame + 9ull * i;
        f[0] = half * (1 - 2 * (y * y + z * z));
        f[1] = half * (2 * (x * y + w * z));
        f[2] = half * (2 * (x * z - w * y));
        f[3] = half * (2 * (x * y - w * z));
        f[4] = half * (1 - 2 * (x * x + z * z));
        f[5] = half * (2 * (y * z + w * x));
        f[6] = half * (2 * (x * z + w * y));
        f[7] = half * (2 * (y * z - w * x));
        f[8] = half * (1 - 2 * (x * x + y * y));
    }
}

/* Where corners are in the mean. */
static void place_corners(const vxe_scratch *scratch)
{
    const vxe_peer_hull *hull = &scratch->model->peer->hull;
    for (uint32_t corner = 0; corner < hull->corner_count; corner++) {
        double sum[3] = {0};
        const uint32_t first = hull->part_first[corner];
        const uint32_t last = hull->part_first[corner + 1];
        for (uint32_t i = first; i < last; i++) {
            const uint32_t slot = hull->part[i] >> 3;
            const double *f = scratch->peer->frame + 9ull * slot;
            for (int c = 0; c < 3; c++) {
                sum[c] += ((const double *)scratch->arrays.x[c])[slot];
                for (int axis = 0; axis < 3; axis++) {
                    const double half = f[3 * axis + c];
                    sum[c] += hull->part[i] >> axis & 1 ? half : -half;
                }
            }
        }
        for (int c = 0; c < 3; c++) {
            scratch->peer->corner[3ull * corner + (uint32_t)c] = sum[c] / (double)(last - first);
        }
    }
}

/* Drag on a triangle whose voxel moves at v, added to force. */
static void drag_triangle(double drag, const double *a, const double *b, const double *c,
                          const double v[3], double force[3])
{
    const double p[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double q[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                         p[0] * q[1] - p[1] * q[0]}; /* twice the area */
    const double n2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    const double ahead = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
    if (ahead > 0 && n2 > 0) {
        const double by = 0.5 * drag * ahead * ahead / n2;
        for (int k = 0; k < 3; k++) {
            force[k] -= by * n[k];
        }
    }
}

void vxe_peer_flow(const vxe_scratch *scratch)
{
    const vxe_peer_model *peer = scratch->model->peer;
    const double *corner = scratch->peer->corner;
    turn_frames(scratch);
    place_corners(scratch);
    for (uint32_t i = 0; i < peer->hull.facet_count; i++) {
        const uint32_t *facet = peer->hull.facet + 5ull * i;
        double v[3];
        double force[3] = {0};
        for (int c = 0; c < 3; c++) {
            v[c] = ((const double *)scratch->arrays.v[c])[facet[0]];
        }
        for (uint32_t half = 0; half < 2; half++) {
            drag_triangle(peer->drag, corner + 3ull * facet[1], corner + 3ull * facet[2 + half],
                          corner + 3ull * facet[3 + half], v, force);
        }
        for (int c = 0; c < 3; c++) {
            scratch->peer->push[c][facet[0]] += force[c];
        }
    }
}
