/* SPDX-License-Identifier: MIT */
/* Adam (Kingma2015): a number moves by the mean of its gradients over the root of the mean of their
   squares, so that all numbers move about as far whatever their gradients' sizes. */
#include <math.h>

#include "common/assert_internal.h"
#include "evolution/tuning/tuning_internal.h"

/* Added to the root: gradients below it count as none. They are of numbers like 1 m/s for a cycle.
 */
#define SMALLEST 1e-12

/* base^count by squaring: the same bits on every machine. */
static double power_of(double base, uint32_t count)
{
    double power = 1;
    for (; count > 0; count >>= 1, base *= base) {
        power *= count & 1 ? base : 1;
    }
    return power;
}

void vxe_adam_step(vxe_tuned_numbers *numbers, const double *by_number, const vxe_tuner_def *def,
                   uint32_t moments)
{
    VXE_ASSERT(moments > 0);
    const double *kept = def->kept;
    const double of_mean = 1 / (1 - power_of(kept[0], moments));
    const double of_square = 1 / (1 - power_of(kept[1], moments));
    for (uint32_t i = 0; i < numbers->count; i++) {
        const double g = by_number[i];
        numbers->mean[i] = kept[0] * numbers->mean[i] + (1 - kept[0]) * g;
        numbers->square[i] = kept[1] * numbers->square[i] + (1 - kept[1]) * g * g;
        const double part =
            of_mean * numbers->mean[i] / (sqrt(of_square * numbers->square[i]) + SMALLEST);
        const double to =
            numbers->value[i] + def->kind[numbers->kind[i]].rate * numbers->unit[i] * part;
        numbers->value[i] = vxe_tuned_bound(numbers, i, to);
    }
}
