/* SPDX-License-Identifier: MIT */
/* CMA-ES on functions whose minimum is known: how many evaluations it takes to reach it, and
 * whether it learns their shape. Budgets: Hansen2010 and Hansen2016: in 10 dimensions some 2 000
 * evaluations for the sphere and 6 000 for the ellipsoid, to 1e-8; twice that is allowed. */
#include <math.h>
#include <stdlib.h>

#include "evolution/algorithms/cma_internal.h"
#include "support.h"

enum { N = 10, LAMBDA = 10 };

static double sphere(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sum += (x[i] - 1) * (x[i] - 1);
    }
    return sum;
}

/* Axes from 1 to 1000, rotated in pairs of coordinates by a third of a right angle. */
static double ellipsoid(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        const int other = i % 2 ? i - 1 : i + 1;
        const double turned = cos(PI / 6) * x[i] + (i % 2 ? -1 : 1) * sin(PI / 6) * x[other];
        sum += pow(1e6, (double)i / (N - 1)) * turned * turned;
    }
    return sum;
}

static double rosenbrock(const double *x)
{
    double sum = 0;
    for (int i = 0; i + 1 < N; i++) {
        sum += 100 * (x[i] * x[i] - x[i + 1]) * (x[i] * x[i] - x[i + 1]) + (x[i] - 1) * (x[i] - 1);
    }
    return sum;
}

typedef struct rated {
    double value;
    double point[N];
} rated;

static int compare_rated(const void *first, const void *second)
{
    const rated *a = first;
    const rated *b = second;
    return a->value < b->value ? -1 : a->value > b->value;
}

/* Evaluations until the value is below a bound. failing: number of individuals without a value in
 * each generation. */
static int evaluations_to(double (*value)(const double *), double bound, uint32_t failing,
                          uint64_t seed, vxe_genome *memory)
{
    vxe_error error;
    assert_int_equal(vxe_cma_begin(memory, N, 0.5, 0.3, &error), VXE_OK);
    for (int evaluations = 0; evaluations < 100000;) {
        rated generation[LAMBDA];
        const double *points[LAMBDA];
        for (uint32_t i = 0; i < LAMBDA; i++, evaluations++) {
            double workspace[N];
            vxe_stream stream = vxe_stream_open(seed, i, (uint32_t)evaluations / LAMBDA, 0);
            vxe_cma_sample(memory, &stream, generation[i].point, workspace);
            generation[i].value = value(generation[i].point);
        }
        /* the first ones fail, whatever their value */
        qsort(generation + failing, LAMBDA - failing, sizeof *generation, compare_rated);
        if (generation[failing].value < bound) {
            return evaluations;
        }
        for (uint32_t i = failing; i < LAMBDA; i++) {
            points[i - failing] = generation[i].point;
        }
        assert_int_equal(vxe_cma_update(memory, LAMBDA, points, LAMBDA - failing, &error), VXE_OK);
        assert_true(vxe_cma_valid(memory, N));
    }
    return INT32_MAX;
}

static void minima_are_found_in_time(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double (*value)(const double *);
        uint32_t failing;
        int max;
    } rows[] = {{"sphere", sphere, 0, 4000},
                {"ellipsoid", ellipsoid, 0, 12000},
                {"rosenbrock", rosenbrock, 0, 16000},
                {"sphere, a third fails", sphere, 3, 8000}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            vxe_genome memory;
            const int taken =
                evaluations_to(rows[row].value, 1e-8, rows[row].failing, seed, &memory);
            check_below(rows[row].name, taken, rows[row].max);
            vxe_genome_clear(&memory);
        }
    }
}

/* The learnt ellipsoid has the axes of the function's, with a ratio of a thousand within a factor
 * of 3, and its basis is orthonormal. */
static void the_shape_is_learnt(void **state)
{
    (void)state;
    vxe_genome memory;
    assert_true(evaluations_to(ellipsoid, 1e-10, 0, 4, &memory) < INT32_MAX);
    const double *axis = memory.genes + 4 + 3 * N;
    const double *basis = memory.genes + 4 + 4 * N + N * N;
    double longest = 0;
    double shortest = HUGE_VAL;
    for (int i = 0; i < N; i++) {
        longest = fmax(longest, axis[i]);
        shortest = fmin(shortest, axis[i]);
        for (int k = 0; k < N; k++) {
            double product = 0;
            for (int j = 0; j < N; j++) {
                product += basis[N * j + i] * basis[N * j + k];
            }
            check_near("basis", product, i == k, 1e-12);
        }
    }
    check_near("axes, in decades", log10(longest / shortest), 3, log10(3));
    vxe_genome_clear(&memory);
}

static void nothing_is_learnt_from_failures(void **state)
{
    (void)state;
    vxe_genome memory;
    vxe_error error;
    assert_int_equal(vxe_cma_begin(&memory, N, 0.5, 0.3, &error), VXE_OK);
    const double sigma = memory.genes[3];
    assert_int_equal(vxe_cma_update(&memory, LAMBDA, NULL, 0, &error), VXE_OK);
    assert_true(memory.genes[3] == sigma && memory.genes[1] == 0);
    memory.genes[7] = (double)NAN;
    assert_false(vxe_cma_valid(&memory, N));
    vxe_genome_clear(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(minima_are_found_in_time),
                                       cmocka_unit_test(the_shape_is_learnt),
                                       cmocka_unit_test(nothing_is_learnt_from_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
