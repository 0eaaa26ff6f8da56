/* SPDX-License-Identifier: MIT */
/* The surface mesh on which a fluid acts: the free faces of a body. Corners are shared by all
   voxels around them, at the mean of the positions that their cubes of nominal size give. A face is
   two triangles; a triangle whose voxel moves along its outward normal at v_n > 0 has the drag C A
   v_n^2 against that normal. Source: the surface mesh of land-water, with which its published
   swimmers were reproduced (docs/accuracy.md, Compatibility presets). */
#include <string.h>

#include "common/assert_internal.h"
#include "common/cell_list_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/model/workspace.h"
#include "engine/voxelyze/voxelyze.h"

/* Maximum number of voxels, since indices of parts have 32 bits. */
#define MAX_VOXELS (1u << 27)

/* Corners of each face of a cube (+x -x +y -y +z -z), counter-clockwise seen from outside. Bit c of
 * a corner is set on the side of +c. */
static const uint8_t around[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                     {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};

/* Cells of all slots, in scan order. */
typedef struct scan {
    const uint8_t *axes;
    int32_t (*cells)[3]; /* (count) */
    uint32_t count;
} scan;

/* The slot of a lattice cell, or VXE_NONE, by binary search in scan order. Bonds cannot be followed
   instead, since voxels that share only an edge or a corner have none. */
static uint32_t slot_at(const scan *s, const int32_t at[3])
{
    const int64_t cell[3] = {at[0], at[1], at[2]};
    uint32_t low = 0;
    uint32_t high = s->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (vxe_scan_ahead(s->axes, s->cells[middle], cell)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < s->count && memcmp(s->cells[low], at, sizeof s->cells[low]) == 0 ? low : VXE_NONE;
}

/* Numbers the corners of all voxels, (S, 8); a shared corner has one number. */
static void number_corners(const scan *s, uint32_t *corner)
{
    uint32_t corners = 0;
    for (uint32_t slot = 0; slot < s->count; slot++) {
        for (uint32_t own = 0; own < 8; own++) {
            uint32_t number = VXE_NONE;
            for (uint32_t beside = 1; beside < 8 && number == VXE_NONE; beside++) {
                int32_t at[3];
                for (int c = 0; c < 3; c++) {
                    const int32_t step = own >> c & 1 ? 1 : -1;
                    at[c] = s->cells[slot][c] + (beside >> c & 1 ? step : 0);
                }
                const uint32_t other = slot_at(s, at);
                if (other < slot) {
                    number = corner[8ull * other + (own ^ beside)];
                }
            }
            corner[8ull * slot + own] = number == VXE_NONE ? corners++ : number;
        }
    }
}

/* Renumbers the corners of free faces and sets all others to VXE_NONE. Returns their number. */
static uint32_t number_seen(const vxe_topology *topology, uint32_t *corner, uint32_t *seen)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        for (int at = 0; at < 24; at++) {
            if (topology->faces[slot] >> at / 4 & 1) {
                seen[corner[8ull * slot + around[at / 4][at % 4]]] = 1;
            }
        }
    }
    for (uint64_t i = 0; i < 8ull * topology->voxel_count; i++) {
        seen[i] = seen[i] ? count++ : VXE_NONE; /* there are fewer numbers than places */
    }
    for (uint64_t i = 0; i < 8ull * topology->voxel_count; i++) {
        corner[i] = seen[corner[i]];
    }
    return count;
}

/* Lists the voxel corners (parts) that make up each corner, in the order of slots: a counting sort.
 */
static void list_parts(vxe_fluid_mesh *mesh, const uint32_t *corner, uint32_t count, uint32_t slots)
{
    const uint32_t *first = mesh->part_first;
    vxe_cell_list_sort(corner, 8ull * count, mesh->corner_count, mesh->part_first, mesh->part,
                       NULL);
    for (uint32_t k = 0; k < mesh->corner_count; k++) {
        mesh->share[k] = 1 / (double)(first[k + 1] - first[k]);
    }
    for (uint64_t k = 0; k < mesh->part_count; k++) {
        mesh->part[k] = mesh->part[k] % 8 * slots + mesh->part[k] / 8;
    }
    VXE_ASSERT(first[mesh->corner_count] == mesh->part_count);
}

