/* SPDX-License-Identifier: MIT */
/* What a caller changes while a world runs (vxe_world_tune), by the formulas of a free fall, of
 * sliding, of decay and of a wave whose clock does not jump; its work in the energy audit; bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "support.h"

static void tune(vxe_world *world, const vxe_tuning *how)
{
    vxe_error error;
    if (vxe_world_tune(world, how, &error)) {
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

/* A block of 2 x 2 x 2 voxels that floats, by explicit dashpots or damping iterations. */
static vxe_world *floating_block(vxe_damping_scheme damping)
{
    vxe_material m = standard_material();
    m.bond_damping = 0.3;
    vxe_design *design = block_design(&m, 2, 2, 2);
    vxe_world_def def = vxe_world_def_default();
    def.damping = damping;
    vxe_world *world = make_world(design, &def);
    vxe_design_destroy(design);
    return world;
}

/* x = g t^2/2 in each direction, to first order in the step: h/t. */
static void gravity_turns(void **state)
{
    (void)state;
    vxe_world *world = floating_block(VXE_DAMPING_AUTO);
    double from[3];
    double to[3];
    vxe_tuning how = vxe_world_tuning(world);
    advance(world, 0.05);
    vxe_world_center_of_mass(world, from, NULL);
    how.gravity[0] = 2;
    how.gravity[2] = -3;
    tune(world, &how);
    const double start = vxe_world_time(world);
    advance(world, 0.2);
    vxe_world_center_of_mass(world, to, NULL);
    const double time = vxe_world_time(world) - start;
    const double part = 1.1 * vxe_world_describe(world).time_step / time;
    check_relative("fall along x, m", to[0] - from[0], time * time, part);
    check_near("fall along y, m", to[1] - from[1], 0, 1e-9);
    check_relative("fall along z, m", to[2] - from[2], -1.5 * time * time, part);
    vxe_world_destroy(world);
}

/* v = v0 exp(-r t): exact with damping iterations but for rounding, of which each of thousands of
 * steps adds an ulp of float at most in mixed precision; with explicit dashpots (1 - r h)^(t/h),
 * which is less by a part of r^2 t h/2, here r h. */
static void motion_decays(void **state)
{
    (void)state;
    static const vxe_damping_scheme schemes[] = {VXE_DAMPING_SWEEP, VXE_DAMPING_EXPLICIT};
    for (int i = 0; i < 2; i++) {
        vxe_world *world = floating_block(schemes[i]);
        const vxe_world_facts facts = vxe_world_describe(world);
        assert_int_equal(facts.damping, schemes[i]);
        for (uint32_t v = 0; v < 8; v++) {
            assert_int_equal(
                vxe_world_place(world, v, NULL, NULL, (const double[3]){0.1, 0, 0}, NULL, NULL),
                VXE_OK);
        }
        vxe_tuning how = vxe_world_tuning(world);
        how.drag = 2;
        tune(world, &how);
        advance(world, 1);
        double place[3];
        double velocity[3];
        vxe_world_center_of_mass(world, place, velocity);
        check_relative("speed after 1 s, m/s", velocity[0], 0.1 * exp(-2 * vxe_world_time(world)),
                       i == 0 ? by_precision(1e-9, 1e-4) : 3 * how.drag * facts.time_step);
        how.drag = 0;
        tune(world, &how);
        advance(world, 0.5);
        double later[3];
        vxe_world_center_of_mass(world, place, later);
        check_relative("speed without drag, m/s", later[0], velocity[0], 1e-6);
        vxe_world_destroy(world);
    }
}

/* A block that slides is slowed by mu g, times the factor, whatever its springs do: they are at
 * rest when it has slid for a while. */
