/* SPDX-License-Identifier: MIT */
/* Tuners: Adam by hand, scores that are those of runs, the same bits however they came about. */
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "engine/batch.h"
#include "evolution/tuning/tuning_internal.h"
#include "support.h"

/* A block of 16 muscles with random phases on the floor, 20 Hz. */
static vxe_design *crawler(void)
{
    vxe_material m = standard_material();
    m.thermal_expansion = 0.01;
    m.bond_damping = 0.3;
    m.collision_damping = 0.3;
    m.static_friction = 0.8;
    m.dynamic_friction = 0.5;
    vxe_design *design = block_design(&m, 4, 2, 2);
    vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    uint64_t seed = 7;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        phase->values[v] = 0.5 + 0.5 * random_unit(&seed);
    }
    design->actuation = (vxe_actuation){.enabled = true, .amplitude = 12, .period = 0.05};
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    design->stop.duration = 0.15;
    return design;
}

static vxe_tuner *tuner_of(const vxe_design *design, const vxe_tuner_def *def)
{
    vxe_error error = {0};
    vxe_tuner *tuner = vxe_tuner_create(design, def, &error);
    if (!tuner) {
        fail_msg("%s", error.message);
    }
    return tuner;
}

static void iterate(vxe_tuner *tuner, int times)
{
    for (int i = 0; i < times; i++) {
        vxe_error error = {0};
        if (vxe_tuner_step(tuner, &error)) {
            fail_msg("%s", error.message);
        }
    }
}

/* Two numbers, three gradients, against the formulas of Kingma2015 written out. The second number
   meets its bound. */
static void adam_moves_as_by_hand(void **state)
{
    (void)state;
    uint8_t kind[2] = {VXE_TUNED_PHASE, VXE_TUNED_AMPLITUDE};
    uint32_t voxel[2] = {0, 0};
    double low[2] = {-HUGE_VAL, 0};
    double high[2] = {HUGE_VAL, 2};
    double unit[2] = {1, 2};
    double value[2] = {0.25, 1.85};
    double mean[2] = {0};
    double square[2] = {0};
    vxe_tuned_numbers numbers = {2, kind, voxel, low, high, unit, value, mean, square};
    vxe_tuner_def def = vxe_tuner_def_default();
    def.kept[0] = 0.9;
    def.kept[1] = 0.99;
    def.kind[VXE_TUNED_PHASE].rate = 0.04;
    def.kind[VXE_TUNED_AMPLITUDE].rate = 0.05;
    const double g[3][2] = {{3, 0.001}, {-1, 0.002}, {0.5, -0.004}};
    vxe_adam_step(&numbers, g[0], &def, 1);
    check_near("the first step is the rate", value[0], 0.29, 1e-12);
    check_near("and that of a range", value[1], 1.95, 1e-9);
    vxe_adam_step(&numbers, g[1], &def, 2);
    const double m2 = 0.9 * 0.1 * 3 + 0.1 * -1;
    const double s2 = 0.99 * 0.01 * 9 + 0.01 * 1;
    const double second = 0.29 + 0.04 * (m2 / (1 - 0.81)) / sqrt(s2 / (1 - 0.9801));
    check_near("the second", value[0], second, 1e-12);
    check_near("a bound", value[1], 2, 0);
    vxe_adam_step(&numbers, g[2], &def, 3);
    const double m3 = 0.9 * m2 + 0.1 * 0.5;
    const double s3 = 0.99 * s2 + 0.01 * 0.25;
    check_near("the third", value[0],
               second + 0.04 * (m3 / (1 - 0.729)) / sqrt(s3 / (1 - 0.970299)), 1e-12);
    const double w3 = (0.81 * 0.1 * 1 + 0.9 * 0.1 * 2 - 0.1 * 4) * 0.002 / (1 - 0.729);
    const double q3 = (0.9801 * 1 + 0.99 * 4 + 16) * 0.01 * 4e-6 / (1 - 0.970299);
    check_near("and off the bound", value[1], 2 + 0.05 * 2 * w3 / sqrt(q3), 1e-9);
}

enum { ALL_KINDS = (1u << VXE_TUNED_KINDS) - 1 };

/* Numbers go into the fields of their voxels, in their units, within bounds from their materials.
 */
