/* SPDX-License-Identifier: MIT */
/* The laws of the floor against their formulas (docs/physics.md, Floor, Friction and Uneven
 * floors), which are written out here once more. Bounds are for rounding, where nothing else is
 * said. */
#include <math.h>

#include "engine/floor/floor_law.h"
#include "engine/floor/friction_law.h"
#include "engine/floor/terrain_law.h"
#include "support.h"

#define ROUNDING 1e-12
/* s */
#define STEP 1e-4
/* N s/m */
#define DASHPOT 3.0

/* 1/kg */
#define GIVES (1 / MASS)

static vxe_floor_push push_at(double depth, double speed, double dashpot, bool pulls)
{
    return floor_push((vxe_on_floor){depth, speed, 0, GIVES, EDGE}, STIFFNESS, dashpot, pulls,
                      STEP);
}

/* J: of the floor's spring. */
static double stored(double depth)
{
    return 0.5 * STIFFNESS * fmax(depth, 0) * fmax(depth, 0);
}

/* At rest the mean force is k p. Without a dashpot its work over the way of the step is the change
 * of the spring's energy, wherever the contact begins and ends. Sources: impact_law.h, derived
 * there.
 */
static void floor_pushes_as_its_spring_stores(void **state)
{
    (void)state;
    const double weight = 0.3; /* N */
    const double p = weight / STIFFNESS;
    const vxe_on_floor lies = {p, 0, -STEP * GIVES * weight, GIVES, EDGE};
    check_relative("what carries a weight, N", floor_push(lies, STIFFNESS, DASHPOT, 0, STEP).force,
                   weight, ROUNDING);
    check_relative("its impulse, N s", floor_push(lies, STIFFNESS, DASHPOT, 0, STEP).impulse,
                   STEP * weight, ROUNDING);
    for (int i = -6; i <= 6; i++) {
        for (int way = -1; way <= 1; way += 2) {
            const double v = way * 0.5;
            const double depth = 0.1 * i * STEP * fabs(v);
            const double force = push_at(depth, -v, 0, false).force;
            const double after = v - STEP * GIVES * force;
            const double from = depth - 0.5 * STEP * v;
            const double to = depth + 0.5 * STEP * after;
            check_near("work less energy, J", force * (to - from), stored(to) - stored(from),
                       1e-9 * STIFFNESS * STEP * STEP * v * v);
        }
    }
}

/* c u more while the voxel sinks, and never below 0 where it leaves; the correction of c is of the
 * order of the squared step. Nothing above the floor; in the Voxelyze family k p - c v at the start
 * of the step, and friction feels the spring alone. */
static void floor_pushes_by_spring_and_dashpot(void **state)
{
    (void)state;
    const double p = 1e-4;
    const double spring = STIFFNESS * p;
    const double step2 = STEP * STEP * STIFFNESS * GIVES;
    const double dashpot =
        DASHPOT * (1 + 0.15 * step2 + 0.1 * sqrt(step2) * 0.5 * STEP * GIVES * DASHPOT);
    /* F = k (p + (v + v')/2 ...): from v' = v - h F/m, once more by hand */
    const double sinking =
        (spring + dashpot * 0.1) / (1 + STEP * GIVES * (0.25 * STEP * STIFFNESS + 0.5 * dashpot));
    const vxe_floor_push sinks = push_at(p, -0.1, DASHPOT, false);
    check_relative("push, N", sinks.force, sinking, ROUNDING);
    check_relative("its impulse, N s", sinks.impulse, STEP * sinking, ROUNDING);
    check_near("push on what leaves, N", push_at(p, 3, DASHPOT, false).force, 0, 0);
    check_near("push above the floor, N", push_at(-p, -0.1, DASHPOT, false).force, 0, 0);
    const vxe_floor_push pulled = push_at(p, 1, DASHPOT, true);
    check_relative("pull of the family's floor, N", pulled.force, spring - DASHPOT, ROUNDING);
    check_relative("its impulse, N s", pulled.impulse, STEP * spring, ROUNDING);
    check_near("its push above the floor, N", push_at(-p, -1, DASHPOT, true).force, 0, 0);
    const vxe_coordinate level = {.high = 0.5 * EDGE};
    const vxe_coordinate place = {.high = 0.45 * EDGE};
    check_relative("depth of an edge that has grown, m", floor_depth(level, place, 0.02 * EDGE),
                   0.06 * EDGE, ROUNDING);
}

