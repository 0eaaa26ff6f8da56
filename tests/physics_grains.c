/* SPDX-License-Identifier: MIT */
/* Laws of contact between spheres and at the floor. Expected numbers: closed forms, and those of
   the specification's rows 30 to 41, which were computed independently. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/grains/grain_law_internal.h"
#include "lattice/formats/format.h"
#include "support.h"

#define RADIUS 0.01

/* Row 37's material: spheres of 20 mm. */
static vxe_material ball_material(void)
{
    vxe_material material = standard_material();
    snprintf(material.name, sizeof material.name, "ball");
    material.sphere = true;
    material.youngs_modulus = 1e7;
    material.density = 1200;
    return material;
}

/* Spheres in a block of cells two radii wide, no gravity; the floor is so far (m) below them. */
static vxe_design *balls(const vxe_material *material, int nx, int ny, int nz, double above)
{
    vxe_design *design = block_design(material, nx, ny, nz);
    design->voxel_size = 2 * RADIUS;
    design->floor.enabled = above >= 0;
    design->floor.height = -above;
    return design;
}

static void add_rule(vxe_design *design, uint32_t first, uint32_t second, vxe_contact_law law)
{
    const vxe_contact_rule rule = {first, second, law};
    vxe_error error;
    assert_int_equal(vxe_design_add_contact_rule(design, &rule, &error), VXE_OK);
}

static vxe_contact_law linear(double kn, double ks, double fric)
{
    vxe_contact_law law = vxe_contact_law_default(VXE_CONTACT_LINEAR);
    law.number[VXE_LINEAR_KN] = kn;
    law.number[VXE_LINEAR_KS] = ks;
    law.number[VXE_LINEAR_FRIC] = fric;
    return law;
}

static vxe_contact_law hertz(double c_n, double fric)
{
    vxe_contact_law law = vxe_contact_law_default(VXE_CONTACT_HERTZ);
    law.number[VXE_HERTZ_C_N] = c_n;
    law.number[VXE_HERTZ_FRIC] = fric;
    return law;
}

static void throw_voxel(vxe_design *design, uint32_t voxel, double vx, double vz)
{
    const double v[3] = {vx, 0, vz};
    const double w[3] = {0, 0, 0};
    vxe_error error;
    assert_int_equal(vxe_design_set_velocity(design, voxel, v, w, &error), VXE_OK);
}

static vxe_world *world_of_step(const vxe_design *design, double step)
{
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = step;
    def.ledger = true;
    return make_world(design, &def);
}

/* A collision along z: of one sphere with the floor, or of the second with the first. */
typedef struct bounce {
    double time;    /* s: from touch to parting, as the gap's zeros lie between steps */
    double overlap; /* m: the largest */
    double ratio;   /* of the speed apart to that together */
    double force;   /* N: the largest, of what changes the upper one's speed */
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

/* A sphere of 10 g that comes at the floor at 1 m/s; linear law. */
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

/* Rows 33 and 34, at a 500th of the time in touch, as the rows say. */
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

/* The force by increments of the overlap is the one by the overlap, but that it forgets where it
   began: met in the middle of a step, it is the same to the step's order. A reference gap shifts
   it; a dashpot that may not pull returns more speed (no less than its own half wave gives). */
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
    /* the spring's own way back from where spring and dashpot cancel: at phase 2 pi/3 of the damped
       wave, with exp(-beta w t) left: e = exp(-1/sqrt(3) 2 pi/3)/(...), by v^2 there, all of it */
    const double left = exp(-0.5 / sqrt(0.75) * (2 * PI / 3));
    check_relative("restitution without pull", off_the_floor(law, step).ratio, left, 1e-2);
}

/* Row 36, exactly. */
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

/* Two of row 37's spheres at a relative speed, with damping; a 400th of the time in touch. */
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

/* Rows 37 and 38. */
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

/* Row 40: a sphere at rest on the floor, then disturbed by a hundredth of its depth. */
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

