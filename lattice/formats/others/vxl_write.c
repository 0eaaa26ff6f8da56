/* SPDX-License-Identifier: MIT */
/* Writes a design as VXL, for the Voxelyze library. All numbers have a decimal point, since its
   reader ignores others. What VXL cannot express is left out; vxe_design_differences lists it. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "lattice/formats/scene/scene_internal.h"

static void put_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, json_real(value));
}

static json_t *points(const double *values, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_array_append_new(array, json_real(values[i]));
    }
    return array;
}

static json_t *material_object(const vxe_material *m)
{
    static const char *const colors[4] = {"red", "green", "blue", "alpha"};
    json_t *object = json_object();
    json_object_set_new(object, "name", vxe_scene_string(m->name));
    for (int c = 0; c < 4; c++) {
        json_object_set_new(object, colors[c],
                            json_integer((json_int_t)lround(255 * (double)m->color[c])));
    }
    if (m->model == VXE_MATERIAL_MEASURED) {
        json_object_set_new(object, "strainData", points(m->curve_strain, m->curve_count));
        json_object_set_new(object, "stressData", points(m->curve_stress, m->curve_count));
    } else {
        put_number(object, "youngsModulus", m->youngs_modulus);
    }
    if (m->model == VXE_MATERIAL_LINEAR_FAILING && m->fail_strain > 0) {
        put_number(object, "epsilonFail", m->fail_strain);
    }
    put_number(object, "density", m->density);
    put_number(object, "poissonsRatio", m->poissons_ratio);
    put_number(object, "CTE", m->thermal_expansion);
    put_number(object, "staticFriction", m->static_friction);
    put_number(object, "kineticFriction", m->dynamic_friction);
    put_number(object, "internalDamping", m->bond_damping);
    put_number(object, "globalDamping", m->global_damping);
    put_number(object, "collisionDamping", m->collision_damping);
    return object;
}

static json_t *vector(const double values[3], double share)
{
    json_t *array = json_array();
    for (int c = 0; c < 3; c++) {
        json_array_append_new(array, json_real(share * values[c]));
    }
    return array;
}

static json_t *external_object(const vxe_region *region)
{
    json_t *object = json_object();
    json_t *fixed = json_array();
    json_t *voxels = json_array();
    VXE_ASSERT(region->voxel_count > 0);
    const double share = 1.0 / region->voxel_count; /* of the force, for each voxel */
    for (int c = 0; c < 6; c++) {
        json_array_append_new(fixed, json_boolean(region->fixed >> c & 1));
    }
    for (uint32_t i = 0; i < region->voxel_count; i++) {
        json_array_append_new(voxels, json_integer((json_int_t)region->voxels[i]));
    }
    json_object_set_new(object, "fixed", fixed);
    json_object_set_new(object, "translate", vector(region->displacement, 1));
    json_object_set_new(object, "rotate", vector(region->rotation, 1));
    json_object_set_new(object, "force", vector(region->force, share));
    json_object_set_new(object, "moment", vector(region->moment, share));
    json_object_set_new(object, "voxelIndices", voxels);
    return object;
}

vxe_status vxe_vxl_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                         vxe_error *error)
{
    (void)scan;
    const uint64_t failures = vxe_json_watch();
    json_t *root = json_object();
    json_t *materials = json_array();
    json_t *voxels = json_array();
    json_t *externals = json_array();
    put_number(root, "voxelSize", design->voxel_size);
    put_number(root, "relativeAmbientTemperature", 0);
    put_number(root, "gravityAcceleration",
               design->gravity[2] == 0 ? 0 : -design->gravity[2] / VXE_VXL_GRAVITY);
    json_object_set_new(root, "floorEnabled", json_boolean(design->floor.enabled));
    json_object_set_new(root, "collisionsEnabled", json_boolean(design->self_collision));
    for (uint32_t i = 0; i < design->material_count; i++) {
        json_array_append_new(materials, material_object(&design->materials[i]));
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const vxe_voxel *voxel = &design->voxels[v];
        for (int c = 0; c < 3; c++) {
            json_array_append_new(voxels, json_integer(voxel->position[c]));
        }
        json_array_append_new(voxels, json_integer((json_int_t)voxel->material));
    }
    for (uint32_t i = 0; i < design->region_count; i++) {
        const vxe_region *region = &design->regions[i];
        if (region->shape == VXE_REGION_VOXELS && region->voxel_count > 0) {
            json_array_append_new(externals, external_object(region));
        }
    }
    json_object_set_new(root, "materials", materials);
    json_object_set_new(root, "voxels", voxels);
    json_object_set_new(root, "externals", externals);
    return vxe_json_put(root, failures, sink, error);
}
