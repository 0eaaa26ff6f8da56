/* SPDX-License-Identifier: MIT */
/* Floors that are sloped, uneven, sticky or finite. Expected numbers: closed forms, and the level
 * floor. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lattice/formats/format.h"
#include "support.h"

#define GRAVITY 9.81

/* A design on the floor under gravity. */
static vxe_design *on_floor(int nx, int ny, int nz, double friction, double collision)
{
    vxe_material m = standard_material();
    m.static_friction = friction;
    m.dynamic_friction = friction;
    m.collision_damping = collision;
    m.bond_damping = 0.5;
    vxe_design *design = block_design(&m, nx, ny, nz);
    design->floor.enabled = true;
    design->gravity[2] = -GRAVITY;
    return design;
}

/* Gives the floor the heights of a function, at so many points along each side, from -x0, -x0. */
static void raise_floor(vxe_design *design, uint32_t points, double spacing, double x0,
                        double (*height)(double x, double y))
{
    static double heights[400 * 400];
    vxe_heightfield field = {points, points, spacing, {-x0, -x0}, heights};
    vxe_error error;
    assert_true(points <= 400);
    for (uint32_t j = 0; j < points; j++) {
        for (uint32_t i = 0; i < points; i++) {
            heights[j * points + i] = height(i * spacing - x0, j * spacing - x0);
        }
    }
    assert_int_equal(vxe_design_set_heights(design, &field, &error), VXE_OK);
}

static vxe_world *stepped(const vxe_design *design, double step, bool audit)
{
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = step;
    def.audit = audit;
    return make_world(design, &def);
}

/* A voxel at rest on a slope that descends in direction heading (rad): sunk in by m g cos/k along
 * the normal. */
static vxe_world *on_slope(double degrees, double heading, double static_friction, bool audit)
{
    const double angle = degrees * PI / 180;
    vxe_design *design = on_floor(1, 1, 1, 0.3, 0.5);
    design->materials[0].static_friction = static_friction;
    design->floor.slope[0] = -tan(angle) * cos(heading);
    design->floor.slope[1] = -tan(angle) * sin(heading);
    vxe_world *world = stepped(design, 2e-5, audit);
    double at[3];
    position_of(world, 0, at);
    const double depth = MASS * GRAVITY * cos(angle) / STIFFNESS;
    at[2] = vxe_floor_level(&design->floor, at[0], at[1]) + (0.5 * EDGE - depth) / cos(angle);
    assert_int_equal(vxe_world_place(world, 0, at, NULL, NULL, NULL, NULL), VXE_OK);
    vxe_design_destroy(design);
    return world;
}

/* m: how far the voxel of a world goes in its first second, and the way. */
static double way_in_a_second(vxe_world *world, double way[3])
{
    double from[3];
    double to[3];
    vxe_error error;
    position_of(world, 0, from);
    assert_int_equal(vxe_world_advance_to(world, 1, &error), VXE_OK);
    position_of(world, 0, to);
    for (int c = 0; c < 3; c++) {
        way[c] = to[c] - from[c];
    }
    return sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
}

/* Case incline of docs/accuracy.md on a floor that is sloped: atan 0.3 = 16.69924 degrees, whatever
 * the heading. In floats a position of 0.01 m is known to 1e-9 m and velocities to 6e-8 of their
 * size; friction does not hold the rounding of gravity along the slope to the last bit. */
