/* SPDX-License-Identifier: MIT */
/* Groups of robots larger than a cache: passes, also those of several steps, advance over their
 * voxels as a wavefront. Robots have the same bits as alone. If a bond fails, it fails at the same
 * step and place as alone, and the other robots keep the state that they had then. */
#include <math.h>

#include "common/memory.h"
#include "engine/lanes/lanes.h"
#include "support.h"

enum { COMPANY = 3, STEPS = 23, WIDE = 8, LONG = 40 };

/* A bar of random materials with holes; a group of such bars exceeds the largest cache of a core.
 */
static vxe_design *bar(uint32_t number)
{
    uint64_t seed = 77 + number;
    vxe_design *design = vxe_design_create();
    for (int i = 0; i < 3; i++) {
        vxe_material m = vxe_material_default();
        m.youngs_modulus *= 1 + 0.4 * i + 0.1 * number;
        m.thermal_expansion = i > 0 ? 0.01 : 0;
        m.phase = 0.7 * i;
        m.bond_damping = 1;
        m.poissons_ratio = 0.1 * i;
        assert_int_equal(vxe_design_add_material(design, &m, NULL, NULL), VXE_OK);
    }
    for (int i = 0; i < WIDE * WIDE * LONG; i++) {
        if (random_unit(&seed) > -0.8) {
            const uint16_t material = (uint16_t)(fabs(random_unit(&seed)) * 2.99);
            assert_int_equal(vxe_design_add_voxel(design, i % WIDE, i / WIDE % WIDE,
                                                  i / (WIDE * WIDE), material, NULL),
                             VXE_OK);
        }
    }
    design->actuation = (vxe_actuation){
        .enabled = true, .base = 25, .amplitude = 12, .period = 0.02 + 0.003 * number};
    design->stop.duration = 1;
    return design;
}

/* Moves the lowest layer of a bar as prescribed, and pulls at the highest one. */
static void bind_ends(vxe_design *design, double way)
{
    const double force[3] = {1, 0, 2};
    double table[] = {0, 0, 1e-3, 1};
    vxe_region end = {.shape = VXE_REGION_BOX,
                      .low = {-1, -1, -1},
                      .high = {1, 1, 0.2 * design->voxel_size},
                      .fixed = VXE_FIX_X | VXE_FIX_Z | VXE_FIX_RY,
                      .displacement = {way, 0, 0},
                      .rotation = {0, 10 * way, 0},
                      .table = table,
                      .table_count = 2};
    assert_int_equal(vxe_design_add_region(design, &end, NULL), VXE_OK);
    hold_plane(design, 2, LONG - 1, 0, force, NULL);
}

/* Robots side by side in vector lanes. */
typedef struct robot_group {
    vxe_design *design[COMPANY];
    vxe_simulation simulation[COMPANY];
    vxe_robot robot[COMPANY];
    vxe_lanes lanes;
} robot_group;

static void load(robot_group *c, const vxe_world_def *def)
{
    vxe_robot *robots[COMPANY];
    vxe_error error;
    for (uint32_t i = 0; i < COMPANY; i++) {
        vxe_messages warnings = {0};
        c->simulation[i] = (vxe_simulation){.design = c->design[i]};
        c->robot[i] = (vxe_robot){.simulation = &c->simulation[i]};
        robots[i] = &c->robot[i];
        if (vxe_model_init(&c->simulation[i].model, c->design[i], def, &warnings, &error) ||
            vxe_simulation_start(&c->simulation[i], def, &error)) {
            fail_msg("%s", error.message);
        }
        vxe_messages_clear(&warnings);
        assert_int_equal(vxe_lanes_key(&c->robot[i]), vxe_lanes_key(&c->robot[0]));
    }
    assert_int_equal(vxe_lanes_init(&c->lanes, c->simulation[0].model.kernels, &error), VXE_OK);
    assert_int_equal(vxe_lanes_load(&c->lanes, robots, COMPANY, &error), VXE_OK);
}

static void release(robot_group *c)
{
    vxe_lanes_clear(&c->lanes);
    for (uint32_t i = 0; i < COMPANY; i++) {
        vxe_simulation_clear(&c->simulation[i]);
        vxe_design_destroy(c->design[i]);
    }
}

/* Each robot of the group has the bits of a separate world after as many steps. */
static void check_state_as_alone(const robot_group *c, const vxe_world_def *def)
{
    for (uint32_t i = 0; i < COMPANY; i++) {
        const vxe_robot *robot = &c->robot[i];
        const vxe_topology *topology = &robot->simulation->model.topology;
        vxe_error error;
        vxe_world *world = make_world(c->design[i], def);
        const vxe_status status = vxe_world_advance(world, robot->simulation->state.step, &error);
        assert_int_equal(status, robot->simulation->failure.kind ? VXE_ERROR_DIVERGED : VXE_OK);
        if (status) {
            vxe_error said;
            assert_int_equal(vxe_simulation_diverged(robot->simulation, &said), VXE_ERROR_DIVERGED);
            assert_string_equal(said.message, error.message);
        } else {
            assert_true(vxe_state_hash(&robot->simulation->state, topology->place,
                                       topology->voxel_count) == vxe_world_hash(world));
        }
        vxe_world_destroy(world);
    }
}

