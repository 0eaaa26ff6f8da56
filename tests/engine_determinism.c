/* SPDX-License-Identifier: MIT */
/* Determinism: equal release and equal input give equal bits for any number of threads. Also what a
 * step must not do: allocate memory, or let NaN pass. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/parallel.h"
#include "engine/batch.h"
#include "lattice/formats/format.h"
#include "support.h"

/* The hash is a constant here, so that compilers, machines and builds are compared too: release and
 * debug, gcc and clang. A change of numerics changes the hash and belongs in CHANGELOG.md under
 * Numerics. */
#define QUAD10_HASH_DOUBLE 0x03fef340d6b3fd54ull
#define QUAD10_HASH_MIXED 0xe0649239d1c35137ull

static uint64_t quad10_hash(void)
{
    return test_precision() == VXE_PRECISION_DOUBLE ? QUAD10_HASH_DOUBLE : QUAD10_HASH_MIXED;
}

/* Whether the kernels' instruction set has fused multiply-adds; without them the bits are
 * different. */
static bool fuses(void)
{
    const char *isa = getenv("VOXELASTIC_ISA");
    return !isa || strcmp(isa, "x86-64") != 0;
}

static void quadruped_has_the_same_bits_for_any_threads(void **state)
{
    (void)state;
    const uint32_t threads[5] = {1, 2, 3, 5, 8};
    vxe_design *design = benchmark_design("quad10.vxa");
    uint64_t first = 0;
    for (int i = 0; i < 5; i++) {
        const uint64_t hash = hash_after(design, threads[i], 10000, false);
        print_message("  %u threads: %016llx\n", threads[i], (unsigned long long)hash);
        assert_true(hash == quad10_hash() || !fuses());
        assert_true(hash == first || i == 0);
        first = hash;
    }
    vxe_design_destroy(design);
}

/* A body with all optional features at once: the workspace is large enough for all, with any number
 * of threads. */
static void a_body_with_everything_has_the_same_bits(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_error error;
    m.model = VXE_MATERIAL_BILINEAR;
    m.plastic_modulus = 1e5;
    m.yield_stress = 2e4;
    m.bond_damping = 1;
    m.collision_damping = 0.5;
    m.global_damping = 0.01;
    m.static_friction = m.dynamic_friction = 0.3;
    vxe_design *design = block_design(&m, 6, 3, 3);
    design->volume_effects = design->self_collision = design->floor.enabled = true;
    design->gravity[2] = -9.81;
    design->fluid = (vxe_fluid){true, true, 400, 1.2};
    double heights[4] = {0, 0.001, 0.002, 0};
    const vxe_heightfield field = {2, 2, 1.0, {-0.5, -0.5}, heights};
    assert_int_equal(vxe_design_set_heights(design, &field, &error), VXE_OK);
    const char *force[3] = {"-0.01*x", "0", "0"};
    for (int c = 0; c < 3; c++) {
        const vxe_formula which = (vxe_formula)(VXE_FORMULA_FORCE_X + c);
        assert_int_equal(vxe_design_set_formula(design, which, force[c], &error), VXE_OK);
    }
    const uint64_t hash = hash_after(design, 1, 500, false);
    assert_true(hash_after(design, 3, 500, false) == hash);
    assert_true(hash_after(design, 1, 500, true) == hash);
    vxe_design_destroy(design);
}

/* Bodies whose partitions cut rows, planes and thin walls; with each scheme. */
static void odd_bodies_have_the_same_bits_for_any_threads(void **state)
{
    (void)state;
    const int sizes[5][3] = {{40, 3, 3}, {3, 40, 3}, {2, 3, 200}, {17, 13, 7}, {300, 2, 2}};
    for (int i = 0; i < 5; i++) {
        vxe_material m = vxe_material_default();
        m.bond_damping = i % 2 ? 1 : 0.05;
        m.thermal_expansion = 0.01;
        m.global_damping = 0.01;
        vxe_design *design = block_design(&m, sizes[i][0], sizes[i][1], sizes[i][2]);
        design->gravity[2] = -9.81;
        design->floor.enabled = true;
        design->actuation =
            (vxe_actuation){.enabled = true, .base = 0, .amplitude = 10, .period = 0.05};
        const uint64_t one = hash_after(design, 1, 300, false);
        for (uint32_t threads = 2; threads <= 8; threads++) {
            assert_true(hash_after(design, threads, 300, false) == one);
        }
        vxe_design_destroy(design);
    }
}

