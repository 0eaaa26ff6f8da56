/* SPDX-License-Identifier: MIT */
/* Robots under the compatibility presets of the simulators that they were written for: what was
 * measured of those with published robots (docs/accuracy.md, Compatibility presets), one case each.
 * All in double, the only precision of these presets. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lattice/formats/format.h"

/* parameters of evosoro */
#define SOFT 5e6
#define HEAVY 1e6
#define GRAVITY 9.81

static vxe_material soft_material(void)
{
    vxe_material m = standard_material();
    m.youngs_modulus = SOFT;
    m.density = HEAVY;
    m.bond_damping = 1;
    m.collision_damping = 0.8;
    m.global_damping = 0.01;
    m.static_friction = 1;
    m.dynamic_friction = 0.5;
    return m;
}

static vxe_world *voxelyze_world(const vxe_design *design, const char *conventions,
                                 uint32_t threads)
{
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    def.conventions = conventions;
    def.threads = threads;
    vxe_world *world = vxe_world_create(design, &def, &error);
    if (!world) {
        fail_msg("%s", error.message);
    }
    return world;
}

static void advance(vxe_world *world, double seconds)
{
    vxe_error error;
    if (vxe_world_advance_to(world, seconds, &error)) {
        fail_msg("%s", error.message);
    }
}

static double height(const vxe_world *world, uint32_t voxel)
{
    double at[3];
    position_of(world, voxel, at);
    return at[2];
}

/* The simulator's answer for a robot of 480 voxels that topples along its diagonal x = y while it
 * settles, because the law itself is not symmetric, and then goes to either side of the diagonal.
 * Noise of 1e-6 cycles in its phases was meant to decide the side, but rounding does: toppling
 * amplifies it from 1e-16 to 4e-10 m by then. The same law in 80-bit numbers goes to (3.548, 1.438,
 * -0.694), as ours does in double, and the simulator to the mirror image, (1.433, 3.514, -0.700).
 * So the larger and the smaller coordinate are compared. 1.5 %: both sides differ by 1 %, and the
 * simulator's own answer moves by 0.6 % when its step is 15 % shorter. */
