/* SPDX-License-Identifier: MIT */
/* Writes a scene. Numbers have 17 digits, so that a design is read back to the last bit. */
#include "common/assert_internal.h"
#include "lattice/formats/scene/scene_internal.h"

static void put_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, json_real(value));
}

void vxe_scene_put_formula(json_t *object, const char *key, const vxe_design *design,
                           vxe_formula which)
{
    if (design->formulas[which]) {
        json_object_set_new(object, key, vxe_scene_string(design->formulas[which]));
    }
}

static json_t *material_object(const vxe_material *m)
{
    json_t *object = json_object();
    const double color[4] = {(double)m->color[0], (double)m->color[1], (double)m->color[2],
                             (double)m->color[3]};
    json_object_set_new(object, "name", vxe_scene_string(m->name));
    json_object_set_new(object, "color", vxe_scene_array(color, 4));
    put_number(object, "youngs_modulus_Pa", m->youngs_modulus);
    put_number(object, "density_kg_per_m3", m->density);
    put_number(object, "poissons_ratio", m->poissons_ratio);
    put_number(object, "static_friction", m->static_friction);
    put_number(object, "dynamic_friction", m->dynamic_friction);
    put_number(object, "bond_damping", m->bond_damping);
    put_number(object, "collision_damping", m->collision_damping);
    put_number(object, "global_damping", m->global_damping);
    put_number(object, "thermal_expansion_per_K", m->thermal_expansion);
    put_number(object, "phase_rad", m->phase);
    json_object_set_new(object, "model", json_integer((json_int_t)m->model));
    put_number(object, "plastic_modulus_Pa", m->plastic_modulus);
    put_number(object, "yield_stress_Pa", m->yield_stress);
    put_number(object, "fail_stress_Pa", m->fail_stress);
    put_number(object, "fail_strain", m->fail_strain);
    json_t *curve = json_array();
    for (uint32_t i = 0; i < m->curve_count; i++) {
        const double point[2] = {m->curve_strain[i], m->curve_stress[i]};
        json_array_append_new(curve, vxe_scene_array(point, 2));
    }
    json_object_set_new(object, "curve", curve);
    json_object_set_new(object, "sticky", json_boolean(m->sticky));
    put_number(object, "detach_stress_Pa", m->detach_stress);
    json_object_set_new(object, "magnetization_A_per_m", vxe_scene_array(m->magnetization, 3));
    put_number(object, "susceptibility", m->susceptibility);
    json_object_set_new(object, "sphere", json_boolean(m->sphere));
    json_object_set_new(object, "target", json_boolean(m->target));
    json_object_set_new(object, "measured", json_boolean(!m->unmeasured));
    return object;
}

static json_t *region_object(const vxe_region *region)
{
    static const char *const freedoms[6] = {"x", "y", "z", "rx", "ry", "rz"};
    static const char *const shapes[4] = {"box", "cylinder", "sphere", "voxels"};
    json_t *object = json_object();
    VXE_ASSERT((unsigned)region->shape < 4);
    json_object_set_new(object, "shape", json_string(shapes[region->shape]));
    if (region->shape == VXE_REGION_VOXELS) {
        json_t *voxels = json_array();
        for (uint32_t i = 0; i < region->voxel_count; i++) {
            json_array_append_new(voxels, json_integer((json_int_t)region->voxels[i]));
        }
        json_object_set_new(object, "voxels", voxels);
    } else {
        json_object_set_new(object, "low_m", vxe_scene_array(region->low, 3));
        json_object_set_new(object, "high_m", vxe_scene_array(region->high, 3));
        put_number(object, "radius_m", region->radius);
    }
    json_t *fixed = json_array();
    for (int c = 0; c < 6; c++) {
        if (region->fixed >> c & 1) {
            json_array_append_new(fixed, json_string(freedoms[c]));
        }
    }
    json_object_set_new(object, "fixed", fixed);
    json_object_set_new(object, "force_N", vxe_scene_array(region->force, 3));
    json_object_set_new(object, "moment_Nm", vxe_scene_array(region->moment, 3));
    json_object_set_new(object, "displacement_m", vxe_scene_array(region->displacement, 3));
    json_object_set_new(object, "rotation_rad", vxe_scene_array(region->rotation, 3));
    if (region->table_count) {
        json_object_set_new(object, "table", vxe_scene_rows(region->table, region->table_count));
    }
    return object;
}

