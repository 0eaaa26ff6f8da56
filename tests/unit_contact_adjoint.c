/* SPDX-License-Identifier: MIT */
/* The law of contacts backwards against differences of the law itself, of eighth order. What is
 * compared is the virtual work of its loads, plus products with what pairs remember, for random
 * directions. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "engine/contact/penalty_adjoint_law.h"

/* Numbers of a contact by which it is told how it changes, beside its vectors. */
enum {
    OF_LENGTH,
    OF_SHARE,
    OF_REST,
    OF_K1,
    OF_K2,
    OF_C1,
    OF_C2,
    OF_MASS1,
    OF_MASS2,
    OF_MU,
    OF_NUMBERS
};

/* A contact that is moved along a direction, the virtual displacement, and what multiplies its
 * memory. Lengths are in edges, and all other numbers about 1 too. */
typedef struct contact_case {
    vxe_vec3 vectors[6], along[6]; /* r, v, w1, w2, shear; and a turn of the first */
    vxe_vec3 turn2;
    double numbers[OF_NUMBERS], by[OF_NUMBERS];
    vxe_quat q1, q2;
    vxe_real_mask faces[2];
    double known, static_friction;
    vxe_vec3 dr, y1, y2;
    vxe_touch_adjoint behind;
} contact_case;

/* What a contact follows from, so far along the direction. */
typedef struct contact_now {
    vxe_vec3 r;
    double length;
    vxe_contact_end end[2];
    vxe_touch_memory before;
} contact_now;

#define CONTACT_STEP 0.1

static contact_now contact_at(const contact_case *c, double s)
{
    vxe_vec3 of[6];
    double n[OF_NUMBERS];
    for (int i = 0; i < 6; i++) {
        of[i] = vec_add_scaled(c->vectors[i], s, c->along[i]);
    }
    for (int i = 0; i < OF_NUMBERS; i++) {
        n[i] = c->numbers[i] + s * c->by[i];
    }
    const double mu_s = c->static_friction > 0 ? c->static_friction : n[OF_MU];
    contact_now now = {.r = of[0],
                       .length = n[OF_LENGTH],
                       .before = {c->known, n[OF_SHARE], n[OF_REST], 1, of[4]}};
    for (int end = 0; end < 2; end++) {
        now.end[end] = (vxe_contact_end){.q = end ? turned_quat(c->q2, vec_scaled(s, c->turn2))
                                                  : turned_quat(c->q1, of[5]),
                                         .v = vec_scaled(end ? 0.5 : -0.5, of[1]),
                                         .w = of[2 + end],
                                         .faces = c->faces[end],
                                         .were = c->faces[end],
                                         .inverse = 1 / n[OF_MASS1 + end],
                                         .softness = 1 / n[OF_K1 + end],
                                         .dashpot = n[OF_C1 + end],
                                         .static_friction = mu_s + 0.5 * end,
                                         .dynamic_friction = n[OF_MU] + 0.5 * end};
    }
    return now;
}

static double contact_work(const void *context, double s)
{
    const contact_case *c = context;
    const contact_now now = contact_at(c, s);
    const vxe_contact_when when = {
        .h = CONTACT_STEP, .step = CONTACT_STEP, .opens = !(c->known > 0)};
    const vxe_contact_push push =
        contact_by_faces(now.r, now.length, now.end[0], now.end[1], when, now.before);
    const vxe_contact_load one = load_on_first(now.r, push);
    const vxe_contact_load two = load_on_second(now.r, push);
    return vec_dot(two.force, c->dr) + vec_dot(one.moment, c->y1) + vec_dot(two.moment, c->y2) +
           c->behind.share * push.after.share + c->behind.rest * push.after.rest +
           vec_dot(c->behind.shear, push.after.shear);
}

/* What the adjoints of a contact say of its direction. */
static double contact_told(const contact_case *c)
{
    const contact_now now = contact_at(c, 0);
    vxe_touch_memory before = now.before;
    before.rest = c->known > 0 ? before.rest : 10;
    const vxe_contact_adjoint got =
        contact_adjoint(now.r, now.length, now.end[0], now.end[1],
                        (vxe_pair_sides){one_sided(c->faces[0]), one_sided(c->faces[1])},
                        CONTACT_STEP, before, (vxe_pair_moves){c->dr, c->y1, c->y2}, c->behind);
    const double k = pair_spring(now.end[0].softness, now.end[1].softness);
    const double c0 = pair_dashpot(1, now.end[0].dashpot, now.end[1].dashpot);
    const double known =
        c->known * (got.before.share * c->by[OF_SHARE] + got.before.rest * c->by[OF_REST] +
                    vec_dot(got.before.shear, c->along[4]));
    double sum = vec_dot(got.place, c->along[0]) + vec_dot(got.v, c->along[1]) +
                 vec_dot(got.spin, vec_add(c->along[2], c->along[3])) +
                 vec_dot(got.turn1, c->along[5]) + vec_dot(got.turn2, c->turn2) +
                 got.length * c->by[OF_LENGTH] + got.mu_d * c->by[OF_MU] + known;
    for (int end = 0; end < 2; end++) {
        const double ki = c->numbers[OF_K1 + end];
        const double ci = c->numbers[OF_C1 + end];
        const double mi = c->numbers[OF_MASS1 + end];
        sum += got.k * k * k / (2 * ki * ki) * c->by[OF_K1 + end] +
               got.c * c0 * c0 / (sqrt(2) * ci * ci) * c->by[OF_C1 + end] -
               got.inverse / (mi * mi) * c->by[OF_MASS1 + end];
    }
    return sum;
}

