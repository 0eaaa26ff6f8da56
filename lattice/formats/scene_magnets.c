/* SPDX-License-Identifier: MIT */
/* Magnets of a scene, read and written. */
#include "common/status_internal.h"
#include "lattice/formats/scene_internal.h"

static const char *const axes[] = {"x", "y", "z", NULL};
static const char *const parts[] = {"xx", "yy", "xy", "xz", "yz", NULL};

/* The formulas of an object by their keys. */
static vxe_status read_formulas(vxe_design *design, const json_t *object, const char *name,
                                const char *const keys[], vxe_formula first, vxe_error *error)
{
    char where[64];
    json_t *formulas = json_object_get(object, name);
    snprintf(where, sizeof where, "magnetics: %s", name);
    vxe_status status = vxe_scene_expect(object, "magnetics", name, JSON_OBJECT, error);
    if (!status) {
        vxe_scene_note_unknown(formulas, where, keys, design->notes);
    }
    for (uint32_t i = 0; keys[i] && !status; i++) {
        status =
            vxe_scene_formula(design, formulas, where, keys[i], (vxe_formula)(first + i), error);
    }
    return status;
}

static vxe_status read_count(const json_t *object, const char *key, uint32_t *count,
                             vxe_error *error)
{
    double number = *count;
    const vxe_status status = vxe_scene_number(object, "magnetics", key, &number, error);
    if (!status && !(number >= 0 && number <= UINT32_MAX && number == (double)(uint32_t)number)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "magnetics: \"%s\" is %g; expected a small whole number from 0", key,
                              number);
    }
    *count = status ? *count : (uint32_t)number;
    return status;
}

/* Where there are magnetics, they act unless they say no. */
vxe_status vxe_scene_read_magnetics(vxe_design *design, json_t *object, vxe_error *error)
{
    static const char *const known[] = {
        "enabled",   "alone",       "induces",     "dipole_cap_m", "dipole_soften_m",  "dipole_d_m",
        "divisions", "every_steps", "reference_m", "field_T",      "gradient_T_per_m", NULL};
    vxe_magnetics *m = &design->magnetics;
    if (!object) {
        return VXE_OK;
    }
    vxe_scene_note_unknown(object, "magnetics", known, design->notes);
    m->enabled = true;
    const vxe_scene_place numbers[] = {{"dipole_cap_m", &m->dipole_cap},
                                       {"dipole_soften_m", &m->dipole_soften},
                                       {"dipole_d_m", &m->dipole_d}};
    vxe_status status = vxe_scene_flag(object, "magnetics", "enabled", &m->enabled, error);
    status = status ? status : vxe_scene_flag(object, "magnetics", "alone", &m->alone, error);
    status = status ? status : vxe_scene_flag(object, "magnetics", "induces", &m->induces, error);
    status = status ? status : vxe_scene_places(object, "magnetics", numbers, 3, error);
    status = status ? status : read_count(object, "divisions", &m->divisions, error);
    status = status ? status : read_count(object, "every_steps", &m->every, error);
    status =
        status ? status : vxe_scene_vector(object, "magnetics", "reference_m", m->reference, error);
    status = status ? status
                    : read_formulas(design, object, "field_T", axes, VXE_FORMULA_FIELD_X, error);
    return status ? status
                  : read_formulas(design, object, "gradient_T_per_m", parts,
                                  VXE_FORMULA_GRADIENT_XX, error);
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
