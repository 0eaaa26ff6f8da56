/* SPDX-License-Identifier: MIT */
/* Reads and writes the floor of a scene. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"

/* Reads rows of numbers, all of one length, into a heightfield. */
static vxe_status read_rows(const json_t *rows, vxe_heightfield *field, vxe_error *error)
{
    const size_t count = json_array_size(rows);
    const size_t columns = json_array_size(json_array_get(rows, 0));
    field->heights = vxe_memory_take((uint64_t)count * columns, sizeof *field->heights);
    if (!field->heights) {
        return vxe_error_memory(error, (uint64_t)count * columns * sizeof *field->heights);
    }
    for (size_t j = 0; j < count; j++) {
        const json_t *row = json_array_get(rows, j);
        for (size_t i = 0; i < columns; i++) {
            const json_t *number = json_array_get(row, i);
            if (json_array_size(row) != columns || !json_is_number(number)) {
                return vxe_error_fill(error, VXE_ERROR_INPUT,
                                      "floor: row %zu (from 0) of \"heights_m\" must have %zu "
                                      "numbers, as the first one",
                                      j, columns);
            }
            field->heights[j * columns + i] = json_number_value(number);
        }
    }
    VXE_ASSERT(columns <= UINT32_MAX && count <= UINT32_MAX);
    field->columns = (uint32_t)columns;
    field->rows = (uint32_t)count;
    return VXE_OK;
}

static vxe_status read_heights(vxe_design *design, json_t *floor, vxe_error *error)
{
    vxe_heightfield field = {.spacing = design->voxel_size};
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_HEIGHTS, floor, "floor");
    vxe_status status = vxe_scene_read(&item, &field, error);
    const json_t *rows = status ? NULL : vxe_scene_get(&item, "heights_m");
    if (!rows) {
        return status;
    }
    status = read_rows(rows, &field, error);
    status = status ? status : vxe_design_set_heights(design, &field, error);
    vxe_memory_release(field.heights);
    return status;
}

vxe_status vxe_scene_read_floor(vxe_design *design, json_t *object, vxe_error *error)
{
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_FLOOR, object, "floor");
    const vxe_status status = vxe_scene_read(&item, &design->floor, error);
    return status ? status : read_heights(design, object, error);
}

json_t *vxe_scene_floor(const vxe_floor *floor)
{
    const vxe_heightfield *field = &floor->heights;
    json_t *object = json_object();
    json_object_set_new(object, "enabled", json_boolean(floor->enabled));
    json_object_set_new(object, "height_m", json_real(floor->height));
    json_object_set_new(object, "slope", vxe_scene_array(floor->slope, 2));
    json_object_set_new(object, "sticky", json_boolean(floor->sticky));
    json_object_set_new(object, "radius_m", json_real(floor->radius));
    json_object_set_new(object, "center_m", vxe_scene_array(floor->center, 2));
    if (field->columns > 0) {
        json_t *rows = json_array();
        for (uint32_t j = 0; j < field->rows; j++) {
            json_array_append_new(
                rows, vxe_scene_array(field->heights + (size_t)j * field->columns, field->columns));
        }
        json_object_set_new(object, "spacing_m", json_real(field->spacing));
        json_object_set_new(object, "origin_m", vxe_scene_array(field->origin, 2));
        json_object_set_new(object, "heights_m", rows);
    }
    return object;
}
