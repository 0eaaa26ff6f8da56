/* SPDX-License-Identifier: MIT */
/* Gradients through whole runs, against formulas and against differences of runs. */
#include <math.h>
#include <string.h>

#include "gradients.h"

/* J: the last velocity along x. user: a double for that along z, or null. */
static double last_velocity(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                            uint32_t count, vxe_gradient_sample *weights)
{
    (void)robot;
    if (user) {
        *(double *)user = samples[count - 1].velocity[2];
    }
    weights[count - 1].velocity[0] = 1;
    return samples[count - 1].velocity[0];
}

/* A voxel in free fall: symplectic Euler gives dz/dF = h^2 N(N + 1)/(2 m) and dz/dv0 = N h. */
static void free_fall_has_its_derivatives(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    design->gravity[2] = -9.81;
    const double h = 1e-4;
    const uint64_t steps = 300;
    const vxe_gradient_def def = definition(steps, h);
    vxe_gradient *gradient = gradient_of(design, &def);
    double by_load[3];
    double by_start[12];
    assert_false(vxe_gradient_of(gradient, 0, VXE_BY_LOAD, by_load, NULL));
    assert_false(vxe_gradient_of(gradient, 0, VXE_BY_START, by_start, NULL));
    const double n = (double)steps;
    const double mass = m.density * EDGE * EDGE * EDGE;
    for (int c = 0; c < 3; c++) {
        const double fall =
            (ask_place[c] * h * h * n * (n + 1) / 2 + ask_velocity[c] * n * h) / mass;
        check_near("by a load", by_load[c] / fall, 1, 1e-13);
        check_near("by the place at the start", by_start[c], ask_place[c], 1e-15);
        check_near("by the velocity at the start", by_start[6 + c],
                   ask_place[c] * n * h + ask_velocity[c], 1e-15);
        check_near("by the spin at the start", by_start[9 + c], 0, 0);
    }
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

/* On the floor, with voxels that touch down, slip and lift off: within these 20 ms no branch
 * changes where the differences are taken. Bound: 1e-6, what the differences round (steps of 2e-6).
 */
static void gradients_on_the_floor_are_those_of_differences(void **state)
{
    (void)state;
    const double speeds[2] = {0.3, 0.01}; /* m/s: voxels slip all the time, or come to rest */
    for (int i = 0; i < 2; i++) {
        vxe_design *design = crawler(speeds[i]);
        const vxe_gradient_def def = definition(2000, 1e-5);
        check_differences(design, &def, OF_CYCLES, 1e-6);
        vxe_design_destroy(design);
    }
}

/* With damping iterations, of which there are one, two and four: the same, in steps that explicit
 * dashpots would not bear, with global drag and without. */
static void gradients_through_damping_iterations_are_those_of_differences(void **state)
{
    (void)state;
    const double damping[3] = {0.02, 0.3, 3};
    const uint32_t iterations[3] = {1, 2, 4};
    for (int i = 0; i < 6; i++) {
        vxe_design *design = i == 3 ? patchwork(0.01, false) : crawler(i % 2 ? 0.01 : 0.3);
        vxe_gradient_def def = definition(500, 3e-5);
        vxe_gradient *gradient;
        def.by = (1u << VXE_BY_AMPLITUDE) | (1u << VXE_BY_PHASE);
        def.world.damping = VXE_DAMPING_SWEEP;
        def.world.composite = i == 3 ? VXE_COMPOSITE_CONDENSED : VXE_COMPOSITE_HARMONIC;
        for (uint32_t m = 0; m < design->material_count; m++) {
            design->materials[m].bond_damping = damping[i / 2];
        }
        gradient = gradient_of(design, &def);
        assert_int_equal(gradient->robots[0].simulation.plan.damping_iterations, iterations[i / 2]);
        vxe_gradient_destroy(gradient);
        check_differences(design, &def, OF_CYCLES, 1e-6);
        vxe_design_destroy(design);
    }
}

/* A voxel that slides: the floor pushes it by m (g T + v_z), and it gains -mu_d times that along
 * its way, so that dv_x/dmu_d = -(g T + v_z), however it bounces. */
static void friction_slows_by_its_coefficient(void **state)
{
    (void)state;
    vxe_error error = {0};
    uint32_t robot;
    double got;
    double end;
    vxe_material m = standard_material();
    m.collision_damping = 0.2;
    m.static_friction = m.dynamic_friction = 0.4;
    vxe_design *design = block_design(&m, 1, 1, 1);
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    assert_false(vxe_design_set_velocity(design, 0, (const double[3]){3, 0, -0.05},
                                         (const double[3]){0, 0, 0}, &error));
    const vxe_gradient_def def = definition(3000, 1e-5);
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    assert_false(vxe_gradient_run(gradient, last_velocity, &end, &error));
    assert_false(vxe_gradient_of(gradient, robot, VXE_BY_FRICTION, &got, &error));
    check_near("velocity by friction, over -(g T + v_z)", got / -(9.81 * 3000e-5 + end + 0.05), 1,
               1e-12);
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

/* By numbers of materials, in bodies that slide and in one that hops. The same as above. */
static void gradients_by_materials_are_those_of_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        vxe_design *design = patchwork(i < 2 ? 0.3 : 0.01, i % 2 == 0);
        vxe_gradient_def def = definition(1000, 1e-5);
        def.sample_every = i > 1 ? 250 : 0;
        def.world.composite = i > 1 ? VXE_COMPOSITE_CONDENSED : VXE_COMPOSITE_HARMONIC;
        print_message("  case %d\n", i);
        check_materials(design, &def, OF_MATERIALS, 1e-6);
        vxe_design_destroy(design);
    }
}

