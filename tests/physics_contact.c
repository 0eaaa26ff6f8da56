/* SPDX-License-Identifier: MIT */
/* Contacts of voxels: springs as stiff as a bond, dashpots that never pull (friction and smooth
 * walls: physics_contact_friction.c). Expected numbers: closed forms of two masses on a spring; a
 * pair of equal voxels has the spring E a and the dashpot 2 zeta sqrt(m/2 E a). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define GRAVITY 9.81
/* of two voxels of the standard material */
#define PAIR_STIFFNESS STIFFNESS
#define PAIR_MASS (MASS / 2)
#define PAIR_W0 (W0 * 1.4142135623730951)

static vxe_design *colliding(const vxe_material *material, int nx, int ny, int nz)
{
    vxe_design *design = block_design(material, nx, ny, nz);
    design->self_collision = true;
    return design;
}

static void move_block(vxe_design *design, uint32_t first, uint32_t last, const double velocity[3])
{
    const double spin[3] = {0, 0, 0};
    vxe_error error;
    for (uint32_t v = first; v < last; v++) {
        assert_int_equal(vxe_design_set_velocity(design, v, velocity, spin, &error), VXE_OK);
    }
}

/* Two single voxels, one voxel's width apart, that approach each other at 2 x speed. */
static vxe_design *two_voxels(double damping, double speed)
{
    vxe_material m = standard_material();
    m.collision_damping = damping;
    vxe_design *design = colliding(&m, 1, 1, 1);
    add_block(design, (const int[3]){2, 0, 0}, (const int[3]){1, 1, 1}, 0);
    move_block(design, 0, 1, (const double[3]){speed, 0, 0});
    move_block(design, 1, 2, (const double[3]){-speed, 0, 0});
    return design;
}

/* A mass on a spring: largest depth v sqrt(m/k), and the final speed equals the initial one.
 * Symplectic Euler at 1/200 of the contact's half period has the depth to some 1e-4; the speed is
 * off by the fraction of a step in which contact begins and ends, (w h)^2. */
