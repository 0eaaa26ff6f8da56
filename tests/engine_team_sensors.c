/* SPDX-License-Identifier: MIT */
/* What is observed of a team's robots are the numbers of their worlds, and networks make targets of
   them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "engine/team.h"
#include "support.h"
#include "teams.h"

enum { MAX_VOXELS = 128 };

/* Where a sensor stands in a row. */
static const float *numbers_of(const vxe_team *team, const float *row, vxe_sensor_kind sensor)
{
    for (uint32_t s = 0; s < (uint32_t)sensor; s++) {
        row += vxe_team_sensor_width(team, (vxe_sensor_kind)s);
    }
    return row;
}

/* What a world answers about its voxels. */
typedef struct answers {
    double place[3 * MAX_VOXELS], moves[3 * MAX_VOXELS], edge[MAX_VOXELS], strain[3 * MAX_VOXELS],
        contact[MAX_VOXELS];
    double floor[MAX_VOXELS];
    uint8_t touched[MAX_VOXELS];
    double center[3], velocity[3];
} answers;

/* The sensors of a group of voxels. */
static void check_group(const vxe_team *team, const vxe_design *design, uint32_t g,
                        const answers *a, const float *row)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "Group");
    double sums[6] = {0};
    double count = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const double in = layer->values[v] == g ? 1 : 0;
        count += in;
        sums[0] += in * a->place[3 * v];
        sums[1] += in * a->edge[v] / design->voxel_size;
        sums[2] += in * a->strain[3 * v + 2];
        sums[3] += in * a->contact[v];
        sums[5] += in * a->moves[3 * v];
        sums[4] += a->floor[v] > 0 || a->touched[v] ? in : 0;
    }
    const double by = count > 0 ? 1 / count : 0;
    check_near("group", (double)numbers_of(team, row, VXE_SENSOR_GROUP_PLACE)[3 * g],
               count > 0 ? by * sums[0] - a->center[0] : 0, 1e-7);
    check_near("velocity", (double)numbers_of(team, row, VXE_SENSOR_GROUP_VELOCITY)[3 * g],
               count > 0 ? by * sums[5] - a->velocity[0] : 0, 1e-6);
    check_near("edge", (double)numbers_of(team, row, VXE_SENSOR_GROUP_EDGE)[g], by * sums[1], 1e-6);
    check_near("strain", (double)numbers_of(team, row, VXE_SENSOR_GROUP_STRAIN)[3 * g + 2],
               by * sums[2], 1e-6);
    check_near("load", (double)numbers_of(team, row, VXE_SENSOR_GROUP_LOAD)[g], sums[3],
               1e-6 * (1 + sums[3]));
    check_near("touch", (double)numbers_of(team, row, VXE_SENSOR_GROUP_TOUCH)[g], by * sums[4],
               1e-6);
}

/* All sensors of a robot against the questions that a world answers. Tolerance: floats of numbers
   of about 1, and sums in another order. */
static void check_row(vxe_team *team, uint32_t robot, const vxe_design *design, const float *row)
{
    static answers a;
    const vxe_world *world = vxe_team_world(team, robot);
    const uint32_t voxels = design->voxel_count;
    const double time = vxe_world_time(world);
    assert_true(voxels <= MAX_VOXELS);
    vxe_world_center_of_mass(world, a.center, a.velocity);
    vxe_world_poses(world, a.place, NULL);
    vxe_world_velocities(world, a.moves, NULL);
    vxe_world_sense(world, &(vxe_sensors){.edge = a.edge,
                                          .strain = a.strain,
                                          .contact = a.contact,
                                          .floor = a.floor,
                                          .touched = a.touched});
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t last = 3 * (voxels - 1) + c;
        check_near("centre", (double)numbers_of(team, row, VXE_SENSOR_CENTER)[c], a.center[c],
                   1e-7);
        check_near("velocity", (double)numbers_of(team, row, VXE_SENSOR_VELOCITY)[c], a.velocity[c],
                   1e-6);
        check_near("voxel", (double)numbers_of(team, row, VXE_SENSOR_VOXEL_PLACE)[last],
                   a.place[last] - a.center[c], 1e-7);
    }
    check_near("clock", (double)numbers_of(team, row, VXE_SENSOR_CLOCK)[0], time, 1e-6);
    check_near("sine of the wave", (double)numbers_of(team, row, VXE_SENSOR_CLOCK)[1],
               sin(2 * PI * time / design->actuation.period), 1e-5);
    check_near("floor below", (double)numbers_of(team, row, VXE_SENSOR_FLOOR_AHEAD)[5],
               design->floor.slope[0] * a.center[0] - a.center[2], 1e-6);
    for (uint32_t g = 0; g < vxe_world_group_count(world); g++) {
        check_group(team, design, g, &a, row);
    }
}