static void numbers_go_into_fields(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = crawler();
    vxe_tuner_def def = vxe_tuner_def_default();
    vxe_tuned_numbers numbers = {0};
    double values[VXE_TUNED_FIELDS][16];
    double *const field[VXE_TUNED_FIELDS] = {values[0], values[1], values[2], values[3]};
    vxe_layer *layer = vxe_design_layer(design, "Amplitude", 1);
    for (uint32_t v = 0; v < 16; v++) {
        layer->values[v] = v == 3 ? 1.5 : 0.5;
    }
    def.by = ALL_KINDS;
    assert_false(vxe_tuned_list(&numbers, design, &def, &error));
    assert_int_equal(numbers.count, 64);
    check_near("the largest amplitude", numbers.high[20], 1.5, 0);
    check_near("ten times softer", exp(numbers.low[40]), 1e5, 1e-6);
    check_near("three times as stiff", exp(numbers.high[40]), 3e6, 1e-5);
    check_near("half there", numbers.value[50], 0.5, 0);
    numbers.value[5] = -0.25;
    numbers.value[6] = 3.125;
    numbers.value[16 + 7] = 0.875;
    numbers.value[32 + 8] = log(2e6);
    for (uint32_t v = 0; v < 16; v++) {
        numbers.value[48 + v] = v == 7 ? 0.25 : v == 9 ? 0 : 1;
    }
    vxe_tuned_fill(&numbers, design, numbers.value, field);
    check_near("a phase below 0", values[VXE_FIELD_PHASE][5], 0.75, 0);
    check_near("a phase above 1", values[VXE_FIELD_PHASE][6], 0.125, 0);
    check_near("an amplitude", values[VXE_FIELD_AMPLITUDE][7], 0.875 * 0.25, 0);
    check_near("one that stayed", values[VXE_FIELD_AMPLITUDE][3], 1.5, 0);
    check_near("a stiffness", values[VXE_FIELD_STIFFNESS][8], 2e6, 1e-6);
    check_near("a part of one", values[VXE_FIELD_STIFFNESS][7], 1e6 * (0.01 + 0.99 / 64), 1e-6);
    check_near("a part of a density", values[VXE_FIELD_DENSITY][7], 1e3 * (0.05 + 0.95 / 4), 1e-9);
    check_near("what is not there has some", values[VXE_FIELD_DENSITY][9], 50, 1e-9);
    vxe_tuned_clear(&numbers);
    vxe_design_destroy(design);
}

/* Derivatives by fields become those by numbers: a sum of fields with random weights, against
   central differences. Bound: 1e-7 of its largest, what differences of 1e-5 neglect and round. */
static void derivatives_come_back_to_numbers(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = crawler();
    vxe_tuner_def def = vxe_tuner_def_default();
    const double size[VXE_TUNED_FIELDS] = {1, 1, 1e-6, 1e-3};
    const uint32_t sets[4] = {ALL_KINDS, 1u << VXE_TUNED_OCCUPANCY, 1u << VXE_TUNED_STIFFNESS,
                              1u << VXE_TUNED_PHASE | 1u << VXE_TUNED_AMPLITUDE};
    for (int set = 0; set < 4; set++) {
        vxe_tuned_numbers numbers = {0};
        double values[VXE_TUNED_FIELDS][16];
        double weights[VXE_TUNED_FIELDS][16];
        double *const field[VXE_TUNED_FIELDS] = {values[0], values[1], values[2], values[3]};
        double *const by_field[VXE_TUNED_FIELDS] = {weights[0], weights[1], weights[2], weights[3]};
        double by_number[64] = {0};
        double worst = 0;
        uint64_t seed = 5;
        def.by = sets[set];
        assert_false(vxe_tuned_list(&numbers, design, &def, &error));
        for (uint32_t i = 0; i < numbers.count; i++) {
            numbers.value[i] += 0.3 * random_unit(&seed);
        }
        for (uint32_t k = 0; k < VXE_TUNED_FIELDS * 16; k++) {
            weights[k / 16][k % 16] = size[k / 16] * random_unit(&seed);
        }
        vxe_tuned_chain(&numbers, design, numbers.value, field, by_field, by_number);
        for (uint32_t i = 0; i < numbers.count; i++) {
            double sum[2] = {0};
            const double before = numbers.value[i];
            for (int side = 0; side < 2; side++) {
                numbers.value[i] = before + (side ? -1e-5 : 1e-5);
                vxe_tuned_fill(&numbers, design, numbers.value, field);
                for (uint32_t k = 0; k < VXE_TUNED_FIELDS * 16; k++) {
                    sum[side] += weights[k / 16][k % 16] * values[k / 16][k % 16];
                }
            }
            numbers.value[i] = before;
            worst = fmax(worst, fabs((sum[0] - sum[1]) / 2e-5 - by_number[i]));
        }
        check_below("derivatives by numbers", worst, 1e-7);
        vxe_tuned_clear(&numbers);
    }
    vxe_design_destroy(design);
}

