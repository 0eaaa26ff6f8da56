/* SPDX-License-Identifier: MIT */
/* Policies of a caller in gradients: one that does what the network of the design does has the
   numbers of that network, and what it says wrong is told. */
#include <math.h>
#include <string.h>

#include "engine/network.h"
#include "gradients.h"

enum { ROBOTS = 3 };

/* The networks of robots, as policies. */
typedef struct imitation {
    const vxe_controller *controller[ROBOTS];
    double by_weights[ROBOTS][MAX_WEIGHTS];
    uint32_t asked, rows, rows_back, last[ROBOTS];
    float more;       /* is added to the first output of all */
    double most_back; /* largest adjoint of that */
    int wrong;        /* see below */
} imitation;

/* What policies say wrong. */
enum { NOTHING, NO_OUTPUT, NO_ADJOINT, STOPS, STOPS_BACK };

static bool act(void *user, const vxe_gradient_ticks *ticks, float *outputs)
{
    imitation *of = user;
    of->asked++;
    for (uint32_t i = 0; i < ticks->count; i++) {
        const vxe_controller *c = of->controller[ticks->robots[i]];
        assert_int_equal(ticks->inputs, c->network.width[0]);
        assert_int_equal(ticks->ticks[i], of->last[ticks->robots[i]]++); /* one after another */
        float *row = outputs + i * ticks->outputs;
        vxe_network_run(&c->network, c->weights, ticks->sensed + i * ticks->inputs, row);
        row[0] += of->more;
        of->rows++;
        if (of->wrong == NO_OUTPUT && ticks->robots[i] == 1 && ticks->ticks[i] == 2) {
            row[1] = NAN;
        }
    }
    return of->wrong != STOPS;
}

static bool back(void *user, const vxe_gradient_ticks *ticks, const double *by_outputs,
                 double *by_sensed)
{
    imitation *of = user;
    for (uint32_t n = 0; n < ticks->count * ticks->inputs; n++) {
        assert_true(by_sensed[n] == 0);
    }
    for (uint32_t i = 0; i < ticks->count; i++) {
        const uint32_t robot = ticks->robots[i];
        const vxe_controller *c = of->controller[robot];
        const double *row = by_outputs + i * ticks->outputs;
        of->rows_back++;
        assert_int_equal(ticks->ticks[i], --of->last[robot]); /* from the last one on */
        of->most_back = fmax(of->most_back, fabs(row[0]));
        vxe_network_backwards(&c->network, c->weights, ticks->sensed + i * ticks->inputs, row,
                              of->by_weights[robot], by_sensed + i * ticks->inputs);
        if (of->wrong == NO_ADJOINT && robot == 1) {
            by_sensed[i * ticks->inputs] = (double)INFINITY;
        }
    }
    return of->wrong != STOPS_BACK;
}

/* Three robots that policies move; the first two have the same sensors. */
static vxe_gradient *robots_of(const vxe_gradient_def *def, vxe_design *designs[ROBOTS],
                               imitation *of)
{
    vxe_error error = {0};
    vxe_gradient *gradient = vxe_gradient_create(def, &error);
    const vxe_gradient_policy policy = {act, back, of};
    memset(of, 0, sizeof *of);
    vxe_gradient_set_policy(gradient, &policy);
    for (uint32_t i = 0; i < ROBOTS; i++) {
        uint32_t robot;
        designs[i] = controlled(0.1 + 0.01 * i, i < 2 ? 0 : 1);
        of->controller[i] = &designs[i]->controller;
        assert_false(vxe_gradient_add(gradient, designs[i], &robot, &error));
    }
    return gradient;
}

static void leave(vxe_gradient *gradient, vxe_design *designs[ROBOTS])
{
    vxe_gradient_destroy(gradient);
    for (int i = 0; i < ROBOTS; i++) {
        vxe_design_destroy(designs[i]);
    }
}

/* All gradients have the bits of those through the networks, in both precisions; those by weights
   come from the policy. */