static void friction_is_scaled(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.static_friction = m.dynamic_friction = 0.4;
    m.bond_damping = 1;
    m.collision_damping = 1;
    vxe_design *design = block_design(&m, 3, 3, 1);
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    vxe_world *world = make_world(design, NULL);
    for (uint32_t v = 0; v < 9; v++) {
        assert_int_equal(
            vxe_world_place(world, v, NULL, NULL, (const double[3]){9, 0, 0}, NULL, NULL), VXE_OK);
    }
    advance(world, 1);
    static const double factors[] = {1, 0.25, 0};
    for (int i = 0; i < 3; i++) {
        double place[3];
        double before[3];
        double velocity[3];
        vxe_tuning how = vxe_world_tuning(world);
        vxe_world_center_of_mass(world, place, before);
        how.friction = factors[i];
        tune(world, &how);
        const double start = vxe_world_time(world);
        advance(world, 0.2);
        vxe_world_center_of_mass(world, place, velocity);
        check_near("loss of speed by friction, m/s", before[0] - velocity[0],
                   factors[i] * 0.4 * 9.81 * (vxe_world_time(world) - start),
                   by_precision(1e-9, 1e-3));
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Two muscles of different phase that are not bonded; with groups every voxel has numbers of its
 * own, without them all follow one wave. */
static vxe_design *two_muscles(bool groups)
{
    vxe_material m = standard_material();
    m.thermal_expansion = 0.01;
    vxe_design *design = block_design(&m, 1, 1, 1);
    add_block(design, (const int[3]){3, 0, 0}, (const int[3]){1, 1, 1}, 0);
    design->actuation.enabled = true;
    design->actuation.period = 0.5;
    design->actuation.amplitude = 10;
    vxe_design_layer(design, "PhaseOffset", 1)->values[1] = 0.3;
    if (groups) {
        vxe_design_layer(design, "Group", 1)->values[1] = 1;
    }
    return design;
}

static void check_edges(const vxe_world *world, double amplitude, double cycles)
{
    double edge[2];
    vxe_world_sense(world, &(vxe_sensors){.edge = edge});
    for (int v = 0; v < 2; v++) {
        const double wave = sin(2 * PI * (cycles + 0.3 * v));
        /* numbers of the wave are stored in the precision of the run: parts of 6e-8 of the growth
         */
        check_near("edge, m", edge[v], EDGE * (1 + amplitude * wave),
                   by_precision(1e-12, 1e-6 * EDGE));
    }
}

/* l = a (1 + A sin 2 pi c), dc/dt = f/T: c goes on where it is when f and A change. */
static void the_wave_goes_on_where_it_is(void **state)
{
    (void)state;
    for (int groups = 0; groups < 2; groups++) {
        vxe_design *design = two_muscles(groups);
        vxe_world *world = make_world(design, NULL);
        vxe_tuning how = vxe_world_tuning(world);
        advance(world, 0.2); /* the wave fades in within a quarter of a period */
        double cycles = vxe_world_time(world) / 0.5;
        static const double changes[][2] = {{1, 1}, {3, 1}, {3, 2.5}, {0, 2}, {0.5, 0.5}};
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
            how.frequency = changes[i][0];
            how.amplitude = changes[i][1];
            tune(world, &how);
            check_edges(world, 0.1 * how.amplitude, cycles);
            const double start = vxe_world_time(world);
            advance(world, 0.37);
            cycles += how.frequency * (vxe_world_time(world) - start) / 0.5;
            check_edges(world, 0.1 * how.amplitude, cycles);
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Bonds of edges that grow by s are s^2 times as stiff at most (docs/physics.md, Time step): the
 * step becomes shorter by s, and stays so. */
static void wider_edges_shorten_the_step(void **state)
{
    (void)state;
    vxe_design *design = bare_walker(0.3, 1, 0.3);
    add_block(design, (const int[3]){0, 0, 0}, (const int[3]){5, 3, 2}, 0);
    vxe_world *world = make_world(design, NULL);
    vxe_tuning how = vxe_world_tuning(world);
    const double first = vxe_world_describe(world).time_step;
    how.amplitude = 3;
    tune(world, &how);
    const double second = vxe_world_describe(world).time_step;
    /* the muscle swells by 0.1; steps are rounded to float in mixed precision */
    check_relative("a shorter step, parts", second / first, 1.1 / 1.3, 1e-6);
    how.amplitude = 1;
    tune(world, &how);
    assert_true(vxe_world_describe(world).time_step == second);
    how.frequency = 50;
    tune(world, &how);
    /* a hundred steps in a period, as for any wave; rounded to float in mixed precision */
    check_below("steps that resolve the period",
                vxe_world_describe(world).time_step * 100 * 50 / design->actuation.period,
                1 + 1e-6);
    advance(world, 0.05);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* All sliders are moved at once and often: the audit knows what they put in, and no run is called
 * unphysical. */
static void work_of_tunings_is_accounted_for(void **state)
{
    (void)state;
    vxe_design *design = bare_walker(0.3, 1, 0.3);
    add_block(design, (const int[3]){0, 0, 0}, (const int[3]){5, 3, 2}, 0);
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
    vxe_tuning how = vxe_world_tuning(world);
    for (int i = 0; i < 40; i++) {
        how.gravity[0] = 2 * sin(0.7 * i);
        how.gravity[2] = -9.81 * (1 + 0.8 * sin(0.3 * i));
        how.amplitude = 1 + sin(0.5 * i);
        how.frequency = 1 + 0.5 * cos(0.4 * i);
        how.friction = 1 + 0.9 * cos(i);
        how.drag = i % 3;
        tune(world, &how);
        advance(world, 0.02);
    }
    const vxe_energy energy = vxe_world_energy(world);
    const double given = fabs(energy.work_external) + fabs(energy.work_actuation);
    assert_true(energy.work_external != 0 && energy.work_actuation != 0);
    assert_int_equal(vxe_world_judge(world, NULL), VXE_OK);
    /* a hundredth: what vxe_world_judge allows */
    check_below("part that the audit does not know",
                fabs(energy.balance - energy.balance_start) / given, 0.01);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Weight gives a falling body all of its energy, whatever gravity becomes on the way: m g.x of each
 * part of the way, which is what `kinetic_sync` has gained; but for half a step's weight, since
 * velocities are half a step behind places: those at the tuning, v + g h/2, become others at once,
 * which counts as external work, as the height in the new gravity does. */
static void weight_does_the_work_of_a_fall(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 2, 2);
    design->gravity[2] = -3;
    vxe_world_def def = vxe_world_def_default();
    def.audit = true;
    vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
    vxe_tuning how = vxe_world_tuning(world);
    advance(world, 0.2);
    double place[3];
    double v[3];
    vxe_world_center_of_mass(world, place, v);
    const double half = 0.5 * vxe_world_describe(world).time_step;
    how.gravity[0] = 2;
    how.gravity[2] = 5;
    tune(world, &how);
    const double jump =
        0.5 * 8 * MASS *
            (4 * half * half + (v[2] + 5 * half) * (v[2] + 5 * half) -
             (v[2] - 3 * half) * (v[2] - 3 * half)) -
        0.5 * 8 * MASS * half * half * (4 + 25 - 9); /* of the ripple F^2 h^2/(8 m) */
    advance(world, 0.3);
    const vxe_energy energy = vxe_world_energy(world);
    check_relative("work of weight, J", energy.work_gravity,
                   energy.kinetic_sync - energy.ripple - jump, 1e-9);
    check_near("balance, J", energy.balance, energy.balance_start, 1e-9 * energy.kinetic_sync);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A wave that needs more damping iterations than the design's, or one so fast that it needs fewer.
 */
static void change_all(vxe_tuning *how, bool fast)
{
    how->amplitude = fast ? 0.5 : 3;
    how->frequency = fast ? 60 : 2;
    how->friction = 0.5;
    how->drag = 1;
    how->gravity[1] = 1;
}

/* A tuning to what is there already changes no bit of the motion; any other has the same bits for
 * any number of threads and however a run is cut, also in bodies that are so large that passes
 * follow each other as a wavefront, whose memory depends on the number of damping iterations. */
static void check_bits(const vxe_design *design, bool fast)
{
    uint64_t hash[4];
    double center[4][3];
    uint32_t iterations[2] = {0, 0};
    for (int way = 0; way < 4; way++) {
        vxe_world_def def = vxe_world_def_default();
        def.threads = way == 1 ? 3 : 1;
        vxe_world *world = make_world(design, &def);
        vxe_tuning how = vxe_world_tuning(world);
        assert_int_equal(vxe_world_advance(world, 25, NULL), VXE_OK);
        if (way == 3) {
            tune(world, &how);
        }
        assert_int_equal(vxe_world_advance(world, 25, NULL), VXE_OK);
        vxe_world_center_of_mass(world, center[way], NULL);
        iterations[0] = vxe_world_describe(world).damping_sweeps;
        change_all(&how, fast);
        tune(world, &how);
        iterations[1] = vxe_world_describe(world).damping_sweeps;
        for (int i = 0; i < (way == 2 ? 60 : 1); i++) {
            assert_int_equal(vxe_world_advance(world, way == 2 ? 1 : 60, NULL), VXE_OK);
        }
        hash[way] = vxe_world_hash(world);
        how.drag = 1.5;
        tune(world, &how);
        assert_true(vxe_world_hash(world) != hash[way]);
        vxe_world_destroy(world);
    }
    assert_true(fast ? iterations[1] < iterations[0] : iterations[1] > iterations[0]);
    assert_true(hash[0] == hash[1] && hash[0] == hash[2] && hash[0] == hash[3]);
    assert_memory_equal(center[0], center[3], sizeof center[0]);
}

static void bits_are_the_same(void **state)
{
    (void)state;
    for (int size = 0; size < 2; size++) {
        vxe_design *design = bare_walker(1, 1, 0.3);
        add_block(design, (const int[3]){0, 0, 0}, (const int[3]){24, 12, size == 0 ? 12 : 40}, 0);
        check_bits(design, false);
        check_bits(design, true);
        vxe_design_destroy(design);
    }
}

/* An allocator of which one block fails. */
static uint64_t taken_blocks;
static uint64_t failing_block;

static void *take_or_fail(uint64_t size, uint64_t alignment, void *user)
{
    (void)user;
    return taken_blocks++ == failing_block ? NULL : aligned_alloc(alignment, size);
}

static void release_block(void *block, void *user)
{
    (void)user;
    free(block);
}

/* Whatever block is lacking, nothing changes, and the next tuning works. */
static void without_memory_nothing_changes(void **state)
{
    (void)state;
    const vxe_memory_hooks hooks = {take_or_fail, release_block, NULL};
    vxe_design *design = bare_walker(1, 1, 0.3);
    add_block(design, (const int[3]){0, 0, 0}, (const int[3]){24, 12, 20}, 0);
    failing_block = UINT64_MAX;
    vxe_memory_use(&hooks);
    for (uint64_t k = 0, done = 0; !done; k += k < 16 ? 1 : 7) {
        vxe_error error;
        vxe_world *world = make_world(design, NULL);
        vxe_tuning how = vxe_world_tuning(world);
        assert_int_equal(vxe_world_advance(world, 5, NULL), VXE_OK);
        const uint64_t before = vxe_world_hash(world);
        change_all(&how, false);
        taken_blocks = 0;
        failing_block = k;
        done = vxe_world_tune(world, &how, &error) == VXE_OK;
        failing_block = UINT64_MAX;
        if (!done) {
            assert_int_equal(error.status, VXE_ERROR_MEMORY);
            assert_true(vxe_world_hash(world) == before);
            assert_int_equal(vxe_world_advance(world, 1, NULL), VXE_OK);
        } else {
            assert_true(taken_blocks <= k); /* none was lacking */
            assert_int_equal(vxe_world_advance(world, 1, NULL), VXE_OK);
        }
        tune(world, &how);
        assert_int_equal(vxe_world_advance(world, 5, NULL), VXE_OK);
        vxe_world_destroy(world);
    }
    vxe_memory_use(NULL);
    vxe_design_destroy(design);
}

static void refuse(vxe_world *world, const vxe_tuning *how, const char *words)
{
    vxe_error error = {0};
    const uint64_t before = vxe_world_hash(world);
    assert_true(vxe_world_tune(world, how, &error) != VXE_OK);
    if (!strstr(error.message, words)) {
        fail_msg("%s", error.message);
    }
    assert_true(vxe_world_hash(world) == before);
}

static void what_is_no_tuning_is_refused(void **state)
{
    (void)state;
    vxe_design *design = two_muscles(true);
    vxe_world *world = make_world(design, NULL);
    const vxe_tuning usual = vxe_world_tuning(world);
    vxe_tuning bad = usual;
    bad.amplitude = (double)NAN;
    refuse(world, &bad, "needs gravity within");
    bad = usual;
    bad.gravity[1] = (double)INFINITY;
    refuse(world, &bad, "needs gravity within");
    bad = usual;
    bad.amplitude = 9.5; /* 0.05 of an edge */
    refuse(world, &bad, "edges 0.05 to 1.95");
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    world = floating_block(VXE_DAMPING_EXPLICIT);
    bad = vxe_world_tuning(world);
    bad.drag = 1e5;
    refuse(world, &bad, "too large for the time step");
    vxe_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gravity_turns),
                                       cmocka_unit_test(motion_decays),
                                       cmocka_unit_test(friction_is_scaled),
                                       cmocka_unit_test(the_wave_goes_on_where_it_is),
                                       cmocka_unit_test(wider_edges_shorten_the_step),
                                       cmocka_unit_test(work_of_tunings_is_accounted_for),
                                       cmocka_unit_test(weight_does_the_work_of_a_fall),
                                       cmocka_unit_test(bits_are_the_same),
                                       cmocka_unit_test(without_memory_nothing_changes),
                                       cmocka_unit_test(what_is_no_tuning_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
