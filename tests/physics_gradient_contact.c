/* SPDX-License-Identifier: MIT */
/* Gradients of bodies that touch themselves, against differences of runs and a closed form. What
 * pairs in contact remember is kept in single precision, also in double runs; so friction makes
 * differences of runs noisy, by 1e-3 where blocks slide along each other for long, and bounds are
 * wide where it acts. With that memory in double all of these agree to 1e-7; the law alone is
 * compared in unit_contact_adjoint.c. */
#include <math.h>
#include <string.h>

#include "gradients.h"

/* Two blocks of 8 voxels with a cell between them, each voxel with an amplitude, a phase and a
 * material of its own; they come together at twice `speed` (m/s) and slide past each other. */
static vxe_design *colliders(double speed, double friction)
{
    vxe_design *from = patchwork(0, false);
    const vxe_material *m = &from->materials[0];
    vxe_design *design = block_design(m, 2, 2, 2);
    for (int i = 0; i < 8; i++) {
        assert_false(vxe_design_add_voxel(design, 3 + i % 2, 1 + i / 2 % 2, i / 4, 0, NULL));
    }
    (void)vxe_design_layer(design, "PhaseOffset", 1);
    const char *layers[2] = {"Amplitude", "PhaseOffset"};
    for (int n = 0; n < 2; n++) {
        memcpy(vxe_design_layer(design, layers[n], 1)->values,
               vxe_design_layer(from, layers[n], 1)->values, 16 * sizeof(double));
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        uint32_t index = 0;
        vxe_material own = from->materials[from->voxels[v].material];
        own.static_friction = own.dynamic_friction *= 2 * friction;
        own.global_damping = 0;
        assert_false(vxe_design_add_material(design, &own, &index, NULL));
        design->voxels[v].material = index;
        const double way = v < 8 ? 1 : -1;
        const double rate[3] = {way * speed, 0.3 * way * speed, 0.02 * way};
        assert_false(vxe_design_set_velocity(design, v, rate, (const double[3]){0, 0, 0}, NULL));
    }
    design->actuation = from->actuation;
    design->self_collision = true;
    vxe_design_destroy(from);
    return design;
}

/* The same with a floor, or with half of the first block held, and the half that is met along x:
 * else contacts would leave the centre of mass alone. */
static vxe_design *bound_colliders(bool floor, double friction)
{
    uint32_t voxels[4] = {0, 2, 1, 3};
    const vxe_region held = {
        .shape = VXE_REGION_VOXELS, .voxels = voxels, .voxel_count = 2, .fixed = VXE_FIX_ALL};
    const vxe_region guided = {
        .shape = VXE_REGION_VOXELS, .voxels = voxels + 2, .voxel_count = 2, .fixed = VXE_FIX_X};
    vxe_design *design = colliders(1, friction);
    design->floor.enabled = floor;
    design->gravity[2] = floor ? -9.81 : 0;
    if (!floor) {
        assert_false(vxe_design_add_region(design, &held, NULL));
        assert_false(vxe_design_add_region(design, &guided, NULL));
    }
    return design;
}

/* Without friction, 3 ms from the first contact on: held or on a floor, with explicit dashpots or
 * damping iterations. */
static void gradients_of_collisions_are_those_of_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        vxe_gradient_def def = definition(1300, 1e-5);
        vxe_design *design = bound_colliders(i % 2, 0);
        if (i / 2) {
            def.world.damping = VXE_DAMPING_SWEEP;
            def.by = (1u << VXE_BY_STIFFNESS) - 1;
        }
        check_differences(design, &def, OF_CYCLES, 1e-6);
        vxe_design_destroy(design);
    }
}

/* With friction, and by materials: half a millisecond from the first contact on. Without friction
 * the memory of pairs counts for nothing here; with it not, see above. */
static void gradients_through_friction_are_those_of_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const vxe_gradient_def def = definition(1050, 1e-5);
        vxe_design *design = bound_colliders(i, 0.5);
        check_differences(design, &def, 5 * OF_CYCLES, 5e-3);
        check_materials(design, &def, (i ? 50 : 150) * OF_MATERIALS, 2e-3);
        vxe_design_destroy(design);
    }
}

