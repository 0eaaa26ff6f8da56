/* SPDX-License-Identifier: MIT */
/* Free vibration of clamped columns without damping, at half the stable step: frequencies by upward
   zero crossings (cases bending-mode, axial-mode and torsion-mode of docs/accuracy.md), each with
   its energy audit. */
#include <math.h>
#include <stdlib.h>

#include "support.h"

typedef enum mode_kind { BENDING_MODE, AXIAL_MODE, TORSION_MODE } mode_kind;

/* Shape of a mode at voxel i of n: bending by the static deflection of a tip force, axial and
 * torsion as in a chain of n - 1 masses. */
static double shape(mode_kind kind, int i, int n)
{
    const double s = (double)i / (n - 1);
    return kind == BENDING_MODE ? s * s * (3 - s) / 2 : sin(PI * i / (2 * n - 1));
}

/* Coordinate of the tip: across, along, or the twist. */
static double tip_value(const vxe_world *world, mode_kind kind, int n, int axis, double rest)
{
    double at[3];
    double *q = malloc(4 * (size_t)n * sizeof *q);
    position_of(world, (uint32_t)n - 1, at);
    vxe_world_poses(world, NULL, q);
    const double twist = q[4 * (n - 1) + 1 + axis];
    free(q);
    return kind == TORSION_MODE ? twist : at[kind == BENDING_MODE ? (axis + 1) % 3 : axis] - rest;
}

static vxe_world *plucked_column(mode_kind kind, int n, int axis, vxe_torsion torsion, bool audit)
{
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, axis == 0 ? n : 1, axis == 1 ? n : 1, axis == 2 ? n : 1);
    hold_plane(design, axis, 0, VXE_FIX_ALL, NULL, NULL);
    for (int i = 1; i < n; i++) {
        double v[3] = {0};
        double w[3] = {0};
        const double amount = shape(kind, i, n) * (kind == TORSION_MODE ? 1 : 1e-3);
        if (kind == TORSION_MODE) {
            w[axis] = amount;
        } else {
            v[kind == BENDING_MODE ? (axis + 1) % 3 : axis] = amount;
        }
        assert_int_equal(vxe_design_set_velocity(design, (uint32_t)i, v, w, NULL), VXE_OK);
    }
    vxe_world_def def = vxe_world_def_default();
    def.torsion = (int)torsion;
    def.step_scale = 0.5 / 0.7; /* half the limit: the undamped rule takes 0.7 of it */
    def.audit = audit;
    vxe_world *world = make_world(design, &def);
    vxe_design_destroy(design);
    return world;
}

/* Mean frequency over periods from the first upward crossing to the last. */
static double measure_frequency(mode_kind kind, int n, int axis, vxe_torsion torsion,
                                double expected, int periods)
{
    vxe_world *world = plucked_column(kind, n, axis, torsion, false);
    double rest[3];
    position_of(world, (uint32_t)n - 1, rest);
    const double at_rest = rest[kind == BENDING_MODE ? (axis + 1) % 3 : axis];
    const double step = vxe_world_describe(world).time_step;
    /* a hundred and twenty samples a period is enough for a linear crossing to 1e-4 */
    const uint64_t stride = (uint64_t)fmax(1, floor(1 / (120 * expected * step)));
    double before = 0;
    double first = -1;
    double last = -1;
    int crossings = 0;
    while (crossings < periods + 1) {
        vxe_error error;
        assert_int_equal(vxe_world_advance(world, stride, &error), VXE_OK);
        const double now = tip_value(world, kind, n, axis, at_rest);
        if (before < 0 && now >= 0) {
            const double time =
                vxe_world_time(world) - (double)stride * step * now / (now - before);
            first = crossings == 0 ? time : first;
            last = time;
            crossings++;
        }
        before = now;
        assert_true(vxe_world_time(world) < (periods + 3) / expected);
    }
    vxe_world_destroy(world);
    return periods / (last - first);
}

/* Case bending-mode; 0.3 %: the errors of the clamped voxel's lumped mass and of the step's phase,
 * (dt w/2)^2/6, are well below. */
static void bending_frequencies_match_the_static_solver(void **state)
{
    (void)state;
    check_relative("f1, 5 voxels, Hz",
                   measure_frequency(BENDING_MODE, 5, 0, VXE_TORSION_STVENANT, 25.0311, 10),
                   25.0311, 3e-3);
    check_relative("f1, 20 voxels, Hz",
                   measure_frequency(BENDING_MODE, 20, 1, VXE_TORSION_STVENANT, 1.34286, 10),
                   1.34286, 3e-3);
    check_relative("f1, 40 voxels, Hz",
                   measure_frequency(BENDING_MODE, 40, 2, VXE_TORSION_STVENANT, 0.327372, 5),
                   0.327372, 3e-3);
}

/* Case axial-mode: 2 w0 sin(pi/38)/(2 pi). */
static void axial_frequency_is_that_of_a_chain(void **state)
{
    (void)state;
    const double expected = 2 * W0 * sin(PI / 38) / (2 * PI);
    check_relative("closed form, Hz", expected, 83.1231, 1e-5);
    check_relative("axial mode, Hz",
                   measure_frequency(AXIAL_MODE, 10, 2, VXE_TORSION_STVENANT, expected, 20),
                   expected, 1e-3);
}

/* Case torsion-mode. */
static void torsional_frequencies_match(void **state)
{
    (void)state;
    check_relative("polar, Hz",
                   measure_frequency(TORSION_MODE, 10, 0, VXE_TORSION_POLAR, 51.5507, 20), 51.5507,
                   1e-3);
    check_relative("St-Venant, Hz",
                   measure_frequency(TORSION_MODE, 10, 1, VXE_TORSION_STVENANT, 47.344, 20), 47.344,
                   1e-3);
}

static void vibrating_columns_keep_their_energy(void **state)
{
    (void)state;
    const struct {
        mode_kind kind;
        int n;
    } cases[] = {{BENDING_MODE, 5}, {BENDING_MODE, 20}, {AXIAL_MODE, 10}, {TORSION_MODE, 10}};
    for (int i = 0; i < 4; i++) {
        vxe_world *world = plucked_column(cases[i].kind, cases[i].n, 0, VXE_TORSION_STVENANT, true);
        check_audit("column", world, 4000, 1e-3);
        vxe_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bending_frequencies_match_the_static_solver),
        cmocka_unit_test(axial_frequency_is_that_of_a_chain),
        cmocka_unit_test(torsional_frequencies_match),
        cmocka_unit_test(vibrating_columns_keep_their_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
