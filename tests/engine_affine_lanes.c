/* SPDX-License-Identifier: MIT */
/* Affine bodies computed side by side in vector lanes have the same bits as bodies computed alone:
 * for each model of body, with steps and end times of their own, on each instruction set, in worlds
 * and in batches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "affine.h"
#include "common/parallel_internal.h"
#include "engine/batch.h"
#include "engine/world/world_data.h"

/* This count is no multiple of the number of lanes, so that the last vector is partly empty. */
#define VARIANTS 13u

enum {
    FREE_RIGID,
    PINNED_RIGID,
    HELD_RIGID,
    IN_VOLUME,
    BY_PENALTY,
    VISCOUS,
    VISCOUS_BY_PENALTY,
    HELD,
    PUSHED,
    GROWING,
    GROWING_BY_PENALTY,
    DRIVEN,
    DRIVEN_IN_VOLUME,
    KINDS
};

static void add_formulas(vxe_affine_body *body, uint32_t kind, uint32_t variant)
{
    char text[64];
    if (kind == PUSHED) {
        (void)snprintf(text, sizeof text, "0.1*sin(%u*t)", 20 + variant);
        set_body_formula(body, VXE_AFFINE_FORCE + (int)(variant % 3), text);
    } else if (kind == GROWING || kind == GROWING_BY_PENALTY) {
        (void)snprintf(text, sizeof text, "1+0.0%u*sin(%u*t)", 1 + variant % 9, 20 + variant);
        set_body_formula(body, VXE_AFFINE_GROWTH + 8, text);
        (void)snprintf(text, sizeof text, "0.%u*t", 1 + variant % 5);
        set_body_formula(body, VXE_AFFINE_GROWTH + 1, text);
    } else if (kind >= DRIVEN) {
        (void)snprintf(text, sizeof text, "%u*sin(30*t)", 100 + 10 * variant);
        set_body_formula(body, VXE_AFFINE_DRIVE + 4, text);
    }
}

/* Each variant of a model moves differently, so that swapped lanes would be noticed. */
static vxe_affine_body make_body(uint32_t kind, uint32_t variant)
{
    const double by = variant / (double)VARIANTS;
    const bool rigid = kind <= HELD_RIGID;
    const bool penalty = kind == BY_PENALTY || kind == VISCOUS_BY_PENALTY ||
                         kind == GROWING_BY_PENALTY || kind == DRIVEN;
    const bool viscous = kind == VISCOUS || kind == VISCOUS_BY_PENALTY || kind == DRIVEN;
    vxe_affine_body body = vxe_affine_body_default();
    body.kind = rigid            ? VXE_AFFINE_RIGID
                : kind < GROWING ? VXE_AFFINE_ELASTIC
                                 : VXE_AFFINE_CONTRACTILE;
    body.shape.size[0] = CUBE * (1 + 0.3 * by);
    body.shape.size[1] = CUBE * (1 - 0.2 * by);
    body.shape.size[2] = CUBE;
    body.center[0] = 0.3 * variant;
    const bool turns = kind != HELD;
    const bool flies = kind != HELD && kind != HELD_RIGID && kind != PINNED_RIGID;
    body.velocity[2] = flies ? 0.5 - by : 0;
    body.spin[0] = turns ? (rigid ? 20 : 2) * (by - 0.4) : 0;
    body.spin[2] = turns ? (rigid ? 30 : 3) * (1 - by * by) : 0;
    body.number[VXE_AFFINE_C1] = 8000 * (1 + by);
    body.number[VXE_AFFINE_C2] = 2000 * (1 - 0.5 * by);
    for (int i = 0; i < 9 && !rigid && turns; i += 4) {
        body.rate[i] = i == 8 ? 2 + by : -1 - 0.5 * by;
    }
    body.number[VXE_AFFINE_BULK] = penalty ? 5e4 * (1 + by) : 0;
    body.number[VXE_AFFINE_VISCOSITY] = viscous ? 2 + 5 * by : 0;
    body.number[VXE_AFFINE_GROWTH_VISCOSITY] = kind >= DRIVEN ? 40 + 10 * by : 0;
    body.pinned = kind == PINNED_RIGID;
    body.pin[2] = body.pinned ? -CUBE / 2 : 0;
    body.hold_center = kind == HELD_RIGID || kind == HELD;
    body.hold_deformation = kind == HELD;
    body.isochoric = kind == DRIVEN_IN_VOLUME;
    add_formulas(&body, kind, variant);
    return body;
}

static vxe_design *design_of(uint32_t kind, uint32_t first, uint32_t last)
{
    vxe_design *design = NULL;
    for (uint32_t v = first; v < last; v++) {
        vxe_affine_body body = make_body(kind, v);
        if (design) {
            add_body(design, &body);
        } else {
            design = affine_design(&body, 9.81);
        }
        vxe_affine_body_release(&body);
    }
    return design;
}

