/* SPDX-License-Identifier: MIT */
/* Dipoles: the law of a pair and its consequences. Expected numbers: closed forms, and those of the
 * magnetic cases of docs/accuracy.md, which were computed independently. Forces are derived from
 * the velocities after one short step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

#define MU0 (4e-7 * PI)
/* s: a step so short that positions do not change. */
#define INSTANT 1e-9

/* Voxels of an edge in a column, gap cells from one to the next, each with a moment (A m^2). */
static vxe_design *magnets(double edge, int count, int gap, double (*moments)[3])
{
    vxe_material material = standard_material();
    material.density = MASS / (edge * edge * edge); /* each has 1 g */
    vxe_design *design = vxe_design_create();
    vxe_error error;
    assert_non_null(design);
    design->voxel_size = edge;
    design->floor.enabled = false;
    memset(design->gravity, 0, sizeof design->gravity);
    design->magnetics.enabled = true;
    assert_int_equal(vxe_design_add_material(design, &material, NULL, &error), VXE_OK);
    for (int i = 0; i < count; i++) {
        assert_int_equal(vxe_design_add_voxel(design, 0, 0, i * gap, 0, &error), VXE_OK);
    }
    vxe_layer *layer = vxe_design_layer(design, "Magnetization", 3);
    assert_non_null(layer);
    for (int i = 0; i < 3 * count; i++) {
        layer->values[i] = moments[i / 3][i % 3] / (edge * edge * edge);
    }
    return design;
}

static vxe_world *stepped_in(const vxe_design *design, double step, vxe_precision precision)
{
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = step;
    return make_world_in(design, &def, precision);
}

static vxe_world *stepped(const vxe_design *design, double step)
{
    return stepped_in(design, step, test_precision());
}

/* Forces (N) and moments (N m) on two voxels on which nothing else acts. */
typedef struct loads {
    double force[2][3];
    double moment[2][3];
} loads;

static loads loads_on(vxe_world *world, double edge)
{
    double v[6];
    double w[6];
    loads found;
    vxe_error error;
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    vxe_world_velocities(world, v, w);
    const double step = vxe_world_describe(world).time_step;
    for (int i = 0; i < 6; i++) {
        found.force[i / 3][i % 3] = MASS * v[i] / step;
        found.moment[i / 3][i % 3] = MASS * edge * edge / 6 * w[i] / step;
    }
    return found;
}

static void check_vector(const char *what, const double *got, const double *want, double tolerance)
{
    for (int c = 0; c < 3; c++) {
        char text[80];
        snprintf(text, sizeof text, "%s, %c", what, "xyz"[c]);
        check_near(text, got[c], want[c], tolerance);
    }
}

/* Case dipole-pairs: two dipoles of 1 A m^2, 0.1 m apart; the second voxel is the table's dipole 1,
 * at +d. */