/* The same for what a body starts with: the velocity and spin of one of its voxels. */
static void gradients_by_the_start_are_those_of_differences(void **state)
{
    (void)state;
    vxe_design *design = crawler(0.05);
    const vxe_gradient_def def = definition(2000, 1e-5);
    const double steps[2] = {1e-6, 1e-4}; /* m/s, rad/s */
    const uint32_t voxel = 5;
    double got[12 * 16];
    vxe_gradient *gradient = gradient_of(design, &def);
    assert_false(vxe_gradient_of(gradient, 0, VXE_BY_START, got, NULL));
    double slopes[6];
    moved_number moved[6];
    for (int c = 0; c < 6; c++) {
        moved[c] = (moved_number){{&design->velocity[6 * voxel + (uint32_t)c], NULL}, steps[c / 3]};
    }
    central_differences(design, moved, 6, &def, slopes);
    check_below("by a velocity", worst_of(got + 12 * voxel + 6, slopes, 3), 1e-6);
    check_below("by a spin", worst_of(got + 12 * voxel + 9, slopes + 3, 3), 1e-6);
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

/* Crawlers with different phases. */
static vxe_design *some_crawler(uint32_t i)
{
    vxe_design *design = crawler(0.05);
    vxe_design_layer(design, "PhaseOffset", 1)->values[i] += 0.1 * i;
    return design;
}

static void gradients_have_the_bits_of_runs_and_no_company(void **state)
{
    (void)state;
    vxe_gradient_def def = definition(700, 1e-5);
    check_bits(some_crawler, &def);
    def.world.damping = VXE_DAMPING_SWEEP;
    def.by = (1u << VXE_BY_STIFFNESS) - 1;
    check_bits(some_crawler, &def);
}

/* A voxel that a fluid slows along one of its axes: v' = v - h c v^2/m with c = rho C_d a^2/2, so
 * that dv_n/dv_0 is the product of 1 - 2 h c v/m; or, where one step would reverse it, it stops at
 * once. */
static void a_fluid_slows_by_the_square_of_speed(void **state)
{
    (void)state;
    for (int stops = 0; stops < 2; stops++) {
        vxe_material m = standard_material();
        vxe_design *design = block_design(&m, 1, 1, 1);
        const double speed = stops ? 3000 : 3;
        const double h = 1e-3;
        const uint64_t steps = stops ? 1 : 200;
        double by_start[12];
        double v = speed;
        double slope = 1;
        design->fluid = (vxe_fluid){.enabled = true, .density = 1000, .drag_coefficient = 1.5};
        assert_false(
            vxe_design_set_velocity(design, 0, (double[3]){speed, 0, 0}, (double[3]){0}, NULL));
        const vxe_gradient_def def = definition(steps, h);
        double last = 0;
        uint32_t robot;
        vxe_error error = {0};
        vxe_gradient *gradient = vxe_gradient_create(&def, &error);
        assert_false(vxe_gradient_add(gradient, design, &robot, &error));
        assert_false(vxe_gradient_run(gradient, last_velocity, NULL, &error));
        assert_false(vxe_gradient_value(gradient, 0, &last, &error));
        assert_false(vxe_gradient_of(gradient, 0, VXE_BY_START, by_start, &error));
        const double part = h * 0.5 * 1000 * 1.5 * EDGE * EDGE / (m.density * EDGE * EDGE * EDGE);
        for (uint64_t n = 0; n < steps; n++) {
            const bool whole = part * v >= 1;
            slope *= whole ? 0 : 1 - 2 * part * v;
            v -= whole ? v : part * v * v;
        }
        check_near("velocity", last, v, 1e-12);
        check_near("by the velocity at the start", by_start[6], slope, 1e-12);
        if (stops) { /* whatever its mass */
            double by_density;
            assert_false(vxe_gradient_of(gradient, 0, VXE_BY_DENSITY, &by_density, &error));
            check_near("by density", by_density, 0, 1e-12);
        }
        vxe_gradient_destroy(gradient);
        vxe_design_destroy(design);
    }
}

/* A body that swims, or crawls under water, which carries a part of it: the same as above. */
static void gradients_in_a_fluid_are_those_of_differences(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        vxe_design *design = patchwork(0.3, i % 2 == 0);
        const bool iterates = i == 3;
        vxe_gradient_def def = definition(iterates ? 500 : 1000, iterates ? 3e-5 : 1e-5);
        def.world.damping = iterates ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        def.by = iterates ? (1u << VXE_BY_AMPLITUDE) | (1u << VXE_BY_PHASE) : def.by;
        design->fluid = (vxe_fluid){.enabled = true,
                                    .buoyancy = i > 0,
                                    .density = i > 0 ? 700 : 3e5,
                                    .drag_coefficient = 1.5};
        design->floor.enabled = i > 1;
        print_message("  case %d\n", i);
        check_differences(design, &def, OF_CYCLES, 1e-6);
        if (!iterates) {
            check_materials(design, &def, OF_MATERIALS, 1e-6);
        }
        vxe_design_destroy(design);
    }
}

