/* SPDX-License-Identifier: MIT */
/* A robot of a team has the bits of a world alone that had the same targets: in lanes and alone,
   in any company, with any number of threads and either instruction set, over resets, and beside
   robots that diverge. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/float_internal.h"
#include "common/memory.h"
#include "engine/team.h"
#include "support.h"
#include "teams.h"

/* A world as a robot of a team is one: its step divides the interval, and is planned for the
   largest target. */
static vxe_world *world_like(const vxe_team *team, uint32_t robot, const vxe_design *design,
                             const vxe_team_def *team_def)
{
    const vxe_team_robot facts = vxe_team_describe_robot(team, robot);
    vxe_world_def def = team_def->world;
    vxe_error error = {0};
    def.threads = 1;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = team_def->interval / facts.steps;
    def.damping = facts.damping;
    vxe_world *world = make_world(design, &def);
    for (uint32_t g = 0; g < facts.groups; g++) {
        const double max = vxe_as_float(team_def->max_target);
        assert_int_equal(vxe_world_set_target(world, g, max, &error), VXE_OK);
        assert_int_equal(vxe_world_set_target(world, g, 1, &error), VXE_OK);
    }
    assert_true(vxe_world_describe(world).time_step == facts.time_step);
    return world;
}

/* The hashes of worlds alone behind each tick: (TICKS, ROBOTS). */
static void hash_worlds(vxe_design *const *designs, const vxe_team_def *def, uint64_t *hashes)
{
    vxe_team *team = make_team(designs, ROBOTS, def);
    vxe_error error = {0};
    for (uint32_t i = 0; i < ROBOTS; i++) {
        const vxe_team_robot facts = vxe_team_describe_robot(team, i);
        vxe_world *world = world_like(team, i, designs[i], def);
        bool runs = true; /* some diverge, at targets that jump like these */
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            for (uint32_t g = 0; g < facts.groups && runs; g++) {
                const double target = (double)target_of(i, tick, g);
                assert_int_equal(vxe_world_set_target(world, g, target, &error), VXE_OK);
            }
            runs = runs && !vxe_world_advance(world, facts.steps, &error);
            hashes[tick * ROBOTS + i] = vxe_world_hash(world);
        }
        vxe_world_destroy(world);
    }
    vxe_team_destroy(team);
}

static void robots_have_the_bits_of_worlds_alone(void **state)
{
    (void)state;
    vxe_design *designs[ROBOTS];
    static uint64_t hashes[TICKS * ROBOTS];
    float targets[ROBOTS * GROUPS];
    make_designs(designs, ROBOTS);
    const vxe_team_def plain = team_def(VXE_BATCH_ALONE, 1);
    hash_worlds(designs, &plain, hashes);
    const struct {
        vxe_batch_schedule schedule;
        uint32_t threads;
    } rows[] = {{VXE_BATCH_LANES, 1}, {VXE_BATCH_LANES, 2}, {VXE_BATCH_LANES, 3},
                {VXE_BATCH_LANES, 4}, {VXE_BATCH_AUTO, 2},  {VXE_BATCH_ALONE, 2}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const vxe_team_def def = team_def(rows[row].schedule, rows[row].threads);
        vxe_team *team = make_team(designs, ROBOTS, &def);
        const vxe_team_facts facts = vxe_team_describe(team);
        assert_int_equal(facts.groups, GROUPS);
        assert_int_equal(facts.robots, ROBOTS);
        assert_int_equal(facts.robots_in_lanes, rows[row].schedule == VXE_BATCH_LANES ? ROBOTS
                                                : rows[row].schedule == VXE_BATCH_ALONE
                                                    ? 0
                                                    : facts.robots_in_lanes);
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            fill_targets(targets, ROBOTS, GROUPS, tick);
            step_team(team, targets, NULL, NULL);
            for (uint32_t i = 0; i < ROBOTS; i++) {
                if (vxe_team_hash(team, i) != hashes[tick * ROBOTS + i]) {
                    fail_msg("row %u, robot %u, tick %u", (unsigned)row, i, tick);
                }
            }
        }
        vxe_team_destroy(team);
    }
    destroy_designs(designs, ROBOTS);
}