/* Where the speed after the kick is the one that the force makes, the force of the known way is the
 * same, and so is its spring; all of the way is in contact. */
static void force_of_a_known_way_is_the_same(void **state)
{
    (void)state;
    const double p = 5e-4;
    const double v[2] = {0.5, -0.5};
    for (int i = 0; i < 2; i++) {
        const vxe_impact found = impact_of_step(p, v[i], 0, STIFFNESS, DASHPOT, GIVES, STEP);
        const double after = v[i] - STEP * GIVES * found.force;
        const vxe_impact known = impact_of_way(p, v[i], after, STIFFNESS, DASHPOT, GIVES, STEP);
        check_relative("force of a known way, N", known.force, found.force, 1e-11);
        check_relative("spring of a known way, N", known.spring, found.spring, 1e-11);
    }
}

/* With damping iterations the kick takes the mean force without them, and the end of the step adds
 * what the mean force is more: both together are one kick by the mean force with what the
 * iterations gave. */
static void floor_behind_iterations_makes_up_the_mean_force(void **state)
{
    (void)state;
    const double p = 1e-4;
    const double damped = 0.02; /* m/s, by the iterations */
    const vxe_on_floor at = {p, -0.1, 0.01, GIVES, EDGE};
    const vxe_floor_push start = floor_push(at, STIFFNESS, DASHPOT, 0, STEP);
    vxe_on_floor behind = at;
    behind.others += start.impulse * GIVES + damped;
    const vxe_floor_push more =
        floor_push_behind(behind, start.impulse, STIFFNESS, DASHPOT, 0, STEP);
    vxe_on_floor whole = at;
    whole.others += damped;
    check_relative("both impulses, N s", start.impulse + more.impulse,
                   floor_push(whole, STIFFNESS, DASHPOT, 0, STEP).impulse, ROUNDING);
    check_near("behind, in the family, N s",
               floor_push_behind(behind, start.impulse, STIFFNESS, DASHPOT, 1, STEP).impulse, 0, 0);
}

/* N s: the normal impulse; the largest impulses by static and dynamic friction are 0.8 and 0.5 of
 * it. */
#define NORMAL 1e-3

/* Of a voxel that would go at `now` (m/s, along the direction (3, 4)/5) without friction. */
static vxe_slide slide_at(double now, double bond_pull, bool stuck)
{
    return friction_slide(NORMAL, MASS, 0.8, 0.5, bond_pull, 0.6 * now, 0.8 * now, stuck);
}

/* A voxel that holds goes on holding while its momentum is within mu_s N; one that slides loses
 * mu_d N of its momentum, and holds where that is all of it. Nothing else is slow enough: a body
 * that slides does not stop by static friction. */
static void friction_holds_and_slides_as_coulomb_says(void **state)
{
    (void)state;
    const double holds = 0.8 * NORMAL / MASS; /* m/s */
    const double slides = 0.5 * NORMAL / MASS;
    assert_true(slide_at(0.999 * holds, 0, true).stuck > 0);
    check_near("speed of what holds, m/s", slide_at(0.999 * holds, 0, true).factor, 0, 0);
    const vxe_slide torn = slide_at(1.001 * holds, 0, true);
    assert_true(torn.stuck <= 0);
    check_relative("what slides keeps of its speed", torn.factor, 1 - slides / (1.001 * holds),
                   ROUNDING);
    assert_true(slide_at(0.999 * slides, 0, false).stuck > 0);
    check_near("speed of what stops, m/s", slide_at(0.999 * slides, 0, false).factor, 0, 0);
    assert_true(slide_at(1.001 * slides, 0, false).stuck <= 0);
    assert_true(slide_at(0.999 * holds, 0, false).stuck <= 0);
    const vxe_slide above = friction_slide(0, MASS, 0.8, 0.5, 0, 1, 0, 1);
    check_near("speed kept above the floor", above.factor, 1, 0);
    assert_true(above.stuck <= 0);
}

