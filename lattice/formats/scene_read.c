/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/scene_internal.h"

/* A measured curve: [[strain, stress Pa], ...]. Its beginning is Young's modulus, if none is given.
 */
static vxe_status read_curve(const json_t *item, const char *where, vxe_material *m,
                             vxe_error *error)
{
    const json_t *array = json_object_get(item, "curve");
    const size_t count = json_array_size(array);
    if (vxe_scene_expect(item, where, "curve", JSON_ARRAY, error)) {
        return VXE_ERROR_INPUT;
    }
    if (count > VXE_CURVE_POINTS) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"curve\" has %zu points; at most %d",
                              where, count, VXE_CURVE_POINTS);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *point = json_array_get(array, i);
        const json_t *strain = json_array_get(point, 0);
        const json_t *stress = json_array_get(point, 1);
        if (!json_is_number(strain) || !json_is_number(stress) || json_array_size(point) != 2) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "%s: \"curve\" must be an array of [strain, stress] pairs",
                                  where);
        }
        m->curve_strain[i] = json_number_value(strain);
        m->curve_stress[i] = json_number_value(stress);
    }
    m->curve_count = (uint32_t)count;
    if (count > 1 && !json_object_get(item, "youngs_modulus_Pa")) {
        m->youngs_modulus = m->curve_stress[1] / m->curve_strain[1];
    }
    return VXE_OK;
}

static const char *const material_keys[] = {"name",
                                            "color",
                                            "youngs_modulus_Pa",
                                            "density_kg_per_m3",
                                            "poissons_ratio",
                                            "static_friction",
                                            "dynamic_friction",
                                            "bond_damping",
                                            "collision_damping",
                                            "global_damping",
                                            "thermal_expansion_per_K",
                                            "phase_rad",
                                            "model",
                                            "plastic_modulus_Pa",
                                            "yield_stress_Pa",
                                            "fail_stress_Pa",
                                            "fail_strain",
                                            "curve",
                                            "sticky",
                                            "detach_stress_Pa",
                                            "magnetization_A_per_m",
                                            "susceptibility",
                                            "sphere",
                                            "target",
                                            "measured",
                                            NULL};

static vxe_status read_material(vxe_design *design, json_t *item, size_t index, vxe_error *error)
{
    vxe_material m = vxe_material_default();
    char where[64];
    snprintf(where, sizeof where, "material %zu (from 0)", index);
    if (!json_is_object(item)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be an object", where);
    }
    const vxe_scene_place numbers[] = {{"youngs_modulus_Pa", &m.youngs_modulus},
                                       {"density_kg_per_m3", &m.density},
                                       {"poissons_ratio", &m.poissons_ratio},
                                       {"static_friction", &m.static_friction},
                                       {"dynamic_friction", &m.dynamic_friction},
                                       {"bond_damping", &m.bond_damping},
                                       {"collision_damping", &m.collision_damping},
                                       {"global_damping", &m.global_damping},
                                       {"thermal_expansion_per_K", &m.thermal_expansion},
                                       {"phase_rad", &m.phase},
                                       {"plastic_modulus_Pa", &m.plastic_modulus},
                                       {"yield_stress_Pa", &m.yield_stress},
                                       {"fail_stress_Pa", &m.fail_stress},
                                       {"fail_strain", &m.fail_strain},
                                       {"detach_stress_Pa", &m.detach_stress},
                                       {"susceptibility", &m.susceptibility}};
    double model = m.model;
    bool measured = true;
    vxe_status status = vxe_scene_text(item, where, "name", m.name, sizeof m.name, error);
    status = status ? status : vxe_scene_flag(item, where, "sticky", &m.sticky, error);
    status = status ? status : vxe_scene_flag(item, where, "sphere", &m.sphere, error);
    status = status ? status : vxe_scene_flag(item, where, "target", &m.target, error);
    status = status ? status : vxe_scene_flag(item, where, "measured", &measured, error);
    m.unmeasured = !measured;
    status =
        status ? status
               : vxe_scene_places(item, where, numbers, sizeof numbers / sizeof numbers[0], error);
    status = status
                 ? status
                 : vxe_scene_vector(item, where, "magnetization_A_per_m", m.magnetization, error);
    status = status ? status : vxe_scene_number(item, where, "model", &model, error);
    if (!status && !(model == 0 || model == 1 || model == 2 || model == 3)) {
        status =
            vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"model\" must be 0, 1, 2 or 3", where);
    }
    const json_t *color = json_object_get(item, "color");
    status = status ? status : vxe_scene_expect(item, where, "color", JSON_ARRAY, error);
    for (size_t c = 0; c < 4 && c < json_array_size(color); c++) {
        m.color[c] = (float)json_number_value(json_array_get(color, c));
    }
    m.model = status ? VXE_MATERIAL_LINEAR : (vxe_material_model)(int)model;
    status = status ? status : read_curve(item, where, &m, error);
    status = status ? status : vxe_material_check(&m, error);
    vxe_scene_note_unknown(item, "materials", material_keys, design->notes);
    return status ? status : vxe_design_add_material(design, &m, NULL, error);
}