/* Instruction sets with fused multiply-adds have the same bits. */
static void every_instruction_set_has_the_same_bits(void **state)
{
    (void)state;
    const char *const sets[] = {"x86-64-v3", "x86-64-v4"};
    uint64_t hashes[ROBOTS] = {0};
    vxe_design *designs[ROBOTS];
    float targets[ROBOTS * GROUPS];
    make_designs(designs, ROBOTS);
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        if (!choose_isa(sets[s], test_precision())) {
            continue;
        }
        const vxe_team_def def = team_def(VXE_BATCH_LANES, 2);
        vxe_team *team = make_team(designs, ROBOTS, &def);
        assert_string_equal(vxe_team_describe(team).isa, sets[s]);
        for (uint32_t tick = 0; tick < 8; tick++) {
            fill_targets(targets, ROBOTS, GROUPS, tick);
            step_team(team, targets, NULL, NULL);
        }
        for (uint32_t i = 0; i < ROBOTS; i++) {
            assert_true(hashes[i] == 0 || hashes[i] == vxe_team_hash(team, i));
            hashes[i] = vxe_team_hash(team, i);
        }
        vxe_team_destroy(team);
    }
    choose_isa_of_before();
    destroy_designs(designs, ROBOTS);
}

/* Robots that are reset go on from their starts, at other times than their neighbours; where a
   start is moved, turned and pushed, lanes and single robots still agree. */
static void resets_keep_the_bits(void **state)
{
    (void)state;
    vxe_design *designs[ROBOTS];
    float targets[ROBOTS * GROUPS];
    vxe_team_start starts[ROBOTS];
    make_designs(designs, ROBOTS);
    const vxe_team_def defs[2] = {team_def(VXE_BATCH_LANES, 2), team_def(VXE_BATCH_ALONE, 1)};
    vxe_team *teams[2] = {make_team(designs, ROBOTS, &defs[0]),
                          make_team(designs, ROBOTS, &defs[1])};
    vxe_error error = {0};
    uint64_t first[ROBOTS];
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        uint8_t which[ROBOTS];
        for (uint32_t i = 0; i < ROBOTS; i++) {
            const double small = 1e-3 * (i + tick);
            which[i] = tick > 0 && (tick + i) % 7 == 0;
            starts[i] = (vxe_team_start){
                {small, -small, small}, {0.1 * small, 0, 2 * small}, {0, 0.5 * small, small}};
        }
        fill_targets(targets, ROBOTS, GROUPS, tick);
        for (int t = 0; t < 2; t++) {
            assert_int_equal(
                vxe_team_reset(teams[t], which, tick % 2 ? starts : NULL, NULL, &error), VXE_OK);
            step_team(teams[t], targets, NULL, NULL);
        }
        for (uint32_t i = 0; i < ROBOTS; i++) {
            assert_true(vxe_team_hash(teams[0], i) == vxe_team_hash(teams[1], i));
            first[i] = tick == 0 ? vxe_team_hash(teams[0], i) : first[i];
        }
    }
    fill_targets(targets, ROBOTS, GROUPS, 0);
    assert_int_equal(vxe_team_reset(teams[0], NULL, NULL, NULL, &error), VXE_OK);
    step_team(teams[0], targets, NULL, NULL);
    for (uint32_t i = 0; i < ROBOTS; i++) {
        assert_true(vxe_team_hash(teams[0], i) == first[i]);
    }
    vxe_team_destroy(teams[0]);
    vxe_team_destroy(teams[1]);
    destroy_designs(designs, ROBOTS);
}

/* A robot that diverges stops at the step at which it does alone, says so, and leaves the others
   their bits; a reset lets it run again. Its row of observations stays. */
