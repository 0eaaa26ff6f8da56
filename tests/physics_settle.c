/* SPDX-License-Identifier: MIT */
/* Equilibria (engine/statics.h) against closed forms, against runs that come to rest, and against a
   direct solution. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "static_bodies.h"

/* Adds so many times the displacements (3 n) under so many times the loads. */
static void add_displacements(vxe_design *design, bool linear, double loads, double times,
                              double *sum)
{
    const size_t n = design->voxel_count;
    double *before = calloc(6 * n, sizeof *before);
    assert_non_null(before);
    for (uint32_t r = 0; r < design->region_count; r++) {
        for (int c = 0; c < 3; c++) {
            design->regions[r].force[c] *= loads;
            design->regions[r].moment[c] *= loads;
        }
    }
    for (int c = 0; c < 3; c++) {
        design->gravity[c] *= loads;
    }
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    vxe_world_poses(world, before, NULL);
    settle_world(world, linear);
    vxe_world_poses(world, before + 3 * n, NULL);
    for (size_t i = 0; i < 3 * n; i++) {
        sum[i] += times * (before[3 * n + i] - before[i]);
    }
    vxe_world_destroy(world);
    free(before);
}

/* The largest difference of displacements in equilibrium and by the direct solution, over the
   largest displacement. Half the difference under loads and their opposites is taken, which has no
   terms of second order. */
static double apart_from_direct(vxe_design *design, bool linear)
{
    const size_t n = design->voxel_count;
    direct d = direct_of(design);
    double *x = calloc(6 * n, sizeof *x);
    double *moved = calloc(3 * n, sizeof *moved);
    uint8_t *inside = calloc(n, 1);
    assert_true(x && moved && inside);
    for (size_t v = 0; v < n; v++) {
        for (size_t c = 0; c < 3; c++) {
            x[6 * v + c] = MASS * design->gravity[c];
        }
    }
    for (uint32_t r = 0; r < design->region_count; r++) {
        const uint32_t count = vxe_design_region_voxels(design, r, inside);
        for (size_t v = 0; v < n; v++) {
            for (size_t c = 0; c < 3 && inside[v]; c++) {
                x[6 * v + c] += design->regions[r].force[c] / count;
                x[6 * v + 3 + c] += design->regions[r].moment[c] / count;
            }
        }
    }
    direct_solve(&d, x);
    add_displacements(design, linear, 1, 0.5, moved);
    add_displacements(design, linear, -1, -0.5, moved);
    double largest = 0;
    double apart = 0;
    for (size_t i = 0; i < 3 * n; i++) {
        const double expected = x[6 * (i / 3) + i % 3];
        largest = fmax(largest, fabs(expected));
        apart = fmax(apart, fabs(moved[i] - expected));
    }
    direct_release(&d);
    free(x);
    free(moved);
    free(inside);
    return apart / largest;
}

/* Linear solutions and equilibria under small loads. Both solutions have rounding of 1e-16 times
   the condition of the body, at most 1e6 here. At displacements of some 1e-5 lengths, an
   equilibrium's terms of third order are some 1e-10 of them, and so is the rounding of places. */
static void small_loads_match_the_direct_solution(void **state)
{
    (void)state;
    for (int linear = 0; linear < 2; linear++) {
        const double load = linear ? 1e-3 : 2e-6;
        for (int axis = 0; axis < 3; axis++) {
            const double force[3] = {load, 0.7 * load, -0.4 * load};
            const double moment[3] = {1e-3 * load, -2e-3 * load, 5e-4 * load};
            vxe_design *design = clamped_bar(12, axis, force, moment);
            const double apart = apart_from_direct(design, linear);
            check_below("cantilever", apart, 1e-8);
            vxe_design_destroy(design);
        }
        vxe_design *design = portal_frame(9, 6, load);
        check_below("portal", apart_from_direct(design, linear), 1e-8);
        vxe_design_destroy(design);
        for (uint64_t seed = 1; seed < 5; seed++) {
            design = irregular_body(90, seed);
            design->gravity[0] = linear ? 1 : 1e-2;
            design->gravity[2] = linear ? -9.81 : -1e-2;
            check_below("irregular, two materials", apart_from_direct(design, linear), 1e-8);
            vxe_design_destroy(design);
        }
    }
}

