/* SPDX-License-Identifier: MIT */
/* Hands that pull at voxels: a spring and a dashpot by Hooke's law and Newton's second one, whose
 * work the energy audit accounts for, and that no run calls unphysical. */
#include <math.h>
#include <string.h>

#include "lattice/formats/format.h"
#include "support.h"

/* A stiff block without damping that floats; its voxel in the middle has six neighbours. */
static vxe_design *floating_block(void)
{
    const vxe_material m = standard_material();
    return block_design(&m, 3, 3, 3);
}

enum { MIDDLE = 13 };

static double height(const vxe_world *world)
{
    double place[3];
    vxe_world_center_of_mass(world, place, NULL);
    return place[2];
}

static void pull(vxe_world *world, uint32_t hand, const vxe_pull *how)
{
    vxe_error error;
    if (vxe_world_pull(world, hand, how, &error)) {
        fail_msg("%s", error.message);
    }
}

static void advance(vxe_world *world, double seconds)
{
    vxe_error error;
    if (vxe_world_advance_to(world, vxe_world_time(world) + seconds, &error)) {
        fail_msg("%s", error.message);
    }
}

/* The block in a world, under a weight along z (m/s^2), and the usual pull at its middle. */
typedef struct held_block {
    vxe_design *design;
    vxe_world *world;
    vxe_pull spring;
    double start; /* m: height */
} held_block;

static held_block hold_block(double weight)
{
    const vxe_world_def def = vxe_world_def_default();
    held_block block = {.design = floating_block()};
    block.design->gravity[2] = weight;
    block.world = make_world(block.design, &def);
    block.spring = vxe_world_pull_default(block.world, MIDDLE);
    block.start = height(block.world);
    return block;
}

static void drop_block(held_block *block)
{
    vxe_world_destroy(block->world);
    vxe_design_destroy(block->design);
}

/* A body on a spring swings with 2 pi sqrt(m/k), about the place of the hand. The body is 1/100 as
 * soft as the spring: its own swinging is a part of 1e-4 of the period and of the way. */
static void a_body_swings_on_the_spring(void **state)
{
    (void)state;
    held_block block = hold_block(0);
    block.spring.stiffness = 20;
    block.spring.damping = 0;
    block.spring.place[2] += 0.004;
    pull(block.world, 0, &block.spring);
    const double period = 2 * PI * sqrt(27 * MASS / block.spring.stiffness);
    advance(block.world, 0.5 * period);
    check_near("height after half a period, m", height(block.world) - block.start, 0.008, 2e-5);
    advance(block.world, 0.5 * period);
    check_near("height after a period, m", height(block.world) - block.start, 0, 2e-5);
    drop_block(&block);
}

/* In a far away pull the force is the largest one: the body is accelerated by F/m. */
static void the_force_is_bounded(void **state)
{
    (void)state;
    held_block block = hold_block(0);
    block.spring.max_force = 0.1;
    block.spring.damping = 0;
    block.spring.place[2] += 1000;
    pull(block.world, 3, &block.spring);
    advance(block.world, 0.1);
    const double time = vxe_world_time(block.world);
    /* to first order in the step, h/t; and the swinging of the body */
    check_relative("way of constant acceleration", height(block.world) - block.start,
                   0.5 * block.spring.max_force / (27 * MASS) * time * time, 0.01);
    drop_block(&block);
}

/* At rest the hand carries the weight, stretched by m g/k; a body lets go falls freely. */
static void a_hand_carries_the_weight(void **state)
{
    (void)state;
    held_block block = hold_block(-9.81);
    pull(block.world, 9, &block.spring);
    advance(block.world, 4);
    /* the block sags about its middle by less than 1e-5 m */
    check_near("sag, m", block.start - height(block.world),
               27 * MASS * 9.81 / block.spring.stiffness, 2e-5);
    const double before = height(block.world);
    pull(block.world, 9, NULL);
    advance(block.world, 0.1);
    /* the fall ends at a whole number of steps, so its time is up to h too long: 2 h/t, and h/t of
       the first order of the step */
    const double step = vxe_world_describe(block.world).time_step;
    check_relative("fall", before - height(block.world), 0.5 * 9.81 * 0.01, 3 * step / 0.1);
    drop_block(&block);
}

/* A hand that moves drags a walker about for long: nobody calls that unphysical, and the audit
 * knows the work. */