/* Bodies of 65 536 voxels and more are cut into larger chunks. This one consists of two bodies that
 * grow against each other; the upper one has more voxels. */
static vxe_design *large_design(void)
{
    vxe_material m = vxe_material_default();
    m.thermal_expansion = 0.01;
    vxe_design *design = block_design(&m, 41, 41, 40);
    vxe_layer *part = vxe_design_layer(design, "Part", 1);
    assert_non_null(part);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        part->values[v] = design->voxels[v].position[2] < 12 ? 1 : 2;
    }
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 0, .amplitude = 10, .period = 0.05};
    design->self_collision = true;
    return design;
}

/* The body lies on the floor. The contact between its two parts contributes to the bits. */
static void large_body_has_the_same_bits_for_any_threads(void **state)
{
    (void)state;
    vxe_design *design = large_design();
    design->gravity[2] = -9.81;
    design->floor.enabled = true;
    const uint64_t one = hash_after(design, 1, 12, false);
    assert_true(hash_after(design, 3, 12, false) == one);
    design->self_collision = false;
    assert_true(hash_after(design, 1, 12, false) != one);
    vxe_design_destroy(design);
}

/* Newton's third law holds whichever chunks the two ends of a bond or contact are in: a free body
 * keeps its momentum of zero although its parts push each other apart. Summing the voxels' momenta
 * rounds by 1.1e-16 of the moving momentum at each voxel, half of that if signs alternate. In mixed
 * precision, twelve steps apply five impulses each, and each rounds the velocity and the forces
 * behind it by 6e-8. A bond that pulls at one end only would leave 2e-4. */
static void large_body_keeps_its_momentum(void **state)
{
    (void)state;
    vxe_design *design = large_design();
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    const size_t voxels = design->voxel_count;
    double *velocity = malloc(3 * voxels * sizeof *velocity);
    double linear[3];
    double angular[3];
    double moving = 0; /* kg m/s, sum of magnitudes over all voxels */
    assert_non_null(velocity);
    assert_int_equal(vxe_world_advance(world, 12, &error), VXE_OK);
    vxe_world_momentum(world, linear, angular);
    vxe_world_velocities(world, velocity, NULL);
    for (size_t v = 0; v < voxels; v++) {
        moving += MASS * sqrt(velocity[3 * v] * velocity[3 * v] +
                              velocity[3 * v + 1] * velocity[3 * v + 1] +
                              velocity[3 * v + 2] * velocity[3 * v + 2]);
    }
    assert_true(vxe_world_energy(world).contact > 0);
    for (int c = 0; c < 3; c++) {
        check_below("momentum of what moves", fabs(linear[c]) / moving,
                    by_precision(0.5 * (double)voxels * 1.1e-16, 12 * 5 * 2 * 6e-8));
    }
    free(velocity);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* The energy audit does not change a run. */
static void audit_changes_no_bit(void **state)
{
    (void)state;
    vxe_design *design = benchmark_design("quad6.vxa");
    assert_true(hash_after(design, 1, 300, true) == hash_after(design, 1, 300, false));
    assert_true(hash_after(design, 2, 300, true) == hash_after(design, 1, 300, false));
    vxe_design_destroy(design);
}

/* A body shifted by whole voxels along x and y has the same bits relative to its own origin. */
static void moved_body_has_the_same_bits(void **state)
{
    (void)state;
    vxe_design *design = benchmark_design("quad6.vxa");
    const uint64_t here = hash_after(design, 1, 1000, false);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        design->voxels[v].position[0] += 100000;
        design->voxels[v].position[1] -= 99999;
    }
    assert_true(hash_after(design, 1, 1000, false) == here);
    vxe_design_destroy(design);
}

/* One advance of many steps equals many advances of one step. */
static void dividing_a_run_into_calls_changes_no_bit(void **state)
{
    (void)state;
    vxe_design *design = benchmark_design("quad6.vxa");
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(vxe_world_advance(world, 3, &error), VXE_OK);
    }
    assert_true(vxe_world_hash(world) == hash_after(design, 1, 300, false));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static void nothing_is_allocated_inside_a_step(void **state)
{
    (void)state;
    memory_count count;
    count_memory(&count);
    vxe_design *design = benchmark_design("quad6.vxa");
    vxe_world_def def = vxe_world_def_default();
    vxe_error error;
    def.threads = 2;
    design->self_collision = true;
    design->floor.slope[0] = 0.1;
    assert_non_null(vxe_design_layer(design, "Frequency", 1));
    assert_non_null(vxe_design_layer(design, "Group", 1));
    assert_int_equal(vxe_design_set_formula(design, VXE_FORMULA_FORCE_X, "1e-5*sin(t)", &error),
                     VXE_OK);
    vxe_world *world = make_world(design, &def);
    const uint64_t before = count.taken;
    assert_int_equal(vxe_world_advance(world, 500, &error), VXE_OK);
    assert_true(before > 0 && count.taken == before);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    assert_true(count.bytes == 0); /* nothing is leaked */
    vxe_memory_use(NULL);
}

