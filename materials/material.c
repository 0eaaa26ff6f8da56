/* SPDX-License-Identifier: MIT */
/* The standard material, and the check of a material: each number in its range, and measured or
   bilinear curves that rise and never get steeper than at first. */
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

static vxe_status refuse(const vxe_material *m, const char *why, vxe_error *error)
{
    return vxe_error_fill(error, VXE_ERROR_INPUT, "material '%s': %s", m->name, why);
}

/* Points of a straight line may seem steeper by a millionth, because of rounding. */
#define STEEPER 1.000001

static vxe_status check_curve(const vxe_material *m, vxe_error *error)
{
    const double *strain = m->curve_strain;
    const double *stress = m->curve_stress;
    if (m->curve_count < 2 || m->curve_count > VXE_CURVE_POINTS) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "material '%s': a measured curve has from 2 to %d points, not %u",
                              m->name, VXE_CURVE_POINTS, m->curve_count);
    }
    if (strain[0] != 0 || stress[0] != 0) {
        return refuse(m, "a measured curve must start at strain 0, stress 0", error);
    }
    const double modulus = stress[1] / strain[1];
    if (fabs(m->youngs_modulus - modulus) > (STEEPER - 1) * modulus) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "Young's modulus of material '%s' is %g Pa; it must be the slope at "
                              "the beginning of its measured curve, %g Pa",
                              m->name, m->youngs_modulus, modulus);
    }
    for (uint32_t i = 1; i < m->curve_count; i++) {
        const double run = strain[i] - strain[i - 1];
        const double rise = stress[i] - stress[i - 1];
        const bool flat_end = rise == 0 && i > 1 && i == m->curve_count - 1;
        if (!(run > 0 && (rise > 0 || flat_end) && isfinite(strain[i]) && isfinite(stress[i])) ||
            !(modulus > 0) || stress[i] > VXE_STIFFEST) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "material '%s': strain and stress must increase along a measured "
                                  "curve, except for a flat end; they do not at point %u (from 0)",
                                  m->name, i);
        }
        if (rise > STEEPER * modulus * run) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "material '%s': point %u (from 0) of the measured curve is "
                                  "steeper than its beginning, which unloads with %g Pa",
                                  m->name, i, modulus);
        }
    }
    return VXE_OK;
}

/* Checks what makes a material yield or break. */
static vxe_status check_model(const vxe_material *m, vxe_error *error)
{
    const double limits[4] = {m->plastic_modulus, m->yield_stress, m->fail_stress, m->fail_strain};
    for (int i = 0; i < 4; i++) {
        if (m->model != VXE_MATERIAL_LINEAR && !(fabs(limits[i]) <= VXE_STIFFEST)) {
            return refuse(m, "plastic modulus, yield and failure must be numbers up to 1e15",
                          error);
        }
    }
    if (m->model == VXE_MATERIAL_MEASURED) {
        return check_curve(m, error);
    }
    if (m->model != VXE_MATERIAL_BILINEAR || !(m->yield_stress > 0)) {
        return VXE_OK;
    }
    if (!(m->plastic_modulus >= 0 && m->plastic_modulus < m->youngs_modulus)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "plastic modulus of material '%s' is %g Pa; it must be from 0 to "
                              "below Young's modulus, %g Pa",
                              m->name, m->plastic_modulus, m->youngs_modulus);
    }
    if (m->fail_stress > 0 && m->yield_stress > m->fail_stress) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "material '%s' yields at %g Pa, above its failure at %g Pa", m->name,
                              m->yield_stress, m->fail_stress);
    }
    if (m->fail_strain > 0 && m->yield_stress > m->fail_strain * m->youngs_modulus) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "material '%s' yields at strain %g, above its failure at %g", m->name,
                              m->yield_stress / m->youngs_modulus, m->fail_strain);
    }
    return VXE_OK;
}

/* One number of a material, its allowed range, ends included, and the words for the range. */
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
                              "a material was not initialised by vxe_material_default()");
    }
    const double min = 0;
    const double huge = 1e6;
    const double stiffest = VXE_STIFFEST;
    const double max = 1e9;
    const bound bounds[] = {
        {"Young's modulus", material->youngs_modulus, min, stiffest, "from 0 to 1e15 Pa"},
        {"density", material->density, VXE_THINNEST, VXE_DENSEST, "above 0 (1e-9 to 1e15) kg/m^3"},
        {"Poisson's ratio", material->poissons_ratio, -0.999999, 0.5, "between -1 and 0.5"},
        {"static friction", material->static_friction, min, huge, "from 0 to 1e6"},
        {"dynamic friction", material->dynamic_friction, min, huge, "from 0 to 1e6"},
        {"bond damping ratio", material->bond_damping, min, huge, "from 0 to 1e6"},
        {"collision damping ratio", material->collision_damping, min, huge, "from 0 to 1e6"},
        {"global damping ratio", material->global_damping, min, huge, "from 0 to 1e6"},
        {"thermal expansion", material->thermal_expansion, -huge, huge, "within 1e6 of 0"},
        {"detach stress", material->detach_stress, min, stiffest, "from 0 to 1e15 Pa"},
        {"phase", material->phase, -huge, huge, "within 1e6 of 0"},
        {"magnetisation along x", material->magnetization[0], -max, max, "within 1e9 A/m of 0"},
        {"magnetisation along y", material->magnetization[1], -max, max, "within 1e9 A/m of 0"},
        {"magnetisation along z", material->magnetization[2], -max, max, "within 1e9 A/m of 0"},
        {"susceptibility", material->susceptibility, min, huge, "from 0 to 1e6"},
        {"red of the colour", (double)material->color[0], min, 1, "from 0 to 1"},
        {"green of the colour", (double)material->color[1], min, 1, "from 0 to 1"},
        {"blue of the colour", (double)material->color[2], min, 1, "from 0 to 1"},
        {"alpha of the colour", (double)material->color[3], min, 1, "from 0 to 1"},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        if (!(bounds[i].value >= bounds[i].low && bounds[i].value <= bounds[i].high)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "%s of material '%s' is %g; it must be %s", bounds[i].name,
                                  material->name, bounds[i].value, bounds[i].range);
        }
    }
    return check_model(material, error);
}
