/* SPDX-License-Identifier: MIT */
/* Teams of random robots, for the tests of teams. */
#include "teams.h"

#include <math.h>
#include <stdlib.h>

#include "support.h"

/* s: short, for the time that tests take; a robot makes some tens of steps in it. */
#define TICK (1.0 / 240)

/* Holds the voxels at x = 0. */
static void hold_end(vxe_design *design, uint32_t fixed)
{
    vxe_region region = {.shape = VXE_REGION_BOX,
                         .low = {-1, -1, -1},
                         .high = {0.2 * design->voxel_size, 1, 1},
                         .fixed = fixed};
    assert_int_equal(vxe_design_add_region(design, &region, NULL), VXE_OK);
}

/* A wall that does not move, one cell behind the robot, which collides with it. */
static void add_wall(vxe_design *design, int length)
{
    const double at = (length + 0.7) * design->voxel_size;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(vxe_design_add_voxel(design, length + 1, i % 3, i / 3, 0, NULL), VXE_OK);
    }
    vxe_region region = {
        .shape = VXE_REGION_BOX, .low = {at, -1, -1}, .high = {1, 1, 1}, .fixed = VXE_FIX_ALL};
    assert_int_equal(vxe_design_add_region(design, &region, NULL), VXE_OK);
    design->self_collision = true;
}

/* A robot of about two thirds of a box, with groups of voxels by columns: of several sizes, steps,
   laws and floors. One in nine has no groups; its edges follow a wave. */
vxe_design *team_robot(uint32_t number)
{
    uint64_t seed = 77 + number;
    const int size[3] = {3 + (int)(number % 3), 2 + (int)(number % 4), 2 + (int)(number % 2)};
    vxe_design *design = vxe_design_create();
    for (int i = 0; i < 3; i++) {
        vxe_material m = vxe_material_default();
        m.youngs_modulus *= 1 + 0.3 * i + (number % 6 == 5 ? 20 : 0);
        m.bond_damping = number % 5 == 0 ? 0.05 : 0.3;
        m.global_damping = number % 7 == 0 ? 0.01 : 0;
        m.poissons_ratio = number % 8 == 3 ? 0.3 : 0;
        m.thermal_expansion = i == 2 ? 0.01 : 0;
        assert_int_equal(vxe_design_add_material(design, &m, NULL, NULL), VXE_OK);
    }
    for (int i = 0; i < size[0] * size[1] * size[2]; i++) {
        const int at[3] = {i % size[0], i / size[0] % size[1], i / (size[0] * size[1])};
        if (at[2] == 0 || random_unit(&seed) > -0.4) {
            const uint16_t material = (uint16_t)(fabs(random_unit(&seed)) * 2.99);
            assert_int_equal(vxe_design_add_voxel(design, at[0], at[1], at[2], material, NULL),
                             VXE_OK);
        }
    }
    design->self_collision = number % 4 == 1;
    design->actuation = (vxe_actuation){
        .enabled = true, .base = 25, .amplitude = number % 9 == 8 ? 12 : 5, .period = 0.2};
    if (number % 4 == 2) {
        design->floor.slope[0] = 0.05;
    }
    if (number % 6 == 4) {
        hold_end(design, number % 12 == 4 ? VXE_FIX_ALL : VXE_FIX_X | VXE_FIX_Y | VXE_FIX_Z);
    }
    if (number % 6 == 1) {
        add_wall(design, size[0]);
    }
    vxe_layer *layer = number % 9 == 8 ? NULL : vxe_design_layer(design, "Group", 1);
    for (uint32_t v = 0; v < design->voxel_count && layer; v++) {
        layer->values[v] = (design->voxels[v].position[0] + (int)(number % 3)) % GROUPS;
    }
    return design;
}

void make_designs(vxe_design **designs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        designs[i] = team_robot(i);
    }
}

void destroy_designs(vxe_design **designs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        vxe_design_destroy(designs[i]);
    }
}

/* Target of a group in a tick: any from 0.6 to 1.6. */
float target_of(uint32_t robot, uint32_t tick, uint32_t group)
{
    uint64_t seed = 1 + robot + 1000 * tick + 100000 * group;
    (void)random_unit(&seed);
    return (float)(1.1 + 0.4999 * random_unit(&seed));
}

void fill_targets(float *targets, uint32_t robots, uint32_t groups, uint32_t tick)
{
    for (uint32_t i = 0; i < robots * groups; i++) {
        targets[i] = target_of(i / groups, tick, i % groups);
    }
}

vxe_team_def team_def(vxe_batch_schedule schedule, uint32_t threads)
{
    vxe_team_def def = vxe_team_def_default();
    def.interval = TICK;
    def.world.precision = test_precision();
    def.world.threads = threads;
    def.schedule = schedule;
    return def;
}

vxe_team *make_team(vxe_design *const *designs, uint32_t count, const vxe_team_def *def)
{
    vxe_error error = {0};
    vxe_team *team = vxe_team_create((const vxe_design *const *)designs, count, def, &error);
    if (!team) {
        fail_msg("%s", error.message);
    }
    return team;
}

void step_team(vxe_team *team, const float *targets, float *observations, uint8_t *status)
{
    vxe_error error = {0};
    if (vxe_team_step(team, targets, observations, status, &error)) {
        fail_msg("%s", error.message);
    }
}