/* Steps the bodies of a world one by one, as bodies in contact are stepped. */
static void step_alone(void *context, uint32_t thread, uint32_t threads)
{
    vxe_world *world = context;
    vxe_state *state = &world->simulation.state;
    vxe_error error;
    (void)thread;
    (void)threads;
    const double time = vxe_state_time(state);
    state->step++;
    const double h = vxe_state_time(state) - time;
    if (vxe_affine_group_advance(&world->affine, time, h, &error)) {
        fail_msg("%s", error.message);
    }
}

static void check_kind(uint32_t kind)
{
    vxe_world *alone = affine_world(design_of(kind, 0, VARIANTS), 1e-3);
    vxe_world *abreast = affine_world(design_of(kind, 0, VARIANTS), 1e-3);
    assert_non_null(abreast->affine.ways);
    advance_steps(abreast, 60);
    advance_steps(abreast, 1);
    for (uint32_t i = 0; i < 61; i++) {
        vxe_parallel_run(1, step_alone, alone);
    }
    for (uint32_t b = 0; b < VARIANTS; b++) {
        const vxe_affine_state *states[2] = {&alone->affine.states[b], &abreast->affine.states[b]};
        if (memcmp(states[0], states[1], sizeof *states[0]) != 0) {
            fail_msg("kind %u, body %u: at %.17g and %.17g m", kind, b, states[0]->place[2],
                     states[1]->place[2]);
        }
    }
    assert_true(vxe_world_hash(alone) == vxe_world_hash(abreast));
    vxe_world_destroy(alone);
    vxe_world_destroy(abreast);
}

/* Hash of a viscous block that falls on the floor at an angle, slides and rebounds. */
static uint64_t hash_of_bounce(void)
{
    vxe_affine_body body = make_body(VISCOUS, 5);
    body.center[2] = 0.09;
    body.velocity[0] = 0.3;
    body.velocity[2] = -1;
    add_contact(&body, 200, 1e-3);
    body.contact.number[VXE_POWER_NU_R] = 7.5;
    body.contact.number[VXE_POWER_BETA_D] = 2;
    body.contact.number[VXE_POWER_NU_D] = 7.5;
    body.contact.number[VXE_POWER_BETA_F] = 5;
    body.contact.number[VXE_POWER_NU_F] = 3;
    body.contact.number[VXE_POWER_FRIC] = 0.3;
    vxe_design *design = affine_design(&body, 9.81);
    design->floor.enabled = true;
    vxe_world *world = affine_world(design, 1e-3);
    assert_null(world->affine.ways);
    advance_steps(world, 60);
    assert_true(world->affine.states[0].rubbed > 0 && world->affine.states[0].damped > 0);
    const uint64_t hash = vxe_world_hash(world);
    vxe_world_destroy(world);
    return hash;
}

static void lanes_have_the_bits_of_bodies_alone(void **state)
{
    (void)state;
    static const char *const sets[] = {"x86-64", "x86-64-v3", "x86-64-v4", "portable"};
    uint32_t compared = 0;
    uint64_t bounce = 0;
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        if (!choose_isa(sets[s], VXE_PRECISION_DOUBLE)) {
            continue;
        }
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            check_kind(kind);
        }
        const uint64_t hash = hash_of_bounce();
        assert_true(compared == 0 || hash == bounce);
        bounce = hash;
        compared++;
    }
    assert_true(compared > 0);
    choose_isa_of_before();
}

/* Designs of one to three bodies of all models, each with its own begin and end. */
enum { DESIGNS = 4 * KINDS };

static vxe_design *small_design(uint32_t number)
{
    const uint32_t first = number / KINDS * 3;
    vxe_design *design = design_of(number % KINDS, first, first + 1 + number % 3);
    design->stop.duration = 0.02 + 0.001 * (number % 7);
    design->stop.settle_time = number % 4 == 0 ? 0.005 : 0;
    return design;
}

/* A body that shrinks to nothing. */
static vxe_affine_body collapsing_body(const char *growth)
{
    vxe_affine_body body = make_body(GROWING, 0);
    set_body_formula(&body, VXE_AFFINE_GROWTH + 8, growth);
    return body;
}

static vxe_design *collapsing_design(void)
{
    vxe_affine_body body = collapsing_body("1 - 80*t");
    vxe_design *design = affine_design(&body, 0);
    design->stop.duration = 0.02;
    vxe_affine_body_release(&body);
    return design;
}

static uint64_t hash_alone(const vxe_design *design, uint64_t steps)
{
    const vxe_world_def def = vxe_world_def_default();
    vxe_world *world = make_world(design, &def);
    for (uint64_t i = 0; i < steps; i++) {
        advance_steps(world, 1);
    }
    const uint64_t hash = vxe_world_hash(world);
    vxe_world_destroy(world);
    return hash;
}

