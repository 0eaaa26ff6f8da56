/* SPDX-License-Identifier: MIT */
/* Names and values of the variables that formulas of stop and fitness read. */
#include "engine/world/fitness_variables.h"
#include "engine/trial.h"

#include <stddef.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"

/* In the order of VXE_READ_. */
static const char *const names[VXE_FITNESS_VARIABLES] = {"t",
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
                                                         "num_voxel",
                                                         "top",
                                                         "turn",
                                                         "up",
                                                         "peak",
                                                         "volume"};

_Static_assert(sizeof names / sizeof *names == VXE_FITNESS_VARIABLES &&
                   VXE_READ_Z == VXE_READ_X + 2 && VXE_READ_CENTER_Z == VXE_READ_CENTER_X + 2,
               "coordinates follow each other");

vxe_status vxe_formula_parse(vxe_expression *into, const vxe_design *design, vxe_formula which,
                             vxe_error *error)
{
    VXE_ASSERT(which == VXE_FORMULA_STOP || which == VXE_FORMULA_FITNESS);
    const char *text = design->formulas[which];
    vxe_error inner;
    return text && vxe_expression_parse(into, text, names, VXE_FITNESS_VARIABLES, &inner)
               ? vxe_error_fill(error, inner.status, "%s: %s",
                                which == VXE_FORMULA_STOP ? "stop" : "fitness", inner.message)
               : VXE_OK;
}

double vxe_formula_value(const vxe_expression *formula,
                         const double variables[VXE_FITNESS_VARIABLES])
{
    const double *pointers[VXE_FITNESS_VARIABLES];
    double value = 0;
    for (int v = 0; v < VXE_FITNESS_VARIABLES; v++) {
        pointers[v] = &variables[v];
    }
    vxe_expression_run(formula, pointers, 1, &value);
    return value;
}

void vxe_fitness_read_places(double variables[VXE_FITNESS_VARIABLES], const double start[3],
                             const double center[3])
{
    for (int c = 0; c < 3; c++) {
        variables[VXE_READ_X + c] = center[c] - start[c];
        variables[VXE_READ_CENTER_X + c] = center[c];
    }
}

bool vxe_formula_watches(const vxe_expression *formula)
{
    return vxe_expression_reads(formula, VXE_READ_HIT) ||
           vxe_expression_reads(formula, VXE_READ_ANGLE) ||
           vxe_expression_reads(formula, VXE_READ_CLOSENESS) ||
           vxe_expression_reads(formula, VXE_READ_PAIRS) ||
           vxe_expression_reads(formula, VXE_READ_VOLUME);
}

bool vxe_formula_sees_posture(const vxe_expression *formula)
{
    return vxe_expression_reads(formula, VXE_READ_TOP) ||
           vxe_expression_reads(formula, VXE_READ_TURN) ||
           vxe_expression_reads(formula, VXE_READ_UP);
}

void vxe_fitness_read_posture(double variables[VXE_FITNESS_VARIABLES], const vxe_posture *posture,
                              const double start[3], const double center[3])
{
    VXE_ASSERT(posture->voxels > 0 && posture->mass && posture->orientation);
    double along = 0;
    double across = 0;
    double up = 0;
    double measured = 0;
    double top = -HUGE_VAL;
    for (size_t v = 0; v < posture->voxels; v++) {
        const double *now = posture->place + 3 * v;
        const double *then = posture->start + 3 * v;
        const double *q = posture->orientation + 4 * v;
        const double mass = posture->mass[v];
        if (!(mass > 0)) {
            continue;
        }
        const double a[2] = {then[0] - start[0], then[1] - start[1]};
        const double b[2] = {now[0] - center[0], now[1] - center[1]};
        along += mass * (a[0] * b[0] + a[1] * b[1]);
        across += mass * (a[0] * b[1] - a[1] * b[0]);
        up += 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
        measured += 1;
        top = now[2] > top ? now[2] : top;
    }
    variables[VXE_READ_TOP] = measured > 0 ? top : 0;
    variables[VXE_READ_TURN] = vxe_angle_of(along, across);
    variables[VXE_READ_UP] = measured > 0 ? up / measured : 0;
}

vxe_status vxe_design_formula_check(const vxe_design *design, vxe_formula which, vxe_error *error)
{
    vxe_expression formula = {0};
    const vxe_status status = vxe_formula_parse(&formula, design, which, error);
    vxe_expression_clear(&formula);
    return status;
}
