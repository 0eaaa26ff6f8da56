/* SPDX-License-Identifier: MIT */
/* The power law over the faces of a 50 mm cube of 1000 kg/m^3. Expected numbers: closed forms, and
   those of the power-law cases of docs/accuracy.md, which were computed independently. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/contact_models/model_interface.h"
#include "engine/contact_models/power_law_point.h"
#include "particles.h"

#define SIDE 0.05
#define AREA (SIDE * SIDE)
#define BLOCK (1000 * SIDE * SIDE * SIDE)
#define D0 1e-3

static vxe_contact_law power(double alpha_r, double beta_a)
{
    vxe_contact_law law = vxe_contact_law_default(VXE_CONTACT_POWER);
    law.number[VXE_POWER_ALPHA_R] = alpha_r;
    law.number[VXE_POWER_BETA_A] = beta_a;
    law.number[VXE_POWER_FACING] = 1;
    return law;
}

/* A cube at a height (m) above the floor. */
static vxe_design *block_above(double gap, vxe_contact_law law, double g)
{
    vxe_material material = standard_material();
    vxe_design *design = block_design(&material, 1, 1, 1);
    design->voxel_size = SIDE;
    design->floor.enabled = true;
    design->floor.height = -gap;
    design->gravity[2] = -g;
    add_rule(design, 0, VXE_CONTACT_FLOOR, law);
    return design;
}

static double gap_of(const vxe_world *world, double start)
{
    double x[3];
    position_of(world, 0, x);
    return x[2] - 0.5 * SIDE + start;
}

/* Times (s) at which the gap passes a value, and the largest and smallest gap between them. */
typedef struct swing {
    double time[3];
    double max, min;
} swing;

static swing watch(vxe_world *world, double start, double middle)
{
    swing seen = {{0}, 0, 1};
    const double step = vxe_world_describe(world).time_step;
    double before = gap_of(world, start) - middle;
    vxe_error error;
    for (int n = 0; n < 3;) {
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        const double now = gap_of(world, start) - middle;
        if (n > 0) {
            seen.max = fmax(seen.max, now);
            seen.min = fmin(seen.min, now);
        }
        if (now * before < 0) {
            seen.time[n++] = vxe_world_time(world) - step * now / (now - before);
        }
        before = now;
    }
    return seen;
}

/* Cases power-rest and power-damping: at rest, and oscillating about the rest by a hundredth of the
 * gap. */
static void cubes_rest(void **state)
{
    (void)state;
    const double gaps[2] = {7.524995e-4, 7.516945e-4};
    const double frequency[2] = {51.37064, 51.42555};
    for (int facing = 0; facing < 2; facing++) {
        vxe_contact_law law = power(50, 0);
        law.number[VXE_POWER_FACING] = facing;
        law.number[VXE_POWER_BETA_D] = 2000;
        vxe_design *design = block_above(8e-4, law, 9.81);
        vxe_world *world = world_of_step(design, 1e-4);
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 0.5, &error), VXE_OK);
        check_relative("gap at rest, m", gap_of(world, 8e-4), gaps[facing], 2e-3);
        vxe_world_destroy(world);
        vxe_design_destroy(design);

        law.number[VXE_POWER_BETA_D] = 0;
        design = block_above(1.002 * gaps[facing], law, 9.81);
        world = world_of_step(design, 1e-5);
        const swing seen = watch(world, 1.002 * gaps[facing], gaps[facing]);
        check_relative("frequency, Hz", 1 / (seen.time[2] - seen.time[0]), frequency[facing], 2e-3);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