/* Dashpots c of the bonds to neighbours that go at V, beside a voxel at rest: with v' after a step,
 * m v' = c h (V - v'/2) - mu_d N h by the midpoint rule. Damping iterations in which it is at rest
 * give it the momentum c h V; bond_pull is h c/(2 m). */
static void what_lets_go_starts_as_by_the_midpoint_rule(void **state)
{
    (void)state;
    const double bond_pull = 3;
    const double pulled = 1.7 * NORMAL; /* N s: c h V */
    const double after = (pulled - 0.5 * NORMAL) / (MASS * (1 + bond_pull));
    const vxe_slide slide = slide_at(pulled / MASS, bond_pull, true);
    check_relative("m/s", slide.factor * pulled / MASS, after, ROUNDING);
    check_relative("m/s, of what slid before", slide_at(pulled / MASS, bond_pull, false).factor,
                   1 - 0.5 * NORMAL / pulled, ROUNDING);
}

/* Ahead of damping iterations a voxel that slides has dynamic friction, against its motion; one
 * that holds, or is at rest, or above the floor, has none. One that its neighbours pull at its own
 * speed, with the dashpots of bond_pull, needs (1 + 2 bond_pull) times its momentum to stop, and is
 * given no more. */
static void predicted_friction_slows_what_slides(void **state)
{
    (void)state;
    const double fast = 10 * NORMAL / MASS; /* m/s */
    const double slow = 0.01 * NORMAL / MASS;
    const double slows = friction_predicted(NORMAL, MASS, 0.5, 3, 0.6 * fast, 0.8 * fast, 0);
    check_relative("N s, against a fast voxel", slows * fast, -0.5 * NORMAL, ROUNDING);
    const double stops = friction_predicted(NORMAL, MASS, 0.5, 3, 0.6 * slow, 0.8 * slow, 0);
    check_relative("kg, against a slow voxel", stops, -7 * MASS, ROUNDING);
    check_near("of what holds", friction_predicted(NORMAL, MASS, 0.5, 3, fast, 0, 1), 0, 0);
    check_near("above the floor", friction_predicted(-NORMAL, MASS, 0.5, 3, fast, 0, 0), 0, 0);
    assert_true(isfinite(friction_predicted(NORMAL, MASS, 0.5, 3, 0, 0, 0)));
}

/* The tangents of a slope are of unit length, perpendicular to each other and the normal, and x and
 * y of a level floor; what friction leaves of the sliding velocity lies along them. */
static void tangents_lie_in_the_slope(void **state)
{
    (void)state;
    const double size = sqrt(1 + 0.3 * 0.3 + 0.5 * 0.5);
    const vxe_vec3 n = {-0.3 / size, 0.5 / size, 1 / size};
    const vxe_tangents t = terrain_tangents(n);
    const double products[6] = {vec_dot(t.x, t.x) - 1, vec_dot(t.y, t.y) - 1, vec_dot(t.x, t.y),
                                vec_dot(t.x, n),       vec_dot(t.y, n),       t.x.y - t.y.x};
    for (int i = 0; i < 6; i++) {
        check_near("products of tangents", products[i], 0, ROUNDING);
    }
    const vxe_vec3 v = {1, -2, 0.7};
    const vxe_vec3 lost = terrain_slid(terrain_slip(n, v), 0.25);
    const vxe_vec3 along = vec_add_scaled(v, -vec_dot(v, n), n);
    const vxe_vec3 off = vec_add_scaled(lost, 0.75, along);
    check_below("velocity that friction takes, m/s", sqrt(vec_dot(off, off)), ROUNDING);
}

/* A hilly floor of 6 x 6 points, on a slope. */
#define POINTS 6
#define SPACING 0.012
#define SLOPE_X 0.2
#define SLOPE_Y -0.1

typedef struct hills {
    double height[POINTS * POINTS];
    double center[POINTS * POINTS]; /* m: of a ball of half an edge above the point */
    double weight[POINTS * POINTS];
} hills;

/* Slope at a point from both neighbours, or from the only one. */
static double rise_at(const hills *of, int i, int j, int along)
{
    const int at = along == 0 ? i : j;
    const int step = along == 0 ? 1 : POINTS;
    const int here = j * POINTS + i;
    const int before = at > 0 ? here - step : here;
    const int behind = at + 1 < POINTS ? here + step : here;
    return (of->height[behind] - of->height[before]) / ((behind - before) / step * SPACING);
}

