/* SPDX-License-Identifier: MIT */
/* Neighbours, bodies and surface of a set of voxels. Voxels are sorted into scan order first; then
   a voxel's neighbours along an axis are found by walking the sorted list twice at once, without a
   grid over the bounding box, which may be huge. */
#include "lattice/topology_internal.h"

#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/union_internal.h"

/* Up to this number, voxels are sorted by merging; more are sorted by counting, whose table of
   65536 entries pays only then. */
#define FEW 4096u
/* Mark of an entry that is a body's number already, and not the index of its root. */
#define NUMBERED 0x80000000u

static const uint8_t scan_axes[3] = {2, 1, 0};

void vxe_topology_clear(vxe_topology *topology)
{
    vxe_memory_release(topology->order);
    vxe_memory_release(topology->place);
    vxe_memory_release(topology->rank);
    for (int axis = 0; axis < 3; axis++) {
        vxe_memory_release(topology->up[axis]);
    }
    vxe_memory_release(topology->body);
    vxe_memory_release(topology->faces);
    *topology = (vxe_topology){0};
}

/* Coordinate of a voxel along an axis (0 x, 1 y, 2 z), as an unsigned key in the same order. */
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
    VXE_ASSERT(shift == 0 || shift == 16);
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

/* -1, 0 or 1 if a comes before, is equal to or comes after b in the scan, where b is shifted by one
 * along axis (axis 3: not shifted). */
static int compare(const uint8_t axes[3], const vxe_voxel *a, const vxe_voxel *b, int axis)
{
    for (int k = 0; k < 3; k++) {
        const int c = axes[k];
        const int64_t difference = (int64_t)a->position[c] - b->position[c] - (c == axis);
        if (difference) {
            return difference < 0 ? -1 : 1;
        }
    }
    return 0;
}

/* Radix sort by the digits of all coordinates, the fastest first: in time proportional to the
   number of voxels. */
static vxe_status sort_many(vxe_topology *topology, const vxe_design *design, vxe_error *error)
{
    uint32_t *digits = vxe_memory_take(65536, sizeof *digits);
    if (!digits) {
        return vxe_error_memory(error, 65536 * sizeof *digits);
    }
    for (int k = 2; k >= 0; k--) {
        sort_by_digit(design, topology->order, topology->place, topology->axes[k], 0, digits);
        sort_by_digit(design, topology->place, topology->order, topology->axes[k], 16, digits);
    }
    vxe_memory_release(digits);
    return VXE_OK;
}

