/* SPDX-License-Identifier: MIT */
/* Density per voxel by the layer Density (kg/m^3): it replaces the material's wherever that acts
 * (mass, inertia, dashpots, drag, floor and contact dashpots, time step, centre of mass). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/batch.h"
#include "engine/model/model.h"
#include "engine/solver/solver.h"
#include "engine/surrogate.h"
#include "engine/trial.h"
#include "support.h"

enum { SIDE = 6, VOXELS = SIDE * SIDE * SIDE };

/* kg/m^3: a density of its own for every voxel. */
static double density_of(int voxel)
{
    return 300 + 37.0 * (voxel * 89 % VOXELS);
}

static vxe_material tissue(void)
{
    vxe_material m = vxe_material_default();
    m.youngs_modulus = 1e6;
    m.thermal_expansion = 0.01;
    m.bond_damping = 0.3;
    m.global_damping = 0.01;
    m.collision_damping = 0.5;
    return m;
}

/* A body on the floor whose voxels have a density each: by as many materials, or by one and the
   layer. spheres: they are not bonded, and the first ones have sizes of their own. */
static vxe_design *mixed_body(bool by_layer, bool spheres)
{
    vxe_design *design = vxe_design_create();
    for (int i = 0; i < VOXELS; i++) {
        vxe_material m = tissue();
        m.sphere = spheres;
        m.density = by_layer ? 777 : density_of(i);
        if (i == 0 || !by_layer) {
            assert_int_equal(vxe_design_add_material(design, &m, NULL, NULL), VXE_OK);
        }
        assert_int_equal(vxe_design_add_voxel(design, i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE,
                                              by_layer ? 0 : (uint32_t)i, NULL),
                         VXE_OK);
    }
    vxe_layer *layer = by_layer ? vxe_design_layer(design, "Density", 1) : NULL;
    for (int i = 0; i < VOXELS && layer; i++) {
        layer->values[i] = density_of(i);
    }
    if (spheres) {
        vxe_layer *size = vxe_design_layer(design, "InitialSize", 1);
        for (int i = 0; i < VOXELS; i++) {
            size->values[i] = i < 9 ? 0.9 : 1;
        }
    } else {
        design->actuation =
            (vxe_actuation){.enabled = true, .base = 25, .amplitude = 10, .period = 0.1};
    }
    design->self_collision = true;
    return design;
}

/* The hash after so many steps, and the mass. */
static uint64_t hash_under(const vxe_design *design, const char *conventions,
                           vxe_precision precision, double *mass)
{
    vxe_world_def def = vxe_world_def_default();
    vxe_error error;
    def.conventions = conventions;
    vxe_world *world = make_world_in(design, &def, precision);
    if (vxe_world_advance(world, 200, &error)) {
        fail_msg("%s", error.message);
    }
    const uint64_t hash = vxe_world_hash(world);
    *mass = vxe_world_describe(world).mass;
    vxe_world_destroy(world);
    return hash;
}

/* The same numbers given in two ways: the same bits, under our own laws and under those of others,
 * of cubes and of spheres. Pairs are so many that they displace each other in the table of pairs.
 */
