/* SPDX-License-Identifier: MIT */
/* The energy guard: it ends a run that gains energy from nothing, at the same step however the run
 * is scheduled; it lets legal runs alone; and its sums are those of the plain measurements. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/batch.h"
#include "engine/trial.h"
#include "engine/world/world_data.h"
#include "lattice/formats/format.h"
#include "support.h"

/* A block of 2 x 2 x 2 voxels, material, and what else a scene has. */
#define CUBE                                                                                       \
    "\"voxels\": [[0,0,1,0],[1,0,1,0],[0,1,1,0],[1,1,1,0],[0,0,2,0],[1,0,2,0],[0,1,2,0],"          \
    "[1,1,2,0]], "
#define BAR "\"voxels\": [[0,0,0,0],[1,0,0,0],[2,0,0,0],[3,0,0,0],[4,0,0,0],[5,0,0,0]], "
#define FREE "\"gravity_m_per_s2\": [0,0,0], \"floor\": {\"enabled\": false}, "
#define SOFT "\"youngs_modulus_Pa\": 1e6, \"density_kg_per_m3\": 1000"
#define MADE_OF(more) "\"materials\": [{\"name\": \"m\", " SOFT more "}], "
#define MUSCLE ", \"thermal_expansion_per_K\": 0.01"
#define UNDAMPED ", \"bond_damping\": 0, \"collision_damping\": 0"
#define STOP "\"stop\": {\"duration_s\": 1}}"
#define SCENE "{\"version\": 1, \"name\": \"guarded\", \"voxel_size_m\": 0.01, "

