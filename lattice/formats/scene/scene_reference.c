/* SPDX-License-Identifier: MIT */
/* Reads reference scenes: experiments that were measured with the Voxelyze library and are
   described by its quantities. The centre of their voxel (0, 0, 0) is the origin, and the floor is
   half a voxel below; file_origin is the difference to our frame. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "lattice/formats/scene/scene_internal.h"

/* Reads the temperature of a material. All materials that move must have the same amplitude and
   frequency. */
static vxe_status read_temperature(vxe_design *design, const json_t *item, const char *where,
                                   vxe_material *material, vxe_error *error)
{
    const json_t *temperature = json_object_get(item, "temperature");
    double amplitude = 0;
    double frequency = 0;
    vxe_status status = vxe_scene_number(temperature, where, "amplitude", &amplitude, error);
    status =
        status ? status : vxe_scene_number(temperature, where, "frequency_hz", &frequency, error);
    status = status ? status
                    : vxe_scene_number(temperature, where, "phase_rad", &material->phase, error);
    if (status || amplitude == 0 || frequency <= 0 || material->thermal_expansion == 0) {
        return status;
    }
    vxe_actuation *heat = &design->actuation;
    if (heat->enabled && (heat->amplitude != amplitude || heat->period != 1 / frequency)) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "%s: materials with different temperatures are not supported", where);
    }
    *heat = (vxe_actuation){
        .enabled = true, .base = 0, .amplitude = amplitude, .period = 1 / frequency};
    return VXE_OK;
}

static vxe_status read_material(vxe_design *design, const json_t *item, size_t index,
                                vxe_error *error)
{
    vxe_material m = vxe_material_default();
    char where[64];
    char model[32] = "linear";
    snprintf(where, sizeof where, "material %zu", index);
    snprintf(m.name, sizeof m.name, "%zu", index);
    const vxe_scene_place numbers[] = {
        {"E", &m.youngs_modulus},           {"rho", &m.density},
        {"nu", &m.poissons_ratio},          {"zeta_internal", &m.bond_damping},
        {"zeta_global", &m.global_damping}, {"zeta_collision", &m.collision_damping},
        {"mu_static", &m.static_friction},  {"mu_kinetic", &m.dynamic_friction},
        {"cte", &m.thermal_expansion},      {"plastic_modulus", &m.plastic_modulus},
        {"yield_stress", &m.yield_stress},  {"fail_stress", &m.fail_stress}};
    vxe_status status = vxe_scene_text(item, where, "model", model, sizeof model, error);
    status =
        status ? status
               : vxe_scene_places(item, where, numbers, sizeof numbers / sizeof numbers[0], error);
    m.model = strcmp(model, "linear") == 0
                  ? (m.fail_stress > 0 ? VXE_MATERIAL_LINEAR_FAILING : VXE_MATERIAL_LINEAR)
                  : VXE_MATERIAL_BILINEAR;
    status = status ? status : read_temperature(design, item, where, &m, error);
    return status ? status : vxe_design_add_material(design, &m, NULL, error);
}

/* Reads a boundary condition: fixed degrees of freedom, a force and moment for each voxel, and a
 * prescribed motion of one degree of freedom if there is one. */
static vxe_status read_external(vxe_design *design, const json_t *item, size_t index,
                                vxe_error *error)
{
    vxe_region region = {.shape = VXE_REGION_VOXELS};
    char where[64];
    snprintf(where, sizeof where, "external %zu", index);
    vxe_status status =
        vxe_scene_indices(item, where, "voxels", &region.voxels, &region.voxel_count, error);
    status = status ? status : vxe_scene_vector(item, where, "force_N", region.force, error);
    status = status ? status : vxe_scene_vector(item, where, "moment_Nm", region.moment, error);
    for (int c = 0; c < 3; c++) {
        region.force[c] *= region.voxel_count;
        region.moment[c] *= region.voxel_count;
    }
    status = status ? status
                    : vxe_scene_freedoms(item, where, "fixed_dof_tx_ty_tz_rx_ry_rz", &region.fixed,
                                         error);
    const json_t *prescribed = json_object_get(item, "prescribed");
    if (!status && prescribed) {
        double freedom = -1;
        status = vxe_scene_number(prescribed, where, "dof", &freedom, error);
        if (!status && (!(freedom >= 0 && freedom <= 5) || freedom != floor(freedom))) {
            status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                    "%s: prescribed dof is %g; expected 0 to 5", where, freedom);
        }
        if (!status) {
            const int c = (int)freedom;
            VXE_ASSERT(c >= 0 && c < 6);
            region.fixed |= 1u << c;
            *(c < 3 ? &region.displacement[c] : &region.rotation[c - 3]) = 1;
            status = vxe_scene_table(json_object_get(prescribed, "table_t_value"), where,
                                     &region.table, &region.table_count, error);
        }
    }
    status = status ? status : vxe_design_add_region(design, &region, error);
    vxe_memory_release(region.voxels);
    vxe_memory_release(region.table);
    return status;
}

vxe_status vxe_reference_scene_read(vxe_design *design, const json_t *root, vxe_error *error)
{
    design->volume_effects = true; /* has an effect only with a Poisson's ratio above 0 */
    double gravity = 0;
    double g = 9.80665;
    const json_t *time = json_object_get(root, "time");
    vxe_design_mark(design, "voxelyze", "a scene that was measured on Voxelyze", false);
    vxe_status status =
        vxe_scene_text(root, "scene", "name", design->name, sizeof design->name, error);
    status = status ? status
                    : vxe_scene_number(root, "scene", "voxel_size_m", &design->voxel_size, error);
    status = status ? status : vxe_scene_number(root, "scene", "gravity_g", &gravity, error);
    status = status ? status : vxe_scene_number(root, "scene", "g_value", &g, error);
    status = status ? status
                    : vxe_scene_flag(json_object_get(root, "floor"), "floor", "enabled",
                                     &design->floor.enabled, error);
    status = status
                 ? status
                 : vxe_scene_flag(root, "scene", "self_collision", &design->self_collision, error);
    status = status ? status
                    : vxe_scene_number(time, "time", "duration_s", &design->stop.duration, error);
    status =
        status ? status : vxe_scene_number(time, "time", "dt", &design->time_step.seconds, error);
    design->time_step.fraction = 1;
    design->gravity[2] = -gravity * g;
    for (int c = 0; c < 3; c++) {
        design->file_origin[c] = 0.5 * design->voxel_size;
    }
    const json_t *materials = json_object_get(root, "materials");
    for (size_t i = 0; i < json_array_size(materials) && !status; i++) {
        status = read_material(design, json_array_get(materials, i), i, error);
    }
    status = status ? status
                    : vxe_scene_voxels(design, json_object_get(root, "voxels_ijk_mat"),
                                       "voxels_ijk_mat", error);
    const json_t *externals = json_object_get(root, "externals");
    for (size_t i = 0; i < json_array_size(externals) && !status; i++) {
        status = read_external(design, json_array_get(externals, i), i, error);
    }
    return status ? status
                  : vxe_scene_velocities(design, json_object_get(root, "initial_velocities"), "v",
                                         "w", error);
}
