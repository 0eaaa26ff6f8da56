/* SPDX-License-Identifier: MIT */
/* Curves, lines of descent and the rank test, compared with counting by hand and over all orders.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "evolution/analysis.h"
#include "support.h"

/* p by its definition: the fraction of all ways to choose m of the values as the first set whose U
 * is at least as far from the middle. */
static double p_by_counting(const double *values, uint32_t m, uint32_t n)
{
    const uint32_t all = m + n;
    double far = 0;
    double ways = 0;
    double own = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t set = 0; set < 1u << all; set++) {
            double u = 0;
            if ((uint32_t)__builtin_popcount(set) != m) {
                continue;
            }
            for (uint32_t i = 0; i < all; i++) {
                for (uint32_t k = 0; k < all; k++) {
                    if (set >> i & 1 && !(set >> k & 1)) {
                        u += values[i] > values[k] ? 1 : values[i] == values[k] ? 0.5 : 0;
                    }
                }
            }
            const double distance = fabs(u - 0.5 * m * n);
            own = pass == 0 && set == (1u << m) - 1 ? distance : own;
            far += pass == 1 && distance >= own;
            ways += pass;
        }
    }
    return far / ways;
}

static void ranks_are_compared_exactly(void **state)
{
    (void)state;
    /* n = 3, 3 and 5, 5 of the tables of MannWhitney1947: P(U <= 0) = 1/20, P(U <= 2) =
       4/252 */
    const double three[6] = {1, 2, 3, 4, 5, 6};
    check_near("p of 3, 3 and U = 0", vxe_compare(three, 3, three + 3, 3).p, 0.1, 1e-15);
    const double five[10] = {1, 2, 3, 4, 7, 5, 6, 8, 9, 10};
    const vxe_comparison c = vxe_compare(five, 5, five + 5, 5);
    assert_true(c.u == 2);
    check_near("effect", c.effect, 0.08, 1e-15);
    check_near("p of 5, 5 and U = 2", c.p, 8.0 / 252, 1e-15);
    vxe_comparison back = vxe_compare(five + 5, 5, five, 5);
    assert_true(back.u == 23 && back.p == c.p);
    uint64_t seed = 9;
    for (uint32_t trial = 0; trial < 20; trial++) {
        double values[11];
        const uint32_t m = 2 + trial % 5;
        for (int i = 0; i < 11; i++) {
            values[i] = random_unit(&seed) + (i < (int)m ? 0.3 : 0);
        }
        const double p = vxe_compare(values, m, values + m, 11 - m).p;
        check_near("p", p, p_by_counting(values, m, 11 - m), 1e-12);
    }
}

/* With ties the normal distribution is used: within 0.005 of counting where each set has 7. */
static void ties_are_corrected_for(void **state)
{
    (void)state;
    const double values[14] = {1, 2, 2, 3, 4, 4, 5, 2, 4, 5, 6, 6, 7, 7};
    const double p = vxe_compare(values, 7, values + 7, 7).p;
    check_near("p with ties", p, p_by_counting(values, 7, 7), 0.005);
    const double equal[6] = {2, 2, 2, 2, 2, 2};
    assert_true(vxe_compare(equal, 3, equal + 3, 3).p == 1);
    assert_true(vxe_compare(equal, 0, equal, 3).p == 1);
    /* 30 against 30 that hardly overlap */
    double many[60];
    for (int i = 0; i < 60; i++) {
        many[i] = i < 30 ? i : i - 10;
    }
    const double far = vxe_compare(many, 30, many + 30, 30).p;
    assert_true(far < 1e-5 && far > 1e-9);
}

static const char *folder;

static void write_run(const char *name, const char *generations, const char *individuals)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mkdir(path, 0700);
    for (int t = 0; t < 2; t++) {
        snprintf(path, sizeof path, "%s/%s/%s.csv", folder, name,
                 t ? "individuals" : "generations");
        FILE *stream = fopen(path, "w");
        assert_non_null(stream);
        fputs(t ? "id,generation,parent,operator,age,status,fitness,voxels\n"
                : "generation,evaluations,best,best_fitness,living,median_fitness,failed,"
                  "archive_cells\n",
              stream);
        fputs(t ? individuals : generations, stream);
        fclose(stream);
    }
}

static const char *name_of(const char *name, char *text, size_t size)
{
    snprintf(text, size, "%s/%s", folder, name);
    return text;
}