static vxe_design *read_scene(const char *text)
{
    vxe_error error;
    FILE *file = fopen("engine_energy_guard_scene.json", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    vxe_design *design = vxe_design_read("engine_energy_guard_scene.json", &error);
    if (!design) {
        fail_msg("%s in %s", error.message, text);
    }
    return design;
}

/* Runs that are hard on a guard and legal. */
static const char *const legal[] = {
    /* undamped ringing: a block thrown and spun, with muscles that shake it */
    SCENE FREE MADE_OF(MUSCLE UNDAMPED) CUBE
    "\"actuation\": {\"enabled\": true, \"amplitude_K\": 10, "
    "\"period_s\": 0.01}, "
    "\"initial_velocities\": [{\"voxels\": [0,1,2], "
    "\"velocity_m_per_s\": [1,0,0.5]}], " STOP,
    /* muscles at the bar's slowest natural frequency along it: its period is 2 L/c, 3.8 ms */
    SCENE FREE MADE_OF(MUSCLE ", \"bond_damping\": 0.3") BAR
    "\"actuation\": {\"enabled\": true, \"amplitude_K\": 5, \"period_s\": 0.0038}, " STOP,
    /* the same with a phase that runs along it, at twice the frequency, and no damping */
    SCENE FREE MADE_OF(MUSCLE UNDAMPED) BAR
    "\"layers\": {\"PhaseOffset\": [0,0.1,0.2,0.3,0.4,0.5]}, \"actuation\": {\"enabled\": true, "
    "\"amplitude_K\": 1, \"period_s\": 0.0019}, " STOP,
    /* prescribed motion, to and fro */
    SCENE FREE MADE_OF(", \"bond_damping\": 0.1") BAR
    "\"regions\": [{\"shape\": \"voxels\", \"voxels\": [0], \"fixed\": [\"x\",\"y\",\"z\",\"rx\","
    "\"ry\",\"rz\"], \"displacement_m\": [0.01,0.002,0], \"rotation_rad\": [0.3,0,0.2], \"table\": "
    "[[0,0],[0.01,1],[0.02,-1],[0.03,1],[0.04,0]]}], " STOP,
    /* the same without a table: all of it in the first step */
    SCENE FREE MADE_OF(", \"bond_damping\": 0.1") BAR
    "\"regions\": [{\"shape\": \"voxels\", \"voxels\": [0], \"fixed\": [\"x\",\"y\",\"z\",\"rx\","
    "\"ry\",\"rz\"], \"displacement_m\": [0.0005,0.0001,0], \"rotation_rad\": "
    "[0.02,0,0.01]}], " STOP,
    /* growth at once, and over a time */
    SCENE FREE MADE_OF(", \"bond_damping\": 0.1") BAR
    "\"layers\": {\"InitialSize\": [1,1,1,1,1,1], \"FinalSize\": [1.5,1,1.2,1,0.7,1], "
    "\"GrowthStart\": [0.01,0.01,0.02,0,0.03,0], \"GrowthTime\": [0,0.01,0.05,0,0,0]}, " STOP,
    /* schedules that jump */
    SCENE FREE MADE_OF(", \"bond_damping\": 0.05") BAR
    "\"layers\": {\"Group\": [0,1,0,1,0,1]}, \"schedules\": [{\"group\": 1, \"table\": [[0,1],"
    "[0.01,1],[0.0101,1.2],[0.0201,0.8],[0.0202,1.1],[0.0203,1]]}], " STOP,
    /* a fall and bounces without damping */
    SCENE MADE_OF(UNDAMPED ", \"dynamic_friction\": 0.5, \"static_friction\": 1") CUBE
    "\"gravity_m_per_s2\": [0,0,-9.81], \"floor\": {\"enabled\": true, \"slope\": [0.1,0]}, "
    "\"initial_velocities\": [{\"voxels\": [0,1,2,3,4,5,6,7], \"velocity_m_per_s\": "
    "[1,0,-3]}], " STOP,
    /* magnets that snap together, damped */
    SCENE FREE
    "\"self_collision\": true, \"materials\": [{\"name\": \"m\", " SOFT
    ", \"bond_damping\": 1, \"collision_damping\": 1, \"magnetization_A_per_m\": [20000,0,0]}], "
    "\"voxels\": [[0,0,0,0],[2,0,0,0],[4,0,0,0]], \"magnetics\": {\"dipole_soften_m\": "
    "0.005}, " STOP,
    /* a field that changes, on a magnet */
    SCENE FREE "\"materials\": [{\"name\": \"m\", " SOFT
               ", \"bond_damping\": 0.1, \"magnetization_A_per_m\": [50000,0,0]}], " BAR
               "\"magnetics\": {\"field_T\": {\"z\": \"0.01*sin(2*pi*t/0.02)\"}}, " STOP,
    /* stiffness that rises while a muscle works */
    SCENE FREE MADE_OF(MUSCLE UNDAMPED) BAR
    "\"layers\": {\"FinalStiffness\": [1e7,1e7,1e7,1e7,1e7,1e7]}, \"stiffening\": [[0.005,0],"
    "[0.05,1]], \"actuation\": {\"enabled\": true, \"amplitude_K\": 5, \"period_s\": 0.03}, " STOP,
    /* a cork under water, and a field that pushes it */
    SCENE MADE_OF(", \"bond_damping\": 0.3") CUBE
    "\"gravity_m_per_s2\": [0,0,-9.81], \"floor\": {\"enabled\": false}, \"fluid\": "
    "{\"density_kg_per_m3\": 5000, \"drag_coefficient\": 1, \"buoyancy\": true}, "
    "\"force_field\": {\"x\": \"0.05*sin(2*pi*t/0.003)\", \"y\": \"1*x\"}, " STOP,
    /* brittle and plastic bonds, torn by a muscle */
    SCENE FREE
    "\"self_collision\": true, \"materials\": [{\"name\": \"a\", " SOFT MUSCLE
    ", \"model\": 1, \"fail_stress_Pa\": 3e4}, {\"name\": \"b\", " SOFT
    ", \"model\": 2, \"yield_stress_Pa\": 1e4, \"plastic_modulus_Pa\": 1e5, \"fail_stress_Pa\": "
    "4e4, \"bond_damping\": 0.2}], \"voxels\": [[0,0,0,0],[1,0,0,1],[2,0,0,0],[3,0,0,1],[4,0,0,0]],"
    " \"actuation\": {\"enabled\": true, \"amplitude_K\": 20, \"period_s\": 0.02}, " STOP,
    /* two blocks that collide */
    SCENE FREE "\"self_collision\": true, " MADE_OF(
        "") "\"voxels\": [[0,0,0,0],[1,0,0,0],[4,0,0,0],[5,0,0,0],[6,0,0,0]], "
            "\"initial_velocities\": "
            "[{\"voxels\": [0,1], \"velocity_m_per_s\": [3,0.5,0]}], " STOP,
};

static void legal_runs_go_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof legal / sizeof *legal; i++) {
        vxe_design *design = read_scene(legal[i]);
        const vxe_world_def def = vxe_world_def_default();
        vxe_world *world = make_world(design, &def);
        vxe_error error = {.status = VXE_OK};
        const vxe_status status = vxe_world_advance(world, 6000, &error);
        if (status) {
            fail_msg("scene %zu: %s", i, error.message);
        }
        assert_true(world->guard.based && world->guard.before.step >= 5632);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Four loose magnets that pass through each other in steps, given on purpose, that resolve their
 * pull badly: they come out of each encounter faster. */
static vxe_design *faulty_design(vxe_world_def *def)
{
    vxe_design *design = read_scene(
        SCENE FREE "\"materials\": [{\"name\": \"m\", " SOFT UNDAMPED
                   ", \"magnetization_A_per_m\": [6e5,0,0]}], \"self_collision\": false, "
                   "\"voxels\": [[0,0,0,0],[2,1,0,0],[1,3,1,0],[4,2,2,0]], "
                   "\"magnetics\": {\"dipole_soften_m\": 0.0055}, " STOP);
    def->step_rule = VXE_STEP_SECONDS;
    def->step_seconds = 2e-4;
    return design;
}

/* The message names step, time, energies and voxels, and no call goes on behind it. */
static void check_message(const vxe_error *error)
{
    unsigned long step = 0;
    double time = 0;
    double risen = 0;
    double given = 0;
    char form[16] = "";
    unsigned one = 99;
    unsigned two = 99;
    assert_int_equal(error->status, VXE_ERROR_UNPHYSICAL);
    assert_int_equal(sscanf(error->message,
                            "unphysical at step %lu, t = %lf s: energy rose by %lf J where at most "
                            "%lf J were put in; most of it %15[a-z], at voxels %u and %u",
                            &step, &time, &risen, &given, form, &one, &two),
                     7);
    assert_true(risen > given && given >= 0 && time > 0 && one < 8 && two < 8);
    assert_true(strcmp(form, "kinetic") == 0 || strcmp(form, "magnetic") == 0);
}

static void energy_from_nothing_ends_every_schedule_at_one_step(void **state)
{
    (void)state;
    vxe_batch_def def = vxe_batch_def_default();
    def.world.precision = test_precision();
    def.steps = 4000;
    vxe_design *design = faulty_design(&def.world);
    vxe_error one_call = {.status = VXE_OK};
    vxe_error singly = {.status = VXE_OK};
    vxe_world *world = make_world(design, &def.world);
    assert_int_equal(vxe_world_advance(world, 4000, &one_call), VXE_ERROR_UNPHYSICAL);
    check_message(&one_call);
    assert_int_equal(vxe_world_advance(world, 1, &singly), VXE_ERROR_UNPHYSICAL);
    vxe_world_destroy(world);
    def.world.threads = 2;
    for (int audit = 0; audit < 2; audit++) {
        def.world.audit = audit;
        world = make_world(design, &def.world);
        for (vxe_status status = VXE_OK; !status;) {
            status = vxe_world_advance(world, 7, &singly);
        }
        assert_string_equal(singly.message, one_call.message);
        vxe_world_destroy(world);
    }
    def.world.audit = false;
    for (int i = 0; i < 3; i++) { /* alone, in lanes, and as a world with a trial */
        def.schedule = i == 0 ? VXE_BATCH_ALONE : VXE_BATCH_LANES;
        set_formula(design, VXE_FORMULA_FITNESS, "x + 1");
        set_formula(design, VXE_FORMULA_STOP, i == 2 ? "center_z - 1000" : NULL);
        vxe_batch *batch = vxe_batch_create(&def, &singly);
        for (int robot = 0; robot < 5; robot++) {
            assert_int_equal(vxe_batch_add(batch, design, &singly), VXE_OK);
        }
        assert_int_equal(vxe_batch_run(batch, NULL, NULL, &singly), VXE_OK);
        for (uint32_t robot = 0; robot < 5; robot++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, robot);
            assert_int_equal(result.status, VXE_ROBOT_UNPHYSICAL);
            assert_int_equal(result.reason, VXE_ERROR_UNPHYSICAL);
            assert_string_equal(result.message, one_call.message);
            assert_true(isnan(result.fitness) && result.in_lanes == (i == 1));
        }
        vxe_batch_destroy(batch);
    }
    def.retries = 3;
    set_formula(design, VXE_FORMULA_STOP, NULL);
    vxe_batch *batch = vxe_batch_create(&def, &singly);
    assert_int_equal(vxe_batch_add(batch, design, &singly), VXE_OK);
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, &singly), VXE_OK);
    /* it is run again, at steps that resolve the dipoles */
    assert_int_equal(vxe_batch_result_of(batch, 0).status, VXE_ROBOT_DONE);
    assert_in_range(vxe_batch_result_of(batch, 0).retries, 1, 3);
    vxe_batch_destroy(batch);
    vxe_design_destroy(design);
}