static void a_policy_that_is_a_network_has_its_bits(void **state)
{
    (void)state;
    for (int mixed = 0; mixed < 2; mixed++) {
        static imitation of;
        vxe_error error = {0};
        vxe_design *designs[ROBOTS];
        double want[VXE_GRADIENT_BYS][MAX_WEIGHTS];
        double got[MAX_WEIGHTS];
        vxe_gradient_def def = definition(900, 1e-5);
        def.world.precision = mixed ? VXE_PRECISION_MIXED : VXE_PRECISION_DOUBLE;
        def.world.threads = 2;
        vxe_gradient *gradient = robots_of(&def, designs, &of);
        const vxe_gradient_policy policy = {act, back, &of};
        for (uint32_t i = 0; i < ROBOTS; i++) {
            vxe_gradient_set_policy(gradient, NULL);
            assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
            for (vxe_gradient_by by = 0; by < VXE_GRADIENT_BYS; by++) {
                assert_false(vxe_gradient_of(gradient, i, by, want[by], &error));
            }
            memset(of.by_weights, 0, sizeof of.by_weights);
            of.asked = of.rows = 0;
            vxe_gradient_set_policy(gradient, &policy);
            assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
            for (vxe_gradient_by by = 0; by < VXE_BY_WEIGHTS; by++) {
                assert_false(vxe_gradient_of(gradient, i, by, got, &error));
                assert_memory_equal(got, want[by],
                                    vxe_gradient_width(gradient, i, by) * sizeof(double));
            }
            const uint32_t weights = vxe_gradient_width(gradient, i, VXE_BY_WEIGHTS);
            assert_memory_equal(of.by_weights[i], want[VXE_BY_WEIGHTS], weights * sizeof(double));
            assert_false(vxe_gradient_of(gradient, i, VXE_BY_WEIGHTS, got, &error));
            for (uint32_t w = 0; w < weights; w++) {
                assert_true(got[w] == 0);
            }
            assert_int_equal(of.rows, 3 * 5); /* ticks of 2 ms in 9 ms */
            assert_int_equal(of.asked, 2 * 5);
        }
        leave(gradient, designs);
    }
}

/* Outputs beyond -1 to 1 count as these, and pass nothing back. */
static void outputs_beyond_pass_nothing_back(void **state)
{
    (void)state;
    static imitation of;
    vxe_error error = {0};
    vxe_design *designs[ROBOTS];
    const vxe_gradient_def def = definition(900, 1e-5);
    vxe_gradient *gradient = robots_of(&def, designs, &of);
    for (int i = 0; i < 2; i++) {
        of.more = i ? 3 : 0;
        of.most_back = 0;
        assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
        assert_true(i ? of.most_back == 0 : of.most_back > 0);
    }
    leave(gradient, designs);
}

/* Where a robot leaves after a tick, it is in the rows of the way back all the same, with zeros:
   here as its objective is no number, and the way back of the others has the rows of the way there.
   A policy that said no is not asked again. */
static double of_all_but_the_first(void *user, uint32_t robot, const vxe_gradient_sample *samples,
                                   uint32_t count, vxe_gradient_sample *weights)
{
    const double value = objective(user, robot, samples, count, weights);
    return robot == 0 ? (double)NAN : value;
}

static void rows_are_the_same_both_ways(void **state)
{
    (void)state;
    static imitation of;
    vxe_error error = {0};
    vxe_design *designs[ROBOTS];
    double value;
    const vxe_gradient_def def = definition(900, 1e-5);
    vxe_gradient *gradient = robots_of(&def, designs, &of);
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    memset(of.by_weights, 0, sizeof of.by_weights);
    of.rows = of.rows_back = 0;
    assert_false(vxe_gradient_run(gradient, of_all_but_the_first, NULL, &error));
    assert_int_equal(vxe_gradient_value(gradient, 0, &value, &error), VXE_ERROR_ARGUMENT);
    assert_false(vxe_gradient_value(gradient, 1, &value, &error));
    assert_int_equal(of.rows, 3 * 5);
    assert_int_equal(of.rows_back, 3 * 5);
    for (uint32_t w = 0; w < MAX_WEIGHTS; w++) {
        assert_true(of.by_weights[0][w] == 0);
    }
    of.asked = 0;
    of.wrong = STOPS;
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_int_equal(of.asked, 1);
    leave(gradient, designs);
}

