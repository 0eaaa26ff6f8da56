/* SPDX-License-Identifier: MIT */
/* Typed access to values of JSON objects, with messages that name object, key and expected type;
   and helpers to write JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/bytes_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/scene/scene_internal.h"

static vxe_status not_as_expected(const char *where, const char *key, const char *expected,
                                  vxe_error *error)
{
    VXE_ASSERT(where && key && expected);
    return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"%s\" must be %s", where, key, expected);
}

void vxe_scene_note_unknown(json_t *object, const char *where, const char *const known[],
                            vxe_messages *notes)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        bool found = false;
        for (size_t i = 0; known[i] && !found; i++) {
            found = strcmp(known[i], key) == 0;
        }
        if (!found) {
            vxe_messages_add(notes, "ignored: %s/%.60s", where, key);
        }
    }
}

vxe_status vxe_scene_expect(const json_t *object, const char *where, const char *key,
                            json_type type, vxe_error *error)
{
    const json_t *item = json_object_get(object, key);
    if (!item || json_typeof(item) == type) {
        return VXE_OK;
    }
    return not_as_expected(where, key, type == JSON_ARRAY ? "an array" : "an object", error);
}

vxe_status vxe_scene_number(const json_t *object, const char *where, const char *key, double *value,
                            vxe_error *error)
{
    const json_t *item = json_object_get(object, key);
    if (!item) {
        return VXE_OK;
    }
    if (!json_is_number(item)) {
        return not_as_expected(where, key, "a number", error);
    }
    *value = json_number_value(item);
    return VXE_OK;
}

vxe_status vxe_scene_places(const json_t *object, const char *where, const vxe_scene_place *places,
                            size_t count, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (size_t i = 0; i < count && !status; i++) {
        status = vxe_scene_number(object, where, places[i].key, places[i].value, error);
    }
    return status;
}

vxe_status vxe_scene_flag(const json_t *object, const char *where, const char *key, bool *value,
                          vxe_error *error)
{
    const json_t *item = json_object_get(object, key);
    if (!item) {
        return VXE_OK;
    }
    if (!json_is_boolean(item)) {
        return not_as_expected(where, key, "true or false", error);
    }
    *value = json_is_true(item);
    return VXE_OK;
}

vxe_status vxe_scene_freedoms(const json_t *object, const char *where, const char *key,
                              uint32_t *fixed, vxe_error *error)
{
    const json_t *list = json_object_get(object, key);
    for (size_t c = 0; c < 6 && list; c++) {
        const json_t *flag = json_array_get(list, c);
        if (json_array_size(list) != 6 || !json_is_boolean(flag)) {
            return not_as_expected(where, key, "six of true and false", error);
        }
        *fixed |= json_is_true(flag) ? 1u << c : 0;
    }
    return VXE_OK;
}

static vxe_status numbers_of(const json_t *item, const char *where, const char *key, double *values,
                             size_t count, vxe_error *error)
{
    if (!json_is_array(item) || json_array_size(item) != count) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"%s\" must be an array of %zu numbers",
                              where, key, count);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(item, i);
        if (!json_is_number(number)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "%s: \"%s\" must be an array of %zu numbers", where, key, count);
        }
        values[i] = json_number_value(number);
    }
    return VXE_OK;
}

vxe_status vxe_scene_numbers(const json_t *object, const char *where, const char *key,
                             double *values, size_t count, vxe_error *error)
{
    const json_t *item = json_object_get(object, key);
    return item ? numbers_of(item, where, key, values, count, error) : VXE_OK;
}

vxe_status vxe_scene_vector(const json_t *object, const char *where, const char *key,
                            double value[3], vxe_error *error)
{
    return vxe_scene_numbers(object, where, key, value, 3, error);
}

vxe_status vxe_scene_text(const json_t *object, const char *where, const char *key, char *value,
                          uint64_t size, vxe_error *error)
{
    const json_t *item = json_object_get(object, key);
    if (!item) {
        return VXE_OK;
    }
    if (!json_is_string(item)) {
        return not_as_expected(where, key, "a string", error);
    }
    snprintf(value, (size_t)size, "%s", json_string_value(item));
    return VXE_OK;
}

/* An integer in [low, high], or an error. */
static vxe_status integer_of(const json_t *item, const char *where, double low, double high,
                             double *value, vxe_error *error)
{
    *value = json_is_number(item) ? json_number_value(item) : (double)NAN;
    if (!(*value >= low && *value <= high) || *value != floor(*value)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: expected integers from %.0f to %.0f",
                              where, low, high);
    }
    return VXE_OK;
}

vxe_status vxe_scene_indices_of(const json_t *item, const char *where, const char *key,
                                uint32_t **indices, uint32_t *count, vxe_error *error)
{
    *indices = NULL;
    *count = 0;
    if (!item) {
        return VXE_OK;
    }
    if (!json_is_array(item)) {
        return not_as_expected(where, key, "an array of voxel numbers", error);
    }
    const size_t size = json_array_size(item);
    *indices = vxe_memory_take(size, sizeof **indices);
    if (!*indices) {
        return vxe_error_memory(error, size * sizeof **indices);
    }
    for (size_t i = 0; i < size; i++) {
        double index = 0;
        if (integer_of(json_array_get(item, i), where, 0, VXE_NONE - 1.0, &index, error)) {
            vxe_memory_release(*indices);
            *indices = NULL;
            return VXE_ERROR_INPUT;
        }
        (*indices)[i] = (uint32_t)index;
    }
    *count = (uint32_t)size;
    return VXE_OK;
}