/* How a run of so many steps ends, if it is known beforehand that it does. */
static vxe_status end_at(const vxe_design *design, const vxe_world_def *def, uint64_t steps,
                         vxe_error *error)
{
    vxe_world *world = make_world(design, def);
    vxe_world_ends_at(world, steps);
    const vxe_status status = vxe_world_advance(world, steps, error);
    assert_int_equal(vxe_world_steps(world), steps);
    vxe_world_destroy(world);
    return status;
}

/* A run that is known to end between two looks is looked at in its last step: what gains energy
 * behind the last look of all ends as unphysical at that step, in every schedule. */
static void the_last_step_is_looked_at(void **state)
{
    (void)state;
    vxe_batch_def def = vxe_batch_def_default();
    def.world.precision = test_precision();
    vxe_design *design = faulty_design(&def.world);
    set_formula(design, VXE_FORMULA_FITNESS, "x + 1");
    vxe_error error = {.status = VXE_OK};
    vxe_world *world = make_world(design, &def.world);
    assert_int_equal(vxe_world_advance(world, 4000, &error), VXE_ERROR_UNPHYSICAL);
    const uint64_t found = vxe_world_steps(world);
    vxe_world_destroy(world);
    def.steps = found / 2 + 2; /* looks double their steps at first */
    while (end_at(design, &def.world, def.steps, &error) == VXE_OK) {
        def.steps++;
    }
    assert_true(found < VXE_GUARD_STEPS && def.steps < found - 8);
    world = make_world(design, &def.world);
    assert_int_equal(vxe_world_advance(world, def.steps, &error), VXE_OK);
    vxe_world_destroy(world);
    assert_int_equal(end_at(design, &def.world, def.steps, &error), VXE_ERROR_UNPHYSICAL);
    for (int i = 0; i < 3; i++) { /* alone, in lanes, and as a world with a trial */
        vxe_error ended = {.status = VXE_OK};
        def.schedule = i == 0 ? VXE_BATCH_ALONE : VXE_BATCH_LANES;
        set_formula(design, VXE_FORMULA_STOP, i == 2 ? "center_z - 1000" : NULL);
        vxe_batch *batch = vxe_batch_create(&def, &ended);
        for (int robot = 0; robot < 3; robot++) {
            assert_int_equal(vxe_batch_add(batch, design, &ended), VXE_OK);
        }
        assert_int_equal(vxe_batch_run(batch, NULL, NULL, &ended), VXE_OK);
        for (uint32_t robot = 0; robot < 3; robot++) {
            const vxe_batch_result result = vxe_batch_result_of(batch, robot);
            assert_int_equal(result.status, VXE_ROBOT_UNPHYSICAL);
            assert_string_equal(result.message, error.message);
            assert_true(result.in_lanes == (i == 1));
        }
        vxe_batch_destroy(batch);
    }
    vxe_design_destroy(design);
}