static void one_that_diverges_stands_still(void **state)
{
    (void)state;
    enum { COUNT = FRAIL + 1, DOOMED = 6 };
    const double fast[3] = {0, 0, 2000}; /* m/s of one voxel: its bonds break at once */
    vxe_design *designs[COUNT];
    float targets[COUNT * GROUPS];
    float seen[COUNT * 3];
    float last[3] = {0};
    uint8_t status[2][COUNT];
    make_designs(designs, COUNT);
    assert_int_equal(vxe_design_set_velocity(designs[DOOMED], 0, fast, NULL, NULL), VXE_OK);
    const vxe_team_def defs[2] = {team_def(VXE_BATCH_LANES, 1), team_def(VXE_BATCH_ALONE, 1)};
    vxe_team *teams[2] = {make_team(designs, COUNT, &defs[0]), make_team(designs, COUNT, &defs[1])};
    const vxe_sensor_kind center = VXE_SENSOR_CENTER;
    vxe_error error = {0};
    uint32_t width = 0;
    bool stood = false;
    assert_int_equal(vxe_team_observe(teams[0], &center, 1, &width, &error), VXE_OK);
    assert_int_equal(width, 3);
    assert_int_equal(vxe_team_reset(teams[0], NULL, NULL, seen, &error), VXE_OK);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        fill_targets(targets, COUNT, GROUPS, tick);
        if (stood) {
            targets[FRAIL * GROUPS] = (float)NAN; /* not read any more */
        }
        memcpy(last, seen + 3 * FRAIL, sizeof last);
        step_team(teams[0], targets, seen, status[0]);
        step_team(teams[1], targets, NULL, status[1]);
        assert_memory_equal(status[0], status[1], COUNT);
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_true(vxe_team_hash(teams[0], i) == vxe_team_hash(teams[1], i));
        }
        assert_int_equal(status[0][DOOMED], VXE_TEAM_DIVERGED);
        assert_int_equal(status[0][0], VXE_TEAM_RUNS);
        if (status[0][FRAIL] != VXE_TEAM_RUNS) {
            assert_memory_equal(last, seen + 3 * FRAIL, sizeof last);
            stood = true;
        }
    }
    assert_true(stood);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_string_equal(vxe_team_message(teams[0], i), vxe_team_message(teams[1], i));
    }
    assert_non_null(strstr(vxe_team_message(teams[0], DOOMED), "diverged at step"));
    assert_string_equal(vxe_team_message(teams[0], 0), "");
    assert_int_equal(vxe_team_reset(teams[0], NULL, NULL, seen, &error), VXE_OK);
    fill_targets(targets, COUNT, GROUPS, 0);
    step_team(teams[0], targets, seen, status[0]);
    assert_int_equal(status[0][FRAIL], VXE_TEAM_RUNS);
    vxe_team_destroy(teams[0]);
    vxe_team_destroy(teams[1]);
    destroy_designs(designs, COUNT);
}

/* Settling is a run at targets of 1, of whole ticks; resets lead behind it. */
static void settled_robots_begin_where_worlds_are(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    vxe_design *designs[COUNT];
    make_designs(designs, COUNT);
    vxe_team_def def = team_def(VXE_BATCH_LANES, 1);
    def.settle = 0.01; /* three ticks, rounded up */
    vxe_team *team = make_team(designs, COUNT, &def);
    for (uint32_t i = 0; i < COUNT; i++) {
        vxe_world *world = world_like(team, i, designs[i], &def);
        vxe_error error = {0};
        const uint64_t steps = 3 * vxe_team_describe_robot(team, i).steps;
        assert_int_equal(vxe_world_advance(world, steps, &error), VXE_OK);
        if (vxe_world_hash(world) != vxe_team_hash(team, i)) {
            fail_msg("robot %u", i);
        }
        vxe_world_destroy(world);
    }
    vxe_team_destroy(team);
    destroy_designs(designs, COUNT);
}

/* Saved states go on as they would have, in the same team and in another one of the same designs.
   Bytes of another team, and damaged ones, are refused. */
