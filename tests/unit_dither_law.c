/* SPDX-License-Identifier: MIT */
/* The dither of sums in float (dither_law.h): many roundings of one small change add up to it, also
 * beside powers of two, where an ulp is half as large on one side. */
#define VXE_MIXED /* doubles have none */
#include <float.h>
#include <math.h>

#include "engine/voxels/dither_law.h"
#include "support.h"

/* Whole blocks of 64 steps, in each of which every stratum of offsets comes once. */
#define STEPS (64 * 256)

/* The mean change of a number to which b is added in many steps, each time from itself. */
static double mean_change(float value, float b)
{
    double sum = 0;
    for (uint64_t step = 0; step < STEPS; step++) {
        const vxe_dither by = dither_at(vxe_dither_phase(step));
        sum += (double)dithered(&by, value, 1, b) - (double)value;
    }
    return sum / STEPS;
}

/* To 2e-3 of an ulp, since so many steps leave the edge between two roundings that sharp; an offset
 * of a whole ulp below a power of two is off by a twentieth. */
static void small_changes_are_kept_in_the_mean(void **state)
{
    (void)state;
    const float values[7] = {1, nextafterf(1, 0), nextafterf(1, 2), 1.37F, -1, -0.0625F, 1.9e5F};
    const double parts[8] = {0.3, 0.2, 0.05, 1e-3, -1e-3, -0.05, -0.2, -0.3};
    for (int i = 0; i < 7; i++) {
        const double ulp = (double)(nextafterf(fabsf(values[i]), FLT_MAX) - fabsf(values[i]));
        for (int k = 0; k < 8; k++) {
            const float change = (float)(0.5 * parts[k] * ulp);
            check_near("mean change, ulp", mean_change(values[i], change) / ulp,
                       (double)change / ulp, 2e-3);
        }
    }
}

/* No change leaves a number as it is, and mirror images stay mirror images. */
static void no_change_is_none(void **state)
{
    (void)state;
    for (uint64_t step = 0; step < STEPS; step++) {
        const vxe_dither by = dither_at(vxe_dither_phase(step));
        assert_true(dithered(&by, 1, 1, 0) == 1 && dithered(&by, 1.37F, 1, 0) == 1.37F);
        assert_true(dithered(&by, 1.37F, 1, 3e-8F) == -dithered(&by, -1.37F, 1, -3e-8F));
        assert_true(fabs(vxe_dither_phase(step)) < 0x1p-24);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_changes_are_kept_in_the_mean),
                                       cmocka_unit_test(no_change_is_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
