/* SPDX-License-Identifier: MIT */
/* Stiffness that changes in time: oscillators with a slowly changing spring, hanging loads, and the
 * work that the change takes. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "lattice/formats/format.h"
#include "support.h"

/* Ratio of final to initial stiffness. */
#define STIFFER 4.0

static void stiffen(vxe_design *design, double start, double end)
{
    vxe_layer *layer = vxe_design_layer(design, "FinalStiffness", 1);
    const double table[4] = {start, 0, end, 1};
    vxe_error error;
    assert_non_null(layer);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        layer->values[v] = STIFFER * design->materials[design->voxels[v].material].youngs_modulus;
    }
    assert_int_equal(vxe_design_set_stiffening(design, table, 2, &error), VXE_OK);
}

/* Energy over frequency of an oscillator is an adiabatic invariant (LandauLifshitz1976, 49): at
 * four times the stiffness there is twice the energy, and the difference is the work of stiffening.
 * Over 100 periods and more: the invariant varies by a part in 2 pi 100. */
static void oscillators_keep_their_invariant(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 0;
    vxe_design *design = block_design(&m, 2, 1, 1);
    const double period = 2 * PI / (W0 * sqrt(2));
    stiffen(design, 10 * period, 110 * period);
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    def.step_scale = 0.03; /* the integrator oscillates by (w h)^2/8 */
    vxe_world *world = make_world(design, &def);
    double x[3];
    vxe_error error;
    position_of(world, 1, x);
    x[0] += 0.01 * EDGE;
    assert_int_equal(vxe_world_place(world, 1, x, NULL, NULL, NULL, &error), VXE_OK);
    const double before = 0.5 * STIFFNESS * pow(0.01 * EDGE, 2);
    assert_int_equal(vxe_world_advance_to(world, 115 * period, &error), VXE_OK);
    const vxe_energy e = vxe_world_energy(world);
    check_relative("energy of an oscillator four times as stiff", e.kinetic_sync + e.elastic_sync,
                   sqrt(STIFFER) * before, 2e-3);
    check_relative("work of its spring", e.work_actuation, (sqrt(STIFFER) - 1) * before, 4e-3);
    check_near("balance of energy", (e.balance - e.balance_start) / before, 0, 4e-4);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Height at rest of the fifth voxel before a change from 0.3 to 0.5 s, and after it. */
static void heights_of_the_fifth(vxe_world *world, double z[2])
{
    for (int i = 0; i < 2; i++) {
        double x[3];
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, i == 0 ? 0.3 : 0.8, &error), VXE_OK);
        position_of(world, 4, x);
        z[i] = x[2];
    }
}