static void block_on_a_slope_sticks_or_slides_at_the_friction_angle(void **state)
{
    (void)state;
    const double degrees[4] = {16.69, 16.71, 20, 30};
    const double expected[4] = {0, 0, .589702, 2.356287};
    for (int i = 0; i < 8; i++) {
        const double heading = i < 4 ? 0 : 2.2;
        vxe_world *world = on_slope(degrees[i % 4], heading, 0.3, false);
        double way[3];
        const double moved = way_in_a_second(world, way);
        if (i % 4 == 0) {
            check_below("drift of the sticking block, m", moved, by_precision(1e-9, 5e-9));
        } else if (i % 4 == 1) {
            const double angle = degrees[1] * PI / 180;
            check_relative("acceleration just above, m/s^2", 2 * moved,
                           GRAVITY * (sin(angle) - 0.3 * cos(angle)), 0.05);
        } else {
            check_relative("acceleration, m/s^2", 2 * moved, expected[i % 4], 5e-3);
            check_near("heading, rad", atan2(way[1], way[0]), heading, 1e-3);
        }
        vxe_world_destroy(world);
    }
    vxe_world *world = on_slope(30, 2.2, 0.3, true);
    check_audit("sliding down", world, 4000, 1e-3);
    vxe_world_destroy(world);
}

/* With mu_s = 0.6 a block at rest stays up to atan 0.6 = 30.9638 degrees, and slides beyond by mu_d
 * = 0.3. Tolerances as above. */
static void static_friction_holds_up_to_its_angle(void **state)
{
    (void)state;
    const double degrees[2] = {30.95, 30.98};
    for (int i = 0; i < 2; i++) {
        vxe_world *world = on_slope(degrees[i], 2.2, 0.6, false);
        const double angle = degrees[i] * PI / 180;
        double way[3];
        const double moved = way_in_a_second(world, way);
        if (i == 0) {
            check_below("drift below the angle, m", moved, by_precision(1e-9, 5e-9));
        } else {
            check_relative("acceleration above, m/s^2", 2 * moved,
                           GRAVITY * (sin(angle) - 0.3 * cos(angle)), 5e-3);
        }
        vxe_world_destroy(world);
    }
}

static double level_height(double x, double y)
{
    (void)x;
    (void)y;
    return 0.0035;
}

static double plane_height(double x, double y)
{
    return 0.0035 - 0.1 * x + 0.07 * y;
}

/* Largest distance between corresponding voxels of two designs' worlds at some times. */
static double farthest_apart(const vxe_design *one, const vxe_design *two)
{
    const vxe_design *designs[2] = {one, two};
    vxe_world *worlds[2];
    double max = 0;
    vxe_error error;
    for (int w = 0; w < 2; w++) {
        worlds[w] = stepped(designs[w], 5e-5, false);
    }
    for (int i = 1; i <= 10; i++) {
        for (int w = 0; w < 2; w++) {
            assert_int_equal(vxe_world_advance_to(worlds[w], 0.05 * i, &error), VXE_OK);
        }
        for (uint32_t v = 0; v < one->voxel_count; v++) {
            double a[3];
            double b[3];
            position_of(worlds[0], v, a);
            position_of(worlds[1], v, b);
            for (int c = 0; c < 3; c++) {
                max = fmax(max, fabs(a[c] - b[c]));
            }
        }
    }
    vxe_world_destroy(worlds[0]);
    vxe_world_destroy(worlds[1]);
    return max;
}

/* A field of equal heights equals the level floor, and a plane equals the slope: bodies fall,
 * bounce, tip and slide on them to the same places. Their depths round differently, by 1e-17 m or
 * in floats by 1e-9, and impacts on corners amplify that by 1e5. */
static void field_and_plane_agree(void **state)
{
    (void)state;
    for (int sloped = 0; sloped < 2; sloped++) {
        vxe_design *field = on_floor(4, 2, 3, 0.4, 0.2);
        vxe_design *plane = on_floor(4, 2, 3, 0.4, 0.2);
        const double push[3] = {0.4, 0.3, 0};
        vxe_error error;
        raise_floor(field, 61, 0.013, 0.37, sloped ? plane_height : level_height);
        plane->floor.height = 0.0035;
        plane->floor.slope[0] = sloped ? -0.1 : 0;
        plane->floor.slope[1] = sloped ? 0.07 : 0;
        for (uint32_t v = 0; v < 24; v++) {
            field->voxels[v].position[2] += 2;
            plane->voxels[v].position[2] += 2;
            assert_int_equal(vxe_design_set_velocity(field, v, push, NULL, &error), VXE_OK);
            assert_int_equal(vxe_design_set_velocity(plane, v, push, NULL, &error), VXE_OK);
        }
        check_below(sloped ? "apart on a slope, m" : "apart on the level, m",
                    farthest_apart(field, plane), by_precision(1e-11, 5e-4));
        vxe_design_destroy(field);
        vxe_design_destroy(plane);
    }
}

