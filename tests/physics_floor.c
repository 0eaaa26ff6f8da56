/* SPDX-License-Identifier: MIT */
/* One voxel on the floor: impact, restitution, and Coulomb friction (the floor cases of
   docs/accuracy.md), with energy audits, in both damping schemes where the dashpot acts. */
#include <math.h>

#include "support.h"

#define GRAVITY 9.81

static vxe_material floor_material(double collision, double friction)
{
    vxe_material m = standard_material();
    m.collision_damping = collision;
    m.static_friction = friction;
    m.dynamic_friction = friction;
    return m;
}

/* A voxel with its bottom height above the floor; gravity tilted by angle (rad) about y, so that +x
 * is downhill. */
static vxe_world *dropped(const vxe_material *m, int height, double angle, double step, bool audit)
{
    vxe_design *design = block_design(m, 1, 1, 1);
    design->voxels[0].position[2] = height;
    design->floor.enabled = true;
    design->gravity[0] = GRAVITY * sin(angle);
    design->gravity[2] = -GRAVITY * cos(angle);
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = step;
    def.audit = audit;
    vxe_world *world = make_world(design, &def);
    vxe_design_destroy(design);
    return world;
}

static void state_of(const vxe_world *world, double *height, double *speed)
{
    double at[3];
    double v[3];
    position_of(world, 0, at);
    vxe_world_velocities(world, v, NULL);
    *height = at[2] - 0.5 * EDGE;
    *speed = v[2];
}

typedef struct impact {
    double speed;    /* at first contact, m/s */
    double depth;    /* greatest penetration, m */
    double duration; /* s */
    double rebound;  /* speed at leaving, m/s */
    double apex;     /* height after it, m */
} impact;

static impact measure_impact(double collision, double step)
{
    const vxe_material m = floor_material(collision, 0);
    vxe_world *world = dropped(&m, 10, 0, step, false);
    impact found = {0};
    double before = 0.1;
    double old_speed = 0;
    double touched = -1;
    double left = -1;
    while (left < 0 || vxe_world_time(world) < left + 0.5) {
        double height = 0;
        double speed = 0;
        vxe_error error;
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        state_of(world, &height, &speed);
        const double crossing = vxe_world_time(world) - step * height / (height - before);
        if (before >= 0 && height < 0 && touched < 0) {
            touched = crossing;
            found.speed = -old_speed;
        } else if (before < 0 && height >= 0 && left < 0) {
            left = crossing;
            found.duration = left - touched;
            found.rebound = speed;
        }
        found.depth = fmax(found.depth, left < 0 ? -height : 0);
        found.apex = left < 0 ? 0 : fmax(found.apex, height);
        if (left >= 0 && speed < 0) {
            break;
        }
        before = height;
        old_speed = speed;
    }
    vxe_world_destroy(world);
    return found;
}

/* Case floor-impact. */
static void drop_on_an_elastic_floor(void **state)
{
    (void)state;
    const impact found = measure_impact(0, 0.01 * 9.94860e-4);
    check_relative("speed at impact, m/s", found.speed, 1.400714, 5e-3);
    check_relative("greatest penetration, m", found.depth, 4.439268e-4, 5e-3);
    check_relative("time of contact, s", found.duration, 9.94860e-4, 5e-3);
    check_relative("rebound without dashpot", found.rebound / found.speed, 1, 5e-3);
}

/* Case floor-restitution: a dashpot that never pulls. At a quarter of the step of floor-impact: the
 * dashpot is integrated to first order and the phase of the first step in contact matters (1.4 % in
 * height at a hundredth of the time of contact, below 0.1 % from a four-hundredth on). */
static void floor_dashpot_has_its_restitution(void **state)
{
    (void)state;
    const double ratios[2] = {.1, .3};
    const double restitution[2] = {0.743305, 0.449041};
    const double apex[2] = {.0552503, .0201638};
    for (int i = 0; i < 2; i++) {
        const impact found = measure_impact(ratios[i], 0.0025 * 9.94860e-4);
        check_relative("restitution", found.rebound / found.speed, restitution[i], 0.01);
        check_relative("height of the rebound, m", found.apex, apex[i], 0.01);
    }
}

static void impacts_balance_their_energy(void **state)
{
    (void)state;
    const double ratios[3] = {0, .1, .3};
    for (int i = 0; i < 3; i++) {
        const vxe_material m = floor_material(ratios[i], 0);
        vxe_world *world = dropped(&m, 1, 0, 0.01 * 9.94860e-4, true);
        check_audit("drop of 10 mm", world, 6000, 1e-3);
        vxe_world_destroy(world);
    }
}