vxe_status vxe_scene_indices(const json_t *object, const char *where, const char *key,
                             uint32_t **indices, uint32_t *count, vxe_error *error)
{
    return vxe_scene_indices_of(json_object_get(object, key), where, key, indices, count, error);
}

vxe_status vxe_scene_voxels(vxe_design *design, const json_t *array, const char *key,
                            vxe_error *error)
{
    if (!json_is_array(array)) {
        return not_as_expected("scene", key, "an array of [i, j, k, material]", error);
    }
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *row = json_array_get(array, i);
        char where[64];
        double value[4];
        snprintf(where, sizeof where, "\"%s\" row %zu", key, i);
        if (!json_is_array(row) || json_array_size(row) != 4) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be [i, j, k, material]", where);
        }
        for (size_t c = 0; c < 4; c++) {
            if (integer_of(json_array_get(row, c), where, c < 3 ? INT32_MIN : 0, INT32_MAX,
                           &value[c], error)) {
                return VXE_ERROR_INPUT;
            }
        }
        if (vxe_design_add_voxel(design, (int32_t)value[0], (int32_t)value[1], (int32_t)value[2],
                                 (uint32_t)value[3], error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
}

vxe_status vxe_scene_velocities(vxe_design *design, const json_t *array, const char *velocity,
                                const char *spin, vxe_error *error)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        char where[64];
        if (!json_is_object(item)) {
            return not_as_expected("scene", "initial_velocities", "an array of objects", error);
        }
        double linear[3] = {0};
        double angular[3] = {0};
        uint32_t *voxels = NULL;
        uint32_t count = 0;
        snprintf(where, sizeof where, "initial velocity %zu", i);
        vxe_status status = vxe_scene_vector(item, where, velocity, linear, error);
        status = status ? status : vxe_scene_vector(item, where, spin, angular, error);
        status = status ? status : vxe_scene_indices(item, where, "voxels", &voxels, &count, error);
        for (uint32_t k = 0; k < count && !status; k++) {
            status = vxe_design_set_velocity(design, voxels[k], linear, angular, error);
        }
        vxe_memory_release(voxels);
        if (status) {
            return status;
        }
    }
    return VXE_OK;
}

vxe_status vxe_scene_table(const json_t *array, const char *where, double **table, uint32_t *count,
                           vxe_error *error)
{
    if (!json_is_array(array)) {
        return not_as_expected(where, "table", "an array of [time, value]", error);
    }
    const size_t rows = json_array_size(array);
    *table = vxe_memory_take(rows, 2 * sizeof **table);
    if (!*table) {
        return vxe_error_memory(error, rows * 2 * sizeof **table);
    }
    *count = (uint32_t)rows;
    for (size_t i = 0; i < rows; i++) {
        if (numbers_of(json_array_get(array, i), where, "table", *table + 2 * i, 2, error)) {
            return VXE_ERROR_INPUT;
        }
    }
    return VXE_OK;
}

json_t *vxe_scene_array(const double *values, size_t count)
{
    VXE_ASSERT(values || count == 0);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(array, json_real(values[i]));
    }
    return array;
}

json_t *vxe_scene_rows(const double *table, uint32_t count)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_array_append_new(rows, vxe_scene_array(table + 2 * (size_t)i, 2));
    }
    return rows;
}

json_t *vxe_scene_string(const char *text)
{
    json_t *string = json_string(text);
    return string ? string : json_string("unnamed");
}

static int put_text(const char *text, size_t size, void *into)
{
    vxe_bytes_put(into, text, size);
    return ((vxe_bytes *)into)->bad ? -1 : 0;
}

char *vxe_json_text(json_t *root, uint64_t failures, uint64_t *size, vxe_error *error)
{
    vxe_bytes text = {0};
    const bool built = !vxe_memory_check(failures, error);
    const bool printed =
        built && !json_dump_callback(root, put_text, &text, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(root);
    vxe_bytes_put(&text, "", 1);
    if (!printed || text.bad || vxe_memory_check(failures, error)) {
        vxe_bytes_clear(&text);
        (void)(built ? vxe_error_memory(error, text.capacity) : VXE_ERROR_MEMORY);
        return NULL;
    }
    if (size) {
        *size = text.size - 1;
    }
    return (char *)text.data;
}

vxe_status vxe_json_put(json_t *root, uint64_t failures, vxe_sink *sink, vxe_error *error)
{
    vxe_file_writer writer;
    vxe_status status = vxe_memory_check(failures, error);
    status = status ? status : vxe_sink_begin(sink, &writer, error);
    if (!status && json_dumpf(root, writer.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17))) {
        status = vxe_memory_check(failures, error);
        status = status ? status : vxe_file_check(&writer, error);
        status = status ? status
                        : vxe_error_at(error, VXE_ERROR_SYSTEM, writer.path, 0, 0, "cannot write");
        vxe_sink_abandon(sink, &writer);
    } else if (!status) {
        status = vxe_file_commit(&writer, error);
    }
    json_decref(root);
    return status;
}

vxe_status vxe_json_write(json_t *root, uint64_t failures, const char *path, vxe_error *error)
{
    vxe_sink sink = {.path = path};
    return vxe_json_put(root, failures, &sink, error);
}
