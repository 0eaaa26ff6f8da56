/* SPDX-License-Identifier: MIT */
/* Choices of a world: the default ones, and whether those of a caller can be followed. */
#include <math.h>
#include <stddef.h>

#include "common/status_internal.h"
#include "engine/world/world_data.h"

#define COOKIE 0x77726c64u /* "wrld" */
#define MAX_THREADS 1024u
#define MAX_STEP 1e6

vxe_world_def vxe_world_def_default(void)
{
    return (vxe_world_def){.cookie = COOKIE, .step_scale = 1, .torsion = -1};
}

/* A choice among so many, and what it is called. */
typedef struct choice {
    const char *field;
    int value, min, max;
} choice;

vxe_status vxe_world_def_check(const vxe_world_def *def, vxe_error *error)
{
    const choice choices[] = {
        {"precision", (int)def->precision, VXE_PRECISION_MIXED, VXE_PRECISION_DOUBLE},
        {"step_rule", (int)def->step_rule, VXE_STEP_AUTO, VXE_STEP_SECONDS},
        {"accuracy", (int)def->accuracy, VXE_ACCURACY_NORMAL, VXE_ACCURACY_FINE},
        {"damping", (int)def->damping, VXE_DAMPING_AUTO, VXE_DAMPING_SWEEP},
        {"torsion", def->torsion, -1, VXE_TORSION_POLAR},
        {"composite", (int)def->composite, VXE_COMPOSITE_HARMONIC, VXE_COMPOSITE_CONDENSED},
        {"shear", (int)def->shear, VXE_SHEAR_BEAM, VXE_SHEAR_BULK},
        {"damping_form", (int)def->damping_form, VXE_DAMPING_SOURCE, VXE_DAMPING_VOXELYZE},
        {"bond_kind", (int)def->bond_kind, VXE_BOND_BEAM, VXE_BOND_BAR}};
    if (def->cookie != COOKIE) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the world's definition did not start from vxe_world_def_default()");
    }
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const choice *c = &choices[i];
        if (c->value < c->min || c->value > c->max) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                  "the world's definition: %s is %d; it must be %d to %d", c->field,
                                  c->value, c->min, c->max);
        }
    }
    if (def->threads > MAX_THREADS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "%u threads are asked for; at most %u",
                              def->threads, MAX_THREADS);
    }
    if (!(def->step_scale > 0 && def->step_scale < MAX_STEP)) {
        return vxe_error_fill(
            error, VXE_ERROR_ARGUMENT,
            "the world's definition: step_scale is %g; it must be above 0 and below %g",
            def->step_scale, MAX_STEP);
    }
    if (def->step_rule != VXE_STEP_AUTO && def->accuracy != VXE_ACCURACY_NORMAL) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the world's definition: accuracy is %d, and must be %d where the "
                              "step rule is not `auto`",
                              (int)def->accuracy, VXE_ACCURACY_NORMAL);
    }
    if (def->step_rule == VXE_STEP_SECONDS &&
        !(def->step_seconds > 0 && def->step_seconds < MAX_STEP)) {
        return vxe_error_fill(
            error, VXE_ERROR_ARGUMENT,
            "the world's definition: step_seconds is %g; it must be above 0 and below %g s",
            def->step_seconds, MAX_STEP);
    }
    return VXE_OK;
}
