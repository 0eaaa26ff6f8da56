/* SPDX-License-Identifier: MIT */
/* Reads EvoGym worlds (Bhatia2021): objects on a grid of W x H cells with y up, which become one
   layer of voxels. The list of neighbours of an object says which of its voxels are bonded. Objects
   are not bonded to each other and collide. There is no floor; fixed voxels are the ground. The
   world is flat, so that all voxels are confined to its plane. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/others/evogym_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/union_internal.h"

const char *const vxe_evogym_types[VXE_EVOGYM_TYPES] = {
    "empty", "rigid", "soft", "horizontal actuator", "vertical actuator", "fixed"};

/* Pa: Young's modulus of rigid and fixed cells; the others have that of the default material. */
#define RIGID_MODULUS 1e7

_Static_assert(VXE_EVOGYM_CELLS < INT32_MAX, "the number of a cell is an int32_t");

typedef struct reader {
    vxe_design *design;
    int32_t width, height;
    uint32_t *voxel_at; /* (width * height) voxel in each cell, or VXE_NONE */
    uint32_t *part;     /* (voxels read) union-find: voxels that are bonded to each other */
    uint32_t unbonded;  /* pairs of voxels side by side in a part that the file does not bond */
} reader;

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

static vxe_status read_size(reader *r, const json_t *root, vxe_error *error)
{
    double size[2] = {0, 0};
    vxe_status status = vxe_scene_number(root, "world", "grid_width", &size[0], error);
    status = status ? status : vxe_scene_number(root, "world", "grid_height", &size[1], error);
    for (int c = 0; c < 2 && !status; c++) {
        if (!(size[c] >= 1 && size[c] <= VXE_EVOGYM_WIDEST) || size[c] != floor(size[c])) {
            status = vxe_error_fill(
                error, VXE_ERROR_INPUT, "%s is %g; expected a number of cells from 1 to %d",
                c == 0 ? "grid_width" : "grid_height", size[c], VXE_EVOGYM_WIDEST);
        }
    }
    if (!status && size[0] * size[1] > VXE_EVOGYM_CELLS) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT, "a grid of %g x %g cells; at most 2^24",
                                size[0], size[1]);
    }
    if (!status) {
        r->width = (int32_t)size[0];
        r->height = (int32_t)size[1];
    }
    return status;
}

/* Reads an integer of a list, from low to high - 1. */
static vxe_status whole(const json_t *number, const char *object, const char *list, int32_t low,
                        int32_t high, int32_t *value, vxe_error *error)
{
    const double here = json_is_number(number) ? json_number_value(number) : (double)NAN;
    if (!(here >= low && here < high) || here != floor(here)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "object '%.40s': %s holds %g, expected whole numbers from %d to %d",
                              object, list, here, low, high - 1);
    }
    *value = (int32_t)here;
    return VXE_OK;
}

static vxe_status add_cells(reader *r, const char *name, const json_t *object, vxe_error *error)
{
    const json_t *indices = json_object_get(object, "indices");
    const json_t *types = json_object_get(object, "types");
    const size_t count = json_array_size(indices);
    if (!json_is_array(indices) || count != json_array_size(types)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "object '%.40s' has %zu indices and %zu types", name, count,
                              json_array_size(types));
    }
    for (size_t i = 0; i < count; i++) {
        int32_t cell = 0;
        int32_t type = 0;
        if (whole(json_array_get(indices, i), name, "indices", 0, r->width * r->height, &cell,
                  error) ||
            whole(json_array_get(types, i), name, "types", 0, VXE_EVOGYM_TYPES, &type, error)) {
            return VXE_ERROR_INPUT;
        }
        VXE_ASSERT(cell >= 0 && cell < r->width * r->height);
        if (type == 0) {
            continue;
        }
        if (r->voxel_at[cell] != VXE_NONE) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "object '%.40s': cell %d (%d, %d) is taken already", name, cell,
                                  cell % r->width, cell / r->width);
        }
        r->voxel_at[cell] = r->design->voxel_count;
        if (vxe_design_add_voxel(r->design, cell % r->width, 0, cell / r->width, (uint32_t)type - 1,
                                 error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
}

/* Whether two cells share an edge of the grid. */
static bool are_beside(const reader *r, int64_t one, int64_t two)
{
    const int64_t x = two % r->width - one % r->width;
    const int64_t y = two / r->width - one / r->width;
    return (y == 0 && (x == 1 || x == -1)) || (x == 0 && (y == 1 || y == -1));
}

/* Bonds a cell to the cells that its list names. The voxels of the object are those from first on.
 */
static vxe_status join_cell(reader *r, const char *name, int32_t cell, const json_t *list,
                            uint32_t first, vxe_error *error)
{
    if (!json_is_array(list)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "object '%.40s': cell %d has no list of neighbors", name, cell);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        int32_t other = 0;
        if (whole(json_array_get(list, i), name, "neighbors", 0, r->width * r->height, &other,
                  error)) {
            return VXE_ERROR_INPUT;
        }
        const uint32_t voxel = r->voxel_at[other];
        if (voxel == VXE_NONE || voxel < first || !are_beside(r, cell, other)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "object '%.40s': cells %d and %d are neighbors, but the second "
                                  "is %s",
                                  name, cell, other,
                                  voxel == VXE_NONE ? "empty"
                                  : voxel < first   ? "another object's"
                                                    : "not beside the first");
        }
        vxe_union_join(r->part, r->voxel_at[cell], voxel);
    }
    return VXE_OK;
}

/* Bonds the cells of an object: "neighbors" is {"cell": [neighbouring cells], ...}. Without it, all
 * voxels side by side are bonded. */
