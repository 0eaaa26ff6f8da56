/* SPDX-License-Identifier: MIT */
/* Reads a scene into a design: materials, voxels and layers, boundary conditions, and the world
   around them. The table of keys fills plain values; this file reads lists and what belongs
   together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"

/* Reads a measured curve, [[strain, stress Pa], ...]. Its first slope is Young's modulus if none is
   given. */
static vxe_status read_curve(const vxe_scene_item *item, vxe_material *m, vxe_error *error)
{
    const json_t *array = vxe_scene_get(item, "curve");
    const size_t count = json_array_size(array);
    if (count > VXE_CURVE_POINTS) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"curve\" has %zu points; at most %d",
                              item->where, count, VXE_CURVE_POINTS);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *point = json_array_get(array, i);
        const json_t *strain = json_array_get(point, 0);
        const json_t *stress = json_array_get(point, 1);
        if (!json_is_number(strain) || !json_is_number(stress) || json_array_size(point) != 2) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "%s: \"curve\" must be an array of [strain, stress] pairs",
                                  item->where);
        }
        m->curve_strain[i] = json_number_value(strain);
        m->curve_stress[i] = json_number_value(stress);
    }
    m->curve_count = (uint32_t)count;
    if (count > 1 && !vxe_scene_get(item, "youngs_modulus_Pa")) {
        m->youngs_modulus = m->curve_stress[1] / m->curve_strain[1];
    }
    return VXE_OK;
}

/* Reads a colour: red, green, blue, and alpha or none. */
static vxe_status read_color(const vxe_scene_item *item, vxe_material *m, vxe_error *error)
{
    const json_t *color = vxe_scene_get(item, "color");
    const size_t count = json_array_size(color);
    bool good = !color || count == 3 || count == 4;
    for (size_t c = 0; c < count && good; c++) {
        const json_t *part = json_array_get(color, c);
        const double value = json_number_value(part);
        good = json_is_number(part) && value >= 0 && value <= 1;
        m->color[c] = good ? (float)value : m->color[c];
    }
    return good ? VXE_OK
                : vxe_error_fill(error, VXE_ERROR_INPUT,
                                 "%s: \"color\" must be 3 or 4 numbers from 0 to 1", item->where);
}

static vxe_status read_model(const vxe_scene_item *item, vxe_material *m, vxe_error *error)
{
    const json_t *value = vxe_scene_get(item, "model");
    const double model = value ? json_number_value(value) : (double)m->model;
    if ((value && !json_is_number(value)) ||
        !(model == 0 || model == 1 || model == 2 || model == 3)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"model\" must be 0, 1, 2 or 3",
                              item->where);
    }
    m->model = (vxe_material_model)(int)model;
    return VXE_OK;
}

static vxe_status read_material(vxe_design *design, json_t *object, size_t index, vxe_error *error)
{
    vxe_material m = vxe_material_default();
    char where[64];
    snprintf(where, sizeof where, "material %zu (from 0)", index);
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_MATERIAL, object, where);
    vxe_status status = vxe_scene_read(&item, &m, error);
    if (status) {
        return status;
    }
    const json_t *measured = vxe_scene_get(&item, "measured");
    m.unmeasured = measured && !json_is_true(measured);
    status = read_color(&item, &m, error);
    status = status ? status : read_model(&item, &m, error);
    status = status ? status : read_curve(&item, &m, error);
    status = status ? status : vxe_material_check(&m, error);
    return status ? status : vxe_design_add_material(design, &m, NULL, error);
}

vxe_status vxe_scene_materials(vxe_design *design, const json_t *array, vxe_error *error)
{
    vxe_status status = vxe_limit_check(VXE_LIMIT_MATERIALS, json_array_size(array), 0, error);
    for (size_t i = 0; i < json_array_size(array) && !status; i++) {
        status = read_material(design, json_array_get(array, i), i, error);
    }
    return status;
}

static vxe_status read_fixed(const vxe_scene_item *item, uint32_t *fixed, vxe_error *error)
{
    static const char *const freedoms[6] = {"x", "y", "z", "rx", "ry", "rz"};
    const json_t *list = vxe_scene_get(item, "fixed");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        uint32_t bit = 0;
        for (uint32_t c = 0; c < 6; c++) {
            bit |= name && strcmp(name, freedoms[c]) == 0 ? 1u << c : 0;
        }
        if (!bit) {
            return vxe_error_fill(
                error, VXE_ERROR_INPUT,
                "%s: \"fixed\" lists freedoms: \"x\", \"y\", \"z\", \"rx\", \"ry\", \"rz\"",
                item->where);
        }
        *fixed |= bit;
    }
    return VXE_OK;
}

