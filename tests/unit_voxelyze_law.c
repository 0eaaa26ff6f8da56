/* SPDX-License-Identifier: MIT */
/* The bond law of the Voxelyze family against its formulas (voxelyze_law.h; Hiller2014), which are
 * written out here once more, and the bounds of its two modes as these simulators have them. Bounds
 * are for rounding, where nothing else is said. */
#include <math.h>

#include "engine/voxelyze/voxelyze_bond.h"
#include "engine/world/world_data.h"
#include "support.h"

#define ROUNDING 1e-12
#define LENGTH 0.012 /* m: nominal edge */
#define A1 9e3       /* N/m */
#define A2 0.04      /* N m */

static void check_vector(const char *what, vxe_vec3 got, double x, double y, double z)
{
    const double off = fabs(got.x - x) + fabs(got.y - y) + fabs(got.z - z);
    check_below(what, off / (fabs(x) + fabs(y) + fabs(z)), ROUNDING);
}

/* A beam of two nodes: b1 = a1, b2 = a1 L/2, b3 = a1 L^2/6. */
static void forces_are_those_of_a_beam(void **state)
{
    (void)state;
    const vxe_voxelyze_pose at = {
        .place = {1e-4, -2e-4, 3e-4}, .tilt = {0, 0.02, -0.03}, .turn = {0.05, -0.01, 0.04}};
    const vxe_vec3 p = at.place;
    const vxe_vec3 s = at.tilt;
    const vxe_vec3 t = at.turn;
    const double b2 = A1 * LENGTH / 2;
    const double b3 = A1 * LENGTH * LENGTH / 6;
    const vxe_voxelyze_force act = voxelyze_action(&at, A1, 0.9, A2, LENGTH);
    check_vector("force, relative", act.force, 0.9 * A1 * p.x, A1 * p.y - b2 * (s.z + t.z),
                 A1 * p.z + b2 * (s.y + t.y));
    check_vector("moment on the lower voxel, relative", act.lower, A2 * (t.x - s.x),
                 -b2 * p.z - b3 * (2 * s.y + t.y), b2 * p.y - b3 * (2 * s.z + t.z));
    check_vector("moment on the upper voxel, relative", act.upper, -A2 * (t.x - s.x),
                 -b2 * p.z - b3 * (2 * t.y + s.y), b2 * p.y - b3 * (2 * t.z + s.z));
}

/* Dashpots have half of their moments. */
static void dashpots_have_half_of_their_moments(void **state)
{
    (void)state;
    const vxe_vec3 moment = {1, 2, 3};
    const vxe_vec3 rate = {4, 5, 6};
    check_vector("damped moment, relative", damped(moment, rate, 0.7, 0.3), 1 + 0.5 * 0.3 * 4,
                 2 + 0.5 * 0.7 * 5, 3 + 0.5 * 0.7 * 6);
}

/* Whether a bond with a chord (edges) and a turn (rad) about z between its ends is in the
 * large-angle mode. */
static bool is_large(const vxe_voxelyze_arrays *arrays, bool was_large, double along, double across,
                     double angle)
{
    const vxe_voxelyze_view view = {
        {along * LENGTH, 0, across * LENGTH}, {cos(angle / 2), 0, 0, sin(angle / 2)}, LENGTH};
    vxe_tilt align;
    return voxelyze_pose(VXE_VOXELYZE_EVOSORO, &view, was_large, arrays->enter, arrays->leave,
                         &align)
               .large > 0.5;
}

/* evosoro's small-angle mode: entered where a bond is turned by less than 0.01732 rad, deflected by
 * less than 0.05 and stretched to less than 1.3 of its length, and left beyond 1.1 times that. Each
 * bound is tried half a percent to both sides. */
static void modes_change_at_their_bounds(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    vxe_world_def def = vxe_world_def_default();
    def.conventions = "evosoro";
    vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
    const vxe_voxelyze_arrays *arrays = world->workspace.arrays.voxelyze;
    assert_non_null(arrays);
    for (int was_large = 0; was_large < 2; was_large++) {
        const double by = was_large ? 1 : 1.1;
        for (int beyond = 0; beyond < 2; beyond++) {
            const double to = by * (beyond ? 1.005 : 0.995);
            assert_int_equal(is_large(arrays, was_large, 1, 0, to * 0.01732), beyond);
            assert_int_equal(is_large(arrays, was_large, 1, to * 0.05, 0), beyond);
            assert_int_equal(is_large(arrays, was_large, to * 1.3, 0, 0), beyond);
        }
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_a_beam),
        cmocka_unit_test(dashpots_have_half_of_their_moments),
        cmocka_unit_test(modes_change_at_their_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
