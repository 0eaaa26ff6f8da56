/* SPDX-License-Identifier: MIT */
/* Edge growth of a voxel against its formula (actuation_law.h; docs/physics.md, Actuation and
 * growth), which is written out here once more with the C library. The series of the wave is good
 * to 1e-13. */
#include <math.h>
#include <string.h>

#include "engine/core/real.h"
#include "engine/voxels/actuation_law.h"
#include "support.h"

#define PERIOD 0.5 /* s */

/* One voxel and one moment. */
typedef struct moment {
    double time, envelope, min, max, warmest, born, factor;
} moment;

static const vxe_real numbers[VXE_ACTUATION_VALUES] = {
    [VXE_SIZE_STRAIN] = 0.2,   [VXE_SIZE_FREQUENCY] = 1.5, [VXE_SIZE_PHASE] = 0.3,
    [VXE_SIZE_INITIAL] = -0.4, [VXE_SIZE_GROWTH] = 0.7,    [VXE_SIZE_START] = 1,
    [VXE_SIZE_RATE] = 0.25};

static void clock_at(const moment *now, double clock[VXE_CLOCK_NUMBERS])
{
    memset(clock, 0, VXE_CLOCK_NUMBERS * sizeof *clock);
    clock[VXE_CLOCK_TIME] = now->time;
    clock[VXE_CLOCK_CYCLES] = now->time / PERIOD;
    clock[VXE_CLOCK_ENVELOPE] = now->envelope;
    clock[VXE_CLOCK_MIN] = now->min;
    clock[VXE_CLOCK_MAX] = now->max;
    clock[VXE_CLOCK_WARMEST] = now->warmest;
    clock[VXE_CLOCK_BORN] = now->born;
    clock[VXE_CLOCK_EDGE] = EDGE;
}

/* Edge growth where one of the numbers is moved. */
static double growth_moved(const moment *now, int number, double by)
{
    vxe_real moved[VXE_ACTUATION_VALUES];
    const vxe_real *law[VXE_ACTUATION_VALUES];
    double clock[VXE_CLOCK_NUMBERS];
    memcpy(moved, numbers, sizeof moved);
    moved[number] += by;
    for (int c = 0; c < VXE_ACTUATION_VALUES; c++) {
        law[c] = &moved[c];
    }
    clock_at(now, clock);
    return edge_growth_at(law, 0, clock, 1, now->factor);
}

static double growth_at(const moment *now)
{
    return growth_moved(now, VXE_SIZE_STRAIN, 0);
}

static edge_slopes slopes_at(const moment *now)
{
    const vxe_real *law[VXE_ACTUATION_VALUES];
    double clock[VXE_CLOCK_NUMBERS];
    for (int c = 0; c < VXE_ACTUATION_VALUES; c++) {
        law[c] = &numbers[c];
    }
    clock_at(now, clock);
    return edge_slopes_at(law, 0, clock, 1, now->factor);
}

/* l - a = a (grown f (1 + e) - 1), where e is the wave times its envelope within the bounds, and
 * the voxel grows from 0.6 to 1.3 edges within 4 s from 1 s on; born: how much of that has come at
 * the start. */
static double want_at(const moment *now)
{
    const double wave_now = sin(2 * PI * (1.5 * now->time / PERIOD + 0.3));
    const double strain = now->envelope * 0.2 * fmin(wave_now, now->warmest);
    const double expansion = fmin(fmax(1 + strain, now->min), now->max);
    const double age = fmin(fmax((now->time - 1) / 4, 0), 1);
    const double grown = 1 + now->born * (-0.4 + 0.7 * age);
    return EDGE * (grown * now->factor * expansion - 1);
}

/* Slopes against central differences by each number in turn, where bounds act and where they do
   not; there they pass nothing. Bound: 1e-8, what differences round and leave of curvature. */
static void slopes_of_edges_are_those_of_differences(void **state)
{
    (void)state;
    const moment moments[4] = {{0.31, 1, 0, HUGE_VAL, HUGE_VAL, 1, 1.2},
                               {2.43, 0.6, 0, HUGE_VAL, HUGE_VAL, 0.4, 0.8},
                               {1.87, 1, 0.99, 1.01, HUGE_VAL, 1, 1.1},
                               {0.01, 1, 0, HUGE_VAL, 0.05, 1, 1.1}};
    for (int i = 0; i < 4; i++) {
        const int moved[3] = {VXE_SIZE_STRAIN, VXE_SIZE_PHASE, VXE_SIZE_FREQUENCY};
        const edge_slopes got = slopes_at(&moments[i]);
        const double slopes[3] = {got.strain, got.phase, got.frequency};
        for (int n = 0; n < 3; n++) {
            const double step = 1e-6;
            const double above = growth_moved(&moments[i], moved[n], step);
            const double below = growth_moved(&moments[i], moved[n], -step);
            check_near("slope", slopes[n] / EDGE, (above - below) / (2 * step) / EDGE, 1e-8);
        }
        moment larger = moments[i];
        larger.factor += 0.5;
        check_near("by the factor", got.factor / EDGE,
                   (growth_at(&larger) - growth_at(&moments[i])) / 0.5 / EDGE, 1e-12);
    }
}

static void edges_follow_wave_growth_and_schedule(void **state)
{
    (void)state;
    double off = 0;
    for (int i = 0; i < 200; i++) {
        const double time = 0.03 * i;
        const moment moments[5] = {{time, 1, 0, HUGE_VAL, HUGE_VAL, 1, 1},
                                   {time, 0.3, 0, HUGE_VAL, HUGE_VAL, 0.8, 1.2},
                                   {time, 1, 0.9, 1.1, HUGE_VAL, 1, 0.7},
                                   {time, 1, 0, HUGE_VAL, 0, 1, 1},
                                   {time, 0, 0, HUGE_VAL, HUGE_VAL, 0.5, 1}};
        for (int k = 0; k < 5; k++) {
            off = fmax(off, fabs(growth_at(&moments[k]) - want_at(&moments[k])) / EDGE);
        }
    }
    check_below("edge growth against its formula, edges", off, 1e-12);
}

/* Where all follow one wave: the sine of the sum of the clock's and the voxel's phases. */
static void edges_of_one_wave_follow_their_phases(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        const double phase = 0.7 * i;
        const double clock = 2.3 - i;
        check_near("edge growth of a wave",
                   edge_growth_of_wave(0.2 * cos(phase), 0.2 * sin(phase), sin(clock), cos(clock)),
                   0.2 * sin(phase + clock), 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_of_edges_are_those_of_differences),
        cmocka_unit_test(edges_follow_wave_growth_and_schedule),
        cmocka_unit_test(edges_of_one_wave_follow_their_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