/* Reads the voxels and the table of a region into new blocks. */
static vxe_status read_lists(const vxe_scene_item *item, vxe_region *region, vxe_error *error)
{
    const json_t *table = vxe_scene_get(item, "table");
    const vxe_status status =
        vxe_scene_indices_of(vxe_scene_get(item, "voxels"), item->where, "voxels", &region->voxels,
                             &region->voxel_count, error);
    return status || !table
               ? status
               : vxe_scene_table(table, item->where, &region->table, &region->table_count, error);
}

static vxe_status read_region(vxe_design *design, json_t *object, size_t index, vxe_error *error)
{
    vxe_region region = {0};
    char where[64];
    uint32_t shape = VXE_REGION_BOX;
    snprintf(where, sizeof where, "region %zu", index + 1);
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_REGION, object, where);
    vxe_status status = vxe_scene_read(&item, &region, error);
    status = status ? status : vxe_scene_choose(&item, "shape", &shape, error);
    region.shape = (vxe_region_shape)shape;
    status = status ? status : read_fixed(&item, &region.fixed, error);
    status = status ? status : read_lists(&item, &region, error);
    status = status ? status : vxe_design_add_region(design, &region, error);
    vxe_memory_release(region.voxels);
    vxe_memory_release(region.table);
    return status;
}

/* Reads layers; the design has voxels. */
static vxe_status read_layers(vxe_design *design, json_t *object, vxe_error *error)
{
    const char *name = NULL;
    json_t *array = NULL;
    VXE_ASSERT(design->voxel_count > 0);
    if (vxe_limit_check(VXE_LIMIT_LAYERS, json_object_size(object), 0, error)) {
        return VXE_ERROR_INPUT;
    }
    json_object_foreach(object, name, array)
    {
        const size_t size = json_array_size(array);
        if (size == 0 || size % design->voxel_count ||
            strlen(name) >= sizeof design->layers[0].name) {
            return vxe_error_fill(
                error, VXE_ERROR_INPUT,
                "layer \"%.40s\" holds %zu numbers, expected one or more for each of %u voxels",
                name, size, design->voxel_count);
        }
        vxe_layer *layer = vxe_design_layer(design, name, (uint32_t)(size / design->voxel_count));
        if (!layer) {
            return vxe_error_memory(error, size * sizeof(double));
        }
        for (size_t i = 0; i < size; i++) {
            const json_t *number = json_array_get(array, i);
            if (!json_is_number(number)) {
                return vxe_error_fill(error, VXE_ERROR_INPUT,
                                      "layer \"%.40s\": value %zu (from 0) is not a number", name,
                                      i);
            }
            layer->values[i] = json_number_value(number);
        }
    }
    return VXE_OK;
}

/* Reads the initial velocity and spin of some voxels. */
static vxe_status read_motion(vxe_design *design, json_t *object, size_t index, vxe_error *error)
{
    vxe_scene_motion motion = {0};
    uint32_t *voxels = NULL;
    uint32_t count = 0;
    char where[64];
    snprintf(where, sizeof where, "initial velocity %zu", index);
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_MOTION, object, where);
    vxe_status status = vxe_scene_read(&item, &motion, error);
    status = status ? status
                    : vxe_scene_indices_of(vxe_scene_get(&item, "voxels"), where, "voxels", &voxels,
                                           &count, error);
    for (uint32_t k = 0; k < count && !status; k++) {
        status = vxe_design_set_velocity(design, voxels[k], motion.velocity, motion.spin, error);
    }
    vxe_memory_release(voxels);
    return status;
}

static vxe_status read_stop(vxe_design *design, json_t *object, vxe_error *error)
{
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_STOP, object, "stop");
    const vxe_status status = vxe_scene_read(&item, &design->stop, error);
    const json_t *value = status ? NULL : vxe_scene_get(&item, "steps");
    const double steps = value ? json_number_value(value) : 0;
    const bool good = !value || json_is_number(value);
    if (!good || !(steps >= 0 && steps < 1e18) || steps != floor(steps)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "stop: \"steps\" must be a whole number from 0 to below 1e18");
    }
    design->stop.steps = status ? 0 : (uint64_t)steps;
    return status;
}