/* Lists the free faces with their voxels and corners. */
static void list_facets(vxe_fluid_mesh *mesh, const vxe_topology *topology, const uint32_t *corner)
{
    uint64_t at = 0;
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        for (int face = 0; face < 6; face++) {
            if (topology->faces[slot] >> face & 1) {
                mesh->facet_slot[at] = slot;
                for (uint64_t c = 0; c < 4; c++) {
                    mesh->facet_corner[4 * at + c] = corner[8ull * slot + around[face][c]];
                }
                at++;
            }
        }
    }
    VXE_ASSERT(at == mesh->facet_count);
}

/* Number of free faces. */
static uint32_t count_facets(const vxe_topology *topology)
{
    uint32_t facets = 0;
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        for (int face = 0; face < 6; face++) {
            facets += topology->faces[slot] >> face & 1;
        }
    }
    return facets;
}

/* Takes memory for the lists, once their lengths are known; false without memory. */
static bool take_lists(vxe_fluid_mesh *mesh)
{
    mesh->part_first = vxe_memory_take(mesh->corner_count + 1ull, sizeof *mesh->part_first);
    mesh->part = vxe_memory_take(mesh->part_count, sizeof *mesh->part);
    mesh->share = vxe_memory_take(mesh->corner_count, sizeof *mesh->share);
    mesh->facet_slot = vxe_memory_take(mesh->facet_count, sizeof *mesh->facet_slot);
    mesh->facet_corner = vxe_memory_take(4ull * mesh->facet_count, sizeof *mesh->facet_corner);
    return mesh->part_first && mesh->part && mesh->share && mesh->facet_slot && mesh->facet_corner;
}

/* Numbers the corners of free faces and counts the lists; false without memory. */
static bool count_lists(vxe_fluid_mesh *mesh, const vxe_topology *topology, const scan *cells,
                        uint32_t *corner)
{
    uint32_t *seen = vxe_memory_take(8ull * cells->count, sizeof *seen);
    if (!seen) {
        return false;
    }
    number_corners(cells, corner);
    mesh->corner_count = number_seen(topology, corner, seen);
    mesh->facet_count = count_facets(topology);
    for (uint64_t i = 0; i < 8ull * cells->count; i++) {
        mesh->part_count += corner[i] != VXE_NONE;
    }
    vxe_memory_release(seen);
    return true;
}

vxe_status vxe_fluid_mesh_init(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const vxe_topology *topology = &model->topology;
    const uint32_t count = topology->voxel_count;
    vxe_fluid_mesh *mesh = &model->voxelyze->mesh;
    if (count > MAX_VOXELS) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "a fluid around %u voxels under conventions '%s': at most %u", count,
                              model->conventions.name, MAX_VOXELS);
    }
    int32_t(*cells)[3] = vxe_memory_take(count, sizeof *cells);
    uint32_t *corner = vxe_memory_take(8ull * count, sizeof *corner);
    bool complete = cells && corner;
    for (uint32_t slot = 0; slot < count && complete; slot++) {
        memcpy(cells[slot], design->voxels[topology->order[slot]].position, sizeof cells[slot]);
    }
    complete = complete &&
               count_lists(mesh, topology, &(scan){topology->axes, cells, count}, corner) &&
               take_lists(mesh);
    if (complete) {
        list_parts(mesh, corner, count, model->slots);
        list_facets(mesh, topology, corner);
    }
    vxe_memory_release(cells);
    vxe_memory_release(corner);
    return complete ? VXE_OK : vxe_error_memory(error, 120ull * count);
}
