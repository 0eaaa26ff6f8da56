/* SPDX-License-Identifier: MIT */
/* Ensembles: variants of a robot in a batch and the paths that it samples, and what the spread of
   copies says, beside closed forms. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "engine/ensemble.h"

enum { SAMPLES = 10, COPIES = 8 };

static vxe_batch *batch_of(vxe_design *const *designs, uint32_t count, uint64_t steps,
                           vxe_batch_schedule schedule, uint32_t threads)
{
    vxe_error error;
    vxe_batch_def def = vxe_batch_def_default();
    def.steps = steps;
    def.samples = SAMPLES;
    def.schedule = schedule;
    def.world.precision = test_precision();
    def.world.threads = threads;
    vxe_batch *batch = vxe_batch_create(&def, &error);
    assert_non_null(batch);
    for (uint32_t i = 0; i < count; i++) {
        const vxe_batch_variant variant = {
            1 + 0.01 * i, {1e-4 * i, 0, 1e-5 * i}, {0, 1e-3 * i, 1e-3 * i}};
        assert_int_equal(vxe_batch_add_variant(batch, designs[i], &variant, &error), VXE_OK);
    }
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
    return batch;
}

/* The same bits in lanes, alone, by two threads and, but for rounding, as worlds with formulas; the
   path begins at the start and ends at the end. */
static void variants_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    vxe_design *designs[COPIES];
    vxe_design *watched[COPIES];
    for (int i = 0; i < COPIES; i++) {
        designs[i] = holed_walker(3, 0.9, 0.3, 1);
        watched[i] = vxe_design_copy(designs[i], &(vxe_error){0});
        set_formula(watched[i], VXE_FORMULA_STOP, "t - 1e9");
    }
    vxe_batch *batches[4] = {batch_of(designs, COPIES, 400, VXE_BATCH_LANES, 1),
                             batch_of(designs, COPIES, 400, VXE_BATCH_ALONE, 1),
                             batch_of(designs, COPIES, 400, VXE_BATCH_AUTO, 2),
                             batch_of(watched, COPIES, 400, VXE_BATCH_AUTO, 1)};
    uint64_t last = 0;
    for (uint32_t i = 0; i < COPIES; i++) {
        const vxe_batch_result first = vxe_batch_result_of(batches[0], i);
        assert_int_equal(first.status, VXE_ROBOT_DONE);
        assert_true(first.in_lanes);
        assert_true(first.hash != last);
        last = first.hash;
        for (int b = 0; b < 4; b++) {
            const vxe_batch_result other = vxe_batch_result_of(batches[b], i);
            assert_int_equal(other.hash, first.hash);
            assert_non_null(other.path);
            assert_memory_equal(other.path, first.path, 3 * (SAMPLES + 1) * sizeof(double));
            assert_memory_equal(other.path + 3 * SAMPLES, other.center, sizeof other.center);
        }
    }
    const vxe_batch_result plain = vxe_batch_result_of(batches[0], 0);
    const vxe_batch_result moved = vxe_batch_result_of(batches[0], 3);
    check_near("start, x", moved.path[0] - plain.path[0], 3e-4, by_precision(1e-15, 1e-9));
    check_near("start, z", moved.path[2] - plain.path[2], 3e-5, by_precision(1e-15, 1e-9));
    check_relative("step", moved.time_step / plain.time_step, 1.03, by_precision(1e-12, 1e-6));
    for (int b = 0; b < 4; b++) {
        vxe_batch_destroy(batches[b]);
    }
    for (int i = 0; i < COPIES; i++) {
        vxe_design_destroy(designs[i]);
        vxe_design_destroy(watched[i]);
    }
}

static vxe_ensemble_def quick_def(double duration)
{
    vxe_ensemble_def def = vxe_ensemble_def_default();
    def.batch.duration = duration;
    def.batch.world.precision = test_precision();
    def.batch.world.threads = 1;
    return def;
}

static vxe_ensemble *ensemble_of(const vxe_design *design, const vxe_ensemble_def *def)
{
    vxe_error error;
    vxe_ensemble *ensemble = vxe_ensemble_run(design, def, NULL, NULL, &error);
    if (!ensemble) {
        fail_msg("%s", error.message);
    }
    return ensemble;
}