#define VALLEY_DEPTH 0.02
#define VALLEY_WAVE 12.0 /* rad/m */

static double valley_height(double x, double y)
{
    (void)y;
    return VALLEY_DEPTH * (1 - cos(VALLEY_WAVE * x));
}

/* A ball of radius r in a valley of radius R swings at its bottom as a pendulum of length R - r.
 * The next term of its period, in the square of the angle, is below 1e-4 here. The points are r/2
 * apart; with linear interpolation between them the valley is deeper by a constant. */
static void voxel_swings_in_a_valley(void **state)
{
    (void)state;
    vxe_design *design = on_floor(1, 1, 1, 0, 0.3);
    raise_floor(design, 301, 0.0002, 0.03, valley_height);
    vxe_world *world = stepped(design, 2e-5, false);
    const double start = 0.01;
    const double rise = VALLEY_DEPTH * VALLEY_WAVE * sin(VALLEY_WAVE * start);
    const double at[3] = {start - 0.5 * EDGE * rise, 0.005,
                          valley_height(start, 0) + 0.5 * EDGE - MASS * GRAVITY / STIFFNESS};
    vxe_error error;
    assert_int_equal(vxe_world_place(world, 0, at, NULL, NULL, NULL, NULL), VXE_OK);
    double crossings[3];
    double before[3] = {at[0], at[1], at[2]};
    for (int n = 0; n < 3;) {
        double now[3];
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        assert_true(vxe_world_time(world) < 3);
        position_of(world, 0, now);
        if (before[0] * now[0] <= 0) {
            crossings[n++] = vxe_world_time(world);
        }
        before[0] = now[0];
    }
    const double radius = 1 / (VALLEY_DEPTH * VALLEY_WAVE * VALLEY_WAVE);
    check_relative("period, s", crossings[2] - crossings[0],
                   2 * PI * sqrt((radius - 0.5 * EDGE) / GRAVITY), 3e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static double hill_height(double x, double y)
{
    return 0.01 * sin(40 * x) * cos(33 * y);
}

/* A block thrown over hills whose points are one voxel apart, so that the edges between cells
 * matter. */
static void hills_close_the_energy_balance(void **state)
{
    (void)state;
    const vxe_damping_scheme schemes[2] = {VXE_DAMPING_EXPLICIT, VXE_DAMPING_SWEEP};
    for (int i = 0; i < 4; i++) {
        vxe_design *design = on_floor(4, 3, 2, i < 2 ? 0 : 0.4, i < 2 ? 0 : 0.2);
        const double push[3] = {0.5, 0.3, 0};
        vxe_error error;
        raise_floor(design, 101, 0.01, 0.5, hill_height);
        for (uint32_t v = 0; v < 24; v++) {
            design->voxels[v].position[2] += 2;
            assert_int_equal(vxe_design_set_velocity(design, v, push, NULL, &error), VXE_OK);
        }
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        def.damping = schemes[i % 2];
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = 2e-5;
        vxe_world *world = make_world(design, &def);
        check_audit(i < 2 ? "frictionless hills" : "rough hills", world, 20000, 1e-3);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

static double steep_height(double x, double y)
{
    return 0.006 * sin(150 * x) * cos(33 * y);
}

/* A voxel with prescribed motion is pushed along, into and over steep hills, where the floor's
 * stiffness varies: the work against the floor is external work. It ends at another place than it
 * began, because on a closed path an error of the work would cancel. */
static void work_against_hills_is_counted(void **state)
{
    (void)state;
    vxe_design *design = on_floor(2, 1, 1, 0, 0);
    double table[10] = {0, 0, 0.1, 1, 0.2, 0.4, 0.3, 0.9, 0.4, 0.55};
    vxe_region hand = {.shape = VXE_REGION_BOX,
                       .high = {EDGE, EDGE, EDGE},
                       .fixed = VXE_FIX_ALL,
                       .displacement = {0.06, 0.03, -0.002},
                       .table = table,
                       .table_count = 5};
    vxe_error error;
    raise_floor(design, 101, 0.01, 0.5, steep_height);
    assert_int_equal(vxe_design_add_region(design, &hand, &error), VXE_OK);
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    def.step_scale = 0.1;
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_advance_to(world, 0.45, &error), VXE_OK);
    const vxe_energy e = vxe_world_energy(world);
    const double pressed = 0.5 * STIFFNESS * 0.01 * 0.01; /* J: at the depth of a hill's height */
    check_below("drift of the balance, of what was pressed",
                fabs(e.balance - e.balance_start) / pressed, 2e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static double cliff_height(double x, double y)
{
    (void)y;
    return x > 0.06 ? 0.05 : 0;
}

/* A block is thrown at a wall ten times as steep as 45 degrees, at the design's default step: it
 * bounces back, and the wall gives no energy. Kinetic energy varies within a step at the limit of
 * stability: a hundredth is allowed for that. */
static void cliffs_give_no_energy(void **state)
{
    (void)state;
    vxe_design *design = on_floor(3, 3, 3, 0.3, 0.1);
    const double push[3] = {2, 0.1, 0};
    vxe_error error;
    raise_floor(design, 101, 0.005, 0.25, cliff_height);
    for (uint32_t v = 0; v < 27; v++) {
        assert_int_equal(vxe_design_set_velocity(design, v, push, NULL, &error), VXE_OK);
    }
    vxe_world *world = make_world(design, NULL);
    const double start = 27 * MASS * (0.5 * (2 * 2 + 0.1 * 0.1) + GRAVITY * 0.015);
    double max = 0;
    for (int i = 0; i < 500; i++) {
        assert_int_equal(vxe_world_advance_to(world, 1e-3 * i, &error), VXE_OK);
        const vxe_energy e = vxe_world_energy(world);
        max = fmax(max, e.kinetic + e.elastic + e.floor + e.gravity);
    }
    double at[3];
    double velocity[3];
    vxe_world_center_of_mass(world, at, velocity);
    check_below("most energy, of what it had", max / start, 1.01);
    check_below("where it is left, m", at[0], 0.06);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Voxels fixed by a region are walls and steps: a block thrown into a corner of them comes to rest
 * there, on the step, without overlap. */
static void fixed_voxels_are_terrain(void **state)
{
    (void)state;
    vxe_design *design = on_floor(3, 2, 2, 0.6, 0.4);
    const double push[3] = {1.2, 0, 0};
    vxe_error error;
    design->self_collision = true;
    for (uint32_t v = 0; v < 12; v++) {
        design->voxels[v].position[0] -= 6;
        design->voxels[v].position[2] += 2;
        assert_int_equal(vxe_design_set_velocity(design, v, push, NULL, &error), VXE_OK);
    }
    for (int i = 0; i < 13; i++) { /* a step of one voxel, and a wall at its end */
        for (int j = -1; j < 3; j++) {
            for (int k = 0; k < (i == 12 ? 7 : 1); k++) {
                assert_int_equal(vxe_design_add_voxel(design, i - 7, j, k, 0, &error), VXE_OK);
            }
        }
    }
    vxe_region terrain = {.shape = VXE_REGION_BOX,
                          .low = {-0.075, -0.015, -0.005},
                          .high = {0.055, 0.035, 0.0095},
                          .fixed = VXE_FIX_ALL};
    vxe_region wall = {.shape = VXE_REGION_BOX,
                       .low = {0.0505, -0.015, -0.005},
                       .high = {0.0595, 0.035, 0.08},
                       .fixed = VXE_FIX_ALL};
    assert_int_equal(vxe_design_add_region(design, &terrain, &error), VXE_OK);
    assert_int_equal(vxe_design_add_region(design, &wall, &error), VXE_OK);
    vxe_world *world = make_world(design, NULL);
    vxe_body bodies[2];
    double farthest = -1;
    double lowest = 1;
    assert_int_equal(vxe_world_describe(world).bodies, 2);
    for (int i = 1; i <= 100; i++) {
        assert_int_equal(vxe_world_advance_to(world, 0.02 * i, &error), VXE_OK);
        for (uint32_t v = 0; v < 12; v++) {
            double at[3];
            position_of(world, v, at);
            farthest = fmax(farthest, at[0]);
            lowest = fmin(lowest, at[2]);
        }
    }
    vxe_world_bodies(world, bodies);
    const vxe_body *block = bodies[0].voxels == 12 ? &bodies[0] : &bodies[1];
    check_below("farthest voxel into the wall, m", farthest, 0.05 - 0.5 * EDGE + 0.1 * EDGE);
    check_below("lowest voxel into the step, m", 1.5 * EDGE - lowest, 0.1 * EDGE);
    check_near("height of the block, m", block->center[2], 2 * EDGE, 0.02 * EDGE);
    check_below("speed at the end, m/s", hypot(block->velocity[0], block->velocity[2]), 2e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* What is beyond the end of the floor falls freely; what is on it stays. */
static void floor_ends_at_its_radius(void **state)
{
    (void)state;
    vxe_design *design = on_floor(1, 1, 1, 0.5, 0.5);
    vxe_error error;
    assert_int_equal(vxe_design_add_voxel(design, 4, 0, 0, 0, &error), VXE_OK);
    design->floor.radius = 0.03;
    design->floor.center[0] = 0.01;
    design->floor.center[1] = 0.005;
    vxe_world *world = stepped(design, 1e-4, false);
    assert_int_equal(vxe_world_advance_to(world, 0.5, &error), VXE_OK);
    double at[3];
    position_of(world, 0, at);
    check_near("height on the floor, m", at[2], 0.5 * EDGE - MASS * GRAVITY / STIFFNESS, 1e-6);
    position_of(world, 1, at);
    const double t = vxe_world_time(world);
    check_relative("fall beyond it, m", 0.5 * EDGE - at[2], 0.5 * GRAVITY * t * t, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A sticky floor stops what touches it at once; in the air nothing changes. */
static void sticky_floor_holds(void **state)
{
    (void)state;
    vxe_design *design = on_floor(1, 1, 1, 0, 0.5);
    design->floor.sticky = true;
    vxe_world *world = stepped(design, 1e-4, false);
    const double at[3] = {0.005, 0.005, 0.5 * EDGE + 1e-3};
    const double push[3] = {0.2, -0.1, 0};
    double now[3];
    vxe_error error;
    assert_int_equal(vxe_world_place(world, 0, at, NULL, push, NULL, NULL), VXE_OK);
    assert_int_equal(vxe_world_advance_to(world, 0.014, &error), VXE_OK); /* it lands at 14.3 ms */
    position_of(world, 0, now);
    check_relative("way in the air, m", now[0] - at[0], 0.2 * vxe_world_time(world), 1e-5);
    assert_int_equal(vxe_world_advance_to(world, 0.2, &error), VXE_OK);
    position_of(world, 0, now);
    check_near("way until it touches, m", now[0] - at[0], 0.2 * sqrt(2 * 1e-3 / GRAVITY), 5e-5);
    vxe_world_velocities(world, now, NULL);
    assert_true(now[0] == 0 && now[1] == 0);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A walker of one of several sizes on one of several terrains. */
static vxe_design *walker(int i)
{
    vxe_design *design = on_floor(4 + i % 3, 3, 2, 0.5, 0.3);
    design->materials[0].thermal_expansion = 0.01;
    design->materials[0].bond_damping = i % 2 ? 1 : 0.1;
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 0, .amplitude = 10, .period = 0.05};
    vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        phase->values[v] = 0.3 * design->voxels[v].position[0];
        design->voxels[v].position[2] += 1;
    }
    if (i % 3 == 0) {
        raise_floor(design, 60 + (uint32_t)i % 2, 0.007, 0.2, hill_height);
    } else {
        design->floor.slope[i % 2] = 0.02 * i;
        design->floor.radius = i % 5 == 1 ? 0.03 : 0;
    }
    design->floor.sticky = i % 7 == 3;
    design->self_collision = i % 4 == 2;
    return design;
}

/* The same bits alone, for any number of threads, and in lanes among others and among walkers on
 * the level floor. */
static void walkers_have_the_same_bits_in_any_batch(void **state)
{
    (void)state;
    check_same_bits(walker, 24, 600);
}

/* A scene keeps its floor. */
static void floor_is_written_and_read(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *first = walker(0);
    first->floor = (vxe_floor){.enabled = true,
                               .sticky = true,
                               .height = 1.0 / 3,
                               .slope = {0.1, -1.0 / 7},
                               .radius = 5.0 / 3,
                               .center = {1e-17, 2},
                               .heights = first->floor.heights};
    assert_int_equal(vxe_design_write(first, "physics_terrain_test.json", &error), VXE_OK);
    vxe_design *second = vxe_design_read("physics_terrain_test.json", &error);
    assert_non_null(second);
    const vxe_floor *a = &first->floor;
    const vxe_floor *b = &second->floor;
    assert_true(b->sticky && a->height == b->height && a->radius == b->radius);
    assert_memory_equal(a->slope, b->slope, sizeof a->slope);
    assert_memory_equal(a->center, b->center, sizeof a->center);
    assert_int_equal(a->heights.columns, b->heights.columns);
    assert_true(a->heights.spacing == b->heights.spacing);
    assert_memory_equal(a->heights.origin, b->heights.origin, sizeof a->heights.origin);
    assert_memory_equal(a->heights.heights, b->heights.heights,
                        (size_t)a->heights.columns * a->heights.rows * sizeof(double));
    for (int i = 0; i < 200; i++) {
        const double x = -0.3 + 0.003 * i;
        const double y = 0.2 - 0.0025 * i;
        assert_true(vxe_floor_level(a, x, y) == vxe_floor_level(b, x, y));
    }
    unlink("physics_terrain_test.json");
    vxe_design_destroy(first);
    vxe_design_destroy(second);
}

/* Impossible floors are refused, with the number. */
static void wrong_floors_are_refused(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = walker(0);
    double *heights = design->floor.heights.heights;
    vxe_heightfield point = design->floor.heights;
    point.columns = point.rows = 1;
    assert_int_equal(vxe_design_set_heights(design, &point, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "1 x 1 points"));
    design->floor.heights.rows = 1;
    assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "60 x 1 points"));
    design->floor.heights.rows = 60;
    heights[7] = (double)NAN;
    assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "column 7 of row 0"));
    heights[7] = 100;
    assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
    heights[7] = 0;
    design->floor.heights.spacing = 0;
    assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
    design->floor.heights.spacing = 0.01;
    assert_int_equal(vxe_design_check(design, &error), VXE_OK);
    design->floor.slope[1] = (double)INFINITY;
    assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
    design->floor.slope[1] = 0;
    design->floor.radius = -1;
    assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "radius -1"));
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_a_slope_sticks_or_slides_at_the_friction_angle),
        cmocka_unit_test(static_friction_holds_up_to_its_angle),
        cmocka_unit_test(field_and_plane_agree),
        cmocka_unit_test(voxel_swings_in_a_valley),
        cmocka_unit_test(hills_close_the_energy_balance),
        cmocka_unit_test(work_against_hills_is_counted),
        cmocka_unit_test(cliffs_give_no_energy),
        cmocka_unit_test(fixed_voxels_are_terrain),
        cmocka_unit_test(floor_ends_at_its_radius),
        cmocka_unit_test(sticky_floor_holds),
        cmocka_unit_test(walkers_have_the_same_bits_in_any_batch),
        cmocka_unit_test(floor_is_written_and_read),
        cmocka_unit_test(wrong_floors_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
