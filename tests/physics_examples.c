/* SPDX-License-Identifier: MIT */
/* The example designs at the step that a user gets. Slow: the ledger watches every step. */
#include <stdio.h>

#include "lattice/formats/format.h"
#include "support.h"

/* Every example that moves on the floor keeps its ledger at its default step: actuation lengthens
   the edges, and a step chosen for the rest state alone is unstable without bonds breaking (the
   worm at 20 % gained 1 J of the 0.05 J it exchanges). 1e-3 as in the rows, although the step here
   is the largest. */
static void examples_are_sound_at_their_default_step(void **state)
{
    (void)state;
    static const char *const names[3] = {"quadruped", "worm", "hopper"};
    static const double seconds[3] = {0.6, 1.5, 0.6};
    for (int i = 0; i < 3; i++) {
        char path[600];
        vxe_error error;
        snprintf(path, sizeof path, "%s/assets/%s.vxa", SOURCE_FOLDER, names[i]);
        vxe_design *design = vxe_design_read(path, &error);
        assert_non_null(design);
        vxe_world_def def = vxe_world_def_default();
        def.ledger = true;
        vxe_world *world = make_world(design, &def);
        check_audit(names[i], world, (uint64_t)(seconds[i] / vxe_world_describe(world).time_step),
                    1e-3);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* How far the crawler comes along x, m, in 20 turns of its field. */
static double crawl(const char *z_field)
{
    vxe_error error;
    vxe_design *design = vxe_design_read(SOURCE_FOLDER "/assets/magnetic_crawler.json", &error);
    assert_non_null(design);
    if (z_field) {
        assert_int_equal(vxe_design_set_formula(design, VXE_FORMULA_FIELD_Z, z_field, &error),
                         VXE_OK);
    }
    vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    double start[3];
    double end[3];
    vxe_world_center_of_mass(world, start, NULL);
    assert_int_equal(vxe_world_advance_to(world, 5, &error), VXE_OK);
    vxe_world_center_of_mass(world, end, NULL);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return end[0] - start[0];
}

/* At least its length of 20 mm in 20 turns, and back when the field turns the other way: as far,
   but for the first turn, which begins in another way. */
static void crawler_follows_its_field(void **state)
{
    (void)state;
    const double way = crawl(NULL);
    const double back = crawl("-0.004*sin(2*pi*4*t)");
    check_below("way that is missing, m", 0.02 - way, 0);
    check_relative("way back, m", -back, way, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_are_sound_at_their_default_step),
                                       cmocka_unit_test(crawler_follows_its_field)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
