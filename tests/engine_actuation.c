/* SPDX-License-Identifier: MIT */
/* Actuation, prescribed motion, bars, and the work terms of the energy audit. */
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "lattice/formats/format.h"
#include "support.h"

/* l(t) = a (1 + alpha A sin(2 pi t/P + phase)), far below resonance: the body has its rest length
 * at all times. The waveform fades in over the first quarter period. */
static void free_bar_follows_its_rest_length(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 1;
    m.thermal_expansion = 0.01;
    m.phase = 0.5;
    vxe_design *design = block_design(&m, 4, 1, 1);
    design->actuation = (vxe_actuation){.enabled = true, .base = 25, .amplitude = 5, .period = 2.0};
    vxe_layer *offset = vxe_design_layer(design, "PhaseOffset", 1);
    for (int v = 0; v < 4; v++) {
        offset->values[v] = 0.125;
    }
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    for (int i = 1; i <= 20; i++) {
        double a[3];
        double b[3];
        assert_int_equal(vxe_world_advance_to(world, 0.25 * i, &error), VXE_OK);
        position_of(world, 0, a);
        position_of(world, 3, b);
        const double t = vxe_world_time(world);
        const double fade = fmin(1, 4 * t / 2.0);
        const double strain = 0.05 * fade * sin(2 * PI * t / 2.0 + 0.5 + 2 * PI * 0.125);
        check_near("length, m", b[0] - a[0], 3 * EDGE * (1 + strain), 2e-6);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Muscles of two strengths, made once by two materials and once by one material and the layer
 * Amplitude: equal numbers give equal bits. A factor that would make a voxel vanish is refused. */
static void amplitude_of_voxels_is_as_materials_of_that_strength(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int by_layer = 0; by_layer < 2; by_layer++) {
        vxe_material m = standard_material();
        m.bond_damping = 1;
        m.thermal_expansion = 0.01;
        vxe_design *design = block_design(&m, 4, 2, 1);
        m.thermal_expansion = -0.02;
        uint32_t strong = 0;
        assert_int_equal(vxe_design_add_material(design, &m, &strong, NULL), VXE_OK);
        design->actuation =
            (vxe_actuation){.enabled = true, .base = 25, .amplitude = 5, .period = 0.1};
        vxe_layer *layer = by_layer ? vxe_design_layer(design, "Amplitude", 1) : NULL;
        for (uint32_t v = 0; v < 8; v++) {
            if (by_layer) {
                layer->values[v] = v % 3 ? 1 : -2;
            } else {
                design->voxels[v].material = v % 3 ? 0 : strong;
            }
        }
        vxe_world *world = make_world(design, NULL);
        vxe_error error;
        assert_int_equal(vxe_world_advance(world, 300, &error), VXE_OK);
        hashes[by_layer] = vxe_world_hash(world);
        vxe_world_destroy(world);
        if (by_layer) {
            layer->values[5] = 19;
            const vxe_world_def def = vxe_world_def_default();
            assert_null(vxe_world_create(design, &def, &error));
            assert_non_null(strstr(error.message, "voxel (1, 1, 0)"));
        }
        vxe_design_destroy(design);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* Actuation is off while the body settles. */
static void actuation_is_off_while_settling(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 1;
    m.thermal_expansion = 0.01;
    vxe_design *design = block_design(&m, 4, 1, 1);
    design->actuation = (vxe_actuation){.enabled = true, .base = 25, .amplitude = 5, .period = 0.5};
    design->stop.settle_time = 0.4;
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    assert_int_equal(vxe_world_advance_to(world, 0.399, &error), VXE_OK);
    check_below("strain while settling", vxe_world_max_strain(world), by_precision(1e-15, 1e-11));
    assert_int_equal(vxe_world_advance_to(world, 0.6, &error),
                     VXE_OK); /* the fade-in has ended at 0.525 s */
    double a[3];
    double b[3];
    position_of(world, 0, a);
    position_of(world, 3, b);
    check_near("length after, m", b[0] - a[0], 3 * EDGE * (1 + 0.05 * sin(2 * PI * 0.6 / 0.5)),
               1e-4);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* An actuated body with drag on the floor: the energy audit closes with actuation and friction
 * included. */
static void walking_body_balances_its_energy_audit(void **state)
{
    (void)state;
    vxe_error error;
    vxe_design *design = vxe_design_read(SOURCE_FOLDER "/assets/benchmark/quad6.vxa", &error);
    assert_non_null(design);
    design->stop.settle_time = 0;
    for (int scheme = 0; scheme < 2; scheme++) {
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        def.damping = scheme ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        def.step_scale = scheme ? 0.05 : 0.2;
        vxe_world *world = make_world(design, &def);
        check_audit(scheme ? "walker, polynomial" : "walker, explicit", world, 4000, 1e-3);
        const vxe_energy e = vxe_world_energy(world);
        assert_true(e.work_actuation != 0 && e.dissipated_bonds > 0 && e.dissipated_global > 0);
        assert_true(e.dissipated_contact > 0 && e.dissipated_friction >= 0);
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
}

/* The far end is pulled by 1 mm along a ramp and back: the bar stretches evenly, and the external
 * work is stored and dissipated. */
static void prescribed_motion_is_exact_and_its_work_counted(void **state)
{
    (void)state;
    for (int turning = 0; turning < 2; turning++) {
        vxe_material m = standard_material();
        m.bond_damping = 0.5;
        vxe_design *design = block_design(&m, 6, 1, 1);
        double table[6] = {0, 0, 0.05, 1, 0.1, 0};
        hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
        hold_plane(design, 0, 5, VXE_FIX_ALL, NULL, NULL);
        vxe_region *clamp = &design->regions[1];
        clamp->table = vxe_memory_take(3, 2 * sizeof *table);
        clamp->table_count = 3;
        for (int i = 0; i < 6; i++) {
            clamp->table[i] = table[i];
        }
        *(turning ? &clamp->rotation[0] : &clamp->displacement[0]) = turning ? 0.5 : 1e-3;
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        def.damping = VXE_DAMPING_EXPLICIT;
        def.step_scale = 0.2;
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 0.05, &error), VXE_OK);
        double at[3];
        double q[24];
        position_of(world, 5, at);
        vxe_world_poses(world, NULL, q);
        if (turning) {
            check_near("rotation of the clamp, rad", 2 * atan2(q[21], q[20]), 0.5, 1e-3);
        } else {
            check_near("way of the clamp, m", at[0] - 5.5 * EDGE, 1e-3, 1e-6);
            double strain = 0;
            double stress = 0;
            assert_int_equal(vxe_world_bond_strain(world, 2, 3, &strain, &stress, &error), VXE_OK);
            check_relative("strain of a middle bond", strain, 0.02, 0.05);
            check_relative("stress over strain, Pa", stress / strain, 1e6, 1e-9);
        }
        const vxe_energy e = vxe_world_energy(world);
        check_relative("work given, J", e.work_external, e.kinetic + e.elastic + e.dissipated_bonds,
                       0.01);
        assert_int_equal(vxe_world_advance_to(world, 0.2, &error), VXE_OK);
        position_of(world, 5, at);
        check_near("clamp back at its place, m", at[0], 5.5 * EDGE, 1e-9);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A pair of bars oscillates at sqrt(2 k/m) along its chord. Its voxels turn freely, because bars
 * carry no moments. */
static void bar_pair_oscillates_along_its_chord(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 2, 1);
    vxe_world_def def = vxe_world_def_default();
    def.bond_kind = VXE_BOND_BAR;
    def.audit = true;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 1e-6;
    vxe_world *world = make_world(design, &def);
    const double at[3] = {0.5 * EDGE, 1.5 * EDGE + 1e-4, 0.5 * EDGE};
    const double spin[3] = {3, 0, 0};
    vxe_error error;
    assert_int_equal(vxe_world_place(world, 1, at, NULL, NULL, spin, NULL), VXE_OK);
    assert_int_equal(vxe_world_advance_to(world, PI / sqrt(2 * STIFFNESS / MASS), &error), VXE_OK);
    double a[3];
    double b[3];
    double w[6];
    position_of(world, 0, a);
    position_of(world, 1, b);
    vxe_world_velocities(world, NULL, w);
    check_near("stretch after half a period, m", b[1] - a[1] - EDGE, -1e-4, 1e-6);
    check_near("spin is untouched, rad/s", w[3], 3, 1e-12);
    check_audit("bar pair", world, 2000, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Global damping c = 2 zeta sqrt(m E a): a free voxel's velocity decays at c/m in both schemes. */
static void drag_decays_at_its_rate(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        vxe_material m = standard_material();
        m.global_damping = 0.01;
        m.bond_damping = scheme ? 0.1 : 0;
        vxe_design *design = block_design(&m, 2, 1, 1);
        vxe_world_def def = vxe_world_def_default();
        def.damping = scheme ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        def.audit = true;
        def.step_scale = 0.05;
        vxe_world *world = make_world(design, &def);
        const double v[3] = {1, 0, 0};
        for (uint32_t i = 0; i < 2; i++) {
            assert_int_equal(vxe_world_place(world, i, NULL, NULL, v, NULL, NULL), VXE_OK);
        }
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 0.02, &error), VXE_OK);
        double now[6];
        vxe_world_velocities(world, now, NULL);
        check_relative("velocity, m/s", now[0], exp(-2 * 0.01 * W0 * vxe_world_time(world)), 2e-3);
        const vxe_energy e = vxe_world_energy(world);
        check_relative("energy taken by drag, J", e.dissipated_global, MASS - e.kinetic,
                       by_precision(1e-6, 1e-5)); /* mixed: 1000 kicks of 6e-8 */
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Option of bulk shear: shear spring E a/(1+nu). Simple shear of a long pair with clamped ends
 * gives k_s directly. */
static void bulk_shear_spring_follows_poissons_ratio(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    const double expected[2] = {STIFFNESS, STIFFNESS / 1.3};
    for (int shear = 0; shear < 2; shear++) {
        vxe_design *design = block_design(&m, 2, 1, 1);
        vxe_world_def def = vxe_world_def_default();
        def.shear = (vxe_shear)shear;
        vxe_world *world = make_world(design, &def);
        const double at[3] = {1.5 * EDGE, 0.5 * EDGE + 1e-6, 0.5 * EDGE};
        double f[6];
        double moments[6];
        assert_int_equal(vxe_world_place(world, 1, at, NULL, NULL, NULL, NULL), VXE_OK);
        vxe_world_elastic_forces(world, f, moments);
        check_relative("shear spring, N/m", -f[4] / 1e-6, expected[shear], 1e-6);
        check_relative("moment on each end, N m", moments[2], 0.5 * EDGE * f[1], 1e-6);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A voxel is lifted, pushed into the floor and moved to and fro. The work done against weight,
 * floor and inertia is counted as work of prescribed motion, and the energy balance closes. */
static void driven_voxel_carries_weight(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 0.5;
    vxe_design *design = block_design(&m, 2, 1, 1);
    design->gravity[2] = -9.81;
    design->floor.enabled = true;
    double table[12] = {0, 0, 0.1, -0.01, 0.2, 1, 0.3, 1, 0.4, 0.3, 0.5, 0.6};
    vxe_region hand = {.shape = VXE_REGION_BOX,
                       .high = {EDGE, EDGE, EDGE},
                       .fixed = VXE_FIX_ALL,
                       .displacement = {0.01, 0, 0.05},
                       .table = table,
                       .table_count = 6};
    vxe_error error;
    assert_int_equal(vxe_design_add_region(design, &hand, &error), VXE_OK);
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    def.step_scale = 0.2;
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_advance_to(world, 0.6, &error), VXE_OK);
    const vxe_energy e = vxe_world_energy(world);
    check_below("drift of the balance, of the weight's work",
                fabs(e.balance - e.balance_start) / (2 * MASS * 9.81 * 0.05), 0.01);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_bar_follows_its_rest_length),
        cmocka_unit_test(amplitude_of_voxels_is_as_materials_of_that_strength),
        cmocka_unit_test(actuation_is_off_while_settling),
        cmocka_unit_test(walking_body_balances_its_energy_audit),
        cmocka_unit_test(prescribed_motion_is_exact_and_its_work_counted),
        cmocka_unit_test(bar_pair_oscillates_along_its_chord),
        cmocka_unit_test(drag_decays_at_its_rate),
        cmocka_unit_test(bulk_shear_spring_follows_poissons_ratio),
        cmocka_unit_test(driven_voxel_carries_weight)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