/* A voxel at rest in the floor of the slope: penetration m g cos / k. */
static vxe_world *on_slope(double degrees, double friction, bool audit)
{
    const vxe_material m = floor_material(0.5, friction);
    vxe_world *world = dropped(&m, 0, degrees * PI / 180, 2e-5, audit);
    const double at[3] = {0.5 * EDGE, 0.5 * EDGE,
                          0.5 * EDGE - MASS * GRAVITY * cos(degrees * PI / 180) / STIFFNESS};
    assert_int_equal(vxe_world_place(world, 0, at, NULL, NULL, NULL, NULL), VXE_OK);
    return world;
}

/* Case incline: atan 0.3 = 16.69924 degrees. */
static void block_on_a_slope_sticks_or_slides_at_the_friction_angle(void **state)
{
    (void)state;
    const double degrees[4] = {16.69, 16.71, 20, 30};
    const double expected[4] = {0, 0, .589702, 2.356287};
    for (int i = 0; i < 4; i++) {
        vxe_world *world = on_slope(degrees[i], 0.3, false);
        vxe_error error;
        double at[3];
        assert_int_equal(vxe_world_advance_to(world, 1, &error), VXE_OK);
        position_of(world, 0, at);
        const double moved = at[0] - 0.5 * EDGE;
        if (i == 0) {
            check_below("drift of the sticking block, m", fabs(moved), 1e-9);
        } else if (i == 1) {
            const double angle = degrees[i] * PI / 180;
            check_relative("acceleration just above, m/s^2", 2 * moved,
                           GRAVITY * (sin(angle) - 0.3 * cos(angle)), 0.05);
        } else {
            check_relative("acceleration, m/s^2", 2 * moved, expected[i], 5e-3);
        }
        vxe_world_destroy(world);
    }
    vxe_world *world = on_slope(30, 0.3, true);
    check_audit("sliding down", world, 4000, 1e-3);
    vxe_world_destroy(world);
}

/* A block between atan(mu_d) and atan(mu_s) stays at rest: the two coefficients act separately. */
static void static_friction_is_larger_than_dynamic(void **state)
{
    (void)state;
    vxe_material m = floor_material(0.5, 0.3);
    m.static_friction = 0.6;
    const double angle = 25 * PI / 180; /* tan = 0.466 */
    vxe_world *world = dropped(&m, 0, angle, 2e-5, false);
    const double at[3] = {0.5 * EDGE, 0.5 * EDGE,
                          0.5 * EDGE - MASS * GRAVITY * cos(angle) / STIFFNESS};
    const double push[3] = {0.1, 0, 0};
    double now[3];
    vxe_error error;
    assert_int_equal(vxe_world_place(world, 0, at, NULL, NULL, NULL, NULL), VXE_OK);
    assert_int_equal(vxe_world_advance_to(world, 0.5, &error), VXE_OK);
    position_of(world, 0, now);
    check_below("drift from rest, m", fabs(now[0] - at[0]), 1e-9);
    assert_int_equal(vxe_world_place(world, 0, NULL, NULL, push, NULL, NULL), VXE_OK);
    assert_int_equal(vxe_world_advance_to(world, 1.5, &error), VXE_OK);
    position_of(world, 0, now);
    check_relative("slide once pushed, m", now[0] - at[0],
                   0.1 + 0.5 * GRAVITY * (sin(angle) - 0.3 * cos(angle)), 5e-3);
    vxe_world_destroy(world);
}

/* With mu_s = 0.6 a block at rest stays up to atan 0.6 = 30.9638 degrees, and slides beyond by mu_d
 * = 0.3. Equal coefficients would not tell: dynamic friction alone stops a block in every step. */
static void static_friction_holds_up_to_its_angle(void **state)
{
    (void)state;
    const double degrees[2] = {30.95, 30.98};
    for (int i = 0; i < 2; i++) {
        vxe_material m = floor_material(0.5, 0.3);
        m.static_friction = 0.6;
        const double angle = degrees[i] * PI / 180;
        vxe_world *world = dropped(&m, 0, angle, 2e-5, false);
        const double at[3] = {0.5 * EDGE, 0.5 * EDGE,
                              0.5 * EDGE - MASS * GRAVITY * cos(angle) / STIFFNESS};
        double now[3];
        vxe_error error;
        assert_int_equal(vxe_world_place(world, 0, at, NULL, NULL, NULL, NULL), VXE_OK);
        assert_int_equal(vxe_world_advance_to(world, 1, &error), VXE_OK);
        position_of(world, 0, now);
        if (i == 0) {
            check_below("drift below the angle, m", fabs(now[0] - at[0]), 1e-9);
        } else {
            check_relative("acceleration above, m/s^2", 2 * (now[0] - at[0]),
                           GRAVITY * (sin(angle) - 0.3 * cos(angle)), 5e-3);
        }
        vxe_world_destroy(world);
    }
}

