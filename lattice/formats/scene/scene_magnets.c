/* SPDX-License-Identifier: MIT */
/* Reads and writes the magnets of a scene. */
#include "common/status_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"

static const char *const axes[] = {"x", "y", "z", NULL};
static const char *const parts[] = {"xx", "yy", "xy", "xz", "yz", NULL};

/* If the scene has this object, magnets are enabled unless it says otherwise. */
vxe_status vxe_scene_read_magnetics(vxe_design *design, json_t *object, vxe_error *error)
{
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_MAGNETICS, object, "magnetics");
    design->magnetics.enabled = design->magnetics.enabled || object;
    vxe_status status = vxe_scene_read(&item, &design->magnetics, error);
    if (status) {
        return status;
    }
    const vxe_scene_item field = vxe_scene_item_of(
        design, VXE_SCENE_FIELD, vxe_scene_get(&item, "field_T"), "magnetics: field_T");
    const vxe_scene_item gradient =
        vxe_scene_item_of(design, VXE_SCENE_GRADIENT, vxe_scene_get(&item, "gradient_T_per_m"),
                          "magnetics: gradient_T_per_m");
    status = vxe_scene_read(&field, NULL, error);
    return status ? status : vxe_scene_read(&gradient, NULL, error);
}

static json_t *formulas_object(const vxe_design *design, const char *const keys[],
                               vxe_formula first)
{
    json_t *object = json_object();
    for (uint32_t i = 0; keys[i]; i++) {
        vxe_scene_put_formula(object, keys[i], design, (vxe_formula)(first + i));
    }
    return object;
}

json_t *vxe_scene_magnetics(const vxe_design *design)
{
    const vxe_magnetics *m = &design->magnetics;
    json_t *object = json_object();
    json_object_set_new(object, "enabled", json_boolean(m->enabled));
    json_object_set_new(object, "alone", json_boolean(m->alone));
    json_object_set_new(object, "induces", json_boolean(m->induces));
    json_object_set_new(object, "dipole_cap_m", json_real(m->dipole_cap));
    json_object_set_new(object, "dipole_soften_m", json_real(m->dipole_soften));
    json_object_set_new(object, "dipole_d_m", json_real(m->dipole_d));
    json_object_set_new(object, "divisions", json_integer((json_int_t)m->divisions));
    json_object_set_new(object, "every_steps", json_integer((json_int_t)m->every));
    json_object_set_new(object, "reference_m", vxe_scene_array(m->reference, 3));
    json_object_set_new(object, "field_T", formulas_object(design, axes, VXE_FORMULA_FIELD_X));
    json_object_set_new(object, "gradient_T_per_m",
                        formulas_object(design, parts, VXE_FORMULA_GRADIENT_XX));
    return object;
}