/* Heights up to 8 mm; some slopes are steeper than 45 degrees, where 1/n_z is no larger than
 * there. */
static void make_hills(hills *of)
{
    uint64_t seed = 3;
    for (int k = 0; k < POINTS * POINTS; k++) {
        of->height[k] = 0.008 * random_unit(&seed);
    }
    for (int j = 0; j < POINTS; j++) {
        for (int i = 0; i < POINTS; i++) {
            const double x = SLOPE_X + rise_at(of, i, j, 0);
            const double y = SLOPE_Y + rise_at(of, i, j, 1);
            const double by_normal = sqrt(1 + x * x + y * y);
            const int k = j * POINTS + i;
            of->center[k] = of->height[k] + 0.5 * EDGE * fmin(by_normal, sqrt(2));
            of->weight[k] = 1 / by_normal;
        }
    }
}

static double between(const double *points, double x, double y)
{
    const int i = (int)(x / SPACING);
    const int j = (int)(y / SPACING);
    const double u = x / SPACING - i;
    const double v = y / SPACING - j;
    const double *at = points + (size_t)(j * POINTS + i);
    return (1 - v) * ((1 - u) * at[0] + u * at[1]) +
           v * ((1 - u) * at[POINTS] + u * at[POINTS + 1]);
}

/* J: k p^2/2 with p = (H - z) weight. */
static double energy_at(const hills *of, const double at[3])
{
    const double center = SLOPE_X * at[0] + SLOPE_Y * at[1] + between(of->center, at[0], at[1]);
    const double p = (center - at[2]) * between(of->weight, at[0], at[1]);
    return 0.5 * STIFFNESS * p * p;
}

/* s: so short that the mean force over it is that at its beginning, to k h^2/(4 m) = 2.5e-10. */
#define SHORT_STEP 1e-8

/* The force on a voxel is minus the derivative of that energy, by central differences of 1e-6
 * edges. It is seen in the velocities after one step from rest. */