/* m/s at which the upper of two voxels is pulled along the floor, so that its bond's shear spring,
 * of the stiffness 12 EI/L^3 = k, has the static friction of both after 20 ms. */
#define PULLED (2 * MASS * GRAVITY / (STIFFNESS * 0.02))

/* s: by then the bodies rest. */
#define SETTLED 0.2

/* Two voxels on each other, joined by a bond of bond damping 10 and kept from turning; the upper
 * one is pulled along x from SETTLED on. */
static vxe_design *pulled_pair(void)
{
    vxe_material m = floor_material(0.8, 1);
    double table[6] = {0, 0, SETTLED, 0, SETTLED + 0.04, 1};
    vxe_region region = {.shape = VXE_REGION_BOX,
                         .low = {0, 0, 0},
                         .high = {EDGE, EDGE, EDGE},
                         .fixed = VXE_FIX_Y | VXE_FIX_RX | VXE_FIX_RY | VXE_FIX_RZ};
    m.bond_damping = 10;
    vxe_design *design = block_design(&m, 1, 1, 2);
    design->floor.enabled = true;
    design->gravity[2] = -GRAVITY;
    assert_int_equal(vxe_design_add_region(design, &region, NULL), VXE_OK);
    region.low[2] = EDGE;
    region.high[2] = 2 * EDGE;
    region.fixed |= VXE_FIX_X;
    region.displacement[0] = PULLED * 0.04;
    region.table = table;
    region.table_count = 3;
    assert_int_equal(vxe_design_add_region(design, &region, NULL), VXE_OK);
    return design;
}

/* The lower voxel lets go where spring and dashpot reach the static friction: k V t + c V = 2 mu m
 * g, c = 10 sqrt(m k) (docs/physics.md). Damping iterations that do not know what the floor holds
 * spread the momentum of the dashpot over both voxels, so that it pulls less: it then let go up to
 * c/k = 3.2 ms late. Within two steps: a step decides by its mean force, and the way shows in the
 * next one. */
static void a_damped_bond_pulls_loose_what_the_floor_holds(void **state)
{
    (void)state;
    const double expected = 0.02 - 10 * sqrt(MASS / STIFFNESS);
    for (int scheme = VXE_DAMPING_EXPLICIT; scheme <= VXE_DAMPING_SWEEP; scheme++) {
        vxe_design *design = pulled_pair();
        vxe_world_def def = vxe_world_def_default();
        def.damping = (vxe_damping_scheme)scheme;
        vxe_world *world = make_world(design, &def);
        const double step = vxe_world_describe(world).time_step;
        double at[3];
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, SETTLED, &error), VXE_OK);
        position_of(world, 0, at);
        const double rest = at[0];
        while (at[0] < rest + 1e-12) {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            position_of(world, 0, at);
            assert_true(vxe_world_time(world) < SETTLED + 0.04);
        }
        check_near("lets go after, s", vxe_world_time(world) - SETTLED, expected, 2 * step);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Case slide: v^2/(2 mu g), v/(mu g). */
static void slide_ends_where_friction_says(void **state)
{
    (void)state;
    for (int audit = 0; audit < 2; audit++) {
        vxe_world *world = on_slope(0, 0.3, audit == 1);
        const double push[3] = {1, 0, 0};
        assert_int_equal(vxe_world_place(world, 0, NULL, NULL, push, NULL, NULL), VXE_OK);
        const double step = vxe_world_describe(world).time_step;
        if (audit) {
            check_audit("slide", world, 20000, 1e-3);
        } else {
            double v[3] = {1, 0, 0};
            vxe_error error;
            while (v[0] != 0) {
                assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
                vxe_world_velocities(world, v, NULL);
                assert_true(vxe_world_time(world) < 1);
            }
            double at[3];
            position_of(world, 0, at);
            check_near("distance, m", at[0] - 0.5 * EDGE, 0.169895, 5e-3 * 0.169895 + step / 2);
            check_relative("time, s", vxe_world_time(world), 0.339789, 5e-3);
        }
        vxe_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drop_on_an_elastic_floor),
        cmocka_unit_test(floor_dashpot_has_its_restitution),
        cmocka_unit_test(impacts_balance_their_energy),
        cmocka_unit_test(block_on_a_slope_sticks_or_slides_at_the_friction_angle),
        cmocka_unit_test(static_friction_is_larger_than_dynamic),
        cmocka_unit_test(static_friction_holds_up_to_its_angle),
        cmocka_unit_test(a_damped_bond_pulls_loose_what_the_floor_holds),
        cmocka_unit_test(slide_ends_where_friction_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