/* Two searches: the bootstrap's medians of two values a, b are a, (a + b)/2 and b with
 * probabilities 1/4, 1/2 and 1/4, so that the 95 % interval is from one value to the other. */
static void curves_and_lines_are_read(void **state)
{
    (void)state;
    char paths[2][128];
    const char *folders[2] = {name_of("one", paths[0], 128), name_of("two", paths[1], 128)};
    vxe_error error;
    write_run("one", "0,3,2,1.5,3,1,0,\n1,6,5,4,3,2,1,\n2,9,5,4,3,2.5,0,\n3,12,5,4",
              "1,0,,random,0,done,1,7\n2,0,,random,0,done,1.5,8\n3,0,,random,0,diverged,,9\n"
              "4,1,2,mutation,1,done,2,10\n5,1,2,mutation,1,done,4,11\n");
    write_run("two", "0,3,,,0,,3,\n1,6,4,2,2,1,2,\n",
              "1,0,,random,0,diverged,,7\n2,0,,random,0,diverged,,8\n3,0,,random,0,rejected,,9\n"
              "4,1,,random,0,done,2,10\n");
    vxe_analysis *a = vxe_analysis_open(folders, 2, &error);
    if (!a) {
        fail_msg("%s: %s", error.file, error.message);
    }
    assert_int_equal(vxe_analysis_runs(a), 2);
    assert_int_equal(vxe_analysis_generations(a), 2); /* a truncated row is ignored */
    const vxe_band band = vxe_analysis_band(a, VXE_CURVE_BEST, 1);
    assert_true(band.median == 3 && band.low == 2 && band.high == 4);
    assert_true(isnan(vxe_analysis_band(a, VXE_CURVE_BEST, 0).median));
    assert_true(isnan(vxe_analysis_band(a, VXE_CURVE_CELLS, 1).median));
    assert_true(vxe_analysis_value(a, VXE_CURVE_FAILED, 1, 0) == 3);
    assert_true(isnan(vxe_analysis_value(a, VXE_CURVE_BEST, 2, 0)));
    uint32_t count = 0;
    const vxe_ancestor *line = vxe_analysis_lineage(a, 0, &count);
    assert_int_equal(count, 2);
    assert_true(line[0].id == 2 && line[0].parent == 0 && line[0].fitness == 1.5);
    assert_true(line[1].id == 5 && line[1].voxels == 11 && line[1].generation == 1);
    vxe_analysis_close(a);
}

static void damaged_tables_are_refused(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"", "", "holds no generation yet"},
        {"0,3,1,1,3,1,0,\n2,3,1,1,3,1,0,\n", "1,0,,random,0,done,1,7\n",
         "generations are not consecutive"},
        {"0,3,1,1,3,1\n", "", "a row has too few"},
        {"0,3,2,1,3,1,0,\n", "1,0,,random,0,done,1,7\n", "individuals are not consecutive"},
        {"0,3,1,1,3,1,0,\n", "1,0,1,random,0,done,1,7\n", "individuals are not consecutive"},
        {"0,3,1,1,3,1,0,\n", "1,0,,random,0,done,1,7,8\n", "or too many cells"},
        {"0,3,1,1.5f,3,1,0,\n", "", "column 4 holds \"1.5f\": expected a number"},
        {"0,3,1,True,3,1,0,\n", "", "column 4 holds \"True\": expected a number"},
        {"0,3,1,1,3,1,0,\n", "1,0,,random,0,done,1.5 m,7\n",
         "column 7 holds \"1.5 m\": expected a number"}};
    char path[128];
    const char *name = name_of("bad", path, sizeof path);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vxe_error error = {0};
        write_run("bad", rows[i][0], rows[i][1]);
        assert_null(vxe_analysis_open(&name, 1, &error));
        if (!strstr(error.message, rows[i][2])) {
            fail_msg("row %zu: %s", i, error.message);
        }
        assert_true(error.status == VXE_ERROR_INPUT && error.line > 0);
    }
}

int main(void)
{
    folder = make_folder("evolution_analysis");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_compared_exactly), cmocka_unit_test(ties_are_corrected_for),
        cmocka_unit_test(curves_and_lines_are_read), cmocka_unit_test(damaged_tables_are_refused)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_folder();
    return failed;
}
