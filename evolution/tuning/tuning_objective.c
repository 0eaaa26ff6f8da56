/* SPDX-License-Identifier: MIT */
/* What a tuner makes large: a formula of the way of the centre of mass. Its value takes the way
   between two places, as runs do. Its derivatives are by velocities, whose sum over time is that
   way, since a gradient that forgets must be asked for velocities. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/tuning/tuning_internal.h"

enum { X, Y, Z, T, VARIABLES };

/* Half the step of a central difference, as a part of the way or of an edge: where a formula is
   smooth, what it neglects and what it rounds are both about 1e-10. */
#define DIFFERENCE 1e-5

vxe_status vxe_tuner_parse(vxe_tuner *tuner, vxe_error *error)
{
    static const char *const names[VARIABLES] = {"x", "y", "z", "t"};
    char walk[64];
    vxe_error inner;
    snprintf(walk, sizeof walk, tuner->reference > 0 ? "x/(t - %.17g)" : "x/t", tuner->reference);
    const char *text = tuner->def.formula ? tuner->def.formula : walk;
    tuner->formula = vxe_memory_take(strlen(text) + 1, 1);
    if (!tuner->formula) {
        return vxe_error_memory(error, strlen(text) + 1);
    }
    memcpy(tuner->formula, text, strlen(text));
    tuner->def.formula = tuner->formula;
    const vxe_status status =
        vxe_expression_parse(&tuner->expression, text, names, VARIABLES, &inner);
    if (!status && !vxe_expression_reads(&tuner->expression, X) &&
        !vxe_expression_reads(&tuner->expression, Y) &&
        !vxe_expression_reads(&tuner->expression, Z)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the formula \"%s\" reads none of x, y and z: nothing to tune", text);
    }
    return status == VXE_OK || status == VXE_ERROR_MEMORY
               ? (status ? vxe_error_fill(error, status, "%s", inner.message) : VXE_OK)
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "the formula \"%s\" (of x, y, z and t): %s", text, inner.message);
}

static double value_at(const vxe_expression *expression, const double at[VARIABLES])
{
    double value = 0;
    const double *const variables[VARIABLES] = {&at[X], &at[Y], &at[Z], &at[T]};
    vxe_expression_run(expression, variables, 1, &value);
    return value;
}

/* The derivative of the formula by a variable. */
static double slope_at(const vxe_expression *expression, const double at[VARIABLES], int variable,
                       double edge)
{
    double side[VARIABLES];
    const double half = DIFFERENCE * fmax(fabs(at[variable]), edge);
    memcpy(side, at, sizeof side);
    side[variable] = at[variable] + half;
    const double above = value_at(expression, side);
    side[variable] = at[variable] - half;
    return (above - value_at(expression, side)) / (2 * half);
}

double vxe_tuner_objective(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                           uint32_t count, vxe_gradient_sample *weights)
{
    const vxe_tuner *tuner = user;
    const uint32_t first = tuner->first_sample;
    const uint32_t last = count - 1;
    double at[VARIABLES] = {[T] = samples[last].time};
    (void)robot;
    for (int c = 0; c < 3; c++) {
        at[c] = samples[last].center[c] - samples[first].center[c];
    }
    for (int c = 0; c < 3; c++) {
        const double slope = vxe_expression_reads(&tuner->expression, (uint32_t)c)
                                 ? slope_at(&tuner->expression, at, c, tuner->design->voxel_size)
                                 : 0;
        for (uint32_t i = first; i < last; i++) { /* trapezia */
            const double half = 0.5 * (samples[i + 1].time - samples[i].time);
            weights[i].velocity[c] += half * slope;
            weights[i + 1].velocity[c] += half * slope;
        }
    }
    return value_at(&tuner->expression, at);
}
