/* SPDX-License-Identifier: MIT */
/* The laws backwards against differences of the laws themselves: of eighth order, whose error with
 * a step of 0.01 is below 1e-13 of the numbers for functions that change over a length of about 1.
 * What is compared are virtual works, y.F, and products with adjoints: numbers, for random
 * directions. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "engine/bonds/bond_tangent_law.h"
#include "engine/floor/floor_adjoint_law.h"
#include "engine/floor/floor_law.h"
#include "engine/voxels/drift_adjoint_law.h"
#include "engine/voxels/rotation_law.h"

#define ALL_BITS ((vxe_real_mask)-1)

/* The rotation vector from one orientation to another, world axes. */
static vxe_vec3 turn_between(vxe_quat from, vxe_quat to)
{
    double p[4];
    quaternion_product((const double[4]){to.w, to.x, to.y, to.z},
                       (const double[4]){from.w, -from.x, -from.y, -from.z}, p);
    const double sine = sqrt(p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    const double scale = sine > 0 ? 2 * atan2(sine, p[0]) / sine : 2;
    return (vxe_vec3){scale * p[1], scale * p[2], scale * p[3]};
}

/* A bond whose ends are moved along a direction, and the virtual displacement of a kick. Lengths
 * are in edges, so that all numbers are about 1. */
typedef struct bond_case {
    int axis, law;
    bool dashpots;
    vxe_vec3 r;
    double length;
    vxe_quat q1, q2;
    vxe_springs k;
    vxe_dashes c;
    vxe_bond_motion y, u;
    vxe_bond_motion along; /* the direction */
    double longer;         /* of the rest length */
} bond_case;

static vxe_bond_motion random_motion(uint64_t *seed)
{
    return (vxe_bond_motion){random_vec(seed, 1), random_vec(seed, 1), random_vec(seed, 1)};
}

static vxe_bond_ends ends_at(const bond_case *b, double x)
{
    const vxe_vec3 r = vec_add_scaled(b->r, x, b->along.dr);
    const double length = b->length + x * b->longer;
    return (vxe_bond_ends){.chord = {r, length, component(b->axis, r) - length},
                           .q1 = turned_quat(b->q1, vec_scaled(x, b->along.y1)),
                           .q2 = turned_quat(b->q2, vec_scaled(x, b->along.y2)),
                           .dv = b->u.dr,
                           .w1 = b->u.y1,
                           .w2 = b->u.y2,
                           .exists = ALL_BITS};
}

/* y.F of the springs, or of the dashpots at velocities u, at a place along the direction. */
static double virtual_work(const void *context, double x)
{
    const bond_case *b = context;
    const vxe_bond_ends ends = ends_at(b, x);
    vxe_bond_geometry geometry;
    double failed = 0;
    vxe_bond_force act =
        beam_action(b->axis, (b->law & VXE_BOND_EVEN) | (b->law & VXE_BOND_FREE) | VXE_BOND_SPRINGS,
                    &ends, b->k, b->c, &geometry, &failed);
    assert_true(failed == 0);
    if (b->dashpots) {
        act = damp_action(b->law, &geometry, &ends, b->c);
    }
    return -vec_dot(b->y.dr, act.force) + vec_dot(b->y.y1, vec_add(act.a, act.b)) +
           vec_dot(b->y.y2, vec_sub(act.a, act.b));
}

static bond_case random_bond(uint64_t *seed, int trial)
{
    const int law = trial % 2 ? VXE_BOND_EVEN : VXE_BOND_FREE;
    bond_case b = {.axis = trial % 3, .law = law, .length = 1 + 0.2 * random_unit(seed)};
    b.r = random_vec(seed, 0.3);
    *(b.axis == 0 ? &b.r.x : b.axis == 1 ? &b.r.y : &b.r.z) += 1;
    b.q1 = turned_quat((vxe_quat){1, 0, 0, 0}, random_vec(seed, 1));
    b.q2 = turned_quat(b.q1, random_vec(seed, trial % 5 ? 0.6 : 1e-9));
    b.k = (vxe_springs){1.1, law & VXE_BOND_EVEN ? 1.1 : 1.3, 0.4, 0.9, 0, 0};
    if (law & VXE_BOND_FREE) {
        b.k.couple = 0.6;
        b.k.poisson_tension = 0.7;
    }
    b.c = (vxe_dashes){0.8, law & VXE_BOND_EVEN ? 0.8 : 0.5, 0.3, 1.2};
    b.y = random_motion(seed);
    b.u = random_motion(seed);
    b.along = random_motion(seed);
    b.longer = random_unit(seed);
    return b;
}

/* What the adjoints of a bond's voxels say of a move along the direction. */
static double told(const bond_case *b, const vxe_bond_adjoint *adjoint)
{
    return -vec_dot(b->along.dr, adjoint->place) + vec_dot(b->along.y1, adjoint->turn1) +
           vec_dot(b->along.y2, adjoint->turn2) + b->longer * adjoint->length;
}

static vxe_mid_frame frame_of(const bond_case *b)
{
    return mid_frame(b->axis, b->q1, b->q2, ALL_BITS);
}

/* y.F of springs and dashpots changes as their adjoints say: with turns of up to 1 rad between the
 * voxels and strains of 30 %. Bound: 2e-12 in numbers of about 1; the law's arctangent is fitted to
 * 4e-13 of the angle, and G' is that of the exact one. */
static void adjoints_of_bonds_are_the_slopes_of_virtual_work(void **state)
{
    (void)state;
    uint64_t seed = 44;
    double springs = 0;
    double dashpots = 0;
    for (int trial = 0; trial < 400; trial++) {
        bond_case b = random_bond(&seed, trial);
        const vxe_mid_frame frame = frame_of(&b);
        const vxe_bond_ends ends = ends_at(&b, 0);
        const vxe_bond_geometry geometry = {vec_scaled(0.5, b.r), frame.axis};
        const vxe_bond_adjoint elastic = spring_adjoint(
            b.axis, b.law & VXE_BOND_EVEN, b.law & VXE_BOND_FREE, &frame, &ends.chord, b.k, &b.y);
        springs = fmax(springs, fabs(told(&b, &elastic) - slope_of(virtual_work, &b, 0.01)));
        b.dashpots = true;
        const vxe_bond_adjoint dash = dashpot_adjoint(b.law, &frame, &geometry, b.c, &b.u, &b.y);
        dashpots = fmax(dashpots, fabs(told(&b, &dash) - slope_of(virtual_work, &b, 0.01)));
    }
    check_below("adjoint of springs against differences", springs, 2e-12);
    check_below("adjoint of dashpots against differences", dashpots, 2e-12);
}

/* y.F is linear in each coefficient, so that its value with one of them alone is its slope; and the
 * form of the dashpots is symmetric, y.F(u) = u.F(y). Bound: rounding. */
static void slopes_by_coefficients_are_those_of_virtual_work(void **state)
{
    (void)state;
    uint64_t seed = 45;
    double worst = 0;
    double skew = 0;
    for (int trial = 0; trial < 100; trial++) {
        bond_case b = random_bond(&seed, 2 * trial);
        const vxe_mid_frame frame = frame_of(&b);
        const vxe_bond_ends ends = ends_at(&b, 0);
        const vxe_bond_geometry geometry = {vec_scaled(0.5, b.r), frame.axis};
        const vxe_springs by_spring = spring_slopes(b.axis, &frame, &ends.chord, &b.y);
        const vxe_dashes by_dash = dashpot_slopes(&geometry, &b.u, &b.y);
        const double of_springs[6] = {by_spring.axial,   by_spring.shear,
                                      by_spring.torsion, by_spring.bending,
                                      by_spring.couple,  by_spring.poisson_tension};
        const double of_dashes[4] = {by_dash.axial, by_dash.shear, by_dash.torsion,
                                     by_dash.bending};
        for (int i = 0; i < 6; i++) {
            b.k = (vxe_springs){i == 0, i == 1, i == 2, i == 3, i == 4, i == 5};
            worst = fmax(worst, fabs(virtual_work(&b, 0) - of_springs[i]));
        }
        b.dashpots = true;
        bond_case swapped = b;
        swapped.u = b.y;
        swapped.y = b.u;
        skew = fmax(skew, fabs(virtual_work(&b, 0) - virtual_work(&swapped, 0)));
        for (int i = 0; i < 4; i++) {
            b.c = (vxe_dashes){i == 0, i == 1, i == 2, i == 3};
            worst = fmax(worst, fabs(virtual_work(&b, 0) - of_dashes[i]));
        }
    }
    check_below("slopes by coefficients", worst, 2e-12);
    check_below("y.F(u) less u.F(y) of dashpots", skew, 1e-14);
}

/* A drift, with what is moved along a direction. */
typedef struct drift_case {
    double h;
    vxe_quat q;
    vxe_vec3 x, v, w;
    vxe_voxel_adjoint behind; /* weights of what comes out */
    vxe_vec3 along[4];        /* of place, turn, v and w */
} drift_case;

static vxe_quat drifted(const drift_case *d, double s)
{
    const vxe_quat q = turned_quat(d->q, vec_scaled(s, d->along[1]));
    const vxe_vec3 w = vec_add_scaled(d->w, s, d->along[3]);
    const vxe_turned now =
        turned((vxe_turned){q.w, q.x, q.y, q.z}, w.x, w.y, w.z, 0.5 * d->h, NULL);
    return (vxe_quat){now.w, now.x, now.y, now.z};
}

/* The weighed sum of a voxel's state behind the drift. */
static double weighed(const void *context, double s)
{
    const drift_case *d = context;
    const vxe_vec3 v = vec_add_scaled(d->v, s, d->along[2]);
    const vxe_vec3 x = vec_add_scaled(vec_add_scaled(d->x, s, d->along[0]), d->h, v);
    return vec_dot(d->behind.place, x) +
           vec_dot(d->behind.turn, turn_between(drifted(d, 0), drifted(d, s))) +
           vec_dot(d->behind.v, v) + vec_dot(d->behind.w, vec_add_scaled(d->w, s, d->along[3]));
}

/* The adjoints before a drift tell how its end changes with its beginning, for turns of up to 0.8
 * rad in a step. The turn between two ends is measured by its rotation vector, which is the turn
 * itself at first order. Bound: 1e-12; the law's own series are good to 2e-13 there. */
static void adjoint_of_the_drift_is_its_slope(void **state)
{
    (void)state;
    uint64_t seed = 46;
    double worst = 0;
    for (int trial = 0; trial < 200; trial++) {
        drift_case d = {.h = 0.5, .q = turned_quat((vxe_quat){1, 0, 0, 0}, random_vec(&seed, 1))};
        d.x = random_vec(&seed, 1);
        d.v = random_vec(&seed, 1);
        d.w = random_vec(&seed, trial % 7 ? 0.9 : 1e-12);
        d.behind = (vxe_voxel_adjoint){random_vec(&seed, 1), random_vec(&seed, 1),
                                       random_vec(&seed, 1), random_vec(&seed, 1)};
        for (int i = 0; i < 4; i++) {
            d.along[i] = random_vec(&seed, 1);
        }
        const vxe_voxel_adjoint before = drift_adjoint(d.behind, d.w, d.h);
        const double says = vec_dot(before.place, d.along[0]) + vec_dot(before.turn, d.along[1]) +
                            vec_dot(before.v, d.along[2]) + vec_dot(before.w, d.along[3]);
        worst = fmax(worst, fabs(says - slope_of(weighed, &d, 0.01)));
    }
    check_below("adjoint of the drift against differences", worst, 1e-12);
}

/* An impact whose numbers are moved along a direction. */
typedef struct impact_case {
    double of[6]; /* depth, v, others, k, c, inverse */
    double by[6];
    double h;
} impact_case;

static double impact_at(const void *context, double s)
{
    const impact_case *i = context;
    double at[6];
    for (int n = 0; n < 6; n++) {
        at[n] = i->of[n] + s * i->by[n];
    }
    return impact_of_step(at[0], at[1], at[2], at[3], at[4], at[5], i->h).force;
}

/* Whether what the force follows from stays on its branches around a case: parts of the way that
 * are all, none or some of it, and the direction of the way. */
static int branch_of(const impact_case *i, double s)
{
    double at[6];
    for (int n = 0; n < 6; n++) {
        at[n] = i->of[n] + s * i->by[n];
    }
    vxe_impact_terms of = impact_terms(at[0], at[1], at[2], at[3], at[4], at[5], i->h);
    of.by_k = 1 / at[3];
    double force = 0;
    int branch = 0;
    for (int n = 0; n < 4; n++) {
        const double part = impact_found(&of, force);
        const double way = impact_speed(&of, force);
        branch = 6 * branch + (part <= 0 ? 0 : part >= 1 ? 1 : 2) + (way < 0 ? 3 : 0);
        force = impact_solved(&of, part, force);
    }
    return branch;
}

/* The mean force of a step changes as its derivative says, on every branch: all of the way in
 * contact, a part of it on the way in or out, none. Differences are taken where no branch changes
 * within them. Bound: 1e-9 of the numbers, whose curvature near an end of the way is large. */
static void slopes_of_an_impact_are_those_of_differences(void **state)
{
    (void)state;
    uint64_t seed = 47;
    double worst = 0;
    int met[3] = {0};
    for (int trial = 0; trial < 4000; trial++) {
        impact_case i = {.h = 0.4};
        const double middle[6] = {0.05, 0, 0, 1, 0.3, 1};
        const double spread[6] = {0.3, 1, 0.3, 0.3, 0.3, 0.3};
        for (int n = 0; n < 6; n++) {
            i.of[n] = middle[n] + spread[n] * random_unit(&seed);
            i.by[n] = random_unit(&seed);
        }
        const double step = 1e-3;
        bool same = true;
        for (int n = -4; n <= 4; n++) {
            same = same && branch_of(&i, n * step) == branch_of(&i, 0);
        }
        const vxe_impact_slopes got =
            impact_adjoint(i.of[0], i.of[1], i.of[2], i.of[3], i.of[4], i.of[5], i.h);
        const double change = got.depth * i.by[0] + got.v * i.by[1] + got.others * i.by[2] +
                              got.k * i.by[3] + got.c * i.by[4] + got.inverse * i.by[5];
        met[branch_of(&i, 0) % 3] += same;
        worst = same ? fmax(worst, fabs(change - slope_of(impact_at, &i, step))) : worst;
    }
    check_below("slopes of an impact against differences", worst, 1e-9);
    assert_true(met[0] > 300 && met[1] > 300 && met[2] > 300);
}

/* Friction whose numbers are moved along a direction. */
typedef struct friction_case {
    double of[5]; /* vx, vy, impulse, mass, mu_d */
    double by[5];
    double bond_pull, stuck;
    double lx, ly;
    bool predicts;
} friction_case;

static double friction_at(const void *context, double s)
{
    const friction_case *f = context;
    double at[5];
    for (int n = 0; n < 5; n++) {
        at[n] = f->of[n] + s * f->by[n];
    }
    const double factor =
        f->predicts
            ? friction_predicted(at[2], at[3], at[4], f->bond_pull, at[0], at[1], f->stuck)
            : friction_slide(at[2], at[3], at[4], at[4], f->bond_pull, at[0], at[1], f->stuck)
                  .factor;
    return factor * (f->lx * at[0] + f->ly * at[1]);
}

/* What friction gives changes as its adjoints say: slipping, letting go, holding, stopping, and
 * with no floor below. Bound: 1e-10, rounding of differences with steps of 1e-3. */
static void adjoints_of_friction_are_its_slopes(void **state)
{
    (void)state;
    const struct {
        double impulse, stuck;
        bool predicts;
        double speed;
    } rows[] = {{0.5, 0, false, 2}, {0.5, 1, false, 2}, {0.5, 1, false, 0.1}, {-0.5, 0, false, 2},
                {0.5, 0, true, 2},  {9, 0, true, 1},    {0.5, 1, true, 2},    {-0.5, 0, true, 2}};
    uint64_t seed = 48;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        friction_case f = {.bond_pull = 0.3,
                           .stuck = rows[row].stuck,
                           .predicts = rows[row].predicts,
                           .lx = 0.7,
                           .ly = -0.4};
        const double of[5] = {0.6 * rows[row].speed, -0.8 * rows[row].speed, rows[row].impulse, 1.3,
                              0.6};
        memcpy(f.of, of, sizeof of);
        for (int n = 0; n < 5; n++) {
            f.by[n] = random_unit(&seed);
        }
        const double sticks =
            friction_slide(of[2], of[3], of[4], of[4], f.bond_pull, of[0], of[1], f.stuck).stuck;
        const vxe_slide_adjoint got =
            f.predicts ? friction_predicted_adjoint(of[2], of[3], of[4], f.bond_pull, of[0], of[1],
                                                    f.stuck, f.lx, f.ly)
                       : friction_slide_adjoint(of[2], of[3], of[4], f.bond_pull, of[0], of[1],
                                                f.stuck, sticks, f.lx, f.ly);
        const double says = got.vx * f.by[0] + got.vy * f.by[1] + got.impulse * f.by[2] +
                            got.mass * f.by[3] + got.mu_d * f.by[4];
        check_near("adjoint of friction", says, slope_of(friction_at, &f, 1e-3), 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjoints_of_bonds_are_the_slopes_of_virtual_work),
        cmocka_unit_test(slopes_by_coefficients_are_those_of_virtual_work),
        cmocka_unit_test(adjoint_of_the_drift_is_its_slope),
        cmocka_unit_test(slopes_of_an_impact_are_those_of_differences),
        cmocka_unit_test(adjoints_of_friction_are_its_slopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
