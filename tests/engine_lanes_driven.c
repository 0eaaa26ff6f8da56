/* SPDX-License-Identifier: MIT */
/* Boundary conditions in lanes: robots that are moved or turned as prescribed, held along single
   directions, or loaded have the bits of worlds alone beside robots that are not, in batches and in
   teams, whatever the floor, the damping, the threads and the instruction set; and their energy
   guards find what those of worlds do. */
#include <math.h>
#include <string.h>

#include "engine/batch.h"
#include "engine/lanes/lanes.h"
#include "engine/team.h"
#include "engine/world/world_data.h"
#include "support.h"
#include "teams.h"

/* Adds a condition to the voxels of the plane coordinate[axis] == 0. */
static void bind_plane(vxe_design *design, int axis, vxe_region condition)
{
    uint32_t voxels[200];
    uint32_t count = 0;
    for (uint32_t v = 0; v < design->voxel_count && count < 200; v++) {
        if (design->voxels[v].position[axis] == 0) {
            voxels[count++] = v;
        }
    }
    condition.shape = VXE_REGION_VOXELS;
    condition.voxels = voxels;
    condition.voxel_count = count;
    assert_int_equal(vxe_design_add_region(design, &condition, NULL), VXE_OK);
}

/* Kinds of conditions that robots have by turns: none; moved and turned with a table; moved without
   one, at once; held along single directions; loaded; all of it, in regions that overlap. */
enum { UNBOUND, MOVED, TURNED, AT_ONCE, HELD, LOADED, ALL, KINDS };

static void bind_robot(vxe_design *design, uint32_t kind)
{
    double table[] = {0.002, 0, 0.012, 1, 0.02, -0.6, 0.03, 0.9, 0.04, 0};
    const vxe_region moved = {.fixed = VXE_FIX_ALL,
                              .displacement = {2e-3, -5e-4, -1e-3},
                              .table = table,
                              .table_count = 5};
    vxe_region turned = moved;
    turned.rotation[0] = -0.1;
    turned.rotation[1] = 0.3;
    const vxe_region at_once = {.fixed = VXE_FIX_X | VXE_FIX_Z | VXE_FIX_RY,
                                .displacement = {2e-5, 0, 1e-5},
                                .rotation = {0, -2e-3, 0}};
    const vxe_region upright = {.fixed = VXE_FIX_X | VXE_FIX_RY};
    const vxe_region level = {.fixed = VXE_FIX_Z};
    const vxe_region loaded = {.force = {0.03, -0.02, 0.05}, .moment = {1e-5, 2e-5, -1e-5}};
    vxe_region lifted = {.fixed = VXE_FIX_Z, .displacement = {0, 0, 1e-3}, .table = table};
    lifted.table_count = 3;
    if (kind == MOVED || kind == TURNED) {
        bind_plane(design, 0, kind == MOVED ? moved : turned);
    } else if (kind == AT_ONCE) {
        bind_plane(design, 0, at_once);
    } else if (kind == HELD) {
        bind_plane(design, 0, upright);
        bind_plane(design, 1, level);
    } else if (kind == LOADED) {
        bind_plane(design, 0, loaded);
    } else if (kind == ALL) {
        bind_plane(design, 2, loaded);
        bind_plane(design, 1, lifted);
        bind_plane(design, 0, turned);
        bind_plane(design, 1, upright);
    }
}

/* A robot of a team, bound; some are in a fluid. */
static vxe_design *bound_robot(uint32_t number)
{
    vxe_design *design = team_robot(number);
    bind_robot(design, (number + number / KINDS) % KINDS);
    if (number % 5 == 4) {
        design->fluid = (vxe_fluid){
            .enabled = true, .density = 1000, .drag_coefficient = 1.2, .buoyancy = true};
    }
    design->stop.duration = 0.02 + 0.002 * (number % 11);
    return design;
}

static void make_bound(vxe_design **designs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        designs[i] = bound_robot(i);
    }
}

static vxe_batch *make_batch(vxe_design *const *designs, uint32_t count, const vxe_batch_def *def)
{
    vxe_error error = {0};
    vxe_batch *batch = vxe_batch_create(def, &error);
    if (!batch) {
        fail_msg("%s", error.message);
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(vxe_batch_add(batch, designs[i], &error), VXE_OK);
    }
    if (vxe_batch_run(batch, NULL, NULL, &error)) {
        fail_msg("%s", error.message);
    }
    return batch;
}

