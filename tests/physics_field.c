/* SPDX-License-Identifier: MIT */
/* Fields of force by formula. Expected numbers: closed forms. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "engine/batch.h"
#include "lattice/formats/format.h"
#include "support.h"

static vxe_design *block_in_field(int nx, int ny, int nz, const char *x, const char *y,
                                  const char *z)
{
    vxe_material m = standard_material();
    m.bond_damping = 0.3;
    vxe_design *design = block_design(&m, nx, ny, nz);
    const char *const formulas[3] = {x, y, z};
    vxe_error error;
    for (int c = 0; c < 3; c++) {
        assert_int_equal(vxe_design_set_formula(design, (vxe_formula)(VXE_FORMULA_FORCE_X + c),
                                                formulas[c], &error),
                         VXE_OK);
    }
    return design;
}

static vxe_world *stepped(const vxe_design *design, double step)
{
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = step;
    def.audit = true;
    return make_world(design, &def);
}

/* A block in a trap -k (x - x0) on each voxel oscillates as one, x = x0 + A cos(sqrt(k/m) t);
 * across it is pushed by F0 sin(w t): y = y0 + F0/(m w) (t - sin(w t)/w). Explicit steps of h: the
 * frequency is (w h)^2/24 too high, 4e-6 here. */
static void block_follows_its_field(void **state)
{
    (void)state;
    vxe_design *design = block_in_field(2, 2, 2, "-0.1*(x - 0.03)", "2e-3 * sin(2*pi*5*t)", NULL);
    vxe_world *world = stepped(design, 1e-4);
    double start[3];
    double now[3];
    vxe_error error;
    vxe_world_center_of_mass(world, start, NULL);
    const double w = sqrt(0.1 / MASS);
    const double v = 2 * PI * 5;
    for (int i = 1; i <= 10; i++) {
        assert_int_equal(vxe_world_advance_to(world, 0.1 * i, &error), VXE_OK);
        const double t = vxe_world_time(world);
        vxe_world_center_of_mass(world, now, NULL);
        /* positions are half an impulse ahead: at most h/2 times the largest speed, 0.2 m/s */
        check_near("x in the trap, m", now[0], 0.03 + (start[0] - 0.03) * cos(w * t), 1.5e-5);
        check_near("y, pushed, m", now[1] - start[1], 2e-3 / (MASS * v) * (t - sin(v * t) / v),
                   1.5e-5);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A force F along a voxel's own x, which turns at w: the velocity is F/(m w) (sin(w t), 1 - cos(w
   t)). Forces act at the start of a step of h, which is half a step early: within w h of it. In
   mixed precision a step's 4e-3 m/s is rounded to the last bit of 10 m/s, 1e-6. */