static void observations_are_the_numbers_of_worlds(void **state)
{
    (void)state;
    enum { COUNT = 10 };
    vxe_design *designs[COUNT];
    float targets[COUNT * GROUPS];
    vxe_sensor_kind all[VXE_SENSOR_KINDS];
    vxe_error error = {0};
    uint32_t width = 0;
    make_designs(designs, COUNT);
    for (uint32_t s = 0; s < VXE_SENSOR_KINDS; s++) {
        all[s] = (vxe_sensor_kind)s;
        assert_int_equal(vxe_sensor_find(vxe_sensor_name(all[s])), s);
    }
    assert_int_equal(vxe_sensor_find("nose"), VXE_SENSOR_KINDS);
    for (int schedule = VXE_BATCH_LANES; schedule <= VXE_BATCH_ALONE; schedule++) {
        const vxe_team_def def = team_def((vxe_batch_schedule)schedule, 2);
        vxe_team *team = make_team(designs, COUNT, &def);
        assert_int_equal(vxe_team_observe(team, all, VXE_SENSOR_KINDS, &width, &error), VXE_OK);
        float *seen = vxe_memory_take((uint64_t)COUNT * width, sizeof *seen);
        for (uint32_t tick = 0; tick < 6; tick++) {
            fill_targets(targets, COUNT, GROUPS, tick);
            step_team(team, targets, seen, NULL);
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            check_row(team, i, designs[i], seen + (size_t)i * width);
        }
        vxe_memory_release(seen);
        vxe_team_destroy(team);
    }
    destroy_designs(designs, COUNT);
}

/* Directions, spin and parts of two blocks, one of which is turned by a quarter about x and spins
   freely about it. */
static void parts_are_told_apart(void **state)
{
    (void)state;
    const vxe_material material = standard_material();
    vxe_design *design = block_design(&material, 2, 2, 2);
    const int low[3] = {6, 0, 0};
    const int size[3] = {2, 2, 2};
    const double rate = 3;
    const vxe_sensor_kind wanted[] = {VXE_SENSOR_PART_CENTER, VXE_SENSOR_PART_UP,
                                      VXE_SENSOR_PART_HEADING, VXE_SENSOR_SPIN};
    vxe_error error = {0};
    float seen[21];
    uint32_t width = 0;
    add_block(design, low, size, 0);
    for (uint32_t v = 8; v < 16; v++) {
        const double y = (design->voxels[v].position[1] - 0.5) * EDGE;
        const double z = (design->voxels[v].position[2] - 0.5) * EDGE;
        const double linear[3] = {0, -rate * z, rate * y};
        const double angular[3] = {rate, 0, 0};
        assert_int_equal(vxe_design_set_velocity(design, v, linear, angular, &error), VXE_OK);
    }
    vxe_team_def def = team_def(VXE_BATCH_LANES, 1);
    def.interval = PI / (2 * rate) / 40; /* a quarter of a turn takes 40 ticks */
    vxe_team *team = make_team(&design, 1, &def);
    assert_int_equal(vxe_team_describe_robot(team, 0).parts, 2);
    assert_int_equal(vxe_team_observe(team, wanted, 4, &width, &error), VXE_OK);
    assert_int_equal(width, 21);
    assert_int_equal(vxe_team_run(team, 40, NULL, NULL, NULL, NULL, NULL, &error), VXE_OK);
    step_team(team, NULL, seen, NULL);
    const double angle = PI / 2 * 41 / 40;
    /* the block turns by a little more slowly: its edges are stretched by the spin, a part of
       (rate/w0)^2 = 1e-6; floats have 1e-7 */
    check_near("centre of the second", (double)seen[3], 0.065 + 0.5 * EDGE, 1e-6);
    check_near("z axis of the first", (double)seen[8], 1, 1e-6);
    check_near("z axis of the second, y", (double)seen[10], -sin(angle), 1e-4);
    check_near("z axis of the second, z", (double)seen[11], cos(angle), 1e-4);
    check_near("x axis of the second", (double)seen[15], 1, 1e-6);
    /* orientations of 24 bits are off by 6e-8 rad, which bonds of 1e4 rad/s turn into spins */
    check_near("mean spin", (double)seen[18], 0.5 * rate, by_precision(1e-3, 1e-2));
    vxe_team_destroy(team);
    vxe_design_destroy(design);
}

/* Networks make the targets that the same networks make outside, of the same observations: in lanes
   and alone. Each robot has weights of its own. */
