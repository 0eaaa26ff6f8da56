/* SPDX-License-Identifier: MIT */
/* Sizes of voxels with individual control: frequencies, bounds, growth, schedules of groups,
 * targets set by the program; and the sensors. Slowly changing free bars have the length that their
 * edges imply. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/batch.h"
#include "lattice/formats/format.h"
#include "support.h"

#define PERIOD 2.0

/* A free bar of four voxels along x, damped; its muscle strains by 5 %. */
static vxe_design *free_bar(bool moves)
{
    vxe_material m = standard_material();
    m.bond_damping = 1;
    m.thermal_expansion = 0.01;
    vxe_design *design = block_design(&m, 4, 1, 1);
    design->actuation =
        (vxe_actuation){.enabled = moves, .base = 25, .amplitude = 5, .period = PERIOD};
    return design;
}

/* Fills a layer with one number for all voxels. */
static void set_layer(vxe_design *design, const char *name, double value)
{
    vxe_layer *layer = vxe_design_layer(design, name, 1);
    assert_non_null(layer);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        layer->values[v] = value;
    }
}

/* Mean strain between the end voxels: length between their centres in edges, less three, divided by
 * three. */
static double strain_of(const vxe_world *world)
{
    double a[3];
    double b[3];
    position_of(world, 0, a);
    position_of(world, 3, b);
    return (b[0] - a[0]) / (3 * EDGE) - 1;
}

/* Advances in 20 stretches to the end (s) and compares the strain with a function at each. The
 * dashpots let the bar lag by a third of a millisecond, c/k of its slowest mode, and with
 * polynomial damping at half the rule's step by some percent more; the edges change by 1.2/s at
 * most. */
static void check_strains(const vxe_design *design, double end, double (*expected)(double t))
{
    vxe_world_def def = vxe_world_def_default();
    def.step_scale = 0.5;
    vxe_world *world = make_world(design, &def);
    vxe_error error;
    for (int i = 1; i <= 20; i++) {
        assert_int_equal(vxe_world_advance_to(world, end * i / 20, &error), VXE_OK);
        check_near("strain", strain_of(world), expected(vxe_world_time(world)), 4.5e-4);
    }
    vxe_world_destroy(world);
}

static double faded_wave(double t, double cycles)
{
    return 0.05 * fmin(1, 4 * t / PERIOD) * sin(2 * PI * cycles);
}

static double three_times_as_fast(double t)
{
    return faded_wave(t, 3 * t / PERIOD + 0.125);
}

static double as_fast(double t)
{
    return faded_wave(t, t / PERIOD);
}

static double never_longer(double t)
{
    return fmin(0, as_fast(t));
}

static double within_bounds(double t)
{
    return fmax(-0.02, fmin(0.03, as_fast(t)));
}

/* The layer Frequency is a factor on the actuation's frequency; bounds clip the wave. */
static void waves_have_their_frequency_and_bounds(void **state)
{
    (void)state;
    vxe_design *design = free_bar(true);
    set_layer(design, "Frequency", 1);
    check_strains(design, 2 * PERIOD, as_fast);
    design->actuation.max = 1;
    check_strains(design, 2 * PERIOD, never_longer);
    design->actuation.max = 1.03;
    design->actuation.min = 0.98;
    check_strains(design, 2 * PERIOD, within_bounds);
    vxe_design_destroy(design);
    design = free_bar(true);
    set_layer(design, "Frequency", 3);
    set_layer(design, "PhaseOffset", 0.125);
    check_strains(design, 2 * PERIOD, three_times_as_fast);
    vxe_design_destroy(design);
}

static double late_wave(double t)
{
    return t < 0.7 ? 0 : 0.05 * fmin(1, 4 * (t - 0.7) / PERIOD) * sin(2 * PI * t / PERIOD);
}

/* Nothing moves before the start time. */
static void actuation_has_its_start(void **state)
{
    (void)state;
    vxe_design *design = free_bar(true);
    design->actuation.start = 0.7;
    check_strains(design, 2 * PERIOD, late_wave);
    vxe_design_destroy(design);
}

static double grown(double t)
{
    const double born = 1 - 0.2 * fmin(1, t / 0.25);
    const double age = fmax(0, fmin(1, (t - 0.6) / 0.5));
    return born + 0.6 * age - 1;
}

static double grown_and_wave(double t)
{
    const double wave = 0.05 * fmax(0, fmin(1, 4 * (t - 0.5) / PERIOD)) * sin(2 * PI * t / PERIOD);
    return (1 + grown(t)) * (1 + wave) - 1;
}