static void body_forces_turn_with_their_voxels(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    const double still[3] = {0, 0, 0};
    const double w = 40;
    const double spin[3] = {0, 0, w};
    const double force = 0.02;
    const double h = 1e-4;
    vxe_error error;
    vxe_design *design = block_design(&m, 1, 1, 1);
    vxe_layer *layer = vxe_design_layer(design, "BodyForce", 3);
    assert_non_null(layer);
    layer->values[0] = force;
    layer->values[2] = -2 * force;
    assert_int_equal(vxe_design_set_velocity(design, 0, still, spin, &error), VXE_OK);
    vxe_world *world = stepped(design, h);
    for (int i = 1; i <= 5; i++) {
        double velocity[3];
        assert_int_equal(vxe_world_advance(world, 500, &error), VXE_OK);
        const double t = vxe_world_time(world);
        const double scale = force / (MASS * w);
        vxe_world_velocities(world, velocity, NULL);
        check_near("vx, m/s", velocity[0], scale * sin(w * t), scale * w * h);
        check_near("vy, m/s", velocity[1], scale * (1 - cos(w * t)), scale * w * h);
        check_relative("vz, m/s", velocity[2], -2 * force / MASS * t, by_precision(1e-12, 3e-4));
    }
    /* the field does external work */
    const vxe_energy energy = vxe_world_energy(world);
    check_relative("work, J", energy.work_external, energy.kinetic - 0.5 * INERTIA * w * w, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A rotor that is also a saddle has no potential, so all that it gives is external work. */
static const char *const rotor[3] = {"-0.02*y*(1 + 0.5*sin(30*t))", "0.02*x", "0.01*x*y - 1e-3*z"};

static void work_of_fields_is_counted(void **state)
{
    (void)state;
    vxe_design *design = block_in_field(3, 2, 2, rotor[0], rotor[1], rotor[2]);
    for (int scheme = 0; scheme < 2; scheme++) {
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        def.damping = scheme ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        def.step_scale = 0.2;
        vxe_world *world = make_world(design, &def);
        check_audit(scheme ? "polynomial" : "explicit", world, 4000, 1e-3);
        assert_true(vxe_world_energy(world).work_external != 0);
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
}

/* The same bits for any number of threads, and in a batch, where it runs alone. */
static void field_has_the_same_bits_for_any_threads(void **state)
{
    (void)state;
    vxe_design *design = block_in_field(9, 8, 7, rotor[0], rotor[1], rotor[2]);
    uint64_t first = 0;
    vxe_error error;
    for (uint32_t threads = 1; threads <= 5; threads++) {
        vxe_world_def def = vxe_world_def_default();
        def.threads = threads;
        vxe_world *world = make_world(design, &def);
        assert_int_equal(vxe_world_advance(world, 200, &error), VXE_OK);
        assert_true(threads == 1 || vxe_world_hash(world) == first);
        first = vxe_world_hash(world);
        vxe_world_destroy(world);
    }
    vxe_batch_def def = vxe_batch_def_default();
    def.world.precision = test_precision();
    def.steps = 200;
    vxe_batch *batch = vxe_batch_create(&def, &error);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(vxe_batch_add(batch, design, &error), VXE_OK);
    }
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(vxe_batch_result_of(batch, i).hash == first);
        assert_false(vxe_batch_result_of(batch, i).in_lanes);
    }
    vxe_batch_destroy(batch);
    vxe_design_destroy(design);
}

/* A scene keeps its formulas. Wrong ones are refused with their place, formulas without a value
 * with the voxel; a field that becomes infinite is a divergence. */
static void formulas_are_written_read_and_checked(void **state)
{
    (void)state;
    vxe_error error = {0};
    const vxe_world_def def = vxe_world_def_default();
    vxe_design *first = block_in_field(2, 1, 1, rotor[0], NULL, rotor[2]);
    assert_int_equal(vxe_design_write(first, "physics_field_test.json", &error), VXE_OK);
    vxe_design *second = vxe_design_read("physics_field_test.json", &error);
    assert_non_null(second);
    assert_string_equal(second->formulas[VXE_FORMULA_FORCE_X + 0], rotor[0]);
    assert_null(second->formulas[VXE_FORMULA_FORCE_X + 1]);
    assert_string_equal(second->formulas[VXE_FORMULA_FORCE_X + 2], rotor[2]);
    unlink("physics_field_test.json");
    assert_int_equal(vxe_design_set_formula(second, VXE_FORMULA_FORCE_Y, "3*u", &error), VXE_OK);
    assert_null(vxe_world_create(second, &def, &error));
    assert_non_null(strstr(error.message, "force field along y: formula \"3*u\", character 3"));
    assert_int_equal(vxe_design_set_formula(second, VXE_FORMULA_FORCE_Y, "1/(x - 0.015)", &error),
                     VXE_OK);
    assert_null(vxe_world_create(second, &def, &error));
    assert_non_null(strstr(error.message, "voxel (1, 0, 0)"));
    assert_int_equal(vxe_design_set_formula(second, VXE_FORMULA_FORCE_Y, "1/(t < 0.01)", &error),
                     VXE_OK);
    vxe_world *world = make_world(second, NULL);
    assert_int_equal(vxe_world_advance(world, 1000, &error), VXE_ERROR_DIVERGED);
    vxe_world_destroy(world);
    assert_int_equal(vxe_design_set_formula(second, VXE_FORMULAS, "1", &error), VXE_ERROR_ARGUMENT);
    vxe_design_destroy(first);
    vxe_design_destroy(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(block_follows_its_field),
                                       cmocka_unit_test(body_forces_turn_with_their_voxels),
                                       cmocka_unit_test(work_of_fields_is_counted),
                                       cmocka_unit_test(field_has_the_same_bits_for_any_threads),
                                       cmocka_unit_test(formulas_are_written_read_and_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
