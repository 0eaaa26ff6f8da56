/* SPDX-License-Identifier: MIT */
/* Contact models of one sphere and of two. Expected numbers: closed forms, and those of the sphere
 * cases of docs/accuracy.md, which were computed independently. */
#include <math.h>

#include "engine/contact_models/model_interface.h"
#include "particles.h"

/* A collision along z: of one sphere with the floor, or of the second with the first. */
typedef struct bounce {
    double time;    /* s: from first contact to separation; the zeros of the gap are interpolated
                       between steps */
    double overlap; /* m: the largest overlap */
    double ratio;   /* restitution: the speed of separation divided by that of approach */
    double force;   /* N: the largest force, from the change of the upper sphere's speed */
} bounce;

static double gap_of(const vxe_world *world, bool pair, double *v)
{
    double x[6];
    double rates[6];
    vxe_world_poses(world, x, NULL);
    vxe_world_velocities(world, rates, NULL);
    *v = pair ? rates[5] - rates[2] : rates[2];
    return pair ? x[5] - x[2] - 2 * RADIUS : x[2] - RADIUS + 1e-4;
}

static bounce watch(vxe_world *world, bool pair)
{
    bounce seen = {0, 0, 0, 0};
    const double step = vxe_world_describe(world).time_step;
    double speed = 0;
    double v = 0;
    double gap = gap_of(world, pair, &v);
    double start = -1;
    vxe_error error;
    const double mass = vxe_world_describe(world).mass / (pair ? 2 : 1);
    const double first = v;
    for (int n = 0; n < 100000; n++) {
        const double before = gap;
        speed = v;
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        gap = gap_of(world, pair, &v);
        const double zero = vxe_world_time(world) - step * gap / (gap - before);
        seen.force = fmax(seen.force, fabs(v - speed) * mass / (pair ? 2 : 1) / step);
        seen.overlap = fmax(seen.overlap, -gap);
        if (start < 0 && gap < 0) {
            start = zero;
        } else if (start >= 0 && gap > 0) {
            seen.time = zero - start;
            break;
        }
    }
    seen.ratio = -v / first;
    return seen;
}

/* A sphere of 10 g that hits the floor at 1 m/s; linear model. */
static bounce off_the_floor(vxe_contact_law law, double step)
{
    vxe_material material = ball_material();
    material.density = 0.01 / (4 * PI / 3 * RADIUS * RADIUS * RADIUS);
    vxe_design *design = balls(&material, 1, 1, 1, 1e-4);
    throw_voxel(design, 0, 0, -1);
    add_rule(design, 0, VXE_CONTACT_FLOOR, law);
    vxe_world *world = world_of_step(design, step);
    const bounce seen = watch(world, false);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return seen;
}

/* Cases linear-collision and linear-restitution, at a 500th of the time in contact. */
static void linear_springs_bounce(void **state)
{
    (void)state;
    const double time = PI * sqrt(0.01 / 1000);
    const bounce seen = off_the_floor(linear(1000, 0, 0), time / 500);
    check_relative("time in touch, s", seen.time, 9.934588e-3, 1e-3);
    check_relative("overlap, m", seen.overlap, 3.162278e-3, 1e-3);
    const double ratios[4] = {.1, .3, .5, .9};
    const double want[4] = {.729248, .372326, .163034, .00152376};
    for (int i = 0; i < 4; i++) {
        vxe_contact_law law = linear(1000, 0, 0);
        law.number[VXE_LINEAR_DP_NRATIO] = ratios[i];
        check_near("restitution", off_the_floor(law, time / 500).ratio, want[i],
                   i == 3 ? 1e-3 : 5e-3 * want[i]);
    }
}

/* The force by increments of the overlap equals the one by the overlap where no parameter changes
 * meanwhile; a reference gap shifts it; a dashpot that may not pull ends the contact early. */
static void linear_modes_differ(void **state)
{
    (void)state;
    const double step = PI * sqrt(0.01 / 1000) / 500;
    vxe_contact_law law = linear(1000, 0, 0);
    law.number[VXE_LINEAR_MODE] = 1;
    check_relative("overlap by increments, m", off_the_floor(law, step).overlap, 3.162278e-3, 1e-3);
    law = linear(1000, 0, 0);
    law.number[VXE_LINEAR_RGAP] = -5e-5;
    check_relative("overlap with a reference gap, m", off_the_floor(law, step).overlap,
                   3.162278e-3 + 5e-5, 1e-3);
    law = linear(1000, 0, 0);
    law.number[VXE_LINEAR_DP_NRATIO] = 0.5;
    law.number[VXE_LINEAR_DP_MODE] = 1;
    /* where spring and dashpot cancel there is no force, and the sphere separates: at phase 2 pi/3
     * of the damped wave, with exp(-beta w t) of its speed; 1 %: the length of the step in which
     * that happens */
    const double left = exp(-0.5 / sqrt(0.75) * (2 * PI / 3));
    check_relative("restitution without pull", off_the_floor(law, step).ratio, left, 1e-2);
}

