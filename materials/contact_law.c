/* SPDX-License-Identifier: MIT */
/* The properties of the contact models: names, units, ranges and standard values in one table for
   each model, and what must hold between them. */
#include "materials/contact_law.h"

#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "materials/material.h"

static const vxe_law_number linear_numbers[VXE_LINEAR_NUMBERS] = {
    [VXE_LINEAR_KN] = {"kn", "N/m", 0, 0, 1e15, false},
    [VXE_LINEAR_KS] = {"ks", "N/m", 0, 0, 1e15, false},
    [VXE_LINEAR_FRIC] = {"fric", "", 0, 0, 1e6, false},
    [VXE_LINEAR_RGAP] = {"rgap", "m", 0, -1e3, 1e3, false},
    [VXE_LINEAR_MODE] = {"lin_mode", "", 0, 0, 1, true},
    [VXE_LINEAR_DP_NRATIO] = {"dp_nratio", "", 0, 0, 1e3, false},
    [VXE_LINEAR_DP_SRATIO] = {"dp_sratio", "", 0, 0, 1e3, false},
    [VXE_LINEAR_DP_MODE] = {"dp_mode", "", 0, 0, 3, true},
    [VXE_LINEAR_EMOD] = {"emod", "Pa", 0, 0, VXE_STIFFEST, false},
    [VXE_LINEAR_KRATIO] = {"kratio", "", 0, 0, 1e6, false},
    [VXE_LINEAR_USER_AREA] = {"user_area", "m^2", 0, 0, 1e6, false},
    [VXE_LINEAR_BOX] = {"box", "", 0, 0, 1, true}};

static const vxe_law_number hertz_numbers[VXE_HERTZ_NUMBERS] = {
    [VXE_HERTZ_FRIC] = {"fric", "", 0, 0, 1e6, false},
    [VXE_HERTZ_C_N] = {"c_n", "", 0, 0, 1e3, false},
    [VXE_HERTZ_RESTITUTION] = {"restitution", "", 0, 0, 1, false},
    [VXE_HERTZ_DP_SRATIO] = {"dp_sratio", "", 0, 0, 1e3, false},
    [VXE_HERTZ_DP_MODE] = {"dp_mode", "", 0, 0, 3, true}};

static const vxe_law_number power_numbers[VXE_POWER_NUMBERS] = {
    [VXE_POWER_ALPHA_R] = {"alpha_r", "Pa", 0, 0, VXE_STIFFEST, false},
    [VXE_POWER_BETA_D] = {"beta_d", "Pa s/m", 0, 0, VXE_STIFFEST, false},
    [VXE_POWER_BETA_F] = {"beta_f", "Pa s/m", 0, 0, VXE_STIFFEST, false},
    [VXE_POWER_BETA_A] = {"beta_a", "Pa", 0, 0, VXE_STIFFEST, false},
    [VXE_POWER_NU_R] = {"nu_r", "", 8, 1, 64, false},
    [VXE_POWER_NU_D] = {"nu_d", "", 8, 1, 64, false},
    [VXE_POWER_NU_F] = {"nu_f", "", 8, 1, 64, false},
    [VXE_POWER_NU_AA] = {"nu_aa", "", 3, 1, 64, false},
    [VXE_POWER_NU_AR] = {"nu_ar", "", 6, 1, 64, false},
    [VXE_POWER_D0] = {"d0", "m", 1e-3, 1e-9, 1e3, false},
    [VXE_POWER_FRIC] = {"fric", "", 0, 0, 1e6, false},
    [VXE_POWER_FACING] = {"facing", "", 0, 0, 1, true}};

_Static_assert(VXE_LINEAR_NUMBERS <= VXE_MAX_LAW_NUMBERS &&
                   VXE_HERTZ_NUMBERS <= VXE_MAX_LAW_NUMBERS &&
                   VXE_POWER_NUMBERS <= VXE_MAX_LAW_NUMBERS,
               "a vxe_contact_law has VXE_MAX_LAW_NUMBERS numbers");

typedef struct model_row {
    const char *name;
    const vxe_law_number *numbers; /* (count) */
    uint32_t count;
} model_row;

static const model_row models[VXE_CONTACT_KINDS] = {
    [VXE_CONTACT_LINEAR] = {"linear", linear_numbers, VXE_LINEAR_NUMBERS},
    [VXE_CONTACT_HERTZ] = {"hertz", hertz_numbers, VXE_HERTZ_NUMBERS},
    [VXE_CONTACT_POWER] = {"powerlaw", power_numbers, VXE_POWER_NUMBERS}};

const char *vxe_contact_kind_name(vxe_contact_kind kind)
{
    return (unsigned)kind < VXE_CONTACT_KINDS ? models[kind].name : NULL;
}

const vxe_law_number *vxe_contact_law_numbers(vxe_contact_kind kind, uint32_t *count)
{
    const bool known = (unsigned)kind < VXE_CONTACT_KINDS;
    *count = known ? models[kind].count : 0;
    return known ? models[kind].numbers : NULL;
}

vxe_contact_law vxe_contact_law_default(vxe_contact_kind kind)
{
    vxe_contact_law law = {.kind = kind};
    uint32_t count = 0;
    const vxe_law_number *numbers = vxe_contact_law_numbers(kind, &count);
    VXE_ASSERT(count <= VXE_MAX_LAW_NUMBERS);
    for (uint32_t i = 0; i < count; i++) {
        law.number[i] = numbers[i].standard;
    }
    return law;
}