/* The audit tells a gain of a hundredth, long before the guard would; without an audit nothing is
 * known of it. At a step that resolves the dipoles nothing is gained. */
static void audited_runs_are_judged(void **state)
{
    (void)state;
    vxe_world_def def = vxe_world_def_default();
    vxe_error error = {.status = VXE_OK};
    vxe_design *design = faulty_design(&def);
    double joules = 0;
    double seconds = 0;
    double percent = 0;
    def.audit = true;
    def.step_seconds = 1.3e-4;
    vxe_world *world = make_world(design, &def);
    vxe_status judged = VXE_OK;
    double before = 0;
    while (!judged) {
        const vxe_energy so_far = vxe_world_energy(world);
        before = vxe_energy_gain(&so_far);
        assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
        judged = vxe_world_judge(world, &error);
    }
    const vxe_energy energy = vxe_world_energy(world);
    assert_int_equal(judged, VXE_ERROR_UNPHYSICAL);
    assert_int_equal(sscanf(error.message,
                            "unphysical: by the energy audit %lf J came from nothing in %lf s, %lf "
                            "%% of what was put in",
                            &joules, &seconds, &percent),
                     3);
    assert_true(fabs(percent - 100 * vxe_energy_gain(&energy)) < 0.005 * percent && percent > 1 &&
                before <= 0.01);
    assert_true(fabs(joules - energy.balance + energy.balance_start) < 0.005 * joules);
    assert_true(fabs(seconds - energy.time) < 1e-5 * seconds);
    vxe_world_destroy(world);
    def.step_seconds = 5e-5;
    world = make_world(design, &def);
    assert_int_equal(vxe_world_advance(world, 2000, &error), VXE_OK);
    assert_int_equal(vxe_world_judge(world, &error), VXE_OK);
    vxe_world_destroy(world);
    def.step_seconds = 1.3e-4;
    def.audit = false;
    world = make_world(design, &def);
    assert_int_equal(vxe_world_advance(world, 16, &error), VXE_OK);
    assert_int_equal(vxe_world_judge(world, &error), VXE_OK);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* The sums of a look are those of measure.c: to rounding of a kernel in either precision. */
static void looks_measure_what_the_plain_version_measures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof legal / sizeof *legal; i++) {
        vxe_design *design = read_scene(legal[i]);
        vxe_world_def def = vxe_world_def_default();
        def.threads = 1 + (uint32_t)i % 2;
        vxe_world *world = make_world(design, &def);
        assert_int_equal(vxe_world_advance(world, 512, NULL), VXE_OK);
        vxe_energy_guard_open(&world->guard, &world->workspace, 0, 0);
        vxe_energy_guard_forget(&world->guard);
        vxe_failure failure = {0};
        const double *sums = world->guard.now.energy;
        const vxe_potentials want = vxe_potential_energy(&world->workspace);
        const double scale = fabs(want.elastic) + fabs(want.floor) + fabs(want.contact) +
                             vxe_kinetic_energy(world->workspace.model, world->workspace.state,
                                                world->workspace.state);
        const double rounding = by_precision(1e-12, 1e-5) * scale;
        /* d(k x^2/2) = k x dx, with dx of half an ulp of the edge in float; Cauchy-Schwarz */
        const double dx = by_precision(0, 0x1p-24 * 0.01);
        const double by_dx =
            0.5 * 1e6 * 0.01 * dx * dx * (double)world->workspace.model->topology.bond_count;
        check_near("elastic", sums[VXE_GUARD_ELASTIC], want.elastic,
                   rounding + 2 * sqrt(want.elastic * by_dx));
        check_near("floor", sums[VXE_GUARD_FLOOR], want.floor, rounding);
        check_near("contact", sums[VXE_GUARD_CONTACT], want.contact, rounding);
        check_near("magnetic", sums[VXE_GUARD_MAGNETIC], want.magnetic,
                   rounding + 1e-12 * fabs(want.magnetic));
        double mass_lift = 0;
        for (int c = 0; c < 3; c++) {
            mass_lift += world->workspace.model->total_mass * world->workspace.arrays.gravity[c] *
                         world->workspace.model->origin[c];
        }
        check_near("weight", sums[VXE_GUARD_PLACE], want.gravity + mass_lift,
                   1e-6 * fabs(want.gravity) + rounding);
        world->guard.now.step--; /* the other half, with the velocities kept just now */
        vxe_energy_guard_close(&world->guard, &world->workspace, &failure);
        assert_int_equal(failure.kind, VXE_FAILURE_NONE);
        if (world->workspace.model->driven_count == 0) {
            const double kinetic = vxe_kinetic_energy(
                world->workspace.model, world->workspace.state, world->workspace.state);
            check_relative("kinetic", sums[VXE_GUARD_KINETIC], kinetic, 1e-12);
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* What the caller does is no fault of the run: voxels that are moved, targets that are set. */
static void changes_by_the_caller_are_legal(void **state)
{
    (void)state;
    vxe_design *design = read_scene(SCENE FREE MADE_OF(", \"bond_damping\": 0.02") BAR
                                    "\"layers\": {\"Group\": [0,1,0,1,0,1]}, " STOP);
    const vxe_world_def def = vxe_world_def_default();
    const double fast[3] = {20, 0, 5};
    vxe_world *world = make_world(design, &def);
    vxe_error error = {.status = VXE_OK};
    for (int i = 0; i < 200; i++) {
        const double factor = 1 + 0.2 * (i * 7 % 5 - 2);
        assert_int_equal(vxe_world_set_target(world, (uint32_t)i % 2, factor, &error), VXE_OK);
        if (vxe_world_advance(world, 37, &error)) {
            fail_msg("target %d: %s", i, error.message);
        }
        if (i == 100) {
            assert_int_equal(vxe_world_place(world, 3, NULL, NULL, fast, NULL, &error), VXE_OK);
        }
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A voxel that spins by 2.9 rad a step is turned right; at 3.1 rad, where the series of the
 * rotation are wrong, the run ends at the first look, also where nothing else is checked. */
static void fast_turns_are_told(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        const vxe_material m = standard_material();
        vxe_design *design = block_design(&m, 1, 1, 1);
        vxe_world *world = make_world(design, NULL);
        const double spin[3] = {0, (fast ? 3.1 : 2.9) / vxe_world_describe(world).time_step, 0};
        vxe_error error = {0};
        assert_int_equal(vxe_world_place(world, 0, NULL, NULL, NULL, spin, &error), VXE_OK);
        const vxe_status status = vxe_world_advance(world, 64, &error);
        assert_int_equal(status, fast ? VXE_ERROR_DIVERGED : VXE_OK);
        assert_true(!fast || strstr(error.message, "voxel 0 turned by more than 3 rad in a step"));
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_runs_go_on),
        cmocka_unit_test(energy_from_nothing_ends_every_schedule_at_one_step),
        cmocka_unit_test(the_last_step_is_looked_at),
        cmocka_unit_test(audited_runs_are_judged),
        cmocka_unit_test(looks_measure_what_the_plain_version_measures),
        cmocka_unit_test(changes_by_the_caller_are_legal),
        cmocka_unit_test(fast_turns_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
