/* SPDX-License-Identifier: MIT */
/* A world of EvoGym's cells, which becomes a design of one layer of voxels. The world is flat, so
   that all voxels are confined to its plane; cells that are not joined are parts, which collide. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/others/evogym_internal.h"
#include "lattice/union_internal.h"

const char *const vxe_evogym_types[VXE_EVOGYM_TYPES] = {
    "empty", "rigid", "soft", "horizontal actuator", "vertical actuator", "fixed"};

/* Pa: Young's modulus of rigid and fixed cells; the others have that of the default material. */
#define RIGID_MODULUS 1e7

_Static_assert(VXE_EVOGYM_MAX_CELLS < INT32_MAX, "the number of a cell is an int32_t");

/* Bits of `joined`. */
enum { ALONG_X = 1, ALONG_Z = 2 };

static vxe_status add_materials(vxe_design *design, vxe_error *error)
{
    static const float colors[VXE_EVOGYM_TYPES][4] = {
        [VXE_EVOGYM_RIGID] = {0.15f, 0.15f, 0.15f, 1},
        [VXE_EVOGYM_SOFT] = {0.75f, 0.75f, 0.75f, 1},
        [VXE_EVOGYM_HORIZONTAL] = {0.99f, 0.56f, 0.24f, 1},
        [VXE_EVOGYM_VERTICAL] = {0.43f, 0.68f, 0.84f, 1},
        [VXE_EVOGYM_FIXED] = {0.35f, 0.30f, 0.25f, 1}};
    for (int type = VXE_EVOGYM_RIGID; type < VXE_EVOGYM_TYPES; type++) {
        vxe_material m = vxe_material_default();
        snprintf(m.name, sizeof m.name, "%s", vxe_evogym_types[type]);
        memcpy(m.color, colors[type], sizeof m.color);
        m.youngs_modulus =
            type == VXE_EVOGYM_RIGID || type == VXE_EVOGYM_FIXED ? RIGID_MODULUS : m.youngs_modulus;
        if (vxe_design_add_material(design, &m, NULL, error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
}

vxe_status vxe_evogym_size(vxe_evogym_world *w, const char *const names[2], const double size[2],
                           vxe_error *error)
{
    for (int c = 0; c < 2; c++) {
        if (!(size[c] >= 1 && size[c] <= VXE_EVOGYM_MAX_SIDE) || size[c] != floor(size[c])) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "%s is %g; expected a number of cells from 1 to %d", names[c],
                                  size[c], VXE_EVOGYM_MAX_SIDE);
        }
    }
    if (size[0] * size[1] > VXE_EVOGYM_MAX_CELLS) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "a grid of %g x %g cells; at most 2^24",
                              size[0], size[1]);
    }
    w->width = (int32_t)size[0];
    w->height = (int32_t)size[1];
    return VXE_OK;
}

vxe_status vxe_evogym_begin(vxe_evogym_world *w, vxe_error *error)
{
    const uint64_t cells = (uint64_t)w->width * (uint64_t)w->height;
    VXE_ASSERT(cells > 0 && cells <= VXE_EVOGYM_MAX_CELLS);
    if (vxe_limit_check(VXE_LIMIT_CELLS, cells, w->bytes, error)) {
        return VXE_ERROR_INPUT;
    }
    w->voxel_at = vxe_memory_take(cells, sizeof *w->voxel_at);
    w->joined = vxe_memory_take(cells, sizeof *w->joined);
    if (!w->voxel_at || !w->joined) {
        return vxe_error_memory(error, cells * (sizeof *w->voxel_at + sizeof *w->joined));
    }
    memset(w->voxel_at, 0xff, cells * sizeof *w->voxel_at);
    w->design->self_collision = true;
    return add_materials(w->design, error);
}

vxe_status vxe_evogym_add(vxe_evogym_world *w, int32_t cell, int32_t type, vxe_error *error)
{
    VXE_ASSERT(type > 0 && type < VXE_EVOGYM_TYPES);
    VXE_ASSERT(cell >= 0 && cell < w->width * w->height && w->voxel_at[cell] == VXE_NONE);
    w->voxel_at[cell] = w->design->voxel_count;
    return vxe_design_add_voxel(w->design, cell % w->width, 0, cell / w->width, (uint32_t)type - 1,
                                error);
}

vxe_status vxe_evogym_end_cells(vxe_evogym_world *w, uint32_t first, vxe_error *error)
{
    const uint32_t last = w->design->voxel_count;
    VXE_ASSERT(last >= first);
    if (last == first) {
        return VXE_OK;
    }
    if (last > w->part_capacity) {
        const uint64_t larger = w->design->voxel_capacity;
        uint32_t *part = vxe_memory_grow(w->part, first, larger, sizeof *part);
        if (!part) {
            return vxe_error_memory(error, larger * sizeof *part);
        }
        w->part = part;
        w->part_capacity = larger;
    }
    for (uint32_t v = first; v < last; v++) {
        w->part[v] = v;
    }
    return VXE_OK;
}

/* Whether two cells share an edge of the grid. */
static bool are_beside(const vxe_evogym_world *w, int32_t one, int32_t two)
{
    const int32_t x = two % w->width - one % w->width;
    const int32_t z = two / w->width - one / w->width;
    return (z == 0 && (x == 1 || x == -1)) || (x == 0 && (z == 1 || z == -1));
}