static vxe_status check_linear(const vxe_contact_law *law, vxe_error *error)
{
    const double *n = law->number;
    if (n[VXE_LINEAR_KN] == 0 && n[VXE_LINEAR_KS] == 0 && n[VXE_LINEAR_EMOD] == 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "law linear: kn and ks are both 0; give one of them, or emod");
    }
    if (n[VXE_LINEAR_EMOD] > 0 && (n[VXE_LINEAR_KN] > 0 || n[VXE_LINEAR_KS] > 0)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "law linear: emod %g Pa makes kn and ks; give either emod, or kn "
                              "and ks",
                              n[VXE_LINEAR_EMOD]);
    }
    if (n[VXE_LINEAR_BOX] > 0 && (n[VXE_LINEAR_MODE] > 0 || n[VXE_LINEAR_RGAP] != 0)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "law linear: box 1 needs lin_mode 0 and rgap 0, since its force "
                              "follows from the overlap of the faces");
    }
    return VXE_OK;
}

static vxe_status check_hertz(const vxe_contact_law *law, vxe_error *error)
{
    const double *n = law->number;
    if (n[VXE_HERTZ_RESTITUTION] > 0 && n[VXE_HERTZ_C_N] > 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "law hertz: c_n follows from restitution (%g); give only one of them",
                              n[VXE_HERTZ_RESTITUTION]);
    }
    return VXE_OK;
}

static vxe_status check_power(const vxe_contact_law *law, vxe_error *error)
{
    const double *n = law->number;
    if (n[VXE_POWER_ALPHA_R] == 0 && n[VXE_POWER_BETA_A] == 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "law powerlaw: alpha_r and beta_a are both 0; give one of them");
    }
    if (n[VXE_POWER_BETA_A] > 0 && !(n[VXE_POWER_NU_AR] > n[VXE_POWER_NU_AA])) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "law powerlaw: nu_ar is %g; it must be above nu_aa, %g, so that "
                              "adhesion turns into repulsion below d0",
                              n[VXE_POWER_NU_AR], n[VXE_POWER_NU_AA]);
    }
    return VXE_OK;
}

vxe_status vxe_contact_law_check(const vxe_contact_law *law, vxe_error *error)
{
    uint32_t count = 0;
    const vxe_law_number *numbers = vxe_contact_law_numbers(law->kind, &count);
    if (!numbers) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "there is no contact law %d; there are linear, hertz and powerlaw",
                              (int)law->kind);
    }
    for (uint32_t i = 0; i < count; i++) {
        const double value = law->number[i];
        const vxe_law_number *of = &numbers[i];
        if (!(value >= of->min && value <= of->max) || (of->whole && value != floor(value))) {
            return vxe_error_fill(
                error, VXE_ERROR_INPUT, "law %s: %s is %g; it must be %sfrom %g to %g%s%s",
                models[law->kind].name, of->name, value, of->whole ? "a whole number " : "",
                of->min, of->max, of->unit[0] ? " " : "", of->unit);
        }
    }
    switch (law->kind) {
    case VXE_CONTACT_LINEAR:
        return check_linear(law, error);
    case VXE_CONTACT_POWER:
        return check_power(law, error);
    case VXE_CONTACT_HERTZ:
        return check_hertz(law, error);
    case VXE_CONTACT_KINDS:
        break;
    }
    VXE_ASSERT(false);
    return VXE_ERROR_INPUT;
}

/* Two springs in series; zero if one of them is. */
static double in_series(double one, double two)
{
    return one > 0 && two > 0 ? one * two / (one + two) : 0;
}

vxe_contact_law vxe_linear_inherited(const vxe_contact_law *one, const vxe_contact_law *two)
{
    VXE_ASSERT(one->kind == VXE_CONTACT_LINEAR && two->kind == VXE_CONTACT_LINEAR);
    static const int series[] = {VXE_LINEAR_KN, VXE_LINEAR_KS};
    static const int min[] = {VXE_LINEAR_FRIC, VXE_LINEAR_DP_NRATIO, VXE_LINEAR_DP_SRATIO};
    vxe_contact_law both = *one;
    for (int i = 0; i < 2; i++) {
        both.number[series[i]] = in_series(one->number[series[i]], two->number[series[i]]);
    }
    for (int i = 0; i < 3; i++) {
        both.number[min[i]] = fmin(one->number[min[i]], two->number[min[i]]);
    }
    return both;
}

void vxe_linear_stiffness(const vxe_contact_law *law, const double radius[2], double stiffness[2])
{
    const double *n = law->number;
    VXE_ASSERT(law->kind == VXE_CONTACT_LINEAR);
    VXE_ASSERT(radius[0] > 0 && radius[1] >= 0);
    stiffness[0] = n[VXE_LINEAR_KN];
    stiffness[1] = n[VXE_LINEAR_KS];
    if (n[VXE_LINEAR_EMOD] > 0) {
        const double min = radius[1] > 0 ? fmin(radius[0], radius[1]) : radius[0];
        const double area =
            n[VXE_LINEAR_USER_AREA] > 0 ? n[VXE_LINEAR_USER_AREA] : 0.5 * VXE_TAU * min * min;
        stiffness[0] = area * n[VXE_LINEAR_EMOD] / (radius[0] + radius[1]);
        stiffness[1] = n[VXE_LINEAR_KRATIO] > 0 ? stiffness[0] / n[VXE_LINEAR_KRATIO] : 0;
    }
}

double vxe_hertz_damping(double restitution)
{
    VXE_ASSERT(restitution > 0 && restitution <= 1);
    const double l = vxe_logarithm(restitution);
    return sqrt(10) / 3 * fabs(l) / sqrt(0.25 * VXE_TAU * VXE_TAU + l * l);
}