static void put_world(json_t *root, const vxe_design *design)
{
    json_object_set_new(root, "format", json_string("voxelastic scene"));
    json_object_set_new(root, "version", json_integer(1));
    json_object_set_new(root, "name", vxe_scene_string(design->name));
    json_object_set_new(root, "conventions", json_string(design->written_for));
    put_number(root, "voxel_size_m", design->voxel_size);
    json_object_set_new(root, "file_origin_m", vxe_scene_array(design->file_origin, 3));
    json_object_set_new(root, "gravity_m_per_s2", vxe_scene_array(design->gravity, 3));
    json_object_set_new(root, "floor", vxe_scene_floor(&design->floor));
    if (design->fluid.enabled || design->fluid.density > 0) {
        json_t *fluid = json_object();
        json_object_set_new(fluid, "enabled", json_boolean(design->fluid.enabled));
        json_object_set_new(fluid, "buoyancy", json_boolean(design->fluid.buoyancy));
        put_number(fluid, "density_kg_per_m3", design->fluid.density);
        put_number(fluid, "drag_coefficient", design->fluid.drag_coefficient);
        json_object_set_new(root, "fluid", fluid);
    }
    static const char *const axes[3] = {"x", "y", "z"};
    json_t *field = json_object();
    for (int c = 0; c < 3; c++) {
        vxe_scene_put_formula(field, axes[c], design, (vxe_formula)(VXE_FORMULA_FORCE_X + c));
    }
    json_object_set_new(root, "force_field", field);
    json_object_set_new(root, "magnetics", vxe_scene_magnetics(design));
    json_object_set_new(root, "contacts", vxe_scene_contacts(design));
    vxe_scene_put_affine(root, design);
    json_object_set_new(root, "self_collision", json_boolean(design->self_collision));
    json_object_set_new(root, "volume_effects", json_boolean(design->volume_effects));
    json_object_set_new(root, "actuation", vxe_scene_actuation(&design->actuation));
    json_object_set_new(root, "schedules", vxe_scene_schedules(design));
    json_object_set_new(root, "stiffening",
                        vxe_scene_rows(design->stiffening, design->stiffening_count));
    if (design->controller.interval > 0) {
        json_object_set_new(root, "controller", vxe_scene_controller(&design->controller));
    }
    json_t *stop = json_object();
    put_number(stop, "duration_s", design->stop.duration);
    json_object_set_new(stop, "steps", json_integer((json_int_t)design->stop.steps));
    put_number(stop, "periods", design->stop.periods);
    put_number(stop, "settle_time_s", design->stop.settle_time);
    put_number(stop, "reference_time_s", design->stop.reference_time);
    vxe_scene_put_formula(stop, "when", design, VXE_FORMULA_STOP);
    json_object_set_new(root, "stop", stop);
    vxe_scene_put_formula(root, "fitness", design, VXE_FORMULA_FITNESS);
    put_number(root, "pair_distance", design->pair_distance);
    json_t *step = json_object();
    put_number(step, "fraction", design->time_step.fraction);
    put_number(step, "seconds", design->time_step.seconds);
    json_object_set_new(root, "time_step", step);
}

static void put_voxels(json_t *root, const vxe_design *design)
{
    json_t *voxels = json_array();
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const vxe_voxel *voxel = &design->voxels[v];
        json_array_append_new(voxels, json_pack("[iiiI]", voxel->position[0], voxel->position[1],
                                                voxel->position[2], (json_int_t)voxel->material));
    }
    json_object_set_new(root, "voxels", voxels);
    json_t *layers = json_object();
    for (uint32_t i = 0; i < design->layer_count; i++) {
        const vxe_layer *layer = &design->layers[i];
        json_object_set_new(
            layers, layer->name,
            vxe_scene_array(layer->values, (size_t)design->voxel_count * layer->width));
    }
    json_object_set_new(root, "layers", layers);
}

static void put_velocities(json_t *root, const vxe_design *design)
{
    json_t *velocities = json_array();
    for (uint32_t v = 0; v < design->voxel_count && design->velocity; v++) {
        const double *u = design->velocity + 6 * (size_t)v;
        if (u[0] != 0 || u[1] != 0 || u[2] != 0 || u[3] != 0 || u[4] != 0 || u[5] != 0) {
            json_array_append_new(velocities,
                                  json_pack("{s:[I], s:o, s:o}", "voxels", (json_int_t)v,
                                            "velocity_m_per_s", vxe_scene_array(u, 3),
                                            "spin_rad_per_s", vxe_scene_array(u + 3, 3)));
        }
    }
    json_object_set_new(root, "initial_velocities", velocities);
}

/* whole: with voxels, layers and initial velocities. */
static json_t *object_of(const vxe_design *design, bool whole)
{
    json_t *root = json_object();
    if (!root) {
        return NULL;
    }
    put_world(root, design);
    json_t *materials = json_array();
    for (uint32_t i = 0; i < design->material_count; i++) {
        json_array_append_new(materials, material_object(&design->materials[i]));
    }
    json_object_set_new(root, "materials", materials);
    if (whole) {
        put_voxels(root, design);
    }
    json_t *regions = json_array();
    for (uint32_t i = 0; i < design->region_count; i++) {
        json_array_append_new(regions, region_object(&design->regions[i]));
    }
    json_object_set_new(root, "regions", regions);
    if (whole) {
        put_velocities(root, design);
    }
    return root;
}

json_t *vxe_scene_object(const vxe_design *design)
{
    return object_of(design, true);
}

json_t *vxe_scene_object_without_voxels(const vxe_design *design)
{
    return object_of(design, false);
}

vxe_status vxe_scene_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                           vxe_error *error)
{
    (void)scan;
    const uint64_t failures = vxe_json_watch();
    return vxe_json_put(vxe_scene_object(design), failures, sink, error);
}
