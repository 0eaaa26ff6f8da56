/* SPDX-License-Identifier: MIT */
/* Actuation and programmes of sizes of a scene, read and written. */
#include <stdio.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/scene_internal.h"

/* The numbers of an actuation by their keys. */
enum { NUMBERS = 7 };
static const char *const keys[NUMBERS] = {"base_C",     "amplitude_K", "period_s",   "start_s",
                                          "least_size", "most_size",   "growth_room"};

vxe_status vxe_scene_read_actuation(vxe_design *design, json_t *object, vxe_error *error)
{
    static const char *const known[] = {"enabled",   "base_C",      "amplitude_K",
                                        "period_s",  "start_s",     "least_size",
                                        "most_size", "growth_room", NULL};
    vxe_actuation *heat = &design->actuation;
    double *values[NUMBERS] = {&heat->base,  &heat->amplitude, &heat->period, &heat->start,
                               &heat->least, &heat->most,      &heat->room};
    vxe_scene_note_unknown(object, "actuation", known, design->notes);
    vxe_status status = vxe_scene_flag(object, "actuation", "enabled", &heat->enabled, error);
    for (int i = 0; i < NUMBERS && !status; i++) {
        status = vxe_scene_number(object, "actuation", keys[i], values[i], error);
    }
    return status;
}

json_t *vxe_scene_actuation(const vxe_actuation *heat)
{
    const double values[NUMBERS] = {heat->base,  heat->amplitude, heat->period, heat->start,
                                    heat->least, heat->most,      heat->room};
    json_t *object = json_object();
    json_object_set_new(object, "enabled", json_boolean(heat->enabled));
    for (int i = 0; i < NUMBERS; i++) {
        json_object_set_new(object, keys[i], json_real(values[i]));
    }
    return object;
}

static vxe_status read_programme(vxe_design *design, json_t *item, size_t index, vxe_error *error)
{
    static const char *const known[] = {"group", "table", NULL};
    vxe_programme programme = {0};
    double group = -1;
    char where[64];
    snprintf(where, sizeof where, "programme %zu", index + 1);
    if (!json_is_object(item)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be an object", where);
    }
    vxe_scene_note_unknown(item, "programmes", known, design->notes);
    vxe_status status = vxe_scene_number(item, where, "group", &group, error);
    if (!status && !(group >= 0 && group < 1e9 && group == (double)(uint32_t)group)) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "%s: \"group\" must be a whole number from 0", where);
    }
    programme.group = status ? 0 : (uint32_t)group;
    status = status ? status
                    : vxe_scene_table(json_object_get(item, "table"), where, &programme.table,
                                      &programme.table_count, error);
    status = status ? status : vxe_design_add_programme(design, &programme, error);
    vxe_memory_release(programme.table);
    return status;
}

vxe_status vxe_scene_read_programmes(vxe_design *design, const json_t *array, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (size_t i = 0; i < json_array_size(array) && !status; i++) {
        status = read_programme(design, json_array_get(array, i), i, error);
    }
    return status;
}

vxe_status vxe_scene_read_stiffening(vxe_design *design, const json_t *table, vxe_error *error)
{
    double *rows = NULL;
    uint32_t count = 0;
    if (!table) {
        return VXE_OK;
    }
    vxe_status status = vxe_scene_table(table, "stiffening", &rows, &count, error);
    status = status ? status : vxe_design_set_stiffening(design, rows, count, error);
    vxe_memory_release(rows);
    return status;
}

json_t *vxe_scene_programmes(const vxe_design *design)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < design->programme_count; i++) {
        const vxe_programme *programme = &design->programmes[i];
        json_t *object = json_object();
        json_object_set_new(object, "group", json_integer((json_int_t)programme->group));
        json_object_set_new(object, "table",
                            vxe_scene_rows(programme->table, programme->table_count));
        json_array_append_new(array, object);
    }
    return array;
}
