/* SPDX-License-Identifier: MIT */
#include "materials/material.h"

#include <math.h>
#include <stdio.h>

#include "common/status_internal.h"

#define COOKIE 0x6d617431u /* "mat1" */

vxe_material vxe_material_default(void)
{
    vxe_material material = {.cookie = COOKIE,
                             .color = {0.5f, 0.5f, 0.5f, 1.0f},
                             .youngs_modulus = 1e6,
                             .density = 1000,
                             .poissons_ratio = 0.3,
                             .static_friction = 1,
                             .dynamic_friction = 0.5,
                             .bond_damping = 1,
                             .collision_damping = 0.8};
    snprintf(material.name, sizeof material.name, "soft");
    return material;
}

/* One number of a material, its allowed range (both ends may be open) and what the range is called.
 */
typedef struct bound {
    const char *name;
    double value;
    double low;
    double high;
    const char *range;
} bound;

vxe_status vxe_material_check(const vxe_material *material, vxe_error *error)
{
    if (material->cookie != COOKIE) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a material did not start from vxe_material_default()");
    }
    const double least = 0;
    const double huge = 1e6;
    const double stiffest = VXE_STIFFEST;
    const double tiny = 1e-9;
    const bound bounds[] = {
        {"Young's modulus", material->youngs_modulus, least, stiffest, "from 0 to 1e15 Pa"},
        {"density", material->density, tiny, VXE_DENSEST, "above 0 (1e-9 to 1e15) kg/m^3"},
        {"Poisson's ratio", material->poissons_ratio, -0.999999, 0.499999, "between -1 and 0.5"},
        {"static friction", material->static_friction, least, huge, "from 0 to 1e6"},
        {"dynamic friction", material->dynamic_friction, least, huge, "from 0 to 1e6"},
        {"bond damping ratio", material->bond_damping, least, huge, "from 0 to 1e6"},
        {"collision damping ratio", material->collision_damping, least, huge, "from 0 to 1e6"},
        {"global damping ratio", material->global_damping, least, huge, "from 0 to 1e6"},
        {"thermal expansion", material->thermal_expansion, -huge, huge, "within 1e6 of 0"},
        {"phase", material->phase, -huge, huge, "within 1e6 of 0"},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        if (!(bounds[i].value >= bounds[i].low && bounds[i].value <= bounds[i].high)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "%s of material '%s' is %g; it must be %s", bounds[i].name,
                                  material->name, bounds[i].value, bounds[i].range);
        }
    }
    return VXE_OK;
}