/* Row 41, of the law itself. */
static void mindlin_is_as_stiff(void **state)
{
    (void)state;
    vxe_grain_pair pair = {.law = &vxe_grain_hertz,
                           .numbers = hertz(0, 1e6),
                           .modulus = 1e7 / (1 - 0.3 * 0.3),
                           .shear = 1e7 / (2 * 1.3) / (2 - 0.3)};
    const vxe_grain_meeting m = {.gap = -1.042384e-5,
                                 .n = {0, 0, -1},
                                 .rate = {1e-6, 0, 0},
                                 .radius = {RADIUS, 0},
                                 .mass = 5e-3,
                                 .h = 1e-6};
    const vxe_grain_memory before = {.stiffness = 0};
    vxe_grain_force force;
    vxe_grain_hertz.act(&pair, &m, &before, &force);
    check_relative("k_t, N/m", -force.shear[0] / 1e-12, 5843.614, 1e-6);
    check_relative("k_t/k_n", force.shear_stiffness / force.tangent, .823529, 1e-6);
}

/* Row 30: thrown along the floor, a sphere slides until it rolls. The floor gives way by 2e-5 m,
   and the force along it takes 4 % of the time to come up: 1 %. */
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

/* Rows 31 and 32: a push that slides throughout, mu (1 + e) vn; and a sphere down a slope of 10
   degrees. */
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