/* Divergence is found at its step, names its bond and is permanent. The message is the same for any
 * number of threads and with the energy audit, whether the bond lies inside a partition or between
 * two: each fortieth voxel is torn out in turn. */
static void divergence_is_named_and_kept(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 5, 5, 20);
    for (uint32_t voxel = 2; voxel < 500; voxel += 40) {
        char first[sizeof((vxe_error *)0)->message] = "";
        for (uint32_t threads = 1; threads <= 4; threads++) {
            vxe_world_def def = vxe_world_def_default();
            def.threads = threads;
            def.audit = threads == 3;
            vxe_world *world = make_world(design, &def);
            const double far[3] = {0.025, 0.025, 3};
            char number[16];
            vxe_error error = {0};
            assert_int_equal(vxe_world_advance(world, 5, &error), VXE_OK);
            assert_int_equal(vxe_world_failed(world).status, VXE_OK);
            assert_int_equal(vxe_world_place(world, voxel, far, NULL, NULL, NULL, NULL), VXE_OK);
            assert_int_equal(vxe_world_advance(world, 100, &error), VXE_ERROR_DIVERGED);
            snprintf(number, sizeof number, " %u ", voxel);
            assert_non_null(strstr(error.message, "step 5,"));
            assert_non_null(strstr(error.message, number));
            if (threads == 1) {
                snprintf(first, sizeof first, "%s", error.message);
            }
            assert_string_equal(error.message, first);
            const vxe_world_failure failure = vxe_world_failed(world);
            assert_int_equal(failure.status, VXE_ERROR_DIVERGED);
            assert_int_equal(failure.step, 5);
            assert_true(failure.time == vxe_world_time_at(world, 5));
            assert_true(failure.voxels[0] == voxel || failure.voxels[1] == voxel);
            assert_int_equal(vxe_world_steps(world), 6);
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_ERROR_DIVERGED);
            vxe_world_destroy(world);
        }
    }
    vxe_design_destroy(design);
}

