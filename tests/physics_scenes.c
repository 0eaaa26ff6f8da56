/* SPDX-License-Identifier: MIT */
/* Scenes of affine bodies among the assets: their observations compared with closed forms and the
 * cases of docs/accuracy.md, and their energy balance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "affine.h"
#include "lattice/formats/format.h"

static vxe_design *scene(const char *name)
{
    char path[512];
    vxe_error error;
    snprintf(path, sizeof path, "%s/assets/affine_%s.json", VXE_SOURCE_FOLDER, name);
    vxe_design *design = vxe_design_read(path, &error);
    if (!design) {
        fail_msg("%s", error.message);
    }
    return design;
}

/* Runs a scene for its duration and destroys it; its balance must close. */
static vxe_world *run_design(vxe_design *design)
{
    const double duration = design->stop.duration;
    const vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    print_message("%s\n", design->name);
    vxe_design_destroy(design);
    const double step = vxe_world_describe(world).time_step;
    check_below("balance, of the energy exchanged",
                balance_drift(world, (uint64_t)ceil(duration / step)), 1e-3);
    return world;
}

static vxe_world *run_scene(const char *name)
{
    return run_design(scene(name));
}

static vxe_observed observed(const vxe_world *world, const char *name)
{
    vxe_observed found = {.value = (double)NAN};
    for (uint32_t i = 0; i < vxe_world_observation_count(world); i++) {
        vxe_observed one;
        vxe_world_observed(world, i, &one);
        found = strcmp(one.name, name) == 0 ? one : found;
    }
    return found;
}

static double told(const vxe_world *world, const char *name)
{
    return observed(world, name).value;
}

/* Case rocking-block: a quarter of the period of half the critical lean. */
static void rocking_block(void **state)
{
    (void)state;
    vxe_world *world = run_scene("rocking_block");
    const vxe_observed leans = observed(world, "leans");
    check_relative("a quarter of the period, s", told(world, "quarter_period_s"), 0.624617 / 4,
                   0.02);
    assert_true(leans.peaks > 2 && leans.peak[1] < leans.peak[0] && leans.peak[2] < leans.peak[0]);
    check_near("slid, m", told(world, "slid_m"), 0, 2e-3);
    vxe_world_destroy(world);
}

/* Case rolling, a prism of 96 sides. */
static void rolling_disk(void **state)
{
    (void)state;
    vxe_world *world = run_scene("rolling_disk");
    check_relative("acceleration, m/s^2", told(world, "acceleration_m_per_s2"), 1.135659, 0.02);
    check_near("slip, m/s", told(world, "slip_m_per_s"), 0, 0.02 * told(world, "rolled_m"));
    vxe_world_destroy(world);
}

/* Case top. */
static void spinning_top(void **state)
{
    (void)state;
    vxe_world *world = run_scene("spinning_top");
    check_relative("period of nutation, s", told(world, "nutation_period_s"), 0.145931, 5e-3);
    check_relative("largest tilt, degrees", told(world, "largest_tilt_deg"), 35.18619, 5e-3);
    check_relative("precession, rad/s", told(world, "precession_rad_per_s"), 3.8824, 5e-3);
    vxe_world_destroy(world);
}

/* Dice come to rest on a face. */
static void dice_throw(void **state)
{
    (void)state;
    vxe_world *world = run_scene("dice_throw");
    for (uint32_t die = 0; die < 3; die++) {
        vxe_affine_pose pose;
        double max = 0;
        vxe_world_affine(world, die, &pose);
        for (int c = 0; c < 3; c++) {
            max = fmax(max, fabs(pose.deformation[6 + c]));
        }
        check_near("an axis of the die upright", max, 1, 1e-3);
        check_relative("height of its center, m", pose.center[2], 0.008 + 5e-4, 0.05);
    }
    vxe_world_destroy(world);
}

static void elastic_blocks(void **state)
{
    (void)state;
    vxe_world *world = run_scene("bouncing_block");
    const vxe_observed heights = observed(world, "bounce_heights_m");
    check_relative("first height, m", heights.peak[0], 0.1, 1e-9);
    assert_true(heights.peaks >= 3 && heights.peak[1] < 0.0841 && heights.peak[1] > 0.07);
    vxe_world_destroy(world);
    world = run_scene("oscillating_block");
    check_relative("breathing, s", told(world, "breathing_period_s"), 0.02876433, 2e-3);
    check_relative("smallest stretch", told(world, "least_stretch"), 0.8276459, 2e-3);
    vxe_world_destroy(world);
}