static void damping_is_as_strong(void **state)
{
    (void)state;
    vxe_contact_law law = power(50, 0);
    law.number[VXE_POWER_BETA_D] = 500;
    const double rest = 7.516945e-4;
    vxe_design *design = block_above(1.002 * rest, law, 9.81);
    vxe_world *world = world_of_step(design, 1e-5);
    const swing seen = watch(world, 1.002 * rest, rest);
    /* minimum and maximum in one period are half a period apart */
    const double decrement = log(-seen.min / seen.max);
    check_relative("damping ratio", decrement / sqrt(PI * PI + decrement * decrement), .151803,
                   2e-2);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Case power-drop; and with the step that suits the rest, a hundred times as long, which is divided
 * during the impact: the cube rises to the height that it fell from, as nothing is dissipated. */
static void cubes_bounce(void **state)
{
    (void)state;
    const double from[3] = {0.011, 0.051, 0.201};
    const double want[3] = {3.900084e-4, 3.119225e-4, 2.562562e-4};
    for (int i = 0; i < 3; i++) {
        vxe_design *design = block_above(from[i], power(50, 0), 9.81);
        vxe_world *world = world_of_step(design, 2e-6);
        double min = 1;
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 0.95 * sqrt(2 * from[i] / 9.81), &error),
                         VXE_OK);
        while (vxe_world_time(world) < 1.05 * sqrt(2 * from[i] / 9.81)) {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            min = fmin(min, gap_of(world, from[i]));
        }
        check_relative("smallest gap, m", min, want[i], 1e-2);
        vxe_world_destroy(world);

        vxe_world_def def = vxe_world_def_default();
        world = make_world(design, &def);
        check_below("step, s", -vxe_world_describe(world).time_step, -2e-4);
        double max = 0;
        for (double time = sqrt(2 * from[i] / 9.81); vxe_world_time(world) < 3 * time;) {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            max = vxe_world_time(world) > 1.5 * time ? fmax(max, gap_of(world, from[i])) : 0;
        }
        check_relative("height after a bounce, m", max, from[i], 1e-2);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Case power-creep: friction of this law has no static part, so the cube creeps; with Coulomb's
 * bound below the slope's tangent it slides away. Gravity is tilted instead of the floor, because
 * the cube's faces are the lattice's. */
static void cubes_creep(void **state)
{
    (void)state;
    for (int bounded = 0; bounded < 2; bounded++) {
        vxe_contact_law law = power(50, 0);
        law.number[VXE_POWER_BETA_F] = 500;
        law.number[VXE_POWER_BETA_D] = 2000;
        law.number[VXE_POWER_FRIC] = bounded ? 0.1 : 0;
        vxe_design *design = block_above(7.5e-4, law, 0);
        design->gravity[0] = 9.81 * sin(PI / 18);
        design->gravity[2] = -9.81 * cos(PI / 18);
        vxe_world *world = world_of_step(design, 1e-4);
        double v[3];
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 1, &error), VXE_OK);
        vxe_world_velocities(world, v, NULL);
        if (bounded) {
            const double pull = 9.81 * (sin(PI / 18) - 0.1 * cos(PI / 18));
            check_relative("speed of sliding, m/s", v[0], pull, 2e-2);
        } else {
            check_relative("speed of creep, m/s", v[0], .0176327, 1e-2);
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

static const vxe_power_kernels *power_kernels(void)
{
    const char *why = NULL;
    const vxe_kernels *kernels = vxe_kernels_for_machine(test_precision(), &why);
    assert_non_null(kernels);
    return vxe_power_kernels_of(kernels);
}

/* Pressure (Pa) towards the floor on the lower face at D, and the energy (J/m^2). */
static double pull_at(const vxe_contact_law *law, double d, double *energy)
{
    const vxe_cube cube = {.place = {0, 0, 0.5 * SIDE + d * D0},
                           .turn = {1, 0, 0, 0},
                           .half = 0.5 * SIDE,
                           .faces = 63};
    const vxe_plane plane = {{0, 0, 1}, 0};
    const vxe_face_load load =
        vxe_contact_model_power.over_faces(power_kernels(), law->number, &cube, &plane);
    *energy = load.energy / AREA;
    return -load.push[2] / AREA;
}

/* Case adhesion: numbers of the law itself. */
static void adhesion_is_as_strong(void **state)
{
    (void)state;
    const vxe_contact_law alone = power(0, 100);
    const vxe_contact_law both = power(50, 100);
    double energy[2];
    check_relative("largest pull of adhesion alone, Pa", pull_at(&alone, 1.259921, &energy[0]),
                   25.0, 5e-3);
    check_relative("largest pull, Pa", pull_at(&both, 1.390656, &energy[0]), 19.78269, 5e-3);
    check_below("nearer, Pa", pull_at(&both, 1.38, &energy[0]), 19.78269);
    check_below("farther, Pa", pull_at(&both, 1.40, &energy[0]), 19.78269);
    check_near("pull at rest, Pa", pull_at(&both, 1.118584, &energy[0]), 0, 1e-3);
    (void)pull_at(&both, 1e6, &energy[1]);
    check_relative("work to part, J/m^2", energy[1] - energy[0], .0252791, 5e-3);
}

/* Case adhesion: oscillation about the place where it sticks, and detachment. */
static void cubes_stick_and_part(void **state)
{
    (void)state;
    const double rest = 1.118584e-3;
    vxe_design *design = block_above(1.001 * rest, power(50, 100), 0);
    vxe_world *world = world_of_step(design, 1e-4);
    const swing seen = watch(world, 1.001 * rest, rest);
    check_relative("frequency, Hz", 1 / (seen.time[2] - seen.time[0]), 10.74965, 5e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);

    vxe_contact_law law = power(50, 100);
    law.number[VXE_POWER_BETA_D] = 200;
    design = block_above(rest, law, 0);
    set_formula(design, VXE_FORMULA_FORCE_Z, "min(0.02*t, 0.047 + 0.0005*(t - 2.35))");
    world = world_of_step(design, 5e-4);
    vxe_error error;
    while (gap_of(world, rest) < 1.6e-3 && vxe_world_time(world) < 20) {
        assert_int_equal(vxe_world_advance(world, 10, &error), VXE_OK);
    }
    check_relative("pull that parts them, N", 0.047 + 0.0005 * (vxe_world_time(world) - 2.35),
                   19.78269 * AREA, 1e-2);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Case quadrature: error of the quadrature rule over a face, from one distance at one end to four
 * times that at the other; and error of the law's own choice of points for a tilted cube, compared
 * with the closed form of an affine distance (docs/contact-models.md, powerlaw), down to a corner a
 * hundred times as near as the middle. */
static void faces_are_integrated(void **state)
{
    (void)state;
    const int points[3] = {4, 8, 16};
    const double want[3] = {-1.7e-1, -8.3e-4, -1.1e-9};
    for (int k = 0; k < 3; k++) {
        const double(*rule)[2] = vxe_gauss_points(points[k]);
        double sum = 0;
        for (int i = 0; i < points[k]; i++) {
            const double x = (i % 2 ? -1 : 1) * rule[i / 2][0];
            sum += 0.5 * rule[i / 2][1] * vxe_power_of(1 / (2.5 + 1.5 * x), 8);
        }
        const double exact = (1 - pow(4, -7)) / 7 / 3;
        const double error = sum / exact - 1;
        printf("  error with %d points: %.2e\n", points[k], error);
        assert_true(error / want[k] > 0.5 && error / want[k] < 2);
    }
    vxe_contact_law law = power(50, 0);
    const vxe_plane plane = {{0, 0, 1}, 0};
    for (double angle = 0.02; angle < 0.5; angle *= 2) {
        /* rotate about x by a half angle; the lower face's distances are then affine in y alone */
        const vxe_cube cube = {.place = {0, 0, 0.5 * SIDE * (cos(angle) + sin(angle)) + 5e-4},
                               .turn = {cos(angle / 2), sin(angle / 2), 0, 0},
                               .half = 0.5 * SIDE,
                               .faces = 32};
        const vxe_face_load load =
            vxe_contact_model_power.over_faces(power_kernels(), law.number, &cube, &plane);
        const double low = 5e-4;
        const double high = low + SIDE * sin(angle);
        const double exact =
            50 * AREA * pow(D0, 8) * (pow(low, -7) - pow(high, -7)) / (7 * (high - low));
        check_relative("force on a face that leans, N", load.push[2], exact, 1e-3);
        check_relative("nearest, m", load.nearest, low, 1e-9);
    }
}

/* Dropped so that it lands on an edge: damping and friction are accounted for. */
static void energy_is_accounted_for(void **state)
{
    (void)state;
    vxe_contact_law law = power(500, 50);
    law.number[VXE_POWER_BETA_D] = 200;
    law.number[VXE_POWER_BETA_F] = 300;
    law.number[VXE_POWER_FACING] = 0;
    for (int parts = 0; parts < 2; parts++) {
        vxe_design *design = block_above(0.02, law, 9.81);
        vxe_world *world = world_of_step(design, parts ? 1e-4 : 1e-5);
        const double lean[4] = {cos(0.05), sin(0.05), 0, 0};
        vxe_error error;
        assert_int_equal(vxe_world_place(world, 0, NULL, lean, NULL, NULL, &error), VXE_OK);
        check_audit(parts ? "in parts" : "step by step", world, parts ? 4000 : 20000, 1e-3);
        const vxe_energy energy = vxe_world_energy(world);
        assert_true(energy.dissipated_contact > 0 && energy.dissipated_friction > 0);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A soft block on the floor under this law; blocks of other indices than 0 are smaller. */
static vxe_design *soft_block(int index)
{
    vxe_material material = standard_material();
    material.bond_damping = 1;
    vxe_design *design = index == 0 ? block_design(&material, 12, 6, 6)
                                    : block_design(&material, 2 + index, 2, 3 - index % 2);
    design->floor.enabled = true;
    design->floor.height = -1e-3;
    design->gravity[0] = index % 3;
    design->gravity[2] = -9.81;
    vxe_contact_law law = power(500, 0);
    law.number[VXE_POWER_BETA_D] = 3000;
    law.number[VXE_POWER_BETA_F] = 3000;
    add_rule(design, 0, VXE_CONTACT_FLOOR, law);
    return design;
}

static void lattices_lie_on_it(void **state)
{
    (void)state;
    check_same_bits(soft_block, 5, 120);
    vxe_design *design = soft_block(0);
    vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    vxe_error error;
    assert_int_equal(vxe_world_advance_to(world, 0.5, &error), VXE_OK);
    double *force = test_calloc(design->voxel_count, sizeof *force);
    vxe_world_sense(world, &(vxe_sensors){.floor = force});
    double sum = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        sum += force[v];
    }
    check_relative("weight that the floor bears, N", sum, 12 * 6 * 6 * MASS * 9.81, 1e-4);
    test_free(force);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static void wrong_power_laws_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        vxe_design *design = block_above(i == 0 ? 0 : 1e-3, power(50, 100), 9.81);
        vxe_contact_rule *rule = &design->contact_rules[0];
        const char *says = "";
        switch (i) {
        case 0:
            says = "voxel (0, 0, 0) starts 0 m above the floor: with the power law it must be more";
            break;
        case 1:
            rule->law.number[VXE_POWER_NU_D] = 0.5;
            says = "law powerlaw: nu_d is 0.5; it must be from 1 to 64";
            break;
        case 2:
            rule->law.number[VXE_POWER_ALPHA_R] = rule->law.number[VXE_POWER_BETA_A] = 0;
            says = "alpha_r and beta_a are both 0";
            break;
        case 3:
            rule->law.number[VXE_POWER_NU_AR] = 2;
            says = "nu_ar is 2; it must be above nu_aa, 3";
            break;
        case 4:
            rule->second = 0;
            says = "the power law acts between the faces of a material and the floor";
            break;
        default:
            design->materials[0].sphere = true;
            says = "its voxels are spheres, and the power law acts over faces";
        }
        check_refused(design, says);
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_rest),
        cmocka_unit_test(damping_is_as_strong),
        cmocka_unit_test(cubes_bounce),
        cmocka_unit_test(cubes_creep),
        cmocka_unit_test(adhesion_is_as_strong),
        cmocka_unit_test(cubes_stick_and_part),
        cmocka_unit_test(faces_are_integrated),
        cmocka_unit_test(energy_is_accounted_for),
        cmocka_unit_test(lattices_lie_on_it),
        cmocka_unit_test(wrong_power_laws_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