/* What is no number is told of its robot, and leaves the others alone; a policy that says no gives
   the run up; then a run is whole again. */
static void what_a_policy_says_wrong_is_told(void **state)
{
    (void)state;
    static imitation of;
    vxe_error error = {0};
    vxe_design *designs[ROBOTS];
    double value;
    const vxe_gradient_def def = definition(900, 1e-5);
    vxe_gradient *gradient = robots_of(&def, designs, &of);
    for (of.wrong = NO_OUTPUT; of.wrong <= NO_ADJOINT; of.wrong++) {
        memset(of.last, 0, sizeof of.last);
        assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
        assert_int_equal(vxe_gradient_value(gradient, 1, &value, &error), VXE_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, of.wrong == NO_OUTPUT
                                                  ? "robot 1: an output of the policy in tick 2"
                                                  : "robot 1: what goes back"));
        assert_false(vxe_gradient_value(gradient, 0, &value, &error));
        assert_false(vxe_gradient_value(gradient, 2, &value, &error));
    }
    for (of.wrong = STOPS; of.wrong <= STOPS_BACK; of.wrong++) {
        memset(of.last, 0, sizeof of.last);
        assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
        for (uint32_t i = 0; i < ROBOTS; i++) {
            assert_int_equal(vxe_gradient_value(gradient, i, &value, &error), VXE_ERROR_ARGUMENT);
        }
    }
    memset(of.last, 0, sizeof of.last);
    of.wrong = NOTHING;
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_false(vxe_gradient_value(gradient, 1, &value, &error));
    leave(gradient, designs);
}

static _Thread_local bool runs_here;

static bool stay(void *user, const vxe_gradient_ticks *ticks, float *outputs)
{
    (void)outputs; /* zeros */
    *(uint32_t *)user += ticks->count;
    return runs_here;
}

static bool stay_back(void *user, const vxe_gradient_ticks *ticks, const double *by_outputs,
                      double *by_sensed)
{
    (void)by_outputs;
    (void)by_sensed;
    *(uint32_t *)user += ticks->count;
    return runs_here;
}

/* More robots than a vector has lanes, with more threads than one: all are asked for on this one.
 */
static void policies_are_called_on_the_calling_thread(void **state)
{
    (void)state;
    enum { MANY = 40 };
    vxe_error error = {0};
    uint32_t asked = 0;
    uint32_t robot;
    double value;
    vxe_gradient_def def = definition(300, 1e-5);
    def.world.threads = 4;
    vxe_design *design = controlled(0.1, 0);
    vxe_gradient *gradient = vxe_gradient_create(&def, &error);
    const vxe_gradient_policy policy = {stay, stay_back, &asked};
    for (int i = 0; i < MANY; i++) {
        assert_false(vxe_gradient_add(gradient, design, &robot, &error));
    }
    runs_here = true;
    vxe_gradient_set_policy(gradient, &policy);
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    assert_false(vxe_gradient_value(gradient, MANY - 1, &value, &error));
    assert_int_equal(asked, 2 * 2 * MANY); /* ticks of 2 ms in 3 ms, both ways */
    vxe_gradient_destroy(gradient);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_policy_that_is_a_network_has_its_bits),
                                       cmocka_unit_test(outputs_beyond_pass_nothing_back),
                                       cmocka_unit_test(what_a_policy_says_wrong_is_told),
                                       cmocka_unit_test(rows_are_the_same_both_ways),
                                       cmocka_unit_test(policies_are_called_on_the_calling_thread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