/* A column on its lowest voxel, damped: its sag is inverse to the modulus. */
static void stiffer_columns_sag_less(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 1;
    vxe_design *design = block_design(&m, 1, 1, 5);
    hold_plane(design, 2, 0, VXE_FIX_ALL, NULL, NULL);
    design->gravity[2] = -9.81;
    stiffen(design, 0.3, 0.5);
    vxe_world *world = make_world(design, NULL);
    double z[2];
    heights_of_the_fifth(world, z);
    const double sag[2] = {4.5 * EDGE - z[0], 4.5 * EDGE - z[1]};
    const double weights = 4 + 3 + 2 + 1; /* carried by four bonds */
    check_relative("sag, m", sag[0], weights * MASS * 9.81 / STIFFNESS, by_precision(1e-6, 1e-3));
    check_relative("sag when stiffer, m", sag[1], sag[0] / STIFFER, by_precision(1e-6, 2e-3));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Four voxels on a held plate of four, in contact and not bonded: each sinks in by its weight over
 * E a. Settled; mixed precision rounds the distance of a pair, 10 mm, to 5e-10 m, which is 5e-4 of
 * one depth and 2e-3 of the other. */
static void stiffer_contacts_give_less(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 1;
    m.collision_damping = 1;
    vxe_design *design = block_design(&m, 2, 2, 2);
    vxe_layer *part = vxe_design_layer(design, "Part", 1);
    assert_non_null(part);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        part->values[v] = design->voxels[v].position[2];
    }
    hold_plane(design, 2, 0, VXE_FIX_ALL, NULL, NULL);
    design->gravity[2] = -9.81;
    design->self_collision = true;
    stiffen(design, 0.3, 0.5);
    vxe_world *world = make_world(design, NULL);
    double z[2];
    heights_of_the_fifth(world, z);
    const double depth[2] = {1.5 * EDGE - z[0], 1.5 * EDGE - z[1]};
    check_relative("depth of a contact, m", depth[0], MASS * 9.81 / STIFFNESS,
                   by_precision(1e-6, 2e-3));
    check_relative("depth when stiffer, m", depth[1], depth[0] / STIFFER, by_precision(1e-6, 4e-3));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Drag is 2 zeta sqrt(m E a): while it changes linearly from c to 2 c, a coasting body keeps
 * exp(-3/2 c t/m) of its speed. With each scheme of damping; explicit drag is of first order in the
 * step, c h/m = 2e-3. */
static void drag_grows_as_the_root_of_the_stiffness(void **state)
{
    (void)state;
    const double zeta = 0.01;
    const double end = 0.02;
    for (int explicit = 0; explicit < 2; explicit ++) {
        vxe_material m = standard_material();
        m.bond_damping = 1;
        m.global_damping = zeta;
        vxe_design *design = block_design(&m, 2, 1, 1);
        stiffen(design, 0, end);
        vxe_world_def def = vxe_world_def_default();
        def.damping = explicit ? VXE_DAMPING_EXPLICIT : VXE_DAMPING_SWEEP;
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = 2e-5;
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        double rates[6];
        for (uint32_t v = 0; v < 2; v++) {
            assert_int_equal(
                vxe_world_place(world, v, NULL, NULL, (const double[3]){0, 0.1, 0}, NULL, &error),
                VXE_OK);
        }
        assert_int_equal(vxe_world_advance_to(world, end, &error), VXE_OK);
        vxe_world_velocities(world, rates, NULL);
        /* floats round the step: the last one may end after the change */
        const double by = 1.5 * end + 2 * (vxe_world_time(world) - end);
        check_relative(explicit ? "speed left, explicit" : "speed left, polynomial", rates[1],
                       0.1 * exp(-by * 2 * zeta * W0), 2e-3);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A walker with floor, contacts and drag. The step is that of the stiffest state. */
static void stiffening_has_the_same_bits_in_any_batch(void **state)
{
    (void)state;
    vxe_design *design = benchmark_design("quad6.vxa");
    design->self_collision = true;
    design->materials[0].global_damping = 0.01;
    stiffen(design, 0.01, 0.05);
    check_single_body(design, 1500);
    double step[2];
    for (int i = 0; i < 2; i++) {
        vxe_world *world = make_world(design, NULL);
        step[i] = vxe_world_describe(world).time_step;
        vxe_world_destroy(world);
        for (uint32_t k = 0; k < design->material_count; k++) {
            design->materials[k].youngs_modulus *= STIFFER;
        }
        design->stiffening_count = 0;
    }
    check_relative("step of the stiffest", step[0], step[1], 1e-3);
    vxe_design_destroy(design);
}

static void wrong_courses_are_refused(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    stiffen(design, 1, 0.5);
    assert_null(vxe_world_create(design, &def, &error));
    assert_non_null(strstr(error.message, "times must increase"));
    stiffen(design, 0, 1);
    design->stiffening[3] = 1.5;
    assert_null(vxe_world_create(design, &def, &error));
    design->stiffening[3] = 1;
    design->volume_effects = true;
    design->materials[0].poissons_ratio = 0.3;
    assert_null(vxe_world_create(design, &def, &error));
    assert_int_equal(error.status, VXE_ERROR_UNSUPPORTED);
    design->volume_effects = false;
    design->stiffening_count = 0;
    vxe_world *world = make_world(design, NULL);
    assert_int_equal(vxe_world_warning_count(world), 1);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A scene keeps the change of stiffness. */
static void scenes_keep_the_course(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    stiffen(design, 0.25, 0.75);
    vxe_error error;
    assert_int_equal(vxe_design_write(design, "stiffening.json", &error), VXE_OK);
    vxe_design *again = vxe_design_read("stiffening.json", &error);
    assert_non_null(again);
    assert_int_equal(unlink("stiffening.json"), 0);
    assert_int_equal(again->stiffening_count, 2);
    check_near("end of the course, s", again->stiffening[2], 0.75, 0);
    check_near("stiffness at the end, Pa",
               vxe_design_find_layer(again, "FinalStiffness")->values[1],
               STIFFER * m.youngs_modulus, 0);
    vxe_design_destroy(again);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(oscillators_keep_their_invariant),
                                       cmocka_unit_test(stiffer_columns_sag_less),
                                       cmocka_unit_test(stiffer_contacts_give_less),
                                       cmocka_unit_test(drag_grows_as_the_root_of_the_stiffness),
                                       cmocka_unit_test(stiffening_has_the_same_bits_in_any_batch),
                                       cmocka_unit_test(wrong_courses_are_refused),
                                       cmocka_unit_test(scenes_keep_the_course)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