/* The robot has ended as a world alone does. */
static void check_as_alone(const vxe_batch *batch, uint32_t robot, const vxe_design *design,
                           const vxe_world_def *choices)
{
    const vxe_batch_result result = vxe_batch_result_of(batch, robot);
    vxe_world_def def = *choices;
    vxe_error error = {0};
    def.threads = 1;
    vxe_world *world = make_world(design, &def);
    const vxe_status status = vxe_world_advance(world, result.steps, &error);
    assert_string_equal(result.message, status ? error.message : "");
    if (vxe_world_hash(world) != result.hash && !status) {
        fail_msg("robot %u", robot);
    }
    vxe_world_destroy(world);
}

static void bound_robots_have_the_bits_of_worlds_alone(void **state)
{
    (void)state;
    const struct {
        vxe_damping_scheme damping;
        uint32_t threads;
        vxe_batch_schedule schedule;
    } rows[] = {{VXE_DAMPING_SWEEP, 1, VXE_BATCH_LANES},
                {VXE_DAMPING_EXPLICIT, 3, VXE_BATCH_LANES},
                {VXE_DAMPING_AUTO, 2, VXE_BATCH_LANES},
                {VXE_DAMPING_AUTO, 2, VXE_BATCH_AUTO}};
    vxe_design *designs[ROBOTS];
    make_bound(designs, ROBOTS);
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        vxe_batch_def def = vxe_batch_def_default();
        def.world.precision = test_precision();
        def.world.damping = rows[row].damping;
        def.world.threads = rows[row].threads;
        def.schedule = rows[row].schedule;
        vxe_batch *batch = make_batch(designs, ROBOTS, &def);
        for (uint32_t i = 0; i < ROBOTS; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            assert_int_equal(result.status, VXE_ROBOT_DONE);
            assert_true(result.in_lanes || rows[row].schedule == VXE_BATCH_AUTO);
            check_as_alone(batch, i, designs[i], &def.world);
        }
        vxe_batch_destroy(batch);
    }
    destroy_designs(designs, ROBOTS);
}

static void every_instruction_set_has_the_same_bits(void **state)
{
    (void)state;
    const char *const sets[] = {"x86-64-v3", "x86-64-v4"};
    uint64_t hashes[ROBOTS] = {0};
    vxe_design *designs[ROBOTS];
    make_bound(designs, ROBOTS);
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        if (!choose_isa(sets[s], test_precision())) {
            continue;
        }
        vxe_batch_def def = vxe_batch_def_default();
        def.world.precision = test_precision();
        def.schedule = VXE_BATCH_LANES;
        vxe_batch *batch = make_batch(designs, ROBOTS, &def);
        assert_string_equal(vxe_batch_describe(batch).isa, sets[s]);
        for (uint32_t i = 0; i < ROBOTS; i++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, i);
            assert_true(result.in_lanes);
            assert_true(hashes[i] == 0 || hashes[i] == result.hash);
            hashes[i] = result.hash;
        }
        vxe_batch_destroy(batch);
    }
    choose_isa_of_before();
    destroy_designs(designs, ROBOTS);
}

/* Lanes that robots leave are given to others, whose conditions are of other voxels. */
static void lanes_are_filled_again(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    vxe_design *designs[COUNT];
    vxe_material m = standard_material();
    m.bond_damping = 0.3;
    for (uint32_t i = 0; i < COUNT; i++) {
        designs[i] = block_design(&m, 3, 2 + i % 2, 2);
        bind_robot(designs[i], i % 11 % KINDS);
        designs[i]->stop.duration = 0.005 + 0.001 * (i * 7 % 23);
    }
    vxe_batch_def def = vxe_batch_def_default();
    def.world.precision = test_precision();
    def.world.threads = 1;
    def.schedule = VXE_BATCH_LANES;
    vxe_batch *batch = make_batch(designs, COUNT, &def);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(vxe_batch_result_of(batch, i).in_lanes);
        check_as_alone(batch, i, designs[i], &def.world);
    }
    vxe_batch_destroy(batch);
    destroy_designs(designs, COUNT);
}

