/* SPDX-License-Identifier: MIT */
/* The contact law of two voxels against its formulas (docs/physics.md, Self-collision), which are
 * written out here once more: potential, springs and dashpots of unlike voxels, friction with its
 * memory, and the spheres of the Voxelyze family. Bounds are for rounding, where nothing else is
 * said. */
#include <math.h>

#include "engine/contact/penalty_law.h"
#include "support.h"

/* N/m, N s/m, 1/kg: springs, dashpots and mobilities of two unlike voxels. */
static const double spring[2] = {1e4, 3e4};
static const double dashpot[2] = {2.0, 5.0};
static const double inverse[2] = {1000, 400};
/* N/m and N s/m: of the pair. */
#define PAIR_SPRING (2 * 1e4 * 3e4 / 4e4)
#define PAIR_DASHPOT (sqrt(2) * 2.0 * 5.0 / 7.0)
/* s */
#define STEP 1e-5
#define ROUNDING 1e-12
#define PI 3.14159265358979323846

static const vxe_touch_memory nothing = {0, 0, 0, 0, {0, 0, 0}};
/* A step of voxels with bonds. */
static const vxe_contact_when resolved = {.h = STEP, .step = STEP};

/* Two voxels at rest with parallel axes. */
static void two_voxels(vxe_contact_end ends[2])
{
    for (int i = 0; i < 2; i++) {
        ends[i] = (vxe_contact_end){.q = {1, 0, 0, 0},
                                    .faces = VXE_ALL_FACES,
                                    .were = VXE_ALL_FACES,
                                    .inverse = inverse[i],
                                    .softness = 1 / spring[i],
                                    .dashpot = dashpot[i],
                                    .static_friction = i ? 0.9 : 0.6,
                                    .dynamic_friction = i ? 0.3 : 0.4};
    }
}

static double component_of(vxe_vec3 a, int c)
{
    return c == 0 ? a.x : c == 1 ? a.y : a.z;
}

static vxe_vec3 vector(const double a[3])
{
    return (vxe_vec3){a[0], a[1], a[2]};
}

static double length_of(vxe_vec3 a)
{
    return sqrt(vec_dot(a, a));
}

/* W(t) = (1 - t)^2 (1 + 2 t). */
static double share_at(double t)
{
    return t < 1 ? (1 - t) * (1 - t) * (1 + 2 * t) : 0;
}

/* What is less than half an edge above the middle of a voxel that has a free face whose opposite
 * one is bonded: 1 - W of that part. */
static double fading_at(vxe_real_mask faces, double height)
{
    bool one_side = false;
    for (int axis = 0; axis < 3; axis++) {
        one_side |= ((faces >> (2 * axis)) & 1) != ((faces >> (2 * axis + 1)) & 1);
    }
    return one_side && height < 0.5 * EDGE ? 1 - share_at(2 * height / EDGE) : 1;
}

/* m^2: p^2/2 W W of the faces of a voxel that is turned by q, for the other one at r. */
static double potential_of(const double q[4], vxe_real_mask faces, const double r[3])
{
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    double rho[3];
    double height = 0;
    int axis = 0;
    rotate_vector(back, r, rho);
    for (int c = 0; c < 3; c++) {
        const int free_face = (int)(faces >> (2 * c + (rho[c] < 0))) & 1;
        if (free_face && fabs(rho[c]) > height) {
            height = fabs(rho[c]);
            axis = c;
        }
    }
    const double p = height > 0 ? fmax(EDGE - height, 0) : 0; /* above no free face: none */
    return 0.5 * p * p * fading_at(faces, height) * share_at(fabs(rho[(axis + 1) % 3]) / EDGE) *
           share_at(fabs(rho[(axis + 2) % 3]) / EDGE);
}

/* A pose of two voxels: place of the second from the first, and their orientations. */
typedef struct pose {
    double r[3], q[2][4];
} pose;

static double energy_of(const pose *at, const vxe_real_mask faces[2])
{
    const double back[3] = {-at->r[0], -at->r[1], -at->r[2]};
    return PAIR_SPRING / 2 *
           (potential_of(at->q[0], faces[0], at->r) + potential_of(at->q[1], faces[1], back));
}