/* The body of occupancies: what is there by half, of that the largest piece, and of equal pieces
   the first; layers go with their voxels. */
static void bodies_are_the_largest_pieces(void **state)
{
    (void)state;
    vxe_error error = {0};
    const vxe_material m = standard_material();
    const double occupancy[3][7] = {
        {1, 0.4, 0.6, 0.5, 0.9, 0, 1}, {1, 1, 0.49, 0.5, 1, 0.1, 0}, {0, 0, 0.4, 0, 0, 0, 0.1}};
    const uint32_t first[3] = {2, 0, 0};
    const uint32_t count[3] = {3, 2, 0};
    for (int i = 0; i < 3; i++) {
        vxe_design *design = block_design(&m, 7, 1, 1);
        for (uint32_t v = 0; v < 7; v++) {
            const double rate[3] = {v, 0, 0};
            vxe_design_layer(design, "PhaseOffset", 1)->values[v] = 0.1 * v;
            assert_false(vxe_design_set_velocity(design, v, rate, rate, &error));
        }
        const vxe_status status = vxe_tuned_carve(design, occupancy[i], &error);
        assert_int_equal(status, count[i] > 0 ? VXE_OK : VXE_ERROR_INPUT);
        assert_int_equal(design->voxel_count, count[i]);
        for (uint32_t v = 0; v < count[i]; v++) {
            const uint32_t was = first[i] + v;
            assert_int_equal(design->voxels[v].position[0], was);
            check_near("phase", vxe_design_find_layer(design, "PhaseOffset")->values[v], 0.1 * was,
                       0);
            check_near("velocity", design->velocity[6 * v], was, 0);
        }
        vxe_design_destroy(design);
    }
}

/* A formula of the way: its value by places, its derivatives by velocities. Bound: 1e-8, what
   central differences neglect and round. */
static void formulas_have_their_derivatives(void **state)
{
    (void)state;
    vxe_design *design = crawler();
    vxe_tuner_def def = vxe_tuner_def_default();
    def.formula = "x*exp(y) - 3*z^2/t";
    vxe_tuner *tuner = tuner_of(design, &def);
    vxe_gradient_sample samples[3] = {
        {0, {0.1, 0.2, 0.3}, {0}}, {0.5, {9, 9, 9}, {0}}, {2, {0.4, 0.1, 0.5}, {0}}};
    vxe_gradient_sample weights[3] = {{0}};
    const double x = 0.3;
    const double y = -0.1;
    const double z = 0.2;
    check_near("value", vxe_tuner_objective(tuner, 0, samples, 3, weights),
               x * exp(y) - 3 * z * z / 2, 1e-12);
    const double slope[3] = {exp(y), x * exp(y), -6 * z / 2};
    const double part[3] = {0.25, 1, 0.75}; /* s: trapezia */
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            check_near("by a velocity", weights[i].velocity[c], part[i] * slope[c], 1e-8);
            check_near("by a place", weights[i].center[c], 0, 0);
        }
    }
    vxe_tuner_destroy(tuner);
    vxe_design_destroy(design);
}

typedef struct sums {
    vxe_tuner *tuner;
    double value, sum;
} sums;

static double compare_sum(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                          uint32_t count, vxe_gradient_sample *weights)
{
    sums *s = user;
    s->value = vxe_tuner_objective(s->tuner, robot, samples, count, weights);
    s->sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        s->sum += weights[i].velocity[0] * samples[i].velocity[0];
    }
    return s->value;
}