vxe_status vxe_scene_materials(vxe_design *design, const json_t *array, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (size_t i = 0; i < json_array_size(array) && !status; i++) {
        status = read_material(design, json_array_get(array, i), i, error);
    }
    return status;
}

static const char *const freedoms[6] = {"x", "y", "z", "rx", "ry", "rz"};
static const char *const shapes[4] = {"box", "cylinder", "sphere", "voxels"};

static vxe_status read_fixed(const json_t *item, const char *where, uint32_t *fixed,
                             vxe_error *error)
{
    const json_t *list = json_object_get(item, "fixed");
    if (vxe_scene_expect(item, where, "fixed", JSON_ARRAY, error)) {
        return VXE_ERROR_INPUT;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        uint32_t bit = 0;
        for (uint32_t c = 0; c < 6; c++) {
            bit |= name && strcmp(name, freedoms[c]) == 0 ? 1u << c : 0;
        }
        if (!bit) {
            return vxe_error_fill(
                error, VXE_ERROR_INPUT,
                "%s: \"fixed\" lists freedoms: \"x\", \"y\", \"z\", \"rx\", \"ry\", \"rz\"", where);
        }
        *fixed |= bit;
    }
    return VXE_OK;
}

static vxe_status read_region(vxe_design *design, json_t *item, size_t index, vxe_error *error)
{
    static const char *const known[] = {"shape",          "low_m",        "high_m",  "radius_m",
                                        "voxels",         "fixed",        "force_N", "moment_Nm",
                                        "displacement_m", "rotation_rad", "table",   NULL};
    vxe_region region = {0};
    char where[64];
    char shape[16] = "box";
    snprintf(where, sizeof where, "region %zu", index + 1);
    if (!json_is_object(item)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be an object", where);
    }
    vxe_status status = vxe_scene_text(item, where, "shape", shape, sizeof shape, error);
    uint32_t kind = 0;
    while (kind < 4 && strcmp(shapes[kind], shape) != 0) {
        kind++;
    }
    if (!status && kind == 4) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "%s: shape \"%s\"; expected box, cylinder, sphere or voxels", where,
                                shape);
    }
    region.shape = (vxe_region_shape)(kind < 4 ? kind : 0);
    status = status ? status : vxe_scene_vector(item, where, "low_m", region.low, error);
    status = status ? status : vxe_scene_vector(item, where, "high_m", region.high, error);
    status = status ? status : vxe_scene_number(item, where, "radius_m", &region.radius, error);
    status = status ? status : vxe_scene_vector(item, where, "force_N", region.force, error);
    status = status ? status : vxe_scene_vector(item, where, "moment_Nm", region.moment, error);
    status = status ? status
                    : vxe_scene_vector(item, where, "displacement_m", region.displacement, error);
    status =
        status ? status : vxe_scene_vector(item, where, "rotation_rad", region.rotation, error);
    status = status ? status : read_fixed(item, where, &region.fixed, error);
    status = status ? status
                    : vxe_scene_indices(item, where, "voxels", &region.voxels, &region.voxel_count,
                                        error);
    const json_t *table = json_object_get(item, "table");
    status = status || !table
                 ? status
                 : vxe_scene_table(table, where, &region.table, &region.table_count, error);
    status = status ? status : vxe_design_add_region(design, &region, error);
    vxe_memory_release(region.voxels);
    vxe_memory_release(region.table);
    vxe_scene_note_unknown(item, "regions", known, design->notes);
    return status;
}