/* The orientation turned by an angle (rad) about a world axis. */
static void turn(double q[4], int c, double angle)
{
    double by[4] = {cos(angle / 2), 0, 0, 0};
    double turned[4];
    by[1 + c] = sin(angle / 2);
    quaternion_product(by, q, turned);
    for (int i = 0; i < 4; i++) {
        q[i] = turned[i];
    }
}

/* A random pose: the second voxel is beyond a face of the first. deep: above 0 it is higher beside
 * that face than above it, so that the heights above faces that are not free must not count. */
static pose random_pose(uint64_t *seed, int axis, double sign, bool deep)
{
    pose at = {.q = {{1, 0, 0, 0}, {1, 0, 0, 0}}};
    for (int c = 0; c < 3; c++) {
        at.r[c] = (deep ? 0.6 : 0.3) * EDGE * (random_unit(seed) > 0 ? 1 : -1) *
                  (1 + 0.3 * random_unit(seed));
        for (int i = 0; i < 2; i++) {
            turn(at.q[i], c, 0.15 * random_unit(seed));
        }
    }
    at.r[axis] = sign * EDGE * (deep ? 0.5 : 0.85 + 0.05 * random_unit(seed));
    return at;
}

static vxe_contact_push push_at(const pose *at, vxe_contact_end ends[2])
{
    for (int i = 0; i < 2; i++) {
        ends[i].q = (vxe_quat){at->q[i][0], at->q[i][1], at->q[i][2], at->q[i][3]};
    }
    return contact_by_faces(vector(at->r), EDGE, ends[0], ends[1], resolved, nothing);
}

/* Where the highest face changes from an axis with two free faces to one with a single free face,
 * within half an edge of the middle, the energy does not jump: 1e-9 edges apart it differs by 1e-7,
 * and it is that of the formula. */
static void energy_does_not_jump_from_face_to_face(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        const int other = (axis + 1) % 3;
        const vxe_real_mask faces[2] = {
            (vxe_real_mask)3 << (2 * axis) | (vxe_real_mask)1 << (2 * other), 0};
        double energy[2];
        for (int s = 0; s < 2; s++) {
            pose at = {.q = {{1, 0, 0, 0}, {1, 0, 0, 0}}};
            vxe_contact_end ends[2];
            two_voxels(ends);
            ends[0].faces = faces[0];
            ends[1].faces = faces[1];
            at.r[axis] = 0.3 * EDGE;
            at.r[other] = (0.3 + (s ? 1e-9 : -1e-9)) * EDGE;
            energy[s] = push_at(&at, ends).energy;
            check_relative("energy of a deep pair, J", energy[s], energy_of(&at, faces), ROUNDING);
        }
        check_relative("energy on the other side, J", energy[1], energy[0], 1e-7);
    }
}

/* Force and moments are minus the derivatives of U, by central differences of 1e-6 edges and rad:
 * their error is 1e-9 of the second derivatives, hence 1e-7. */
static void contact_force_is_the_gradient_of_its_energy(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double off = 0;
    double energy_off = 0;
    for (int trial = 0; trial < 60; trial++) {
        const int axis = trial % 3;
        const bool positive = trial / 3 % 2;
        const bool deep = trial / 6 % 2;
        const vxe_real_mask one_face = (vxe_real_mask)1 << (2 * axis + !positive);
        const vxe_real_mask other_face = (vxe_real_mask)1 << (2 * axis + positive);
        const vxe_real_mask faces[2] = {deep ? one_face : VXE_ALL_FACES,
                                        deep ? other_face : VXE_ALL_FACES};
        const pose at = random_pose(&seed, axis, positive ? 1 : -1, deep);
        vxe_contact_end ends[2];
        two_voxels(ends);
        ends[0].faces = faces[0];
        ends[1].faces = faces[1];
        const vxe_contact_push push = push_at(&at, ends);
        const vxe_contact_load load[2] = {load_on_first(vector(at.r), push),
                                          load_on_second(vector(at.r), push)};
        const double scale = length_of(load[1].force);
        energy_off = fmax(energy_off, fabs(push.energy / energy_of(&at, faces) - 1));
        for (int i = 0; i < 9; i++) {
            double energy[2];
            for (int s = 0; s < 2; s++) {
                pose moved = at;
                const double by = s ? -1e-6 : 1e-6;
                if (i < 3) {
                    moved.r[i] += by * EDGE;
                } else {
                    turn(moved.q[i / 3 - 1], i % 3, by);
                }
                energy[s] = energy_of(&moved, faces);
            }
            const double want = (energy[1] - energy[0]) / (i < 3 ? 2e-6 * EDGE : 2e-6);
            const double got = i < 3 ? component_of(load[1].force, i)
                                     : component_of(load[i / 3 - 1].moment, i % 3);
            off = fmax(off, fabs(got - want) / (i < 3 ? scale : scale * EDGE));
        }
        off = fmax(off, length_of(vec_add(load[0].force, load[1].force)) / scale);
    }
    check_below("contact energy against its formula, relative", energy_off, ROUNDING);
    check_below("contact force against the energy's gradient, relative", off, 1e-7);
}