/* Mean speeds are what sums of sampled velocities say. Bound: 2 mm/s, a twentieth of the speeds of
   centres here; what is between two samples. With settling, ways count from its end. */
static void sums_of_velocities_are_ways(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = crawler();
    const vxe_tuner_def def = vxe_tuner_def_default();
    for (int settles = 0; settles < 2; settles++) {
        design->stop.settle_time = settles ? 0.05 : 0;
        vxe_tuner *tuner = tuner_of(design, &def);
        sums s = {.tuner = tuner};
        assert_false(vxe_gradient_run(tuner->gradient, compare_sum, &s, &error));
        print_message("  %g m/s, %d steps between samples\n", s.value, (int)tuner->sample_every);
        assert_true(tuner->sample_every > 1);
        check_near("sum of velocities", s.sum, s.value, 2e-3);
        vxe_tuner_destroy(tuner);
    }
    vxe_design_destroy(design);
}

/* Scores rise, and are those of plain runs of the designs that come out: to 1e-12, since both take
   the way from the same places. */
static void check_scores(uint32_t by, double least, double runs)
{
    vxe_error error = {0};
    vxe_design *design = crawler();
    design->stop.settle_time = 0.02;
    vxe_tuner_def def = vxe_tuner_def_default();
    def.by = by;
    vxe_tuner *tuner = tuner_of(design, &def);
    iterate(tuner, 15);
    const vxe_tuner_facts facts = vxe_tuner_describe(tuner);
    const double first = vxe_tuner_row_of(tuner, 1).score;
    print_message("  from %g to %g m/s in iteration %u\n", first, facts.best, facts.best_at);
    assert_true(facts.best > first + least);
    assert_int_equal(facts.iterations, 15);
    assert_int_equal(facts.kept, VXE_TUNER_KEPT);
    check_near("cost", facts.runs, 15 * runs, 1e-9);
    vxe_batch_def batch_def = vxe_batch_def_default();
    batch_def.world = vxe_tuner_world(tuner);
    vxe_batch *batch = vxe_batch_create(&batch_def, &error);
    vxe_design *kept[VXE_TUNER_KEPT];
    double scores[VXE_TUNER_KEPT];
    for (uint32_t k = 0; k < VXE_TUNER_KEPT; k++) {
        uint32_t iteration = 0;
        assert_false(vxe_tuner_design(tuner, k, &kept[k], &scores[k], &iteration, &error));
        check_near("its row", vxe_tuner_row_of(tuner, iteration).score, scores[k], 0);
        assert_true(k == 0 || scores[k] <= scores[k - 1]);
        assert_false(vxe_batch_add(batch, kept[k], &error));
    }
    assert_int_equal(vxe_tuner_design(tuner, VXE_TUNER_KEPT, &kept[0], NULL, NULL, &error),
                     VXE_ERROR_ARGUMENT);
    assert_false(vxe_batch_run(batch, NULL, NULL, &error));
    for (uint32_t k = 0; k < VXE_TUNER_KEPT; k++) {
        check_near("a plain run", vxe_batch_result_of(batch, k).fitness, scores[k], 1e-12);
        vxe_design_destroy(kept[k]);
    }
    vxe_batch_destroy(batch);
    vxe_tuner_destroy(tuner);
    vxe_design_destroy(design);
}

static void scores_rise_and_are_those_of_runs(void **state)
{
    (void)state;
    const uint32_t wave = 1u << VXE_TUNED_PHASE | 1u << VXE_TUNED_AMPLITUDE;
    check_scores(wave, 0.015, VXE_GRADIENT_RUNS);
    check_scores(1u << VXE_TUNED_PHASE | 1u << VXE_TUNED_STIFFNESS, 0.015,
                 VXE_GRADIENT_RUNS_MATERIALS);
    check_scores(1u << VXE_TUNED_PHASE | 1u << VXE_TUNED_OCCUPANCY, 0.005,
                 VXE_GRADIENT_RUNS_MATERIALS + 1);
}

