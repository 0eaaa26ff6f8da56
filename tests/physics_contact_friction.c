/* SPDX-License-Identifier: MIT */
/* Friction between voxels, by Coulomb's law and that remembers, walls that are flat to it, and
 * contacts that begin without energy. Expected numbers: Coulomb's law, the spring of friction (0.4
 * times the contact's, penalty_law.h), and the floor's own friction for a robot whose voxels do not
 * rotate: the floor acts at centres, contacts at faces. */
#include <math.h>
#include <stdio.h>

#include "engine/trial.h"
#include "lattice/formats/format.h"
#include "support.h"

#define GRAVITY 9.81
#define SHEAR_STIFFNESS (0.4 * STIFFNESS)
#define DEGREE (PI / 180)

/* A slider of 2 x 2 voxels on a fixed plate. */
static vxe_design *slider_on_plate(double mu_static, double mu_dynamic, double slope)
{
    vxe_material m = standard_material();
    m.collision_damping = 0.8;
    m.bond_damping = 0.5;
    m.static_friction = mu_static;
    m.dynamic_friction = mu_dynamic;
    vxe_design *design = block_design(&m, 16, 4, 1);
    design->self_collision = true;
    hold_plane(design, 2, 0, VXE_FIX_ALL, NULL, NULL);
    add_block(design, (const int[3]){2, 1, 2}, (const int[3]){2, 2, 1}, 0);
    design->gravity[0] = GRAVITY * sin(slope);
    design->gravity[2] = -GRAVITY * cos(slope);
    return design;
}

enum { SLIDER = 16 * 4 }; /* its first voxel */

/* Lowers the slider to the depth at which its weight (N per voxel) rests. */
static void lower_slider(vxe_world *world, double pressing, double speed, double aside)
{
    vxe_error error;
    double x[4][3];
    for (uint32_t v = 0; v < 4; v++) {
        position_of(world, SLIDER + v, x[v]);
    }
    /* in the first step of a run contacts begin where they are */
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    for (uint32_t v = 0; v < 4; v++) {
        x[v][0] += aside;
        x[v][2] -= EDGE + pressing / STIFFNESS;
        assert_int_equal(vxe_world_place(world, SLIDER + v, x[v], NULL,
                                         (const double[3]){speed, 0, 0}, NULL, &error),
                         VXE_OK);
    }
}

/* On a wall of voxels the weights of a voxel that lies across several add up to one: a slider that
 * is put at its depth of rest m g/k stays there, wherever it is. Moments do not quite balance (up
 * to 0.05 edges times its weight): it tips forth and back by a tenth of that depth, a millionth of
 * a voxel's size. */
static void walls_of_voxels_are_flat(void **state)
{
    (void)state;
    vxe_design *design = slider_on_plate(0, 0, 0);
    vxe_world *world = make_world(design, NULL);
    lower_slider(world, MASS * GRAVITY, 0.5, 0.3 * EDGE);
    const double begin = vxe_world_time(world);
    double start[3];
    position_of(world, SLIDER, start);
    double max = 0;
    for (int n = 0; n < 1000; n++) {
        double x[3];
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 1e-4 * (n + 1), &error), VXE_OK);
        position_of(world, SLIDER, x);
        max = fmax(max, fabs(x[2] - start[2]));
    }
    double end[3];
    position_of(world, SLIDER, end);
    check_relative("way along the wall, m", end[0] - start[0],
                   0.5 * (vxe_world_time(world) - begin), 1e-4);
    check_below("change of height on the way, of the depth of rest",
                max / (MASS * GRAVITY / STIFFNESS), 0.15);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Coulomb: v^2/(2 mu g), less half a step's mu g at the end, where the stopping rule applies. The
 * slider tips forward a little, which moves load between its voxels but does not change the total
 * force. */