/* A NaN fails each comparison: it is found wherever it starts, even in a voxel without bonds. */
static void nan_can_not_pass(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    for (int lonely = 0; lonely < 2; lonely++) {
        vxe_design *design = block_design(&m, 3, 3, 3);
        assert_int_equal(vxe_design_add_voxel(design, 9, 9, 9, 0, NULL), VXE_OK);
        vxe_world *world = make_world(design, NULL);
        const double bad[3] = {(double)NAN, 0, 0};
        vxe_error error = {0};
        assert_int_equal(vxe_world_place(world, lonely ? 27 : 13, NULL, NULL, bad, NULL, NULL),
                         VXE_OK);
        assert_int_equal(vxe_world_advance(world, 10, &error), VXE_ERROR_DIVERGED);
        const vxe_world_failure failure = vxe_world_failed(world);
        assert_int_equal(failure.status, VXE_ERROR_DIVERGED);
        assert_true(failure.voxels[0] == VXE_NONE || failure.voxels[0] < 28);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* The child of a process whose threads have run has none of them: it must not wait for them. */
static void a_forked_child_gets_to_its_end(void **state)
{
    (void)state;
    vxe_design *design = holed_walker(4, 0.9, 0.3, 1);
    vxe_world_def def = vxe_world_def_default();
    vxe_error error;
    def.threads = 2;
    vxe_world *parents = make_world(design, &def);
    assert_int_equal(vxe_world_advance(parents, 50, &error), VXE_OK);
    assert_false(vxe_parallel_is_orphaned());
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60); /* where it waits */
        vxe_world *own = make_world(design, &def);
        const bool good = vxe_parallel_is_orphaned() && !vxe_world_advance(own, 50, &error) &&
                          vxe_world_hash(own) == vxe_world_hash(parents) &&
                          !vxe_world_advance(parents, 50, &error);
        _exit(good ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(vxe_world_advance(parents, 50, &error), VXE_OK);
    vxe_world_destroy(parents);
    vxe_design_destroy(design);
}

/* Every choice of a definition, just outside its range: of a world, and of a batch's worlds. */
static void choices_out_of_range_are_refused(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    for (int i = 0; i < 13; i++) {
        vxe_world_def def = vxe_world_def_default();
        vxe_batch_def batch = vxe_batch_def_default();
        vxe_error error = {0};
        def.precision = i == 0 ? (vxe_precision)2 : def.precision;
        def.step_rule = i == 1 ? (vxe_step_rule)3 : def.step_rule;
        def.accuracy = i == 2 ? (vxe_accuracy)3 : def.accuracy;
        def.damping = i == 3 ? (vxe_damping_scheme)3 : def.damping;
        def.torsion = i == 4 ? 2 : i == 5 ? -2 : def.torsion;
        def.composite = i == 6 ? (vxe_composite)2 : def.composite;
        def.shear = i == 7 ? (vxe_shear)2 : def.shear;
        def.damping_form = i == 8 ? (vxe_damping_form)3 : def.damping_form;
        def.bond_kind = i == 9 ? (vxe_bond_kind)2 : def.bond_kind;
        def.step_scale = i == 10 ? 0 : i == 11 ? 1e6 : def.step_scale;
        if (i == 12) {
            def.step_rule = VXE_STEP_SECONDS;
            def.step_seconds = -1e-4;
        }
        assert_null(vxe_world_create(design, &def, &error));
        assert_int_equal(error.status, VXE_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "must be"));
        batch.world = def;
        error = (vxe_error){0};
        assert_null(vxe_batch_create(&batch, &error));
        assert_int_equal(error.status, VXE_ERROR_ARGUMENT);
    }
    vxe_design_destroy(design);
}

static void wrong_worlds_are_refused(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 2, 2);
    for (int i = 0; i < 7; i++) {
        vxe_world_def def = vxe_world_def_default();
        vxe_error error = {0};
        switch (i) {
        case 0:
            def.cookie = 0;
            break;
        case 1:
            def.conventions = "nobody";
            break;
        case 2:
            def.conventions = "nobody";
            break;
        case 3:
            def.step_rule = VXE_STEP_SECONDS;
            break;
        case 4:
            def.threads = 100000;
            break;
        case 5:
            def.step_scale = (double)NAN;
            break;
        default:
            def.conventions = "voxelyze";
            def.damping = VXE_DAMPING_SWEEP;
        }
        assert_null(vxe_world_create(design, &def, &error));
        assert_int_equal(error.status, VXE_ERROR_ARGUMENT);
    }
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    vxe_design *empty = vxe_design_create();
    const vxe_world_def usual = vxe_world_def_default();
    assert_null(vxe_world_create(empty, &usual, &error));
    assert_int_equal(error.status, VXE_ERROR_INPUT);
    vxe_design_destroy(empty);
    double strain = 0;
    double stress = 0;
    const double long_quaternion[4] = {2, 0, 0, 0};
    assert_int_equal(vxe_world_bond_strain(world, 0, 7, &strain, &stress, &error),
                     VXE_ERROR_ARGUMENT);
    assert_int_equal(vxe_world_bond_strain(world, 1, 0, &strain, &stress, &error), VXE_OK);
    assert_int_equal(vxe_world_place(world, 8, NULL, NULL, NULL, NULL, &error), VXE_ERROR_ARGUMENT);
    assert_int_equal(vxe_world_place(world, 0, NULL, long_quaternion, NULL, NULL, &error),
                     VXE_ERROR_ARGUMENT);
    assert_int_equal(vxe_world_advance_to(world, (double)INFINITY, &error), VXE_ERROR_ARGUMENT);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadruped_has_the_same_bits_for_any_threads),
        cmocka_unit_test(a_body_with_everything_has_the_same_bits),
        cmocka_unit_test(odd_bodies_have_the_same_bits_for_any_threads),
        cmocka_unit_test(large_body_has_the_same_bits_for_any_threads),
        cmocka_unit_test(large_body_keeps_its_momentum),
        cmocka_unit_test(audit_changes_no_bit),
        cmocka_unit_test(moved_body_has_the_same_bits),
        cmocka_unit_test(dividing_a_run_into_calls_changes_no_bit),
        cmocka_unit_test(nothing_is_allocated_inside_a_step),
        cmocka_unit_test(divergence_is_named_and_kept),
        cmocka_unit_test(nan_can_not_pass),
        cmocka_unit_test(a_forked_child_gets_to_its_end),
        cmocka_unit_test(wrong_worlds_are_refused),
        cmocka_unit_test(choices_out_of_range_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