/* Adjoints that are forgotten are k = exp(-h/forget) times as large a step before: of a free voxel,
 * with adjoints a and b of place and velocity at the end, those at the start are k^(N-1) a and
 * k^(N-1) (b + N h a). Bound: rounding of 300 steps. */
static void adjoints_are_forgotten(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    vxe_gradient_def def = definition(300, 1e-4);
    design->gravity[2] = 0;
    def.forget = 0.01;
    vxe_gradient *gradient = gradient_of(design, &def);
    double by_start[12];
    assert_false(vxe_gradient_of(gradient, 0, VXE_BY_START, by_start, NULL));
    const double kept = exp(-299 * 1e-4 / def.forget);
    for (int c = 0; c < 3; c++) {
        check_near("by the place at the start", by_start[c], kept * ask_place[c], 1e-14);
        check_near("by the velocity at the start", by_start[6 + c],
                   kept * (ask_velocity[c] + 300 * 1e-4 * ask_place[c]), 1e-14);
    }
    assert_false(vxe_gradient_run(gradient, last_velocity, NULL, NULL));
    check_near("growth of what is forgotten", vxe_gradient_describe(gradient, 0).growth,
               -1 / def.forget, 1e-9);
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

static double no_number(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                        uint32_t count, vxe_gradient_sample *weights)
{
    const double value = objective(user, robot, samples, count, weights);
    return robot == 1 ? (double)NAN : value;
}

/* What cannot be is refused by name; what diverges says so, and leaves the others alone. */
static void bad_input_is_refused(void **state)
{
    (void)state;
    vxe_error error = {0};
    uint32_t robot;
    double numbers[12 * 16];
    vxe_gradient_def def = definition(2000, 1e-5);
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    vxe_design *design = crawler(0.05);
    vxe_design *loose = crawler(0.05);
    loose->self_collision = true;
    assert_false(vxe_design_add_voxel(loose, 9, 9, 9, 0, &error));
    assert_int_equal(vxe_gradient_add(gradient, loose, &robot, &error), VXE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "self-collision of voxels without bonds"));
    vxe_design_destroy(loose);
    def.world.damping = VXE_DAMPING_SWEEP;
    vxe_gradient *iterated = vxe_gradient_create(&def, &error);
    assert_int_equal(vxe_gradient_add(iterated, design, &robot, &error), VXE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "numbers of materials"));
    vxe_gradient_destroy(iterated);
    def.world.damping = VXE_DAMPING_EXPLICIT;
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    vxe_design *wild = crawler(0.05);
    assert_false(vxe_design_set_velocity(wild, 0, (const double[3]){300, 0, 0},
                                         (const double[3]){0, 0, 0}, &error));
    assert_false(vxe_gradient_add(gradient, wild, &robot, &error));
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_int_equal(vxe_gradient_of(gradient, 1, VXE_BY_PHASE, numbers, &error),
                     VXE_ERROR_DIVERGED);
    assert_false(vxe_gradient_of(gradient, 0, VXE_BY_PHASE, numbers, &error));
    vxe_gradient *alone = gradient_of(design, &def);
    assert_memory_equal(numbers, alone->robots[0].by[VXE_BY_PHASE], 16 * sizeof(double));
    vxe_gradient_destroy(alone);
    vxe_gradient_destroy(gradient);
    gradient = vxe_gradient_create(&def, &error);
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error)); /* of no robots */
    for (int i = 0; i < 3; i++) {
        assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    }
    assert_false(vxe_gradient_run(gradient, no_number, NULL, &error));
    assert_int_equal(vxe_gradient_of(gradient, 1, VXE_BY_PHASE, numbers, &error),
                     VXE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "no finite number"));
    assert_memory_equal(gradient->robots[2].by[VXE_BY_PHASE], gradient->robots[0].by[VXE_BY_PHASE],
                        16 * sizeof(double));
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
    vxe_design_destroy(wild);
}

