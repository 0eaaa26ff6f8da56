/* SPDX-License-Identifier: MIT */
#include "lattice/topology_internal.h"

#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/union_internal.h"

void vxe_topology_clear(vxe_topology *topology)
{
    vxe_memory_release(topology->order);
    vxe_memory_release(topology->place);
    for (int axis = 0; axis < 3; axis++) {
        vxe_memory_release(topology->up[axis]);
    }
    vxe_memory_release(topology->body);
    vxe_memory_release(topology->faces);
    *topology = (vxe_topology){0};
}

/* Coordinate axis (0 x, 1 y, 2 z) of a voxel as a key that sorts in the order of the integers. */
static uint32_t key(const vxe_voxel *voxel, int axis)
{
    return (uint32_t)voxel->position[axis] ^ 0x80000000u;
}

/* Stable counting sort of order by 16 bits of one coordinate. */
static void sort_by_digit(const vxe_design *design, const uint32_t *from, uint32_t *to, int axis,
                          int shift, uint32_t *count)
{
    memset(count, 0, 65536 * sizeof *count);
    for (uint32_t i = 0; i < design->voxel_count; i++) {
        count[key(&design->voxels[i], axis) >> shift & 0xffff]++;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < 65536; digit++) {
        uint32_t here = count[digit];
        count[digit] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < design->voxel_count; i++) {
        uint32_t voxel = from[i];
        to[count[key(&design->voxels[voxel], axis) >> shift & 0xffff]++] = voxel;
    }
}

/* -1, 0 or 1 as a comes before, with or after b in the scan, when b is shifted by one along axis
 * (axis 3: not shifted). */
static int compare(const vxe_voxel *a, const vxe_voxel *b, int axis)
{
    for (int k = 2; k >= 0; k--) {
        int64_t difference = (int64_t)a->position[k] - b->position[k] - (k == axis);
        if (difference) {
            return difference < 0 ? -1 : 1;
        }
    }
    return 0;
}

static vxe_status sort_voxels(vxe_topology *topology, const vxe_design *design, vxe_error *error)
{
    uint32_t count = design->voxel_count;
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        topology->order[i] = i;
        sorted = sorted && (i == 0 || compare(&design->voxels[i - 1], &design->voxels[i], 3) < 0);
    }
    if (!sorted) {
        uint32_t *digits = vxe_memory_take(65536, sizeof *digits);
        if (!digits) {
            return vxe_error_memory(error, 65536 * sizeof *digits);
        }
        for (int axis = 0; axis < 3; axis++) {
            sort_by_digit(design, topology->order, topology->place, axis, 0, digits);
            sort_by_digit(design, topology->place, topology->order, axis, 16, digits);
        }
        vxe_memory_release(digits);
    }
    for (uint32_t i = 0; i < count; i++) {
        topology->place[topology->order[i]] = i;
        const vxe_voxel *voxel = &design->voxels[topology->order[i]];
        if (i > 0 && compare(&design->voxels[topology->order[i - 1]], voxel, 3) == 0) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "two voxels share the cell (%d, %d, %d)",
                                  voxel->position[0], voxel->position[1], voxel->position[2]);
        }
    }
    return VXE_OK;
}

/* Neighbours in +axis by walking the scan twice at once: both walks only move forward. Voxels of
 * different parts are none. */
static void link_axis(vxe_topology *topology, const vxe_design *design, int axis)
{
    const vxe_layer *part = vxe_design_find_layer(design, "Part");
    uint32_t upper = 0;
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        const vxe_voxel *voxel = &design->voxels[topology->order[i]];
        int sign = -1;
        while (upper < topology->voxel_count &&
               (sign = compare(&design->voxels[topology->order[upper]], voxel, axis)) < 0) {
            upper++;
        }
        const bool found =
            upper < topology->voxel_count && sign == 0 &&
            (!part || part->values[topology->order[i]] == part->values[topology->order[upper]]);
        topology->up[axis][i] = found ? upper : VXE_NONE;
        topology->bond_count += found;
    }
}

/* Connected components by union-find; bodies are numbered by their first voxel in scan order. */
static void find_bodies(vxe_topology *topology)
{
    uint32_t *parent = topology->body;
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        parent[i] = i;
    }
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            uint32_t j = topology->up[axis][i];
            if (j != VXE_NONE) {
                vxe_union_join(parent, i, j);
            }
        }
    }
    /* A root is the smallest place of its body, so it is met first and its number can replace it as
     * we go: parents point down. */
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        parent[i] = parent[i] == i ? topology->body_count++ : parent[parent[i]];
    }
}

/* All faces are free but those of a bond: the upper one of its lower voxel and vice versa. */
static void find_surface(vxe_topology *topology)
{
    memset(topology->faces, 63, topology->voxel_count);
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < topology->voxel_count; i++) {
            const uint32_t j = topology->up[axis][i];
            if (j != VXE_NONE) {
                topology->faces[i] &= (uint8_t) ~(1u << 2 * axis);
                topology->faces[j] &= (uint8_t) ~(2u << 2 * axis);
            }
        }
    }
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        topology->surface_count += topology->faces[i] != 0;
    }
}

static void find_bounds(vxe_topology *topology, const vxe_design *design)
{
    for (int k = 0; k < 3; k++) {
        topology->low[k] = INT32_MAX;
        topology->high[k] = INT32_MIN;
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            int32_t x = design->voxels[v].position[k];
            topology->low[k] = x < topology->low[k] ? x : topology->low[k];
            topology->high[k] = x > topology->high[k] ? x : topology->high[k];
        }
    }
}

vxe_status vxe_topology_init(vxe_topology *topology, const vxe_design *design, vxe_error *error)
{
    *topology = (vxe_topology){.voxel_count = design->voxel_count};
    uint32_t count = design->voxel_count;
    topology->order = vxe_memory_take(count, sizeof *topology->order);
    topology->place = vxe_memory_take(count, sizeof *topology->place);
    topology->body = vxe_memory_take(count, sizeof *topology->body);
    topology->faces = vxe_memory_take(count, sizeof *topology->faces);
    bool complete = topology->order && topology->place && topology->body && topology->faces;
    for (int axis = 0; axis < 3; axis++) {
        topology->up[axis] = vxe_memory_take(count, sizeof *topology->up[axis]);
        complete = complete && topology->up[axis];
    }
    vxe_status status = complete ? sort_voxels(topology, design, error)
                                 : vxe_error_memory(error, 25 * (uint64_t)count);
    if (status) {
        vxe_topology_clear(topology);
        return status;
    }
    for (int axis = 0; axis < 3; axis++) {
        link_axis(topology, design, axis);
    }
    find_bodies(topology);
    find_surface(topology);
    find_bounds(topology, design);
    return VXE_OK;
}

uint32_t *vxe_topology_neighbours(const vxe_topology *topology)
{
    const uint64_t places = 6ull * topology->voxel_count;
    uint32_t *beside = vxe_memory_take(places, sizeof *beside);
    for (uint64_t i = 0; i < places && beside; i++) {
        beside[i] = VXE_NONE;
    }
    for (uint32_t place = 0; place < topology->voxel_count && beside; place++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            const uint32_t up = topology->up[axis][place];
            if (up != VXE_NONE) {
                beside[6ull * place + 2 * axis] = up;
                beside[6ull * up + 2 * axis + 1] = place;
            }
        }
    }
    return beside;
}
