/* SPDX-License-Identifier: MIT */
/* Orientation and company do not matter: a robot, its turns about z, its mirror images and two
 * copies of it far apart have the same time step and the same coefficients of damping, to the bit,
 * and go equally far. What differs is the order of sums: rounding, which a walk amplifies. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "engine/timestep/step_plan.h"
#include "engine/world/world_data.h"
#include "lattice/formats/format.h"

enum { VARIANTS = 8, FAR = 200 };

/* Turns about z, mirror images, and two copies (the last). */
static void turned(int variant, const int32_t at[3], int32_t into[3])
{
    const int32_t x = variant & 1 ? -at[0] : at[0];
    const int32_t y = variant & 2 ? -at[1] : at[1];
    into[0] = variant & 4 ? y : x;
    into[1] = variant & 4 ? x : y;
    into[2] = at[2];
}

/* The robot with every voxel's place turned, in the order of before; copies: how often, FAR voxels
 * apart. */
static vxe_design *variant_of(const vxe_design *robot, int variant, int copies)
{
    vxe_error error;
    vxe_design *design = vxe_design_copy(robot, &error);
    assert_non_null(design);
    for (uint32_t v = 0; v < robot->voxel_count; v++) {
        turned(variant, robot->voxels[v].position, design->voxels[v].position);
    }
    for (uint32_t v = 0; v < robot->voxel_count && copies > 1; v++) {
        int32_t at[3];
        turned(variant, robot->voxels[v].position, at);
        at[0] += FAR;
        assert_int_equal(
            vxe_design_add_voxel(design, at[0], at[1], at[2], robot->voxels[v].material, &error),
            VXE_OK);
    }
    for (uint32_t k = 0; k < robot->layer_count && copies > 1; k++) {
        const vxe_layer *layer = &robot->layers[k];
        vxe_layer *both = vxe_design_layer(design, layer->name, layer->width);
        assert_int_equal(layer->width, 1);
        for (uint32_t v = 0; v < robot->voxel_count; v++) {
            both->values[v] = both->values[robot->voxel_count + v] = layer->values[v];
        }
    }
    return design;
}

/* Runs a design; fills its step plan and returns its displacement in voxels. */
static double run(const vxe_design *design, vxe_damping_scheme damping, vxe_step_plan *plan)
{
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    double from[3];
    double to[3];
    def.damping = damping;
    def.threads = 1;
    vxe_world *world = make_world(design, &def);
    *plan = world->simulation.plan;
    vxe_world_center_of_mass(world, from, NULL);
    if (vxe_world_advance_to(world, 1.5, &error)) {
        fail_msg("%s", error.message);
    }
    vxe_world_center_of_mass(world, to, NULL);
    vxe_world_destroy(world);
    return hypot(to[0] - from[0], to[1] - from[1]) / design->voxel_size;
}

static void the_same_walk_in_all_orientations(void **state)
{
    (void)state;
    vxe_design *robot = lopsided_quadruped(1);
    for (int scheme = VXE_DAMPING_EXPLICIT; scheme <= VXE_DAMPING_SWEEP; scheme++) {
        vxe_step_plan first;
        const double way = run(robot, (vxe_damping_scheme)scheme, &first);
        assert_true(way > 3);
        for (int i = 1; i <= VARIANTS; i++) {
            vxe_step_plan plan;
            vxe_design *design = variant_of(robot, i % VARIANTS, i < VARIANTS ? 1 : 2);
            const double other = run(design, (vxe_damping_scheme)scheme, &plan);
            assert_true(plan.time_step == first.time_step);
            assert_true(plan.lambda_k == first.lambda_k && plan.lambda_c == first.lambda_c);
            assert_int_equal(plan.damping_iterations, first.damping_iterations);
            assert_memory_equal(plan.coefficient, first.coefficient,
                                plan.damping_iterations * sizeof plan.coefficient[0]);
            check_near(i < VARIANTS ? "turned, voxels" : "two copies, voxels", other, way,
                       by_precision(1e-6, 1e-3));
            vxe_design_destroy(design);
        }
    }
    vxe_design_destroy(robot);
}

/* Bodies that look the same from several sides, and cubes, have one of their symmetric starts; the
 * estimates are the same anyway. */
static void symmetric_bodies_too(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 0.3;
    const int sizes[3][3] = {{5, 3, 4}, {4, 4, 4}, {6, 1, 1}};
    for (int s = 0; s < 3; s++) {
        vxe_step_plan first = {0};
        for (int swaps = 0; swaps < 2; swaps++) {
            vxe_step_plan plan;
            vxe_design *design =
                block_design(&m, sizes[s][swaps], sizes[s][1 - swaps], sizes[s][2]);
            vxe_world_def def = vxe_world_def_default();
            vxe_world *world = make_world(design, &def);
            plan = world->simulation.plan;
            first = swaps ? first : plan;
            assert_true(plan.time_step == first.time_step);
            vxe_world_destroy(world);
            vxe_design_destroy(design);
        }
    }
}

/* A block looks the same from all sides, but one of its voxels is heavier, stiffer or more damped:
 * which side that is on counts. */
static void what_voxels_are_made_of_counts(void **state)
{
    (void)state;
    vxe_error error;
    for (int what = 0; what < 3; what++) {
        vxe_material m = standard_material();
        m.bond_damping = 0.3;
        vxe_design *block = block_design(&m, 4, 4, 3);
        m.density *= what == 0 ? 3 : 1;
        m.youngs_modulus *= what == 1 ? 3 : 1;
        m.bond_damping *= what == 2 ? 4 : 1;
        uint32_t other = 0;
        assert_int_equal(vxe_design_add_material(block, &m, &other, &error), VXE_OK);
        block->voxels[1].material = other;
        vxe_step_plan first = {0};
        for (int i = 0; i < VARIANTS; i++) {
            vxe_design *design = variant_of(block, i, 1);
            vxe_world_def def = vxe_world_def_default();
            def.damping = VXE_DAMPING_EXPLICIT;
            vxe_world *world = make_world(design, &def);
            first = i ? first : world->simulation.plan;
            assert_true(world->simulation.plan.time_step == first.time_step);
            vxe_world_destroy(world);
            vxe_design_destroy(design);
        }
        vxe_design_destroy(block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_walk_in_all_orientations),
                                       cmocka_unit_test(symmetric_bodies_too),
                                       cmocka_unit_test(what_voxels_are_made_of_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