/* From the initial size, which is reached half way through settling, to the final one. */
static void voxels_grow(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++) {
        vxe_design *design = free_bar(moves == 1);
        design->stop.settle_time = 0.5;
        set_layer(design, "InitialSize", 0.8);
        set_layer(design, "FinalSize", 1.4);
        set_layer(design, "GrowthStart", 0.6);
        set_layer(design, "GrowthTime", 0.5);
        check_strains(design, 2, moves ? grown_and_wave : grown);
        vxe_design_destroy(design);
    }
}

/* Puts the first two voxels into group 1, the others into group 0. */
static void make_groups(vxe_design *design)
{
    set_layer(design, "Group", 0);
    vxe_layer *group = vxe_design_layer(design, "Group", 1);
    group->values[0] = group->values[1] = 1;
}

static double programmed(double t)
{
    const double factor = t < 0.2 ? 1 : (t < 0.8 ? 1 + (t - 0.2) : 1.6 - fmin(0.4, 2 * (t - 0.8)));
    /* a bond is as long as the mean of its ends: 1, 1/2 and 0 of the group's change */
    return 1.5 * (factor - 1) / 3;
}

static void groups_follow_their_schedules(void **state)
{
    (void)state;
    vxe_design *design = free_bar(false);
    double table[8] = {0.2, 1, 0.8, 1.6, 1, 1.2, 9, 1.2};
    vxe_group_schedule schedule = {1, table, 4};
    vxe_error error;
    make_groups(design);
    assert_int_equal(vxe_design_add_schedule(design, &schedule, &error), VXE_OK);
    check_strains(design, 1.5, programmed);
    vxe_design_destroy(design);
}

/* Targets set by the program act from the next step on; voxels wider than before shorten the step.
 */
static void targets_are_set_from_outside(void **state)
{
    (void)state;
    vxe_design *design = free_bar(false);
    make_groups(design);
    vxe_world *world = make_world(design, NULL);
    const double time_step = vxe_world_describe(world).time_step;
    const uint64_t hash = vxe_world_hash(world);
    double edge[4];
    vxe_error error;
    assert_int_equal(vxe_world_group_count(world), 2);
    assert_int_equal(vxe_world_set_target(world, 1, 0.7, &error), VXE_OK);
    assert_true(vxe_world_hash(world) != hash);
    assert_true(vxe_world_describe(world).time_step == time_step);
    assert_int_equal(vxe_world_advance_to(world, 0.3, &error), VXE_OK);
    check_near("strain, shortened", strain_of(world), -0.3 * 1.5 / 3, 1e-6);
    vxe_world_sense(world, &(vxe_sensors){.edge = edge});
    check_near("edge of its voxel, m", edge[1], 0.7 * EDGE, by_precision(1e-15, 1e-9));
    check_near("edge of another, m", edge[2], EDGE, 0);
    const double time = vxe_world_time(world);
    assert_int_equal(vxe_world_set_target(world, 1, 1.5, &error), VXE_OK);
    assert_true(vxe_world_time(world) == time);
    check_below("step, of what it was", vxe_world_describe(world).time_step / time_step, 0.8);
    assert_int_equal(vxe_world_advance_to(world, 0.6, &error), VXE_OK);
    check_near("strain, lengthened", strain_of(world), 0.5 * 1.5 / 3, 1e-6);
    assert_int_equal(vxe_world_set_target(world, 2, 1, &error), VXE_ERROR_ARGUMENT);
    assert_int_equal(vxe_world_set_target(world, 1, 0.05, &error), VXE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "0.05 to 0.05"));
    assert_int_equal(vxe_world_set_target(world, 1, (double)NAN, &error), VXE_ERROR_ARGUMENT);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A target so wide that the dashpots need more damping iterations than at the start: memory for
 * them was reserved, and the bar reaches the size asked for. */
