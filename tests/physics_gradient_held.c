/* SPDX-License-Identifier: MIT */
/* Gradients of bodies that boundary conditions hold, load and move, against closed forms and
   differences. */
#include <math.h>

#include "gradients.h"

/* J: how far the centre of mass has gone along an axis (an int). */
static double way(void *user, uint32_t robot, const vxe_gradient_sample *samples, uint32_t count,
                  vxe_gradient_sample *weights)
{
    const int axis = *(const int *)user;
    (void)robot;
    weights[count - 1].center[axis] = 1;
    weights[0].center[axis] = -1;
    return samples[count - 1].center[axis] - samples[0].center[axis];
}

/* A condition for the voxels at an end of a block, along x. */
static void bind_column(vxe_design *design, int column, vxe_region condition)
{
    uint32_t voxels[64];
    condition.shape = VXE_REGION_VOXELS;
    condition.voxels = voxels;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        if (design->voxels[v].position[0] == column) {
            voxels[condition.voxel_count++] = v;
        }
    }
    assert_false(vxe_design_add_region(design, &condition, NULL));
}

/* The sum of a gradient by a number of each voxel, times that number. */
static double whole(const vxe_gradient *gradient, vxe_gradient_by by, double number)
{
    double got[64];
    double sum = 0;
    assert_false(vxe_gradient_of(gradient, 0, by, got, NULL));
    for (uint32_t v = 0; v < vxe_gradient_width(gradient, 0, by); v++) {
        sum += number * got[v];
    }
    return sum;
}

static vxe_gradient *way_of(const vxe_design *design, const vxe_gradient_def *def, int axis,
                            double *value)
{
    vxe_error error = {0};
    uint32_t robot;
    vxe_gradient *gradient = vxe_gradient_create(def, &error);
    if (!gradient || vxe_gradient_add(gradient, design, &robot, &error) ||
        vxe_gradient_run(gradient, way, &axis, &error) ||
        vxe_gradient_value(gradient, robot, value, &error)) {
        fail_msg("%s", error.message);
    }
    return gradient;
}

/* A voxel on the spring of its bond to one that is held, without damping: k = E a. Symplectic Euler
   from velocity v gives x_n = v h sin(n t)/sin t with 2 sin(t/2) = h sqrt(k/m), hence
   dt/dE = t's tangent over 2 E. Bound: 1e-9, what 3000 steps round (3e-11 found). */