static void work_of_hands_is_accounted_for(void **state)
{
    (void)state;
    vxe_design *design = bare_walker(0.3, 1, 0.3);
    add_block(design, (const int[3]){0, 0, 0}, (const int[3]){5, 3, 2}, 0);
    design->actuation.enabled = false; /* so that all energy comes from the hand */
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
    vxe_pull spring = vxe_world_pull_default(world, 7);
    const double x = spring.place[0];
    const double z = spring.place[2];
    for (int i = 0; i < 100; i++) {
        spring.place[0] = x + 0.05 * sin(0.2 * i);
        spring.place[2] = z + 0.04 * (1 - cos(0.13 * i));
        pull(world, 0, &spring);
        advance(world, 0.02);
    }
    const vxe_energy energy = vxe_world_energy(world);
    assert_true(energy.work_external > 0);
    assert_int_equal(vxe_world_judge(world, NULL), VXE_OK);
    /* a hundredth: what vxe_world_judge allows */
    check_below("gain of the audit", fabs(vxe_energy_gain(&energy)), 0.01);
    check_below("work that the audit does not know, J",
                fabs(energy.balance - energy.balance_start) / energy.work_external, 0.01);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* The bits do not depend on threads and on how a run is cut; what is held is part of the hash. */
static void bits_are_the_same(void **state)
{
    (void)state;
    vxe_design *design = bare_walker(0.3, 1, 0.3);
    add_block(design, (const int[3]){0, 0, 0}, (const int[3]){24, 12, 12}, 0);
    uint64_t hash[3];
    for (uint32_t way = 0; way < 3; way++) {
        vxe_world_def def = vxe_world_def_default();
        def.threads = way == 1 ? 3 : 1;
        vxe_world *world = make_world(design, &def);
        vxe_pull first = vxe_world_pull_default(world, 1000);
        vxe_pull second = vxe_world_pull_default(world, 12);
        first.place[2] += 0.02;
        second.place[1] -= 0.03;
        pull(world, 0, &first);
        pull(world, 1, &second);
        for (int i = 0; i < (way == 2 ? 60 : 1); i++) {
            assert_int_equal(vxe_world_advance(world, way == 2 ? 1 : 60, NULL), VXE_OK);
        }
        pull(world, 1, NULL);
        assert_int_equal(vxe_world_advance(world, 40, NULL), VXE_OK);
        hash[way] = vxe_world_hash(world);
        first.place[0] += 1e-9;
        pull(world, 0, &first);
        assert_true(vxe_world_hash(world) != hash[way]);
        vxe_world_destroy(world);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    vxe_design_destroy(design);
}

/* The quadruped is pulled up by the middle of its body, and falls back when it is let go. */
static void the_quadruped_is_lifted(void **state)
{
    (void)state;
    vxe_error error;
    vxe_design *design = vxe_design_read(VXE_SOURCE_FOLDER "/assets/quadruped.vxa", &error);
    assert_non_null(design);
    vxe_world_def def = vxe_world_def_default();
    def.conventions = "native";
    vxe_world *world = make_world(design, &def);
    double center[3];
    double nearest = 1e9;
    uint32_t middle = 0;
    vxe_world_center_of_mass(world, center, NULL);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        double away = 0;
        for (int c = 0; c < 3; c++) {
            const double at = (design->voxels[v].position[c] + 0.5) * design->voxel_size;
            away += (at - center[c]) * (at - center[c]);
        }
        middle = away < nearest ? v : middle;
        nearest = fmin(nearest, away);
    }
    const double start = height(world);
    vxe_pull up = vxe_world_pull_default(world, middle);
    up.place[2] += 0.06;
    pull(world, 0, &up);
    advance(world, 2);
    check_below("short of 40 mm, m", 0.04 - (height(world) - start), 0);
    pull(world, 0, NULL);
    advance(world, 2);
    check_below("above the start, m", height(world) - start, 0.01);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* There is room for ten usual pulls at once, also where voxels collide. */
static void ten_hands_have_room(void **state)
{
    (void)state;
    for (int collides = 0; collides < 2; collides++) {
        vxe_design *design = bare_walker(1, 1, 0.3);
        add_block(design, (const int[3]){0, 0, 0}, (const int[3]){5, 3, 2}, 0);
        design->self_collision = collides;
        vxe_world *world = make_world(design, NULL);
        for (uint32_t hand = 0; hand < VXE_HANDS; hand++) {
            vxe_pull spring = vxe_world_pull_default(world, hand);
            spring.place[2] += 0.01;
            pull(world, hand, &spring);
        }
        advance(world, 0.5);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

static void refuse(vxe_world *world, uint32_t hand, const vxe_pull *how, const char *words)
{
    vxe_error error = {0};
    assert_true(vxe_world_pull(world, hand, how, &error) != VXE_OK);
    if (!strstr(error.message, words)) {
        fail_msg("%s", error.message);
    }
}

static void what_is_no_pull_is_refused(void **state)
{
    (void)state;
    held_block block = hold_block(0);
    vxe_pull bad = block.spring;
    refuse(block.world, VXE_HANDS, &bad, "no hand 10");
    bad.voxel = 27;
    refuse(block.world, 0, &bad, "no voxel 27");
    bad = block.spring;
    bad.place[1] = (double)NAN;
    refuse(block.world, 0, &bad, "needs a place");
    bad = block.spring;
    bad.stiffness = 1e9;
    refuse(block.world, 0, &bad, "too stiff");
    bad = block.spring;
    bad.damping = 1e9;
    refuse(block.world, 0, &bad, "too large");
    drop_block(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_body_swings_on_the_spring),
                                       cmocka_unit_test(the_force_is_bounded),
                                       cmocka_unit_test(a_hand_carries_the_weight),
                                       cmocka_unit_test(work_of_hands_is_accounted_for),
                                       cmocka_unit_test(bits_are_the_same),
                                       cmocka_unit_test(the_quadruped_is_lifted),
                                       cmocka_unit_test(ten_hands_have_room),
                                       cmocka_unit_test(what_is_no_pull_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
