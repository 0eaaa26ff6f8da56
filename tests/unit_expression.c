/* SPDX-License-Identifier: MIT */
/* Formulas: values compared with the C library's, and errors with their places. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "common/expression_internal.h"
#include "common/trig_internal.h"
#include "support.h"

static const char *const names[3] = {"x", "y", "t"};

/* Value of a formula at one of several sets of x, y and t. */
static double value_of(const char *text, double x, double y, double t)
{
    enum { SETS = 7 };
    vxe_expression e;
    vxe_error error = {0};
    double sets[3][SETS];
    double values[SETS];
    const double *variables[3] = {sets[0], sets[1], sets[2]};
    if (vxe_expression_parse(&e, text, names, 3, &error)) {
        fail_msg("%s", error.message);
    }
    for (int i = 0; i < SETS; i++) {
        sets[0][i] = i == 4 ? x : 1e3 * i;
        sets[1][i] = i == 4 ? y : 0.1;
        sets[2][i] = i == 4 ? t : -2;
    }
    vxe_expression_run(&e, variables, SETS, values);
    vxe_expression_clear(&e);
    return values[4];
}

static void formulas_have_their_values(void **state)
{
    (void)state;
    const double x = 0.7;
    const double y = -1.3;
    const double t = 2.5;
    const struct {
        const char *text;
        double value;
    } cases[] = {{"1", 1},
                 {" .5e1 ", 5},
                 {"1 - 2 - 3", -4},
                 {"8/4/2", 1},
                 {"1+2*3", 7},
                 {"(1+2)*3", 9},
                 {"-x^2", -x * x},
                 {"2^3^2", 512},
                 {"2^-1", 0.5},
                 {"y^3", y * y * y},
                 {"1/(0*x)^-0.5", 0},
                 {"(0*x)^0.5", 0},
                 {"(-1)^1025", -1},
                 {"(-1)^1026", 1},
                 {"1e154^2", 1e308},
                 {"log(10^307.5)", 307.5 * log(10)},
                 {"log(10^-307.5)", -307.5 * log(10)},
                 {"not(x)", 0},
                 {"not(0)", 1},
                 {"and(x, y)", 1},
                 {"and(x, 0)", 0},
                 {"or(0, 0)", 0},
                 {"or(0, t)", 1},
                 {"round(t)", 2},
                 {"round(-3.5)", -4},
                 {"atan(x)", atan(x)},
                 {"atan(-1e9)", atan(-1e9)},
                 {"atan(1e-9)", 1e-9},
                 {"normcdf(x)", 0.5 * erfc(-x / sqrt(2))},
                 {"normcdf(-6)", 0.5 * erfc(6 / sqrt(2))},
                 {"normcdf(40)", 1},
                 {"x^0.3", pow(x, 0.3)},
                 {"x^-2.5", pow(x, -2.5)},
                 {"- -x", x},
                 {"+x*-y", -x * y},
                 {"x < y", 0},
                 {"x > y", 1},
                 {"(t>1)*(t<3)*x", x},
                 {"sin(2*pi*t/4)", sin(2 * PI * t / 4)},
                 {"cos(x) + tan(y)", cos(x) + tan(y)},
                 {"exp(-x)*log(t)", exp(-x) * log(t)},
                 {"sqrt(abs(y))", sqrt(1.3)},
                 {"floor(y)", -2},
                 {"min(x, y) + max(x, max(y, t))", y + t},
                 {"((((x))))", x}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* sums, products and square roots are exact; the rest is within some last bits */
        check_near(cases[i].text, value_of(cases[i].text, x, y, t), cases[i].value,
                   8 * DBL_EPSILON * fmax(1, fabs(cases[i].value)));
    }
}

static void formulas_without_a_value_say_so(void **state)
{
    (void)state;
    assert_true(isnan(value_of("y^0.5", 0.7, -1.3, 2.5)));
    assert_true(isinf(value_of("1/0", 0.7, -1.3, 2.5)));
    assert_true(value_of("log(0)", 0.7, -1.3, 2.5) == -HUGE_VAL);
    assert_true(isnan(value_of("log(y)", 0.7, -1.3, 2.5)));
    assert_true(isnan(value_of("exp(0/0) + sin(1/0)", 0.7, -1.3, 2.5)));
}

static void mistakes_are_reported_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {{"", "character 1: it ends too early"},
                 {"1 +", "character 4: it ends too early"},
                 {"1 2", "character 3: expected an operator"},
                 {"(1", "character 3: expected )"},
                 {"1)", "character 2: expected an operator"},
                 {"z", "character 1: no such"},
                 {"2*sine(1)", "character 3: no such"},
                 {"sin 1", "character 5: expected ("},
                 {"min(1)", "character 6: expected a comma"},
                 {"x & y", "character 3: expected an operator"},
                 {".", "character 1: expected a number"},
                 {"0x10", "character 2: expected an operator"},
                 {"1,5", "character 2: expected an operator"},
                 {"1.5.5", "character 4: expected an operator"},
                 {"1e999", "character 1: expected a number"}};
    vxe_expression e;
    vxe_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(vxe_expression_parse(&e, cases[i].text, names, 3, &error),
                         VXE_ERROR_INPUT);
        print_message("  %s\n", error.message);
        assert_non_null(strstr(error.message, cases[i].says));
        assert_null(e.code);
    }
}

/* No text breaks the parser or its stack. */
static void endless_formulas_are_refused(void **state)
{
    (void)state;
    static char text[20001];
    static const char *const parts[4] = {"(", "-", "1+(", "x^"};
    vxe_expression e;
    vxe_error error;
    for (int i = 0; i < 4; i++) {
        text[0] = '\0';
        for (size_t n = 0; n + 4 < sizeof text; n += strlen(parts[i])) {
            strcpy(text + n, parts[i]);
        }
        assert_int_equal(vxe_expression_parse(&e, text, names, 3, &error), VXE_ERROR_INPUT);
    }
    uint64_t seed = 9;
    for (int trial = 0; trial < 20000; trial++) {
        static const char letters[] = "xyt1.5+-*/^<>()min,sqr ";
        for (int n = 0; n < 24; n++) {
            text[n] = letters[(size_t)((random_unit(&seed) + 1) / 2 * (sizeof letters - 1)) %
                              (sizeof letters - 1)];
        }
        text[24] = '\0';
        if (!vxe_expression_parse(&e, text, names, 3, &error)) {
            (void)value_of(text, 1, 2, 3);
        }
        vxe_expression_clear(&e);
    }
}

/* Within some last bits of the C library's over its whole range. */
static void logarithms_are_exact(void **state)
{
    (void)state;
    uint64_t seed = 3;
    double max = 0;
    for (int i = 0; i < 100000; i++) {
        const double x = exp(700 * random_unit(&seed));
        max = fmax(max, fabs(vxe_logarithm(x) - log(x)) / fmax(1, fabs(log(x))));
        const double near = 1 + 0.3 * random_unit(&seed);
        max = fmax(max, fabs(vxe_logarithm(near) - log(near)));
    }
    check_below("error of ln", max, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas_have_their_values),
                                       cmocka_unit_test(formulas_without_a_value_say_so),
                                       cmocka_unit_test(mistakes_are_reported_with_their_place),
                                       cmocka_unit_test(endless_formulas_are_refused),
                                       cmocka_unit_test(logarithms_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