static vxe_status read_time_step(vxe_design *design, json_t *object, vxe_error *error)
{
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_TIME_STEP, object, "time_step");
    return vxe_scene_read(&item, &design->time_step, error);
}

/* Reads the fluid. If the scene has this object, the fluid is enabled unless it says otherwise. */
static vxe_status read_fluid(vxe_design *design, json_t *object, vxe_error *error)
{
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_FLUID, object, "fluid");
    design->fluid.enabled = design->fluid.enabled || object;
    return vxe_scene_read(&item, &design->fluid, error);
}

static vxe_status read_force_field(vxe_design *design, json_t *object, vxe_error *error)
{
    const vxe_scene_item item =
        vxe_scene_item_of(design, VXE_SCENE_FORCE_FIELD, object, "force_field");
    return vxe_scene_read(&item, NULL, error);
}

/* Reads what acts on all voxels, and when a run ends. */
static vxe_status read_world(const vxe_scene_item *scene, vxe_error *error)
{
    typedef vxe_status read_part(vxe_design * design, json_t * object, vxe_error * error);
    static const struct {
        const char *key;
        read_part *read;
    } parts[] = {{"floor", vxe_scene_read_floor},
                 {"force_field", read_force_field},
                 {"fluid", read_fluid},
                 {"magnetics", vxe_scene_read_magnetics},
                 {"actuation", vxe_scene_read_actuation},
                 {"controller", vxe_scene_read_controller},
                 {"stop", read_stop},
                 {"time_step", read_time_step}};
    vxe_status status = VXE_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !status; i++) {
        status = parts[i].read(scene->design, vxe_scene_get(scene, parts[i].key), error);
    }
    return status;
}

/* Reads bodies and what belongs to them, each after what it refers to by name or number. */
static vxe_status read_bodies(const vxe_scene_item *scene, vxe_error *error)
{
    vxe_design *design = scene->design;
    const json_t *voxels = vxe_scene_get(scene, "voxels");
    const json_t *regions = vxe_scene_get(scene, "regions");
    const json_t *motions = vxe_scene_get(scene, "initial_velocities");
    json_t *layers = vxe_scene_get(scene, "layers");
    vxe_status status = vxe_scene_materials(design, vxe_scene_get(scene, "materials"), error);
    status =
        status ? status : vxe_scene_read_contacts(design, vxe_scene_get(scene, "contacts"), error);
    status = status ? status
                    : vxe_scene_read_affine(design, vxe_scene_get(scene, "affine_bodies"),
                                            vxe_scene_get(scene, "walls"), error);
    status = status
                 ? status
                 : vxe_scene_read_observations(design, vxe_scene_get(scene, "observations"), error);
    status = status || !voxels ? status : vxe_scene_voxels(design, voxels, "voxels", error);
    status =
        status || !layers || design->voxel_count == 0 ? status : read_layers(design, layers, error);
    for (size_t i = 0; i < json_array_size(regions) && !status; i++) {
        status = read_region(design, json_array_get(regions, i), i, error);
    }
    status = status ? status
                    : vxe_scene_read_schedules(design, vxe_scene_get(scene, "schedules"), error);
    status = status ? status
                    : vxe_scene_read_stiffening(design, vxe_scene_get(scene, "stiffening"), error);
    for (size_t i = 0; i < json_array_size(motions) && !status; i++) {
        status = read_motion(design, json_array_get(motions, i), i, error);
    }
    return status;
}

vxe_status vxe_scene_fill(vxe_design *design, json_t *root, vxe_error *error)
{
    const vxe_scene_item scene = vxe_scene_item_of(design, VXE_SCENE_ROOT, root, "scene");
    vxe_status status = vxe_scene_read(&scene, design, error);
    const bool stated = vxe_scene_get(&scene, "conventions") != NULL;
    vxe_design_mark(design, design->written_for,
                    stated ? "the file says so" : "a scene of our own format", false);
    const json_t *version = status ? NULL : vxe_scene_get(&scene, "version");
    if (version && json_number_value(version) != 1) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "scene of version %g; this release reads 1",
                              json_number_value(version));
    }
    status = status ? status : read_world(&scene, error);
    status = status ? status : read_bodies(&scene, error);
    vxe_scene_note(&scene);
    return status;
}
