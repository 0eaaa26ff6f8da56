/* SPDX-License-Identifier: MIT */
/* Reads VXL, the JSON of the Voxelyze library. The centre of its voxel (0, 0, 0) is the origin, and
   the floor is half a voxel below; gravity is in multiples of g, downwards. Voxelyze writes
   gravity, floor, collisions, temperature and measured curves, but ignores them when it reads a
   file; this reader does not ignore them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/scene/scene_internal.h"

/* Reads a colour; its numbers are 0 to 255, or -1 if none was set. */
static vxe_status read_color(const json_t *item, const char *where, vxe_material *m,
                             vxe_error *error)
{
    static const char *const keys[4] = {"red", "green", "blue", "alpha"};
    vxe_status status = VXE_OK;
    for (int c = 0; c < 4 && !status; c++) {
        double value = -1;
        status = vxe_scene_number(item, where, keys[c], &value, error);
        if (value >= 0) {
            m->color[c] = (float)(value / 255);
        }
    }
    return status;
}

/* Reads strainData and stressData, of equal length; their first point (0, 0) may be missing. With
 * one further point the material is linear and breaks there; with more it has a curve and breaks at
 * its end. */
static vxe_status read_curve(const json_t *item, const char *where, vxe_material *m,
                             vxe_error *error)
{
    const json_t *strain = json_object_get(item, "strainData");
    const json_t *stress = json_object_get(item, "stressData");
    size_t count = json_array_size(strain);
    if (!strain && !stress) {
        return VXE_OK;
    }
    if (count == 0 || count != json_array_size(stress) || count >= VXE_CURVE_POINTS) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: strainData and stressData hold %zu and %zu numbers; expected "
                              "as many of both, 1 to %d",
                              where, count, json_array_size(stress), VXE_CURVE_POINTS - 1);
    }
    VXE_ASSERT(count < VXE_CURVE_POINTS);
    const size_t added = json_number_value(json_array_get(strain, 0)) != 0;
    vxe_status status =
        vxe_scene_numbers(item, where, "strainData", m->curve_strain + added, count, error);
    status = status ? status
                    : vxe_scene_numbers(item, where, "stressData", m->curve_stress + added, count,
                                        error);
    count += added;
    if (!status && (count < 2 || !(m->curve_strain[1] > 0))) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: strainData must increase from 0 and have a point behind it",
                              where);
    }
    m->youngs_modulus = status ? 0 : m->curve_stress[1] / m->curve_strain[1];
    m->curve_count = (uint32_t)count;
    m->model = VXE_MATERIAL_MEASURED;
    if (!status && count == 2) {
        m->model = VXE_MATERIAL_LINEAR_FAILING;
        m->fail_strain = m->curve_strain[1];
        m->curve_count = 0;
    }
    return status;
}

static const char *const material_keys[] = {"name",
                                            "red",
                                            "green",
                                            "blue",
                                            "alpha",
                                            "youngsModulus",
                                            "epsilonFail",
                                            "strainData",
                                            "stressData",
                                            "density",
                                            "poissonsRatio",
                                            "CTE",
                                            "staticFriction",
                                            "kineticFriction",
                                            "internalDamping",
                                            "globalDamping",
                                            "collisionDamping",
                                            NULL};

static vxe_status read_material(vxe_design *design, json_t *item, size_t index, vxe_error *error)
{
    vxe_material m = vxe_material_default();
    char where[64];
    double fails_at = 0;
    snprintf(where, sizeof where, "material %zu (from 0)", index);
    if (!json_is_object(item)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be an object", where);
    }
    m.static_friction = m.dynamic_friction = m.global_damping = m.poissons_ratio = 0;
    m.bond_damping = m.collision_damping = 1;
    m.youngs_modulus = 1e6;
    m.density = 1000;
    const vxe_scene_place numbers[] = {
        {"youngsModulus", &m.youngs_modulus},       {"density", &m.density},
        {"poissonsRatio", &m.poissons_ratio},       {"CTE", &m.thermal_expansion},
        {"staticFriction", &m.static_friction},     {"kineticFriction", &m.dynamic_friction},
        {"internalDamping", &m.bond_damping},       {"globalDamping", &m.global_damping},
        {"collisionDamping", &m.collision_damping}, {"epsilonFail", &fails_at}};
    vxe_status status = vxe_scene_text(item, where, "name", m.name, sizeof m.name, error);
    status =
        status ? status
               : vxe_scene_places(item, where, numbers, sizeof numbers / sizeof numbers[0], error);
    if (fails_at > 0) { /* a negative number means never */
        m.model = VXE_MATERIAL_LINEAR_FAILING;
        m.fail_strain = fails_at;
    }
    status = status ? status : read_color(item, where, &m, error);
    status = status ? status : read_curve(item, where, &m, error);
    status = status ? status : vxe_material_check(&m, error);
    /* in Voxelyze, Poisson's ratio acts on all strains, not on torsion only */
    design->volume_effects = design->volume_effects || m.poissons_ratio != 0;
    vxe_scene_note_unknown(item, "materials", material_keys, design->notes);
    return status ? status : vxe_design_add_material(design, &m, NULL, error);
}