static void networks_make_the_targets(void **state)
{
    (void)state;
    enum { COUNT = 10 };
    static const vxe_sensor_kind sensors[] = {VXE_SENSOR_VELOCITY, VXE_SENSOR_CLOCK,
                                              VXE_SENSOR_GROUP_PLACE};
    vxe_design *designs[COUNT];
    float targets[COUNT * GROUPS];
    static float seen[COUNT * 21];
    static float weights[COUNT * 300];
    vxe_error error = {0};
    uint32_t width = 0;
    uint64_t seed = 5;
    make_designs(designs, COUNT);
    const vxe_team_def defs[2] = {team_def(VXE_BATCH_LANES, 2), team_def(VXE_BATCH_ALONE, 1)};
    vxe_team *teams[2] = {make_team(designs, COUNT, &defs[0]), make_team(designs, COUNT, &defs[1])};
    assert_int_equal(vxe_team_observe(teams[0], sensors, 3, &width, &error), VXE_OK);
    assert_int_equal(vxe_team_observe(teams[1], sensors, 3, NULL, &error), VXE_OK);
    assert_int_equal(width, 21);
    const vxe_network network = {3, {21, 8, GROUPS}, VXE_ACTIVATION_TANH};
    const uint64_t each = vxe_network_weights(&network);
    assert_true(each <= 300);
    for (uint64_t i = 0; i < COUNT * each; i++) {
        weights[i] = (float)random_unit(&seed);
    }
    assert_int_equal(vxe_team_set_network(teams[0], &network, weights, &error), VXE_OK);
    assert_int_equal(vxe_team_reset(teams[1], NULL, NULL, seen, &error), VXE_OK);
    for (uint32_t tick = 0; tick < 12; tick++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            vxe_network_run(&network, weights + i * each, seen + i * width, targets + i * GROUPS);
            for (uint32_t g = 0; g < GROUPS; g++) {
                float *target = &targets[i * GROUPS + g];
                *target = 0.6f + 0.5f * (1.6f - 0.6f) * (*target + 1);
            }
        }
        step_team(teams[0], NULL, NULL, NULL);
        step_team(teams[1], targets, seen, NULL);
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_true(vxe_team_hash(teams[0], i) == vxe_team_hash(teams[1], i));
        }
    }
    const vxe_network narrow = {2, {20, GROUPS}, VXE_ACTIVATION_TANH};
    assert_int_equal(vxe_team_set_network(teams[0], &narrow, weights, &error), VXE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "20 numbers"));
    weights[each + 3] = (float)NAN;
    assert_int_equal(vxe_team_set_network(teams[0], &network, weights, &error), VXE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "robot 1: weight 3"));
    assert_int_equal(vxe_team_set_network(teams[0], NULL, NULL, &error), VXE_OK);
    assert_int_equal(vxe_team_step(teams[0], NULL, NULL, NULL, &error), VXE_ERROR_ARGUMENT);
    vxe_team_destroy(teams[0]);
    vxe_team_destroy(teams[1]);
    destroy_designs(designs, COUNT);
}

/* A policy for all robots: the first numbers of the last row, some of them too large, one none. */
static void copy_some(uint32_t robot, const float *observations, float *outputs, void *user)
{
    (void)user;
    for (uint32_t g = 0; g < GROUPS; g++) {
        outputs[g] = g == 3 ? (float)NAN : 40 * observations[g] + (float)robot / 10 - 1;
    }
}

static void a_policy_makes_the_targets(void **state)
{
    (void)state;
    enum { COUNT = 10 };
    static const vxe_sensor_kind sensors[] = {VXE_SENSOR_VELOCITY, VXE_SENSOR_CLOCK};
    vxe_design *designs[COUNT];
    float targets[COUNT * GROUPS];
    float seen[COUNT * 6];
    vxe_error error = {0};
    make_designs(designs, COUNT);
    const vxe_team_def defs[2] = {team_def(VXE_BATCH_LANES, 2), team_def(VXE_BATCH_ALONE, 1)};
    vxe_team *teams[2] = {make_team(designs, COUNT, &defs[0]), make_team(designs, COUNT, &defs[1])};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(vxe_team_observe(teams[i], sensors, 2, NULL, &error), VXE_OK);
    }
    vxe_team_set_policy(teams[0], copy_some, NULL);
    assert_int_equal(vxe_team_reset(teams[1], NULL, NULL, seen, &error), VXE_OK);
    for (uint32_t tick = 0; tick < 6; tick++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            copy_some(i, seen + 6 * i, targets + GROUPS * i, NULL);
            for (uint32_t g = 0; g < GROUPS; g++) {
                float *target = &targets[GROUPS * i + g];
                const float bounded = fminf(fmaxf(isnan(*target) ? 0 : *target, -1), 1);
                *target = fminf(0.6f + 0.5f * (1.6f - 0.6f) * (bounded + 1), 1.6f);
            }
        }
        step_team(teams[0], NULL, NULL, NULL);
        step_team(teams[1], targets, seen, NULL);
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_true(vxe_team_hash(teams[0], i) == vxe_team_hash(teams[1], i));
        }
    }
    vxe_team_set_policy(teams[0], NULL, NULL);
    assert_int_equal(vxe_team_step(teams[0], NULL, NULL, NULL, &error), VXE_ERROR_ARGUMENT);
    vxe_team_destroy(teams[0]);
    vxe_team_destroy(teams[1]);
    destroy_designs(designs, COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observations_are_the_numbers_of_worlds),
        cmocka_unit_test(parts_are_told_apart),
        cmocka_unit_test(networks_make_the_targets),
        cmocka_unit_test(a_policy_makes_the_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