static void a_spring_has_its_closed_form(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    const double speed = 0.03;
    const double h = 5e-6;
    const double n = 3000;
    assert_false(
        vxe_design_set_velocity(design, 1, (double[3]){speed, 0, 0}, (double[3]){0}, NULL));
    bind_column(design, 0, (vxe_region){.fixed = VXE_FIX_ALL});
    const vxe_gradient_def def = definition((uint64_t)n, h);
    double value;
    vxe_gradient *gradient = way_of(design, &def, 0, &value);
    const double mass = m.density * EDGE * EDGE * EDGE;
    const double sine = 0.5 * h * sqrt(m.youngs_modulus * EDGE / mass);
    const double t = 2 * asin(sine);
    const double x = speed * h * sin(n * t) / sin(t);
    const double by_t =
        speed * h * (n * cos(n * t) - sin(n * t) * cos(t) / sin(t)) / sin(t); /* dx/dt */
    const double by_root = 2 / cos(t / 2) * sine; /* dt/dlog of sqrt(k/m) */
    check_near("place", value / (0.5 * x), 1, 1e-9);
    check_near("by stiffness",
               whole(gradient, VXE_BY_STIFFNESS, m.youngs_modulus) / (0.25 * by_t * by_root), 1,
               1e-9);
    /* The held voxel's mass moves nothing, and weighs in the mean, whose share is even. */
    double by_density[2];
    assert_false(vxe_gradient_of(gradient, 0, VXE_BY_DENSITY, by_density, NULL));
    check_near("by density", m.density * by_density[1] / (0.25 * x - 0.25 * by_t * by_root), 1,
               1e-9);
    check_near("by that of the held one", m.density * by_density[0] / (-0.25 * x), 1, 1e-9);
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

/* A beam of five voxels that is held at one end, bent a millionth of its length by a load at the
   other or by its weight, and come to rest: its way is load over stiffness. Bound: 1e-6, what is
   left of the motion. */
static void a_beam_bends_by_load_over_stiffness(void **state)
{
    (void)state;
    for (int weight = 0; weight < 2; weight++) {
        vxe_material m = standard_material();
        m.bond_damping = 0.3;
        m.global_damping = 0.05;
        vxe_design *design = block_design(&m, 5, 1, 1);
        const double load = -1e-6 * m.youngs_modulus * EDGE * EDGE;
        bind_column(design, 0, (vxe_region){.fixed = VXE_FIX_ALL});
        if (weight) {
            design->gravity[2] = load / (m.density * EDGE * EDGE * EDGE);
        } else {
            bind_column(design, 4, (vxe_region){.force = {0, 0, load}});
        }
        const vxe_gradient_def def = definition(40000, 2e-5);
        double value;
        vxe_gradient *gradient = way_of(design, &def, 2, &value);
        print_message("  way %g m\n", value);
        assert_true(value < 0 && value > -0.01 * EDGE);
        check_near("by stiffness", whole(gradient, VXE_BY_STIFFNESS, m.youngs_modulus) / -value, 1,
                   1e-6);
        if (weight) {
            check_near("by density", whole(gradient, VXE_BY_DENSITY, m.density) / value, 1, 1e-6);
        } else {
            double by_load[15];
            assert_false(vxe_gradient_of(gradient, 0, VXE_BY_LOAD, by_load, NULL));
            check_near("by load", load * by_load[3 * 4 + 2] / value, 1, 1e-6);
            check_near("by a load on what is held", by_load[2], 0, 0);
        }
        vxe_gradient_destroy(gradient);
        vxe_design_destroy(design);
    }
}

enum { CONDITIONS = 4 };

/* A crawler, or patchwork, with conditions of all kinds. */
static void bind_body(vxe_design *design, int number)
{
    static double table[] = {0, 0, 0.003, 1, 0.008, -0.5, 0.03, 0.7};
    const vxe_region conditions[CONDITIONS] = {
        {.fixed = VXE_FIX_X | VXE_FIX_RY | VXE_FIX_RZ, .force = {0, 1e-3, 2e-3}},
        {.fixed = VXE_FIX_ALL,
         .displacement = {2e-4, 1e-4, 5e-4},
         .rotation = {0.05, 0, 0.1},
         .table = table,
         .table_count = 4},
        {.fixed = VXE_FIX_Z | VXE_FIX_RX, .displacement = {0, 0, 3e-4}, .rotation = {0.1, 0, 0}},
        {.force = {1e-3, -1e-3, 2e-3}, .moment = {1e-6, 2e-6, -1e-6}, .fixed = VXE_FIX_Y}};
    bind_column(design, 0, conditions[number]);
}

/* By phase, amplitude and numbers of materials, against central differences (bound as in
   physics_gradient.c): one end held along x, moved as a whole, lifted, and loaded; on the floor and
   above it. */
static void gradients_of_bound_bodies_are_those_of_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * CONDITIONS; i++) {
        vxe_design *design = patchwork(0.3, i % 2 == 0);
        vxe_gradient_def def = definition(1000, 1e-5);
        design->floor.enabled = i < CONDITIONS;
        bind_body(design, i % CONDITIONS);
        print_message("  case %d\n", i);
        check_differences(design, &def, OF_CYCLES, 1e-6);
        check_materials(design, &def, OF_MATERIALS, 1e-6);
        vxe_design_destroy(design);
    }
}

/* The same through damping iterations, but for materials. */
static void they_are_through_damping_iterations(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * CONDITIONS; i++) {
        vxe_design *design = crawler(i < CONDITIONS ? 0.3 : 0.01);
        vxe_gradient_def def = definition(500, 3e-5);
        def.by = (1u << VXE_BY_AMPLITUDE) | (1u << VXE_BY_PHASE);
        def.world.damping = VXE_DAMPING_SWEEP;
        design->materials[0].bond_damping = i % 2 ? 3 : 0.3;
        bind_body(design, i % CONDITIONS);
        print_message("  case %d\n", i);
        check_differences(design, &def, OF_CYCLES, 1e-6);
        vxe_design_destroy(design);
    }
}

/* Adds a robot whose bound voxels have velocities and spins at the start that no design gives to
   what is held: at rest on the floor the law has a kink. */
static uint32_t add_in_motion(vxe_gradient *gradient, const vxe_design *design)
{
    static const double rates[6] = {0.01, -0.02, -0.03, 1, 2, -1};
    vxe_error error = {0};
    uint32_t robot;
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        for (uint32_t c = 0; c < 6 && design->voxels[v].position[0] == 0; c++) {
            move_start(&gradient->robots[robot], v, 6 + c, rates[c]);
        }
    }
    return robot;
}