/* Case linear-series, exactly. */
static void pieces_inherit(void **state)
{
    (void)state;
    const vxe_contact_law one = linear(1e4, 2e4, 0.2);
    const vxe_contact_law two = linear(3e4, 0, 0.5);
    const vxe_contact_law both = vxe_linear_inherited(&one, &two);
    assert_true(both.number[VXE_LINEAR_KN] == 7500);
    assert_true(both.number[VXE_LINEAR_KS] == 0);
    assert_true(both.number[VXE_LINEAR_FRIC] == 0.2);
    vxe_contact_law law = linear(0, 0, 0);
    law.number[VXE_LINEAR_EMOD] = 1e6;
    law.number[VXE_LINEAR_KRATIO] = 2;
    const double radius[2] = {0.01, 0.01};
    double k[2];
    vxe_linear_stiffness(&law, radius, k);
    check_relative("kn of emod, N/m", k[0], 15707.963267948966, 1e-15);
    check_relative("ks of emod, N/m", k[1], 7853.981633974483, 1e-15);
    law.number[VXE_LINEAR_USER_AREA] = 4e-4; /* a voxel of an edge 2 r: E a */
    vxe_linear_stiffness(&law, radius, k);
    check_relative("kn of a voxel's area, N/m", k[0], 1e6 * 0.02, 1e-15);
}

/* Two spheres of case hertz-collision at a relative speed, with damping; a 400th of the time in
 * contact. */
static bounce of_two(double c_n, double speed)
{
    const vxe_material material = ball_material();
    vxe_design *design = balls(&material, 1, 1, 1, -1);
    vxe_error error;
    assert_int_equal(vxe_design_add_voxel(design, 0, 0, 2, 0, &error), VXE_OK);
    throw_voxel(design, 0, 0, 0.5 * speed);
    throw_voxel(design, 1, 0, -0.5 * speed);
    add_rule(design, VXE_CONTACT_ANY, VXE_CONTACT_ANY, hertz(c_n, 0));
    vxe_world *world = world_of_step(design, 2.097702e-3 * pow(0.2 / speed, 0.2) / 400);
    const double above[3] = {RADIUS, RADIUS, 3 * RADIUS + 1e-6};
    assert_int_equal(vxe_world_place(world, 1, above, NULL, NULL, NULL, &error), VXE_OK);
    const bounce seen = watch(world, true);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return seen;
}

/* Cases hertz-collision and hertz-restitution. */
static void elastic_spheres_bounce(void **state)
{
    (void)state;
    const bounce seen = of_two(0, 0.2);
    check_relative("overlap, m", seen.overlap, 1.425421e-4, 2e-3);
    check_relative("time in touch, s", seen.time, 2.097702e-3, 2e-3);
    check_relative("largest force, N", seen.force, .881590, 2e-3);
    const double damping[5] = {.05, .1, .2, .3, .5};
    const double want[5] = {.861408, .741272, .544927, .393496, .184015};
    for (int i = 0; i < 5; i++) {
        check_relative("restitution", of_two(damping[i], 0.2).ratio, want[i], 5e-3);
        check_relative("restitution at half the speed", of_two(damping[i], 0.1).ratio, want[i],
                       5e-3);
        check_relative("damping for that", vxe_hertz_damping(want[i]), damping[i], 1e-5);
    }
}

