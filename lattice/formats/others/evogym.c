/* SPDX-License-Identifier: MIT */
/* Reads EvoGym worlds (Bhatia2021): objects on a grid of cells with y up, which become one layer of
   voxels. The list of neighbours of an object says which of its voxels are bonded. Objects are not
   bonded to each other. There is no floor; fixed voxels are the ground. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/others/evogym_internal.h"
#include "lattice/formats/scene/scene_internal.h"

typedef vxe_evogym_world reader;

static vxe_status read_size(reader *r, const json_t *root, vxe_error *error)
{
    static const char *const names[2] = {"grid_width", "grid_height"};
    double size[2] = {0, 0};
    vxe_status status = VXE_OK;
    for (int c = 0; c < 2 && !status; c++) {
        status = vxe_scene_number(root, "world", names[c], &size[c], error);
    }
    return status ? status : vxe_evogym_size(r, names, size, error);
}

/* Number of cells that objects may have from cell 0 on, row by row. */
static int32_t cells_at_most(const reader *r)
{
    const int64_t cells = (int64_t)r->width * VXE_EVOGYM_MAX_SIDE;
    return (int32_t)(cells < VXE_EVOGYM_MAX_CELLS ? cells
                                                  : VXE_EVOGYM_MAX_CELLS / r->width * r->width);
}

/* Raises the grid to the highest row of an object. EvoGym finds the place of a cell by the width
   alone, so that many worlds state a height below their objects. */
static void raise_grid(reader *r, json_t *objects)
{
    const int32_t stated = r->height;
    const int32_t limit = cells_at_most(r);
    const char *name = NULL;
    json_t *object = NULL;
    json_object_foreach(objects, name, object)
    {
        const json_t *indices = json_object_get(object, "indices");
        for (size_t i = 0; i < json_array_size(indices); i++) {
            const double cell = json_number_value(json_array_get(indices, i));
            if (cell >= 0 && cell < limit && (int32_t)cell / r->width >= r->height) {
                r->height = (int32_t)cell / r->width + 1;
            }
        }
    }
    VXE_ASSERT((int64_t)r->width * r->height <= VXE_EVOGYM_MAX_CELLS);
    if (r->height > stated) {
        vxe_messages_add(r->design->notes, "objects are up to %d rows high, grid_height is %d",
                         r->height, stated);
    }
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
        if (whole(json_array_get(indices, i), name, "indices", 0, cells_at_most(r), &cell, error) ||
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
        if (vxe_evogym_add(r, cell, type, error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
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
        const char *wrong = vxe_evogym_join(r, cell, other, first);
        if (wrong) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "object '%.40s': cells %d and %d are neighbors, but the second "
                                  "is %s",
                                  name, cell, other, wrong);
        }
    }
    return VXE_OK;
}

/* Bonds the cells of an object: "neighbors" is {"cell": [neighbouring cells], ...}. Without it, all
 * voxels side by side are bonded. */
static vxe_status join_cells(reader *r, const char *name, const json_t *object, uint32_t first,
                             vxe_error *error)
{
    const json_t *neighbors = json_object_get(object, "neighbors");
    if (!neighbors) {
        vxe_evogym_join_all(r, first);
        return VXE_OK;
    }
    if (!json_is_object(neighbors)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "object '%.40s': \"neighbors\" must be an object of lists", name);
    }
    vxe_status status = VXE_OK;
    for (uint32_t v = first; v < r->design->voxel_count && !status; v++) {
        const int32_t *at = r->design->voxels[v].position;
        const int32_t cell = at[2] * r->width + at[0];
        char key[16];
        snprintf(key, sizeof key, "%d", cell);
        status = join_cell(r, name, cell, json_object_get(neighbors, key), first, error);
    }
    if (!status) {
        vxe_evogym_count_unbonded(r, first);
    }
    return status;
}

static vxe_status read_objects(reader *r, json_t *objects, vxe_error *error)
{
    const char *name = NULL;
    json_t *object = NULL;
    json_object_foreach(objects, name, object)
    {
        const uint32_t first = r->design->voxel_count;
        vxe_status status = add_cells(r, name, object, error);
        status = status ? status : vxe_evogym_end_cells(r, first, error);
        status = status ? status : join_cells(r, name, object, first, error);
        if (status) {
            return status;
        }
    }
    return VXE_OK;
}

vxe_status vxe_evogym_fill(vxe_design *design, json_t *root, uint64_t bytes, vxe_error *error)
{
    static const char *const known[] = {"grid_width", "grid_height", "objects", NULL};
    reader r = {.design = design, .bytes = bytes};
    json_t *objects = json_object_get(root, "objects");
    design->floor.enabled = false;
    vxe_status status = read_size(&r, root, error);
    if (!status && !json_is_object(objects)) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT, "world: \"objects\" is missing");
    }
    if (!status) {
        raise_grid(&r, objects);
        status = vxe_evogym_begin(&r, error);
    }
    status = status ? status : read_objects(&r, objects, error);
    status = status ? status : vxe_evogym_finish(&r, "in the order of the file", error);
    vxe_scene_note_unknown(root, "world", known, design->notes);
    vxe_evogym_clear(&r);
    return status;
}
