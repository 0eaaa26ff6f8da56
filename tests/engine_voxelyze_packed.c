/* SPDX-License-Identifier: MIT */
/* Bonds under the law of the Voxelyze family are packed in robots and computed in rows in large
 * bodies: a robot alone has the same bits as beside a large body that it does not touch. */
#include <stdlib.h>
#include <string.h>

#include "engine/solver/step.h"
#include "support.h"

#define NAMES 5
static const char *const names[NAMES] = {"evosoro", "land-water", "recorg", "voxelyze", "voxcraft"};

/* A robot with gaps, in a fluid if it swims. */
static vxe_design *robot(bool swims)
{
    vxe_design *design = holed_walker(8, 0.55, 0.3, 1);
    design->fluid = (vxe_fluid){.enabled = swims, .density = 1000, .drag_coefficient = 0.4};
    return design;
}

/* The same robot beside a cube of 12^3 voxels, which come last. */
static vxe_design *robot_beside_a_cube(bool swims)
{
    vxe_design *design = robot(swims);
    vxe_error error;
    for (int i = 0; i < 12 * 12 * 12; i++) {
        assert_false(vxe_design_add_voxel(design, 40 + i % 12, i / 12 % 12, i / 144, 0, &error));
    }
    return design;
}

static vxe_world *world_of(const vxe_design *design, const char *conventions, uint32_t threads)
{
    vxe_world_def def = vxe_world_def_default();
    def.conventions = conventions;
    def.threads = threads;
    return make_world(design, &def);
}

/* How many axes of a design are packed under a preset. */
static int packed_axes(const vxe_design *design, const char *conventions)
{
    vxe_world_def def = vxe_world_def_default();
    def.conventions = conventions;
    vxe_messages warnings = {0};
    vxe_model model;
    vxe_error error;
    int axes = 0;
    assert_false(vxe_model_init(&model, design, &def, &warnings, &error));
    vxe_messages_clear(&warnings);
    for (int axis = 0; axis < 3; axis++) {
        axes += model.arrays.packed[axis].count > 0;
    }
    assert_true(vxe_voxelyze_packs(&model) == (axes > 0));
    vxe_model_clear(&model);
    return axes;
}

/* Positions, orientations, velocities and spins of the first voxels. */
static double *moves_of(const vxe_world *world, uint32_t voxels)
{
    const uint64_t all = vxe_world_describe(world).voxels;
    double *numbers = calloc(13 * all, sizeof *numbers);
    vxe_world_poses(world, numbers, numbers + 3 * all);
    vxe_world_velocities(world, numbers + 7 * all, numbers + 10 * all);
    for (uint64_t part = 0, to = 0, from = 0; part < 4; part++) {
        const uint64_t width = part == 1 ? 4 : 3;
        memmove(numbers + to, numbers + from, width * voxels * sizeof *numbers);
        to += width * voxels;
        from += width * all;
    }
    return numbers;
}

static void check_same_moves(const vxe_world *alone, const vxe_world *beside)
{
    const uint32_t voxels = vxe_world_describe(alone).voxels;
    double *one = moves_of(alone, voxels);
    double *other = moves_of(beside, voxels);
    assert_memory_equal(one, other, 13ull * voxels * sizeof *one);
    free(one);
    free(other);
}

/* Walking, or swimming where the preset supports fluids, and after one of its inner voxels is
 * displaced. */
static void packed_bonds_move_as_those_in_rows(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES + 2; i++) {
        const char *conventions = names[i < NAMES ? i : i - NAMES + 1];
        vxe_design *designs[2] = {robot(i >= NAMES), robot_beside_a_cube(i >= NAMES)};
        vxe_world *worlds[2];
        vxe_error error;
        assert_int_equal(packed_axes(designs[0], conventions), 3);
        assert_int_equal(packed_axes(designs[1], conventions), 0);
        for (int k = 0; k < 2; k++) {
            worlds[k] = world_of(designs[k], conventions, 1);
            assert_false(vxe_world_advance(worlds[k], 200, &error));
        }
        check_same_moves(worlds[0], worlds[1]);
        for (int k = 0; k < 2; k++) {
            double at[3];
            const uint32_t voxel = 100;
            position_of(worlds[k], voxel, at);
            at[0] += 0.2 * EDGE;
            assert_false(vxe_world_place(worlds[k], voxel, at, NULL, NULL, NULL, &error));
            assert_false(vxe_world_advance(worlds[k], 200, &error));
        }
        check_same_moves(worlds[0], worlds[1]);
        for (int k = 0; k < 2; k++) {
            vxe_world_destroy(worlds[k]);
            vxe_design_destroy(designs[k]);
        }
    }
}

