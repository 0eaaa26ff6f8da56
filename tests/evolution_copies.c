/* SPDX-License-Identifier: MIT */
/* Robust fitness: how the copies of a body differ, what their scores say together, and that a body
 * with copies has the score of these copies run one by one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evolution/experiment/evaluation_internal.h"
#include "evolution/experiment/variation.h"
#include "support.h"

enum { COPIES = 5, DRAWS = 64 };

/* An experiment whose "evaluation" is this text. */
static vxe_experiment *experiment_with(const char *evaluation, vxe_error *error)
{
    char text[2400];
    snprintf(
        text, sizeof text,
        "{\"format\": \"voxelastic experiment\", \"version\": 1, \"seed\": 7, \"size\": [4, 4, "
        "3], \"task\": {\"name\": \"walk\", \"duration_s\": 0.3, \"settle_time_s\": 0.05}%s, "
        "\"world\": {\"voxel_size_m\": 0.01, \"actuation\": {\"enabled\": true, "
        "\"amplitude_K\": 14, \"period_s\": 0.1}, \"materials\": [{\"name\": \"soft\", "
        "\"static_friction\": 1, \"dynamic_friction\": 0.5, \"bond_damping\": 0.5}, {\"name\": "
        "\"muscle\", \"thermal_expansion_per_K\": 0.01, \"static_friction\": 1, "
        "\"dynamic_friction\": 0.5, \"bond_damping\": 0.5}]}}",
        evaluation);
    return vxe_experiment_parse("test.json", text, strlen(text), error);
}

static vxe_experiment *robust_experiment(const char *score)
{
    char text[400];
    vxe_error error;
    snprintf(text, sizeof text,
             ", \"evaluation\": {\"copies\": %d, \"score\": \"%s\", \"vary\": {\"friction\": 0.2, "
             "\"stiffness\": 0.1, \"phase\": 0.05, \"slope\": 0.02, \"step\": 0.001}}",
             COPIES, score);
    vxe_experiment *e = experiment_with(text, &error);
    if (!e) {
        fail_msg("%s", error.message);
    }
    return e;
}

/* A walker of the experiment's materials. */
static vxe_design *body_of(const vxe_experiment *e)
{
    vxe_error error;
    vxe_design *design = vxe_design_copy(e->ground, &error);
    for (int k = 0; k < 4 * 3 * 2; k++) {
        assert_int_equal(vxe_design_add_voxel(design, k % 4, k / 4 % 3, k / 12,
                                              k % 4 == 1 || k % 4 == 2 ? 0 : 1, &error),
                         VXE_OK);
    }
    vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        phase->values[v] = 0.1 * (v % 4);
    }
    return design;
}

/* Over many copies each number stays within its part, and comes near both ends of it. */
static void copies_differ_by_what_is_asked(void **state)
{
    (void)state;
    vxe_error error;
    vxe_experiment *e = robust_experiment("median");
    vxe_design *body = body_of(e);
    const uint64_t hash = vxe_design_hash(body);
    double low[5];
    double high[5];
    bool strata[5][DRAWS] = {{false}};
    e->evaluation.copies = DRAWS;
    for (uint32_t copy = 0; copy < DRAWS; copy++) {
        vxe_batch_variant variant;
        vxe_batch_variant again;
        vxe_design *design = vxe_vary(e, body, copy, &variant, &error);
        vxe_design *same = vxe_vary(e, body, copy, &again, &error);
        const vxe_layer *phase = vxe_design_find_layer(design, "PhaseOffset");
        const double g =
            sqrt(design->gravity[0] * design->gravity[0] + design->gravity[1] * design->gravity[1] +
                 design->gravity[2] * design->gravity[2]);
        const double values[5] = {
            design->materials[0].static_friction / body->materials[0].static_friction - 1,
            design->materials[1].youngs_modulus / body->materials[1].youngs_modulus - 1,
            phase->values[3] - 0.3, design->gravity[1] / -design->gravity[2], variant.step - 1};
        const double parts[5] = {0.2, 0.1, 0.05, 0.02, 0.001};
        for (int i = 0; i < 5; i++) {
            const double at = DRAWS * 0.5 * (values[i] / parts[i] + 1);
            strata[i][at < 0 ? 0 : at < DRAWS ? (int)at : DRAWS - 1] = true;
            low[i] = copy == 0 ? values[i] : fmin(low[i], values[i]);
            high[i] = copy == 0 ? values[i] : fmax(high[i], values[i]);
        }
        check_near("weight", g, 9.81, 1e-12);
        assert_true(vxe_design_hash(design) == vxe_design_hash(same));
        assert_true(variant.step == again.step);
        assert_true(vxe_design_hash(design) != hash);
        check_relative("ratio of both frictions", design->materials[1].dynamic_friction,
                       0.5 * design->materials[1].static_friction, 1e-12);
        vxe_design_destroy(design);
        vxe_design_destroy(same);
    }
    const double parts[5] = {0.2, 0.1, 0.05, 0.02, 0.001};
    for (int i = 0; i < 5; i++) {
        assert_true(low[i] >= -parts[i] && high[i] <= parts[i]);
        assert_true(low[i] < -0.9 * parts[i] && high[i] > 0.9 * parts[i]);
    }
    for (int i = 0; i < DRAWS; i++) { /* one copy in each stratum, but for the phases' and the
                                         tilt's, which is a tangent */
        assert_true(strata[0][i] && strata[1][i] && strata[4][i]);
    }
    assert_true(vxe_design_hash(body) == hash);
    vxe_design_destroy(body);
    vxe_experiment_destroy(e);
}