static void batches_run_bodies_in_lanes(void **state)
{
    (void)state;
    vxe_design *designs[DESIGNS + 1];
    vxe_batch_result first[DESIGNS + 1] = {0};
    vxe_error error;
    for (uint32_t i = 0; i < DESIGNS; i++) {
        designs[i] = small_design(i);
    }
    designs[DESIGNS] = collapsing_design();
    for (uint32_t run = 0; run < 3; run++) { /* alone, then in lanes with one thread and with two */
        vxe_batch_def def = vxe_batch_def_default();
        def.schedule = run == 0 ? VXE_BATCH_ALONE : VXE_BATCH_AUTO;
        def.world.threads = run == 2 ? 2 : 1;
        def.retries = 1;
        vxe_batch *batch = vxe_batch_create(&def, &error);
        assert_non_null(batch);
        for (uint32_t i = 0; i <= DESIGNS; i++) {
            assert_int_equal(vxe_batch_add(batch, designs[i], &error), VXE_OK);
        }
        assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
        for (uint32_t i = 0; i < DESIGNS; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            assert_int_equal(result.status, VXE_ROBOT_DONE);
            assert_int_equal(result.in_lanes, run > 0);
            if (run == 0) {
                first[i] = result;
                assert_true(result.hash == hash_alone(designs[i], result.steps));
            }
            assert_true(result.hash == first[i].hash);
            assert_true(result.steps == first[i].steps);
            assert_memory_equal(result.center, first[i].center, sizeof result.center);
            assert_memory_equal(result.start_center, first[i].start_center, sizeof result.center);
            assert_true(result.start_time == first[i].start_time);
        }
        const vxe_batch_result failed = vxe_batch_result_of(batch, DESIGNS);
        assert_int_equal(failed.status, VXE_ROBOT_DIVERGED);
        assert_non_null(strstr(failed.message, "has collapsed"));
        assert_int_equal(failed.retries, 1);
        assert_true(run == 0 || failed.steps == first[DESIGNS].steps);
        first[DESIGNS] = failed;
        vxe_batch_destroy(batch);
    }
    for (uint32_t i = 0; i <= DESIGNS; i++) {
        vxe_design_destroy(designs[i]);
    }
}

static bool stop_at_once(const vxe_batch_progress *progress, void *user)
{
    (void)progress;
    (void)user;
    return false;
}

/* If a batch is stopped, its remaining robots are reported as not run. */
static void batches_of_bodies_are_stopped(void **state)
{
    (void)state;
    vxe_batch_def def = vxe_batch_def_default();
    vxe_error error;
    def.steps = 1000000;
    def.world.threads = 1;
    vxe_batch *batch = vxe_batch_create(&def, &error);
    vxe_design *designs[20];
    assert_non_null(batch);
    for (uint32_t i = 0; i < 20; i++) {
        designs[i] = small_design(i);
        assert_int_equal(vxe_batch_add(batch, designs[i], &error), VXE_OK);
    }
    assert_int_equal(vxe_batch_run(batch, stop_at_once, NULL, &error), VXE_OK);
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(vxe_batch_result_of(batch, i).status, VXE_ROBOT_WAITING);
        vxe_design_destroy(designs[i]);
    }
    vxe_batch_destroy(batch);
}

/* Many steps in one call fail at the same step as steps taken one by one, also where a later body
 * fails first. */
static void collapses_are_reported_as_step_by_step(void **state)
{
    (void)state;
    char messages[2][sizeof((vxe_error *)0)->message];
    uint64_t hashes[2];
    for (int way = 0; way < 2; way++) {
        const vxe_world_def def = vxe_world_def_default();
        vxe_design *design = collapsing_design();
        const vxe_affine_body other = make_body(IN_VOLUME, 3);
        vxe_affine_body sooner = collapsing_body("1 - 120*t");
        add_body(design, &other);
        add_body(design, &sooner);
        vxe_affine_body_release(&sooner);
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        vxe_status status = VXE_OK;
        for (uint64_t i = 0; i < 2000 && !status; i += way == 0 ? 2000 : 1) {
            status = vxe_world_advance(world, way == 0 ? 2000 : 1, &error);
        }
        assert_int_equal(status, VXE_ERROR_DIVERGED);
        memcpy(messages[way], error.message, sizeof messages[way]);
        hashes[way] = vxe_world_hash(world);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
    assert_string_equal(messages[0], messages[1]);
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_bits_of_bodies_alone),
        cmocka_unit_test(batches_run_bodies_in_lanes),
        cmocka_unit_test(batches_of_bodies_are_stopped),
        cmocka_unit_test(collapses_are_reported_as_step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
