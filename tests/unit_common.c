/* SPDX-License-Identifier: MIT */
/* The modules of common/: numbers in texts, elementary functions, hash, memory, messages, threads,
 * files, random numbers and convex hulls. */
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/arena_internal.h"
#include "common/convex_hull_internal.h"
#include "common/file_internal.h"
#include "common/float_internal.h"
#include "common/hash_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/number_internal.h"
#include "common/parallel_internal.h"
#include "common/random_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "support.h"

/* Numbers are read and printed in the same way under a locale whose decimal sign is a comma. */
static void numbers_do_not_see_the_locale(void **state)
{
    (void)state;
    const char *const locales[2] = {"C", "de_DE.UTF-8"};
    for (int i = 0; i < 2; i++) {
        if (!setlocale(LC_ALL, locales[i])) {
            print_message("  locale %s is not installed: skipped\n", locales[i]);
            continue;
        }
        char text[40];
        assert_string_equal(vxe_number_print(text, sizeof text, -0.125, 9), "-0.125");
        static const struct {
            const char *text;
            double value;
            const char *rest;
        } cases[] = {{" 1.5e+006 ", 1.5e6, " "}, {".25", 0.25, ""}, {"1,5", 1, ",5"},
                     {"3.5junk", 3.5, "junk"},   {"", 0, ""},       {"two", 0, "two"},
                     {"0x10", 0, "x10"},         {"1e+", 1, "e+"},  {"inf", 0, "inf"},
                     {"1e999", 0, "1e999"},      {"+.5e1", 5, ""},  {"-.", 0, "-."}};
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
            const char *end = NULL;
            assert_true(vxe_number_scan(cases[k].text, &end) == cases[k].value);
            assert_string_equal(end, cases[k].rest);
            double value = 7;
            const char *expected = vxe_number_read(cases[k].text, &value);
            const bool whole = end != cases[k].text && end[strspn(end, " ")] == '\0';
            assert_true(whole ? !expected && value == cases[k].value : expected && value == 7);
        }
    }
    setlocale(LC_ALL, "C");
}

static void sine_and_exponential_match_libm(void **state)
{
    (void)state;
    double worst = 0;
    double worst_exponential = 0;
    for (int i = -3000; i <= 3000; i++) {
        const double cycles = i / 777.0;
        double s = 0;
        double c = 0;
        vxe_sincos_cycles(cycles, &s, &c);
        worst = fmax(worst, fmax(fabs(s - sin(VXE_TAU * cycles)), fabs(c - cos(VXE_TAU * cycles))));
        const double x = i / 10.0;
        worst_exponential = fmax(worst_exponential, fabs(vxe_exponential(x) / exp(x) - 1));
    }
    check_below("sine and cosine", worst,
                4e-15); /* libm's argument 2 pi c is itself rounded: 4 * 2 pi * 1.1e-16 */
    check_below("exponential, relative", worst_exponential, 1e-15);
    assert_true(vxe_exponential(-1000) == 0 && isinf(vxe_exponential(1000)));
}

static void hash_sees_order_and_not_the_sign_of_zero(void **state)
{
    (void)state;
    vxe_hash a = {0};
    vxe_hash b = {0};
    vxe_hash c = {0};
    vxe_hash_double(&a, 0.0);
    vxe_hash_double(&a, 1.0);
    vxe_hash_double(&b, -0.0);
    vxe_hash_double(&b, 1.0);
    vxe_hash_double(&c, 1.0);
    vxe_hash_double(&c, 0.0);
    assert_true(vxe_hash_end(&a) == vxe_hash_end(&b));
    assert_true(vxe_hash_end(&a) != vxe_hash_end(&c));
}

static void arena_keeps_to_its_limit(void **state)
{
    (void)state;
    vxe_arena arena = {.limit = 200000};
    char *first = vxe_arena_text(&arena, "hello", 5);
    assert_string_equal(first, "hello");
    assert_non_null(vxe_arena_take(&arena, 100000));
    assert_null(vxe_arena_take(&arena, 150000));
    assert_string_equal(first, "hello");
    vxe_arena_clear(&arena);
}

static void memory_that_can_not_be_is_refused(void **state)
{
    (void)state;
    assert_null(vxe_memory_take(UINT64_MAX / 2, 16));
    uint32_t *grown = vxe_memory_grow(NULL, 0, 4, sizeof *grown);
    grown[3] = 7;
    grown = vxe_memory_grow(grown, 4, 8, sizeof *grown);
    assert_true(grown[3] == 7 && grown[7] == 0 && (uintptr_t)grown % 64 == 0);
    vxe_memory_release(grown);
}