static void layer_is_as_materials_of_these_densities(void **state)
{
    (void)state;
    static const struct {
        const char *conventions;
        bool spheres, mixed;
    } rows[] = {{"native", false, true},
                {"native", true, true},
                {"voxelyze", false, false},
                {"evosoro", false, false},
                {"land-water", false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const vxe_precision precision = rows[i].mixed ? test_precision() : VXE_PRECISION_DOUBLE;
        uint64_t hash[2];
        double mass[2];
        for (int by = 0; by < 2; by++) {
            vxe_design *design = mixed_body(by == 1, rows[i].spheres);
            design->self_collision = rows[i].mixed;
            hash[by] = hash_under(design, rows[i].conventions, precision, &mass[by]);
            vxe_design_destroy(design);
        }
        print_message("  %s%s\n", rows[i].conventions, rows[i].spheres ? ", spheres" : "");
        assert_true(hash[0] == hash[1]);
        assert_true(mass[0] == mass[1]);
    }
}

/* evosoro's step of a design without bonds follows from the lightest voxel. */
static void loose_voxels_are_as_light_as_the_layer_says(void **state)
{
    (void)state;
    uint64_t hash[2];
    double mass[2];
    for (int by = 0; by < 2; by++) {
        vxe_material m = standard_material();
        m.density = by ? 1000 : 250;
        vxe_design *design = block_design(&m, 1, 1, 1);
        design->gravity[2] = -9.81;
        if (by) {
            vxe_design_layer(design, "Density", 1)->values[0] = 250;
        }
        hash[by] = hash_under(design, "evosoro", VXE_PRECISION_DOUBLE, &mass[by]);
        vxe_design_destroy(design);
    }
    assert_true(hash[0] == hash[1] && mass[0] == mass[1]);
}

/* Robots of either kind share lanes, and have their bits there. */
static void robots_in_lanes_have_densities_of_their_own(void **state)
{
    (void)state;
    vxe_design *designs[2] = {mixed_body(false, false), mixed_body(true, false)};
    uint64_t alone[2];
    for (int i = 0; i < 2; i++) {
        designs[i]->self_collision = false;
        alone[i] = hash_after(designs[i], 1, 400, false);
    }
    assert_true(alone[0] == alone[1]);
    check_in_lanes(designs, 2, 400, alone);
    vxe_design_destroy(designs[0]);
    vxe_design_destroy(designs[1]);
}

/* Free voxels under equal forces: v = F t/m, up to the rounding of the sum. */
static void free_voxels_accelerate_by_their_masses(void **state)
{
    (void)state;
    const double density[3] = {250, 1000, 8000};
    const double force = 1e-3;
    vxe_error error;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    for (int i = 1; i < 3; i++) {
        assert_int_equal(vxe_design_add_voxel(design, 5 * i, 0, 0, 0, &error), VXE_OK);
    }
    vxe_layer *pull = vxe_design_layer(design, "BodyForce", 3);
    for (int i = 0; i < 3; i++) {
        pull->values[3 * i] = force;
    }
    memcpy(vxe_design_layer(design, "Density", 1)->values, density, sizeof density);
    vxe_world *world = make_world(design, NULL);
    assert_int_equal(vxe_world_advance(world, 300, &error), VXE_OK);
    check_relative("mass, kg", vxe_world_describe(world).mass, 9250 * EDGE * EDGE * EDGE, 1e-14);
    for (uint32_t i = 0; i < 3; i++) {
        const double mass = density[i] * EDGE * EDGE * EDGE;
        check_relative("speed, m/s", velocity_of(world, i, 0), force * vxe_world_time(world) / mass,
                       by_precision(1e-13, 1e-5));
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A voxel on a spring, E a: half the frequency with four times the density. Steps of a kick and a
 * drift give x_n = h v0 sin(n theta)/sin(theta), 2 sin(theta/2) = w h. */
static void frequency_follows_the_layer(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const vxe_material m = standard_material();
        const double density = i ? 4000 : 1000;
        const double speed[3] = {1e-2, 0, 0};
        vxe_error error;
        vxe_design *design = block_design(&m, 2, 1, 1);
        hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
        assert_int_equal(vxe_design_set_velocity(design, 1, speed, NULL, &error), VXE_OK);
        vxe_layer *layer = vxe_design_layer(design, "Density", 1);
        layer->values[0] = 1000;
        layer->values[1] = density;
        vxe_world *world = make_world(design, NULL);
        const double h = vxe_world_describe(world).time_step;
        const double w = sqrt(STIFFNESS / (density * EDGE * EDGE * EDGE));
        const double theta = 2 * asin(w * h / 2);
        assert_int_equal(vxe_world_advance(world, 1000, &error), VXE_OK);
        double at[3];
        position_of(world, 1, at);
        const double reach = h * speed[0] / sin(theta); /* 1000 roundings of a position, or of a
                                                           float of this size */
        check_near("displacement, m", at[0] - 1.5 * EDGE, reach * sin(1000 * theta),
                   by_precision(1000 * 0x1p-60, 1000 * 0x1p-24 * reach));
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A damping ratio does not depend on the scale of mass: with four times the density, twice the step
 * and half the speeds, everything is at the same places after as many steps, since the dashpots
 * follow as well (c = 2 zeta sqrt(m k)). The factors are powers of 2, which round alike. */
static void dashpots_follow_the_layer(void **state)
{
    (void)state;
    double at[2][3];
    for (int i = 0; i < 2; i++) {
        vxe_material m = standard_material();
        m.bond_damping = 0.2;
        m.global_damping = 0.05;
        vxe_error error;
        vxe_design *design = block_design(&m, 4, 2, 2);
        vxe_layer *layer = vxe_design_layer(design, "Density", 1);
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            const double speed[3] = {v == 0 ? 0.02 / (1 + i) : 0, v == 3 ? 0.01 / (1 + i) : 0, 0};
            layer->values[v] = (500 + 100 * v) * (i ? 4 : 1);
            assert_int_equal(vxe_design_set_velocity(design, v, speed, NULL, &error), VXE_OK);
        }
        vxe_world_def def = vxe_world_def_default();
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = 0x1p-14 * (1 + i);
        def.damping = VXE_DAMPING_EXPLICIT;
        vxe_world *world = make_world(design, &def);
        assert_int_equal(vxe_world_advance(world, 60, &error), VXE_OK);
        position_of(world, 0, at[i]);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
    for (int c = 0; c < 3; c++) {
        assert_true(at[0][c] == at[1][c]);
    }
}

/* The centre of mass as the world, trials and batches have it; for the last two what is not
 * measured does not count. */
static void centers_weigh_by_the_layer(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) { /* voxels 1 and 2 are measured, then 0 and 1 */
        vxe_material m = standard_material();
        vxe_error error;
        vxe_design *design = block_design(&m, 3, 1, 1);
        m.unmeasured = true;
        assert_int_equal(vxe_design_add_material(design, &m, NULL, &error), VXE_OK);
        design->voxels[i == 0 ? 0 : 2].material = 1;
        set_formula(design, VXE_FORMULA_FITNESS, "center_x");
        const double density[3] = {1000, 3000, 6000};
        memcpy(vxe_design_layer(design, "Density", 1)->values, density, sizeof density);
        const double want = EDGE * (i == 1 ? 5.0 / 4 : 19.5 / 9);
        vxe_world *world = make_world(design, NULL);
        vxe_trial *trial = vxe_trial_create(design, world, &error);
        assert_non_null(trial);
        check_relative("centre of a trial, m", vxe_trial_describe(trial).center[0], want, 1e-12);
        vxe_trial_destroy(trial);
        double center[3];
        vxe_world_center_of_mass(world, center, NULL);
        check_relative("centre of mass, m", center[0], EDGE * 20 / 10, by_precision(1e-12, 1e-7));
        vxe_world_destroy(world);
        vxe_batch_def def = vxe_batch_def_default();
        def.steps = 3;
        def.world.precision = test_precision();
        vxe_batch *batch = vxe_batch_create(&def, &error);
        assert_int_equal(vxe_batch_add(batch, design, &error), VXE_OK);
        assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
        check_relative("centre in a batch, m", vxe_batch_result_of(batch, 0).fitness, want, 1e-12);
        vxe_batch_destroy(batch);
        vxe_design_destroy(design);
    }
}

/* The spectrum of a model depends on which side of a body its start vector is seen from, and that
 * on the densities: the same bits by the layer as by materials. */
static void spectrum_is_that_of_materials(void **state)
{
    (void)state;
    vxe_spectrum found[2];
    for (int by = 0; by < 2; by++) {
        vxe_design *design = mixed_body(by == 1, false);
        vxe_world_def def = vxe_world_def_default();
        vxe_messages warnings = {0};
        vxe_model model;
        assert_false(vxe_model_init(&model, design, &def, &warnings, NULL));
        found[by] = model.spectrum;
        vxe_model_clear(&model);
        vxe_messages_clear(&warnings);
        vxe_design_destroy(design);
    }
    assert_memory_equal(&found[0], &found[1], sizeof found[0]);
}

/* A surrogate has the mass that the layer gives, and the bodies of its experiments swing with it.
 */
static void surrogates_weigh_by_the_layer(void **state)
{
    (void)state;
    vxe_surrogate_report r[2];
    for (int by = 0; by < 2; by++) {
        vxe_error error;
        vxe_material m = standard_material();
        m.youngs_modulus = 1e5;
        m.bond_damping = 0.1;
        m.collision_damping = 0.3;
        vxe_design *design = block_design(&m, 3, 3, 5);
        design->floor.enabled = true;
        design->gravity[2] = -9.81;
        m.density = 2000;
        assert_int_equal(vxe_design_add_material(design, &m, NULL, &error), VXE_OK);
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            const bool low = design->voxels[v].position[2] < 2;
            design->voxels[v].material = low && !by;
            if (by) {
                vxe_design_layer(design, "Density", 1)->values[v] = low ? 2000 : 1000;
            }
        }
        vxe_design *made = vxe_surrogate_create(design, &r[by], &error);
        if (!made) {
            fail_msg("%s", error.message);
        }
        vxe_design_destroy(made);
        vxe_design_destroy(design);
    }
    check_relative("mass, kg", r[1].mass, (18 * 2 + 27) * MASS, 1e-12);
    assert_true(r[0].mass == r[1].mass && r[0].modulus == r[1].modulus);
    assert_memory_equal(r[0].euler, r[1].euler, sizeof r[0].euler);
    assert_true(r[0].lattice.breathing == r[1].lattice.breathing);
    assert_true(r[0].lattice.sag == r[1].lattice.sag && r[0].lattice.drop == r[1].lattice.drop);
}

/* An impossible density is refused, and the message names the voxel. */
static void wrong_densities_are_refused(void **state)
{
    (void)state;
    const double wrong[6] = {0, -1000, 1e-10, 1e16, (double)NAN, HUGE_VAL};
    for (int i = 0; i < 6; i++) {
        vxe_design *design = mixed_body(true, false);
        vxe_error error;
        vxe_design_layer(design, "Density", 1)->values[8] = wrong[i];
        assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
        print_message("  %s\n", error.message);
        assert_non_null(strstr(error.message, "Density"));
        assert_non_null(strstr(error.message, isfinite(wrong[i]) ? "(2, 1, 0)" : "not finite"));
        vxe_design_destroy(design);
    }
    vxe_design *design = mixed_body(false, false);
    vxe_error error;
    char doubt[240] = "";
    assert_non_null(vxe_design_layer(design, "Density", 2));
    assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "must have 1"));
    vxe_design_destroy(design);
    design = mixed_body(true, false);
    assert_false(vxe_design_doubt(design, doubt, sizeof doubt));
    vxe_design_layer(design, "Density", 1)->values[8] = 30000;
    assert_true(vxe_design_doubt(design, doubt, sizeof doubt));
    assert_non_null(strstr(doubt, "layer \"Density\" has 3e+04"));
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layer_is_as_materials_of_these_densities),
        cmocka_unit_test(loose_voxels_are_as_light_as_the_layer_says),
        cmocka_unit_test(robots_in_lanes_have_densities_of_their_own),
        cmocka_unit_test(free_voxels_accelerate_by_their_masses),
        cmocka_unit_test(frequency_follows_the_layer),
        cmocka_unit_test(dashpots_follow_the_layer),
        cmocka_unit_test(centers_weigh_by_the_layer),
        cmocka_unit_test(spectrum_is_that_of_materials),
        cmocka_unit_test(surrogates_weigh_by_the_layer),
        cmocka_unit_test(wrong_densities_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