/* Bonds without stiffness exert no force wherever their voxels are: such bodies are computed in
 * rows. */
static void slack_bonds_hold_nothing(void **state)
{
    (void)state;
    vxe_design *design = robot(false);
    vxe_error error;
    for (uint32_t i = 0; i < design->material_count; i++) {
        design->materials[i].youngs_modulus = 0;
    }
    for (int i = 0; i < NAMES; i++) {
        assert_int_equal(packed_axes(design, names[i]), 0);
        vxe_world *world = world_of(design, names[i], 1);
        double at[3];
        position_of(world, 1, at);
        assert_false(vxe_world_place(world, 0, at, NULL, NULL, NULL, &error));
        assert_false(vxe_world_advance(world, 50, &error));
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
}

/* Both report the same torn bond, among others that hold. */
static void failures_are_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        vxe_design *designs[2] = {robot(false), robot_beside_a_cube(false)};
        vxe_error errors[2];
        for (int k = 0; k < 2; k++) {
            vxe_world *world = world_of(designs[k], names[i], 1);
            double at[3];
            position_of(world, 100, at);
            at[2] += 200 * EDGE;
            assert_false(vxe_world_advance(world, 50, &errors[k]));
            assert_false(vxe_world_place(world, 100, at, NULL, NULL, NULL, &errors[k]));
            assert_int_equal(vxe_world_advance(world, 50, &errors[k]), VXE_ERROR_DIVERGED);
            vxe_world_destroy(world);
            vxe_design_destroy(designs[k]);
        }
        print_message("  %s\n", errors[0].message);
        assert_string_equal(errors[0].message, errors[1].message);
    }
}

/* Contacts and fluid are included. */
static uint64_t hash_of(vxe_design *design, const char *conventions, uint32_t threads)
{
    vxe_error error;
    design->self_collision = true;
    vxe_world *world = world_of(design, conventions, threads);
    assert_false(vxe_world_advance(world, 40, &error));
    assert_false(vxe_world_advance(world, 30, &error));
    const uint64_t hash = vxe_world_hash(world);
    vxe_world_destroy(world);
    return hash;
}

/* Large bodies are computed in rows and by several threads, robots by one thread: the same bits. */
static void same_bits_for_any_threads(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * NAMES; i++) {
        vxe_design *design = i < NAMES ? robot_beside_a_cube(i % 2) : robot(i % 2);
        const uint64_t one = hash_of(design, names[i % NAMES], 1);
        assert_true(hash_of(design, names[i % NAMES], 2) == one);
        assert_true(hash_of(design, names[i % NAMES], 3) == one);
        vxe_design_destroy(design);
    }
}

/* Instruction sets with fused multiply-adds: permutations, comparisons and scatters are written for
 * each of them; bonds packed and in rows, pairs, and the mesh of the fluid. */
static void same_bits_on_instruction_sets(void **state)
{
    (void)state;
    const char *const sets[] = {"x86-64-v3", "x86-64-v4"};
    uint64_t hashes[2 * NAMES] = {0};
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        for (int i = 0; i < 2 * NAMES && choose_isa(sets[s], VXE_PRECISION_DOUBLE); i++) {
            vxe_design *design = i < NAMES ? robot(true) : robot_beside_a_cube(true);
            const uint64_t hash = hash_of(design, names[i % NAMES], 1);
            assert_true(hashes[i] == 0 || hashes[i] == hash);
            hashes[i] = hash;
            vxe_design_destroy(design);
        }
    }
    choose_isa_of_before();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packed_bonds_move_as_those_in_rows),
                                       cmocka_unit_test(slack_bonds_hold_nothing),
                                       cmocka_unit_test(failures_are_the_same),
                                       cmocka_unit_test(same_bits_for_any_threads),
                                       cmocka_unit_test(same_bits_on_instruction_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