/* Settles one world by statics and another by running under global damping, and compares all
   places, over the largest displacement. */
static double apart_from_dynamics(vxe_design *design, double rate)
{
    const size_t n = design->voxel_count;
    for (uint32_t i = 0; i < design->material_count; i++) {
        design->materials[i].global_damping = rate / W0;
        design->materials[i].bond_damping = 0.3;
    }
    vxe_world *ran = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    vxe_world *settled = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    const vxe_settled facts = settle_world(settled, false);
    settle(ran, 2 / rate, 1e-9 * facts.largest_move);
    double *place = calloc(6 * n, sizeof *place);
    assert_non_null(place);
    vxe_world_poses(ran, place, NULL);
    vxe_world_poses(settled, place + 3 * n, NULL);
    double apart = 0;
    for (size_t i = 0; i < 3 * n; i++) {
        apart = fmax(apart, fabs(place[i] - place[3 * n + i]));
    }
    free(place);
    vxe_world_destroy(ran);
    vxe_world_destroy(settled);
    return apart / facts.largest_move;
}

/* The runs end when nothing moves by more than 1e-9 of the deflection any more. */
static void large_deflections_match_runs_at_rest(void **state)
{
    (void)state;
    const double force[3] = {0, 1e-3, -2e-3};
    vxe_design *design = clamped_bar(10, 0, force, NULL); /* down by a third of its length */
    check_below("cantilever", apart_from_dynamics(design, 35), 1e-6);
    vxe_design_destroy(design);
    design = portal_frame(9, 6, 0.05);
    check_below("portal", apart_from_dynamics(design, 40), 1e-6);
    vxe_design_destroy(design);
    for (uint64_t seed = 1; seed < 4; seed++) {
        design = irregular_body(60, seed);
        design->volume_effects = seed > 1; /* with Poisson's ratio */
        design->gravity[1] = 3;
        design->gravity[2] = -9.81;
        check_below("irregular, two materials", apart_from_dynamics(design, 40), 1e-6);
        vxe_design_destroy(design);
    }
}

/* Adds velocities with which a mode of a frequency (Hz) swings out to `part` of its shape. */
static void push_mode(vxe_world *world, const double *shape, double frequency, double part)
{
    vxe_error error;
    const double rate = 2 * PI * frequency * part;
    for (uint32_t v = 0; v < vxe_world_describe(world).voxels; v++) {
        const double *by = shape + 6 * (size_t)v;
        const double velocity[3] = {rate * by[0], rate * by[1], rate * by[2]};
        const double spin[3] = {rate * by[3], rate * by[4], rate * by[5]};
        assert_int_equal(vxe_world_place(world, v, NULL, NULL, velocity, spin, &error), VXE_OK);
    }
}

/* A beam with Poisson's ratio that bends by a tenth of its length: the tangent has the turns of
   bonds in it, so that six steps square what is left down to rounding; without these it takes
   eleven. */