/* Two voxels whose faces overlap by 4 % of an edge along x; the second is shifted along y by a part
 * of an edge. Their normal force is along x where the shift is 0. */
#define OVERLAP (0.04 * EDGE)

static vxe_contact_push push_aside(const vxe_contact_end ends[2], double aside,
                                   const vxe_touch_memory *before)
{
    const vxe_vec3 r = {EDGE - OVERLAP, aside * EDGE, 0};
    return contact_by_faces(r, EDGE, ends[0], ends[1], resolved, *before);
}

/* The dashpot acts on the opening speed half way between the voxels, weakened as in an implicit
 * step of h: c u/(1 + h c/m); by how much the faces share; and never pulls. */
static void dashpot_of_a_contact_follows_its_formula(void **state)
{
    (void)state;
    const double by_mass = inverse[0] + inverse[1];
    vxe_contact_end ends[2];
    two_voxels(ends);
    ends[0].v.x = 0.02;
    ends[1].v.x = -0.03;
    ends[0].dynamic_friction = ends[0].static_friction = 0;
    const double c = PAIR_DASHPOT;
    const vxe_contact_push push = push_aside(ends, 0, &nothing);
    check_relative("dashpot of a contact, N", push.dashpot.x, c * 0.05 / (1 + STEP * c * by_mass),
                   ROUNDING);
    /* the spin of both about z moves their faces along y only, and aside also along x */
    ends[0].w.z = 3;
    ends[1].w.z = 4;
    const vxe_contact_push spun = push_aside(ends, 0.3, &nothing);
    const vxe_vec3 normal = vec_scaled(1 / length_of(vec_add(spun.first, spun.second)),
                                       vec_add(spun.first, spun.second));
    const vxe_vec3 rate = {-0.05 + 0.5 * 7 * 0.3 * EDGE, -0.5 * 7 * (EDGE - OVERLAP), 0};
    const double part = c * share_at(0.3);
    check_relative("dashpot of a part of a face, N", length_of(spun.dashpot),
                   -vec_dot(rate, normal) * part / (1 + STEP * part * by_mass), ROUNDING);
    ends[0].v.x = -100;
    ends[1].v.x = 100;
    ends[0].w.z = ends[1].w.z = 0;
    const vxe_contact_push pulled = push_aside(ends, 0, &nothing);
    check_relative("dashpot of a contact that opens fast, N", -pulled.dashpot.x,
                   PAIR_SPRING * OVERLAP, ROUNDING);
}

/* Of the friction of whole faces: the spring, N/m, the speed's force at which it swings, N s/m, and
 * the dashpot, N s/m, weaker where the step is long. */
static double hold_of(void)
{
    return 0.4 * PAIR_SPRING;
}

static double swing_of(void)
{
    return sqrt(hold_of() / (2.5 * (inverse[0] + inverse[1])));
}

static double slows_of(void)
{
    const double mobile = 2.5 * (inverse[0] + inverse[1]);
    return 2 * swing_of() / (1 + 2 * STEP * swing_of() * mobile / 0.25);
}

/* Below its bound friction is the spring's force, stretched by the way of the step as well, and the
 * dashpot's. The moments of friction are those of a force half way between the voxels. */