static void scores_are_those_of_their_names(void **state)
{
    (void)state;
    static const struct {
        uint32_t score;
        double of_five, of_four;
    } cases[] = {{VXE_SCORE_MEDIAN, 3, 3.5},
                 {VXE_SCORE_MEAN, 4, 4.25},
                 {VXE_SCORE_WORST, 1, 1},
                 {VXE_SCORE_LOWER_QUARTILE, 2, 2.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const vxe_evaluation_settings settings = {.score = cases[i].score};
        double five[5] = {10, 1, 3, 4, 2};
        double four[4] = {4, 1, 9, 3};
        double deviation = 0;
        check_near("of four", vxe_score_of(&settings, four, 4, &deviation), cases[i].of_four,
                   1e-15);
        check_near("of five", vxe_score_of(&settings, five, 5, &deviation), cases[i].of_five,
                   1e-15);
        check_near("deviation", deviation, sqrt(50.0 / 4), 1e-14);
        check_near("of one", vxe_score_of(&settings, five, 1, &deviation), 1, 0);
        check_near("its deviation", deviation, 0, 0);
    }
}

/* The fitness of a body by its copies is the score of these copies, run one by one. */
static void a_body_has_the_score_of_its_copies(void **state)
{
    (void)state;
    static const char *const scores[] = {"median", "mean", "worst", "lower_quartile"};
    for (size_t s = 0; s < sizeof scores / sizeof scores[0]; s++) {
        vxe_error error;
        vxe_experiment *e = robust_experiment(scores[s]);
        const vxe_runner runner = {.experiment = e, .threads = 1, .step_scale = 1};
        vxe_individual members[2] = {{.body = body_of(e)}, {.body = body_of(e)}};
        members[1].body->materials[1].density *= 1.5;
        const vxe_individual *asked[2] = {&members[0], &members[1]};
        vxe_outcome outcomes[2] = {0};
        vxe_effort effort = {0};
        bool stopped = false;
        assert_int_equal(vxe_run_bodies(&runner, asked, 2, outcomes, &stopped, &effort, &error),
                         VXE_OK);
        assert_int_equal(effort.runs, 2 * COPIES);
        for (int m = 0; m < 2; m++) {
            double values[COPIES];
            double deviation = 0;
            for (uint32_t copy = 0; copy < COPIES; copy++) {
                vxe_batch_variant variant;
                vxe_batch_def def = vxe_batch_def_default();
                vxe_design *design = vxe_vary(e, members[m].body, copy, &variant, &error);
                vxe_batch *batch = vxe_batch_create(&def, &error);
                assert_int_equal(vxe_batch_add_variant(batch, design, &variant, &error), VXE_OK);
                assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
                values[copy] = vxe_batch_result_of(batch, 0).fitness;
                vxe_batch_destroy(batch);
                vxe_design_destroy(design);
            }
            const double want = vxe_score_of(&e->evaluation, values, COPIES, &deviation);
            assert_int_equal(outcomes[m].verdict, VXE_VERDICT_DONE);
            check_near(scores[s], outcomes[m].fitness, want, 0);
            check_near("its spread", outcomes[m].spread, deviation, 0);
            assert_true(deviation > 0);
        }
        assert_true(outcomes[0].fitness != outcomes[1].fitness);
        vxe_design_destroy(members[0].body);
        vxe_design_destroy(members[1].body);
        vxe_experiment_destroy(e);
    }
}

/* A copy without a fitness decides for its body, wherever it stands: here copies that go less than
 * 2 mm, whose logarithm is no number. */
static void a_failing_copy_fails_its_body(void **state)
{
    (void)state;
    vxe_error error;
    vxe_experiment *e = robust_experiment("worst");
    const vxe_runner runner = {.experiment = e, .threads = 1, .step_scale = 1};
    vxe_individual member = {.body = body_of(e)};
    set_formula(member.body, VXE_FORMULA_FITNESS, "log(sqrt(x*x + y*y) - 0.002)");
    const vxe_individual *asked = &member;
    vxe_outcome outcome = {0};
    vxe_effort effort = {0};
    bool stopped = false;
    uint32_t failed = 0;
    for (uint32_t copy = 0; copy < COPIES; copy++) {
        vxe_batch_variant variant;
        vxe_batch_def def = vxe_batch_def_default();
        vxe_design *design = vxe_vary(e, member.body, copy, &variant, &error);
        vxe_batch *batch = vxe_batch_create(&def, &error);
        assert_int_equal(vxe_batch_add_variant(batch, design, &variant, &error), VXE_OK);
        assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
        failed += isfinite(vxe_batch_result_of(batch, 0).fitness) ? 0 : 1;
        vxe_batch_destroy(batch);
        vxe_design_destroy(design);
    }
    assert_in_range(failed, 1, COPIES - 1);
    assert_int_equal(vxe_run_bodies(&runner, &asked, 1, &outcome, &stopped, &effort, &error),
                     VXE_OK);
    assert_int_equal(outcome.verdict, VXE_VERDICT_UNDEFINED);
    assert_true(isnan(outcome.fitness));
    vxe_design_destroy(member.body);
    vxe_experiment_destroy(e);
}

static void wrong_evaluations_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {", \"evaluation\": {\"copies\": 4}", "do not differ"},
        {", \"evaluation\": {\"vary\": {\"friction\": 0.1}}", "no effect on one copy"},
        {", \"evaluation\": {\"copies\": 65, \"vary\": {\"step\": 0.01}}", "from 1 to 64"},
        {", \"evaluation\": {\"copies\": 4, \"vary\": {\"fricton\": 0.1}}", "unknown key"},
        {", \"evaluation\": {\"copies\": 4, \"vary\": {\"friction\": 1}}", "from 0 to 0.9"},
        {", \"evaluation\": {\"copies\": 4, \"score\": \"best\", \"vary\": {\"step\": 0.01}}",
         "expected one of median, mean, worst, lower_quartile"},
        {", \"evaluation\": 4", "evaluation"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vxe_error error;
        assert_null(experiment_with(cases[i].text, &error));
        if (!strstr(error.message, cases[i].says)) {
            fail_msg("%s: %s", cases[i].text, error.message);
        }
    }
    vxe_error error;
    vxe_experiment *plain = experiment_with("", &error);
    vxe_experiment *robust = robust_experiment("worst");
    char *text[2] = {vxe_experiment_text(plain), vxe_experiment_text(robust)};
    assert_null(strstr(text[0], "evaluation"));
    vxe_experiment *again = vxe_experiment_parse("again.json", text[1], strlen(text[1]), &error);
    assert_non_null(again);
    assert_memory_equal(&again->evaluation, &robust->evaluation, sizeof robust->evaluation);
    free(text[0]);
    free(text[1]);
    vxe_experiment_destroy(again);
    vxe_experiment_destroy(plain);
    vxe_experiment_destroy(robust);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_differ_by_what_is_asked),
                                       cmocka_unit_test(scores_are_those_of_their_names),
                                       cmocka_unit_test(a_body_has_the_score_of_its_copies),
                                       cmocka_unit_test(a_failing_copy_fails_its_body),
                                       cmocka_unit_test(wrong_evaluations_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