static vxe_status read_layers(vxe_design *design, json_t *object, vxe_error *error)
{
    const char *name = NULL;
    json_t *array = NULL;
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
                return vxe_error_fill(
                    error, VXE_ERROR_INPUT,
                    "layer \"%.40s\" holds something that is no number at place %zu", name, i);
            }
            layer->values[i] = json_number_value(number);
        }
    }
    return VXE_OK;
}

vxe_status vxe_scene_formula(vxe_design *design, const json_t *object, const char *where,
                             const char *key, vxe_formula which, vxe_error *error)
{
    const json_t *formula = json_object_get(object, key);
    if (formula && !json_is_string(formula)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"%s\" must be a formula in quotes",
                              where, key);
    }
    return formula ? vxe_design_set_formula(design, which, json_string_value(formula), error)
                   : VXE_OK;
}

static vxe_status read_times(vxe_design *design, const json_t *root, vxe_error *error)
{
    const json_t *stop = json_object_get(root, "stop");
    const json_t *step = json_object_get(root, "time_step");
    double steps = 0;
    vxe_status status = vxe_scene_number(stop, "stop", "duration_s", &design->stop.duration, error);
    status = status ? status : vxe_scene_number(stop, "stop", "steps", &steps, error);
    status =
        status ? status : vxe_scene_number(stop, "stop", "periods", &design->stop.periods, error);
    status =
        status ? status
               : vxe_scene_number(stop, "stop", "settle_time_s", &design->stop.settle_time, error);
    status = status ? status
                    : vxe_scene_number(stop, "stop", "reference_time_s",
                                       &design->stop.reference_time, error);
    status =
        status ? status : vxe_scene_formula(design, stop, "stop", "when", VXE_FORMULA_STOP, error);
    status = status
                 ? status
                 : vxe_scene_formula(design, root, "scene", "fitness", VXE_FORMULA_FITNESS, error);
    status = status
                 ? status
                 : vxe_scene_number(root, "scene", "pair_distance", &design->pair_distance, error);
    status = status ? status
                    : vxe_scene_number(step, "time_step", "fraction", &design->time_step.fraction,
                                       error);
    status =
        status ? status
               : vxe_scene_number(step, "time_step", "seconds", &design->time_step.seconds, error);
    if (!status && !(steps >= 0 && steps < 1e18)) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "stop: \"steps\" is %g; expected a number from 0", steps);
    }
    design->stop.steps = status ? 0 : (uint64_t)steps;
    return status;
}

/* Where there is one, it acts unless it says no. */
static vxe_status read_fluid(vxe_design *design, json_t *object, vxe_error *error)
{
    vxe_fluid *fluid = &design->fluid;
    if (!object) {
        return VXE_OK;
    }
    static const char *const known[] = {"enabled", "buoyancy", "density_kg_per_m3",
                                        "drag_coefficient", NULL};
    vxe_scene_note_unknown(object, "fluid", known, design->notes);
    fluid->enabled = true;
    vxe_status status = vxe_scene_flag(object, "fluid", "enabled", &fluid->enabled, error);
    status = status ? status : vxe_scene_flag(object, "fluid", "buoyancy", &fluid->buoyancy, error);
    status = status
                 ? status
                 : vxe_scene_number(object, "fluid", "density_kg_per_m3", &fluid->density, error);
    return status ? status
                  : vxe_scene_number(object, "fluid", "drag_coefficient", &fluid->drag_coefficient,
                                     error);
}

static vxe_status read_force_field(vxe_design *design, json_t *object, vxe_error *error)
{
    static const char *const known[] = {"x", "y", "z", NULL};
    vxe_scene_note_unknown(object, "force_field", known, design->notes);
    vxe_status status = VXE_OK;
    for (int c = 0; c < 3 && !status; c++) {
        status = vxe_scene_formula(design, object, "force_field", known[c],
                                   (vxe_formula)(VXE_FORMULA_FORCE_X + c), error);
    }
    return status;
}

static const char *const scene_keys[] = {"format",
                                         "version",
                                         "name",
                                         "written_for",
                                         "voxel_size_m",
                                         "file_origin_m",
                                         "gravity_m_per_s2",
                                         "floor",
                                         "fluid",
                                         "force_field",
                                         "magnetics",
                                         "contacts",
                                         "affine_bodies",
                                         "walls",
                                         "observations",
                                         "self_collision",
                                         "volume_effects",
                                         "actuation",
                                         "programmes",
                                         "stiffening",
                                         "stop",
                                         "fitness",
                                         "pair_distance",
                                         "time_step",
                                         "materials",
                                         "voxels",
                                         "layers",
                                         "regions",
                                         "initial_velocities",
                                         NULL};