static void friction_of_a_contact_follows_its_spring(void **state)
{
    (void)state;
    const double stretched = 1e-6;
    const double speed = 1e-3;
    const vxe_touch_memory before = {1, 1, 0, 0, {0, stretched, 0}};
    vxe_contact_end ends[2];
    two_voxels(ends);
    ends[1].v.y = speed;
    const vxe_contact_push push = push_aside(ends, 0, &before);
    const double now = stretched + STEP * speed;
    const double force = -hold_of() * now - slows_of() * speed;
    check_relative("friction of a contact that holds, N", push.friction.y, force, ROUNDING);
    check_relative("spring of friction after a step, m", push.after.shear.y, now, ROUNDING);
    const vxe_vec3 r = {EDGE - OVERLAP, 0, 0};
    check_relative("moment of friction on the first, N m", load_on_first(r, push).moment.z,
                   -0.5 * r.x * force, ROUNDING);
    check_relative("moment of friction on the second, N m", load_on_second(r, push).moment.z,
                   -0.5 * r.x * force, ROUNDING);
    /* a new contact has an unstretched spring, and the way before it is none of its own */
    const vxe_contact_push first = push_aside(ends, 0, &nothing);
    check_relative("friction of a new contact, N", first.friction.y, -slows_of() * speed, ROUNDING);
}

/* Coulomb's law: mu_s N while the pair is no faster than the speed whose swing has twice that
 * force, mu_d N beyond; mu is the smaller value of both voxels, N is without what the dashpot takes
 * of the spring's force; and the spring keeps the length that the bound has. */
static void friction_of_a_contact_is_coulombs(void **state)
{
    (void)state;
    const double normal = PAIR_SPRING * OVERLAP;
    const double limit = 2 * 0.6 * normal / swing_of();
    const vxe_touch_memory before = {1, 1, 0, 0, {0, 0.01, 0}};
    vxe_contact_end ends[2];
    two_voxels(ends);
    ends[1].v.y = 0.99 * limit;
    const vxe_contact_push held = push_aside(ends, 0, &before);
    check_relative("static friction of a contact, N", -held.friction.y, 0.6 * normal, ROUNDING);
    check_relative("spring at the bound, m", held.after.shear.y, 0.6 * normal / hold_of(),
                   ROUNDING);
    ends[1].v.y = 1.01 * limit;
    const vxe_contact_push slid = push_aside(ends, 0, &before);
    check_relative("dynamic friction of a contact, N", -slid.friction.y, 0.3 * normal, ROUNDING);
    check_relative("spring that slides, m", slid.after.shear.y, 0.3 * normal / hold_of(), ROUNDING);
    ends[1].v.x = 0.05;
    const vxe_contact_push opens = push_aside(ends, 0, &before);
    check_relative("dynamic friction of a contact that opens, N", -opens.friction.y,
                   0.3 * (normal + opens.dashpot.x), ROUNDING);
    assert_true(opens.dashpot.x < -0.01 * normal);
}

/* The spring of friction turns with the pair, lies in the face, and keeps its force where the pair
 * comes to share more of a face. */
static void friction_of_a_contact_remembers(void **state)
{
    (void)state;
    const double stretched = 1e-6;
    const double angle = 0.01; /* rad in the step: (w1 + w2)/2 h */
    vxe_contact_end ends[2];
    two_voxels(ends);
    ends[0].w.x = 1.2 * angle / STEP;
    ends[1].w.x = 0.8 * angle / STEP;
    const vxe_touch_memory before = {1, 1, 0, 0, {0, stretched, 0}};
    const vxe_vec3 turned = push_aside(ends, 0, &before).after.shear;
    check_relative("spring of friction turned with the pair, rad", atan2(turned.z, turned.y), angle,
                   angle * angle);
    check_relative("length of the turned spring, m", length_of(turned), stretched, ROUNDING);
    ends[0].w.x = ends[1].w.x = 0;
    const vxe_touch_memory tilted = {1, 1, 0, 0, {stretched, stretched, 0}};
    const vxe_vec3 flat = push_aside(ends, 0, &tilted).after.shear;
    check_below("spring of friction out of its face, m", fabs(flat.x), ROUNDING * stretched);
    const vxe_touch_memory smaller_share = {1, 0.25, 0, 0, {0, stretched, 0}};
    const vxe_vec3 shared = push_aside(ends, 0, &smaller_share).after.shear;
    check_relative("spring where four times as much of a face is shared, m", shared.y,
                   0.25 * stretched, ROUNDING);
    const vxe_touch_memory larger_share = {1, 1, 0, 0, {0, stretched, 0}};
    const vxe_contact_push less = push_aside(ends, 0.3, &larger_share);
    assert_true(less.share < 0.99);
    check_below("spring where less of a face is shared, m", length_of(less.after.shear),
                stretched * (1 + ROUNDING));
    check_relative("it keeps its length, m", length_of(less.after.shear),
                   stretched * fabs(vec_add(less.first, less.second).x) /
                       length_of(vec_add(less.first, less.second)),
                   ROUNDING);
}