/* Merge sort: sorted runs double in length each time, from order to place and back. */
static void sort_few(vxe_topology *topology, const vxe_design *design)
{
    const uint32_t count = design->voxel_count;
    uint32_t *from = topology->order;
    uint32_t *to = topology->place;
    for (uint32_t run = 1; run < count; run *= 2) {
        for (uint32_t begin = 0; begin < count; begin += 2 * run) {
            const uint32_t middle = begin + run < count ? begin + run : count;
            const uint32_t end = begin + 2 * run < count ? begin + 2 * run : count;
            uint32_t a = begin;
            uint32_t b = middle;
            for (uint32_t i = begin; i < end; i++) {
                const bool second =
                    a == middle || (b < end && compare(topology->axes, &design->voxels[from[b]],
                                                       &design->voxels[from[a]], 3) < 0);
                to[i] = second ? from[b++] : from[a++];
            }
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != topology->order) {
        memcpy(topology->order, from, count * sizeof *from);
    }
}

static vxe_status sort_voxels(vxe_topology *topology, const vxe_design *design, vxe_error *error)
{
    uint32_t count = design->voxel_count;
    bool sorted = true;
    vxe_status status = VXE_OK;
    VXE_ASSERT(count == 0 || (topology->order && topology->place));
    for (uint32_t i = 0; i < count; i++) {
        topology->order[i] = i;
        sorted = sorted && (i == 0 || compare(topology->axes, &design->voxels[i - 1],
                                              &design->voxels[i], 3) < 0);
    }
    if (!sorted && count <= FEW) {
        sort_few(topology, design);
    } else if (!sorted) {
        status = sort_many(topology, design, error);
    }
    for (uint32_t i = 0; i < count && !status; i++) {
        VXE_ASSERT(topology->order[i] < count);
        VXE_ASSERT(i == 0 || compare(topology->axes, &design->voxels[topology->order[i - 1]],
                                     &design->voxels[topology->order[i]], 3) <= 0);
        topology->place[topology->order[i]] = i;
        const vxe_voxel *voxel = &design->voxels[topology->order[i]];
        if (i > 0 &&
            compare(topology->axes, &design->voxels[topology->order[i - 1]], voxel, 3) == 0) {
            status =
                vxe_error_fill(error, VXE_ERROR_INPUT, "two voxels share the cell (%d, %d, %d)",
                               voxel->position[0], voxel->position[1], voxel->position[2]);
        }
    }
    return status;
}

/* Whether a voxel is a sphere. The index of its material may be wrong: designs are scanned before
   they are checked, too. */
static bool is_sphere(const vxe_design *design, const vxe_voxel *voxel)
{
    return voxel->material < design->material_count && design->materials[voxel->material].sphere;
}

/* Finds the neighbours in +axis by walking the scan twice at once; both walks only move forward.
 * Voxels of different parts are no neighbours, and spheres have none. */
static void find_upper(vxe_topology *topology, const vxe_design *design, int axis)
{
    const vxe_layer *part = vxe_design_find_layer(design, "Part");
    uint32_t upper = 0;
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        const vxe_voxel *voxel = &design->voxels[topology->order[i]];
        int sign = -1;
        while (upper < topology->voxel_count &&
               (sign = compare(topology->axes, &design->voxels[topology->order[upper]], voxel,
                               axis)) < 0) {
            upper++;
        }
        const bool found =
            upper < topology->voxel_count && sign == 0 && !is_sphere(design, voxel) &&
            !is_sphere(design, &design->voxels[topology->order[upper]]) &&
            (!part || part->values[topology->order[i]] == part->values[topology->order[upper]]);
        VXE_ASSERT(!found || upper > i);
        topology->up[axis][i] = found ? upper : VXE_NONE;
        topology->bond_count += found;
    }
}

/* Finds connected components by union-find: afterwards, body[i] is the smallest place of the body
   of the voxel at place i. */
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
    /* A root is the smallest place of its body and parents are smaller than their children, so that
       in rising order the parent's entry is a root already. */
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        VXE_ASSERT(parent[i] <= i);
        parent[i] = parent[parent[i]];
        VXE_ASSERT(parent[parent[i]] == parent[i]);
    }
}

/* Numbers the bodies in the order of their first voxel's rank; by_rank, (V), is overwritten. */
static void number_bodies(vxe_topology *topology, uint32_t *by_rank)
{
    uint32_t *number = topology->body;
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        by_rank[vxe_topology_rank(topology, i)] = i;
    }
    /* once a body has a number, the entry of its root is the number with a mark */
    for (uint32_t k = 0; k < topology->voxel_count; k++) {
        const uint32_t i = by_rank[k];
        const uint32_t root = number[i] & NUMBERED ? i : number[i];
        if (!(number[root] & NUMBERED)) {
            number[root] = NUMBERED | topology->body_count++;
        }
    }
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        by_rank[i] = number[i] & NUMBERED ? number[i] : number[number[i]];
    }
    for (uint32_t i = 0; i < topology->voxel_count; i++) {
        VXE_ASSERT(by_rank[i] & NUMBERED);
        number[i] = by_rank[i] & ~NUMBERED;
    }
    VXE_ASSERT(topology->body_count <= topology->voxel_count);
}

/* Marks free faces: all but those of bonds, the upper face of the lower voxel and the lower face of
   the upper one. */