static void quadruped_ends_at_the_published_place(void **state)
{
    (void)state;
    vxe_design *design = benchmark_design("quad10_noise.vxa");
    vxe_world *world = voxelyze_world(design, "evosoro", 1);
    const vxe_world_facts facts = vxe_world_describe(world);
    const uint64_t settled = (uint64_t)floor(design->stop.settle_time / facts.time_step) + 1;
    double start[3];
    double end[3];
    vxe_error error;
    check_relative("time step, s", facts.time_step, 0.0006405863, 1e-9);
    assert_false(vxe_world_advance(world, settled, &error));
    vxe_world_center_of_mass(world, start, NULL);
    assert_false(vxe_world_advance(world, 7806 - settled, &error));
    vxe_world_center_of_mass(world, end, NULL);
    const double x = (end[0] - start[0]) / EDGE;
    const double y = (end[1] - start[1]) / EDGE;
    check_relative("smaller way, voxels", fmin(x, y), 1.43333709453, 0.015);
    check_relative("larger way, voxels", fmax(x, y), 3.51368229678, 0.015);
    check_relative("way down, voxels", (end[2] - start[2]) / EDGE, -0.70032613931, 0.015);
    check_relative("distance, voxels", hypot(x, y), 3.7947883, 0.015);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A voxel rests m g/(2 E a) deep in the floor; in a stack of two, the bond is shorter by m g/(E a)
 * too. */
static void stacks_rest_at_the_expected_height(void **state)
{
    (void)state;
    const vxe_material m = soft_material();
    vxe_design *design = block_design(&m, 1, 1, 2);
    design->gravity[2] = -GRAVITY;
    design->floor.enabled = true;
    const double mass = HEAVY * EDGE * EDGE * EDGE;
    const double unit = mass * GRAVITY / (SOFT * EDGE);
    vxe_world *world = voxelyze_world(design, "evosoro", 1);
    advance(world, 3);
    check_near("lower voxel, m", height(world, 0), 0.5 * EDGE - unit, 1e-12);
    check_near("upper voxel, m", height(world, 1), 1.5 * EDGE - 2 * unit, 1e-12);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Under the preset of evosoro voxels only contract: an expansion beyond the nominal edge is
 * dropped, and the last size is kept. Its fork and its successor change size both ways. */
static void voxels_only_contract_in_evosoro(void **state)
{
    (void)state;
    vxe_material m = soft_material();
    m.thermal_expansion = 0.01;
    vxe_design *design = block_design(&m, 1, 1, 1);
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 25, .amplitude = 14, .period = 0.25};
    const char *const names[3] = {"evosoro", "land-water", "recorg"};
    for (int i = 0; i < 4; i++) {
        design->actuation.room = i == 3 ? 0.5 : 0; /* growth adds to the size */
        vxe_world *world = voxelyze_world(design, i == 3 ? "evosoro" : names[i], 1);
        double min = 1;
        double max = 1;
        for (int step = 0; step < 5000; step++) {
            double edge = 0;
            vxe_error error;
            assert_false(vxe_world_advance(world, 1, &error));
            vxe_world_sense(world, &(vxe_sensors){.edge = &edge});
            min = fmin(min, edge / EDGE);
            max = fmax(max, edge / EDGE);
        }
        check_near("smallest size", min, 0.86, 1e-4);
        check_near("largest size", max, i == 0 ? 1 : 1.14, i == 0 ? 2e-3 : 1e-4);
        assert_true(i > 0 || max <= 1);
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
}

/* In voxcraft, temperatures above the base have no effect unless the file says EnableExpansion: a
 * voxel of positive expansion only contracts, one of negative only expands. From t = 0, without a
 * fade-in. */
static void voxcraft_ignores_heat_unless_expansion_is_enabled(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool shrinks = i % 2 == 0;
        const bool both = i >= 2;
        vxe_material m = soft_material();
        m.thermal_expansion = shrinks ? 0.01 : -0.01;
        vxe_design *design = block_design(&m, 1, 1, 1);
        design->actuation = (vxe_actuation){.enabled = true,
                                            .base = 25,
                                            .amplitude = 14,
                                            .period = 0.25,
                                            .room = both ? VXE_LARGEST_SIZE : 0};
        vxe_world *world = voxelyze_world(design, "voxcraft", 1);
        double min = 1;
        double max = 1;
        for (int step = 0; step < 5000; step++) {
            double edge = 0;
            vxe_error error;
            assert_false(vxe_world_advance(world, 1, &error));
            vxe_world_sense(world, &(vxe_sensors){.edge = &edge});
            min = fmin(min, edge / EDGE);
            max = fmax(max, edge / EDGE);
        }
        check_near("smallest size", min, shrinks || both ? 0.86 : 1, 1e-4);
        check_near("largest size", max, !shrinks || both ? 1.14 : 1, 1e-4);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A slide at v0 stops after v0^2/(2 mu_d g), within the distance of one step. */
static void sliding_voxel_stops(void **state)
{
    (void)state;
    vxe_material m = soft_material();
    m.global_damping = 0;
    vxe_design *design = block_design(&m, 1, 1, 1);
    vxe_error error;
    const double speed = 0.5;
    design->gravity[2] = -GRAVITY;
    design->floor.enabled = true;
    vxe_world *world = voxelyze_world(design, "evosoro", 1);
    advance(world, 1);
    double before[3];
    double after[3];
    position_of(world, 0, before);
    assert_false(
        vxe_world_place(world, 0, NULL, NULL, (const double[3]){speed, 0, 0}, NULL, &error));
    advance(world, 2);
    position_of(world, 0, after);
    const double step = vxe_world_describe(world).time_step;
    check_near("way, m", after[0] - before[0], speed * speed / (2 * 0.5 * GRAVITY), speed * step);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Each simulator reads its own tags of a file: effect of a slope of 10 degrees, a sticky floor, a
 * floor of finite size and a fluid. */
static void tags_act_in_the_simulator_that_reads_them(void **state)
{
    (void)state;
    const char *const names[3] = {"evosoro", "land-water", "recorg"};
    vxe_material m = soft_material();
    for (int i = 0; i < 3; i++) {
        vxe_design *design = block_design(&m, 2, 1, 1);
        design->gravity[2] = -GRAVITY;
        design->floor.enabled = true;
        design->floor.slope[0] = 0.176;
        vxe_world *world = voxelyze_world(design, names[i], 1);
        advance(world, 1);
        /* the second voxel is higher by the slope, or at equal height */
        check_near("difference of heights, edges", (height(world, 1) - height(world, 0)) / EDGE,
                   i == 2 ? 0.176 : 0, 0.05);
        double pushes[2]; /* both are on the floor, and the sensors report it */
        vxe_world_sense(world, &(vxe_sensors){.floor = pushes});
        assert_true(pushes[0] > 0 && pushes[1] > 0);
        vxe_world_destroy(world);
        design->floor.slope[0] = 0;
        design->floor.radius = 0.001;
        design->floor.center[0] = 1;
        world = voxelyze_world(design, names[i], 1);
        advance(world, 0.5);
        assert_int_equal(height(world, 0) < -EDGE, i == 0); /* it falls beside the floor */
        vxe_world_sense(world, &(vxe_sensors){.floor = pushes});
        assert_int_equal(pushes[0] > 0, i != 0);
        vxe_world_destroy(world);
        design->floor.radius = 0;
        design->fluid = (vxe_fluid){.enabled = true, .density = 1000, .drag_coefficient = 1};
        world = voxelyze_world(design, names[i], 1);
        advance(world, 0.5);
        if (i == 1) { /* no gravity, no floor */
            check_near("height, m", height(world, 0), 0.5 * EDGE, 1e-15);
        } else {
            assert_true(height(world, 0) < 0.5 * EDGE - 1e-5);
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* A plate slowed by a fluid: dv/dt = -(C A/m) v^2, from v0 to v0/(1 + C A v0 t/m). Each step takes
 * the force at its begin, an error of first order in C A v dt/m = 1e-5. */
static void fluid_slows_a_plate(void **state)
{
    (void)state;
    vxe_material m = soft_material();
    vxe_error error;
    m.global_damping = 0;
    m.density = 1000;
    vxe_design *design = block_design(&m, 1, 3, 3);
    design->fluid = (vxe_fluid){.enabled = true, .density = 1000, .drag_coefficient = 0.4};
    vxe_world *world = voxelyze_world(design, "land-water", 1);
    const double speed = 1;
    for (uint32_t v = 0; v < 9; v++) {
        assert_false(
            vxe_world_place(world, v, NULL, NULL, (const double[3]){speed, 0, 0}, NULL, &error));
    }
    double velocity[3];
    advance(world, 0.1);
    vxe_world_center_of_mass(world, (double[3]){0}, velocity);
    const double rate = 0.5 * 1000 * 0.4 / (1000 * EDGE); /* C A/m, 1/m */
    check_relative("velocity, m/s", velocity[0], speed / (1 + rate * speed * vxe_world_time(world)),
                   2e-3);
    check_near("drift aside, m/s", hypot(velocity[1], velocity[2]), 0, 1e-12);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* The same bits for any number of threads asked for and any division into steps, contacts and fluid
 * included; bodies that several threads compute are in engine_voxelyze_packed. */
static void same_bits_for_any_threads(void **state)
{
    (void)state;
    const char *const names[5] = {"evosoro", "land-water", "recorg", "voxelyze", "voxcraft"};
    vxe_design *design = benchmark_design("quad10_noise.vxa");
    for (int i = 0; i < 5; i++) {
        design->fluid =
            (vxe_fluid){.enabled = i == 1 || i == 2, .density = 1000, .drag_coefficient = 0.4};
        vxe_world *reference = voxelyze_world(design, names[i], 1);
        vxe_error error;
        assert_false(vxe_world_advance(reference, 1800, &error));
        for (uint32_t threads = 2; threads <= 3; threads++) {
            vxe_world *world = voxelyze_world(design, names[i], threads);
            for (int batch = 0; batch < 18; batch++) {
                assert_false(vxe_world_advance(world, 100, &error));
            }
            assert_true(vxe_world_hash(world) == vxe_world_hash(reference));
            vxe_world_destroy(world);
        }
        vxe_world_destroy(reference);
    }
    vxe_design_destroy(design);
}

/* Voxels along x that collide and that nothing else holds. */
static vxe_design *row_design(const int *places, int count)
{
    vxe_material m = soft_material();
    vxe_error error;
    vxe_design *design = vxe_design_create();
    m.global_damping = 0;
    assert_false(vxe_design_add_material(design, &m, NULL, &error));
    for (int i = 0; i < count; i++) {
        assert_false(vxe_design_add_voxel(design, places[i], 0, 0, 0, &error));
    }
    design->gravity[2] = 0;
    design->floor.enabled = false;
    design->self_collision = true;
    return design;
}

/* A voxel that is placed beside another is detected at once, although no voxel has moved far since
 * contacts were listed. Its bonds, which store their last pose, do not take the jump for a
 * velocity. */
static void placed_voxels_are_seen(void **state)
{
    (void)state;
    vxe_error error;
    const int row[3] = {0, 9, 10};
    vxe_design *design = row_design(row, 3);
    vxe_world *world = voxelyze_world(design, "land-water", 1);
    assert_false(vxe_world_advance(world, 1, &error)); /* lists are made */
    double position[3];
    double rates[9];
    uint8_t touched[3];
    position_of(world, 0, position);
    position[0] += 8 * EDGE; /* one edge from the pair, which it pushes */
    assert_false(vxe_world_place(world, 0, position, NULL, NULL, NULL, &error));
    assert_false(vxe_world_advance(world, 1, &error));
    vxe_world_velocities(world, rates, NULL);
    const double mass = HEAVY * EDGE * EDGE * EDGE;
    const double push = SOFT * EDGE * 0.5 * EDGE / mass * vxe_world_describe(world).time_step;
    check_relative("speed of the one placed, m/s", rates[0], -push, 1e-9);
    vxe_world_sense(world, &(vxe_sensors){.touched = touched});
    assert_true(touched[0] && touched[1] && !touched[2]);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    /* a stretched bond: only its springs act in the first step */
    const int pair[2] = {0, 1};
    design = row_design(pair, 2);
    world = voxelyze_world(design, "recorg", 1);
    position_of(world, 1, position);
    position[0] += 0.1 * EDGE;
    assert_false(vxe_world_place(world, 1, position, NULL, NULL, NULL, &error));
    assert_false(vxe_world_advance(world, 1, &error));
    vxe_world_velocities(world, rates, NULL);
    check_relative("speed of the end pulled, m/s", rates[3], -0.2 * push, 1e-9);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Two bodies push each other apart by E a (1.5 a - d), but voxels within three bonds of each other
 * do not. */
static void bodies_push_each_other(void **state)
{
    (void)state;
    vxe_error error;
    const int row[2] = {0, 3};
    vxe_design *design = row_design(row, 2);
    vxe_world *world = voxelyze_world(design, "evosoro", 1);
    const double apart = 1.4 * EDGE;
    double position[3];
    position_of(world, 1, position);
    position_of(world, 0, position);
    position[0] += apart;
    assert_false(vxe_world_place(world, 1, position, NULL, NULL, NULL, &error));
    double places[6];
    double rates[6];
    assert_false(vxe_world_advance(world, 1, &error));
    vxe_world_poses(world, places, NULL);
    vxe_world_velocities(world, rates, NULL);
    const double mass = HEAVY * EDGE * EDGE * EDGE;
    const double push = SOFT * EDGE * (1.5 * EDGE - apart);
    check_relative("speed behind one step, m/s", rates[3],
                   push / mass * vxe_world_describe(world).time_step, 1e-12);
    check_near("momentum", rates[0] + rates[3], 0, 1e-15);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* In evosoro and its relatives no bond joins two voxels that are fixed in all freedoms: it does not
 * count, does not shorten the step, and such voxels collide with others as if they were no
 * neighbours. A free voxel stands on a fixed one beside another: that is sqrt(2) a away and two
 * bonds, of which one does not exist, so that both push each other by E a (1.5 a - d). The stiff
 * base would set the step: w0 = sqrt(E a/m) of the largest bond at a free voxel. */
static void fixed_voxels_are_not_bonded(void **state)
{
    (void)state;
    static const char *const presets[] = {"evosoro", "land-water", "recorg", "voxelyze"};
    for (int i = 0; i < 4; i++) {
        vxe_error error;
        uint32_t base[2] = {0, 1};
        const vxe_region held = {
            .shape = VXE_REGION_VOXELS, .fixed = VXE_FIX_ALL, .voxels = base, .voxel_count = 2};
        vxe_design *design = row_design((const int[2]){0, 1}, 2);
        vxe_material soft = soft_material();
        soft.global_damping = 0;
        design->materials[0].youngs_modulus = 100 * SOFT;
        assert_false(vxe_design_add_material(design, &soft, NULL, &error));
        assert_false(vxe_design_add_voxel(design, 1, 0, 1, 1, &error));
        assert_false(vxe_design_add_region(design, &held, &error));
        const bool unbonded = i < 3;
        vxe_world *world = voxelyze_world(design, presets[i], 1);
        const vxe_world_facts facts = vxe_world_describe(world);
        assert_int_equal(facts.bonds, unbonded ? 1 : 2);
        const double mass = HEAVY * EDGE * EDGE * EDGE;
        const double stiffness = 2 * EDGE / (1 / SOFT + 1 / (100 * SOFT));
        if (unbonded) {
            check_relative("step, s", facts.time_step,
                           design->time_step.fraction / (2 * PI * sqrt(stiffness / mass)), 1e-6);
        }
        double rates[9];
        assert_false(vxe_world_advance(world, 1, &error));
        vxe_world_velocities(world, rates, NULL);
        if (unbonded) {
            assert_true(rates[6] > 0);
            check_near("pushed along the diagonal, m/s", rates[8] - rates[6], 0, 1e-12);
        } else {
            assert_true(rates[6] == 0);
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

static bool warns_of(const vxe_world *world, const char *what)
{
    bool said = false;
    for (uint32_t i = 0; i < vxe_world_warning_count(world); i++) {
        said = said || strstr(vxe_world_warning(world, i), what) != NULL;
    }
    return said;
}

/* What a simulator does not read, but others of its family do, is said: by preset and tag. */
static void unread_tags_are_reported(void **state)
{
    (void)state;
    static const char *const presets[3] = {"evosoro", "land-water", "recorg"};
    static const struct {
        const char *what;
        bool by[3]; /* whether that preset warns */
    } tags[] = {{"volume effects", {true, true, true}},
                {"slopes along x", {true, true, false}},
                {"sticky floor", {false, true, true}},
                {"radius of the floor", {false, true, true}},
                {"bounds of the actuation", {true, true, false}},
                {"start of the actuation", {true, true, false}},
                {"phases of materials", {true, true, true}},
                {"the fluid:", {true, false, false}},
                {"a design with a fluid floats", {false, true, false}}};
    vxe_material m = soft_material();
    m.phase = 1;
    vxe_design *design = block_design(&m, 2, 2, 2);
    design->volume_effects = true;
    design->floor.enabled = design->floor.sticky = true;
    design->floor.slope[0] = 0.1;
    design->floor.radius = 1;
    design->actuation.enabled = true;
    design->actuation.period = 1;
    design->actuation.max = 1.1;
    design->actuation.start = 0.5;
    design->fluid.enabled = true;
    design->fluid.density = 1000;
    for (int p = 0; p < 3; p++) {
        vxe_world *world = voxelyze_world(design, presets[p], 1);
        for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
            if (warns_of(world, tags[i].what) != tags[i].by[p]) {
                fail_msg("%s: %s", presets[p], tags[i].what);
            }
        }
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
}

/* What a preset ignores gives a warning, and what it does not support is refused. */
static void limits_are_reported(void **state)
{
    (void)state;
    vxe_material m = soft_material();
    m.model = VXE_MATERIAL_BILINEAR;
    m.plastic_modulus = 1e5;
    m.yield_stress = 1e5;
    vxe_design *design = block_design(&m, 2, 2, 2);
    vxe_world *world = voxelyze_world(design, "recorg", 1);
    assert_true(warns_of(world, "yield or break"));
    assert_string_equal(vxe_world_describe(world).precision, "double");
    vxe_world_destroy(world);
    vxe_error error;
    vxe_world_def def = vxe_world_def_default();
    def.conventions = "evosoro";
    def.audit = true;
    assert_null(vxe_world_create(design, &def, &error));
    assert_int_equal(error.status, VXE_ERROR_ARGUMENT);
    def.audit = false;
    def.damping_form = VXE_DAMPING_PAIR;
    assert_null(vxe_world_create(design, &def, &error));
    assert_int_equal(error.status, VXE_ERROR_ARGUMENT);
    def.damping_form = VXE_DAMPING_SOURCE;
    def.composite = VXE_COMPOSITE_CONDENSED;
    assert_null(vxe_world_create(design, &def, &error));
    assert_int_equal(error.status, VXE_ERROR_ARGUMENT);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadruped_ends_at_the_published_place),
        cmocka_unit_test(stacks_rest_at_the_expected_height),
        cmocka_unit_test(voxels_only_contract_in_evosoro),
        cmocka_unit_test(voxcraft_ignores_heat_unless_expansion_is_enabled),
        cmocka_unit_test(sliding_voxel_stops),
        cmocka_unit_test(tags_act_in_the_simulator_that_reads_them),
        cmocka_unit_test(fluid_slows_a_plate),
        cmocka_unit_test(same_bits_for_any_threads),
        cmocka_unit_test(placed_voxels_are_seen),
        cmocka_unit_test(bodies_push_each_other),
        cmocka_unit_test(fixed_voxels_are_not_bonded),
        cmocka_unit_test(unread_tags_are_reported),
        cmocka_unit_test(limits_are_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