/* A free block flies straight: all copies end at v T but for a step, which differs by 1e-3. */
static void free_flight_is_robust(void **state)
{
    (void)state;
    vxe_error error;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    const double linear[3] = {0.3, 0.4, 0};
    const double none[3] = {0, 0, 0};
    for (uint32_t v = 0; v < 2; v++) {
        assert_int_equal(vxe_design_set_velocity(design, v, linear, none, &error), VXE_OK);
    }
    const vxe_ensemble_def def = quick_def(0.1);
    vxe_ensemble *ensemble = ensemble_of(design, &def);
    const vxe_ensemble_facts f = vxe_ensemble_describe(ensemble);
    const double step = 0.5 * f.time_step / EDGE; /* voxels in a step: the end of a run is one */
    assert_int_equal(f.copies, 16);
    assert_int_equal(f.done, 16);
    check_near("displacement, voxels", f.displacement.mean, 0.05 / EDGE, step);
    check_below("its deviation", f.displacement.deviation, step);
    double square = 0;
    for (uint32_t i = 0; i < f.copies; i++) {
        const double way = vxe_ensemble_result(ensemble, i).displacement / EDGE;
        square += (way - f.displacement.mean) * (way - f.displacement.mean) / (f.copies - 1);
    }
    assert_true(square > 0);
    check_relative("the same by its definition", f.displacement.deviation, sqrt(square), 1e-9);
    check_near("path, voxels", f.way.mean, f.displacement.mean, by_precision(1e-12, 1e-5));
    check_near("speed, voxels/s", f.speed.mean, 0.5 / EDGE, by_precision(1e-9, 1e-3));
    check_near("turn of the heading, rad", f.turned.mean, 0, by_precision(1e-9, 1e-3));
    check_below("copies part, voxels", f.apart, 1e-5);
    assert_int_equal(f.verdict, VXE_TRUST_ROBUST);
    vxe_ensemble_destroy(ensemble);
    vxe_design_destroy(design);
}

/* A rod of ten voxels that stands upright on a hinge is an inverted pendulum: it parts at
   (g sum k/(a (sum k^2 + N/6)))^1/2, k = 0 to 9, for point masses with moments m a^2/6; the stiff
   beams between them give way by (rate/frequency)^2 < 1e-3. Starts are at rest, so that copies part
   like cosh(rate t) less where they stand: a few per cent of the slope where the fit begins. */
static void growth_rate_of_an_inverted_pendulum(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.youngs_modulus = 1e8;
    m.bond_damping = 0.5;
    vxe_design *design = block_design(&m, 1, 1, 10);
    hold_plane(design, 2, 0, VXE_FIX_X | VXE_FIX_Y | VXE_FIX_Z, NULL, NULL);
    design->gravity[2] = -9.81;
    const double rate = sqrt(9.81 * 45 / (EDGE * (285 + 10.0 / 6)));
    vxe_ensemble_def def = quick_def(9.5 / rate);
    def.start_spread = 1e-5;
    vxe_ensemble *ensemble = ensemble_of(design, &def);
    const vxe_ensemble_facts f = vxe_ensemble_describe(ensemble);
    check_relative("rate, 1/s", f.growth, rate, 0.05);
    assert_int_equal(f.verdict, VXE_TRUST_CHAOTIC);
    vxe_ensemble_destroy(ensemble);
    vxe_design_destroy(design);
}

/* A copy that is run again as a world has the bits that it had in the ensemble. */
static void a_copy_may_be_run_again(void **state)
{
    (void)state;
    vxe_error error;
    vxe_design *design = holed_walker(3, 0.9, 0.3, 1);
    vxe_ensemble_def def = quick_def(0.05);
    def.copies = 4;
    vxe_ensemble *ensemble = ensemble_of(design, &def);
    for (uint32_t copy = 0; copy < def.copies; copy++) {
        const vxe_batch_result result = vxe_ensemble_result(ensemble, copy);
        vxe_world *world = vxe_ensemble_world(ensemble, copy, &error);
        assert_non_null(world);
        assert_int_equal(vxe_world_advance(world, result.steps, &error), VXE_OK);
        assert_int_equal(vxe_world_hash(world), result.hash);
        vxe_world_destroy(world);
    }
    vxe_ensemble_destroy(ensemble);
    vxe_design_destroy(design);
}