/* Names, sizes and what acts on all voxels. */
static vxe_status read_world(vxe_design *design, const json_t *root, vxe_error *error)
{
    vxe_status status =
        vxe_scene_text(root, "scene", "name", design->name, sizeof design->name, error);
    status = status ? status
                    : vxe_scene_text(root, "scene", "written_for", design->written_for,
                                     sizeof design->written_for, error);
    status = status ? status
                    : vxe_scene_number(root, "scene", "voxel_size_m", &design->voxel_size, error);
    status = status ? status
                    : vxe_scene_vector(root, "scene", "file_origin_m", design->file_origin, error);
    status = status ? status
                    : vxe_scene_vector(root, "scene", "gravity_m_per_s2", design->gravity, error);
    status = status
                 ? status
                 : vxe_scene_flag(root, "scene", "self_collision", &design->self_collision, error);
    status = status
                 ? status
                 : vxe_scene_flag(root, "scene", "volume_effects", &design->volume_effects, error);
    return status;
}

vxe_status vxe_scene_fill(vxe_design *design, json_t *root, vxe_error *error)
{
    static const char *const objects[] = {"floor",     "fluid", "force_field", "magnetics",
                                          "actuation", "stop",  "time_step",   "layers"};
    static const char *const arrays[] = {
        "materials",          "voxels",        "regions", "contacts",    "programmes", "stiffening",
        "initial_velocities", "affine_bodies", "walls",   "observations"};
    vxe_status types = VXE_OK;
    for (size_t i = 0; i < sizeof objects / sizeof objects[0] && !types; i++) {
        types = vxe_scene_expect(root, "scene", objects[i], JSON_OBJECT, error);
    }
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0] && !types; i++) {
        types = vxe_scene_expect(root, "scene", arrays[i], JSON_ARRAY, error);
    }
    double version = 1;
    types = types ? types : vxe_scene_number(root, "scene", "version", &version, error);
    if (!types && version != 1) {
        types = vxe_error_fill(error, VXE_ERROR_INPUT, "scene of version %g; this release reads 1",
                               version);
    }
    vxe_status status = types ? types : read_world(design, root, error);
    status = status ? status : vxe_scene_read_floor(design, json_object_get(root, "floor"), error);
    status =
        status ? status : read_force_field(design, json_object_get(root, "force_field"), error);
    status = status ? status : read_fluid(design, json_object_get(root, "fluid"), error);
    status = status ? status
                    : vxe_scene_read_magnetics(design, json_object_get(root, "magnetics"), error);
    status = status ? status
                    : vxe_scene_read_actuation(design, json_object_get(root, "actuation"), error);
    status = status ? status : read_times(design, root, error);
    status =
        status ? status : vxe_scene_materials(design, json_object_get(root, "materials"), error);
    status =
        status ? status : vxe_scene_read_contacts(design, json_object_get(root, "contacts"), error);
    status = status ? status : vxe_scene_read_affine(design, root, error);
    status =
        status ? status
               : vxe_scene_read_observations(design, json_object_get(root, "observations"), error);
    const json_t *voxels = json_object_get(root, "voxels");
    status = status || !voxels ? status : vxe_scene_voxels(design, voxels, "voxels", error);
    json_t *layers = json_object_get(root, "layers");
    status =
        status || !layers || design->voxel_count == 0 ? status : read_layers(design, layers, error);
    const json_t *regions = json_object_get(root, "regions");
    for (size_t i = 0; i < json_array_size(regions) && !status; i++) {
        status = read_region(design, json_array_get(regions, i), i, error);
    }
    status = status ? status
                    : vxe_scene_read_programmes(design, json_object_get(root, "programmes"), error);
    status = status ? status
                    : vxe_scene_read_stiffening(design, json_object_get(root, "stiffening"), error);
    status = status ? status
                    : vxe_scene_velocities(design, json_object_get(root, "initial_velocities"),
                                           "velocity_m_per_s", "spin_rad_per_s", error);
    vxe_scene_note_unknown(root, "scene", scene_keys, design->notes);
    return status;
}