/* The state after so many iterations, of which the first few are made by another tuner. */
static char *state_after(const vxe_tuner_def *def, int before, int behind, uint64_t *size)
{
    vxe_error error = {0};
    vxe_design *design = crawler();
    vxe_tuner *tuner = tuner_of(design, def);
    if (before > 0) {
        vxe_tuner *other = tuner_of(design, def);
        iterate(other, before);
        char *bytes = vxe_tuner_save(other, size, &error);
        assert_false(vxe_tuner_restore(tuner, bytes, *size, &error));
        vxe_memory_release(bytes);
        vxe_tuner_destroy(other);
    }
    iterate(tuner, behind);
    char *bytes = vxe_tuner_save(tuner, size, &error);
    assert_non_null(bytes);
    vxe_tuner_destroy(tuner);
    vxe_design_destroy(design);
    return bytes;
}

static void bits_do_not_depend_on_resume_or_threads(void **state)
{
    (void)state;
    uint64_t size[2];
    vxe_tuner_def def = vxe_tuner_def_default();
    def.copies = 20; /* more than a vector has lanes */
    def.world.threads = 1;
    char *whole = state_after(&def, 0, 7, &size[0]);
    for (int i = 0; i < 2; i++) {
        def.world.threads = i == 0 ? 1 : 3;
        char *other = state_after(&def, i == 0 ? 3 : 0, i == 0 ? 4 : 7, &size[1]);
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(whole, other, size[0]);
        vxe_memory_release(other);
    }
    def.seed = 1; /* other copies */
    char *other = state_after(&def, 0, 7, &size[1]);
    assert_memory_not_equal(whole + 64, other + 64, 16);
    vxe_memory_release(other);
    vxe_memory_release(whole);
}

/* What is no state of this tuner is refused, and it stays as it is. */
static void wrong_states_are_refused(void **state)
{
    (void)state;
    uint64_t size;
    uint64_t again;
    vxe_error error = {0};
    vxe_design *design = crawler();
    vxe_tuner_def def = vxe_tuner_def_default();
    vxe_tuner *tuner = tuner_of(design, &def);
    iterate(tuner, 2);
    char *bytes = vxe_tuner_save(tuner, &size, &error);
    for (uint64_t cut = 0; cut < size; cut += 8) {
        assert_int_equal(vxe_tuner_restore(tuner, bytes, cut, &error), VXE_ERROR_INPUT);
    }
    bytes[200] ^= 1;
    assert_int_equal(vxe_tuner_restore(tuner, bytes, size, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "damaged"));
    bytes[200] ^= 1;
    def.forget = 0.01;
    vxe_tuner *other = tuner_of(design, &def);
    assert_int_equal(vxe_tuner_restore(other, bytes, size, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "other choices"));
    vxe_tuner_destroy(other);
    char *same = vxe_tuner_save(tuner, &again, &error);
    assert_int_equal(size, again);
    assert_memory_equal(bytes, same, size);
    vxe_memory_release(same);
    vxe_memory_release(bytes);
    vxe_tuner_destroy(tuner);
    vxe_design_destroy(design);
}

/* Copies so far from the design that some of them diverge, at a step that suits the design alone:
   they are left out and counted. Where all diverge, the numbers go back beside the best; and where
   there is no best, the tuner says so. */
