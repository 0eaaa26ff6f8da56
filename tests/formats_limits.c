/* SPDX-License-Identifier: MIT */
/* Bounds on what is made of a file: how they are stated, replaced and kept. */
#include <stdio.h>
#include <string.h>

#include "common/status_internal.h"
#include "lattice/formats/format.h"
#include "lattice/formats/limits_internal.h"
#include "support.h"

static void a_text_replaces_some_bounds(void **state)
{
    (void)state;
    const vxe_limits standard = vxe_limits_default();
    vxe_limits limits = standard;
    vxe_error error;
    assert_int_equal(vxe_limits_parse(&limits, "voxels=4e6,cells=17", &error), VXE_OK);
    assert_true(limits.voxels == 4000000 && limits.cells == 17);
    limits.voxels = standard.voxels;
    limits.cells = standard.cells;
    assert_memory_equal(&limits, &standard, sizeof limits);
}

static void a_wrong_text_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"voxels", "expected voxels=N"},       {"voxels=", "expected voxels=N"},
        {"voxels=-1", "expected voxels=N"},    {"voxels=1.5", "expected voxels=N"},
        {"voxels=1e19", "expected voxels=N"},  {"voxels=1,cell=2", "did you mean cells?"},
        {"voxels=1,", "there is no bound ''"}, {"", "there is no bound ''"}};
    const vxe_limits standard = vxe_limits_default();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        vxe_limits limits = standard;
        vxe_error error;
        assert_int_equal(vxe_limits_parse(&limits, wrong[i][0], &error), VXE_ERROR_ARGUMENT);
        assert_memory_equal(&limits, &standard, sizeof limits);
        if (!strstr(error.message, wrong[i][1])) {
            fail_msg("%s: %s", wrong[i][0], error.message);
        }
    }
}

static void each_bound_has_a_name_by_which_it_is_read(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < VXE_LIMIT_COUNT; i++) {
        char text[60];
        uint64_t read[VXE_LIMIT_COUNT];
        vxe_limits limits = vxe_limits_default();
        snprintf(text, sizeof text, "%s=12345", vxe_limits_name(i));
        assert_int_equal(vxe_limits_parse(&limits, text, NULL), VXE_OK);
        memcpy(read, &limits, sizeof read);
        assert_true(read[i] == 12345);
    }
    assert_null(vxe_limits_name(VXE_LIMIT_COUNT));
}

/* A plain format states each voxel by at least one byte, so that a large body is never refused. */
static void a_large_file_may_hold_as_many_as_it_has_bytes(void **state)
{
    (void)state;
    assert_true(vxe_limit_for(VXE_LIMIT_VOXELS, 999999) == vxe_limits_default().voxels);
    assert_true(vxe_limit_for(VXE_LIMIT_VOXELS, 1000000) == 1000000);
    assert_true(vxe_limit_for(VXE_LIMIT_VOXELS, 1ull << 50) == 1ull << 30);
    assert_true(vxe_limit_for(VXE_LIMIT_LAYERS, 1ull << 40) == vxe_limits_default().layers);
}

/* A VXA of 100 x 100 x 100 full cells, a character each. */
static void a_million_voxels_are_read_from_a_plain_file(void **state)
{
    (void)state;
    static const char layer[] = "<Layer><![CDATA[";
    static const char end[] = "]]></Layer>\n";
    FILE *file = fopen("million.vxa", "w");
    vxe_error error;
    assert_non_null(file);
    fputs("<VXA><VXC><Lattice/><Palette><Material><Mechanical><Elastic_Mod>1e6</Elastic_Mod>"
          "<Density>1000</Density></Mechanical></Material></Palette>"
          "<Structure Compression=\"ASCII_READABLE\"><X_Voxels>100</X_Voxels>"
          "<Y_Voxels>100</Y_Voxels><Z_Voxels>100</Z_Voxels><Data>",
          file);
    for (int z = 0; z < 100; z++) {
        fputs(layer, file);
        for (int i = 0; i < 10000; i++) {
            fputc('1', file);
        }
        fputs(end, file);
    }
    fputs("</Data></Structure></VXC></VXA>", file);
    assert_int_equal(fclose(file), 0);
    vxe_design *design = vxe_design_read("million.vxa", &error);
    assert_non_null(design);
    assert_int_equal(design->voxel_count, 1000000);
    vxe_design_destroy(design);
    remove("million.vxa");
}

static void bounds_that_are_used_hold_until_the_defaults_are_back(void **state)
{
    (void)state;
    static const char scene[] = "{\"materials\":[{},{}],\"voxels\":[[0,0,0,0],[1,0,0,1]],"
                                "\"layers\":{\"a\":[1,2],\"b\":[3,4]}}";
    static const char *const bounds[][2] = {{"materials=1", "2 materials; at most 1 are read"},
                                            {"layers=1", "2 layers of numbers; at most 1"}};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        vxe_limits limits = vxe_limits_default();
        vxe_error error;
        assert_int_equal(vxe_limits_parse(&limits, bounds[i][0], &error), VXE_OK);
        vxe_limits_use(&limits);
        vxe_design *refused = vxe_design_read_text(scene, sizeof scene - 1, "scene.json", &error);
        vxe_limits_use(NULL);
        assert_null(refused);
        assert_int_equal(error.status, VXE_ERROR_INPUT);
        assert_string_equal(error.file, "scene.json");
        if (!strstr(error.message, bounds[i][1])) {
            fail_msg("%s: %s", bounds[i][0], error.message);
        }
        vxe_design *read = vxe_design_read_text(scene, sizeof scene - 1, "scene.json", &error);
        assert_non_null(read);
        vxe_design_destroy(read);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_replaces_some_bounds),
        cmocka_unit_test(a_wrong_text_is_refused_and_changes_nothing),
        cmocka_unit_test(each_bound_has_a_name_by_which_it_is_read),
        cmocka_unit_test(a_large_file_may_hold_as_many_as_it_has_bytes),
        cmocka_unit_test(a_million_voxels_are_read_from_a_plain_file),
        cmocka_unit_test(bounds_that_are_used_hold_until_the_defaults_are_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