static void wrong_definitions_are_refused(void **state)
{
    (void)state;
    vxe_error error = {0};
    uint32_t robot;
    double numbers[16];
    vxe_design *design = crawler(0.05);
    vxe_gradient_def def = definition(10, 1e-5);
    def.world.step_rule = VXE_STEP_AUTO;
    assert_null(vxe_gradient_create(&def, &error));
    assert_non_null(strstr(error.message, "seconds"));
    def = definition(0, 1e-5);
    assert_null(vxe_gradient_create(&def, &error));
    def = definition(10, 1e-5);
    def.by = 1u << VXE_GRADIENT_BYS;
    assert_null(vxe_gradient_create(&def, &error));
    def.by = 1u << VXE_BY_PHASE;
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_int_equal(vxe_gradient_of(gradient, robot, VXE_BY_STIFFNESS, numbers, &error),
                     VXE_ERROR_ARGUMENT);
    vxe_gradient_destroy(gradient);
    def = definition(10, 1e-5);
    def.cookie = 0;
    assert_null(vxe_gradient_create(&def, &error));
    vxe_design_destroy(design);
}

/* Robots of more than one vector, with numbers that were put into copies of one design, have the
 * bits of designs that were made so, whatever the threads and the memory. */
static void numbers_that_are_put_are_those_of_a_design(void **state)
{
    (void)state;
    enum { ROBOTS = 19 };
    vxe_error error = {0};
    double got[3][ROBOTS][16];
    vxe_design *design = crawler(0.05);
    const vxe_layer *phase = vxe_design_find_layer(design, "PhaseOffset");
    for (uint32_t threads = 1; threads <= 3; threads++) {
        vxe_gradient_def def = definition(200, 1e-5);
        def.world.threads = threads;
        def.memory = threads == 3 ? 1 : 0; /* as few states as can be */
        vxe_gradient *gradient = vxe_gradient_create(&def, &error);
        for (uint32_t i = 0; i < ROBOTS; i++) {
            uint32_t robot;
            double values[16];
            memcpy(values, phase->values, sizeof values);
            values[i % 16] += 0.01 * (1 + i);
            assert_false(vxe_gradient_add(gradient, design, &robot, &error));
            assert_false(vxe_gradient_put(gradient, i, VXE_BY_PHASE, values, &error));
        }
        assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
        for (uint32_t i = 0; i < ROBOTS; i++) {
            assert_false(vxe_gradient_of(gradient, i, VXE_BY_PHASE, got[threads - 1][i], &error));
        }
        vxe_gradient_destroy(gradient);
    }
    assert_memory_equal(got[0], got[1], sizeof got[0]);
    assert_memory_equal(got[0], got[2], sizeof got[0]);
    for (uint32_t i = 0; i < ROBOTS; i += 6) {
        vxe_design *other = crawler(0.05);
        vxe_design_layer(other, "PhaseOffset", 1)->values[i % 16] += 0.01 * (1 + i);
        const vxe_gradient_def def = definition(200, 1e-5);
        vxe_gradient *gradient = gradient_of(other, &def);
        assert_memory_equal(gradient->robots[0].by[VXE_BY_PHASE], got[0][i], sizeof got[0][i]);
        vxe_gradient_destroy(gradient);
        vxe_design_destroy(other);
    }
    vxe_design_destroy(design);
}