static void diverged_copies_are_left_out(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = crawler();
    vxe_layer *amplitude = vxe_design_layer(design, "Amplitude", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        amplitude->values[v] = 1;
    }
    vxe_tuner_def def = vxe_tuner_def_default();
    def.by = 1u << VXE_TUNED_AMPLITUDE;
    def.kind[VXE_TUNED_AMPLITUDE].high = 7;
    def.kind[VXE_TUNED_AMPLITUDE].spread = 0.25;
    def.copies = 12;
    def.world.step_rule = VXE_STEP_SECONDS;
    def.world.step_seconds = 1.08e-4;
    vxe_tuner *tuner = tuner_of(design, &def);
    iterate(tuner, 1);
    const vxe_tuner_row row = vxe_tuner_row_of(tuner, 1);
    print_message("  %u of 12 diverged\n", row.diverged);
    assert_true(row.diverged > 0 && row.diverged < 12);
    assert_true(isfinite(row.score) && isfinite(row.growth));
    assert_int_equal(vxe_tuner_describe(tuner).diverged, row.diverged);
    for (uint32_t i = 0; i < tuner->numbers.count; i++) {
        assert_true(isfinite(tuner->numbers.value[i]));
        tuner->numbers.value[i] = 7; /* from here all diverge */
    }
    for (int kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        tuner->def.kind[kind].spread = 1e-3;
    }
    iterate(tuner, 1);
    assert_int_equal(vxe_tuner_row_of(tuner, 2).diverged, 12);
    assert_true(isnan(vxe_tuner_row_of(tuner, 2).score));
    check_near("best", vxe_tuner_row_of(tuner, 2).best, row.score, 0);
    for (uint32_t i = 0; i < tuner->numbers.count; i++) {
        check_near("back beside the best", tuner->numbers.value[i], 1, 0.05);
        check_near("and nothing gathered", tuner->numbers.square[i], 0, 0);
    }
    iterate(tuner, 1);
    assert_true(isfinite(vxe_tuner_row_of(tuner, 3).score));
    assert_int_equal(tuner->moments, 1);
    vxe_tuner_destroy(tuner);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        vxe_design_layer(design, "Amplitude", 1)->values[v] = 7;
    }
    def.kind[VXE_TUNED_AMPLITUDE].high = 1;
    def.kind[VXE_TUNED_AMPLITUDE].spread = 0;
    tuner = tuner_of(design, &def);
    error = (vxe_error){.status = VXE_OK};
    assert_int_equal(vxe_tuner_step(tuner, &error), VXE_ERROR_DIVERGED);
    assert_int_equal(error.status, VXE_ERROR_DIVERGED);
    assert_non_null(strstr(error.message, "diverged"));
    assert_int_equal(vxe_tuner_describe(tuner).iterations, 0);
    vxe_tuner_destroy(tuner);
    vxe_design_destroy(design);
}

/* Of several copies each counts alike, however long its gradient is: the mean of three equal ones
 * has the length 1. Of one the gradient is as it is. */
static void copies_count_alike(void **state)
{
    (void)state;
    double length[2] = {0, 0};
    vxe_design *design = crawler();
    for (int k = 0; k < 2; k++) {
        vxe_tuner_def def = vxe_tuner_def_default();
        def.copies = k == 0 ? 1 : 3;
        def.kind[VXE_TUNED_PHASE].spread = 0;
        vxe_tuner *tuner = tuner_of(design, &def);
        iterate(tuner, 1);
        for (uint32_t i = 0; i < tuner->numbers.count; i++) {
            length[k] += tuner->by_number[i] * tuner->by_number[i];
        }
        vxe_tuner_destroy(tuner);
    }
    assert_true(length[0] > 0 && fabs(length[0] - 1) > 0.01);
    check_near("length of the mean of copies", length[1], 1, 1e-12);
    vxe_design_destroy(design);
}

static void check_refusal(const vxe_design *design, const vxe_tuner_def *def, const char *says)
{
    vxe_error error = {0};
    vxe_tuner *tuner = vxe_tuner_create(design, def, &error);
    if (tuner || !strstr(error.message, says)) {
        fail_msg("\"%s\", where \"%s\" was expected", error.message, says);
    }
}