/* What is prescribed happens: robots in lanes end where the table says. */
static void motion_ends_where_it_is_prescribed(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    const double ways[COUNT] = {0, 3e-3, -2e-3};
    double table[] = {0, 0, 0.01, 1};
    vxe_design *designs[COUNT];
    vxe_material m = standard_material();
    m.bond_damping = 1;
    for (int i = 0; i < COUNT; i++) {
        designs[i] = block_design(&m, 1, 2, 1);
        const vxe_region moved = {
            .fixed = VXE_FIX_ALL, .displacement = {ways[i]}, .table = table, .table_count = 2};
        bind_plane(designs[i], 0, moved);
        designs[i]->stop.duration = 0.011;
    }
    vxe_batch_def def = vxe_batch_def_default();
    def.world.precision = test_precision();
    def.schedule = VXE_BATCH_LANES;
    vxe_batch *batch = make_batch(designs, COUNT, &def);
    for (uint32_t i = 0; i < COUNT; i++) {
        const vxe_batch_result result = vxe_batch_result_of(batch, i);
        assert_true(result.in_lanes);
        check_near("way, m", result.center[0] - result.start_center[0], ways[i], 1e-9);
    }
    vxe_batch_destroy(batch);
    destroy_designs(designs, COUNT);
}

/* Robots of a team that are reset begin their motion anew, at other times than their neighbours. */
static void teams_keep_the_bits_over_resets(void **state)
{
    (void)state;
    vxe_design *designs[ROBOTS];
    float targets[ROBOTS * GROUPS];
    make_bound(designs, ROBOTS);
    const vxe_team_def defs[2] = {team_def(VXE_BATCH_LANES, 2), team_def(VXE_BATCH_ALONE, 1)};
    vxe_team *teams[2] = {make_team(designs, ROBOTS, &defs[0]),
                          make_team(designs, ROBOTS, &defs[1])};
    vxe_error error = {0};
    assert_int_equal(vxe_team_describe(teams[0]).robots_in_lanes, ROBOTS);
    assert_int_equal(vxe_team_describe(teams[1]).robots_in_lanes, 0);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        uint8_t which[ROBOTS];
        uint8_t status[2][ROBOTS];
        for (uint32_t i = 0; i < ROBOTS; i++) {
            which[i] = tick > 0 && (tick + i) % 5 == 0;
        }
        fill_targets(targets, ROBOTS, GROUPS, tick);
        for (int t = 0; t < 2; t++) {
            assert_int_equal(vxe_team_reset(teams[t], which, NULL, NULL, &error), VXE_OK);
            step_team(teams[t], targets, NULL, status[t]);
        }
        assert_memory_equal(status[0], status[1], ROBOTS);
        for (uint32_t i = 0; i < ROBOTS; i++) {
            if (vxe_team_hash(teams[0], i) != vxe_team_hash(teams[1], i)) {
                fail_msg("robot %u, tick %u", i, tick);
            }
        }
    }
    vxe_team_destroy(teams[0]);
    vxe_team_destroy(teams[1]);
    destroy_designs(designs, ROBOTS);
}

/* One that its prescribed motion tears apart does so at the step and place of a world alone, and
   leaves the others their bits. */
static void one_that_is_torn_apart_leaves_the_others_alone(void **state)
{
    (void)state;
    enum { TORN = 4 };
    vxe_design *designs[ROBOTS];
    double table[] = {0, 0, 0.008, 0, 0.0081, 1};
    make_bound(designs, ROBOTS);
    vxe_design_destroy(designs[TORN]);
    designs[TORN] = team_robot(TORN);
    const vxe_region away = {
        .fixed = VXE_FIX_ALL, .displacement = {-0.5}, .table = table, .table_count = 3};
    bind_plane(designs[TORN], 0, away);
    designs[TORN]->stop.duration = 0.03;
    vxe_batch_def def = vxe_batch_def_default();
    def.world.precision = test_precision();
    def.schedule = VXE_BATCH_LANES;
    vxe_batch *batch = make_batch(designs, ROBOTS, &def);
    for (uint32_t i = 0; i < ROBOTS; i++) {
        const vxe_batch_result result = vxe_batch_result_of(batch, i);
        assert_int_equal(result.status, i == TORN ? VXE_ROBOT_DIVERGED : VXE_ROBOT_DONE);
        assert_true(result.in_lanes);
        check_as_alone(batch, i, designs[i], &def.world);
    }
    print_message("  %s\n", vxe_batch_result_of(batch, TORN).message);
    vxe_batch_destroy(batch);
    destroy_designs(designs, ROBOTS);
}