/* Two spheres that spin meet off the line of their centres: momentum and angular momentum stay. */
static void pairs_keep_momentum(void **state)
{
    (void)state;
    const vxe_material material = ball_material();
    for (int law = 0; law < 2; law++) {
        vxe_design *design = balls(&material, 1, 1, 1, -1);
        const double v[3] = {0.1, -0.2, -0.5};
        const double w[3] = {3, 40, -7};
        double before[2][3];
        vxe_error error;
        assert_int_equal(vxe_design_add_voxel(design, 0, 0, 1, 0, &error), VXE_OK);
        assert_int_equal(vxe_design_set_velocity(design, 1, v, w, &error), VXE_OK);
        add_rule(design, 0, 0, law ? hertz(0.1, 0.4) : linear(1e4, 5e3, 0.4));
        design->contact_rules[0].law.number[law ? VXE_HERTZ_DP_SRATIO : VXE_LINEAR_DP_SRATIO] = 0.3;
        vxe_world *world = world_of_step(design, 1e-6);
        const double off[3] = {RADIUS + 0.004, RADIUS, 2.9 * RADIUS};
        assert_int_equal(vxe_world_place(world, 1, off, NULL, NULL, NULL, &error), VXE_OK);
        vxe_world_momentum(world, before[0], before[1]);
        assert_int_equal(vxe_world_advance(world, 5000, &error), VXE_OK);
        uint64_t events[VXE_CONTACT_EVENTS];
        vxe_world_contact_events(world, events);
        assert_int_equal(events[VXE_CONTACT_ACTIVATED], 1);
        assert_int_equal(vxe_world_contacts(world), 0);
        const double mass = vxe_world_describe(world).mass / 2;
        const double scale[2] = {mass * 0.55, mass * 0.55 * RADIUS};
        /* asked: 1e-12; floats round each of some hundred kicks by up to 6e-8 */
        check_momentum(world, before, scale, by_precision(1e-12, 1e-5));
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A heap that falls and slides about. */
static vxe_design *heap(int law, int nx, int ny, int nz)
{
    const vxe_material material = ball_material();
    vxe_design *design = balls(&material, nx, ny, nz, 0.002);
    uint64_t seed = 11;
    design->gravity[2] = -9.81;
    for (uint32_t i = 0; i < design->voxel_count; i++) {
        const double v[3] = {0.3 * random_unit(&seed), 0.3 * random_unit(&seed),
                             0.3 * random_unit(&seed)};
        const double w[3] = {10 * random_unit(&seed), 10 * random_unit(&seed),
                             10 * random_unit(&seed)};
        vxe_error error;
        assert_int_equal(vxe_design_set_velocity(design, i, v, w, &error), VXE_OK);
    }
    vxe_contact_law of = law ? hertz(0.2, 0.4) : linear(5e3, 3e3, 0.4);
    if (!law) {
        of.number[VXE_LINEAR_DP_NRATIO] = 0.2;
        of.number[VXE_LINEAR_DP_SRATIO] = 0.1;
        of.number[VXE_LINEAR_DP_MODE] = 3;
    }
    add_rule(design, VXE_CONTACT_ANY, VXE_CONTACT_ANY, of);
    add_rule(design, VXE_CONTACT_ANY, VXE_CONTACT_FLOOR, of);
    return design;
}

static void energy_is_accounted_for(void **state)
{
    (void)state;
    for (int law = 0; law < 3; law++) {
        vxe_design *design = heap(law % 2, 3, 2, 2);
        design->contact_rules[0].law.number[VXE_LINEAR_MODE] = law == 2;
        vxe_world_def def = vxe_world_def_default();
        def.ledger = true;
        def.step_scale = 0.2;
        vxe_world *world = make_world(design, &def);
        check_audit(law % 2 ? "hertz" : "linear", world, 8000, 1e-3);
        const vxe_energy energy = vxe_world_energy(world);
        assert_true(energy.dissipated_friction > 0 && energy.dissipated_contact > 0);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    for (int law = 0; law < 2; law++) {
        vxe_design *design = heap(law, 6, 6, 6);
        check_by_sweep(design, 1500);
        vxe_design_destroy(design);
    }
}

/* A beam of voxels bends over a sphere that lies on the floor: bonded voxels do not touch, others
   do, and the floor's own springs hold what has no law for it. */
static void beams_lie_on_spheres(void **state)
{
    (void)state;
    vxe_material beam = standard_material();
    beam.youngs_modulus = 1e6;
    beam.bond_damping = 1;
    beam.collision_damping = 1;
    vxe_material ball = ball_material();
    vxe_design *design = block_design(&beam, 9, 1, 1);
    uint32_t second = 0;
    vxe_error error;
    assert_int_equal(vxe_design_add_material(design, &ball, &second, &error), VXE_OK);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        design->voxels[v].position[2] = 1;
    }
    assert_int_equal(vxe_design_add_voxel(design, 4, 0, 0, second, &error), VXE_OK);
    hold_plane(design, 0, 4, VXE_FIX_ALL & ~VXE_FIX_Z, NULL, NULL); /* else it would roll off */
    design->gravity[2] = -9.81;
    design->floor.enabled = true;
    design->materials[second].density = 20 * 1000;
    add_rule(design, 0, second, linear(1e3, 1e3, 0.5));
    add_rule(design, second, VXE_CONTACT_FLOOR, linear(1e4, 1e3, 0.5));
    for (uint32_t i = 0; i < 2; i++) {
        design->contact_rules[i].law.number[VXE_LINEAR_DP_NRATIO] = 1;
        design->contact_rules[i].law.number[VXE_LINEAR_DP_SRATIO] = 1;
    }
    vxe_world_def def = vxe_world_def_default();
    def.ledger = true;
    vxe_world *world = make_world(design, &def);
    assert_int_equal(vxe_world_describe(world).grains, 10);
    check_audit("beam on a sphere", world, 4000, 1e-3);
    assert_int_equal(vxe_world_advance_to(world, 2, &error), VXE_OK);
    double x[3];
    double y[3];
    position_of(world, 4, x);
    position_of(world, 9, y);
    /* the beam's weight of nine voxels is on the sphere, and both on the floor */
    const double weight = 9 * MASS * 9.81;
    check_relative("gap to the sphere, m", EDGE - (x[2] - y[2]), weight / 1e3, 1e-3);
    const double own = 20000 * PI / 6 * EDGE * EDGE * EDGE * 9.81;
    check_relative("depth of the sphere, m", EDGE / 2 - y[2], (weight + own) / 1e4, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

typedef struct heard {
    uint64_t count[VXE_CONTACT_EVENTS];
    double last;
} heard;

static void hear(void *user, const vxe_contact_event *event)
{
    heard *of = user;
    of->count[event->kind]++;
    assert_int_equal(event->voxel[0], 0);
    assert_true(event->voxel[1] == VXE_CONTACT_FLOOR);
    of->last = event->time;
}

/* A ball that bounces for ever touches the floor once in 2 (2 h/g)^1/2. */
static void events_are_told(void **state)
{
    (void)state;
    const vxe_material material = ball_material();
    vxe_design *design = balls(&material, 1, 1, 1, 0.05);
    design->gravity[2] = -9.81;
    add_rule(design, 0, VXE_CONTACT_FLOOR, hertz(0, 0));
    vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    heard of = {{0}, 0};
    vxe_error error;
    vxe_world_listen(world, hear, &of);
    const double period = 2 * sqrt(2 * 0.05 / 9.81);
    assert_int_equal(vxe_world_advance_to(world, 4.2 * period, &error), VXE_OK);
    uint64_t events[VXE_CONTACT_EVENTS];
    vxe_world_contact_events(world, events);
    assert_int_equal(of.count[VXE_CONTACT_ACTIVATED], 4);
    assert_memory_equal(of.count, events, sizeof events);
    /* three collisions lie between the first touch and the last, each as long as row 37's law says
       for 0.99 m/s */
    const double mass = vxe_world_describe(world).mass;
    const double modulus = 1e7 / (1 - 0.3 * 0.3);
    const double time =
        2.868266 * pow(mass * mass / (RADIUS * modulus * modulus * sqrt(2 * 9.81 * 0.05)), 0.2);
    check_near("last touch, s", of.last, 3.5 * period + 3 * time, 1e-3 * period);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static void laws_are_written_and_read(void **state)
{
    (void)state;
    vxe_design *design = heap(0, 2, 2, 2);
    differences told;
    add_rule(design, 0, VXE_CONTACT_PIECE, linear(1e4, 1e3, 0.3));
    add_rule(design, 0, 0, hertz(0, 0.3));
    design->contact_rules[3].law.number[VXE_HERTZ_RESTITUTION] = 0.8;
    vxe_design *back = write_and_read(design, "grains.json", &told);
    assert_int_equal(told.count, 0);
    assert_int_equal(back->contact_rule_count, 4);
    assert_true(back->materials[0].sphere);
    vxe_error error;
    vxe_design *copy = vxe_design_copy(design, &error);
    assert_true(vxe_design_hash(copy) == vxe_design_hash(design));
    vxe_design_destroy(copy);
    vxe_design_destroy(back);
    vxe_design_destroy(design);
}

static void wrong_laws_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        vxe_design *design = heap(i % 2, 2, 1, 1);
        vxe_contact_rule *rule = &design->contact_rules[0];
        vxe_error error = {0};
        const char *says = "";
        switch (i) {
        case 0:
            rule->law.number[VXE_LINEAR_FRIC] = -0.1;
            says = "law linear: fric is -0.1; it must be from 0 to 1e+06";
            break;
        case 1:
            rule->law.number[VXE_HERTZ_RESTITUTION] = 1.5;
            says = "law hertz: restitution is 1.5; it must be from 0 to 1";
            break;
        case 2:
            rule->law.number[VXE_LINEAR_KN] = rule->law.number[VXE_LINEAR_KS] = 0;
            says = "kn and ks are both 0";
            break;
        case 3:
            rule->law.number[VXE_HERTZ_DP_MODE] = 1.5;
            says = "dp_mode is 1.5; it must be a whole number from 0 to 3";
            break;
        case 4:
            rule->law.number[VXE_LINEAR_EMOD] = 1e5;
            says = "emod 100000 Pa makes kn and ks";
            break;
        case 5:
            rule->second = VXE_CONTACT_PIECE;
            says = "pieces inherit the law linear alone";
            break;
        default:
            rule->first = 7;
            says = "between a material that there is (1)";
        }
        const vxe_world_def def = vxe_world_def_default();
        assert_null(vxe_world_create(design, &def, &error));
        if (!strstr(error.message, says)) {
            fail_msg("'%s' does not say '%s'", error.message, says);
        }
        vxe_design_destroy(design);
    }
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
        cmocka_unit_test(sliding_spheres_roll),
        cmocka_unit_test(spheres_bounce_off_and_roll_down),
        cmocka_unit_test(pairs_keep_momentum),
        cmocka_unit_test(energy_is_accounted_for),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(beams_lie_on_spheres),
        cmocka_unit_test(events_are_told),
        cmocka_unit_test(laws_are_written_and_read),
        cmocka_unit_test(wrong_laws_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
