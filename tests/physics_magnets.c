/* SPDX-License-Identifier: MIT */
/* Magnets in bodies. Expected numbers: closed forms, and invariants of every step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lattice/formats/format.h"
#include "support.h"

/* A magnetised cantilever in a field across it, without forces between dipoles: each voxel has the
 * couple c = M B a^3, bond j of N bends by the couples beyond it, and the tip moves by the sum of c
 * (N - j + 1) a/EI ((N - j) a + a/2). Small angles: within 1e-3. The largest number of dipoles per
 * voxel bends it as one does. */
static void check_cantilever(uint32_t divisions)
{
    enum { BONDS = 10 };
    vxe_material material = standard_material();
    material.bond_damping = 1;
    material.global_damping = 0.005; /* critical for the slowest mode, of 5 Hz */
    material.magnetization[0] = 5e4;
    vxe_design *design = block_design(&material, BONDS + 1, 1, 1);
    design->magnetics = (vxe_magnetics){.enabled = true, .alone = true, .divisions = divisions};
    set_formula(design, VXE_FORMULA_FIELD_Z, "1e-5");
    hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
    vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    double start[3];
    double tip[3];
    position_of(world, BONDS, start);
    settle(world, 0.2, 1e-10);
    position_of(world, BONDS, tip);
    const double couple = 5e4 * 1e-5 * EDGE * EDGE * EDGE;
    const double bending = 1e6 * EDGE * EDGE * EDGE * EDGE / 12;
    double want = 0;
    for (int j = 1; j <= BONDS; j++) {
        want += couple * (BONDS - j + 1) * EDGE / bending * ((BONDS - j) * EDGE + 0.5 * EDGE);
    }
    check_relative("tip, m", tip[2] - start[2], want, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static void cantilever_bends(void **state)
{
    (void)state;
    check_cantilever(1);
    check_cantilever(16);
}

/* A body of magnets in all directions, in a field that turns and has a gradient. */
static vxe_design *tumbling(bool soft, int x, int y, int z)
{
    vxe_material material = standard_material();
    material.bond_damping = 0.2;
    material.susceptibility = 2;
    vxe_design *design = block_design(&material, x, y, z);
    vxe_layer *layer = vxe_design_layer(design, "Magnetization", 3);
    uint64_t seed = 3;
    assert_non_null(layer);
    for (uint32_t i = 0; i < 3 * design->voxel_count; i++) {
        layer->values[i] = 5e4 * random_unit(&seed);
    }
    design->magnetics = (vxe_magnetics){.enabled = true,
                                        .induces = soft,
                                        .dipole_d = 0.05,
                                        .divisions = soft ? 1 : 2,
                                        .reference = {0.1, 0, 0.02}};
    set_formula(design, VXE_FORMULA_FIELD_X, "0.02*cos(2*pi*7*t)");
    set_formula(design, VXE_FORMULA_FIELD_Z, "0.02*sin(2*pi*7*t)");
    set_formula(design, VXE_FORMULA_GRADIENT_XX, "0.3");
    set_formula(design, VXE_FORMULA_GRADIENT_YZ, "0.2*sin(40*t)");
    return design;
}

/* What a field that changes in time gives is external work, and the balance closes. */
static void work_of_changing_fields_is_counted(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        vxe_design *design = tumbling(i >= 2, 3, 2, 2);
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        def.damping = i % 2 ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        def.step_scale = 0.2;
        vxe_world *world = make_world(design, &def);
        check_audit(i >= 2 ? "soft" : "hard", world, 2000, 1e-3);
        assert_true(fabs(vxe_world_energy(world).work_external) > 0);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Variants: all pairs checked, soft magnets, evaluated in every third step, on a floor, with
 * contacts, with a contact model, and some with none of these. */
static vxe_design *some_magnets(int index)
{
    vxe_design *design = tumbling(index % 3 == 1, 3 + index % 2, 2, 2 + index % 4);
    design->magnetics.every = index % 3 == 2 ? 3 : 1;
    design->magnetics.enabled = index % 5 != 4;
    design->floor.enabled = index % 2;
    design->gravity[2] = -9.81;
    design->self_collision = index % 3 == 0;
    if (index >= 6) {
        vxe_contact_rule rule = {VXE_CONTACT_ANY, VXE_CONTACT_FLOOR,
                                 vxe_contact_law_default(VXE_CONTACT_LINEAR)};
        vxe_error error;
        rule.law.number[VXE_LINEAR_KN] = 100;
        rule.law.number[VXE_LINEAR_FRIC] = 0.4;
        assert_int_equal(vxe_design_add_contact_rule(design, &rule, &error), VXE_OK);
    }
    return design;
}

static vxe_design *sorted_magnets(int index)
{
    (void)index;
    vxe_design *design = tumbling(false, 10, 8, 8);
    design->magnetics.dipole_d = 2.5 * EDGE;
    return design;
}

static void threads_and_batches_change_nothing(void **state)
{
    (void)state;
    check_same_bits(some_magnets, 9, 120);
    check_same_bits(sorted_magnets, 1, 8);
}

/* Dipoles that act four times as hard in every fourth step carry a chain as those that act in each
 * step: held at one end, its tip comes to rest within 1e-3 of its deflection, averaged over 400
 * steps. Within the four steps it vibrates by as much as it is strained, 1e-4, and the forces of
 * dipoles depend on the distance. */
static void some_steps_may_do(void **state)
{
    (void)state;
    double way[2];
    for (int i = 0; i < 2; i++) {
        vxe_material material = standard_material();
        material.bond_damping = 1;
        material.magnetization[0] = 1e4;
        material.magnetization[2] = 5e3;
        material.global_damping = 0.005;
        vxe_design *design = block_design(&material, 8, 1, 1);
        design->magnetics = (vxe_magnetics){.enabled = true, .every = i ? 4 : 1};
        hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
        vxe_world_def def = vxe_world_def_default();
        vxe_world *world = make_world(design, &def);
        double start[3];
        double tip[3];
        vxe_error error;
        position_of(world, 7, start);
        assert_int_equal(vxe_world_advance_to(world, 3, &error), VXE_OK);
        double mean[2] = {0, 0};
        for (int n = 0; n < 400; n++) {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            position_of(world, 7, tip);
            mean[0] += (tip[0] - start[0]) / 400;
            mean[1] += (tip[2] - start[2]) / 400;
        }
        way[i] = hypot(mean[0], mean[1]);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
    check_below("way of the tip, m", -way[0], -1e-7);
    check_relative("way with every fourth step, m", way[1], way[0], 1e-3);
}

/* Adds a loose magnet of mu0 M^2 = q E at a place, in edges. */
static void add_magnet(vxe_design *design, int x, int y, int z)
{
    vxe_error error;
    assert_int_equal(vxe_design_add_voxel(design, x, y, z, 0, &error), VXE_OK);
}

/* Magnets that collide: two a voxel apart, five, or a robot of loose ones. */
static vxe_design *loose_magnets(int kind, double q)
{
    vxe_material material = standard_material();
    material.collision_damping = 0.5;
    material.magnetization[0] = sqrt(q * material.youngs_modulus / (4e-7 * 3.14159265358979324));
    vxe_design *design = block_design(&material, 1, 1, 1);
    add_magnet(design, 2, 0, 0);
    for (int i = 0; i < (kind == 0 ? 0 : kind == 1 ? 3 : 6); i++) {
        add_magnet(design, 2 * (i % 2), 2 * (i / 2 % 2 + (i / 4 == 0)), 2 * (i / 4));
    }
    design->self_collision = true;
    design->magnetics = (vxe_magnetics){.enabled = true};
    return design;
}

/* Magnets that fall onto each other hold the energy that they had, or the run ends and says why.
 * Contact is as stiff as a bond, and holds two dipoles apart up to mu0 M^2/E = 0.17: there the
 * pull 6 k m^2/r^4 of two meets the spring's E a (a - r) at r = 0.8 a, where r^4 (a - r) is
 * largest. Impacts lose energy of second order in the step. How much depends on where in a step
 * they happen: over 41 steps within 0.2 % of the default one these 18 lose up to 3.4 % and gain up
 * to 0.12 %, at a fifth of it 0.22 % and 0.026 %. */
static void loose_magnets_gain_nothing(void **state)
{
    (void)state;
    const double strengths[6] = {0.03, 0.1, 0.13, 0.3, 1, 3};
    for (int i = 0; i < 4 * 18; i++) {
        const int draw = i / 18; /* three steps around the default one, and a fifth of it */
        const double strength = strengths[i % 6];
        vxe_design *design = loose_magnets(i / 6 % 3, strength);
        vxe_world_def def = vxe_world_def_default();
        vxe_error error = {0};
        def.audit = true;
        def.step_scale = draw < 3 ? 1 + 0.0015 * (draw - 1) : 0.2;
        vxe_world *world = make_world(design, &def);
        double swing = 0;
        double stray = 0;
        bool held = true;
        for (int n = 0; n < (draw < 3 ? 1000 : 4000) && held; n++) {
            held = vxe_world_advance(world, 1, &error) == VXE_OK;
            const vxe_energy e = vxe_world_energy(world);
            swing = fmax(swing, e.kinetic_sync);
            stray = held ? e.balance - e.balance_start : stray;
        }
        assert_true(held == (strength < 0.17));
        if (held) {
            check_below("gain, of the largest kinetic energy", stray / swing,
                        draw < 3 ? 1.35e-3 : 2.9e-4);
            check_below("loss, of the largest kinetic energy", -stray / swing,
                        draw < 3 ? 0.0345 : 2.5e-3);
        } else {
            assert_non_null(strstr(error.message, "magnets came nearer"));
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Three magnets without collisions: softened by half an edge they keep their energy whatever their
 * strength; capped at half an edge they have no potential, and what their pull gives is external
 * work. */
static void near_dipoles_are_accounted_for(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        vxe_design *design = loose_magnets(1, i % 3 == 0 ? 0.03 : i % 3 == 1 ? 0.3 : 3);
        design->self_collision = false;
        design->magnetics.dipole_soften = i < 3 ? 0.5 * EDGE : 0;
        design->magnetics.dipole_cap = i < 3 ? 0 : 0.5 * EDGE;
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        double swing = 0;
        double stray = 0;
        for (int n = 0; n < 1500; n++) {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            const vxe_energy e = vxe_world_energy(world);
            swing = fmax(swing, e.kinetic_sync);
            stray = fmax(stray, fabs(e.balance - e.balance_start));
        }
        check_below(i < 3 ? "softened: balance, of the largest kinetic energy"
                          : "capped: balance, of the largest kinetic energy",
                    stray / swing, i < 3 ? 5e-3 : by_precision(1e-9, 1e-6)); /* sums of floats */
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* The step (s) of an otherwise free magnet of 1 A m^2 in a field. */
static double step_in(vxe_formula which, const char *field, double reference)
{
    vxe_material material = standard_material();
    material.magnetization[0] = 1e6;
    vxe_design *design = block_design(&material, 1, 1, 1);
    design->stop.duration = 8;
    design->magnetics = (vxe_magnetics){.enabled = true, .reference = {reference, 0, 0}};
    set_formula(design, which, field);
    const vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    const double step = vxe_world_describe(world).time_step;
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return step;
}

/* A hundredth of the field's period, less the rounding down by at most 1/16, also where samples at
 * even times would all be zeros. A field that jumps has no period. A field that a gradient makes,
 * 10 m from its reference, is as strong as a uniform one: its bound includes all of its components,
 * which is up to a fifth more than the field that acts. */
static void time_step_accounts_for_the_field(void **state)
{
    (void)state;
    const double fast = step_in(VXE_FORMULA_FIELD_Z, "1e-7*sin(2*pi*250*t)", 0);
    check_near("step at 250 Hz, of its period", fast * 250, 0.0097, 0.0003);
    const double still = step_in(VXE_FORMULA_FIELD_Z, "0.1", 0);
    check_relative("step in a field that jumps, s",
                   step_in(VXE_FORMULA_FIELD_Z, "0.1*(sin(2*pi*t) > 0)", 0), still, 1e-6);
    check_relative("step in a gradient, s", step_in(VXE_FORMULA_GRADIENT_XZ, "0.01", 10), still,
                   0.2);
}

/* A single voxel swings about the field with w^2 = m B/I: its step is 0.7 of 2/w, as of all that is
 * not damped, with the spectrum's margin of 5 %, and with w^2 taken 16 times, since it may be
 * thrown over (the test below). */
static void time_step_is_that_of_a_compass(void **state)
{
    (void)state;
    vxe_material material = standard_material();
    material.magnetization[0] = 5e4;
    vxe_design *design = block_design(&material, 1, 1, 1);
    design->magnetics = (vxe_magnetics){.enabled = true};
    set_formula(design, VXE_FORMULA_FIELD_Z, "0.1");
    vxe_world *world = make_world(design, NULL);
    const double w = sqrt(5e4 * EDGE * EDGE * EDGE * 0.1 / INERTIA);
    check_relative("step of a compass, s", vxe_world_describe(world).time_step,
                   0.7 * 2 / (sqrt(16 * 1.05) * w), by_precision(1e-9, 1e-6));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A compass that is thrown over, or falls from where it stands against the field, is a pendulum in
 * steps: the standard map (Chirikov1979), whose energy comes and goes by the part (w h)^2/6 = .02
 * of what it was given and never wanders. At the bound of linear theory, four times as long a step,
 * K = (w h)^2 is above .97, and it gained .1 to .34 of that within 128 steps. */
static void a_compass_that_is_thrown_over_keeps_its_energy(void **state)
{
    (void)state;
    const double spins[8] = {30, 100, 300, 600, 770, 780, 1000, 3000};
    for (int i = 0; i < 16; i++) {
        vxe_material material = standard_material();
        material.magnetization[0] = 5e4;
        vxe_design *design = block_design(&material, 1, 1, 1);
        design->magnetics = (vxe_magnetics){.enabled = true};
        set_formula(design, VXE_FORMULA_FIELD_X, i < 8 ? "0.1" : "-0.1");
        assert_int_equal(vxe_design_set_velocity(design, 0, (const double[3]){0, 0, 0},
                                                 (const double[3]){0, spins[i % 8], 0}, NULL),
                         VXE_OK);
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        double worst = 0;
        for (int n = 0; n < 200; n++) {
            assert_int_equal(vxe_world_advance(world, 50, &error), VXE_OK);
            const vxe_energy energy = vxe_world_energy(world);
            worst = fmax(worst, fabs(vxe_energy_gain(&energy)));
        }
        check_below("balance of a compass, of what it was given", worst, 0.0215);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A run that diverges reports it, whether dipoles are sorted by reach or not. */
static void divergence_is_reported(void **state)
{
    (void)state;
    vxe_material material = standard_material();
    material.magnetization[0] = 1e4;
    vxe_design *design = block_design(&material, 10, 8, 8);
    vxe_error error;
    design->magnetics = (vxe_magnetics){.enabled = true, .dipole_d = 0.02};
    design->stop.duration = 1e-3;
    set_formula(design, VXE_FORMULA_FIELD_X, "0.01*sqrt(0.0105 - t)");
    const vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_advance_to(world, 0.02, &error), VXE_ERROR_DIVERGED);
    (void)vxe_world_energy(world); /* a result without numbers, but no crash */
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static void magnets_are_written_and_read(void **state)
{
    (void)state;
    vxe_design *design = tumbling(true, 3, 2, 2);
    differences told = {.count = 0};
    design->materials[0].magnetization[1] = -1.0 / 3;
    design->magnetics.dipole_cap = 1.0 / 7;
    design->magnetics.alone = true;
    vxe_design *read = write_and_read(design, "physics_magnets_test.json", &told);
    assert_int_equal(told.count, 0);
    memcpy(read->name, design->name, sizeof read->name); /* a file gives its own reach */
    assert_true(vxe_design_hash(read) == vxe_design_hash(design));
    vxe_design_destroy(read);
    read = write_and_read(design, "physics_magnets_test.vxa", &told);
    assert_true(told.count > 0); /* that format has no magnets */
    vxe_design_destroy(read);
    vxe_design_destroy(design);
}

static void wrong_magnets_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        vxe_design *design = tumbling(false, 3, 2, 2);
        vxe_error error = {0};
        const char *says = "";
        switch (i) {
        case 0:
            design->magnetics.dipole_cap = -1;
            says = "dipole_cap is -1 m; it must be from 0";
            break;
        case 1:
            design->magnetics.dipole_d = (double)NAN;
            says = "dipole_d is nan m";
            break;
        case 2:
            design->magnetics.divisions = 17;
            says = "divisions are 17; at most 16";
            break;
        case 3:
            design->magnetics.every = 21;
            says = "every 21 steps; at most every 20";
            break;
        case 4:
            design->magnetics.induces = true;
            design->magnetics.every = 2;
            says = "induced moments follow every step";
            break;
        case 5:
            set_formula(design, VXE_FORMULA_FIELD_Y, "1/(t - t)");
            says = "has no value at t = ";
            break;
        case 6:
            set_formula(design, VXE_FORMULA_GRADIENT_XY, "2*(x + 1)");
            says = "magnetic gradient xy";
            break;
        default:
            vxe_design_layer(design, "Magnetization", 3)->values[4] = 2e9;
            says = "a magnetisation, within 1e9 A/m";
        }
        const vxe_world_def def = vxe_world_def_default();
        assert_null(vxe_world_create(design, &def, &error));
        printf("  %s\n", error.message);
        assert_non_null(strstr(error.message, says));
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilever_bends),
        cmocka_unit_test(work_of_changing_fields_is_counted),
        cmocka_unit_test(threads_and_batches_change_nothing),
        cmocka_unit_test(some_steps_may_do),
        cmocka_unit_test(time_step_accounts_for_the_field),
        cmocka_unit_test(time_step_is_that_of_a_compass),
        cmocka_unit_test(a_compass_that_is_thrown_over_keeps_its_energy),
        cmocka_unit_test(divergence_is_reported),
        cmocka_unit_test(magnets_are_written_and_read),
        cmocka_unit_test(loose_magnets_gain_nothing),
        cmocka_unit_test(near_dipoles_are_accounted_for),
        cmocka_unit_test(wrong_magnets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
