/* SPDX-License-Identifier: MIT */
#include "engine/reckoning_internal.h"

#include <stddef.h>

#include "common/status_internal.h"

static const char *const names[VXE_READINGS] = {"t",
                                                "x",
                                                "y",
                                                "z",
                                                "center_x",
                                                "center_y",
                                                "center_z",
                                                "hit",
                                                "angle",
                                                "targetCloseness",
                                                "numClosePairs",
                                                "num_voxel"};

vxe_status vxe_formula_parse(vxe_expression *into, const vxe_design *design, vxe_formula which,
                             vxe_error *error)
{
    const char *text = design->formulas[which];
    vxe_error inner;
    return text && vxe_expression_parse(into, text, names, VXE_READINGS, &inner)
               ? vxe_error_fill(error, inner.status, "%s: %s",
                                which == VXE_FORMULA_STOP ? "stop" : "fitness", inner.message)
               : VXE_OK;
}

double vxe_formula_value(const vxe_expression *formula, const double readings[VXE_READINGS])
{
    const double *variables[VXE_READINGS];
    double value = 0;
    for (int v = 0; v < VXE_READINGS; v++) {
        variables[v] = &readings[v];
    }
    vxe_expression_run(formula, variables, 1, &value);
    return value;
}

void vxe_read_places(double readings[VXE_READINGS], const double start[3], const double center[3])
{
    for (int c = 0; c < 3; c++) {
        readings[VXE_READ_X + c] = center[c] - start[c];
        readings[VXE_READ_CENTER_X + c] = center[c];
    }
}

bool vxe_formula_watches(const vxe_expression *formula)
{
    return vxe_expression_reads(formula, VXE_READ_HIT) ||
           vxe_expression_reads(formula, VXE_READ_ANGLE) ||
           vxe_expression_reads(formula, VXE_READ_CLOSENESS) ||
           vxe_expression_reads(formula, VXE_READ_PAIRS);
}