static void messages_are_kept_once(void **state)
{
    (void)state;
    vxe_messages a = {0};
    for (int i = 0; i < 20; i++) {
        vxe_messages_add(&a, "tag %d", i % 10);
    }
    assert_int_equal(a.count, 10);
    assert_int_equal(a.items[3].times, 2);
    vxe_messages_clear(&a);
}

typedef struct team {
    int seen[8];
    int after[8];
} team;

static void visit(void *context, uint32_t thread, uint32_t threads)
{
    team *t = context;
    t->seen[thread] = 1;
    vxe_parallel_meet(threads);
    int sum = 0;
    for (uint32_t i = 0; i < threads; i++) {
        sum += t->seen[i];
    }
    t->after[thread] = sum;
}

static void barriers_wait_for_all_threads(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 8; threads++) {
        team t = {{0}, {0}};
        const uint32_t ran = vxe_parallel_run(threads, visit, &t);
        assert_true(ran >= 1 && ran <= threads);
        for (uint32_t i = 0; i < ran; i++) {
            assert_int_equal(t.after[i], ran);
        }
    }
    assert_true(vxe_parallel_available() >= 1);
}

static void write_text(const char *path, const char *text)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static void files_are_read_and_written_whole(void **state)
{
    (void)state;
    char path[] = "unit_common.txt";
    char *text = NULL;
    uint64_t size = 0;
    vxe_error error = {0};
    vxe_file_writer writer;
    write_text(path, "old");
    assert_int_equal(vxe_file_begin(&writer, path, &error), VXE_OK);
    fputs("new text", writer.stream);
    vxe_file_abandon(&writer);
    assert_int_equal(vxe_file_read(path, 100, &text, &size, &error), VXE_OK);
    assert_string_equal(text, "old");
    vxe_memory_release(text);
    assert_int_equal(vxe_file_begin(&writer, path, &error), VXE_OK);
    fputs("new text", writer.stream);
    assert_int_equal(vxe_file_commit(&writer, &error), VXE_OK);
    assert_int_equal(vxe_file_read(path, 100, &text, &size, &error), VXE_OK);
    assert_true(strcmp(text, "new text") == 0 && size == 8);
    vxe_memory_release(text);
    assert_int_equal(vxe_file_read(path, 4, &text, &size, &error), VXE_ERROR_INPUT);
    assert_int_equal(vxe_file_read("no such file", 4, &text, &size, &error), VXE_ERROR_SYSTEM);
    assert_int_equal(vxe_file_read(".", 4, &text, &size, &error), VXE_ERROR_SYSTEM);
    assert_int_equal(vxe_file_begin(&writer, "no/such/folder/x", &error), VXE_ERROR_SYSTEM);
    assert_int_equal(vxe_file_begin(&writer, ".", &error), VXE_ERROR_SYSTEM);
    unlink(path);
    /* a full disk */
    if (vxe_file_begin(&writer, "/dev/full", &error) == VXE_OK) {
        fputs("x", writer.stream);
        assert_int_equal(vxe_file_commit(&writer, &error), VXE_ERROR_SYSTEM);
    }
    char line[200];
    vxe_error_at(&error, VXE_ERROR_INPUT, "a.vxa", 3, 4, "bad %d", 5);
    assert_string_equal(vxe_error_text(&error, line, sizeof line), "a.vxa:3:4: bad 5");
    for (int s = 0; s < 8; s++) {
        assert_true(strlen(vxe_status_name((vxe_status)s)) > 1);
    }
}

/* The first block of key 0 and counter 0 is the known answer that Random123 1.14 gives for
   philox4x32 of ten rounds (its kat_vectors). */