/* Whether the group's state was copied, as it is before steps run as a wavefront. */
static bool has_copied(const robot_group *c)
{
    const vxe_precision precision = c->lanes.kernels->precision;
    const uint64_t q = (uint64_t)VXE_LANE_Q * vxe_lane_kernels_of(c->lanes.kernels)->lanes;
    return vxe_real_at(precision, c->lanes.wavefront.before, q) != 0;
}

static vxe_world_def plain(void)
{
    vxe_world_def def = vxe_world_def_default();
    def.precision = test_precision();
    return def;
}

static void wavefront_passes_have_the_same_bits(void **state)
{
    (void)state;
    const struct {
        vxe_damping_scheme damping;
        bool collides;
        bool couples;
        bool follows; /* passes of several steps run as a wavefront */
        bool bound;
    } rows[] = {{VXE_DAMPING_EXPLICIT, false, false, true, false},
                {VXE_DAMPING_SWEEP, false, false, true, false},
                {VXE_DAMPING_EXPLICIT, false, false, true, true},
                {VXE_DAMPING_SWEEP, false, false, true, true},
                {VXE_DAMPING_SWEEP, true, false, false, true},
                {VXE_DAMPING_SWEEP, false, true, false, false}};
    memory_count count;
    count_memory(&count);
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        robot_group c;
        vxe_world_def def = plain();
        def.damping = rows[row].damping;
        for (uint32_t i = 0; i < COMPANY; i++) {
            c.design[i] = bar(i);
            c.design[i]->self_collision = rows[row].collides;
            c.design[i]->volume_effects = rows[row].couples;
            if (rows[row].bound) {
                bind_ends(c.design[i], 1e-4 * i);
            }
        }
        load(&c, &def);
        assert_true(c.lanes.wavefront.depth > 1);
        assert_true(c.lanes.wavefront.spans_steps == rows[row].follows);
        const uint64_t taken = count.taken;
        vxe_lanes_run(&c.lanes, 3);
        vxe_lanes_run(&c.lanes, STEPS - 3);
        assert_true(count.taken == taken);
        assert_true(!rows[row].follows || has_copied(&c));
        vxe_lanes_store(&c.lanes);
        assert_int_equal(c.simulation[0].state.step, STEPS);
        check_state_as_alone(&c, &def);
        release(&c);
    }
    vxe_memory_use(NULL);
}

/* Makes one robot diverge: the step that suits the others is too long for it; or, with polynomial
 * damping, where it would need more iterations than the others, one of its voxels flies away. */
static void destabilise(vxe_design *design, bool polynomial)
{
    const double away[3] = {0, 0, 1000};
    const double none[3] = {0, 0, 0};
    if (polynomial) {
        assert_int_equal(vxe_design_set_velocity(design, design->voxel_count - 1, away, none, NULL),
                         VXE_OK);
    }
    for (uint32_t m = 0; m < design->material_count && !polynomial; m++) {
        design->materials[m].youngs_modulus *= 10;
    }
}

/* The other robots go on beside the remains of a robot that failed in its lane, and then in lanes
 * that are loaded again. */
static void robots_diverge_at_the_step_where_they_do_alone(void **state)
{
    (void)state;
    for (int polynomial = 0; polynomial < 2; polynomial++) {
        robot_group c;
        vxe_world_def def = plain();
        def.damping = polynomial ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        for (uint32_t i = 0; i < COMPANY; i++) {
            c.design[i] = bar(i);
        }
        vxe_world *world = make_world(c.design[COMPANY - 1], &def);
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = vxe_world_describe(world).time_step;
        vxe_world_destroy(world);
        destabilise(c.design[1], polynomial);
        load(&c, &def);
        assert_true(c.lanes.wavefront.spans_steps);
        vxe_lanes_run(&c.lanes, 1000);
        vxe_lanes_store(&c.lanes);
        assert_int_equal(c.simulation[1].failure.kind, VXE_FAILURE_BOND);
        print_message("  in step %u\n", (unsigned)c.simulation[1].state.step);
        assert_true(c.simulation[1].state.step > 1 && c.simulation[1].state.step < 1000);
        check_state_as_alone(&c, &def);
        vxe_lanes_release(&c.lanes, &c.robot[1]);
        vxe_lanes_run(&c.lanes, STEPS);
        vxe_lanes_store(&c.lanes);
        vxe_robot *left[2] = {&c.robot[2], &c.robot[0]};
        vxe_error error;
        assert_int_equal(vxe_lanes_load(&c.lanes, left, 2, &error), VXE_OK);
        vxe_lanes_run(&c.lanes, STEPS);
        vxe_lanes_store(&c.lanes);
        assert_true(c.simulation[0].state.step == c.simulation[1].state.step + 2 * STEPS);
        check_state_as_alone(&c, &def);
        release(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wavefront_passes_have_the_same_bits),
        cmocka_unit_test(robots_diverge_at_the_step_where_they_do_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