/* A voxel without any stiffness that is met has contacts of no force, and a gradient. */
static void voxels_without_stiffness_have_gradients(void **state)
{
    (void)state;
    vxe_error error = {0};
    double got[16];
    const vxe_gradient_def def = definition(1300, 1e-5);
    vxe_design *design = bound_colliders(false, 0.5);
    design->materials[design->voxels[8].material].youngs_modulus = 0;
    vxe_gradient *gradient = gradient_of(design, &def);
    for (vxe_gradient_by by = VXE_BY_STIFFNESS; by <= VXE_BY_FLOOR_DAMPING; by++) {
        if (vxe_gradient_of(gradient, 0, by, got, &error)) {
            fail_msg("%s", error.message);
        }
    }
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

/* J: the last velocity along x. */
static double rebound(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                      uint32_t count, vxe_gradient_sample *weights)
{
    (void)user;
    (void)robot;
    weights[count - 1].velocity[0] = 1;
    return samples[count - 1].velocity[0];
}

/* A bar flies straight at a bar that is held, g from face to face. Along one line all forces are
 * linear in displacements while the bars touch: with speed and g twice as large, everything is, at
 * the same times. So the velocity at the end is homogeneous of degree one in both, and by Euler it
 * is sum v_i dv/dv_i + g sum dv/dx_i, in the discrete run too. Bound: 1e-9, rounding of 2000 steps.
 */
static void a_rebound_is_homogeneous_in_speed_and_gap(void **state)
{
    (void)state;
    vxe_error error = {0};
    uint32_t robot;
    double value;
    double by_start[12 * 6];
    double sum = 0; /* m/s */
    uint32_t wall[3] = {0, 1, 2};
    const vxe_region held = {
        .shape = VXE_REGION_VOXELS, .voxels = wall, .voxel_count = 3, .fixed = VXE_FIX_ALL};
    vxe_material m = standard_material();
    m.bond_damping = m.collision_damping = m.global_damping = 0;
    vxe_gradient_def def = definition(2000, 1e-5);
    vxe_design *design = block_design(&m, 3, 1, 1);
    for (int x = 4; x < 7; x++) {
        assert_false(vxe_design_add_voxel(design, x, 0, 0, 0, NULL));
    }
    for (uint32_t v = 3; v < 6; v++) {
        assert_false(vxe_design_set_velocity(design, v, (const double[3]){-1, 0, 0},
                                             (const double[3]){0, 0, 0}, NULL));
    }
    assert_false(vxe_design_add_region(design, &held, NULL));
    design->self_collision = true;
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    assert_false(vxe_gradient_run(gradient, rebound, NULL, &error));
    assert_false(vxe_gradient_value(gradient, robot, &value, &error));
    assert_false(vxe_gradient_of(gradient, robot, VXE_BY_START, by_start, &error));
    for (uint32_t v = 3; v < 6; v++) {
        sum += EDGE * by_start[12 * v] - by_start[12 * v + 6];
    }
    assert_true(value > 0.4); /* half of it is the mass of the bar that rests */
    check_near("velocity by what it is homogeneous in", sum, value, 1e-9);
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

/* Bars beside each other, one step up: from corner to corner their voxels are an edge apart along
 * two axes. A wave makes them larger than that from the start, and they begin to push where they
 * are. */
static vxe_design *pressed(uint32_t i)
{
    uint32_t end = 0;
    const vxe_region held = {
        .shape = VXE_REGION_VOXELS, .voxels = &end, .voxel_count = 1, .fixed = VXE_FIX_ALL};
    vxe_design *from = crawler(0.1);
    vxe_material *m = &from->materials[0];
    m->static_friction = m->dynamic_friction = i % 2 ? 0.5 : 0;
    vxe_design *design = block_design(m, 8, 1, 1);
    for (int x = 0; x < 8; x++) {
        assert_false(vxe_design_add_voxel(design, x, 1, 1, 0, NULL));
    }
    (void)vxe_design_layer(design, "PhaseOffset", 1);
    (void)vxe_design_layer(design, "InitialSize", 1);
    vxe_layer *amplitude = vxe_design_layer(design, "Amplitude", 1);
    vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    vxe_layer *size = vxe_design_layer(design, "InitialSize", 1);
    for (uint32_t v = 0; v < 16; v++) {
        size->values[v] = 1.2;
        amplitude->values[v] = 2 + 0.1 * ((v + i) % 3);
        phase->values[v] = 0.2 + 0.01 * ((3 * v + i) % 7);
        const double rate[3] = {0, v < 8 ? 0.2 : -0.2, v < 8 ? 0.3 : -0.3};
        assert_false(vxe_design_set_velocity(design, v, rate, (const double[3]){0, 0, 0}, NULL));
    }
    design->actuation = from->actuation;
    design->self_collision = true;
    assert_false(vxe_design_add_region(design, &held, NULL));
    vxe_design_destroy(from);
    return design;
}

/* Adds a robot whose upper bar starts a little aside and turned, each voxel by itself: where voxels
 * stand straight, which of their faces is the deepest is a toss. */
static uint32_t add_askew(vxe_gradient *gradient, const vxe_design *design)
{
    vxe_error error = {0};
    uint32_t robot;
    uint64_t seed = 3;
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    for (uint32_t v = 8; v < 16; v++) {
        for (uint32_t c = 0; c < 6; c++) {
            const double aside = c == 1 ? 4e-4 : 0;
            move_start(&gradient->robots[robot], v, c,
                       aside + (c < 3 ? 1e-4 : 0.05) * random_unit(&seed));
        }
    }
    return robot;
}

/* By numbers of the wave, and by where voxels start, which says where they begin to push. Bounds:
 * what differences round off that overlap in single precision, 1e-10 m; with it in double they are
 * below 1e-6. */
static void gradients_of_pressed_bodies_are_those_of_differences(void **state)
{
    (void)state;
    static const double steps[4] = {3e-7, 3e-5, 1e-3, 1e-1}; /* m, rad, m/s, rad/s */
    const vxe_gradient_def def = definition(300, 1e-5);
    double got[12 * 16];
    vxe_design *design = pressed(0);
    check_differences(design, &def, 100 * OF_CYCLES, 1e-4);
    vxe_gradient *gradient = vxe_gradient_create(&def, NULL);
    (void)add_askew(gradient, design);
    assert_false(vxe_gradient_run(gradient, objective, NULL, NULL));
    assert_false(vxe_gradient_of(gradient, 0, VXE_BY_START, got, NULL));
    for (uint32_t v = 3; v < 16; v += 6) {
        double slopes[12];
        start_differences(design, &def, add_askew, steps, v, slopes);
        for (uint32_t c = 0; c < 12; c += 3) {
            check_below("difference from central differences, relative",
                        worst_of(got + 12 * v + c, slopes + c, 3), 5e-3);
        }
    }
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

static vxe_design *some_colliders(uint32_t i)
{
    vxe_design *design = bound_colliders(i % 2, 0.5);
    vxe_design_layer(design, "PhaseOffset", 1)->values[i] += 0.1 * i;
    return design;
}

static void gradients_have_the_bits_of_runs_and_no_company(void **state)
{
    (void)state;
    vxe_gradient_def def = definition(1050, 1e-5);
    check_bits(pressed, &def);
    check_bits(some_colliders, &def);
    def.world.damping = VXE_DAMPING_SWEEP;
    def.by = (1u << VXE_BY_STIFFNESS) - 1;
    check_bits(some_colliders, &def);
}

/* Where sensitivities fall by e in a time, all of them do, and those of what pairs remember: those
 * at the start, of a number of the end, fall in each step but the last one. Bound: 1e-9, rounding.
 */
static void what_pairs_remember_is_forgotten_as_well(void **state)
{
    (void)state;
    vxe_gradient_def def = definition(1050, 1e-5);
    double exact[12 * 16];
    double got[12 * 16];
    vxe_design *design = bound_colliders(false, 0.5);
    vxe_gradient *gradient = gradient_of(design, &def);
    assert_false(vxe_gradient_of(gradient, 0, VXE_BY_START, exact, NULL));
    vxe_gradient_destroy(gradient);
    def.forget = 0.01;
    gradient = gradient_of(design, &def);
    assert_false(vxe_gradient_of(gradient, 0, VXE_BY_START, got, NULL));
    for (int i = 0; i < 12 * 16; i++) {
        exact[i] *= exp(-1049 * 1e-5 / def.forget);
    }
    check_below("forgotten sensitivities, relative", worst_of(got, exact, 12 * 16), 1e-9);
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_of_collisions_are_those_of_differences),
        cmocka_unit_test(gradients_through_friction_are_those_of_differences),
        cmocka_unit_test(voxels_without_stiffness_have_gradients),
        cmocka_unit_test(a_rebound_is_homogeneous_in_speed_and_gap),
        cmocka_unit_test(what_pairs_remember_is_forgotten_as_well),
        cmocka_unit_test(gradients_of_pressed_bodies_are_those_of_differences),
        cmocka_unit_test(gradients_have_the_bits_of_runs_and_no_company)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