static void wrong_choices_are_refused(void **state)
{
    (void)state;
    vxe_design *design = crawler();
    const vxe_tuner_def usual = vxe_tuner_def_default();
    vxe_tuner_def def = usual;
    def.cookie = 0;
    check_refusal(design, &def, "vxe_tuner_def_default");
    def = usual;
    def.by = 0;
    check_refusal(design, &def, "`by`");
    def.by = 1u << VXE_TUNED_KINDS;
    check_refusal(design, &def, "`by`");
    def = usual;
    def.kind[VXE_TUNED_AMPLITUDE].low = 2;
    check_refusal(design, &def, "amplitude: a range from 2 to 1");
    def = usual;
    def.kind[VXE_TUNED_PHASE].rate = 0;
    check_refusal(design, &def, "a rate of 0");
    def = usual;
    def.kind[VXE_TUNED_STIFFNESS].low = 0;
    check_refusal(design, &def, "low above 0");
    def = usual;
    def.kind[VXE_TUNED_OCCUPANCY].high = 1.5;
    check_refusal(design, &def, "<= 1");
    def = usual;
    def.copies = 0;
    check_refusal(design, &def, "copies");
    def = usual;
    def.kept[1] = 1;
    check_refusal(design, &def, "Adam");
    def = usual;
    def.formula = "x + ";
    check_refusal(design, &def, "character");
    def.formula = "2*t";
    check_refusal(design, &def, "none of x, y and z");
    def = usual;
    def.seconds = 1e-9;
    design->stop.settle_time = 0.01;
    check_refusal(design, &def, "is over before its score begins");
    design->stop.settle_time = 0;
    def = usual;
    def.world.step_rule = VXE_STEP_SOURCE;
    check_refusal(design, &def, "auto, or seconds");
    def = usual; /* at the end of the range edges would be shorter than a tenth */
    def.by = 1u << VXE_TUNED_AMPLITUDE;
    def.kind[VXE_TUNED_AMPLITUDE].high = 100;
    check_refusal(design, &def, "edge");
    def.world.step_rule = VXE_STEP_SECONDS;
    def.world.step_seconds = 1e-5;
    check_refusal(design, &def, "edge");
    def = usual;
    def.by = 1u << VXE_TUNED_AMPLITUDE;
    vxe_design_layer(design, "Amplitude", 1)->values[2] = -1;
    check_refusal(design, &def, "voxel 2 has a number for amplitude of -1");
    def.by = 1u << VXE_TUNED_STIFFNESS;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        vxe_design_layer(design, "Stiffness", 1)->values[v] = 4e6;
    }
    check_refusal(design, &def, "voxel 0 has a number for stiffness of 4e+06");
    vxe_design_destroy(design);
}

static void designs_without_a_gradient_are_refused(void **state)
{
    (void)state;
    vxe_error error = {0};
    const vxe_tuner_def usual = vxe_tuner_def_default();
    vxe_design *design = crawler();
    design->volume_effects = true;
    check_refusal(design, &usual, "no gradient through Poisson's ratio");
    design->volume_effects = false;
    vxe_tuner_def def = usual;
    def.world.damping = VXE_DAMPING_SWEEP;
    def.by = 1u << VXE_TUNED_STIFFNESS;
    check_refusal(design, &def, "numbers of materials");
    def.by = 1u << VXE_TUNED_PHASE;
    vxe_tuner *iterates = tuner_of(design, &def);
    iterate(iterates, 1);
    assert_true(isfinite(vxe_tuner_row_of(iterates, 1).score));
    vxe_tuner_destroy(iterates);
    design->stop.duration = 0;
    check_refusal(design, &usual, "say how many seconds a run has");
    design->stop.duration = 0.1;
    design->stop.settle_time = 0.1;
    check_refusal(design, &usual, "over before its score begins to count, at 0.1 s");
    design->stop.settle_time = 0;
    assert_false(vxe_design_set_formula(design, VXE_FORMULA_STOP, "t > 0.05", &error));
    check_refusal(design, &usual, "a formula ends the run");
    assert_false(vxe_design_set_formula(design, VXE_FORMULA_STOP, NULL, &error));
    design->actuation.enabled = false;
    check_refusal(design, &usual, "nothing to tune");
    design->actuation.enabled = true;
    design->materials[0].thermal_expansion = 0;
    check_refusal(design, &usual, "nothing to tune");
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_count_alike),
                                       cmocka_unit_test(adam_moves_as_by_hand),
                                       cmocka_unit_test(numbers_go_into_fields),
                                       cmocka_unit_test(derivatives_come_back_to_numbers),
                                       cmocka_unit_test(bodies_are_the_largest_pieces),
                                       cmocka_unit_test(formulas_have_their_derivatives),
                                       cmocka_unit_test(sums_of_velocities_are_ways),
                                       cmocka_unit_test(scores_rise_and_are_those_of_runs),
                                       cmocka_unit_test(bits_do_not_depend_on_resume_or_threads),
                                       cmocka_unit_test(wrong_states_are_refused),
                                       cmocka_unit_test(diverged_copies_are_left_out),
                                       cmocka_unit_test(wrong_choices_are_refused),
                                       cmocka_unit_test(designs_without_a_gradient_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
