/* SPDX-License-Identifier: MIT */
/* Reads and writes what changes the size and stiffness of voxels: actuation, schedules and
   stiffening. */
#include <stdio.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"

/* Keys of the numbers of an actuation. */
enum { NUMBERS = 7 };
static const char *const keys[NUMBERS] = {"base_C",     "amplitude_K", "period_s",   "start_s",
                                          "least_size", "most_size",   "growth_room"};

vxe_status vxe_scene_read_actuation(vxe_design *design, json_t *object, vxe_error *error)
{
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_ACTUATION, object, "actuation");
    return vxe_scene_read(&item, &design->actuation, error);
}

json_t *vxe_scene_actuation(const vxe_actuation *heat)
{
    const double values[NUMBERS] = {heat->base, heat->amplitude, heat->period, heat->start,
                                    heat->min,  heat->max,       heat->room};
    json_t *object = json_object();
    json_object_set_new(object, "enabled", json_boolean(heat->enabled));
    for (int i = 0; i < NUMBERS; i++) {
        json_object_set_new(object, keys[i], json_real(values[i]));
    }
    return object;
}

static vxe_status read_schedule(vxe_design *design, json_t *object, size_t index, vxe_error *error)
{
    vxe_group_schedule schedule = {0};
    char where[64];
    snprintf(where, sizeof where, "schedule %zu", index + 1);
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_SCHEDULE, object, where);
    vxe_status status = vxe_scene_read(&item, &schedule, error);
    status = status ? status
                    : vxe_scene_table(vxe_scene_get(&item, "table"), where, &schedule.table,
                                      &schedule.table_count, error);
    status = status ? status : vxe_design_add_schedule(design, &schedule, error);
    vxe_memory_release(schedule.table);
    return status;
}

vxe_status vxe_scene_read_schedules(vxe_design *design, const json_t *array, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (size_t i = 0; i < json_array_size(array) && !status; i++) {
        status = read_schedule(design, json_array_get(array, i), i, error);
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

json_t *vxe_scene_schedules(const vxe_design *design)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < design->schedule_count; i++) {
        const vxe_group_schedule *schedule = &design->schedules[i];
        json_t *object = json_object();
        json_object_set_new(object, "group", json_integer((json_int_t)schedule->group));
        json_object_set_new(object, "table",
                            vxe_scene_rows(schedule->table, schedule->table_count));
        json_array_append_new(array, object);
    }
    return array;
}