/* A pair after a step in which pairs may come into contact other than by moving, or in another. */
static vxe_contact_push push_after(bool opens, double rest, double known, vxe_real_mask were)
{
    vxe_contact_end ends[2];
    const vxe_touch_memory before = {known, 1, rest, 0, {0, 0, 0}};
    const vxe_vec3 r = {EDGE - OVERLAP, 0, 0};
    two_voxels(ends);
    ends[0].were = were;
    const vxe_contact_when when = {.h = STEP, .step = STEP, .opens = opens};
    return contact_by_faces(r, EDGE, ends[0], ends[1], when, before);
}

/* A pair that is found in contact pushes from its present overlap on; one that came by its motion
 * from 0; and that overlap only shrinks. */
static void contacts_begin_without_energy(void **state)
{
    (void)state;
    const vxe_real_mask all = VXE_ALL_FACES;
    const double begins = push_after(1, 0, 0, all).after.rest;
    check_relative("new where pairs may appear, m", begins, OVERLAP, ROUNDING);
    check_below("new by its motion, m", fabs(push_after(0, 0, 0, all).after.rest), 0);
    check_relative("kept, m", push_after(1, 0.01 * EDGE, 1, all).after.rest, 0.01 * EDGE, ROUNDING);
    check_relative("shrinks with the overlap, m", push_after(1, 0.1 * EDGE, 1, all).after.rest,
                   OVERLAP, ROUNDING);
    check_relative("shrinks where no pair opens, m", push_after(0, 0.1 * EDGE, 1, all).after.rest,
                   OVERLAP, ROUNDING);
    check_below("with the faces of before, m", fabs(push_after(1, 0, 1, all).after.rest), 0);
}

/* Where a face opens, a pair that is in contact has the energy that it had. The face towards +x of
 * the first voxel was bonded: then the second one's alone pushed, with half of the energy. The pair
 * now pushes from p on with (OVERLAP - p)^2 = OVERLAP^2/2. */
static void a_face_that_opens_adds_no_energy(void **state)
{
    (void)state;
    const vxe_real_mask bonded = VXE_ALL_FACES & ~1;
    const vxe_contact_push opened = push_after(1, 0, 1, bonded);
    const vxe_contact_push both = push_after(0, 0, 1, VXE_ALL_FACES);
    check_relative("energy where a face opens, J", opened.energy, 0.5 * both.energy, ROUNDING);
    check_relative("it pushes from, m", opened.after.rest, OVERLAP * (1 - sqrt(0.5)), ROUNDING);
    /* a pair that has held less than it may since, begins where it did */
    const double kept = 0.5 * OVERLAP;
    check_relative("kept beyond, m", push_after(1, kept, 1, VXE_ALL_FACES).after.rest, kept,
                   ROUNDING);
}

/* s: half as long as the time in which voxels without bonds swing by a radian. */
#define LONG_STEP 1e-4

static const vxe_contact_when averaged = {
    .h = LONG_STEP, .step = LONG_STEP, .averages = true, .ground = -EDGE};

/* N: the mean over the way of a step, in 4000 places, of a spring k and a dashpot c that begin
 * where bodies overlap and that do not pull, by bisection for the force that they have then. */