static vxe_status join_cells(reader *r, const char *name, const json_t *object, uint32_t first,
                             vxe_error *error)
{
    const json_t *neighbors = json_object_get(object, "neighbors");
    if (neighbors && !json_is_object(neighbors)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "object '%.40s': \"neighbors\" must be an object of lists", name);
    }
    vxe_status status = VXE_OK;
    for (uint32_t v = first; v < r->design->voxel_count && !status; v++) {
        const int32_t *at = r->design->voxels[v].position;
        const int32_t cell = at[2] * r->width + at[0];
        char key[16];
        snprintf(key, sizeof key, "%d", cell);
        if (neighbors) {
            status = join_cell(r, name, cell, json_object_get(neighbors, key), first, error);
            continue;
        }
        const uint32_t left = at[0] > 0 ? r->voxel_at[cell - 1] : VXE_NONE;
        const uint32_t below = at[2] > 0 ? r->voxel_at[cell - r->width] : VXE_NONE;
        if (left != VXE_NONE && left >= first) {
            vxe_union_join(r->part, v, left);
        }
        if (below != VXE_NONE && below >= first) {
            vxe_union_join(r->part, v, below);
        }
    }
    return status;
}

/* Whether the list of a cell names another cell. */
static bool lists(const json_t *object, int32_t cell, int32_t other)
{
    char key[16];
    snprintf(key, sizeof key, "%d", cell);
    const json_t *list = json_object_get(json_object_get(object, "neighbors"), key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_number_value(json_array_get(list, i)) == other) {
            return true;
        }
    }
    return false;
}

/* Counts pairs of one part that are side by side and not in the lists; they are bonded here all the
   same. */
static void count_unbonded(reader *r, const json_t *object, uint32_t first, uint32_t last)
{
    for (uint32_t v = first; v < last; v++) {
        const int32_t *at = r->design->voxels[v].position;
        const int32_t cell = at[2] * r->width + at[0];
        const int32_t beside[2] = {at[0] + 1 < r->width ? cell + 1 : cell,
                                   at[2] + 1 < r->height ? cell + r->width : cell};
        for (int i = 0; i < 2; i++) {
            const uint32_t other = r->voxel_at[beside[i]];
            r->unbonded += other != VXE_NONE && other != v && other >= first && other < last &&
                           vxe_union_root(r->part, v) == vxe_union_root(r->part, other) &&
                           !lists(object, cell, beside[i]) && !lists(object, beside[i], cell);
        }
    }
}

static vxe_status read_objects(reader *r, json_t *objects, vxe_error *error)
{
    const char *name = NULL;
    json_t *object = NULL;
    json_object_foreach(objects, name, object)
    {
        const uint32_t first = r->design->voxel_count;
        vxe_status status = add_cells(r, name, object, error);
        const uint32_t last = r->design->voxel_count;
        VXE_ASSERT(last >= first);
        uint32_t *part = status ? NULL : vxe_memory_grow(r->part, first, last, sizeof *part);
        if (!status && !part && last > 0) {
            return vxe_error_memory(error, last * sizeof *part);
        }
        r->part = part ? part : r->part;
        for (uint32_t v = first; v < last && !status; v++) {
            r->part[v] = v;
        }
        status = status ? status : join_cells(r, name, object, first, error);
        if (status) {
            return status;
        }
        if (json_object_get(object, "neighbors")) {
            count_unbonded(r, object, first, last);
        }
    }
    return VXE_OK;
}

/* Adds the layers Part, numbered from 0, and Group, with an actuator for each cell that moves. */
static vxe_status add_layers(const reader *r, vxe_error *error)
{
    vxe_design *design = r->design;
    vxe_layer *layer = vxe_design_layer(design, "Part", 1);
    uint32_t parts = 0;
    uint32_t actuators = 0;
    if (!layer || !r->part) {
        return vxe_error_memory(error, design->voxel_count * sizeof(double));
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const uint32_t first = vxe_union_root(r->part, v);
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
                         "1 to %u, in the order of the file, for schedules and targets",
                         actuators);
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

vxe_status vxe_evogym_fill(vxe_design *design, json_t *root, vxe_error *error)
{
    static const char *const known[] = {"grid_width", "grid_height", "objects", NULL};
    reader r = {.design = design};
    json_t *objects = json_object_get(root, "objects");
    design->floor.enabled = false;
    design->self_collision = true;
    vxe_status status = read_size(&r, root, error);
    if (!status && !json_is_object(objects)) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT, "world: \"objects\" is missing");
    }
    const uint64_t cells = status ? 0 : (uint64_t)r.width * (uint64_t)r.height;
    if (!status && !(r.voxel_at = vxe_memory_take(cells, sizeof *r.voxel_at))) {
        status = vxe_error_memory(error, cells * sizeof *r.voxel_at);
    }
    if (!status) {
        memset(r.voxel_at, 0xff, cells * sizeof *r.voxel_at);
        status = add_materials(design, error);
    }
    status = status ? status : read_objects(&r, objects, error);
    if (!status && design->voxel_count == 0) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT, "no voxels: all objects are empty");
    }
    status = status ? status : add_layers(&r, error);
    status = status ? status : add_regions(design, error);
    if (!status) {
        vxe_messages_add(design->notes,
                         "EvoGym has no units: voxels have an edge of %g m and the default "
                         "material, rigid ones %g Pa",
                         design->voxel_size, RIGID_MODULUS);
    }
    if (r.unbonded > 0) {
        vxe_messages_add(design->notes,
                         "%u pairs side by side in one object are bonded, though they are "
                         "not listed as neighbors",
                         r.unbonded);
    }
    vxe_scene_note_unknown(root, "world", known, design->notes);
    vxe_memory_release(r.voxel_at);
    vxe_memory_release(r.part);
    return status;
}