/* An undamped pair at the limit of its step, w h = 2: copies with longer steps diverge, others get
   to their end; those alone are in the means. */
static void copies_that_fail_are_counted(void **state)
{
    (void)state;
    vxe_error error;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    const double apart[2][3] = {{-0.1, 0, 0}, {0.1, 0, 0}};
    const double none[3] = {0, 0, 0};
    for (uint32_t v = 0; v < 2; v++) {
        assert_int_equal(vxe_design_set_velocity(design, v, apart[v], none, &error), VXE_OK);
    }
    vxe_ensemble_def def = quick_def(0);
    def.batch.steps = 3000;
    def.batch.world.step_rule = VXE_STEP_SECONDS;
    def.batch.world.step_seconds = 0.85 / W0;
    def.step_spread = 0.4;
    vxe_ensemble *ensemble = ensemble_of(design, &def);
    const vxe_ensemble_facts f = vxe_ensemble_describe(ensemble);
    assert_in_range(f.done, f.copies / 2, f.copies - 1);
    assert_int_equal(f.verdict, VXE_TRUST_FAILED);
    assert_non_null(strstr(f.message, "at step"));
    check_below("displacement, voxels", f.displacement.max, 1e-3);
    vxe_ensemble_destroy(ensemble);
    vxe_design_destroy(design);
}

static void one_copy_is_the_run_itself(void **state)
{
    (void)state;
    vxe_design *design = holed_walker(3, 0.9, 0.3, 1);
    vxe_ensemble_def def = quick_def(0.05);
    def.copies = 1;
    vxe_ensemble *ensemble = ensemble_of(design, &def);
    const vxe_ensemble_facts f = vxe_ensemble_describe(ensemble);
    const vxe_batch_result r = vxe_ensemble_result(ensemble, 0);
    assert_int_equal(r.hash, hash_after(design, 1, r.steps, false));
    assert_int_equal(f.done, 1);
    check_near("deviation", f.displacement.deviation, 0, 0);
    check_near("apart", f.apart, 0, 0);
    check_near("growth", f.growth, 0, 0);
    vxe_ensemble_destroy(ensemble);
    vxe_design_destroy(design);
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    vxe_error error;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    for (int i = 0; i < 4; i++) {
        vxe_ensemble_def def = quick_def(0.01);
        def.copies = i == 0 ? 0 : i == 1 ? VXE_MAX_COPIES + 1 : 4;
        def.start_spread = i == 2 ? (double)NAN : 0;
        def.step_spread = i == 3 ? 0.5 : 0;
        assert_null(vxe_ensemble_run(design, &def, NULL, NULL, &error));
        assert_int_equal(error.status, VXE_ERROR_ARGUMENT);
    }
    vxe_batch_def def = vxe_batch_def_default();
    vxe_batch *batch = vxe_batch_create(&def, &error);
    const vxe_batch_variant wrong[] = {{.step = 0},
                                       {.step = (double)NAN},
                                       {1, {0, (double)INFINITY, 0}, {0}},
                                       {1, {0}, {0, 0, 2}}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(vxe_batch_add_variant(batch, design, &wrong[i], &error),
                         VXE_ERROR_ARGUMENT);
    }
    vxe_batch_destroy(batch);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variants_have_the_same_bits_everywhere),
                                       cmocka_unit_test(free_flight_is_robust),
                                       cmocka_unit_test(growth_rate_of_an_inverted_pendulum),
                                       cmocka_unit_test(copies_that_fail_are_counted),
                                       cmocka_unit_test(one_copy_is_the_run_itself),
                                       cmocka_unit_test(a_copy_may_be_run_again),
                                       cmocka_unit_test(wrong_numbers_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