static double mean_force(double overlap, double v, double k, double c)
{
    double low = 0;
    double high = 1e3;
    for (int i = 0; i < 60; i++) {
        const double force = 0.5 * (low + high);
        const double after = v - LONG_STEP * (inverse[0] + inverse[1]) * force;
        const double u = 0.5 * (v + after);
        double sum = 0;
        for (int n = 0; n < 4000; n++) {
            const double part = (n + 0.5) / 4000;
            const double p = overlap - 0.5 * LONG_STEP * v + part * LONG_STEP * u;
            sum += p > 0 ? fmax(k * p + c * u, 0) : 0;
        }
        low = sum / 4000 > force ? force : low;
        high = sum / 4000 > force ? high : force;
    }
    return 0.5 * (low + high);
}

/* Two voxels without bonds push with the mean over the step, whether the contact begins, lasts or
 * ends in it; its four iterations leave 1 %. Where one voxel has a bond, or where the contact has
 * lasted for longer than 3/4 of a swing, or the floor may push too, the present place counts. */
static void voxels_without_bonds_push_by_the_mean_of_a_step(void **state)
{
    (void)state;
    vxe_contact_end ends[2];
    two_voxels(ends);
    ends[0].dynamic_friction = ends[0].static_friction = 0;
    const vxe_vec3 r = {EDGE - OVERLAP, 0, 0};
    const double swing = sqrt(PAIR_SPRING * (inverse[0] + inverse[1])); /* rad/s */
    for (int i = 0; i < 2; i++) {
        const double since = (i ? 1.02 : 0.98) * 1.5 * PI / swing - LONG_STEP;
        const vxe_touch_memory before = {1, 1, 0, since, {0, 0, 0}};
        const vxe_contact_push held = contact_by_faces(r, EDGE, ends[0], ends[1], averaged, before);
        const bool is_held = fabs(held.first.x + held.second.x - PAIR_SPRING * OVERLAP) <
                             ROUNDING * PAIR_SPRING * OVERLAP;
        assert_int_equal(is_held, i);
        check_relative("age of a contact, s", held.after.age, since + LONG_STEP, ROUNDING);
    }
    const double k = PAIR_SPRING;
    const double step2 = LONG_STEP * LONG_STEP * swing * swing;
    const double damped = 0.5 * LONG_STEP * (inverse[0] + inverse[1]) * PAIR_DASHPOT;
    const double c = PAIR_DASHPOT * (1 + 0.15 * step2 + 0.1 * sqrt(step2) * damped);
    const double speeds[4] = {5, 1, -1, -5}; /* m/s of approach */
    const double overlaps[3] = {-1e-4, 1e-4, 5e-4};
    for (int i = 0; i < 12; i++) {
        const double v = speeds[i % 4];
        const double p = overlaps[i / 4];
        const vxe_vec3 at = {EDGE - p, 0, 0};
        ends[0].v.x = 0.25 * v;
        ends[1].v.x = -0.75 * v;
        const vxe_contact_push push =
            contact_by_faces(at, EDGE, ends[0], ends[1], averaged, nothing);
        const double force = load_on_second(at, push).force.x;
        check_near("mean force, N", force, mean_force(p, v, k, c), 0.01 * k * LONG_STEP * fabs(v));
    }
    ends[0].v.x = 1; /* while they approach, the mean is another force */
    ends[1].v.x = -1;
    ends[1].faces = VXE_ALL_FACES - 1;
    const vxe_contact_push bonded = contact_by_faces(r, EDGE, ends[0], ends[1], averaged, nothing);
    check_relative("where one has a bond, N", bonded.first.x + bonded.second.x,
                   PAIR_SPRING * OVERLAP, ROUNDING);
    ends[1].faces = VXE_ALL_FACES;
    ends[1].z = averaged.ground - 0.1 * EDGE;
    const vxe_contact_push low = contact_by_faces(r, EDGE, ends[0], ends[1], averaged, nothing);
    check_relative("where the floor reaches one, N", low.first.x + low.second.x,
                   PAIR_SPRING * OVERLAP, ROUNDING);
    ends[1].inverse = 0;
    assert_true(is_loose(ends[1], averaged.ground) && is_loose(ends[0], averaged.ground));
}