static void voxels_bounce_off_each_other(void **state)
{
    (void)state;
    const double speed = 0.05;
    vxe_design *design = two_voxels(0, speed);
    vxe_world_def def = vxe_world_def_default();
    const double half_period = PI * sqrt(PAIR_MASS / PAIR_STIFFNESS);
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = half_period / 200;
    vxe_world *world = make_world(design, &def);
    double min = 1;
    vxe_error error;
    for (int n = 0; n < 30000 && velocity_of(world, 0, 0) > -0.9 * speed; n++) {
        double x[2][3];
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        position_of(world, 0, x[0]);
        position_of(world, 1, x[1]);
        min = fmin(min, x[1][0] - x[0][0]);
    }
    assert_int_equal(vxe_world_advance(world, 200, &error), VXE_OK);
    const double depth = 2 * speed * sqrt(PAIR_MASS / PAIR_STIFFNESS);
    check_relative("deepest overlap, m", EDGE - min, depth, 1e-3);
    check_relative("speed behind an elastic contact", velocity_of(world, 0, 0), -speed, 1e-4);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Restitution of a spring and a dashpot that do not pull: contact ends where the force does
 * (SchwagerPoschel2007). The dashpot is integrated to first order: 1e-2
 * at 1/800. */
static void dashpots_have_their_restitution(void **state)
{
    (void)state;
    const double speed = 0.05;
    for (int i = 0; i < 3; i++) {
        const double zeta = (const double[3]){0.1, 0.3, 0.6}[i];
        vxe_design *design = two_voxels(zeta, speed);
        vxe_world_def def = vxe_world_def_default();
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = PI * sqrt(PAIR_MASS / PAIR_STIFFNESS) / 800;
        def.audit = true;
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 0.11, &error), VXE_OK);
        const double w = PAIR_W0 * sqrt(1 - zeta * zeta);
        const double b = PAIR_W0 * zeta;
        const double angle = PI - atan2(2 * b * w, w * w - b * b);
        char name[80];
        snprintf(name, sizeof name, "restitution at damping ratio %g", zeta);
        check_relative(name, -velocity_of(world, 0, 0) / speed, exp(-b / w * angle), 1e-2);
        const vxe_energy e = vxe_world_energy(world);
        /* the rest is the error of the spring: a contact begins and ends within a step */
        const double lost = MASS * (speed * speed - pow(velocity_of(world, 0, 0), 2));
        check_relative("loss by the dashpot in the energy audit, of the whole loss",
                       e.dissipated_contact, lost, 1e-4);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Voxels that are held in one direction collide as usual in the others. */
static void guided_voxels_collide(void **state)
{
    (void)state;
    for (int along = 0; along < 3; along++) {
        for (int held = 0; held < 3; held++) {
            vxe_material m = standard_material();
            vxe_design *design = colliding(&m, 1, 1, 1);
            int place[3] = {0, 0, 0};
            double speed[3] = {0, 0, 0};
            place[along] = 2;
            speed[along] = -0.05;
            add_block(design, place, (const int[3]){1, 1, 1}, 0);
            move_block(design, 1, 2, speed);
            for (int k = 0; k < 2 && held != along; k++) {
                hold_plane(design, along, 2 * k, 1u << held, NULL, NULL);
            }
            vxe_world *world = make_world(design, NULL);
            vxe_error error;
            assert_int_equal(vxe_world_advance_to(world, 0.3, &error), VXE_OK);
            /* equal masses exchange their velocities, except for the error of a contact of a few
             * steps */
            check_relative("speed of the voxel that was hit", velocity_of(world, 0, along), -0.05,
                           0.05);
            vxe_world_destroy(world);
            vxe_design_destroy(design);
        }
    }
}

/* A voxel driven at a constant speed hits a free one: like an infinite mass, it gives the free one
 * twice its speed; the energy audit counts this as work of prescribed motion. */
static void driven_voxel_does_work(void **state)
{
    (void)state;
    const double speed = 0.1;
    vxe_material m = standard_material();
    vxe_design *design = colliding(&m, 1, 1, 1);
    add_block(design, (const int[3]){2, 0, 0}, (const int[3]){1, 1, 1}, 0);
    double table[4] = {0, 0, 10, 1};
    vxe_region driver = {.shape = VXE_REGION_BOX,
                         .high = {EDGE, EDGE, EDGE},
                         .fixed = VXE_FIX_ALL,
                         .displacement = {10 * speed, 0, 0},
                         .table = table,
                         .table_count = 2};
    vxe_error error;
    assert_int_equal(vxe_design_add_region(design, &driver, &error), VXE_OK);
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    def.step_scale = 0.05;
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_advance_to(world, 0.15, &error), VXE_OK);
    const double gained = 0.5 * MASS * (4 + 1) * speed * speed; /* of both voxels */
    check_relative("speed behind the driven voxel", velocity_of(world, 1, 0), 2 * speed, 1e-3);
    check_relative("work of the prescribed motion, J", vxe_world_energy(world).work_external,
                   gained, 2e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* The spheres of the Voxelyze family, 1.25 edges wide: two of them touch where a quarter of an edge
 * is left between their cells, and bounce. */
static void voxelyze_spheres_bounce(void **state)
{
    (void)state;
    const double speed = 0.02;
    vxe_design *design = two_voxels(0, speed);
    vxe_world_def def = vxe_world_def_default();
    def.conventions = "voxelyze";
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 2e-6;
    vxe_world *world = make_world(design, &def);
    double min = 1;
    vxe_error error;
    for (int n = 0; n < 300; n++) {
        double x[2][3];
        assert_int_equal(vxe_world_advance(world, 500, &error), VXE_OK);
        position_of(world, 0, x[0]);
        position_of(world, 1, x[1]);
        min = fmin(min, x[1][0] - x[0][0]);
    }
    check_near("closest centres, in edges", min / EDGE, 1.25, 0.005);
    check_relative("speed behind the contact", velocity_of(world, 0, 0), -speed, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Voxels of two bodies that touch along an edge or at a corner at rest collide as any others do:
 * one is placed in front of the other and comes head-on. Undamped, they part as fast as they met;
 * at the default step the restitution is within a tenth. */
static void diagonal_neighbours_of_two_bodies_collide(void **state)
{
    (void)state;
    static const int offsets[3][3] = {{1, 1, 0}, {1, 0, 1}, {1, 1, 1}};
    const double speed = 0.05;
    for (int i = 0; i < 3; i++) {
        const vxe_material m = standard_material();
        vxe_error error;
        vxe_design *design = colliding(&m, 1, 1, 1);
        add_block(design, offsets[i], (const int[3]){1, 1, 1}, 0);
        design->materials[0].collision_damping = 0;
        vxe_world *world = make_world(design, NULL);
        double x[3];
        position_of(world, 0, x);
        x[0] += 1.2 * EDGE;
        const double v[3] = {-speed, 0, 0};
        assert_int_equal(vxe_world_place(world, 1, x, NULL, v, NULL, &error), VXE_OK);
        double min = 1;
        for (int n = 0; n < 100000 && velocity_of(world, 0, 0) > -0.9 * speed && min > 0; n++) {
            double other[3];
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            position_of(world, 0, x);
            position_of(world, 1, other);
            min = fmin(min, other[0] - x[0]);
        }
        check_near("closest, edges", min / EDGE, 1, 0.05);
        check_near("speed passed on, m/s", velocity_of(world, 0, 0), -speed, 0.1 * speed);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Far more voxels within reach of one than fit there: the run ends and names the voxel, for any
 * number of threads and with the energy audit. */
static void too_many_neighbours_are_reported(void **state)
{
    (void)state;
    for (int run = 0; run < 4; run++) {
        vxe_material m = standard_material();
        vxe_design *design = colliding(&m, 1, 1, 1);
        for (int v = 1; v < 400; v++) {
            add_block(design, (const int[3]){2 * (v % 8), 2 * (v / 8 % 8), 2 * (v / 64)},
                      (const int[3]){1, 1, 1}, 0);
        }
        vxe_world_def def = vxe_world_def_default();
        def.threads = run < 3 ? 1 + (uint32_t)run : 1;
        def.audit = run == 3;
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        for (uint32_t v = 100; v < 300; v++) {
            const double x[3] = {EDGE * (1 + 1e-3 * v), EDGE, EDGE};
            assert_int_equal(vxe_world_place(world, v, x, NULL, NULL, NULL, &error), VXE_OK);
        }
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_ERROR_DIVERGED);
        assert_non_null(strstr(error.message, "reach of voxel 0"));
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* However fast two voxels meet, head on or off centre, and however short the step: they bounce, or
 * the run ends and says that they went through each other. Their speed of sound is 31.6 m/s:
 * from 1.6 of it on they do. A check of pairs that go a quarter of an
 * edge in a step alone told nothing here. */
static void voxels_that_cross_are_told(void **state)
{
    (void)state;
    const double speeds[8] = {3, 10, 25, 50, 75, 100, 200, 1000};
    int told = 0;
    for (int i = 0; i < 32; i++) {
        vxe_design *design = two_voxels(0.5, speeds[i / 4]);
        vxe_world_def def = vxe_world_def_default();
        def.step_scale = i % 4 < 2 ? 1 : 0.3;
        vxe_world *world = make_world(design, &def);
        vxe_error error = {0};
        if (i % 2) {
            const double aside[3] = {2.6 * EDGE, 0.8 * EDGE, 0.7 * EDGE};
            assert_int_equal(vxe_world_place(world, 1, aside, NULL, NULL, NULL, &error), VXE_OK);
        }
        const uint64_t steps =
            (uint64_t)(0.05 / speeds[i / 4] / vxe_world_describe(world).time_step) + 4;
        const vxe_status status = vxe_world_advance(world, steps, &error);
        double x[2][3];
        position_of(world, 0, x[0]);
        position_of(world, 1, x[1]);
        if (status) {
            assert_int_equal(status, VXE_ERROR_DIVERGED);
            assert_true(strstr(error.message, "voxels 0 and 1 went through each other") ||
                        strstr(error.message, "too fast for contacts"));
            told++;
        } else if (i % 2 == 0) {
            assert_true(x[1][0] > x[0][0]); /* off centre they may pass beside each other */
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
    assert_int_equal(told, 10);
}

/* Two voxels that go 2.5 edges against each other in a step, from 1.25 edges apart to as far on the
 * other side: they touch neither before nor behind it, and are told. */
static void voxels_that_cross_without_touching_are_told(void **state)
{
    (void)state;
    vxe_design *design = two_voxels(0.5, 0);
    vxe_world *world = make_world(design, NULL);
    vxe_error error = {0};
    const double speed = 1.25 * EDGE / vxe_world_describe(world).time_step;
    for (uint32_t v = 0; v < 2; v++) {
        const double x[3] = {1.25 * EDGE * v, 0, EDGE};
        const double velocity[3] = {v ? -speed : speed, 0, 0};
        assert_int_equal(vxe_world_place(world, v, x, NULL, velocity, NULL, &error), VXE_OK);
    }
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_ERROR_DIVERGED);
    assert_non_null(strstr(error.message, "voxels 0 and 1 went through each other"));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Two damped cubes collide off centre while one rotates. Forces come in opposite pairs and moments
 * balance: the remainder is rounding. */
static void collisions_keep_momentum(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 0.3;
    m.collision_damping = 0.4;
    m.static_friction = 0.8;
    m.dynamic_friction = 0.5;
    vxe_design *design = colliding(&m, 3, 3, 3);
    add_block(design, (const int[3]){5, 1, 1}, (const int[3]){3, 3, 3}, 0);
    move_block(design, 0, 27, (const double[3]){1.0, 0.1, 0});
    move_block(design, 27, 54, (const double[3]){-1.0, 0, -0.1});
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    def.step_scale = 0.2; /* contacts begin and end within a step: an error of first order */
    vxe_world *world = make_world(design, &def);
    double before[2][3];
    vxe_world_momentum(world, before[0], before[1]);
    check_audit("oblique collision", world, 8000, 1e-3);
    const double scale[2] = {27 * MASS * 1.0, 27 * MASS * 1.0 * 0.04};
    check_momentum(world, before, scale, by_precision(1e-12, 2e-6));
    const vxe_energy e = vxe_world_energy(world);
    assert_true(e.dissipated_contact > 0);
    assert_true(e.dissipated_friction > 0);
    assert_true(velocity_of(world, 0, 0) < 0.5); /* it has not passed through */
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Smallest gap between the faces of voxels that are not neighbours, in edges: smallest distance of
 * centres, less one edge. */
static double closest_faces(const vxe_world *world, const vxe_design *design)
{
    double positions[3 * 400];
    double min = HUGE_VAL;
    vxe_world_poses(world, positions, NULL);
    for (uint32_t a = 0; a < design->voxel_count; a++) {
        for (uint32_t b = a + 1; b < design->voxel_count; b++) {
            double distance = 0;
            int apart = 0;
            for (int c = 0; c < 3; c++) {
                const int cells =
                    abs(design->voxels[a].position[c] - design->voxels[b].position[c]);
                apart = cells > apart ? cells : apart;
                distance = hypot(distance,
                                 positions[3 * a + (uint32_t)c] - positions[3 * b + (uint32_t)c]);
            }
            min = apart > 1 ? fmin(min, distance / EDGE - 1) : min;
        }
    }
    return min;
}

/* Two long arms, one above the other, joined at one end like a clothes peg; the upper arm is too
 * soft to carry itself and comes to rest on the lower one. */
static vxe_design *soft_peg(bool collides)
{
    vxe_material m = standard_material();
    m.youngs_modulus = 2e4;
    m.bond_damping = 1;
    m.collision_damping = 0.8;
    m.static_friction = m.dynamic_friction = 0.3;
    vxe_design *design = block_design(&m, 14, 2, 1);
    add_block(design, (const int[3]){0, 0, 1}, (const int[3]){1, 2, 2}, 0);
    add_block(design, (const int[3]){0, 0, 3}, (const int[3]){14, 2, 1}, 0);
    hold_plane(design, 2, 0, VXE_FIX_ALL, NULL, NULL);
    design->self_collision = collides;
    design->gravity[2] = -GRAVITY;
    return design;
}

static void folded_strip_rests_on_itself(void **state)
{
    (void)state;
    for (int collides = 0; collides < 2; collides++) {
        vxe_design *design = soft_peg(collides);
        vxe_world *world = make_world(design, NULL);
        double deepest = 0;
        vxe_error error;
        for (int n = 0; n < 200; n++) {
            assert_int_equal(vxe_world_advance_to(world, 0.01 * (n + 1), &error), VXE_OK);
            deepest = fmax(deepest, -closest_faces(world, design));
        }
        if (collides) {
            check_below("deepest penetration while it falls and rests, in voxels", deepest, 0.1);
            check_below("deepest penetration at rest, in voxels", -closest_faces(world, design),
                        0.05);
            assert_true(vxe_world_energy(world).contact > 0);
        } else {
            assert_true(deepest > 0.3); /* without contacts the arms pass through each other */
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Two blocks of so many voxels a side that approach each other, rotated about while they do. */
static vxe_design *two_blocks(int side, double damping)
{
    vxe_material m = standard_material();
    m.bond_damping = damping;
    m.collision_damping = 0.5;
    m.static_friction = 0.6;
    m.dynamic_friction = 0.4;
    vxe_design *design = colliding(&m, side, side, side);
    const uint32_t voxels = design->voxel_count;
    add_block(design, (const int[3]){side + 1, 1, 1}, (const int[3]){side, side, side}, 0);
    const double spin[3] = {0, 3, 5};
    vxe_error error;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const double speed[3] = {v < voxels ? 2 : -2, 0, 0.1};
        assert_int_equal(vxe_design_set_velocity(design, v, speed, spin, &error), VXE_OK);
    }
    return design;
}

/* Neighbour lists are rebuilt at other steps with the energy audit, which measures twice a step,
 * and for a robot in lanes with others; forces do not depend on that, nor on the thread that
 * computes them. */
static void contacts_have_the_same_bits_in_any_batch(void **state)
{
    (void)state;
    enum { ROBOTS = 4, STEPS = 700 };
    vxe_design *designs[ROBOTS] = {two_blocks(4, 0.1), soft_peg(true), two_blocks(3, 0.1),
                                   two_blocks(5, 0.1)};
    uint64_t hashes[ROBOTS];
    for (int i = 0; i < ROBOTS; i++) {
        hashes[i] = hash_after(designs[i], 1, STEPS, false);
        assert_true(hash_after(designs[i], 1, STEPS, true) == hashes[i]);
        for (uint32_t threads = 2; threads <= 8; threads += 3) {
            assert_true(hash_after(designs[i], threads, STEPS, false) == hashes[i]);
        }
        designs[i]->self_collision = false;
        assert_true(hash_after(designs[i], 1, STEPS, false) != hashes[i]); /* they do collide */
        designs[i]->self_collision = true;
    }
    for (int i = 0; i < ROBOTS; i++) {
        if (i != 1) { /* the peg has held voxels: it runs alone */
            check_in_lanes(&designs[i], 1, STEPS, &hashes[i]);
        }
    }
    vxe_design *in_lanes[3] = {designs[0], designs[2], designs[3]};
    const uint64_t alone[3] = {hashes[0], hashes[2], hashes[3]};
    check_in_lanes(in_lanes, 3, STEPS, alone);
    for (int i = 0; i < ROBOTS; i++) {
        vxe_design_destroy(designs[i]);
    }
}

/* A surface above 512 voxels is sorted into a grid. A pair that was missed for some steps would
 * appear deep in contact, and the energy balance would jump. */
static void large_surfaces_find_their_pairs(void **state)
{
    (void)state;
    vxe_design *design = two_blocks(9, 0.5); /* 2 x 386 voxels of surface */
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    vxe_world *world = make_world(design, &def);
    assert_true(vxe_world_describe(world).surface_voxels > 512);
    check_audit("two large blocks", world, 600, 2e-3);
    assert_true(vxe_world_energy(world).dissipated_contact > 0);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Plates one voxel thick pressed together by gravity, with the strongest dashpots: contacts then
 * determine the step. Energy must never rise, with either scheme of damping, and where bonds hardly
 * contribute. */
static void pressed_plates_come_to_rest(void **state)
{
    (void)state;
    const double ratios[3] = {1, 0.3, 0.05};
    for (int i = 0; i < 6; i++) {
        const int scheme = i < 3 ? VXE_DAMPING_EXPLICIT : VXE_DAMPING_SWEEP;
        vxe_material m = standard_material();
        m.collision_damping = 1;
        m.bond_damping = ratios[i % 3];
        m.static_friction = m.dynamic_friction = 0.5;
        vxe_design *design = colliding(&m, 5, 5, 1);
        for (int k = 1; k < 4; k++) {
            add_block(design, (const int[3]){0, 0, 2 * k}, (const int[3]){5, 5, 1}, 0);
        }
        design->floor.enabled = true;
        design->gravity[2] = -30 * GRAVITY;
        vxe_world_def def = vxe_world_def_default();
        def.damping = (vxe_damping_scheme)scheme;
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 1, &error), VXE_OK);
        double z[3];
        position_of(world, 99, z);
        check_near("height of the uppermost of four plates, in voxels", z[2] / EDGE, 3.5, 0.05);
        check_below("kinetic energy at rest, J", vxe_world_energy(world).kinetic, 1e-12);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(voxels_bounce_off_each_other),
        cmocka_unit_test(dashpots_have_their_restitution),
        cmocka_unit_test(guided_voxels_collide),
        cmocka_unit_test(driven_voxel_does_work),
        cmocka_unit_test(voxelyze_spheres_bounce),
        cmocka_unit_test(diagonal_neighbours_of_two_bodies_collide),
        cmocka_unit_test(too_many_neighbours_are_reported),
        cmocka_unit_test(voxels_that_cross_are_told),
        cmocka_unit_test(voxels_that_cross_without_touching_are_told),
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(folded_strip_rests_on_itself),
        cmocka_unit_test(contacts_have_the_same_bits_in_any_batch),
        cmocka_unit_test(large_surfaces_find_their_pairs),
        cmocka_unit_test(pressed_plates_come_to_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