/* A random contact of a kind: pressed, sliding, parting fast, turning, bonded on all sides but one,
 * that begins to push where it is. */
static contact_case random_contact(uint64_t *seed, int trial)
{
    const double fast = trial % 4 == 1 ? 3 : 0.1;
    const bool sided = trial % 3 == 2;
    contact_case c = {.faces = {VXE_ALL_FACES, VXE_ALL_FACES}, .known = trial % 8 == 7 ? 0 : 1};
    c.vectors[0] = vec_add((vxe_vec3){0.85, 0.05, -0.1}, random_vec(seed, 0.1));
    c.vectors[0].x -= trial % 6 == 5 ? 0.5 : 0; /* where the push of a bonded voxel fades */
    c.vectors[1] = random_vec(seed, fast);
    c.vectors[1].x += trial % 4 == 3 ? 2 : 0; /* its dashpot would pull */
    c.vectors[2] = random_vec(seed, trial % 4 == 2 ? 2 : 0.1);
    c.vectors[3] = random_vec(seed, 0.1);
    c.vectors[3].x += trial % 4 == 2 ? 5 : 0; /* the spring of friction turns within the face */
    c.vectors[4] = vec_scaled(c.known, random_vec(seed, 0.05));
    c.vectors[4].x *= trial % 4 == 2 ? 0.1 : 1;
    const double numbers[OF_NUMBERS] = {
        1, trial % 5 == 0 ? 1 : 0.2, trial % 2 ? 0.01 : 0, 1.2, 0.7, 0.4, 0.6, 1.1, 0.8, 0.5};
    memcpy(c.numbers, numbers, sizeof numbers);
    c.numbers[OF_SHARE] *= c.known;
    c.numbers[OF_REST] *= c.known;
    c.q1 = turned_quat((vxe_quat){1, 0, 0, 0}, random_vec(seed, 0.2));
    c.q2 = turned_quat((vxe_quat){1, 0, 0, 0}, random_vec(seed, 0.2));
    c.faces[0] = sided ? 1 : c.faces[0]; /* +x alone */
    c.faces[1] = sided ? 2 : c.faces[1];
    c.static_friction = trial % 2 ? 0 : 0.9; /* 0: as the dynamic one */
    for (int i = 0; i < 6; i++) {
        c.along[i] = random_vec(seed, 1);
    }
    c.turn2 = random_vec(seed, 1);
    for (int i = 0; i < OF_NUMBERS; i++) {
        c.by[i] = random_unit(seed);
    }
    c.dr = random_vec(seed, 1);
    c.y1 = random_vec(seed, 1);
    c.y2 = random_vec(seed, 1);
    c.behind = (vxe_touch_adjoint){random_unit(seed), random_unit(seed), random_vec(seed, 1)};
    return c;
}

/* What a contact does and remembers changes as its adjoints say, by all that it follows from.
 * Bound: 1e-9, rounding of differences with steps of 1e-4 is a hundredth. Where a branch
 * ends nearby differences of two steps disagree: such are left out, one in eight at most. */
static void adjoints_of_contacts_are_their_slopes(void **state)
{
    (void)state;
    uint64_t seed = 81;
    double left_out = 0;
    for (int trial = 0; trial < 400; trial++) {
        const contact_case c = random_contact(&seed, trial);
        const double wide = slope_of(contact_work, &c, 1e-3);
        const double narrow = slope_of(contact_work, &c, 1e-4);
        if (fabs(wide - narrow) > 1e-9) {
            left_out += 1;
            continue;
        }
        check_near("adjoint of a contact", contact_told(&c), narrow, 1e-9);
    }
    check_below("contacts beside the end of a branch, of 400", left_out, 50);
    assert_in_range(left_out, 0, 50);
}

/* Straight contacts whose friction may carry nothing, in which it is nothing on all sides: without
 * friction, parting faster than the dashpot lets them, and at rest where pairs begin to push where
 * they are. And of two voxels one of which is fixed. Bound: 1e-6, a kink in the
 * slope of a face's share, at its middle, times the step of differences. */
static void adjoints_of_straight_contacts_are_their_slopes(void **state)
{
    (void)state;
    uint64_t seed = 82;
    for (int trial = 0; trial < 16; trial++) {
        contact_case c = random_contact(&seed, 4 * trial);
        const int kind = trial % 4;
        for (int i = 0; i < 6; i++) {
            c.vectors[i] = (vxe_vec3){0, 0, 0};
        }
        c.vectors[0].x = 0.85;
        c.vectors[1].x = kind == 1 ? 8 : 0.1 * kind;
        c.q1 = c.q2 = (vxe_quat){1, 0, 0, 0};
        c.known = kind == 2 ? 0 : 1;
        c.numbers[OF_REST] = c.numbers[OF_SHARE] = 0;
        c.static_friction = 0;
        c.numbers[OF_MU] = kind == 0 ? 0 : 0.5;
        c.by[OF_MU] = kind == 0 ? 0 : c.by[OF_MU];
        c.by[OF_REST] = c.by[OF_SHARE] = 0; /* where rests end, and shares begin */
        c.vectors[1].x = kind == 2 ? 0 : c.vectors[1].x;
        c.vectors[2].y = kind == 3 ? 0.3 : 0;
        c.numbers[OF_MASS1] = kind == 3 ? 1e300 : c.numbers[OF_MASS1];
        check_near("adjoint of a straight contact", contact_told(&c),
                   slope_of(contact_work, &c, 1e-6), 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjoints_of_contacts_are_their_slopes),
        cmocka_unit_test(adjoints_of_straight_contacts_are_their_slopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