/* Each voxel's faces are met at the speed in that voxel's own axes: its spin turns them by w x r.
 * The force of friction follows the whole mean force. */
static void mean_forces_see_spins_and_friction_sees_them(void **state)
{
    (void)state;
    const double aside = 0.3;
    const vxe_vec3 r = {EDGE - OVERLAP, aside * EDGE, 0};
    const double share = share_at(aside);
    const double spin = 200; /* rad/s */
    for (int which = 0; which < 2; which++) {
        vxe_contact_end ends[2];
        two_voxels(ends);
        ends[which].w.z = spin;
        const vxe_contact_push push =
            contact_by_faces(r, EDGE, ends[0], ends[1], averaged, nothing);
        /* w x r has -w r_y along x: it takes the face of the first away, and the second off its own
         */
        const double towards = -spin * aside * EDGE;
        const vxe_impact spun =
            impact_of_step(OVERLAP, towards, 0, PAIR_SPRING * share, PAIR_DASHPOT * share,
                           inverse[0] + inverse[1], LONG_STEP);
        const vxe_vec3 faces = which ? push.second : push.first;
        check_relative("spring of the one that spins, N", faces.x, 0.5 * spun.spring, 1e-9);
    }
    vxe_contact_end ends[2];
    two_voxels(ends);
    ends[0].v.x = 2;
    ends[1].v.y = 50;
    const vxe_vec3 straight = {EDGE - OVERLAP, 0, 0};
    const vxe_contact_push slid =
        contact_by_faces(straight, EDGE, ends[0], ends[1], averaged, nothing);
    const double pushed = slid.first.x + slid.second.x + slid.dashpot.x;
    assert_true(slid.dashpot.x > 0.05 * pushed);
    check_relative("dynamic friction of the mean force, N", -slid.friction.y, 0.3 * pushed, 1e-9);
}

/* 2 k1 k2/(k1 + k2) times the overlap of two spheres of radius 0.625 edges, and the mean of the
 * dashpots, which may pull. */
static void spheres_of_voxelyze_follow_their_formula(void **state)
{
    (void)state;
    const vxe_vec3 r = {0.6 * EDGE, 0.8 * EDGE, 0};
    vxe_contact_end ends[2];
    two_voxels(ends);
    ends[1].v = vec_scaled(3, r); /* opens at 3 edges a second */
    const vxe_contact_push push = contact_by_spheres(r, EDGE, ends[0], ends[1]);
    const vxe_vec3 force = vec_add(push.first, push.second);
    check_relative("force of spheres, N", vec_dot(force, r) / EDGE, PAIR_SPRING * 0.25 * EDGE,
                   ROUNDING);
    check_relative("energy of spheres, J", push.energy,
                   0.5 * PAIR_SPRING * 0.25 * EDGE * 0.25 * EDGE, ROUNDING);
    check_relative("dashpot of spheres, N", vec_dot(push.dashpot, r) / EDGE,
                   -0.5 * (dashpot[0] + dashpot[1]) * 3 * EDGE, ROUNDING);
    const vxe_vec3 apart = {1.26 * EDGE, 0, 0};
    check_below("energy of spheres that do not touch, J",
                contact_by_spheres(apart, EDGE, ends[0], ends[1]).energy, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_force_is_the_gradient_of_its_energy),
        cmocka_unit_test(dashpot_of_a_contact_follows_its_formula),
        cmocka_unit_test(friction_of_a_contact_follows_its_spring),
        cmocka_unit_test(friction_of_a_contact_is_coulombs),
        cmocka_unit_test(friction_of_a_contact_remembers),
        cmocka_unit_test(energy_does_not_jump_from_face_to_face),
        cmocka_unit_test(contacts_begin_without_energy),
        cmocka_unit_test(a_face_that_opens_adds_no_energy),
        cmocka_unit_test(voxels_without_bonds_push_by_the_mean_of_a_step),
        cmocka_unit_test(mean_forces_see_spins_and_friction_sees_them),
        cmocka_unit_test(spheres_of_voxelyze_follow_their_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