static void sliding_stops_where_coulomb_says(void **state)
{
    (void)state;
    const double mu = 0.4;
    const double speed = 0.4;
    vxe_design *design = slider_on_plate(mu, mu, 0);
    vxe_world *world = make_world(design, NULL);
    lower_slider(world, MASS * GRAVITY, speed, 0);
    double start[3];
    double end[3];
    vxe_error error;
    position_of(world, SLIDER, start);
    assert_int_equal(vxe_world_advance_to(world, 0.3, &error), VXE_OK);
    position_of(world, SLIDER, end);
    check_relative("sliding distance, m", end[0] - start[0], speed * speed / (2 * mu * GRAVITY),
                   0.02);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* On a slope below atan(mu_s) the slider stays, though its weight acts at once and mu_d would not
 * hold it. Above that slope it slides with g (sin - mu_d cos). */
static void slopes_hold_up_to_static_friction(void **state)
{
    (void)state;
    const double mu = 0.5;
    for (int slides = 0; slides < 2; slides++) {
        const double slope = atan(mu) + (slides ? 0.03 : -0.03);
        vxe_design *design = slider_on_plate(mu, 0.8 * mu, slope);
        vxe_world *world = make_world(design, NULL);
        lower_slider(world, MASS * GRAVITY * cos(slope), 0, 0);
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 0.15, &error), VXE_OK);
        const double first = velocity_of(world, SLIDER, 0);
        assert_int_equal(vxe_world_advance_to(world, 0.25, &error), VXE_OK);
        const double gained = velocity_of(world, SLIDER, 0) - first;
        if (slides) {
            check_relative("acceleration on a slope", gained / 0.1,
                           GRAVITY * (sin(slope) - 0.8 * mu * cos(slope)), 0.02);
        } else {
            check_below("creep below the angle of friction, m/s",
                        fabs(velocity_of(world, SLIDER, 0)), 1e-6);
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

static vxe_material rubbing_material(double mu)
{
    vxe_material m = standard_material();
    m.bond_damping = 1;
    m.collision_damping = 0.8;
    m.static_friction = m.dynamic_friction = mu;
    return m;
}

/* m: displacement of a voxel from its cell's centre. */
static double moved(const vxe_world *world, const vxe_design *design, uint32_t voxel, int c)
{
    double x[3];
    position_of(world, voxel, x);
    return x[c] - EDGE * (design->voxels[voxel].position[c] + 0.5);
}

/* A held wall of 2 x 2 voxels at cell x, driven by `way` (m) within 0.05 s. */
static void add_jaw(vxe_design *design, int x, double way)
{
    double table[4] = {0, 0, 0.05, 1};
    vxe_region region = {.shape = VXE_REGION_BOX,
                         .low = {(x + 0.1) * EDGE, 0, 0},
                         .high = {(x + 0.9) * EDGE, 2 * EDGE, 2 * EDGE},
                         .fixed = VXE_FIX_ALL,
                         .displacement = {way, 0, 0},
                         .table = table,
                         .table_count = 2};
    add_block(design, (const int[3]){x, 0, 0}, (const int[3]){1, 2, 2}, 0);
    assert_int_equal(vxe_design_add_region(design, &region, NULL), VXE_OK);
}

/* m: how far a cube of 8 voxels has slipped after 5 s between jaws that press it together by 4 % of
 * an edge, 400 times its weight. Weight acts from 0.1 s on. */
static double slip_in_jaws(double mu, double scale)
{
    const vxe_material m = rubbing_material(mu);
    vxe_design *design = block_design(&m, 2, 2, 2);
    vxe_error error;
    design->self_collision = true;
    set_formula(design, VXE_FORMULA_FORCE_Z, "-9.81e-3*(t>0.1)");
    add_jaw(design, -2, 1.02 * EDGE);
    add_jaw(design, 3, -1.02 * EDGE);
    vxe_world_def def = vxe_world_def_default();
    def.step_scale = scale;
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_advance_to(world, 5, &error), VXE_OK);
    double slip = 0;
    for (uint32_t v = 0; v < 8; v++) {
        slip -= moved(world, design, v, 2) / 8;
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return slip;
}

/* The cube hangs on the springs of friction of its 8 pairs, each of which carries a voxel's weight:
 * m g/k_t. Its own bonds give way as well, by some tenths of that. Friction without memory let it
 * fall or shot it out. */
static void jaws_hold_a_block(void **state)
{
    (void)state;
    const double friction[3] = {0.5, 1, 10};
    for (int i = 0; i < 3; i++) {
        const double slip = slip_in_jaws(friction[i], 1);
        check_relative("slip in jaws, m", slip, MASS * GRAVITY / SHEAR_STIFFNESS, 0.3);
        check_relative("slip at half the step, m", slip_in_jaws(friction[i], 0.5), slip, 0.01);
    }
    assert_true(slip_in_jaws(1e-4, 1) > EDGE); /* too little friction: it falls */
}

/* A held slab of nx x ny voxels in the plane z = 0, as a part of its own. */
static vxe_design *slab(const vxe_material *material, int nx, int ny)
{
    vxe_design *design = block_design(material, nx, ny, 1);
    design->self_collision = true;
    hold_plane(design, 2, 0, VXE_FIX_ALL, NULL, NULL);
    return design;
}

/* The voxels from `first` on are another part: they are not bonded to those before. */
static void set_apart(vxe_design *design, uint32_t first)
{
    vxe_layer *part = vxe_design_layer(design, "Part", 1);
    for (uint32_t v = first; v < design->voxel_count; v++) {
        part->values[v] = 1;
    }
}

/* A voxel on a level slab does not creep: 60 s, some 10^5 steps. */
static void a_level_voxel_stays(void **state)
{
    (void)state;
    const vxe_material m = rubbing_material(0.5);
    vxe_design *design = slab(&m, 4, 4);
    vxe_error error;
    design->gravity[2] = -GRAVITY;
    add_block(design, (const int[3]){1, 2, 1}, (const int[3]){1, 1, 1}, 0);
    set_apart(design, 16);
    vxe_world *world = make_world(design, NULL);
    assert_int_equal(vxe_world_advance_to(world, 60, &error), VXE_OK);
    for (int c = 0; c < 2; c++) {
        check_below("creep of a level voxel in 60 s, edges",
                    fabs(moved(world, design, 16, c)) / EDGE, 1e-3);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* edges: how far a block of 2 x 2 voxels goes down a slope (rad) of held voxels, from its start and
 * from 0.5 s on, until 1 s. */
static void slide(double mu, double slope, double scale, double *whole, double *later)
{
    const vxe_material m = rubbing_material(mu);
    vxe_design *design = slab(&m, 16, 4);
    vxe_error error;
    design->gravity[0] = GRAVITY * sin(slope);
    design->gravity[2] = -GRAVITY * cos(slope);
    add_block(design, (const int[3]){2, 1, 1}, (const int[3]){2, 2, 1}, 0);
    set_apart(design, 64);
    vxe_world_def def = vxe_world_def_default();
    def.step_scale = scale;
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_advance_to(world, 0.5, &error), VXE_OK);
    const double half = moved(world, design, 64, 0) / EDGE;
    assert_int_equal(vxe_world_advance_to(world, 1, &error), VXE_OK);
    *whole = moved(world, design, 64, 0) / EDGE;
    *later = *whole - half;
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A slope of held voxels holds a block up to atan(mu), once it has settled, and lets it slide
 * beyond with g (sin - mu cos): 0.2 degrees beyond, 1.8 to 2.1 edges in a second. It falls onto its
 * springs first, and slides a little then. */
static void slopes_stick_up_to_coulombs_angle(void **state)
{
    (void)state;
    const double friction[2] = {0.3, 0.7};
    for (int i = 0; i < 4; i++) {
        const double mu = friction[i / 2];
        const double scale = i % 2 ? 0.5 : 1;
        const double slope = atan(mu) + 0.2 * DEGREE;
        const double slides = 0.5 * GRAVITY * (sin(slope) - mu * cos(slope)) / EDGE;
        double whole;
        double later;
        slide(mu, atan(mu) - 0.2 * DEGREE, scale, &whole, &later);
        check_below("way before it holds, edges", whole, 0.02);
        check_below("way 0.2 degrees below the angle of friction, edges", fabs(later), 1e-4);
        slide(mu, slope, scale, &whole, &later);
        check_relative("way 0.2 degrees beyond it, edges", whole, slides, 0.2);
    }
}

/* edges: how far the worm gets in a second on the floor, or on a slab of held voxels. Its voxels do
 * not rotate: where they do, it matters that the floor's friction acts at their centres. */
static double way_of_worm(bool on_slab, double mu, double scale)
{
    char path[512];
    vxe_error error;
    snprintf(path, sizeof path, "%s/assets/worm.vxa", SOURCE_FOLDER);
    vxe_design *design = vxe_design_read(path, &error);
    assert_non_null(design);
    const uint32_t worm = design->voxel_count;
    design->self_collision = true;
    for (uint32_t m = 0; m < design->material_count; m++) {
        design->materials[m].static_friction = design->materials[m].dynamic_friction = mu;
    }
    hold_plane(design, 2, 0, VXE_FIX_RX | VXE_FIX_RY | VXE_FIX_RZ, NULL, NULL);
    hold_plane(design, 2, 1, VXE_FIX_RX | VXE_FIX_RY | VXE_FIX_RZ, NULL, NULL);
    if (on_slab) {
        vxe_material held = rubbing_material(mu);
        held.youngs_modulus = design->materials[0].youngs_modulus;
        held.unmeasured = true;
        assert_int_equal(vxe_design_add_material(design, &held, NULL, &error), VXE_OK);
        design->floor.enabled = false;
        add_block(design, (const int[3]){-12, -2, -1}, (const int[3]){32, 10, 1},
                  design->material_count - 1);
        hold_plane(design, 2, -1, VXE_FIX_ALL, NULL, NULL);
        set_apart(design, worm);
    }
    set_formula(design, VXE_FORMULA_FITNESS, "x");
    vxe_world_def def = vxe_world_def_default();
    def.step_scale = scale;
    vxe_world *world = make_world(design, &def);
    vxe_trial *trial = vxe_trial_create(design, world, &error);
    assert_non_null(trial);
    const double steps = 2 / vxe_world_describe(world).time_step;
    assert_int_equal(vxe_trial_advance(trial, (uint64_t)steps, &error), VXE_OK);
    const double way = vxe_trial_fitness(trial) / design->voxel_size;
    vxe_trial_destroy(trial);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return way;
}

/* Both surfaces have Coulomb's law: a crawler gets as far on one as on the other. Friction without
 * memory let it slip in place. */
static void a_crawler_goes_as_far_on_voxels(void **state)
{
    (void)state;
    const double friction[2] = {0.2, 1};
    for (int i = 0; i < 2; i++) {
        const double floor_way = way_of_worm(false, friction[i], 1);
        assert_true(fabs(floor_way) > 1);
        check_relative("way of a crawler on a slab, edges", way_of_worm(true, friction[i], 1),
                       floor_way, 0.15);
        check_relative("the same at half the step, edges", way_of_worm(true, friction[i], 0.5),
                       floor_way, 0.15);
    }
}

enum { HEAP = 60 };

/* 60 loose voxels above the floor, turned and shifted at random. */
static vxe_world *drop_heap(vxe_design *design, uint64_t seed)
{
    vxe_error error;
    design->floor.enabled = true;
    design->gravity[2] = -GRAVITY;
    for (int v = 1; v < HEAP; v++) {
        add_block(design, (const int[3]){2 * (v % 2), 2 * (v / 2 % 3), 2 * (v / 6)},
                  (const int[3]){1, 1, 1}, 0);
    }
    vxe_world *world = make_world(design, NULL);
    for (uint32_t v = 0; v < HEAP; v++) {
        double x[3];
        double q[4] = {1};
        double length2 = 1;
        for (int c = 0; c < 3; c++) {
            x[c] = EDGE * ((c < 2 ? 0.75 : 0.9) * design->voxels[v].position[c] +
                           (c < 2 ? 0.15 * random_unit(&seed) : 1.8));
            q[c + 1] = 0.3 * random_unit(&seed);
            length2 += q[c + 1] * q[c + 1];
        }
        for (int c = 0; c < 4; c++) {
            q[c] /= sqrt(length2);
        }
        assert_int_equal(vxe_world_place(world, v, x, q, NULL, NULL, &error), VXE_OK);
    }
    return world;
}

/* edges: how deep a centre is within another voxel's face, at most, as the contact law has it. */
static double deepest_overlap(const double *positions, const double *orientations)
{
    double deepest = 0;
    for (uint32_t a = 0; a < HEAP; a++) {
        const double *q = orientations + 4 * a;
        const double back[4] = {q[0], -q[1], -q[2], -q[3]};
        for (uint32_t b = 0; b < HEAP; b++) {
            double r[3];
            double own[3];
            for (uint32_t c = 0; c < 3; c++) {
                r[c] = positions[3 * b + c] - positions[3 * a + c];
            }
            rotate_vector(back, r, own);
            const double height = fmax(fabs(own[0]), fmax(fabs(own[1]), fabs(own[2])));
            deepest = a == b ? deepest : fmax(deepest, 1 - height / EDGE);
        }
    }
    return deepest;
}

/* Heaps of loose voxels come to rest without sinking into each other. Their centres do: on the
 * floor alone a voxel may spin on, since the floor turns nothing. */
static void heaps_come_to_rest(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const vxe_material m = rubbing_material(0.5);
        vxe_design *design = block_design(&m, 1, 1, 1);
        design->self_collision = true;
        vxe_world *world = drop_heap(design, seed);
        double before[3 * HEAP];
        double positions[3 * HEAP];
        double orientations[4 * HEAP];
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 2, &error), VXE_OK);
        vxe_world_poses(world, before, NULL);
        assert_int_equal(vxe_world_advance_to(world, 2.5, &error), VXE_OK);
        vxe_world_poses(world, positions, orientations);
        double moves = 0;
        for (int i = 0; i < 3 * HEAP; i++) {
            moves = fmax(moves, fabs(positions[i] - before[i]) / EDGE);
        }
        check_below("overlap in a heap, edges", deepest_overlap(positions, orientations), 0.1);
        check_below("way in half a second, edges", moves, 0.05);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* J: what a brittle body of 3 x 2 x 1 voxels has gained in 0.2 s beyond the work of its muscles,
 * and as *work all that went in. Nothing damps it, nothing else acts on it. */
static double gain_of_brittle_body(uint64_t seed, double *put_in)
{
    vxe_material m = standard_material();
    vxe_error error;
    m.youngs_modulus = 1e5;
    m.thermal_expansion = 0.01;
    m.model = VXE_MATERIAL_LINEAR_FAILING;
    m.fail_stress = 6000;
    vxe_design *design = block_design(&m, 3, 2, 1);
    design->self_collision = true;
    design->actuation.enabled = true;
    design->actuation.amplitude = 30;
    design->actuation.period = 0.02;
    vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    for (int v = 0; v < 6; v++) {
        phase->values[v] = random_unit(&seed);
    }
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_advance_to(world, 0.2, &error), VXE_OK);
    const vxe_energy e = vxe_world_energy(world);
    const double gain = e.balance - e.balance_start;
    assert_true(vxe_world_max_strain(world) < 1);
    *put_in = e.kinetic + e.elastic + e.contact + e.dissipated_plastic + e.dissipated_contact +
              e.dissipated_friction - gain;
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return gain;
}

/* Bonds that break within a strained body open faces and bring pairs into contact that lie within
 * each other. They begin there without energy: it was up to a hundred times of what muscles did. */
static void breaking_gives_no_energy(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        double put_in;
        const double gain = gain_of_brittle_body(seed, &put_in);
        assert_true(put_in > 1e-5);
        check_below("energy from nothing in a brittle body, of what was put in", gain / put_in,
                    0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls_of_voxels_are_flat),
                                       cmocka_unit_test(sliding_stops_where_coulomb_says),
                                       cmocka_unit_test(slopes_hold_up_to_static_friction),
                                       cmocka_unit_test(jaws_hold_a_block),
                                       cmocka_unit_test(a_level_voxel_stays),
                                       cmocka_unit_test(slopes_stick_up_to_coulombs_angle),
                                       cmocka_unit_test(a_crawler_goes_as_far_on_voxels),
                                       cmocka_unit_test(heaps_come_to_rest),
                                       cmocka_unit_test(breaking_gives_no_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