static void targets_may_need_more_damping_iterations(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 0.5;
    vxe_design *design = block_design(&m, 4, 1, 1);
    make_groups(design);
    vxe_world_def def = vxe_world_def_default();
    def.damping = VXE_DAMPING_SWEEP;
    vxe_world *world = make_world(design, &def);
    const uint32_t damping_iterations = vxe_world_describe(world).damping_sweeps;
    vxe_error error;
    assert_int_equal(vxe_world_set_target(world, 1, 3, &error), VXE_OK);
    print_message("  %u damping iterations, then %u\n", damping_iterations,
                  vxe_world_describe(world).damping_sweeps);
    assert_true(damping_iterations < 3 && vxe_world_describe(world).damping_sweeps >= 3);
    assert_int_equal(vxe_world_advance_to(world, 0.5, &error), VXE_OK);
    check_near("strain", strain_of(world), 2 * 1.5 / 3, 1e-6);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* Growth that begins before the initial size never leaves the range of sizes; bounds of an
 * actuation that is off have no effect. */
static void sizes_stay_between_their_bounds(void **state)
{
    (void)state;
    for (int row = 0; row < 3; row++) {
        const double initial[3] = {5, 0.2, 1};
        const double final[3] = {0.5, 5, 1};
        vxe_design *design = free_bar(false);
        design->actuation.max = 0.5;
        design->stop.settle_time = 0.5;
        set_layer(design, "InitialSize", initial[row]);
        set_layer(design, "FinalSize", final[row]);
        vxe_world *world = make_world(design, NULL);
        double edge[4];
        vxe_error error;
        for (int i = 1; i <= 20; i++) {
            assert_int_equal(vxe_world_advance_to(world, 0.02 * i, &error), VXE_OK);
            vxe_world_sense(world, &(vxe_sensors){.edge = edge});
            const double min = fmin(1, fmin(initial[row], final[row])) * EDGE;
            const double max = fmax(1, fmax(initial[row], final[row])) * EDGE;
            const double rounding = by_precision(1e-15, 1e-8);
            assert_true(edge[1] > min - rounding && edge[1] < max + rounding);
        }
        check_relative("edge at the end, m", edge[1], final[row] * EDGE, 1e-6);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Where edges jump, the energy gained by springs is work of actuation, and all threads see the same
 * jump. The balance oscillates by (w h)^2/8 of the oscillating energy: 5e-3 at a tenth of the step.
 */
static void targets_close_the_energy_balance(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (uint32_t threads = 1; threads <= 4; threads++) {
        vxe_design *design = free_bar(true);
        make_groups(design);
        vxe_world_def def = vxe_world_def_default();
        def.audit = threads == 4;
        def.threads = threads;
        def.damping = VXE_DAMPING_EXPLICIT;
        def.step_scale = 0.1;
        vxe_world *world = make_world(design, &def);
        const double targets[4] = {0.9, 1.2, 0.8, 1};
        vxe_error error;
        for (int i = 0; i < 4; i++) {
            assert_int_equal(vxe_world_set_target(world, (uint32_t)i % 2, targets[i], &error),
                             VXE_OK);
            assert_int_equal(vxe_world_advance(world, 700, &error), VXE_OK);
        }
        assert_true(threads == 1 || vxe_world_hash(world) == first);
        first = vxe_world_hash(world);
        if (def.audit) {
            const vxe_energy e = vxe_world_energy(world);
            check_below("drift of the balance, of the work",
                        fabs(e.balance - e.balance_start) / e.work_actuation, 5e-3);
            check_below("and work there was, J", 0.01, e.work_actuation);
        }
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* The strain of a voxel beside a broken bond is that of its remaining bond. */
static void sensors_pass_over_broken_bonds(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.model = VXE_MATERIAL_LINEAR_FAILING;
    m.fail_strain = 0.1;
    vxe_design *design = block_design(&m, 3, 1, 1);
    vxe_world *world = make_world(design, NULL);
    vxe_error error;
    const double away[3] = {0.045, 0.5 * EDGE, 0.5 * EDGE};
    const double pulled[3] = {0.0153, 0.5 * EDGE, 0.5 * EDGE};
    assert_int_equal(vxe_world_place(world, 2, away, NULL, NULL, NULL, &error), VXE_OK);
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    assert_int_equal(vxe_world_place(world, 1, pulled, NULL, NULL, NULL, &error), VXE_OK);
    double strain[9];
    vxe_world_sense(world, &(vxe_sensors){.strain = strain});
    check_near("strain of the first", strain[0], 0.03, 1e-4);
    check_near("strain of the second", strain[3], strain[0], 1e-12);
    assert_true(strain[6] == 0);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A bar under tension on the floor: strain sigma/E, floor load m g. A voxel on top of it and the
 * one below sense each other, and no other does. What still oscillates after 3 s, and the floor's
 * friction, are far below a part in 500 of the strain. */
static void sensors_read_strain_floor_load_and_contact(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.bond_damping = 1;
    m.global_damping = 0.01;
    m.collision_damping = 0.5;
    vxe_design *design = block_design(&m, 4, 1, 1);
    vxe_error error;
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    design->self_collision = true;
    hold_plane(design, 0, 0, VXE_FIX_X, NULL, NULL);
    hold_plane(design, 0, 3, 0, (double[3]){1, 0, 0}, NULL);
    /* a voxel on top of the third, sunk in by its weight */
    assert_int_equal(vxe_design_add_voxel(design, 2, 0, 2, 0, &error), VXE_OK);
    vxe_world *world = make_world(design, NULL);
    assert_int_equal(vxe_world_advance_to(world, 3, &error), VXE_OK);
    double strain[15];
    double floor[5];
    uint8_t touched[5];
    double stress[15];
    double energy[5];
    double contact[5];
    vxe_world_sense(world, &(vxe_sensors){.strain = strain,
                                          .stress = stress,
                                          .energy = energy,
                                          .floor = floor,
                                          .contact = contact,
                                          .touched = touched});
    double weight = 0;
    for (int v = 0; v < 4; v++) {
        check_near("strain along the bar", strain[3 * v], 1 / (1e6 * EDGE * EDGE), 2e-5);
        assert_true(strain[3 * v + 1] == 0 && strain[3 * v + 2] == 0);
        check_relative("stress along the bar, Pa", stress[3 * v], 1 / (EDGE * EDGE), 2e-3);
        check_relative("energy, J", energy[v], (v == 0 || v == 3 ? 0.5 : 1) * 0.5 / (1e6 * EDGE),
                       4e-3);
        weight += floor[v];
    }
    double pushed = 0;
    for (int v = 0; v < 4; v++) {
        pushed += contact[v] - floor[v];
    }
    check_relative("weight on the bar, N", pushed, MASS * 9.81, by_precision(1e-6, 1e-3));
    check_relative("and on the one above", contact[4], pushed, 1e-12);
    assert_true(contact[0] == floor[0] && energy[4] == 0);
    check_relative("weight on the floor, N", weight, 5 * MASS * 9.81, 1e-4);
    assert_true(floor[4] == 0 && touched[2] == 1 && touched[4] == 1);
    assert_true(touched[0] == 0 && touched[3] == 0);
    vxe_body bodies[2];
    double at[3];
    assert_int_equal(vxe_world_describe(world).bodies, 2);
    vxe_world_bodies(world, bodies);
    position_of(world, 4, at);
    assert_true(bodies[0].voxels == 4 && bodies[1].voxels == 1);
    check_relative("mass of the bar, kg", bodies[0].mass, 4 * MASS, 1e-6);
    check_near("height of the other, m", bodies[1].center[2], at[2], 1e-9);
    check_near("middle of the bar, m", bodies[0].center[0], 2 * EDGE + 1.5 * 0.01 * EDGE, 1e-6);
    assert_true(fabs(bodies[0].velocity[0]) < 1e-6);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* One of several robots on the floor, which waves, grows, or both. */
static vxe_design *grower(int i)
{
    vxe_material m = standard_material();
    m.bond_damping = i % 2 ? 1 : 0.1;
    m.thermal_expansion = 0.01;
    m.static_friction = m.dynamic_friction = 0.5;
    vxe_design *design = block_design(&m, 3 + i % 3, 3, 2);
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    design->stop.settle_time = 0.01 * (i % 4);
    design->actuation = (vxe_actuation){.enabled = i % 5 != 4,
                                        .amplitude = 10,
                                        .period = 0.05,
                                        .start = 0.005 * (i % 3),
                                        .max = i % 3 == 2 ? 1 : 0};
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        vxe_design_layer(design, "PhaseOffset", 1)->values[v] = 0.3 * design->voxels[v].position[0];
        if (i % 2) {
            vxe_design_layer(design, "Frequency", 1)->values[v] = 1 + 0.2 * (double)(v % 4);
        }
        if (i % 3) {
            vxe_design_layer(design, "FinalSize", 1)->values[v] = 1 + 0.05 * (double)(v % 5);
            vxe_design_layer(design, "GrowthTime", 1)->values[v] = 0.02;
        }
    }
    return design;
}

/* The energy audit closes where voxels grow and wave individually. */
static void growth_closes_the_energy_balance(void **state)
{
    (void)state;
    for (int i = 1; i < 3; i++) {
        vxe_design *design = grower(i);
        vxe_world_def def = vxe_world_def_default();
        def.audit = true;
        def.step_scale = 0.2;
        vxe_world *world = make_world(design, &def);
        check_audit("grower", world, 6000, 1e-3);
        assert_true(vxe_world_energy(world).work_actuation != 0);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* The same bits alone, for any number of threads, and in lanes among robots of one wave. */
static void growers_have_the_same_bits_in_any_batch(void **state)
{
    (void)state;
    check_same_bits(grower, 24, 400);
}

/* A scene keeps the layers and schedules that control sizes. */
static void sizes_are_written_and_read(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *first = grower(5);
    double table[4] = {0, 1, 1.0 / 3, 1.2};
    vxe_group_schedule schedule = {1, table, 2};
    make_groups(first);
    assert_int_equal(vxe_design_add_schedule(first, &schedule, &error), VXE_OK);
    first->actuation.min = 0.9;
    assert_int_equal(vxe_design_write(first, "engine_sizes_test.json", &error), VXE_OK);
    vxe_design *second = vxe_design_read("engine_sizes_test.json", &error);
    assert_non_null(second);
    assert_true(second->actuation.start == first->actuation.start);
    assert_true(second->actuation.min == 0.9 && second->actuation.max == 1);
    assert_int_equal(second->schedule_count, 1);
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        vxe_world *world = make_world(i ? second : first, NULL);
        assert_int_equal(vxe_world_advance(world, 300, &error), VXE_OK);
        hashes[i] = vxe_world_hash(world);
        vxe_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
    unlink("engine_sizes_test.json");
    vxe_design_destroy(first);
    vxe_design_destroy(second);
}

static void expect_refusal(const vxe_design *design, const char *says)
{
    vxe_error error = {0};
    const vxe_world_def def = vxe_world_def_default();
    assert_null(vxe_world_create(design, &def, &error));
    print_message("  %s\n", error.message);
    assert_non_null(strstr(error.message, says));
}

/* Impossible numbers are refused, with the voxel or the row. */
static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    vxe_error error;
    double table[4] = {0, 1, 0, 1.2};
    vxe_group_schedule schedule = {1, table, 2};
    vxe_design *design = free_bar(true);
    make_groups(design);
    assert_int_equal(vxe_design_add_schedule(design, &schedule, &error), VXE_OK);
    expect_refusal(design, "row 2");
    design->schedules[0].table[2] = 1;
    design->schedules[0].table[3] = 0.102; /* times 0.95 of the wave */
    expect_refusal(design, "voxel (0, 0, 0) 0.0969");
    design->schedules[0].table[3] = 0.5;
    table[2] = 1;
    assert_int_equal(vxe_design_add_schedule(design, &schedule, &error), VXE_OK);
    expect_refusal(design, "two schedules");
    design->schedules[1].group = 7; /* of no voxel: gives a warning */
    vxe_world *world = make_world(design, NULL);
    assert_non_null(strstr(vxe_world_warning(world, 0), "group 7"));
    vxe_world_destroy(world);
    vxe_design_layer(design, "Group", 1)->values[2] = 0.5;
    expect_refusal(design, "layer Group holds 0.5 at voxel (2, 0, 0)");
    vxe_design_layer(design, "Group", 1)->values[2] = 0;
    set_layer(design, "FinalSize", 20);
    expect_refusal(design, "layer FinalSize");
    set_layer(design, "FinalSize", 1);
    design->actuation.max = 0.5;
    expect_refusal(design, "most size 0.5");
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(waves_have_their_frequency_and_bounds),
                                       cmocka_unit_test(actuation_has_its_start),
                                       cmocka_unit_test(voxels_grow),
                                       cmocka_unit_test(groups_follow_their_schedules),
                                       cmocka_unit_test(targets_are_set_from_outside),
                                       cmocka_unit_test(targets_may_need_more_damping_iterations),
                                       cmocka_unit_test(sizes_stay_between_their_bounds),
                                       cmocka_unit_test(targets_close_the_energy_balance),
                                       cmocka_unit_test(sensors_pass_over_broken_bonds),
                                       cmocka_unit_test(sensors_read_strain_floor_load_and_contact),
                                       cmocka_unit_test(growth_closes_the_energy_balance),
                                       cmocka_unit_test(growers_have_the_same_bits_in_any_batch),
                                       cmocka_unit_test(sizes_are_written_and_read),
                                       cmocka_unit_test(wrong_sizes_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