static void saved_states_go_on(void **state)
{
    (void)state;
    vxe_design *designs[ROBOTS];
    float targets[ROBOTS * GROUPS];
    uint64_t hashes[ROBOTS];
    vxe_error error = {0};
    make_designs(designs, ROBOTS);
    const vxe_team_def def = team_def(VXE_BATCH_LANES, 2);
    vxe_team *team = make_team(designs, ROBOTS, &def);
    vxe_team *other = make_team(designs, ROBOTS, &def);
    vxe_team *fewer = make_team(designs, ROBOTS - 1, &def);
    const uint64_t bytes = vxe_team_saved_bytes(team);
    uint8_t *saved = vxe_memory_take(bytes, 1);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        fill_targets(targets, ROBOTS, GROUPS, tick);
        step_team(team, targets, NULL, NULL);
        if (tick == TICKS / 2) {
            vxe_team_save(team, saved);
        }
    }
    for (uint32_t i = 0; i < ROBOTS; i++) {
        hashes[i] = vxe_team_hash(team, i);
    }
    for (int t = 0; t < 2; t++) {
        vxe_team *again = t == 0 ? team : other;
        assert_int_equal(vxe_team_load(again, saved, bytes, &error), VXE_OK);
        for (uint32_t tick = TICKS / 2 + 1; tick < TICKS; tick++) {
            fill_targets(targets, ROBOTS, GROUPS, tick);
            step_team(again, targets, NULL, NULL);
        }
        for (uint32_t i = 0; i < ROBOTS; i++) {
            if (vxe_team_hash(again, i) != hashes[i]) {
                fail_msg("team %d, robot %u %s", t, i, vxe_team_message(again, i));
            }
        }
    }
    assert_int_equal(vxe_team_load(fewer, saved, bytes, &error), VXE_ERROR_INPUT);
    assert_int_equal(vxe_team_load(team, saved, bytes - 8, &error), VXE_ERROR_INPUT);
    assert_int_equal(vxe_team_load(team, saved, 3, &error), VXE_ERROR_INPUT);
    saved[bytes / 2] ^= 1;
    assert_int_equal(vxe_team_load(team, saved, bytes, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "damaged"));
    vxe_memory_release(saved);
    vxe_team_destroy(team);
    vxe_team_destroy(other);
    vxe_team_destroy(fewer);
    destroy_designs(designs, ROBOTS);
}

/* Ticks in one call are those of single calls, with all observations; a watcher ends them. */
static bool only_five(uint32_t ticks, void *user)
{
    (void)user;
    return ticks < 5;
}

static void runs_are_ticks(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    vxe_design *designs[COUNT];
    static float targets[TICKS * COUNT * GROUPS];
    static float seen[2][TICKS * COUNT * 3];
    vxe_error error = {0};
    const vxe_sensor_kind velocity = VXE_SENSOR_VELOCITY;
    make_designs(designs, COUNT);
    const vxe_team_def def = team_def(VXE_BATCH_LANES, 1);
    vxe_team *teams[2] = {make_team(designs, COUNT, &def), make_team(designs, COUNT, &def)};
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        fill_targets(targets + tick * COUNT * GROUPS, COUNT, GROUPS, tick);
    }
    for (int t = 0; t < 2; t++) {
        assert_int_equal(vxe_team_observe(teams[t], &velocity, 1, NULL, &error), VXE_OK);
    }
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        step_team(teams[0], targets + tick * COUNT * GROUPS, seen[0] + tick * COUNT * 3, NULL);
    }
    assert_int_equal(vxe_team_run(teams[1], TICKS, targets, seen[1], NULL, NULL, NULL, &error),
                     VXE_OK);
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    assert_int_equal(vxe_team_reset(teams[1], NULL, NULL, NULL, &error), VXE_OK);
    assert_int_equal(vxe_team_run(teams[1], TICKS, targets, NULL, NULL, only_five, NULL, &error),
                     VXE_OK);
    const vxe_team_robot facts = vxe_team_describe_robot(teams[1], 0);
    assert_int_equal(vxe_world_steps(vxe_team_world(teams[1], 0)), 5 * facts.steps);
    vxe_team_destroy(teams[0]);
    vxe_team_destroy(teams[1]);
    destroy_designs(designs, COUNT);
}