static void bending_with_poissons_ratio_takes_few_steps(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.poissons_ratio = 0.45;
    const double force[3] = {0, 0, 1};
    vxe_design *design = block_design(&m, 10, 2, 2);
    design->volume_effects = true;
    hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
    hold_plane(design, 0, 9, 0, force, NULL);
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    const vxe_settled settled = settle_world(world, false);
    check_below("steps", settled.steps, 7);
    assert_true(settled.largest_move > EDGE);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Poisson's ratio: a block between grips that are pulled apart rests as a run does, and the steps
   are few, as its tangent is exact. Its lowest mode, thrown, is out by its whole shape after a
   quarter of its period: to 1e-3, by the time step, of which there are some hundred. */
static void poissons_ratio_acts(void **state)
{
    (void)state;
    enum { VOXELS = 6 * 3 * 3 };
    vxe_error error;
    vxe_material m = standard_material();
    m.poissons_ratio = 0.45;
    vxe_design *design = block_design(&m, 6, 3, 3);
    design->volume_effects = true;
    hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
    hold_plane(design, 0, 5, VXE_FIX_ALL, NULL, NULL);
    design->regions[1].displacement[0] = 0.2 * EDGE;
    check_below("a pulled block", apart_from_dynamics(design, 500), 1e-6);
    design->materials[0].global_damping = 0;
    design->materials[0].bond_damping = 0;
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    assert_true(settle_world(world, false).steps < 8);
    double frequency = 0;
    double shape[6 * VOXELS];
    double still[3 * VOXELS];
    double moved[3 * VOXELS];
    assert_int_equal(vxe_world_modes(world, 1, &frequency, shape, &error), VXE_OK);
    vxe_world_poses(world, still, NULL);
    push_mode(world, shape, frequency, 1e-5);
    assert_int_equal(vxe_world_advance_to(world, 0.25 / frequency, &error), VXE_OK);
    vxe_world_poses(world, moved, NULL);
    double largest = 0;
    for (size_t i = 0; i < 3 * (size_t)VOXELS; i++) {
        largest = fmax(largest, fabs(moved[i] - still[i] - 1e-5 * shape[6 * (i / 3) + i % 3]));
    }
    check_below("apart after a quarter of a period, m", largest, 1e-3 * 1e-5 * EDGE);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Case ring of docs/accuracy.md: a couple M = EI (2 pi/10)/a bends ten bonds to a closed circle. */
static void a_couple_bends_a_bar_to_a_ring(void **state)
{
    (void)state;
    const double moment[3] = {0, 0, MODULUS * SECOND_MOMENT * (2 * PI / 10) / EDGE};
    vxe_design *design = clamped_bar(11, 0, NULL, moment);
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    double first[3];
    double last[3];
    settle_world(world, false);
    position_of(world, 0, first);
    position_of(world, 10, last);
    for (int c = 0; c < 3; c++) {
        check_near("the ends meet, edges", (last[c] - first[c]) / EDGE, 0, 1e-9);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Free bodies come down to the floor and rest on it: its springs k = E a carry the weight, so that
   an even block of one layer sinks by m g/(E a), and nothing moves when it runs on. */
static void a_free_body_rests_on_the_floor(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    for (int height = 0; height < 3; height += 2) {
        vxe_design *design = block_design(&m, 4, 3, 1);
        design->gravity[2] = -9.81;
        design->floor.enabled = true;
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            design->voxels[v].position[2] += height;
        }
        vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
        settle_world(world, false);
        double at[3];
        double later[3];
        position_of(world, 5, at);
        check_relative("depth, m", 0.5 * EDGE - at[2], MASS * 9.81 / (MODULUS * EDGE), 1e-9);
        vxe_error error;
        assert_int_equal(vxe_world_advance(world, 500, &error), VXE_OK);
        position_of(world, 5, later);
        check_near("it stays, edges", (later[2] - at[2]) / EDGE, 0, 1e-13);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A bar whose end is pulled by u needs E a u / (n - 1); its clamp holds against that. One whose end
   is turned by a quarter about z, where bending leaves its middle free, is a quarter of a circle: M
   = EI (pi/2)/L. */
static void prescribed_motion_meets_its_reaction(void **state)
{
    (void)state;
    vxe_error error;
    double forces[3 * 7];
    double moments[3 * 7];
    vxe_design *design = clamped_bar(7, 0, NULL, NULL);
    vxe_region end = design->regions[1];
    end.fixed = VXE_FIX_X;
    end.displacement[0] = 1e-4;
    assert_int_equal(vxe_design_add_region(design, &end, &error), VXE_OK);
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    settle_world(world, false);
    assert_int_equal(vxe_world_reactions(world, forces, moments, &error), VXE_OK);
    const double pull = MODULUS * EDGE * 1e-4 / 6;
    check_relative("force on the end, N", forces[3 * 6], pull, 1e-9);
    check_relative("force on the clamp, N", forces[0], -pull, 1e-9);
    vxe_world_destroy(world);
    design->regions[2].fixed = VXE_FIX_RZ;
    design->regions[2].displacement[0] = 0;
    design->regions[2].rotation[2] = PI / 2;
    for (int again = 0; again < 2; again++) {
        world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
        settle_world(world, false);
        if (again) { /* from the equilibrium it has nothing to do */
            check_near("moves again, m", settle_world(world, false).largest_move, 0, 1e-13);
        }
        assert_int_equal(vxe_world_reactions(world, forces, moments, &error), VXE_OK);
        check_relative("moment on the end, N m", moments[3 * 6 + 2],
                       MODULUS * SECOND_MOMENT * (PI / 2) / (6 * EDGE), 1e-9);
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
}

/* Equilibria in which nothing is stressed, and prescribed motion of a bar that turns freely at both
   ends, whose pull is E a u/19: a block that has grown by 1.3 is 1.3 times as wide. */
static void soft_holds_are_enough(void **state)
{
    (void)state;
    vxe_error error;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 20, 1, 1);
    hold_plane(design, 0, 0, VXE_FIX_X | VXE_FIX_Y | VXE_FIX_Z, NULL, NULL);
    hold_plane(design, 0, 19, VXE_FIX_X | VXE_FIX_Y | VXE_FIX_Z, NULL, NULL);
    vxe_world *world = NULL;
    for (int far = 0; far < 2; far++) {
        const double way = far ? 6 * EDGE : 1e-3 * EDGE;
        double forces[3 * 20];
        double moments[3 * 20];
        design->regions[1].displacement[0] = way;
        world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
        settle_world(world, false);
        settle_world(world, false); /* again, with nothing left to do */
        assert_int_equal(vxe_world_reactions(world, forces, moments, &error), VXE_OK);
        check_relative("force on the end, N", forces[3 * 19], MODULUS * EDGE * way / 19, 1e-9);
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
    design = block_design(&m, 5, 5, 5);
    assert_non_null(vxe_design_layer(design, "Group", 1));
    world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    assert_int_equal(vxe_world_set_target(world, 0, 1.3, &error), VXE_OK);
    settle_world(world, false);
    double first[3];
    double last[3];
    position_of(world, 0, first);
    position_of(world, 124, last);
    for (int c = 0; c < 3; c++) {
        check_relative("a grown block, edges", (last[c] - first[c]) / EDGE, 4 * 1.3, 1e-12);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* The same bits for any number of threads. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 16, 15, 14);
    uint64_t hash = 0;
    double frequency = 0;
    hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
    design->gravity[2] = -9.81;
    for (uint32_t threads = 1; threads < 4; threads++) {
        vxe_error error;
        double found[2];
        vxe_world_def def = vxe_world_def_default();
        def.threads = threads;
        vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
        settle_world(world, false);
        assert_int_equal(vxe_world_modes(world, 2, found, NULL, &error), VXE_OK);
        if (threads > 1) {
            assert_true(vxe_world_hash(world) == hash && found[0] == frequency);
        }
        hash = vxe_world_hash(world);
        frequency = found[0];
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
}

/* Where there is no equilibrium, or no statics, the world stays as it was. */
static void what_cannot_rest_is_refused(void **state)
{
    (void)state;
    vxe_error error;
    vxe_settle_def def = vxe_settle_def_default();
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 3, 3, 3);
    design->gravity[2] = -9.81;
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    const uint64_t hash = vxe_world_hash(world);
    assert_int_equal(vxe_world_settle(world, &def, NULL, &error), VXE_ERROR_UNPHYSICAL);
    assert_non_null(strstr(error.message, "fixed"));
    assert_true(vxe_world_hash(world) == hash);
    def.tolerance = 0;
    assert_int_equal(vxe_world_settle(world, &def, NULL, &error), VXE_ERROR_ARGUMENT);
    double found[1];
    assert_int_equal(vxe_world_modes(world, 0, found, NULL, &error), VXE_ERROR_ARGUMENT);
    assert_int_equal(vxe_world_modes(world, 163, found, NULL, &error), VXE_ERROR_ARGUMENT);
    vxe_world_destroy(world);
    vxe_world_def bars = vxe_world_def_default();
    bars.bond_kind = VXE_BOND_BAR;
    world = make_world_in(design, &bars, VXE_PRECISION_DOUBLE);
    def = vxe_settle_def_default();
    assert_int_equal(vxe_world_settle(world, &def, NULL, &error), VXE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "bars"));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_loads_match_the_direct_solution),
        cmocka_unit_test(large_deflections_match_runs_at_rest),
        cmocka_unit_test(poissons_ratio_acts),
        cmocka_unit_test(a_couple_bends_a_bar_to_a_ring),
        cmocka_unit_test(a_free_body_rests_on_the_floor),
        cmocka_unit_test(prescribed_motion_meets_its_reaction),
        cmocka_unit_test(bending_with_poissons_ratio_takes_few_steps),
        cmocka_unit_test(soft_holds_are_enough),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(what_cannot_rest_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
