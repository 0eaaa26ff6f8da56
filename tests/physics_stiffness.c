/* SPDX-License-Identifier: MIT */
/* Stiffness per voxel by the layer Stiffness (Pa): it replaces the material's Young's modulus
 * wherever that acts (bonds, dashpots, floor, drag, time step). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

enum { KINDS = 3, SIDE = 4 };

static vxe_material tissue(double modulus)
{
    vxe_material m = vxe_material_default();
    m.youngs_modulus = modulus;
    m.thermal_expansion = 0.01;
    m.bond_damping = 0.3;
    m.global_damping = 0.01;
    return m;
}

/* A body on the floor of voxels of three moduli: by three materials, or by one and the layer. */
static vxe_design *mixed_body(bool by_layer)
{
    const double moduli[KINDS] = {4e5, 1e6, 7e6}; /* Pa */
    vxe_design *design = vxe_design_create();
    uint64_t seed = 7;
    for (int i = 0; i < (by_layer ? 1 : KINDS); i++) {
        const vxe_material m = tissue(moduli[i]);
        assert_int_equal(vxe_design_add_material(design, &m, NULL, NULL), VXE_OK);
    }
    double stiffness[SIDE * SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const uint32_t kind = (uint32_t)(1.499 * (1 + random_unit(&seed)));
        stiffness[i] = moduli[kind];
        assert_int_equal(vxe_design_add_voxel(design, i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE,
                                              by_layer ? 0 : kind, NULL),
                         VXE_OK);
    }
    if (by_layer) {
        memcpy(vxe_design_layer(design, "Stiffness", 1)->values, stiffness, sizeof stiffness);
    }
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 25, .amplitude = 10, .period = 0.1};
    return design;
}

/* A voxel without stiffness falls out of its body, and the body runs on, in lanes too. Impulses
 * come before moves: n steps of h fall g h^2 n (n + 1)/2, up to the roundings of 400 velocities:
 * 2e-5 at worst in floats, if all had one sign. */
static void voxel_without_stiffness_holds_nothing(void **state)
{
    (void)state;
    vxe_design *design = mixed_body(true);
    vxe_design_layer(design, "Stiffness", 1)->values[SIDE * SIDE * SIDE - 1] = 0;
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    assert_int_equal(vxe_world_advance(world, 400, &error), VXE_OK);
    const uint64_t hash = vxe_world_hash(world);
    double at[3];
    position_of(world, SIDE * SIDE * SIDE - 1, at);
    const double time = vxe_world_time(world);
    const double fall = (SIDE - 0.5) * design->voxel_size - at[2];
    const double step = vxe_world_describe(world).time_step;
    check_relative("fall by itself, m", fall, 0.5 * 9.81 * time * (time + step),
                   by_precision(1e-12, 1e-5));
    vxe_world_destroy(world);
    check_in_lanes(&design, 1, 400, &hash);
    vxe_design_destroy(design);
}

/* The same numbers given in two ways: the same bits, alone and in lanes. */
static void layer_is_as_materials_of_these_moduli(void **state)
{
    (void)state;
    vxe_design *designs[2] = {mixed_body(false), mixed_body(true)};
    uint64_t alone[2];
    for (int i = 0; i < 2; i++) {
        vxe_world *world = make_world(designs[i], NULL);
        vxe_error error;
        assert_int_equal(vxe_world_advance(world, 400, &error), VXE_OK);
        alone[i] = vxe_world_hash(world);
        assert_int_equal(vxe_world_warning_count(world), 0);
        vxe_world_destroy(world);
    }
    assert_true(alone[0] == alone[1]);
    check_in_lanes(designs, 2, 400, alone);
    vxe_design_destroy(designs[0]);
    vxe_design_destroy(designs[1]);
}

/* A bar in which each voxel has its own modulus: springs in series, F sum (1/E1 + 1/E2)/(2 a). The
 * tolerance is the remainder of the relaxation. */
static void graded_bar_is_springs_in_series(void **state)
{
    (void)state;
    enum { N = 8 };
    const double force[3] = {1e-2, 0, 0};
    vxe_material m = standard_material();
    m.bond_damping = 0.3;
    m.global_damping = 0.1;
    vxe_design *design = block_design(&m, N, 1, 1);
    hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
    hold_plane(design, 0, N - 1, 0, force, NULL);
    vxe_layer *layer = vxe_design_layer(design, "Stiffness", 1);
    double expected = 0;
    for (int i = 0; i < N; i++) {
        layer->values[i] = 1e6 * pow(1.5, i);
        expected +=
            i ? force[0] * (1 / layer->values[i - 1] + 1 / layer->values[i]) / (2 * EDGE) : 0;
    }
    vxe_world *world = make_world(design, NULL);
    double before[3];
    double after[3];
    position_of(world, N - 1, before);
    settle(world, 0.05, by_precision(1e-9, 5e-8) * expected);
    position_of(world, N - 1, after);
    check_relative("end of the bar, m", after[0] - before[0], expected, by_precision(1e-7, 1e-6));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* An impossible modulus is refused, and the message names the voxel. */
static void wrong_moduli_are_refused(void **state)
{
    (void)state;
    const double wrong[4] = {-1, 1e16, (double)NAN, HUGE_VAL};
    for (int i = 0; i < 4; i++) {
        vxe_design *design = mixed_body(true);
        vxe_error error;
        vxe_design_layer(design, "Stiffness", 1)->values[5] = wrong[i];
        assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
        print_message("  %s\n", error.message);
        assert_non_null(strstr(error.message, isfinite(wrong[i]) ? "(1, 1, 0)" : "not finite"));
        vxe_design_destroy(design);
    }
    vxe_design *design = mixed_body(false);
    vxe_error error;
    assert_non_null(vxe_design_layer(design, "Stiffness", 2));
    assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "must have 1"));
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(layer_is_as_materials_of_these_moduli),
                                       cmocka_unit_test(graded_bar_is_springs_in_series),
                                       cmocka_unit_test(voxel_without_stiffness_holds_nothing),
                                       cmocka_unit_test(wrong_moduli_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