/* Case adhesion: 19.78269 Pa over 50 mm by 50 mm. */
static void detaching_block(void **state)
{
    (void)state;
    vxe_world *world = run_scene("detaching_block");
    check_relative("largest pull, N", told(world, "largest_pull_N"), 0.0494567, 0.01);
    check_relative("load as it leaves, N", told(world, "detachment_load_N"), 0.0494567, 0.03);
    vxe_world_destroy(world);
}

/* Cases affine-growth and affine-remodelling. */
static void contractile_blocks(void **state)
{
    (void)state;
    vxe_world *world = run_scene("pulsating_block");
    check_relative("amplitude", told(world, "amplitude"), 0.0203821, 5e-3);
    check_relative("period, s", told(world, "period_s"), 2 * PI / 30, 1e-3);
    vxe_world_destroy(world);
    world = run_scene("remodelling_block");
    check_relative("stretch", told(world, "stretch"), 1.0100502, 1e-4);
    vxe_world_destroy(world);
}

/* It crawls the same distance in every cycle, and the other way if its shear is reversed. */
static void crawler(void **state)
{
    (void)state;
    vxe_world *world = run_scene("crawler");
    const double crawl = told(world, "crawl_per_cycle_m");
    check_below("millimetre that is missing, m", 1e-3 - crawl, 0);
    check_relative("way, m", told(world, "crawled_m"), 40 * crawl, 0.2);
    vxe_world_destroy(world);
    vxe_design *back = scene("crawler");
    set_body_formula(&back->affine[0], VXE_AFFINE_GROWTH + 2, "-0.15*cos(2*pi*10*t)");
    world = run_design(back);
    check_relative("way in a cycle, back, m", told(world, "crawl_per_cycle_m"), -crawl, 0.02);
    vxe_world_destroy(world);
}

/* Each domino knocks over the next, in less time the faster it falls, and slides back by the
 * momentum that the next one receives. */
static void dominoes(void **state)
{
    (void)state;
    vxe_world *world = run_scene("dominoes");
    const double second = told(world, "second_falls_s");
    const double third = told(world, "third_falls_s");
    check_below("0 to the second, s", -second, 0);
    check_below("second to the third more than 0 to the second, s", third - 2 * second, 0);
    check_below("rad that the third is short of 1", 1 - told(world, "tilt_of_third_rad"), 0);
    vxe_world_destroy(world);
}

/* Voxels close on the block, carry it up by the lift of their base, and release it: it is again
 * where it lay. */
static void gripped_block(void **state)
{
    (void)state;
    vxe_design *design = scene("gripped_block");
    const vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    vxe_error error;
    vxe_affine_pose pose;
    vxe_world_affine(world, 0, &pose);
    const double lay = pose.center[2];
    if (vxe_world_advance_to(world, 1.35, &error)) {
        fail_msg("%s", error.message);
    }
    vxe_world_affine(world, 0, &pose);
    check_near("lifted by, m", pose.center[2] - lay, 0.05, 0.01);
    check_near("force on it, of its weight", pose.contact_force[2] / (pose.mass * 9.81), 1, 0.1);
    if (vxe_world_advance_to(world, design->stop.duration, &error)) {
        fail_msg("%s", error.message);
    }
    vxe_world_affine(world, 0, &pose);
    check_near("lies at, m", pose.center[2], lay, 1e-3);
    check_below("s that it was held less than 1.4", 1.4 - told(world, "let_go_s"), 0);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rocking_block),      cmocka_unit_test(rolling_disk),
        cmocka_unit_test(spinning_top),       cmocka_unit_test(dice_throw),
        cmocka_unit_test(elastic_blocks),     cmocka_unit_test(detaching_block),
        cmocka_unit_test(contractile_blocks), cmocka_unit_test(crawler),
        cmocka_unit_test(dominoes),           cmocka_unit_test(gripped_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