static void check_not_made(const vxe_team_def *def, vxe_design *const *designs, uint32_t count,
                           const char *says)
{
    vxe_error error = {0};
    assert_null(vxe_team_create((const vxe_design *const *)designs, count, def, &error));
    if (!strstr(error.message, says)) {
        fail_msg("'%s' does not say '%s'", error.message, says);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    vxe_design *designs[3];
    make_designs(designs, 3);
    vxe_team_def def = team_def(VXE_BATCH_AUTO, 1);
    vxe_error error = {0};
    def.cookie = 0;
    check_not_made(&def, designs, 3, "vxe_team_def_default");
    def = team_def(VXE_BATCH_AUTO, 1);
    check_not_made(&def, designs, 0, "at least one robot");
    def.interval = 0;
    check_not_made(&def, designs, 3, "interval");
    def = team_def(VXE_BATCH_AUTO, 1);
    def.min_target = 1.2;
    check_not_made(&def, designs, 3, "targets");
    def = team_def(VXE_BATCH_AUTO, 1);
    def.settle = -1;
    check_not_made(&def, designs, 3, "settles");
    def = team_def(VXE_BATCH_AUTO, 1);
    def.max_target = 9.99; /* times what actuation adds */
    check_not_made(&def, designs, 3, "robot 0: target 9.99");
    def = team_def(VXE_BATCH_AUTO, 1);
    def.world.audit = true;
    check_not_made(&def, designs, 3, "audit");
    def = team_def((vxe_batch_schedule)7, 1);
    check_not_made(&def, designs, 3, "schedule");
    def = team_def(VXE_BATCH_AUTO, 1);
    def.interval = 1e5;
    check_not_made(&def, designs, 3, "more than");
    vxe_design *empty = vxe_design_create();
    vxe_design *mixed[2] = {designs[0], empty};
    def = team_def(VXE_BATCH_AUTO, 1);
    check_not_made(&def, mixed, 2, "robot 1");
    vxe_design_destroy(empty);

    vxe_team *team = make_team(designs, 3, &def);
    float targets[3 * GROUPS];
    const uint32_t groups = vxe_team_describe(team).groups;
    const uint64_t hash = vxe_team_hash(team, 0);
    const float wrong[] = {(float)NAN, 0.5f, 1.7f, (float)INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fill_targets(targets, 3, groups, 0);
        targets[2 * groups] = wrong[i];
        assert_int_equal(vxe_team_step(team, targets, NULL, NULL, &error), VXE_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "robot 2, group 0"));
    }
    assert_int_equal(vxe_team_step(team, NULL, NULL, NULL, &error), VXE_ERROR_ARGUMENT);
    vxe_team_start starts[3] = {{.turn = {0}}};
    starts[1].turn[0] = 2;
    assert_int_equal(vxe_team_reset(team, NULL, starts, NULL, &error), VXE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "robot 1"));
    assert_true(vxe_team_hash(team, 0) == hash);
    const vxe_sensor_kind nose = VXE_SENSOR_KINDS;
    assert_int_equal(vxe_team_observe(team, &nose, 1, NULL, &error), VXE_ERROR_ARGUMENT);
    vxe_team_destroy(team);
    destroy_designs(designs, 3);
}

/* Ticks and observations take no memory, whatever is observed. */
static void a_tick_takes_no_memory(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    vxe_design *designs[COUNT];
    float targets[COUNT * GROUPS];
    vxe_sensor_kind all[VXE_SENSOR_KINDS];
    vxe_error error = {0};
    memory_count count;
    count_memory(&count);
    make_designs(designs, COUNT);
    for (uint32_t s = 0; s < VXE_SENSOR_KINDS; s++) {
        all[s] = (vxe_sensor_kind)s;
    }
    const vxe_team_def def = team_def(VXE_BATCH_LANES, 1);
    vxe_team *team = make_team(designs, COUNT, &def);
    assert_int_equal(vxe_team_observe(team, all, VXE_SENSOR_KINDS, NULL, &error), VXE_OK);
    fill_targets(targets, COUNT, GROUPS, 0);
    step_team(team, targets, NULL, NULL);
    const uint64_t before = count.taken;
    for (uint32_t tick = 1; tick < 20; tick++) {
        fill_targets(targets, COUNT, GROUPS, tick);
        step_team(team, targets, NULL, NULL);
    }
    assert_true(count.taken == before);
    vxe_team_destroy(team);
    destroy_designs(designs, COUNT);
    vxe_memory_use(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_have_the_bits_of_worlds_alone),
        cmocka_unit_test(every_instruction_set_has_the_same_bits),
        cmocka_unit_test(resets_keep_the_bits),
        cmocka_unit_test(one_that_diverges_stands_still),
        cmocka_unit_test(settled_robots_begin_where_worlds_are),
        cmocka_unit_test(saved_states_go_on),
        cmocka_unit_test(runs_are_ticks),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_tick_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