static void pairs_are_as_tabled(void **state)
{
    (void)state;
    const double r2 = sqrt(0.5);
    const struct {
        const char *name;
        bool beside; /* d along x instead of z */
        double m1[3], m2[3], force[3], moment1[3], moment2[3];
    } rows[] = {
        {"coaxial", false, {0, 0, 1}, {0, 0, 1}, {0, 0, -0.006}, {0, 0, 0}, {0, 0, 0}},
        {"opposed", false, {0, 0, -1}, {0, 0, 1}, {0, 0, 0.006}, {0, 0, 0}, {0, 0, 0}},
        {"beside", true, {0, 0, 1}, {0, 0, 1}, {0.003, 0, 0}, {0, 0, 0}, {0, 0, 0}},
        {"T", false, {0, 0, 1}, {1, 0, 0}, {0.003, 0, 0}, {0, -1e-4, 0}, {0, -2e-4, 0}},
        {"crossed", false, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, -1e-4}, {0, 0, 1e-4}},
        {"slant",
         false,
         {r2, 0, r2},
         {0, 0, 1},
         {0.003 * r2, 0, -0.006 * r2},
         {0, -2e-4 * r2, 0},
         {0, -1e-4 * r2, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double moments[2][3];
        memcpy(moments[0], rows[i].m2, sizeof moments[0]);
        memcpy(moments[1], rows[i].m1, sizeof moments[1]);
        vxe_design *design = magnets(EDGE, 2, 10, moments);
        if (rows[i].beside) {
            design->voxels[1].position[0] = 10;
            design->voxels[1].position[2] = 0;
        }
        vxe_world *world = stepped(design, INSTANT);
        const loads got = loads_on(world, EDGE);
        const double force[3] = {-rows[i].force[0], -rows[i].force[1], -rows[i].force[2]};
        printf("  %s\n", rows[i].name);
        /* required: 1e-9; floats add some 20 roundings of 6e-8 */
        const double tolerance = by_precision(1e-9, 2e-6);
        check_vector("force on 1, N", got.force[1], rows[i].force, 0.006 * tolerance);
        check_vector("force on 2, N", got.force[0], force, 0.006 * tolerance);
        check_vector("moment on 1, N m", got.moment[1], rows[i].moment1, 2e-4 * tolerance);
        check_vector("moment on 2, N m", got.moment[0], rows[i].moment2, 2e-4 * tolerance);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Case dipole-balance: forces are opposite, and moments balance the couple of the forces, for any
 * pair in any orientation, as single dipoles and as 27 each, softened or not. */
static void pairs_balance(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 40; i++) {
        double moments[2][3];
        double place[3];
        double turn[4];
        double length = 0;
        for (int c = 0; c < 3; c++) {
            moments[0][c] = random_unit(&seed);
            moments[1][c] = random_unit(&seed);
            place[c] = 0.03 * random_unit(&seed) + (c == 0 ? 0.05 : 0);
        }
        for (int c = 0; c < 4; c++) {
            turn[c] = random_unit(&seed);
            length += turn[c] * turn[c];
        }
        for (int c = 0; c < 4; c++) {
            turn[c] /= sqrt(length);
        }
        vxe_design *design = magnets(EDGE, 2, 10, moments);
        design->magnetics.divisions = i % 2 ? 3 : 1;
        design->magnetics.dipole_soften = i % 4 == 3 ? 0.05 : 0;
        vxe_world *world = stepped(design, INSTANT);
        vxe_error error;
        assert_int_equal(vxe_world_place(world, 1, place, turn, NULL, NULL, &error), VXE_OK);
        double origin[3];
        position_of(world, 0, origin);
        const loads got = loads_on(world, EDGE);
        double sum = 0;
        double couple = 0;
        double force = 0;
        double moment = 0;
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3;
            const int e = (c + 2) % 3;
            const double arm =
                (place[d] - origin[d]) * got.force[1][e] - (place[e] - origin[e]) * got.force[1][d];
            sum = fmax(sum, fabs(got.force[0][c] + got.force[1][c]));
            couple = fmax(couple, fabs(got.moment[0][c] + got.moment[1][c] + arm));
            force = fmax(force, fabs(got.force[1][c]));
            moment = fmax(moment, fabs(got.moment[1][c]));
            moment = fmax(moment, fabs(arm));
        }
        /* required: 1e-12; in floats, forces derived from speeds have roundings of some 1e-6 */
        check_below("forces that do not cancel, of the force", sum / force,
                    by_precision(1e-12, 3e-6));
        check_below("moments that do not balance, of the largest", couple / moment,
                    by_precision(1e-12, 3e-6));
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Force (N) along z between two cubes of edge a, magnetised along z (T), r from centre to centre
   along z: AkounYonnet1984, from the potential of four surfaces
   of charge. */
static double cube_force(double remanence, double a, double r)
{
    double sum = 0;
    for (int n = 0; n < 64; n++) {
        const double u = ((n >> 1 & 1 ? -a : a) - (n & 1 ? -a : a)) / 2;
        const double v = ((n >> 3 & 1 ? -a : a) - (n >> 2 & 1 ? -a : a)) / 2;
        const double w = r + ((n >> 5 & 1 ? -a : a) - (n >> 4 & 1 ? -a : a)) / 2;
        const double d = sqrt(u * u + v * v + w * w);
        const int odd = (n ^ n >> 1 ^ n >> 2 ^ n >> 3 ^ n >> 4 ^ n >> 5) & 1;
        const double part =
            -d * w - u * w * log(d - u) - v * w * log(d - v) + u * v * atan(u * v / (d * w));
        sum += odd ? -part : part;
    }
    return remanence * remanence / (4 * PI * MU0) * sum;
}

/* Force on the upper of two cubes of 10 mm and 1.2 T as computed with dipoles. */
static double dipole_force(double r, uint32_t divisions)
{
    const double m = 1.2 / MU0 * 1e-6;
    double moments[2][3] = {{0, 0, m}, {0, 0, m}};
    vxe_design *design = magnets(EDGE, 2, 2, moments);
    design->magnetics.divisions = divisions;
    vxe_world *world = stepped(design, INSTANT);
    double place[3];
    vxe_error error;
    position_of(world, 0, place);
    place[2] += r;
    assert_int_equal(vxe_world_place(world, 1, place, NULL, NULL, NULL, &error), VXE_OK);
    const double force = loads_on(world, EDGE).force[1][2];
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return force;
}

/* Cases cube-magnets and sub-dipoles: the closed form, and how n^3 dipoles of a voxel approach it.
 */
static void divided_voxels_are_cubes(void **state)
{
    (void)state;
    const double distances[6] = {0.011, 0.012, 0.015, 0.02, 0.03, 0.05};
    const double exact[6] = {-29.317982, -21.128448, -9.458342, -3.241459, -0.667449, -0.087401};
    for (int i = 0; i < 6; i++) {
        check_near("cubes, N", cube_force(1.2, EDGE, distances[i]), exact[i], 1e-6);
    }
    const uint32_t divisions[8] = {1, 2, 3, 4, 5, 6, 8, 10};
    const double forces[8] = {-37.37002, -34.58567, -32.28255, -30.95160,
                              -30.21673, -29.81483, -29.47427, -29.37028};
    for (int i = 0; i < 8; i++) {
        check_relative("dipoles at 11 mm, N", dipole_force(0.011, divisions[i]), forces[i], 1e-5);
    }
    for (int i = 3; i < 6; i++) { /* from 20 mm on, 4^3 dipoles are the cubes within 1e-3 */
        check_relative("4^3 dipoles, N", dipole_force(distances[i], 4), exact[i], 1e-3);
    }
}

/* Time (s) between the first and the fourth passage through 0 of a compass in 1 mT that starts at
 * an angle: one and a half periods. */
static double compass_period(double amplitude)
{
    double moment[1][3] = {{0.05, 0, 0}};
    vxe_design *design = magnets(EDGE, 1, 1, moment);
    design->materials[0].density = 6 * 2e-6 / (EDGE * EDGE) / (EDGE * EDGE * EDGE);
    set_formula(design, VXE_FORMULA_FIELD_X, "1e-3");
    vxe_world *world = stepped(design, 1e-4);
    const double turn[4] = {cos(0.5 * amplitude), 0, 0, sin(0.5 * amplitude)};
    vxe_error error;
    assert_int_equal(vxe_world_place(world, 0, NULL, turn, NULL, NULL, &error), VXE_OK);
    double crossed[4] = {0};
    double before = amplitude;
    for (int n = 0; n < 4;) {
        double q[4];
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        vxe_world_poses(world, NULL, q);
        const double angle = 2 * atan2(q[3], q[0]);
        if (angle * before < 0) {
            crossed[n++] = vxe_world_time(world) - 1e-4 * angle / (angle - before);
        }
        before = angle;
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return (crossed[3] - crossed[0]) / 1.5;
}

/* Case compass; the small swing is of 1e-2 rad, whose period is 6e-6 longer. */
static void compass_swings(void **state)
{
    (void)state;
    const double degrees[4] = {0.573, 60, 90, 150};
    const double periods[4] = {1.256637, 1.348600, 1.483260, 2.214451};
    for (int i = 0; i < 4; i++) {
        check_relative("period, s", compass_period(degrees[i] * PI / 180), periods[i], 2e-3);
    }
}

/* Case snap: two of 1 g and 0.05 A m^2 snap from 50 to 20 mm. */
static void magnets_snap(void **state)
{
    (void)state;
    double moments[2][3] = {{0, 0, 0.05}, {0, 0, 0.05}};
    vxe_design *design = magnets(EDGE, 2, 5, moments);
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 1e-5;
    def.audit = true;
    vxe_world *world = make_world(design, &def);
    double apart = 0.05;
    double before = apart;
    vxe_error error;
    while (apart > 0.02) {
        double a[3];
        double b[3];
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        position_of(world, 0, a);
        position_of(world, 1, b);
        before = apart;
        apart = b[2] - a[2];
    }
    double v[6];
    vxe_world_velocities(world, v, NULL);
    check_relative("time, s", vxe_world_time(world) - 1e-5 * (0.02 - apart) / (before - apart),
                   0.278972, 3e-3);
    check_relative("speed of the lower, m/s", v[2], 0.2418677, 3e-3);
    check_relative("speed of the upper, m/s", v[5], -0.2418677, 3e-3);
    const vxe_energy energy = vxe_world_energy(world);
    check_below("energy that is not kept, of the motion's",
                fabs(energy.balance - energy.balance_start) / energy.kinetic_sync, 1e-3);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Case levitation: 1 g and 0.05 A m^2 float where dB/dz is 0.1962 T/m; a component xx = -yy pushes
 * sideways. */
static void gradient_carries(void **state)
{
    (void)state;
    double moment[1][3] = {{0, 0, 0.05}};
    vxe_design *design = magnets(EDGE, 1, 1, moment);
    design->gravity[2] = -9.81;
    set_formula(design, VXE_FORMULA_GRADIENT_XX, "-0.0981");
    set_formula(design, VXE_FORMULA_GRADIENT_YY, "-0.0981");
    set_formula(design, VXE_FORMULA_GRADIENT_XZ, "0.002");
    design->magnetics.reference[2] = 0.005;
    design->magnetics.reference[0] = 0.005;
    design->magnetics.reference[1] = 0.005;
    vxe_world *world = stepped(design, INSTANT);
    double v[3];
    vxe_error error;
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    vxe_world_velocities(world, v, NULL);
    const double step = vxe_world_describe(world).time_step;
    check_below("what is left of the weight", fabs(v[2] / step / 9.81), 1e-6);
    check_relative("sideways, N", MASS * v[0] / step, 0.05 * 0.002, 1e-6);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A field that is zero at a reference point turns a magnet at a distance from it by m x G (x -
 * ref): here 0.1 m along x in 1 T/m. In the first step the spin is that torque times h/I, I = m
 * a^2/6. */
static void gradient_turns_about_its_reference(void **state)
{
    (void)state;
    double moment[1][3] = {{0, 0, 0.05}};
    vxe_design *design = magnets(EDGE, 1, 1, moment);
    set_formula(design, VXE_FORMULA_GRADIENT_XX, "1");
    set_formula(design, VXE_FORMULA_GRADIENT_YY, "-1");
    for (int c = 0; c < 3; c++) {
        design->magnetics.reference[c] = c == 0 ? 0.005 - 0.1 : 0.005;
    }
    vxe_world *world = stepped(design, INSTANT);
    double spin[3];
    vxe_error error;
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    vxe_world_velocities(world, NULL, spin);
    const double inertia = MASS * EDGE * EDGE / 6;
    check_relative("torque about y, N m", inertia * spin[1] / vxe_world_describe(world).time_step,
                   0.05 * 0.1, 1e-6);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A soft voxel in 10 mT becomes V chi/(mu0 (1 + chi/3)) B; two in a row along the field amplify
   each other: m = s B/(1 - 2 k s/r^3), and attract with 6 k m^2/r^4. */
static void soft_voxels_are_magnetised(void **state)
{
    (void)state;
    double none[2][3] = {{0}};
    const double chi = 20;
    const double soft = 1e-6 * chi / (MU0 * (1 + chi / 3));
    const double r = 2 * EDGE;
    vxe_design *design = magnets(EDGE, 2, 2, none);
    design->materials[0].susceptibility = chi;
    design->magnetics.induces = true;
    set_formula(design, VXE_FORMULA_FIELD_Z, "0.01");
    vxe_world *world = stepped(design, INSTANT);
    const loads got = loads_on(world, EDGE);
    const double m = soft * 0.01 / (1 - 2e-7 * soft / (r * r * r));
    check_relative("force, N", got.force[1][2], -6e-7 * m * m / (r * r * r * r),
                   by_precision(1e-10, 1e-5));
    const vxe_energy energy = vxe_world_energy(world);
    check_relative("energy, J", energy.magnetic, -0.01 * m, by_precision(1e-10, 1e-5));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* 4096 randomly placed dipoles: forces in mixed precision within 1e-5 of those in double, relative
 * to their root mean square. */
static void mixed_precision_is_enough(void **state)
{
    (void)state;
    const vxe_material material = standard_material();
    enum { COUNT = 4096 };
    static double v[2][3 * COUNT];
    static double w[2][3 * COUNT];
    vxe_design *design = block_design(&material, 16, 16, 16);
    vxe_layer *layer = vxe_design_layer(design, "Magnetization", 3);
    vxe_layer *part = vxe_design_layer(design, "Part", 1);
    uint64_t seed = 11;
    assert_non_null(layer);
    layer = vxe_design_layer(design, "Magnetization", 3);
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        layer->values[i] = 3e5 * random_unit(&seed);
        part->values[i / 3] = i / 3; /* no bonds */
    }
    design->magnetics.enabled = true;
    for (int i = 0; i < 2; i++) {
        vxe_world *world =
            stepped_in(design, INSTANT, i ? VXE_PRECISION_MIXED : VXE_PRECISION_DOUBLE);
        vxe_error error;
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        vxe_world_velocities(world, v[i], w[i]);
        vxe_world_destroy(world);
    }
    double error_v = 0;
    double error_w = 0;
    double mean_v = 0;
    double mean_w = 0;
    for (int i = 0; i < 3 * COUNT; i++) {
        error_v = fmax(error_v, fabs(v[1][i] - v[0][i]));
        error_w = fmax(error_w, fabs(w[1][i] - w[0][i]));
        mean_v += v[0][i] * v[0][i] / (3 * COUNT);
        mean_w += w[0][i] * w[0][i] / (3 * COUNT);
    }
    check_below("error of forces", error_v / sqrt(mean_v), 1e-5);
    check_below("error of moments", error_w / sqrt(mean_w), 1e-5);
    vxe_design_destroy(design);
}

#define CLOUD 1000

/* N: the forces of all others within 2.5 edges on dipole i of a cloud (x in m, m in A m^2). */
static void sum_within_reach(double (*x)[3], double (*m)[3], int i, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0;
    for (int j = 0; j < CLOUD; j++) {
        double n[3];
        double r2 = 0;
        for (int c = 0; c < 3; c++) {
            n[c] = x[i][c] - x[j][c];
            r2 += n[c] * n[c];
        }
        const double r = sqrt(r2);
        if (i == j || r > 2.5 * EDGE) {
            continue;
        }
        double a = 0;
        double b = 0;
        double d = 0;
        for (int c = 0; c < 3; c++) {
            a += m[i][c] * n[c] / r;
            b += m[j][c] * n[c] / r;
            d += m[i][c] * m[j][c];
        }
        for (int c = 0; c < 3; c++) {
            sum[c] += 3e-7 / (r2 * r2) * ((d - 5 * a * b) * n[c] / r + b * m[i][c] + a * m[j][c]);
        }
    }
}

/* A thousand randomly placed dipoles that act within a gap of 1.5 edges are sorted into boxes:
 * forces and moments are the sums over all pairs within 2.5 edges, computed here in double. */
static void dipoles_within_reach_are_found(void **state)
{
    (void)state;
    enum { COUNT = CLOUD };
    static double x[COUNT][3];
    static double m[COUNT][3];
    static double v[3 * COUNT];
    static double w[3 * COUNT];
    const vxe_material material = standard_material();
    vxe_design *design = block_design(&material, 10, 10, 10);
    (void)vxe_design_layer(design, "Part", 1);
    vxe_layer *moments = vxe_design_layer(design, "Magnetization", 3);
    uint64_t seed = 5;
    for (int i = 0; i < COUNT; i++) {
        vxe_design_layer(design, "Part", 1)->values[i] = i; /* no bonds */
        for (int c = 0; c < 3; c++) {
            m[i][c] = 0.3 * random_unit(&seed);
            moments->values[3 * i + c] = m[i][c] / (EDGE * EDGE * EDGE);
        }
    }
    design->magnetics = (vxe_magnetics){.enabled = true, .dipole_d = 1.5 * EDGE};
    vxe_world *world = stepped_in(design, INSTANT, VXE_PRECISION_DOUBLE);
    vxe_error error;
    for (int i = 0; i < COUNT; i++) { /* a cloud, twice as wide */
        for (int c = 0; c < 3; c++) {
            x[i][c] = 0.1 * random_unit(&seed);
        }
        assert_int_equal(vxe_world_place(world, (uint32_t)i, x[i], NULL, NULL, NULL, &error),
                         VXE_OK);
    }
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    vxe_world_velocities(world, v, w);
    double worst = 0;
    double mean = 0;
    for (int i = 0; i < COUNT; i++) {
        double sum[3];
        sum_within_reach(x, m, i, sum);
        for (int c = 0; c < 3; c++) {
            const double force = MASS * v[3 * i + c] / vxe_world_describe(world).time_step;
            worst = fmax(worst, fabs(force - sum[c]) / (fabs(sum[c]) + 1e-3));
            mean += sum[c] * sum[c] / (3 * COUNT);
        }
    }
    /* rounding: 1e-16 of the largest force, relative to the smallest */
    check_below("error of forces, of them or 1 mN", worst, 1e-9);
    check_below("forces that are missing, N", 1e-3 - sqrt(mean), 0);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_as_tabled),
        cmocka_unit_test(pairs_balance),
        cmocka_unit_test(divided_voxels_are_cubes),
        cmocka_unit_test(compass_swings),
        cmocka_unit_test(magnets_snap),
        cmocka_unit_test(gradient_carries),
        cmocka_unit_test(gradient_turns_about_its_reference),
        cmocka_unit_test(soft_voxels_are_magnetised),
        cmocka_unit_test(mixed_precision_is_enough),
        cmocka_unit_test(dipoles_within_reach_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