static void find_surface(vxe_topology *topology)
{
    memset(topology->faces, 63, topology->voxel_count);
    topology->surface_count = 0;
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

/* Finds the ranks, which are the places in a scan of z, y, x; temporary, (V), is overwritten. */
static vxe_status find_ranks(vxe_topology *topology, const vxe_design *design, uint32_t *temporary,
                             vxe_error *error)
{
    const uint32_t count = topology->voxel_count;
    if (memcmp(topology->axes, scan_axes, sizeof scan_axes) == 0) {
        return VXE_OK;
    }
    topology->rank = vxe_memory_take(count, sizeof *topology->rank);
    if (!topology->rank) {
        return vxe_error_memory(error, count * sizeof *topology->rank);
    }
    vxe_topology plain = {.voxel_count = count, .order = temporary, .place = topology->rank};
    memcpy(plain.axes, scan_axes, sizeof scan_axes);
    const vxe_status status = sort_voxels(&plain, design, error);
    for (uint32_t i = 0; i < count && !status; i++) {
        temporary[i] = plain.place[topology->order[i]];
    }
    memcpy(topology->rank, temporary, count * sizeof *temporary);
    return status;
}

static vxe_status fill(vxe_topology *topology, const vxe_design *design, uint32_t *temporary,
                       vxe_error *error)
{
    vxe_status status = sort_voxels(topology, design, error);
    status = status ? status : find_ranks(topology, design, temporary, error);
    if (status) {
        return status;
    }
    for (int axis = 0; axis < 3; axis++) {
        find_upper(topology, design, axis);
    }
    find_bodies(topology);
    number_bodies(topology, temporary);
    find_surface(topology);
    find_bounds(topology, design);
    return VXE_OK;
}

vxe_status vxe_topology_init_along(vxe_topology *topology, const vxe_design *design,
                                   const uint8_t axes[3], vxe_error *error)
{
    VXE_ASSERT(axes[0] < 3 && axes[1] < 3 && axes[2] < 3);
    VXE_ASSERT(axes[0] != axes[1] && axes[1] != axes[2] && axes[2] != axes[0]);
    *topology =
        (vxe_topology){.voxel_count = design->voxel_count, .axes = {axes[0], axes[1], axes[2]}};
    uint32_t count = design->voxel_count;
    VXE_ASSERT(count < NUMBERED);
    uint32_t *temporary = vxe_memory_take(count, sizeof *temporary);
    topology->order = vxe_memory_take(count, sizeof *topology->order);
    topology->place = vxe_memory_take(count, sizeof *topology->place);
    topology->body = vxe_memory_take(count, sizeof *topology->body);
    topology->faces = vxe_memory_take(count, sizeof *topology->faces);
    bool complete =
        temporary && topology->order && topology->place && topology->body && topology->faces;
    for (int axis = 0; axis < 3; axis++) {
        topology->up[axis] = vxe_memory_take(count, sizeof *topology->up[axis]);
        complete = complete && topology->up[axis];
    }
    const vxe_status status = complete ? fill(topology, design, temporary, error)
                                       : vxe_error_memory(error, 29 * (uint64_t)count);
    vxe_memory_release(temporary);
    if (status) {
        vxe_topology_clear(topology);
    }
    return status;
}

vxe_status vxe_topology_init(vxe_topology *topology, const vxe_design *design, vxe_error *error)
{
    return vxe_topology_init_along(topology, design, scan_axes, error);
}

void vxe_topology_unbond(vxe_topology *topology, const uint8_t *marked)
{
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < topology->voxel_count; i++) {
            const uint32_t j = topology->up[axis][i];
            if (j != VXE_NONE && marked[i] && marked[j]) {
                VXE_ASSERT(topology->bond_count > 0);
                topology->up[axis][i] = VXE_NONE;
                topology->bond_count--;
            }
        }
    }
    find_surface(topology);
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

void vxe_bonded_find(vxe_bonded *found, const uint32_t *linked, uint32_t place, int bonds)
{
    VXE_ASSERT(bonds >= 0 && bonds <= VXE_MAX_BONDS);
    uint32_t begin = 0;
    memset(found->at, 0, sizeof found->at);
    found->count = 1;
    found->voxel[0] = (vxe_bonded_voxel){place, {VXE_MAX_BONDS, VXE_MAX_BONDS, VXE_MAX_BONDS}};
    found->at[VXE_MAX_BONDS][VXE_MAX_BONDS][VXE_MAX_BONDS] = true;
    for (int bond = 0; bond < bonds; bond++) {
        for (const uint32_t last = found->count; begin < last; begin++) {
            for (uint32_t way = 0; way < 6; way++) {
                vxe_bonded_voxel next = found->voxel[begin];
                next.place = linked[6ull * next.place + way];
                next.cell[way / 2] += way % 2 ? -1 : 1;
                bool *seen = &found->at[next.cell[0]][next.cell[1]][next.cell[2]];
                if (next.place != VXE_NONE && !*seen) {
                    *seen = true;
                    found->voxel[found->count++] = next;
                }
            }
        }
    }
}