static void streams_are_philox(void **state)
{
    (void)state;
    static const uint32_t known[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    vxe_stream stream = vxe_stream_open(0, 0, 0, 0);
    for (int i = 0; i < 4; i++) {
        assert_true(vxe_stream_word(&stream) == known[i]);
    }
    /* each number that names a stream changes its values, and nothing else does */
    const vxe_stream others[5] = {vxe_stream_open(1, 2, 3, 4), vxe_stream_open(1ull << 32, 2, 3, 4),
                                  vxe_stream_open(0, 5, 3, 4), vxe_stream_open(0, 2, 5, 4),
                                  vxe_stream_open(0, 2, 3, 5)};
    vxe_stream base = vxe_stream_open(0, 2, 3, 4);
    const uint32_t first = vxe_stream_word(&base);
    for (int i = 0; i < 5; i++) {
        vxe_stream other = others[i];
        assert_true(vxe_stream_word(&other) != first);
    }
    base = vxe_stream_open(0, 2, 3, 4);
    assert_true(vxe_stream_word(&base) == first);
}

/* Means and variances within five standard errors of 2e5 draws: uniform 1/2 and 1/12, normal 0 and
 * 1, its fourth moment 3 (variance 96); likewise the thirds of a draw from three. */
static void draws_are_as_they_should_be(void **state)
{
    (void)state;
    enum { DRAWS = 200000 };
    vxe_stream stream = vxe_stream_open(42, 1, 2, 3);
    double uniform = 0;
    double uniform2 = 0;
    double normal = 0;
    double normal2 = 0;
    double normal4 = 0;
    int thirds[3] = {0, 0, 0};
    for (int i = 0; i < DRAWS; i++) {
        const double u = vxe_stream_unit(&stream);
        const double g = vxe_stream_normal(&stream);
        assert_true(u >= 0 && u < 1 && isfinite(g));
        uniform += u / DRAWS;
        uniform2 += (u - 0.5) * (u - 0.5) / DRAWS;
        normal += g / DRAWS;
        normal2 += g * g / DRAWS;
        normal4 += g * g * g * g / DRAWS;
        thirds[vxe_stream_below(&stream, 3)]++;
        assert_true(vxe_stream_below(&stream, 1) == 0);
    }
    const double error = 5 / sqrt(DRAWS);
    check_near("mean of the uniform", uniform, 0.5, error / sqrt(12));
    check_near("variance of the uniform", uniform2, 1.0 / 12, error / sqrt(180));
    check_near("mean of the normal", normal, 0, error);
    check_near("variance of the normal", normal2, 1, error * sqrt(2));
    check_near("fourth moment of the normal", normal4, 3, error * sqrt(96));
    for (int i = 0; i < 3; i++) {
        check_near("a third", (double)thirds[i] / DRAWS, 1.0 / 3, error * sqrt(2.0 / 9));
    }
}

/* Grids of points, all but eight of which lie in faces, on edges or inside, at several places; an
 * octahedron; and sets of points without volume. Bound: that of the header, and for grids far from
 * the origin the rounding of their positions. */
static void hulls_have_the_volume_of_boxes(void **state)
{
    (void)state;
    enum { SIDE = 11, COUNT = SIDE * SIDE * SIDE };
    static double points[COUNT][3];
    static const double origins[3] = {0, -3.7, 1000};
    for (int o = 0; o < 3; o++) {
        for (int i = 0; i < COUNT; i++) {
            points[i][0] = origins[o] + 0.01 * (i % SIDE);
            points[i][1] = origins[o] + 0.03 * (i / SIDE % SIDE);
            points[i][2] = origins[o] + 0.02 * (i / (SIDE * SIDE));
        }
        const double box = 0.1 * 0.3 * 0.2;
        check_near("box", vxe_hull_volume(&points[0][0], COUNT), box, 1e-7 * 0.027);
        check_near("plate", vxe_hull_volume(&points[0][0], SIDE * SIDE), 0, 1e-7 * 0.027);
    }
    const double octahedron[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                     {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    check_near("octahedron", vxe_hull_volume(&octahedron[0][0], 6), 4.0 / 3, 8e-7);
    assert_true(vxe_hull_volume(&octahedron[0][0], 3) == 0);
    assert_true(vxe_hull_volume(NULL, 0) == 0);
}

/* Two neighbours in memory are rounded to floats: 0.6 is 0.60000002384 there (24 bits). */
static void neighbours_are_rounded_to_floats(void **state)
{
    (void)state;
    const double *numbers = (const double[2]){0.6, 1.6};
    double rounded[2];
    rounded[0] = vxe_as_float(numbers[0]);
    rounded[1] = vxe_as_float(numbers[1]);
    assert_true(rounded[0] == 10066330 * 0x1p-24 && rounded[1] == 13421773 * 0x1p-23);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(neighbours_are_rounded_to_floats),
                                       cmocka_unit_test(numbers_do_not_see_the_locale),
                                       cmocka_unit_test(hulls_have_the_volume_of_boxes),
                                       cmocka_unit_test(streams_are_philox),
                                       cmocka_unit_test(draws_are_as_they_should_be),
                                       cmocka_unit_test(sine_and_exponential_match_libm),
                                       cmocka_unit_test(hash_sees_order_and_not_the_sign_of_zero),
                                       cmocka_unit_test(arena_keeps_to_its_limit),
                                       cmocka_unit_test(memory_that_can_not_be_is_refused),
                                       cmocka_unit_test(messages_are_kept_once),
                                       cmocka_unit_test(barriers_wait_for_all_threads),
                                       cmocka_unit_test(files_are_read_and_written_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