/* By the start of a bound voxel and of its neighbour, of places, turns, velocities and spins, on
   the floor and above it. Bound: 1e-4, what differences round where slopes are small. */
static void by_the_start_they_are_those_of_differences(void **state)
{
    (void)state;
    static const double steps[4] = {1e-9, 1e-5, 1e-6, 1e-3}; /* m, rad, m/s, rad/s */
    for (int i = 0; i < 4 * CONDITIONS; i++) {
        vxe_design *design = patchwork(0.3, i % 2 == 0);
        vxe_gradient_def def = definition(50, 2e-5);
        vxe_error error = {0};
        double got[12 * 16];
        def.by = (1u << VXE_BY_START) | (1u << VXE_BY_PHASE);
        def.world.damping = i < 2 * CONDITIONS ? VXE_DAMPING_EXPLICIT : VXE_DAMPING_SWEEP;
        design->floor.enabled = i / CONDITIONS % 2;
        bind_body(design, i % CONDITIONS);
        vxe_gradient *gradient = vxe_gradient_create(&def, &error);
        (void)add_in_motion(gradient, design);
        assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
        assert_false(vxe_gradient_of(gradient, 0, VXE_BY_START, got, NULL));
        for (uint32_t v = 0; v < 2; v++) {
            double slopes[12];
            start_differences(design, &def, add_in_motion, steps, v, slopes);
            print_message("  case %d, voxel %u\n", i, v);
            for (uint32_t c = 0; c < 12; c += 3) {
                check_below("difference from central differences, relative",
                            worst_of(got + 12 * v + c, slopes + c, 3), 1e-4);
            }
        }
        vxe_gradient_destroy(gradient);
        vxe_design_destroy(design);
    }
}

/* A robot has the gradient that it has alone beside one that nothing binds. */
static void bound_and_free_bodies_share_vectors(void **state)
{
    (void)state;
    vxe_design *designs[2] = {crawler(0.3), crawler(0.3)};
    const vxe_gradient_def def = definition(300, 1e-5);
    vxe_error error = {0};
    uint32_t robot;
    bind_body(designs[1], 1);
    vxe_gradient *both = vxe_gradient_create(&def, &error);
    assert_false(vxe_gradient_add(both, designs[0], &robot, &error));
    assert_false(vxe_gradient_add(both, designs[1], &robot, &error));
    assert_false(vxe_gradient_run(both, objective, NULL, &error));
    for (uint32_t i = 0; i < 2; i++) {
        vxe_gradient *alone = gradient_of(designs[i], &def);
        for (vxe_gradient_by by = 0; by < VXE_GRADIENT_BYS; by++) {
            double one[12 * 16];
            double other[12 * 16];
            assert_false(vxe_gradient_of(alone, 0, by, one, &error));
            assert_false(vxe_gradient_of(both, i, by, other, &error));
            assert_memory_equal(one, other, vxe_gradient_width(alone, 0, by) * sizeof *one);
        }
        vxe_gradient_destroy(alone);
        vxe_design_destroy(designs[i]);
    }
    vxe_gradient_destroy(both);
}

/* Friction that is not free along one of its directions cannot be undone. */
static void what_is_drawn_aslant_is_refused(void **state)
{
    (void)state;
    vxe_design *design = crawler(0.3);
    vxe_error error = {0};
    uint32_t robot;
    const vxe_gradient_def def = definition(10, 1e-5);
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    bind_column(design, 0, (vxe_region){.fixed = VXE_FIX_Y, .displacement = {0, 1e-4, 0}});
    assert_int_equal(vxe_gradient_add(gradient, design, &robot, &error), VXE_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "there is no gradient through motion prescribed along one "
                                       "direction of a floor with the other free");
    design->floor.enabled = false;
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_has_its_closed_form),
        cmocka_unit_test(a_beam_bends_by_load_over_stiffness),
        cmocka_unit_test(gradients_of_bound_bodies_are_those_of_differences),
        cmocka_unit_test(they_are_through_damping_iterations),
        cmocka_unit_test(by_the_start_they_are_those_of_differences),
        cmocka_unit_test(bound_and_free_bodies_share_vectors),
        cmocka_unit_test(what_is_drawn_aslant_is_refused),
    };
    return cmocka_run_group_tests_name("physics_gradient_held", tests, NULL, NULL);
}