/* Reads voxels: x, y, z, material, x, y, z, material, ... */
static vxe_status read_voxels(vxe_design *design, const json_t *array, vxe_error *error)
{
    const size_t size = json_array_size(array);
    if (!json_is_array(array) || size % 4) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "voxels: %zu numbers; expected x, y, z and material of each voxel",
                              size);
    }
    for (size_t i = 0; i < size; i += 4) {
        double value[4];
        for (size_t c = 0; c < 4; c++) {
            const json_t *number = json_array_get(array, i + c);
            value[c] = json_is_number(number) ? json_number_value(number) : (double)NAN;
            if (!(value[c] >= INT32_MIN && value[c] <= INT32_MAX) || value[c] != floor(value[c]) ||
                (c == 3 && value[c] < 0)) {
                return vxe_error_fill(error, VXE_ERROR_INPUT,
                                      "voxels: the number at place %zu is no integer in range",
                                      i + c);
            }
        }
        if (vxe_design_add_voxel(design, (int32_t)value[0], (int32_t)value[1], (int32_t)value[2],
                                 (uint32_t)value[3], error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
}

/* Reads a boundary condition. Its force and moment act on each voxel, while those of a region are
   divided among its voxels. */
static vxe_status read_external(vxe_design *design, json_t *item, size_t index, vxe_error *error)
{
    static const char *const known[] = {"fixed",  "translate",    "rotate", "force",
                                        "moment", "voxelIndices", NULL};
    vxe_region region = {.shape = VXE_REGION_VOXELS};
    char where[64];
    snprintf(where, sizeof where, "external %zu (from 0)", index);
    if (!json_is_object(item)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be an object", where);
    }
    vxe_status status = vxe_scene_freedoms(item, where, "fixed", &region.fixed, error);
    status =
        status ? status : vxe_scene_vector(item, where, "translate", region.displacement, error);
    status = status ? status : vxe_scene_vector(item, where, "rotate", region.rotation, error);
    status = status ? status : vxe_scene_vector(item, where, "force", region.force, error);
    status = status ? status : vxe_scene_vector(item, where, "moment", region.moment, error);
    status = status ? status
                    : vxe_scene_indices(item, where, "voxelIndices", &region.voxels,
                                        &region.voxel_count, error);
    for (int c = 0; c < 3; c++) {
        region.force[c] *= region.voxel_count;
        region.moment[c] *= region.voxel_count;
    }
    if (!status && region.voxel_count > 0) {
        status = vxe_design_add_region(design, &region, error);
    }
    vxe_memory_release(region.voxels);
    vxe_scene_note_unknown(item, "externals", known, design->notes);
    return status;
}

/* A constant temperature is a constant expansion, which becomes the layer InitialSize. */
static vxe_status warm(vxe_design *design, double temperature, vxe_error *error)
{
    if (temperature == 0 || design->voxel_count == 0) {
        return VXE_OK;
    }
    vxe_layer *layer = vxe_design_layer(design, "InitialSize", 1);
    if (!layer) {
        return vxe_error_memory(error, design->voxel_count * sizeof(double));
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const uint32_t material = design->voxels[v].material;
        if (material < design->material_count) {
            layer->values[v] = 1 + design->materials[material].thermal_expansion * temperature;
        }
    }
    return VXE_OK;
}

static vxe_status read_world(vxe_design *design, const json_t *root, double *temperature,
                             vxe_error *error)
{
    double multiple = 0;
    design->floor.enabled = false;
    vxe_design_mark(design, "voxelyze", "VXL is Voxelyze's own format", false);
    vxe_status status = vxe_scene_number(root, "VXL", "voxelSize", &design->voxel_size, error);
    status = status
                 ? status
                 : vxe_scene_number(root, "VXL", "relativeAmbientTemperature", temperature, error);
    status =
        status ? status : vxe_scene_number(root, "VXL", "gravityAcceleration", &multiple, error);
    status = status ? status
                    : vxe_scene_flag(root, "VXL", "floorEnabled", &design->floor.enabled, error);
    status = status
                 ? status
                 : vxe_scene_flag(root, "VXL", "collisionsEnabled", &design->self_collision, error);
    design->gravity[2] = multiple == 0 ? 0 : -multiple * VXE_VXL_GRAVITY;
    for (int c = 0; c < 3; c++) {
        design->file_origin[c] = 0.5 * design->voxel_size;
    }
    return status;
}

vxe_status vxe_vxl_fill(vxe_design *design, json_t *root, vxe_error *error)
{
    static const char *const known[] = {"voxelSize",
                                        "relativeAmbientTemperature",
                                        "gravityAcceleration",
                                        "floorEnabled",
                                        "collisionsEnabled",
                                        "materials",
                                        "voxels",
                                        "externals",
                                        NULL};
    static const char *const arrays[] = {"materials", "voxels", "externals"};
    double temperature = 0;
    vxe_status status = read_world(design, root, &temperature, error);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0] && !status; i++) {
        status = vxe_scene_expect(root, "VXL", arrays[i], JSON_ARRAY, error);
    }
    const json_t *materials = json_object_get(root, "materials");
    status = status ? status
                    : vxe_limit_check(VXE_LIMIT_MATERIALS, json_array_size(materials), 0, error);
    for (size_t i = 0; i < json_array_size(materials) && !status; i++) {
        status = read_material(design, json_array_get(materials, i), i, error);
    }
    const json_t *voxels = json_object_get(root, "voxels");
    status = status || !voxels ? status : read_voxels(design, voxels, error);
    const json_t *externals = json_object_get(root, "externals");
    for (size_t i = 0; i < json_array_size(externals) && !status; i++) {
        status = read_external(design, json_array_get(externals, i), i, error);
    }
    vxe_scene_note_unknown(root, "VXL", known, design->notes);
    return status ? status : warm(design, temperature, error);
}