const char *vxe_evogym_join(vxe_evogym_world *w, int32_t cell, int32_t other, uint32_t first)
{
    const uint32_t voxel = w->voxel_at[other];
    VXE_ASSERT(w->voxel_at[cell] != VXE_NONE && w->voxel_at[cell] >= first);
    if (voxel == VXE_NONE) {
        return "empty";
    }
    if (voxel < first) {
        return "another object's";
    }
    if (!are_beside(w, cell, other)) {
        return "not beside the first";
    }
    const int32_t lower = cell < other ? cell : other;
    w->joined[lower] |= cell % w->width == other % w->width ? ALONG_Z : ALONG_X;
    vxe_union_join(w->part, w->voxel_at[cell], voxel);
    return NULL;
}

/* The voxel of an object beside another one, along x or z; VXE_NONE if there is none. */
static uint32_t next_of(const vxe_evogym_world *w, uint32_t v, uint32_t first, int way)
{
    const int32_t *at = w->design->voxels[v].position;
    const int32_t cell = at[2] * w->width + at[0];
    const bool inside = way == ALONG_X ? at[0] + 1 < w->width : at[2] + 1 < w->height;
    const uint32_t other = inside ? w->voxel_at[cell + (way == ALONG_X ? 1 : w->width)] : VXE_NONE;
    return other != VXE_NONE && other >= first ? other : VXE_NONE;
}

void vxe_evogym_join_all(vxe_evogym_world *w, uint32_t first)
{
    for (uint32_t v = first; v < w->design->voxel_count; v++) {
        for (int way = ALONG_X; way <= ALONG_Z; way++) {
            const uint32_t other = next_of(w, v, first, way);
            if (other != VXE_NONE) {
                vxe_union_join(w->part, v, other);
            }
        }
    }
}

void vxe_evogym_count_unbonded(vxe_evogym_world *w, uint32_t first)
{
    for (uint32_t v = first; v < w->design->voxel_count; v++) {
        const int32_t *at = w->design->voxels[v].position;
        const int joined = w->joined[at[2] * w->width + at[0]];
        for (int way = ALONG_X; way <= ALONG_Z; way++) {
            const uint32_t other = next_of(w, v, first, way);
            w->unbonded += other != VXE_NONE && !(joined & way) &&
                           vxe_union_root(w->part, v) == vxe_union_root(w->part, other);
        }
    }
}

/* Adds the layers Part, numbered from 0, and Group, with an actuator for each cell that moves. */
static vxe_status add_layers(const vxe_evogym_world *w, const char *order, vxe_error *error)
{
    vxe_design *design = w->design;
    vxe_layer *layer = vxe_design_layer(design, "Part", 1);
    uint32_t parts = 0;
    uint32_t actuators = 0;
    if (!layer || !w->part) {
        return vxe_error_memory(error, design->voxel_count * sizeof(double));
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const uint32_t first = vxe_union_root(w->part, v);
        layer->values[v] = first == v ? parts++ : layer->values[first];
    }
    layer = vxe_design_layer(design, "Group", 1);
    if (!layer) {
        return vxe_error_memory(error, design->voxel_count * sizeof(double));
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const uint32_t type = design->voxels[v].material + 1;
        layer->values[v] =
            type == VXE_EVOGYM_HORIZONTAL || type == VXE_EVOGYM_VERTICAL ? ++actuators : 0;
    }
    if (actuators > 0) {
        vxe_messages_add(design->notes,
                         "actuators change in all directions, not along one only; they are groups "
                         "1 to %u, %s, for schedules and targets",
                         actuators, order);
    }
    return VXE_OK;
}

/* Adds boundary conditions: fixed voxels do not move, and no voxel leaves the plane. */
static vxe_status add_regions(vxe_design *design, vxe_error *error)
{
    uint32_t *voxels = vxe_memory_take(design->voxel_count, sizeof *voxels);
    if (!voxels) {
        return vxe_error_memory(error, design->voxel_count * sizeof *voxels);
    }
    uint32_t fixed_count = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        if (design->voxels[v].material == VXE_EVOGYM_FIXED - 1) {
            voxels[fixed_count++] = v;
        }
    }
    vxe_region fixed = {.shape = VXE_REGION_VOXELS,
                        .voxels = voxels,
                        .voxel_count = fixed_count,
                        .fixed = VXE_FIX_ALL};
    vxe_status status = fixed_count > 0 ? vxe_design_add_region(design, &fixed, error) : VXE_OK;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        voxels[v] = v;
    }
    vxe_region plane = {.shape = VXE_REGION_VOXELS,
                        .voxels = voxels,
                        .voxel_count = design->voxel_count,
                        .fixed = VXE_FIX_Y | VXE_FIX_RX | VXE_FIX_RZ};
    status = status ? status : vxe_design_add_region(design, &plane, error);
    vxe_memory_release(voxels);
    return status;
}

vxe_status vxe_evogym_finish(vxe_evogym_world *w, const char *order, vxe_error *error)
{
    vxe_design *design = w->design;
    if (design->voxel_count == 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "no voxels: all cells are empty");
    }
    vxe_status status = add_layers(w, order, error);
    status = status ? status : add_regions(design, error);
    if (!status) {
        vxe_messages_add(design->notes,
                         "EvoGym has no units: voxels have an edge of %g m and the default "
                         "material, rigid ones %g Pa",
                         design->voxel_size, RIGID_MODULUS);
    }
    if (!status && w->unbonded > 0) {
        vxe_messages_add(design->notes,
                         "%u pairs side by side in one object are bonded, though they are "
                         "not listed as neighbors",
                         w->unbonded);
    }
    return status;
}

void vxe_evogym_clear(vxe_evogym_world *w)
{
    vxe_memory_release(w->voxel_at);
    vxe_memory_release(w->joined);
    vxe_memory_release(w->part);
}