/* Numbers that a design may not have are refused, by the voxel, and the robot keeps those from
 * before; also where it had no such layer. */
static void wrong_numbers_cannot_be_put(void **state)
{
    (void)state;
    vxe_error error = {0};
    uint32_t robot;
    double before[2];
    double after[2];
    vxe_material m = standard_material();
    m.thermal_expansion = 0.01;
    vxe_design *design = block_design(&m, 2, 1, 1);
    design->actuation = (vxe_actuation){.enabled = true, .amplitude = 12, .period = 0.05};
    const vxe_gradient_def def = definition(200, 1e-5);
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_false(vxe_gradient_of(gradient, robot, VXE_BY_PHASE, before, &error));
    const double wrong[2] = {0, 1e9};
    const double one[24] = {0};
    assert_int_equal(vxe_gradient_put(gradient, robot, VXE_BY_AMPLITUDE, wrong, &error),
                     VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "Amplitude"));
    const double no_number[2] = {(double)NAN, 0};
    assert_true(vxe_gradient_put(gradient, robot, VXE_BY_PHASE, no_number, &error));
    assert_int_equal(vxe_gradient_put(gradient, robot, VXE_BY_LOAD, one, &error),
                     VXE_ERROR_UNSUPPORTED);
    assert_int_equal(vxe_gradient_put(gradient, robot, VXE_BY_START, one, &error),
                     VXE_ERROR_UNSUPPORTED);
    const double soft[2] = {1e6, -1};
    assert_int_equal(vxe_gradient_put(gradient, robot, VXE_BY_STIFFNESS, soft, &error),
                     VXE_ERROR_INPUT);
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_false(vxe_gradient_of(gradient, robot, VXE_BY_PHASE, after, &error));
    assert_memory_equal(before, after, sizeof before);
    /* edges beyond ten times the lattice's are found where a robot is compiled: it says so, and
       runs again with others */
    const double wide[2] = {100, 100};
    assert_false(vxe_gradient_put(gradient, robot, VXE_BY_AMPLITUDE, wide, &error));
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_int_equal(vxe_gradient_of(gradient, robot, VXE_BY_PHASE, after, &error),
                     VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "edge"));
    const double usual[2] = {1, 1};
    assert_false(vxe_gradient_put(gradient, robot, VXE_BY_AMPLITUDE, usual, &error));
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_false(vxe_gradient_of(gradient, robot, VXE_BY_PHASE, after, &error));
    assert_memory_equal(before, after, sizeof before);
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

/* A block that slides to rest: each of its voxels begins to stick once. */
static void branches_are_counted(void **state)
{
    (void)state;
    vxe_error error = {0};
    uint32_t robot;
    vxe_material m = standard_material();
    m.collision_damping = 1;
    m.static_friction = m.dynamic_friction = 0.5;
    vxe_design *design = block_design(&m, 2, 2, 1);
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        assert_false(vxe_design_set_velocity(design, v, (const double[3]){0.01, 0, 0},
                                             (const double[3]){0, 0, 0}, &error));
    }
    const vxe_gradient_def def = definition(4000, 1e-5);
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    assert_int_equal(vxe_gradient_describe(gradient, robot).branch_changes, 0);
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    const vxe_gradient_facts facts = vxe_gradient_describe(gradient, robot);
    print_message("  %d changes, growth %g\n", (int)facts.branch_changes, facts.growth);
    assert_int_equal(facts.branch_changes, 4);
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_has_its_derivatives),
        cmocka_unit_test(gradients_on_the_floor_are_those_of_differences),
        cmocka_unit_test(gradients_by_materials_are_those_of_differences),
        cmocka_unit_test(gradients_through_damping_iterations_are_those_of_differences),
        cmocka_unit_test(friction_slows_by_its_coefficient),
        cmocka_unit_test(gradients_by_the_start_are_those_of_differences),
        cmocka_unit_test(gradients_have_the_bits_of_runs_and_no_company),
        cmocka_unit_test(a_fluid_slows_by_the_square_of_speed),
        cmocka_unit_test(gradients_in_a_fluid_are_those_of_differences),
        cmocka_unit_test(adjoints_are_forgotten),
        cmocka_unit_test(numbers_that_are_put_are_those_of_a_design),
        cmocka_unit_test(wrong_numbers_cannot_be_put),
        cmocka_unit_test(branches_are_counted),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(wrong_definitions_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