static void force_of_hills_is_the_gradient_of_their_energy(void **state)
{
    (void)state;
    static hills of;
    uint64_t seed = 8;
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    make_hills(&of);
    const vxe_heightfield field = {POINTS, POINTS, SPACING, {0, 0}, of.height};
    vxe_error error;
    design->floor.enabled = true;
    design->floor.slope[0] = SLOPE_X;
    design->floor.slope[1] = SLOPE_Y;
    assert_int_equal(vxe_design_set_heights(design, &field, &error), VXE_OK);
    design->voxels[0].position[2] = 5;
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = SHORT_STEP;
    double off = 0;
    for (int trial = 0; trial < 40; trial++) {
        vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
        double at[3];
        double v[3];
        for (int c = 0; c < 2; c++) {
            at[c] = (0.5 + 0.49 * random_unit(&seed)) * (POINTS - 1) * SPACING;
        }
        at[2] = SLOPE_X * at[0] + SLOPE_Y * at[1] + between(of.center, at[0], at[1]) - 5e-4;
        assert_int_equal(vxe_world_place(world, 0, at, NULL, NULL, NULL, NULL), VXE_OK);
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        vxe_world_velocities(world, v, NULL);
        for (int c = 0; c < 3; c++) {
            double low[3] = {at[0], at[1], at[2]};
            double high[3] = {at[0], at[1], at[2]};
            low[c] -= 1e-6 * EDGE;
            high[c] += 1e-6 * EDGE;
            const double force = (energy_at(&of, low) - energy_at(&of, high)) / (2e-6 * EDGE);
            off = fmax(off, fabs(v[c] - SHORT_STEP * force / MASS) /
                                (SHORT_STEP * STIFFNESS * 5e-4 / MASS));
        }
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
    check_below("force of hills against their energy, relative", off, 1e-7);
}

/* N: force of a floor of 30 mm radius about (10, 20) mm on a voxel, so far (m) from its centre and
 * so deep (m). */
static double force_at_end(double away, double depth)
{
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    vxe_world_def def = vxe_world_def_default();
    vxe_error error;
    double v[3];
    design->floor.enabled = true;
    design->floor.radius = 0.03;
    design->floor.center[0] = 0.01;
    design->floor.center[1] = 0.02;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = SHORT_STEP;
    vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
    const double at[3] = {0.01 + 0.6 * away, 0.02 - 0.8 * away, 0.5 * EDGE - depth};
    assert_int_equal(vxe_world_place(world, 0, at, NULL, NULL, NULL, NULL), VXE_OK);
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    vxe_world_velocities(world, v, NULL);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return v[2] * MASS / SHORT_STEP;
}

/* A floor with an end pushes what is within its radius and not deeper than an edge. */
static void floors_end_at_their_radius_and_an_edge_below(void **state)
{
    (void)state;
    const double p = 0.1 * EDGE;
    check_relative("push within the radius, N", force_at_end(0.999 * 0.03, p), STIFFNESS * p, 1e-9);
    check_near("push beyond the radius, N", force_at_end(1.001 * 0.03, p), 0, 0);
    check_relative("push an edge deep, N", force_at_end(0.01, 0.999 * EDGE),
                   STIFFNESS * 0.999 * EDGE, 1e-9);
    check_near("push deeper than an edge, N", force_at_end(0.01, 1.001 * EDGE), 0, 0);
}

/* A voxel that has come through the tip of a needle a hundred edges high within half a step would
 * gain what its spring pushes it out with, a thousand times what it has. At any of 200 steps it is
 * thrown back as it came, whichever way 1/h is rounded, and whatever friction has taken of its
 * velocity. */
static void needles_throw_voxels_back(void **state)
{
    (void)state;
    const double tip = 100 * EDGE;
    const double points[6 * VXE_TERRAIN_POINT] = {0, 1, 1, tip, 1, 1, 0, 1, 1,
                                                  0, 1, 1, tip, 1, 1, 0, 1, 1};
    const double number[VXE_TERRAIN_NUMBERS] = {[VXE_TERRAIN_PER_POINT] = 1 / EDGE,
                                                [VXE_TERRAIN_LAST_X] = 2,
                                                [VXE_TERRAIN_LAST_Y] = 1,
                                                [VXE_TERRAIN_DEEPEST] = (double)INFINITY,
                                                [VXE_TERRAIN_RADIUS2] = (double)INFINITY};
    const vxe_terrain_place at = {.g = number,
                                  .stride = 1,
                                  .points = points,
                                  .x = 1.01 * EDGE,
                                  .y = 0.5 * EDGE,
                                  .z = 0.98 * tip + 0.5 * EDGE,
                                  .r = 0.5 * EDGE};
    const vxe_vec3 before = {4, 0.3, -0.1};
    const vxe_vec3 after = {3.5, 0.2, 0};
    const vxe_vec3 gives = {1 / MASS, 1 / MASS, 1 / MASS};
    const vxe_touch touch = terrain_touch(&at);
    double farthest = 0;
    for (int i = 0; i < 200; i++) {
        const double h = 2e-4 * (1 + 0.003 * i);
        const vxe_vec3 v = terrain_mended(&at, &touch, before, after, gives, STIFFNESS, h);
        const vxe_vec3 apart = vec_add(v, before);
        farthest = fmax(farthest, sqrt(vec_dot(apart, apart)));
    }
    check_below("thrown back otherwise than it came, m/s", farthest, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floor_pushes_by_spring_and_dashpot),
        cmocka_unit_test(floor_pushes_as_its_spring_stores),
        cmocka_unit_test(force_of_a_known_way_is_the_same),
        cmocka_unit_test(floor_behind_iterations_makes_up_the_mean_force),
        cmocka_unit_test(friction_holds_and_slides_as_coulomb_says),
        cmocka_unit_test(what_lets_go_starts_as_by_the_midpoint_rule),
        cmocka_unit_test(predicted_friction_slows_what_slides),
        cmocka_unit_test(tangents_lie_in_the_slope),
        cmocka_unit_test(force_of_hills_is_the_gradient_of_their_energy),
        cmocka_unit_test(floors_end_at_their_radius_and_an_edge_below),
        cmocka_unit_test(needles_throw_voxels_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