/* Case hertz-rest: a sphere at rest on the floor, then disturbed by a hundredth of its depth. */
static void sphere_rests(void **state)
{
    (void)state;
    const vxe_material material = ball_material();
    double period = 0;
    for (int undamped = 0; undamped < 2; undamped++) {
        vxe_design *design = balls(&material, 1, 1, 1, 0);
        design->gravity[2] = -9.81;
        add_rule(design, 0, VXE_CONTACT_FLOOR, hertz(undamped ? 0 : 0.5, 0));
        vxe_world *world = world_of_step(design, 5e-6);
        const double low[3] = {RADIUS, RADIUS, RADIUS - 1.01 * 1.042384e-5};
        vxe_error error;
        assert_int_equal(vxe_world_place(world, 0, low, NULL, NULL, NULL, &error), VXE_OK);
        double x[3];
        if (!undamped) {
            assert_int_equal(vxe_world_advance_to(world, 0.1, &error), VXE_OK);
            position_of(world, 0, x);
            check_relative("indentation, m", RADIUS - x[2], 1.042384e-5, 3e-3);
        }
        double crossed[3] = {0};
        double before = -1;
        for (int n = 0; undamped && n < 3;) {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            position_of(world, 0, x);
            const double off = x[2] - (RADIUS - 1.042384e-5);
            if (off * before < 0) {
                crossed[n++] = vxe_world_time(world) - 5e-6 * off / (off - before);
            }
            before = off;
        }
        period = crossed[2] - crossed[0];
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
    check_relative("frequency, rad/s", 2 * PI / period, 1188.136, 3e-3);
}

/* Case mindlin, of the law itself. */
static void mindlin_is_as_stiff(void **state)
{
    (void)state;
    vxe_particle_pair pair = {.law = &vxe_contact_model_hertz,
                              .numbers = hertz(0, 1e6),
                              .modulus = 1e7 / (1 - 0.3 * 0.3),
                              .shear = 1e7 / (2 * 1.3) / (2 - 0.3)};
    const vxe_contact_geometry m = {.gap = -1.042384e-5,
                                    .n = {0, 0, -1},
                                    .rate = {1e-6, 0, 0},
                                    .radius = {RADIUS, 0},
                                    .mass = 5e-3,
                                    .h = 1e-6};
    const vxe_contact_memory before = {.stiffness = 0};
    vxe_contact_force force;
    vxe_contact_model_hertz.act(&pair, &m, &before, &force);
    check_relative("k_t, N/m", -force.shear[0] / 1e-12, 5843.614, 1e-6);
    check_relative("k_t/k_n", force.shear_stiffness / force.tangent, .823529, 1e-6);
}

/* A sphere that lies on the floor is pushed so weakly that it does not slip. Its surface follows
 * the shear spring with the mass m_s = m/(1 + m r^2/I) = 2/7 m, and the shear dashpot 2 beta sqrt(m
 * k_s) damps it: velocities of the point of contact fall by exp(-c T/(2 m_s)) in a period T.
 * Tolerance: first order in a step of 1/2000 of the period. */
static void shear_dashpots_damp(void **state)
{
    (void)state;
    const vxe_material material = ball_material();
    const double mass = 4.0 / 3 * PI * RADIUS * RADIUS * RADIUS * material.density;
    const double stiffness = 1e4;
    const double beta = 0.05;
    vxe_design *design = balls(&material, 1, 1, 1, 0);
    design->gravity[2] = -9.81;
    throw_voxel(design, 0, 1e-5, 0);
    vxe_contact_law law = linear(1e5, stiffness, 1);
    law.number[VXE_LINEAR_DP_SRATIO] = beta;
    add_rule(design, 0, VXE_CONTACT_FLOOR, law);
    const double moved = 2.0 / 7 * mass;
    const double rate = beta * sqrt(mass * stiffness) / moved;
    const double period = 2 * PI / sqrt(stiffness / moved - rate * rate);
    vxe_world *world = world_of_step(design, period / 2000);
    const double low[3] = {RADIUS, RADIUS, RADIUS - mass * 9.81 / 1e5};
    vxe_error error;
    assert_int_equal(vxe_world_place(world, 0, low, NULL, NULL, NULL, &error), VXE_OK);
    double crossed[3] = {0};
    double peak[3] = {0};
    double before = 1;
    for (int n = 0; n < 3;) {
        double v[3];
        double w[3];
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        assert_true(vxe_world_time(world) < 5 * period);
        vxe_world_velocities(world, v, w);
        const double now = v[0] - RADIUS * w[1];
        if (now * before < 0) {
            crossed[n++] = vxe_world_time(world);
        }
        if (n < 3) {
            peak[n] = fmax(peak[n], fabs(now));
        }
        before = now;
    }
    check_relative("period, s", crossed[2] - crossed[0], period, 2e-3);
    check_relative("decrement of half a period", log(peak[1] / peak[2]), rate * period / 2, 1e-2);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Case slip-to-roll: thrown along the floor, a sphere slides until it rolls. The floor yields by
 * 2e-5 m, and the tangential force takes 4 % of the time to build up: 1 %. */
static void sliding_spheres_roll(void **state)
{
    (void)state;
    const vxe_material material = ball_material();
    for (int law = 0; law < 2; law++) {
        vxe_design *design = balls(&material, 1, 1, 1, 0);
        design->gravity[2] = -9.81;
        throw_voxel(design, 0, 1, 0);
        add_rule(design, 0, VXE_CONTACT_FLOOR, law ? hertz(0.5, 0.3) : linear(1e5, 1e5, 0.3));
        design->contact_rules[0].law.number[law ? VXE_HERTZ_DP_SRATIO : VXE_LINEAR_DP_SRATIO] = 0.5;
        design->contact_rules[0].law.number[law ? VXE_HERTZ_DP_MODE : VXE_LINEAR_DP_MODE] = 2;
        if (!law) {
            design->contact_rules[0].law.number[VXE_LINEAR_DP_NRATIO] = 0.7;
        }
        vxe_world *world = world_of_step(design, 1e-5);
        const double depth = law ? 1.042384e-5 : 4.0 / 3 * PI * 1e-6 * 1200 * 9.81 / 1e5;
        const double low[3] = {RADIUS, RADIUS, RADIUS - depth};
        double x[3];
        double v[3];
        double w[3];
        uint64_t events[VXE_CONTACT_EVENTS];
        vxe_error error;
        assert_int_equal(vxe_world_place(world, 0, low, NULL, NULL, NULL, &error), VXE_OK);
        do {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            vxe_world_contact_events(world, events);
        } while (events[VXE_CONTACT_SLIP_ENDED] == 0 && vxe_world_time(world) < 0.2);
        position_of(world, 0, x);
        check_relative("time until it rolls, s", vxe_world_time(world), .0970827, 1e-2);
        check_relative("way, m", x[0] - RADIUS, .0832137, 1e-2);
        assert_int_equal(vxe_world_advance_to(world, 0.2, &error), VXE_OK);
        vxe_world_velocities(world, v, w);
        check_relative("speed, m/s", v[0], 5.0 / 7, 1e-2);
        check_relative("spin, m/s", RADIUS * w[1], 5.0 / 7, 1e-2);
        vxe_world_contact_events(world, events);
        assert_int_equal(events[VXE_CONTACT_ACTIVATED], 1);
        assert_int_equal(events[VXE_CONTACT_SLIP_BEGAN], 1);
        assert_int_equal(vxe_world_contacts(world), 1);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Cases oblique-impact and rolling: an impact with sliding throughout, mu (1 + e) vn; and a sphere
 * down a slope of 10 degrees. */
static void spheres_bounce_off_and_roll_down(void **state)
{
    (void)state;
    const vxe_material material = ball_material();
    vxe_design *design = balls(&material, 1, 1, 1, 1e-4);
    throw_voxel(design, 0, 1, -1);
    add_rule(design, 0, VXE_CONTACT_FLOOR, linear(1e7, 1e8, 0.1));
    vxe_world *world = world_of_step(design, 1e-8);
    double v[3];
    double w[3];
    vxe_error error;
    assert_int_equal(vxe_world_advance_to(world, 3e-4, &error), VXE_OK);
    vxe_world_velocities(world, v, w);
    check_relative("speed along, m/s", v[0], 0.8, 1e-2);
    check_relative("spin, m/s", RADIUS * w[1], 0.5, 1e-2);
    vxe_world_destroy(world);
    vxe_design_destroy(design);

    design = balls(&material, 1, 1, 1, 0);
    const double angle = 10 * PI / 180;
    design->gravity[2] = -9.81;
    design->floor.slope[0] = -tan(angle);
    design->floor.height = RADIUS - RADIUS / cos(angle) + RADIUS * tan(angle);
    vxe_contact_law law = linear(1e5, 1e5, 0.2);
    law.number[VXE_LINEAR_DP_NRATIO] = 0.7;
    law.number[VXE_LINEAR_DP_SRATIO] = 0.2;
    add_rule(design, 0, VXE_CONTACT_FLOOR, law);
    world = world_of_step(design, 1e-5);
    double speed[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(vxe_world_advance_to(world, 0.1 + 0.3 * i, &error), VXE_OK);
        vxe_world_velocities(world, v, NULL);
        speed[i] = hypot(v[0], v[2]);
    }
    check_relative("rolling on 10 degrees, m/s^2", (speed[1] - speed[0]) / 0.3, 1.216778, 5e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_springs_bounce),
        cmocka_unit_test(linear_modes_differ),
        cmocka_unit_test(pieces_inherit),
        cmocka_unit_test(elastic_spheres_bounce),
        cmocka_unit_test(sphere_rests),
        cmocka_unit_test(mindlin_is_as_stiff),
        cmocka_unit_test(shear_dashpots_damp),
        cmocka_unit_test(sliding_spheres_roll),
        cmocka_unit_test(spheres_bounce_off_and_roll_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