/* What a look at a robot has found is what a world's look finds, to the last bit. */
static void check_look(const vxe_energy_guard *guard, const vxe_energy_guard *alone, uint32_t robot)
{
    const vxe_guard_look *one = &guard->before;
    const vxe_guard_look *two = &alone->before;
    assert_true(guard->based && one->step == two->step);
    for (int form = 0; form < VXE_GUARD_FORMS; form++) {
        assert_true(!isless(one->energy[form], two->energy[form]) &&
                    !isgreater(one->energy[form], two->energy[form]));
    }
    const double numbers[][2] = {{one->put_in, two->put_in},   {one->uncertain, two->uncertain},
                                 {one->forcing, two->forcing}, {guard->given, alone->given},
                                 {guard->base, alone->base},   {guard->scale, alone->scale}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (isless(numbers[i][0], numbers[i][1]) || isgreater(numbers[i][0], numbers[i][1])) {
            fail_msg("robot %u, number %zu: %.17g, alone %.17g", robot, i, numbers[i][0],
                     numbers[i][1]);
        }
    }
}

/* Runs a robot in a lane, with looks on the way, and a world alone: their guards know the same. */
static void compare_looks(const vxe_design *design, uint32_t robot)
{
    vxe_world_def def = vxe_world_def_default();
    def.precision = test_precision();
    vxe_world *world = make_world(design, &def);
    vxe_simulation simulation = {.design = design};
    vxe_energy_guard guard = {0};
    vxe_robot in_lane = {.simulation = &simulation, .guard = &guard};
    vxe_robot *robots[1] = {&in_lane};
    vxe_messages warnings = {0};
    vxe_lanes lanes;
    vxe_error error = {0};
    uint64_t done = 0;
    assert_int_equal(vxe_model_init(&simulation.model, design, &def, &warnings, &error), VXE_OK);
    assert_int_equal(vxe_simulation_start(&simulation, &def, &error), VXE_OK);
    assert_int_equal(vxe_energy_guard_init(&guard, &simulation.model, &error), VXE_OK);
    assert_int_equal(vxe_lanes_init(&lanes, simulation.model.kernels, &error), VXE_OK);
    assert_int_equal(vxe_lanes_load(&lanes, robots, 1, &error), VXE_OK);
    for (uint64_t to = VXE_GUARD_FIRST; to <= VXE_GUARD_STEPS; to *= 2) { /* the steps of looks */
        const uint64_t steps = to + 1 - simulation.state.step;
        assert_int_equal(vxe_lanes_guarded_run(&lanes, steps, &done, &error), VXE_OK);
        assert_int_equal(vxe_world_advance(world, steps, &error), VXE_OK);
        assert_int_equal(done, steps);
        assert_int_equal(guard.before.step, to);
        check_look(&guard, &world->guard, robot);
    }
    vxe_lanes_clear(&lanes);
    vxe_robot_stop_looking(&in_lane);
    vxe_energy_guard_clear(&guard);
    vxe_simulation_clear(&simulation);
    vxe_messages_clear(&warnings);
    vxe_world_destroy(world);
}

/* A bar and another magnet; an end of the bar is moved, in a field that changes; dipoles act in
 * every third step. */
static vxe_design *moved_magnets(void)
{
    vxe_material m = standard_material();
    m.magnetization[0] = 2e4;
    m.bond_damping = 1;
    vxe_design *design = block_design(&m, 2, 1, 1);
    assert_int_equal(vxe_design_add_voxel(design, 4, 0, 0, 0, NULL), VXE_OK);
    bind_robot(design, MOVED);
    design->magnetics = (vxe_magnetics){.enabled = true, .dipole_soften = 0.005, .every = 3};
    set_formula(design, VXE_FORMULA_FIELD_X, "0.01*sin(100*t)");
    return design;
}

static void guards_see_what_they_see_alone(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= ROBOTS; i++) {
        vxe_design *design = i < ROBOTS ? bound_robot(i) : moved_magnets();
        compare_looks(design, i);
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_robots_have_the_bits_of_worlds_alone),
        cmocka_unit_test(every_instruction_set_has_the_same_bits),
        cmocka_unit_test(lanes_are_filled_again),
        cmocka_unit_test(motion_ends_where_it_is_prescribed),
        cmocka_unit_test(teams_keep_the_bits_over_resets),
        cmocka_unit_test(one_that_is_torn_apart_leaves_the_others_alone),
        cmocka_unit_test(guards_see_what_they_see_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
